package cube

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Draft is a model that can still change: the descriptor gives the first draft, an overlay and the repairs change it,
// and Model makes the immutable model.
type Draft struct {
	Columns    []Column    `json:"columns"`
	Dimensions []Dimension `json:"dimensions"`
	Measures   []Measure   `json:"measures"`
	Derived    []Derived   `json:"derived,omitempty"`
	Snapshots  *Snapshots  `json:"snapshots,omitempty"`
}

// Derivation says how the cells of a column come from published ones.
type Derivation struct {
	Rule    Rule     `json:"rule"`
	Fields  []string `json:"fields,omitempty"`  // the published fields it reads
	Length  int      `json:"length,omitempty"`  // RulePrefix: the length of the codes that it applies to
	Digits  int      `json:"digits,omitempty"`  // RulePrefix: how many characters of a code are taken
	Suffix  string   `json:"suffix,omitempty"`  // RulePrefix: what is appended to them
	Between string   `json:"between,omitempty"` // RulePrefix: the sign between the parts of a code, in place of a length
	Parts   int      `json:"parts,omitempty"`   // RulePrefix: how many of them are taken, all where there are fewer
	Pattern string   `json:"pattern,omitempty"` // RuleResource: a regular expression with one group
	Values  []string `json:"values,omitempty"`  // RuleWhere: the cells that Fields behind the first have, by turns; more turns where words mean the same
	Years   []int64  `json:"years,omitempty"`   // RuleEdition: the first years of the editions, ascending
}

