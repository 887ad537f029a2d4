package fdp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// applying is an overlay on its way into a package.
type applying struct {
	*report
	overlay    *Overlay
	pkg        *cube.Package // the copy
	draft      *cube.Draft
	dimensions []cube.Dimension // all that there can be, without levels: the package's, then the overlay's
	labels     map[string]ref   // fields that the overlay makes labels, and of which level
}

// Apply gives a copy of p with what the overlay changes, and its bytes as Package.Overlay; p stays as it is. Names
// that p does not have come back as Problems, all at once. Apply does not ask whether the overlay is for p.
func (o *Overlay) Apply(p *cube.Package) (*cube.Package, error) {
	applied := *p
	applied.Resources = slices.Clone(p.Resources)
	a := &applying{
		report: &report{}, overlay: o, pkg: &applied, draft: p.Model.Draft(), labels: map[string]ref{},
	}
	// Columns are made before they are named, and fields leave the levels before others are placed and linked.
	if p.Guessed && len(o.levels) > 0 { // the overlay knows better
		a.draft.Dimensions = nil
	}
	a.gatherDimensions()
	a.makeColumns()
	a.makeSnapshotLevel()
	a.changeMeasures()
	a.makeMeasures()
	a.takeLabels()
	a.moveLevels()
	a.linkLevels()
	a.checkRings()
	a.makeEditions()
	a.describeDimensions()
	a.markNotInformed()
	a.declareSnapshots()
	a.countYears()
	applied.Qualifiers = maps.Clone(p.Qualifiers)
	for _, q := range o.qualifiers {
		if applied.Qualifiers == nil {
			applied.Qualifiers = map[string]string{}
		}
		if q.field.name == cube.NoQualifier || a.column(q.field) != nil {
			applied.Qualifiers[q.name] = q.field.name
		}
	}
	applied.Financing = slices.Clone(p.Financing)
	for _, f := range o.financing {
		if level := a.level(f.ref); level != nil {
			applied.Financing = append(applied.Financing, cube.Financing{Level: level.Ref, Keys: f.keys})
		}
	}
	for _, r := range o.repairs {
		for _, field := range r.except {
			a.column(field)
		}
	}
	var err error
	applied.Model, err = a.draft.Model()
	switch {
	case err == nil:
	case a.problems() != nil:
		return nil, a.problems()
	default:
		return nil, Problems{{Message: err.Error()}}
	}
	needsNames := len(o.derived)+len(o.sameAs) > 0 || o.functions.declared
	if problems := a.problems(); problems != nil && !needsNames {
		return nil, problems
	}
	if needsNames { // what formulas and paths name can be checked only when all other names are there
		for _, d := range o.derived {
			a.addDerived(applied.Model, d)
		}
		a.mapMembers(applied.Model)
		a.mapFunctions(applied.Model)
		if problems := a.problems(); problems != nil {
			return nil, problems
		}
		if applied.Model, err = a.draft.Model(); err != nil {
			return nil, Problems{{Message: err.Error()}}
		}
	}
	applied.Overlay = bytes.Clone(o.text)
	applied.Notes = append(slices.Clone(p.Notes), o.notes...)
	if o.shown != nil {
		applied.Names = o.shown
	}
	if o.title != nil {
		applied.Titles, applied.Title = maps.Clone(o.title), o.title.In(cube.English)
	}
	if o.about != nil {
		applied.Descriptions, applied.Description = maps.Clone(o.about), o.about.In(cube.English)
	}
	if o.country != nil {
		applied.CountryNames, applied.Country = maps.Clone(o.country), o.country.In(cube.English)
	}
	return &applied, nil
}

// countYears says when the fiscal year of dates begins, and which number one has that is in two calendar years.
func (a *applying) countYears() {
	start, by := a.overlay.yearStart, a.overlay.numberedBy
	if start.name == "" && by.name == "" {
		return
	}
	month, _ := strconv.Atoi(start.name)
	counted := false
	for i := range a.pkg.Resources {
		r := &a.pkg.Resources[i]
		r.Schema.Fields = slices.Clone(r.Schema.Fields)
		for j := range r.Schema.Fields {
			if f := &r.Schema.Fields[j]; f.ColumnType == cube.ColumnTypeFiscalYear && f.Type == "year" && r.Points != nil {
				f.YearStart, f.YearByStart, counted = month, by.name == "start", true
			}
		}
	}
	if !counted {
		a.add(cmp.Or(start.place, by.place), "the fiscal year is a number in each row, which counts as it stands: leave this out")
	}
}

