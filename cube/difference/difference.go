// Package difference says what changed from one version of a cube to another: its measures and levels, its totals by year, its members and its rows.
//
// A row is what the levels say that both versions have. Lines that say the same are one row, which counts them. A row that only the earlier version has
// went, one that only the later has came, and one with other amounts or another number of lines changed. Statements of the same money count as everywhere:
// the last of each period, so the level that tells them apart is none of a row. What rows leave out, earlier statements and columns that are no level, is
// counted apart (Lines).
//
// Only like amounts are subtracted: those of a measure that both versions have, with no other currency, unit, phase, direction or kind. A measure that one
// version lacks is a change of the measure, and no row changes by it.
package difference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Difference is what changed from a version to another one.
type Difference struct {
	Before, After *cube.Cube
	Measures      []Part    // that came, went or changed
	Levels        []Part    // likewise
	Amounts       []Amount  // of Groups; those that are compared first, of which the leading one is the first
	Compared      int       // how many of Amounts are compared
	Time          string    // the level that Totals are by; "" where they are of all rows
	Totals        []Group   // by time
	AddsUp        bool      // the differences of the rows add up to those of the totals
	Members       []Listing // of the levels with members that came, went or have another label, which is Changed
	Rows          Listing
	Lines         *Listing // without a list: by all columns that both versions have alike, of all statements; nil where Rows say it all, or the files are the same
}

// Kind says what became of something.
type Kind string

// The kinds.
const (
	Came    Kind = "came"
	Went    Kind = "went"
	Changed Kind = "changed"
	Same    Kind = "same"
)

