package cube

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/internal/tidy"

	"github.com/shopspring/decimal"
)

// Model says what the fields of a package mean: which are levels of which dimension, which are measures, and
// what each column holds. It never changes; Draft gives a copy that can.
type Model struct {
	columns    []Column
	dimensions []Dimension
	measures   []Measure
	levels     []Level // of all dimensions, in order, with path and type resolved
	snapshots  *Snapshots
	derived    []Derived
	history    *History // what snapshots lists, resolved; nil without snapshots
	levelByKey map[string]int
	levelBy    map[string]int // by key field and by label field
}

// Column is a field as it is stored: one type over all resources of the package.
type Column struct {
	Name       string     `json:"name"`
	Type       ColumnType `json:"type"`
	FiscalYear bool       `json:"fiscal_year,omitempty"` // the year a row belongs to
	Digits     int        `json:"digits,omitempty"`      // of a decimal: most digits before the point
	Scale      int        `json:"scale,omitempty"`       // of a decimal: the decimals it prints with
	Missing    int64      `json:"missing,omitempty"`     // how many of its cells are missing

	From    *Derivation `json:"from,omitempty"`         // how its cells are made; nil: they are the published cells
	Markers []string    `json:"not_informed,omitempty"` // a cell that spells one of these becomes the first of them
}

// Value reads a text as a value of the column's type, whatever it looks like, and a code as the load reads its cells. The
// error is an *Error without a position.
func (c Column) Value(s string) (Value, error) {
	if c.From != nil && (c.From.Rule == RuleKey || c.From.Rule == RuleCode) {
		s = tidy.Key(s)
	}
	if s == "" {
		return Missing, nil
	}
	if c.Type != TypeInteger {
		return Text(s), nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Missing, Errorf(CodeBadValue, "%s holds whole numbers, and %q is none", c.Name, s).
			WithHint("write digits alone, as 2016")
	}
	return Integer(n), nil
}

// ColumnType is what the cells of a column hold.
type ColumnType string

// The three types of the specification, by what they hold rather than how they are declared.
const (
	TypeText    ColumnType = "text"
	TypeInteger ColumnType = "integer" // 64-bit
	TypeDecimal ColumnType = "decimal" // exact
)

// Dimension is a named group of levels, as in the descriptor's model.
type Dimension struct {
	Name           string  `json:"name"`
	Type           string  `json:"type,omitempty"`           // datetime, classification, activity, location, fact, other
	Classification string  `json:"classification,omitempty"` // administrative, functional or economic
	Levels         []Level `json:"levels"`
	Titles         Titles  `json:"titles,omitempty"` // for people, by language
}

// The types of dimensions that are not like others.
const (
	DimensionTime = "datetime" // of years, months or days
	DimensionFact = "fact"     // its members are single budget lines: too many to list
)

// Level is one key field of a dimension with its label field.
type Level struct {
	Ref       string       `json:"ref"`                 // the key field
	LabelRef  string       `json:"label_ref,omitempty"` // the label field, "" where there is none
	Parent    string       `json:"parent,omitempty"`    // the key field of the level above
	Within    []string     `json:"within,omitempty"`    // fields that its codes need in addition to their ancestors
	Edition   string       `json:"edition,omitempty"`   // the field with the edition of its codes, if the level was numbered anew
	SameAs    []SameMember `json:"same_as,omitempty"`   // the members that are the same thing as one of an earlier edition
	Titles    Titles       `json:"titles,omitempty"`    // for people, by language
	By        Titles       `json:"by,omitempty"`        // how sentences say that amounts are divided by it, where the title does not do: po razdjelima
	Dimension string       `json:"-"`
	Type      ColumnType   `json:"-"`
	Path      []string     `json:"-"` // the fields that identify a member: ancestors, within, Edition, Ref
	Index     int          `json:"-"` // in Model.Levels
	Listed    bool         `json:"-"` // it has a member table; levels of a dimension of type fact have none
}

// PathHas tells whether all of some fields are in the path of the level.
func (l Level) PathHas(fields []string) bool {
	return !slices.ContainsFunc(fields, func(field string) bool { return !slices.Contains(l.Path, field) })
}

// Finest leaves out the levels whose path is a part of that of another one, whose member tells theirs.
func Finest(levels []Level) []Level {
	return slices.DeleteFunc(slices.Clone(levels), func(l Level) bool {
		return slices.ContainsFunc(levels, func(o Level) bool { return len(o.Path) > len(l.Path) && o.PathHas(l.Path) })
	})
}