// unknown reports a name that means nothing, and the nearest that does.
func (a *applying) unknown(r ref, what string, known []string) {
	a.add(r.place, "%s is no %s%s", quote(r.name), what, a.didYouMean(r.name, known))
}

// column gives the column of a name, or nil where the package has none, which is reported. It is valid until a
// column is added.
func (a *applying) column(r ref) *cube.Column {
	if c := a.draft.Column(r.name); c != nil {
		return c
	}
	names := each.Text(a.draft.Columns, func(c cube.Column) string { return c.Name })
	a.unknown(r, "field of the package", names)
	return nil
}

// isAmount tells whether the field is a measure, or a number that could be one.
func (a *applying) isAmount(field string) bool {
	c := a.draft.Column(field)
	return a.draft.Measure(field) != nil || c != nil && c.Type == cube.TypeDecimal
}

// addColumn adds a column whose cells are made, unless it cannot have its name.
func (a *applying) addColumn(place string, c cube.Column) bool {
	clash := slices.IndexFunc(a.draft.Columns, func(other cube.Column) bool { return strings.EqualFold(other.Name, c.Name) })
	switch {
	case cube.IsOwnName(c.Name):
		a.add(place, "%s begins with _: such names are fiscube's own", quote(c.Name))
	case clash >= 0 && a.draft.Columns[clash].Name == c.Name:
		a.add(place, "there is a field %s already", quote(c.Name))
	case clash >= 0:
		a.add(place, "fields %s and %s have one name, ignoring case", quote(a.draft.Columns[clash].Name), quote(c.Name))
	case len(a.draft.Columns) >= mostColumns:
		a.add(place, "no room for %s: at most %d fields are supported", quote(c.Name), mostColumns)
	default:
		a.draft.Columns = append(a.draft.Columns, c)
		return true
	}
	return false
}

// makeColumns takes joined cells apart and derives missing codes. A field that changes keeps its name for what
// its cells are made into; the published cell is in <field>_cell.
func (a *applying) makeColumns() {
	for _, l := range a.overlay.levels {
		switch {
		case l.split && a.makeCells(l.ref, cube.Derivation{Rule: cube.RuleCode, Fields: []string{l.name}}):
			a.addColumn(l.place, cube.Column{
				Name: l.name + "_label", Type: cube.TypeText,
				From: &cube.Derivation{Rule: cube.RuleLabel, Fields: []string{l.name}},
			})
		case l.derive != nil:
			from := l.derive.from
			switch {
			case from.name == l.name:
				a.add(from.place, "%s cannot be derived from itself", quote(l.name))
			case a.column(from) == nil:
			case a.isAmount(from.name):
				a.add(from.place, "%s is an amount, no code", quote(from.name))
			default:
				a.derive(l)
			}
		}
		if l.splitLabel {
			a.makeCells(l.label, cube.Derivation{Rule: cube.RuleLabel, Fields: []string{l.label.name}})
		}
	}
}

// derive makes codes of the beginnings of others: of a field where its cells are missing or, under a name that no field has, of a level
// whose dimension is said.
func (a *applying) derive(l levelOverlay) {
	d := cube.Derivation{
		Rule: cube.RulePrefix, Fields: []string{l.name, l.derive.from.name},
		Length: l.derive.length, Digits: l.derive.digits, Suffix: l.derive.suffix, Between: l.derive.separator, Parts: l.derive.parts,
	}
	if a.draft.Column(l.name) == nil && l.dimension.name != "" {
		d.Fields = d.Fields[1:]
		a.addColumn(l.place, cube.Column{Name: l.name, Type: cube.TypeText, From: &d})
		return
	}
	a.makeCells(l.ref, d)
}

