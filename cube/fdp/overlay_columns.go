package fdp

import (
	"slices"

	"fiscube/cube"
)

// makeColumns takes joined cells apart and derives missing codes. A field that changes keeps its name for what
// its cells are made into; the published cell stands beside it as <field>_cell.
func (a *applying) makeColumns() {
	for _, l := range a.overlay.levels {
		switch {
		case l.split && a.derive(l.ref, cube.Derivation{Rule: cube.RuleCode, Fields: []string{l.name}}):
			a.addColumn(l.place, cube.Column{
				Name: l.name + "_label", Type: cube.TypeText,
				From: &cube.Derivation{Rule: cube.RuleLabel, Fields: []string{l.name}},
			})
		case l.derive != nil:
			a.derivePrefix(l)
		}
		if l.splitLabel {
			a.derive(l.label, cube.Derivation{Rule: cube.RuleLabel, Fields: []string{l.label.name}})
		}
	}
}

func (a *applying) derivePrefix(l levelOverlay) {
	from := l.derive.from
	if from.name == l.name {
		a.add(from.place, "%s cannot be derived from itself", quote(l.name))
		return
	}
	if a.column(from) == nil {
		return
	}
	if a.isAmount(from.name) {
		a.add(from.place, "%s is an amount, no code", quote(from.name))
		return
	}
	a.derive(l.ref, cube.Derivation{
		Rule: cube.RulePrefix, Fields: []string{l.name, from.name},
		Length: l.derive.length, Digits: l.derive.digits, Suffix: l.derive.suffix,
	})
}

// derive makes the cells of a published field by a rule, and keeps the published ones in a column of their own.
func (a *applying) derive(field ref, d cube.Derivation) bool {
	c := a.column(field)
	switch {
	case c == nil:
		return false
	case a.isAmount(c.Name) || c.FiscalYear:
		a.add(field.place, "%s is an amount or the fiscal year, not a code or label", quote(field.name))
		return false
	case c.From != nil:
		a.add(field.place, "the cells of %s are made already", quote(field.name))
		return false
	}
	c.Type, c.From = cube.TypeText, &d
	return a.addColumn(field.place, cube.Column{
		Name: field.name + "_cell", Type: cube.TypeText,
		From: &cube.Derivation{Rule: cube.RuleCell, Fields: []string{field.name}},
	})
}

// snapshotDimension holds the level that is made of the names of the resources.
const snapshotDimension = "snapshot"

// makeSnapshotLevel makes a level of the names of the resources, if that is what tells the statements apart.
func (a *applying) makeSnapshotLevel() {
	s := a.overlay.snapshots
	if s.pattern == "" {
		return
	}
	made := a.addColumn(s.by.place, cube.Column{
		Name: s.by.name, Type: cube.TypeText, From: &cube.Derivation{Rule: cube.RuleResource, Pattern: s.pattern},
	})
	if made {
		a.addLevel(snapshotDimension, cube.Level{Ref: s.by.name})
	}
}

// declareSnapshots says which levels tell the statements of one money apart.
func (a *applying) declareSnapshots() {
	s := a.overlay.snapshots
	if !s.declared {
		return
	}
	a.draft.Snapshots = nil
	if s.by.name == "" {
		return // none
	}
	declared := &cube.Snapshots{By: s.by.name, Order: slices.Clone(s.order)}
	a.level(s.by)
	for _, per := range s.per {
		a.level(per)
		declared.Per = append(declared.Per, per.name)
	}
	a.draft.Snapshots = declared
}

// markNotInformed gives the markers to the columns of codes, and to labels made from the same cells: published
// labels stay as they are, and so do the fields for which the repair is switched off.
func (a *applying) markNotInformed() {
	if len(a.overlay.markers) == 0 {
		return
	}
	for i := range a.draft.Columns {
		c := &a.draft.Columns[i]
		label := a.rule(c) == cube.RuleLabel && a.draft.LevelOfLabel(c.Name) != nil
		code := a.rule(c) != cube.RuleResource && a.draft.Level(c.Name) != nil
		if c.Type == cube.TypeText && (code || label) && !a.overlay.Off("not-informed", published(c)) {
			c.Markers = slices.Clone(a.overlay.markers)
		}
	}
}

// published names the field that the cells of a column are, or are made of.
func published(c *cube.Column) string {
	if c.From == nil || len(c.From.Fields) == 0 {
		return c.Name
	}
	return c.From.Fields[0]
}

// rule names how the cells of a column are made, "" where they are published.
func (a *applying) rule(c *cube.Column) cube.Rule {
	if c.From == nil {
		return ""
	}
	return c.From.Rule
}

// checkExceptions looks for the fields that repairs are to leave alone.
func (a *applying) checkExceptions() {
	for _, r := range a.overlay.repairs {
		for _, field := range r.except {
			a.column(field)
		}
	}
}