// HasLabels tells whether the member table has labels. Without it, a label field has only the published cells.
func (l Level) HasLabels() bool { return l.Listed && l.LabelRef != "" }

// IsLike tells whether amounts of two measures can stand side by side.
func (m Measure) IsLike(other Measure) bool {
	return m.Currency == other.Currency && m.Unit == other.Unit && m.Phase == other.Phase && m.Direction == other.Direction
}

// Measure is an amount field. What only a person can know is empty until an overlay sets it.
type Measure struct {
	Ref       string `json:"ref"`
	Title     string `json:"title"`
	Currency  string `json:"currency,omitempty"`  // ISO 4217
	Unit      int64  `json:"unit,omitempty"`      // how much of the currency an amount of 1 means; 0 unknown
	Phase     string `json:"phase,omitempty"`     // proposed, approved, adjusted, executed, or a publisher's word
	Direction string `json:"direction,omitempty"` // expenditure, revenue
	Kind      string `json:"kind,omitempty"`      // another qualifier of the publisher's (value-kind)
	Titles    Titles `json:"titles,omitempty"`    // for people, by language; Title is the English one where given
	Factor    string `json:"factor,omitempty"`    // a decimal that amounts are multiplied by after aggregation
	Flow      bool   `json:"flow,omitempty"`      // its amounts add up over snapshots (Snapshots)
}

// Multiplier is the Factor as a number: 1 where there is none. It never fails for a measure of a model.
func (m Measure) Multiplier() (decimal.Decimal, error) {
	if m.Factor == "" {
		return decimal.NewFromInt(1), nil
	}
	return decimal.NewFromString(m.Factor)
}

// Func is an aggregate function.
type Func string

// The aggregate functions.
const (
	Sum   Func = "sum"   // of the amounts; null if there are none
	Count Func = "count" // how many rows have an amount
	Avg   Func = "avg"   // Sum divided by Count
	Min   Func = "min"
	Max   Func = "max"
	Rows  Func = "_count" // how many rows there are

	Ratio         Func = "ratio"           // one aggregate divided by another
	Diff          Func = "diff"            // one aggregate minus another
	Share         Func = "share"           // the value divided by that of all cells
	ShareOfParent Func = "share_of_parent" // the value divided by that of all cells of the same parent
	Real          Func = "real"            // a sum in prices of one year
	PerHead       Func = "per_head"        // a sum divided by the inhabitants
)

// Titles is a text for people by language (ISO 639-1).
type Titles map[string]string

// NewModel makes a model without snapshots, as Draft.Model does.
func NewModel(columns []Column, dimensions []Dimension, measures []Measure) (*Model, error) {
	return (&Draft{Columns: columns, Dimensions: dimensions, Measures: measures}).Model()
}

func (m *Model) resolveDimension(d Dimension) Dimension {
	d.Levels = slices.Clone(d.Levels)
	for i := range d.Levels {
		l := &d.Levels[i]
		l.Dimension = d.Name
		l.Path = nil
		l.Index = len(m.levels) + i
		l.Listed = d.Type != DimensionFact
		if c := m.columnIndex(l.Ref); c >= 0 {
			l.Type = m.columns[c].Type
		}
	}
	m.levels = append(m.levels, d.Levels...)
	return d
}

func (m *Model) index() {
	m.levelByKey, m.levelBy = map[string]int{}, map[string]int{}
	for i, l := range m.levels {
		m.levelByKey[l.Ref] = i
		m.levelBy[l.Ref] = i
		if l.LabelRef != "" {
			m.levelBy[l.LabelRef] = i
		}
	}
}