// Part is what is said of a measure or a level in both versions, or that one version alone has it.
type Part struct {
	Ref    string `json:"ref"`
	Kind   Kind   `json:"change"`
	What   string `json:"what,omitempty"` // currency, parent; "" of one that came or went
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Amount is a measure of one version or both.
type Amount struct {
	cube.Measure       // of the later version that has it
	Scale        int32 // the decimals it prints with
	in           [2]bool
}

// Pair is an amount before and after.
type Pair [2]decimal.NullDecimal

// Difference subtracts, where there is an amount. One that a version does not have adds nothing.
func (p Pair) Difference() decimal.NullDecimal {
	return decimal.NullDecimal{Decimal: p[1].Decimal.Sub(p[0].Decimal), Valid: p[0].Valid || p[1].Valid}
}

// Group is what the lines with the same keys say in both versions.
type Group struct {
	Kind    Kind
	Keys    []cube.Value    // of some Fields
	Labels  [][2]cube.Value // of their members
	Lines   [2]int64
	Amounts []Pair // those of Difference.Amounts
}

// Label gives the label of a field in the later version that has one.
func (g Group) Label(field int) cube.Value {
	if label := g.Labels[field]; label[1].IsMissing() {
		return label[0]
	}
	return g.Labels[field][1]
}

// Field is a column that tells groups apart, with the label of its members where they have one.
type Field struct {
	cube.Column
	LabelRef string
}

// Listing counts groups, and has those first that differ most in the first amount.
type Listing struct {
	Fields []Field
	Count  map[Kind]int64
	Lines  [2]int64 // of all groups
	List   []Group  // a page of those that are not the same
}

// Differ counts the groups that are not in both versions as they are.
func (l Listing) Differ() int64 { return l.Count[Came] + l.Count[Went] + l.Count[Changed] }

// IsNothing tells whether nothing that was compared changed. Files with other fingerprints differ nevertheless.
func (d *Difference) IsNothing() bool {
	return len(d.Measures)+len(d.Levels)+len(d.Members) == 0 && d.Rows.Differ() == 0 && !d.IsBeyondRows()
}

// IsBeyondRows tells whether more lines differ than the rows that do.
func (d *Difference) IsBeyondRows() bool {
	return d.Lines != nil && d.Lines.Differ() != d.Rows.Differ()
}

// AreSame tells whether the two versions were loaded from the same files.
func (d *Difference) AreSame() bool { return d.Before.Fingerprint == d.After.Fingerprint }

// TotalFields are the fields of Totals: the level of time, or none.
func (d *Difference) TotalFields() []Field {
	i := d.timeField()
	return d.Rows.Fields[max(i, 0) : i+1]
}

// timeField is the index of the level of time in the fields of rows, or -1.
func (d *Difference) timeField() int {
	return slices.IndexFunc(d.Rows.Fields, func(f Field) bool { return f.Name == d.Time })
}

// Largest gives the total that differs most in the first amount.
func (d *Difference) Largest() (largest Group, ok bool) {
	if d.Compared == 0 || len(d.Totals) == 0 {
		return Group{}, false
	}
	largest = slices.MaxFunc(d.Totals, func(a, b Group) int { return d.size(a).Cmp(d.size(b)) })
	return largest, d.size(largest).IsPositive()
}

// size is by how much a group differs in the first amount that is compared, or else in lines.
func (d *Difference) size(g Group) decimal.Decimal {
	if d.Compared == 0 {
		return decimal.NewFromInt(g.Lines[1] - g.Lines[0]).Abs()
	}
	return g.Amounts[0].Difference().Decimal.Abs()
}

// ofModels says how two versions differ before any row is read.
func ofModels(before, after *cube.Cube) *Difference {
	a, b := before.Model, after.Model
	d := &Difference{Before: before, After: after, Measures: parts(a.Measures(), b.Measures(), aboutMeasure), Levels: parts(a.Levels(), b.Levels(), aboutLevel)}
	var alone []Amount
	leading, _ := b.Leading()
	for _, m := range b.Measures() {
		old, isOld := a.Measure(m.Ref)
		amount := Amount{m, max(scaleOf(b, m), scaleOf(a, old)), [2]bool{isOld, true}}
		switch {
		case !isOld || !areLike(old, m):
			alone = append(alone, amount)
		case m.Ref == leading.Ref:
			d.Amounts = slices.Insert(d.Amounts, 0, amount)
		default:
			d.Amounts = append(d.Amounts, amount)
		}
	}
	for _, m := range a.Measures() {
		if _, stays := b.Measure(m.Ref); !stays {
			alone = append(alone, Amount{m, scaleOf(a, m), [2]bool{true, false}})
		}
	}
	d.Compared, d.Amounts = len(d.Amounts), append(d.Amounts, alone...)
	year, _ := a.FiscalYear()
	for _, l := range b.Levels() {
		path := []string{l.Ref}
		if old, _ := a.LevelOfKey(l.Ref); slices.Equal(old.Path, l.Path) {
			path = l.Path // it may have the edition of codes
		}
		for _, ref := range path {
			d.addField(ref)
		}
		dimension, _ := b.Dimension(l.Dimension)
		if was := d.Time; l.Ref == year.Name || was == "" && dimension.Type == cube.DimensionTime && l.Parent == "" {
			if d.Time = l.Ref; d.timeField() < 0 {
				d.Time = was
			}
		}
	}
	return d
}

// addField adds a column that tells rows apart, if both versions have it alike.
func (d *Difference) addField(ref string) {
	a, b := d.Before.Model, d.After.Model
	old, isOld := a.Column(ref)
	f := Field{}
	if f.Column, _ = b.Column(ref); !isOld || old.Type != f.Type || a.IsSnapshot(ref) || b.IsSnapshot(ref) ||
		slices.ContainsFunc(d.Rows.Fields, func(o Field) bool { return o.Name == ref }) {
		return
	}
	if level, ok := b.LevelOfKey(ref); ok && level.HasLabels() {
		f.LabelRef = level.LabelRef
	}
	d.Rows.Fields = append(d.Rows.Fields, f)
}

func scaleOf(m *cube.Model, measure cube.Measure) int32 {
	column, ok := m.Column(measure.Ref)
	factor, err := measure.Multiplier()
	if !ok || err != nil {
		return 0
	}
	return int32(column.Scale) + max(0, -factor.Exponent())
}

// areLike tells whether amounts may be subtracted: no qualifier is known to be another.
func areLike(a, b cube.Measure) bool {
	for _, q := range [][2]string{{a.Currency, b.Currency}, {a.Phase, b.Phase}, {a.Direction, b.Direction}, {a.Kind, b.Kind}} {
		if q[0] != "" && q[1] != "" && q[0] != q[1] {
			return false
		}
	}
	return a.Unit == b.Unit || a.Unit == 0 || b.Unit == 0
}

// sayings are what is said of a part, by name; the first is what it is called.
type sayings [][2]string

func aboutMeasure(m cube.Measure) sayings {
	unit := ""
	if m.Unit != 0 {
		unit = strconv.FormatInt(m.Unit, 10)
	}
	return sayings{{"ref", m.Ref}, {"title", m.Title}, {"currency", m.Currency}, {"unit", unit}, {"phase", m.Phase}, {"direction", m.Direction}, {"kind", m.Kind},
		{"factor", m.Factor}}
}

func aboutLevel(l cube.Level) sayings {
	return sayings{{"ref", l.Ref}, {"label", l.LabelRef}, {"parent", l.Parent}, {"within", strings.Join(l.Within, ", ")}, {"dimension", l.Dimension},
		{"type", string(l.Type)}}
}

// parts lists what is not alike: of the parts of the later version in their order, then of those that went.
func parts[T any](before, after []T, about func(T) sayings) (list []Part) {
	find := func(in []T, ref string) sayings {
		if i := slices.IndexFunc(in, func(part T) bool { return about(part)[0][1] == ref }); i >= 0 {
			return about(in[i])
		}
		return nil
	}
	for _, part := range after {
		now := about(part)
		ref := now[0][1]
		then := find(before, ref)
		if then == nil {
			list = append(list, Part{Ref: ref, Kind: Came})
		}
		for i := range then {
			if then[i] != now[i] {
				list = append(list, Part{ref, Changed, now[i][0], then[i][1], now[i][1]})
			}
		}
	}
	for _, part := range before {
		if ref := about(part)[0][1]; find(after, ref) == nil {
			list = append(list, Part{Ref: ref, Kind: Went})
		}
	}
	return list
}