// makeCells makes the cells of a published field by a rule, and keeps the published ones in a column of their own.
func (a *applying) makeCells(field ref, d cube.Derivation) bool {
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

// changeMeasures changes the measures of published fields. A field that is none yet becomes one and leaves its
// dimension.
func (a *applying) changeMeasures() {
	for _, m := range a.overlay.measures {
		if m.firstOf != nil {
			continue
		}
		switch c := a.column(m.ref); {
		case c == nil:
		case c.FiscalYear || c.From != nil:
			a.add(m.place, "%s holds no amounts: it is the fiscal year or made of other cells", quote(m.name))
		default:
			a.leaveLevels(m.name)
			a.describeMeasure(m)
			if m.decimal != nil || m.group != nil {
				a.setSeparators(m)
			}
		}
	}
}

// makeMeasures makes the measures whose amounts are in several fields.
func (a *applying) makeMeasures() {
	for _, m := range a.overlay.measures {
		if m.firstOf == nil {
			continue
		}
		from := &cube.Derivation{Rule: cube.RuleFirstOf}
		for _, field := range m.firstOf {
			from.Fields = append(from.Fields, field.name)
			switch c := a.column(field); {
			case c == nil:
			case c.From != nil:
				a.add(field.place, "the cells of %s are made themselves; name a published field", quote(field.name))
			case c.FiscalYear || a.draft.Level(field.name) != nil || a.draft.LevelOfLabel(field.name) != nil:
				a.add(field.place, "%s is a level or a label, no amount", quote(field.name))
			}
		}
		if a.addColumn(m.place, cube.Column{Name: m.name, Type: cube.TypeDecimal, From: from}) {
			a.describeMeasure(m)
		}
	}
}

// describeMeasure sets what the overlay knows of a measure and leaves the rest, which the descriptor may know.
func (a *applying) describeMeasure(described measureOverlay) {
	m := a.draft.Measure(described.name)
	if m == nil {
		a.draft.Measures = append(a.draft.Measures, cube.Measure{Ref: described.name, Title: described.name})
		m = a.draft.Measure(described.name)
	}
	if described.Titles != nil {
		m.Titles, m.Title = maps.Clone(described.Titles), described.Titles.In(cube.English)
	}
	m.Currency = cmp.Or(described.Currency, m.Currency)
	m.Unit = cmp.Or(described.Unit, m.Unit)
	m.Phase = cmp.Or(described.Phase, m.Phase)
	m.Direction = cmp.Or(described.Direction, m.Direction)
	m.Factor = cmp.Or(described.Factor, m.Factor)
	if described.flow != nil {
		m.Flow = *described.flow
	}
}

// setSeparators sets how the cells of a measure write numbers, in the schema of every resource that has its field. No
// character between groups of digits is written as a group character that is the decimal's too: a field without any
// has the usual one.
func (a *applying) setSeparators(m measureOverlay) {
	for i := range a.pkg.Resources {
		schema := &a.pkg.Resources[i].Schema
		at := slices.IndexFunc(schema.Fields, func(f cube.Field) bool { return f.Name == m.name })
		if at < 0 {
			continue
		}
		schema.Fields = slices.Clone(schema.Fields)
		f := &schema.Fields[at]
		if m.decimal != nil {
			f.DecimalChar = m.decimal.name
		}
		point := cmp.Or(f.DecimalChar, ".")
		if m.group != nil && m.group.name == "" {
			f.DecimalChar, f.GroupChar = point, point
			continue
		}
		if m.group != nil {
			f.GroupChar = m.group.name
		}
		if f.GroupChar == point {
			a.add(m.place, "decimal and group are both %s: say the other one too", quote(point))
		}
	}
}

// addDerived adds a measure that is a formula of others. It reports what is wrong with the formula at the formula,
// anything else at the name.
func (a *applying) addDerived(model *cube.Model, d derivedOverlay) {
	derived := cube.Derived{Ref: d.name, Formula: d.formula.name, Title: d.name}
	if d.titles != nil {
		derived.Titles, derived.Title = maps.Clone(d.titles), d.titles.In(cube.English)
	}
	same := func(other cube.Derived) bool { return strings.EqualFold(other.Ref, d.name) }
	if i := slices.IndexFunc(a.draft.Derived, same); i >= 0 {
		a.add(d.place, "there is a derived measure %s already", quote(a.draft.Derived[i].Ref))
		return
	}
	a.draft.Derived = append(a.draft.Derived, derived)
	_, err := plan.ReadDerived(model, derived)
	if err == nil {
		return
	}
	place, message := d.place, err.Error()
	var e *cube.Error
	if errors.As(err, &e) {
		message = e.Message
		if e.Position != nil {
			place, message = d.formula.place, fmt.Sprintf("at %d: %s", e.Position.Offset, e.Message)
		}
		if e.Hint != "" {
			message += "; " + e.Hint
		}
	}
	a.add(place, "%s", message)
}

// declareSnapshots says which level tells the snapshots apart, and which name their period.
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
		rule, published := cube.Rule(""), c.Name
		if c.From != nil {
			rule = c.From.Rule
			if len(c.From.Fields) > 0 {
				published = c.From.Fields[0]
			}
		}
		label := rule == cube.RuleLabel && a.draft.LevelOfLabel(c.Name) != nil
		code := rule != cube.RuleResource && a.draft.Level(c.Name) != nil
		if c.Type == cube.TypeText && (code || label) && !a.overlay.Off("not-informed", published) {
			c.Markers = slices.Clone(a.overlay.markers)
		}
	}
}