// CellsOf gives the cells that a field behind the first may have, counted from 0, in rows whose amounts are those of the column (RuleWhere).
func (d *Derivation) CellsOf(i int) (cells []string) {
	for ; i < len(d.Values); i += len(d.Fields) - 1 {
		if cell := d.Values[i]; !slices.Contains(cells, cell) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// Beginning gives what a RulePrefix takes of a code, "" where it takes nothing.
func (d *Derivation) Beginning(code string) string {
	switch {
	case d.Between != "":
		parts := strings.Split(code, d.Between)
		return strings.Join(parts[:min(d.Parts, len(parts))], d.Between)
	case len(code) == d.Length && d.Digits <= len(code):
		return code[:d.Digits] + d.Suffix
	}
	return ""
}

// Rule names a way to make a cell.
type Rule string

// The rules of a Derivation.
const (
	RuleCell     Rule = "cell"     // the cell of Fields[0], under another name
	RuleKey      Rule = "key"      // the cell of Fields[0] without outer spaces, no-break spaces and separate accents
	RuleCode     Rule = "code"     // the code of a cell that joins code and label, else the cell
	RuleLabel    Rule = "label"    // the label of such a cell, else the cell
	RulePrefix   Rule = "prefix"   // the cell of Fields[0]; where missing, the first digits or parts of the code in the last of Fields
	RuleFirstOf  Rule = "first_of" // the first cell of Fields that is not missing
	RuleWhere    Rule = "where"    // the amount of Fields[0] where the cells of the other Fields are Values
	RuleResource Rule = "resource" // what the group of Pattern matches in the name of the resource
	RuleEdition  Rule = "edition"  // the last of Years that is not after the fiscal year in Fields[0]; missing where there is none
)

// Snapshots declares that rows repeat the same money. Each value of By is a snapshot of all the money of a period, as
// the year-to-date figures of a month are. Exactly one snapshot of each period is counted, so that no money is added
// twice.
type Snapshots struct {
	By    string   `json:"by"`              // the level whose values are the snapshots
	Per   []string `json:"per"`             // the levels whose values name a period
	Order []string `json:"order,omitempty"` // the values of By, earliest first; absent where they are whole numbers

	// Statements lists the snapshots of the package, as a survey found them.
	Statements []PeriodSnapshot `json:"statements,omitempty"`
}

// PeriodSnapshot is one snapshot of one period.
type PeriodSnapshot struct {
	Period   []string `json:"period"` // one value for each of Per; "" is missing
	Snapshot string   `json:"snapshot"`
	Rows     int64    `json:"rows"`
}

// clone makes a copy, so that a draft does not change its model.
func (s *Snapshots) clone() *Snapshots {
	if s == nil {
		return nil
	}
	copied := *s
	return &copied
}

// Draft gives a copy of the model that can be changed.
func (m *Model) Draft() *Draft {
	d := &Draft{Columns: slices.Clone(m.columns), Measures: slices.Clone(m.measures),
		Derived: slices.Clone(m.derived), Snapshots: m.snapshots.clone()}
	for _, dimension := range m.dimensions {
		dimension.Levels = slices.Clone(dimension.Levels)
		d.Dimensions = append(d.Dimensions, dimension)
	}
	return d
}

// Column gives the named column, or nil.
func (d *Draft) Column(name string) *Column {
	i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Columns[i]
}

// FiscalYearIndex gives the index of the column that holds the year a row belongs to, or -1.
func (d *Draft) FiscalYearIndex() int { return fiscalYearIndex(d.Columns) }

// Dimension gives the named dimension, or nil.
func (d *Draft) Dimension(name string) *Dimension {
	i := slices.IndexFunc(d.Dimensions, func(x Dimension) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Dimensions[i]
}

// Level gives the level with the key field, or nil.
func (d *Draft) Level(ref string) *Level {
	for i := range d.Dimensions {
		for j := range d.Dimensions[i].Levels {
			if l := &d.Dimensions[i].Levels[j]; l.Ref == ref {
				return l
			}
		}
	}
	return nil
}

// IsKey tells whether the field is a level, or a field that the codes of a level are within.
func (d *Draft) IsKey(field string) bool {
	return d.Level(field) != nil || slices.ContainsFunc(d.Dimensions, func(x Dimension) bool {
		return slices.ContainsFunc(x.Levels, func(l Level) bool { return slices.Contains(l.Within, field) })
	})
}

// LevelOfLabel gives the level whose label field is named, or nil.
func (d *Draft) LevelOfLabel(field string) *Level {
	for i := range d.Dimensions {
		for j := range d.Dimensions[i].Levels {
			if l := &d.Dimensions[i].Levels[j]; l.LabelRef == field {
				return l
			}
		}
	}
	return nil
}

// Measure gives the measure of the field, or nil.
func (d *Draft) Measure(field string) *Measure {
	i := slices.IndexFunc(d.Measures, func(x Measure) bool { return x.Ref == field })
	if i < 0 {
		return nil
	}
	return &d.Measures[i]
}

// RemoveLevel removes the level with the key field, and its dimension if no level is left in it. The children of the
// level become children of its parent.
func (d *Draft) RemoveLevel(ref string) {
	for i := range d.Dimensions {
		levels := d.Dimensions[i].Levels
		at := slices.IndexFunc(levels, func(l Level) bool { return l.Ref == ref })
		if at < 0 {
			continue
		}
		above := levels[at].Parent
		d.Dimensions[i].Levels = slices.Delete(levels, at, at+1)
		for j := range d.Dimensions[i].Levels {
			if child := &d.Dimensions[i].Levels[j]; child.Parent == ref {
				child.Parent = above
			}
		}
	}
	d.Dimensions = slices.DeleteFunc(d.Dimensions, func(x Dimension) bool { return len(x.Levels) == 0 })
}

// Model checks that names are unique ignoring case, that every level, label, parent, measure and snapshot is a
// column, and that parents form chains, and resolves the path of each level.
func (d *Draft) Model() (*Model, error) {
	m := &Model{columns: slices.Clone(d.Columns), measures: slices.Clone(d.Measures), snapshots: d.Snapshots.clone()}
	for _, measure := range d.Measures {
		if i := m.columnIndex(measure.Ref); i >= 0 {
			m.columns[i].Type = TypeDecimal
		}
	}
	for _, dimension := range d.Dimensions {
		m.dimensions = append(m.dimensions, m.resolveDimension(dimension))
	}
	m.index()
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := m.checkSnapshots(); err != nil {
		return nil, err
	}
	if err := m.checkDerived(d.Derived); err != nil {
		return nil, err
	}
	return m, m.resolvePaths()
}

func (m *Model) checkSnapshots() error {
	if m.snapshots == nil {
		return nil
	}
	for _, ref := range append([]string{m.snapshots.By}, m.snapshots.Per...) {
		if _, ok := m.levelByKey[ref]; !ok {
			return fmt.Errorf("snapshots: %q is no level", ref)
		}
	}
	return m.resolveHistory()
}

// MarshalJSON writes the draft that makes the model again.
func (m *Model) MarshalJSON() ([]byte, error) { return json.Marshal(m.Draft()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Model) UnmarshalJSON(data []byte) error {
	var d Draft
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	made, err := d.Model()
	if err != nil {
		return err
	}
	*m = *made
	return nil
}

// Derived is a measure that is a formula of aggregates, under a name of its own.
type Derived struct {
	Ref     string `json:"ref"`
	Formula string `json:"formula"` // in the grammar of aggregates; it cannot name a derived measure
	Title   string `json:"title,omitempty"`
	Titles  Titles `json:"titles,omitempty"` // for people, by language; Title is the English one where given
}

// Derived lists the derived measures in declared order.
func (m *Model) Derived() []Derived { return m.derived }

// DerivedMeasure gives the derived measure of that name.
func (m *Model) DerivedMeasure(name string) (Derived, bool) {
	i := slices.IndexFunc(m.derived, func(d Derived) bool { return d.Ref == name })
	if i < 0 {
		return Derived{}, false
	}
	return m.derived[i], true
}

// checkDerived checks the names. plan.ReadDerived has checked the formulas.
func (m *Model) checkDerived(list []Derived) error {
	for i, d := range list {
		if slices.ContainsFunc(list[:i], func(other Derived) bool { return strings.EqualFold(other.Ref, d.Ref) }) {
			return fmt.Errorf("derived measure %q is declared twice", d.Ref)
		}
		if err := m.CheckDerivedName(d.Ref); err != nil {
			return fmt.Errorf("derived measure %q: %w", d.Ref, err)
		}
	}
	m.derived = slices.Clone(list)
	return nil
}

// CheckDerivedName refuses the name of a field, and names that begin with _, which are fiscube's own.
func (m *Model) CheckDerivedName(name string) error {
	if name == "" || name[0] == '_' {
		return Errorf(CodeBadValue, "%q begins with _: such names are fiscube's own", name)
	}
	i := slices.IndexFunc(m.columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	if i >= 0 {
		return Errorf(CodeConflict, "there is a field %q already", m.columns[i].Name)
	}
	return nil
}