func (m *Model) check() error {
	if err := m.checkNames(); err != nil {
		return err
	}
	for i, d := range m.dimensions {
		if slices.ContainsFunc(m.dimensions[:i], func(o Dimension) bool { return o.Name == d.Name }) {
			return fmt.Errorf("dimension %q is declared twice", d.Name)
		}
	}
	for i, measure := range m.measures {
		if m.columnIndex(measure.Ref) < 0 {
			return fmt.Errorf("measure %q is no field", measure.Ref)
		}
		for _, function := range []Func{Sum, Count, Avg, Min, Max} {
			if name := measure.Ref + "." + string(function); m.columnIndex(name) >= 0 {
				return fmt.Errorf("field %q has the name of an aggregate of measure %q", name, measure.Ref)
			}
		}
		if _, err := measure.Multiplier(); err != nil {
			return fmt.Errorf("measure %q: the factor %q is no decimal number", measure.Ref, measure.Factor)
		}
		if slices.ContainsFunc(m.measures[:i], func(o Measure) bool { return o.Ref == measure.Ref }) {
			return fmt.Errorf("measure %q is declared twice", measure.Ref)
		}
		if l, ok := m.Level(measure.Ref); ok {
			return fmt.Errorf("%q is both a measure and a level of %q", measure.Ref, l.Dimension)
		}
	}
	for _, l := range m.levels {
		if err := m.checkLevel(l); err != nil {
			return fmt.Errorf("dimension %q, level %q: %w", l.Dimension, l.Ref, err)
		}
	}
	return nil
}

// IsOwnName tells whether a name is reserved for fiscube's own columns, such as _line. The columns that dumps and exports
// add to the published fields, such as _id, often have such names too.
func IsOwnName(name string) bool { return strings.HasPrefix(name, "_") }

func (m *Model) checkNames() error {
	seen := map[string]string{}
	for _, c := range m.columns {
		folded := strings.ToLower(c.Name)
		switch other, twice := seen[folded]; {
		case c.Name == "":
			return errors.New("a field has no name")
		case IsOwnName(c.Name):
			return fmt.Errorf("field %q: names beginning with _ are fiscube's own", c.Name)
		case strings.ContainsRune(c.Name, 0):
			return fmt.Errorf("field %q: a name cannot hold a NUL character", c.Name)
		case twice:
			return fmt.Errorf("fields %q and %q have one name, ignoring case", other, c.Name)
		}
		seen[folded] = c.Name
	}
	return nil
}

func (m *Model) checkLevel(l Level) error {
	for _, field := range append([]string{l.Ref, l.LabelRef, l.Parent, l.Edition}, l.Within...) {
		if field != "" && m.columnIndex(field) < 0 {
			return fmt.Errorf("%q is no field", field)
		}
	}
	if _, ok := m.levelByKey[l.Edition]; l.Edition != "" && (!ok || !m.IsEdition(l.Edition)) {
		return fmt.Errorf("%q is no level of editions", l.Edition)
	}
	if l.Ref == "" || l.Ref == l.LabelRef {
		return errors.New("it needs a key field and a label field of its own")
	}
	for _, field := range []string{l.Ref, l.LabelRef} {
		if i, ok := m.levelBy[field]; ok && i != l.Index {
			return fmt.Errorf("%q belongs to level %q of dimension %q too", field, m.levels[i].Ref, m.levels[i].Dimension)
		}
	}
	if l.Type == TypeDecimal {
		return errors.New("an amount cannot be a level")
	}
	if p, ok := m.levelByKey[l.Parent]; l.Parent != "" && (!ok || m.levels[p].Dimension != l.Dimension) {
		return fmt.Errorf("its parent %q is no level of the dimension", l.Parent)
	}
	return nil
}

// Snapshots declares which rows repeat the same money. It is nil if none do.
func (m *Model) Snapshots() *Snapshots { return m.snapshots }

// Columns lists the columns in published order.
func (m *Model) Columns() []Column { return m.columns }

// Dimensions lists the dimensions in published order.
func (m *Model) Dimensions() []Dimension { return m.dimensions }

// Measures lists the measures in published order.
func (m *Model) Measures() []Measure { return m.measures }

// Levels lists the levels of all dimensions; a level's Index is its index here.
func (m *Model) Levels() []Level { return m.levels }

// Level gives the level whose key or label field is named.
func (m *Model) Level(field string) (Level, bool) {
	i, ok := m.levelBy[field]
	if !ok {
		return Level{}, false
	}
	return m.levels[i], true
}

// LevelOfKey gives the level whose key field is named.
func (m *Model) LevelOfKey(field string) (Level, bool) {
	i, ok := m.levelByKey[field]
	if !ok {
		return Level{}, false
	}
	return m.levels[i], true
}

// PathOf gives the columns that identify a member of a level.
func (m *Model) PathOf(l Level) []Column {
	path := make([]Column, len(l.Path))
	for i, field := range l.Path {
		path[i], _ = m.Column(field)
	}
	return path
}

