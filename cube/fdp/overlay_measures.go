package fdp

import (
	"cmp"
	"maps"
	"slices"

	"fiscube/cube"
)

// changeMeasures says what is known of measures. A field that is none yet becomes one and leaves its dimension.
func (a *applying) changeMeasures() {
	for _, x := range a.overlay.measures {
		if x.firstOf != nil {
			continue
		}
		c := a.column(x.ref)
		switch {
		case c == nil:
			continue
		case c.FiscalYear || c.From != nil:
			a.add(x.place, "%s holds no amounts: it is the fiscal year or made of other cells", quote(x.name))
			continue
		}
		a.leaveLevels(x.name)
		a.describe(x)
		a.separate(x)
	}
}

// makeMeasures makes the measures whose amounts stand in several fields.
func (a *applying) makeMeasures() {
	for _, x := range a.overlay.measures {
		if x.firstOf == nil {
			continue
		}
		from := &cube.Derivation{Rule: cube.RuleFirstOf}
		for _, field := range x.firstOf {
			from.Fields = append(from.Fields, field.name)
			a.checkAmounts(field)
		}
		if a.addColumn(x.place, cube.Column{Name: x.name, Type: cube.TypeDecimal, From: from}) {
			a.describe(x)
		}
	}
}

// checkAmounts checks that a measure can be made of a field.
func (a *applying) checkAmounts(field ref) {
	switch c := a.column(field); {
	case c == nil:
	case c.From != nil:
		a.add(field.place, "the cells of %s are made themselves; name a published field", quote(field.name))
	case c.FiscalYear || a.draft.Level(field.name) != nil || a.draft.LevelOfLabel(field.name) != nil:
		a.add(field.place, "%s is a level or a label, no amount", quote(field.name))
	}
}

// describe sets what is said of a measure and leaves the rest, which the descriptor may say.
func (a *applying) describe(x measureOverlay) {
	m := a.draft.Measure(x.name)
	if m == nil {
		a.draft.Measures = append(a.draft.Measures, cube.Measure{Ref: x.name, Title: x.name})
		m = a.draft.Measure(x.name)
	}
	if x.Titles != nil {
		m.Titles, m.Title = maps.Clone(x.Titles), x.Titles.In(cube.English)
	}
	m.Currency = cmp.Or(x.Currency, m.Currency)
	m.Unit = cmp.Or(x.Unit, m.Unit)
	m.Phase = cmp.Or(x.Phase, m.Phase)
	m.Direction = cmp.Or(x.Direction, m.Direction)
	m.Factor = cmp.Or(x.Factor, m.Factor)
	if x.flow != nil {
		m.Flow = *x.flow
	}
}

// separate says how the cells of a measure write numbers, in the schema of every resource that has its field.
func (a *applying) separate(x measureOverlay) {
	if x.decimal == nil && x.group == nil {
		return
	}
	for i := range a.pkg.Resources {
		schema := &a.pkg.Resources[i].Schema
		at := slices.IndexFunc(schema.Fields, func(f cube.Field) bool { return f.Name == x.name })
		if at < 0 {
			continue
		}
		schema.Fields = slices.Clone(schema.Fields)
		a.separateField(x, &schema.Fields[at])
	}
}

// separateField writes that nothing stands between groups of digits as a group character that is the decimal's
// too: a field without any has the usual one.
func (a *applying) separateField(x measureOverlay, f *cube.Field) {
	if x.decimal != nil {
		f.DecimalChar = x.decimal.name
	}
	point := cmp.Or(f.DecimalChar, ".")
	switch {
	case x.group != nil && x.group.name == "":
		f.DecimalChar, f.GroupChar = point, point
		return
	case x.group != nil:
		f.GroupChar = x.group.name
	}
	if f.GroupChar == point {
		a.add(x.place, "decimal and group are both %s: say the other one too", quote(point))
	}
}