// Dimension gives the named dimension.
func (m *Model) Dimension(name string) (Dimension, bool) {
	i := slices.IndexFunc(m.dimensions, func(d Dimension) bool { return d.Name == name })
	if i < 0 {
		return Dimension{}, false
	}
	return m.dimensions[i], true
}

// Measure gives the measure whose field is named.
func (m *Model) Measure(field string) (Measure, bool) {
	i := slices.IndexFunc(m.measures, func(x Measure) bool { return x.Ref == field })
	if i < 0 {
		return Measure{}, false
	}
	return m.measures[i], true
}

// FirstOf names the fields, in order, of which a measure has in each row the first amount that is given; none for a measure that is
// published. Such a measure is there to be used instead of those of its fields, of which each has a part of its amounts.
func (m *Model) FirstOf(measure string) []string {
	if column, ok := m.Column(measure); ok && column.From != nil && column.From.Rule == RuleFirstOf {
		return column.From.Fields
	}
	return nil
}

// Column gives the named column.
func (m *Model) Column(field string) (Column, bool) {
	if i := m.columnIndex(field); i >= 0 {
		return m.columns[i], true
	}
	return Column{}, false
}

// fiscalYearIndex gives the index of the column that holds the year a row belongs to, or -1.
func fiscalYearIndex(columns []Column) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.FiscalYear && c.Type == TypeInteger })
}

// FiscalYear gives the column that holds the year a row belongs to.
func (m *Model) FiscalYear() (Column, bool) {
	i := fiscalYearIndex(m.columns)
	if i < 0 {
		return Column{}, false
	}
	return m.columns[i], true
}

func (m *Model) columnIndex(name string) int {
	return slices.IndexFunc(m.columns, func(c Column) bool { return c.Name == name })
}

// Leading gives the measure to use where only one is: the first of phase approved, as every year has approved amounts,
// else the first.
func (m *Model) Leading() (Measure, bool) {
	if len(m.measures) == 0 {
		return Measure{}, false
	}
	approved := slices.IndexFunc(m.measures, func(x Measure) bool { return x.Phase == "approved" })
	return m.measures[max(0, approved)], true
}

// YearLevel gives the level of the fiscal year, if the fiscal year is a level.
func (m *Model) YearLevel() (Level, bool) {
	year, ok := m.FiscalYear()
	if !ok {
		return Level{}, false
	}
	return m.LevelOfKey(year.Name)
}

func (m *Model) resolvePaths() error {
	for i := range m.levels {
		if err := m.resolvePath(i, 0); err != nil {
			return err
		}
	}
	for _, d := range m.dimensions {
		for i := range d.Levels {
			d.Levels[i] = m.levels[d.Levels[i].Index]
		}
	}
	return nil
}

// resolvePath lists the fields that identify a member of the i-th level: its parent's path, the fields it is
// within, its own.
func (m *Model) resolvePath(i, depth int) error {
	l := &m.levels[i]
	switch {
	case l.Path != nil:
		return nil
	case depth > len(m.levels):
		return fmt.Errorf("dimension %q: the parents of %q form a ring", l.Dimension, l.Ref)
	}
	var path []string
	if l.Parent != "" {
		above := m.levelByKey[l.Parent]
		if err := m.resolvePath(above, depth+1); err != nil {
			return err
		}
		path = slices.Clone(m.levels[above].Path)
	}
	for _, field := range append(slices.Clone(l.Within), l.Ref) {
		for _, key := range []string{m.editionOf(field), field} { // a code means something only in its edition
			if key != "" && !slices.Contains(path, key) {
				path = append(path, key)
			}
		}
	}
	l.Path = path
	return nil
}

// Chains lists the chains of d, each with its levels from top to bottom. A level with several children is in one chain
// for each child.
func (d Dimension) Chains() [][]Level {
	var chains [][]Level
	for _, l := range d.Levels {
		if !slices.ContainsFunc(d.Levels, func(child Level) bool { return child.Parent == l.Ref }) {
			chains = append(chains, d.ChainTo(l))
		}
	}
	return chains
}

// ChainTo gives the chain that ends in a level of d, from top to bottom.
func (d Dimension) ChainTo(leaf Level) []Level {
	chain := []Level{leaf}
	for l := leaf; l.Parent != ""; {
		i := slices.IndexFunc(d.Levels, func(p Level) bool { return p.Ref == l.Parent })
		l = d.Levels[i]
		chain = append(chain, l)
	}
	slices.Reverse(chain)
	return chain
}
