package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SnapshotChoice says which statements of the same money a question counts.
type SnapshotChoice string

// The choices of a question. Whatever is no AllSnapshots counts money once.
const (
	LastSnapshots SnapshotChoice = ""    // of each period the last one that the cuts admit
	AllSnapshots  SnapshotChoice = "all" // every one, though they state the same money
)

// ParseSnapshots reads the text of the parameter snapshots.
func ParseSnapshots(text string) (SnapshotChoice, error) {
	if text == string(AllSnapshots) {
		return AllSnapshots, nil
	}
	return LastSnapshots, Errorf(CodeBadValue, "snapshots is %q", text).at(Position{Parameter: "snapshots"}).
		or("the only choice is all; without it one statement of each period is counted")
}

// CountsAll tells whether every statement of the same money is counted (AllSnapshots).
func (p *Plan) CountsAll() bool { return p.all }

// Rank gives the place of a snapshot in Order or, where there is none, the whole number that it is: a later
// one has a higher rank. False means that the snapshot has no place.
func (s *Snapshots) Rank(snapshot string) (rank int64, ok bool) {
	if len(s.Order) > 0 {
		i := slices.Index(s.Order, snapshot)
		return int64(i), i >= 0
	}
	n, err := strconv.ParseInt(snapshot, 10, 64)
	return n, err == nil
}

// statements are the Snapshots of a model in the form that Bind works on, made once.
type statements struct {
	columns []Column // that name the period, then the one that names the snapshot
	periods []period // in order of their keys
	order   []Value  // declared for the values of the column that names the snapshot, or nil
}

// period is money that is stated again and again.
type period struct {
	key       []Value // one for each column of the period
	snapshots []snapshot
}

// snapshot is one statement of a period. The snapshots of a period stand in order, the earliest first.
type snapshot struct {
	value Value
	rank  int64
}

func (p period) last() snapshot { return p.snapshots[len(p.snapshots)-1] }

func (s *statements) by() Column { return s.columns[len(s.columns)-1] }

// StatedOrder gives the values of a field in the order declared for the statements that it tells apart. It is nil for
// other fields, and where none is declared.
func (m *Model) StatedOrder(field string) []Value {
	if m.statements == nil || m.statements.by().Name != field {
		return nil
	}
	return m.statements.order
}

// resolveStatements types the statements that a survey listed and puts them in order.
func (m *Model) resolveStatements() error {
	s := &statements{}
	for _, field := range append(slices.Clone(m.snapshots.Per), m.snapshots.By) {
		column, _ := m.Column(field)
		s.columns = append(s.columns, column)
	}
	for _, cell := range m.snapshots.Order {
		if v, err := typed(s.by(), cell, Position{}); err == nil { // of what is no value of the field there are no rows
			s.order = append(s.order, v)
		}
	}
	places := map[string]int{}
	for _, one := range m.snapshots.Statements {
		if err := s.add(m.snapshots, one, places); err != nil {
			return fmt.Errorf("snapshots: %w", err)
		}
	}
	slices.SortFunc(s.periods, func(a, b period) int { return slices.CompareFunc(a.key, b.key, Value.Compare) })
	for _, p := range s.periods {
		slices.SortFunc(p.snapshots, func(a, b snapshot) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), a.value.Compare(b.value))
		})
	}
	m.statements = s
	return nil
}

func (s *statements) add(declared *Snapshots, one Statement, places map[string]int) error {
	cells := append(slices.Clone(one.Period), one.Snapshot)
	if len(cells) != len(s.columns) {
		return fmt.Errorf("a statement names its period by %d values, not %d", len(one.Period), len(s.columns)-1)
	}
	values := make([]Value, len(cells))
	for i, cell := range cells {
		var err error
		if values[i], err = typed(s.columns[i], cell, Position{}); err != nil {
			return err
		}
	}
	key, last := values[:len(values)-1], values[len(values)-1]
	id := strings.Join(one.Period, "\x00")
	place, known := places[id]
	if !known {
		place = len(s.periods)
		places[id] = place
		s.periods = append(s.periods, period{key: key})
	}
	rank, _ := declared.Rank(one.Snapshot) // one without a place comes first; a survey lets none pass
	s.periods[place].snapshots = append(s.periods[place].snapshots, snapshot{last, rank})
	return nil
}

// admitted gives the periods with the snapshots that the filters admit, leaving out periods of which they
// admit none. A filter that asks for other columns too counts as admitting what it might.
func (s *statements) admitted(filters []Filter) []period {
	var asking []Filter
	for _, f := range filters {
		if slices.ContainsFunc(s.columns, func(c Column) bool { return f.names(c.Name) }) {
			asking = append(asking, f)
		}
	}
	if len(asking) == 0 {
		return s.periods
	}
	var periods []period
	for _, p := range s.periods {
		left := period{key: p.key}
		for _, one := range p.snapshots {
			if s.admits(asking, append(slices.Clone(p.key), one.value)) {
				left.snapshots = append(left.snapshots, one)
			}
		}
		if len(left.snapshots) > 0 {
			periods = append(periods, left)
		}
	}
	return periods
}

func (s *statements) admits(filters []Filter, values []Value) bool {
	return !slices.ContainsFunc(filters, func(f Filter) bool {
		return f.verdict(func(field string) (Value, bool) {
			i := slices.IndexFunc(s.columns, func(c Column) bool { return c.Name == field })
			if i < 0 {
				return Missing, false
			}
			return values[i], true
		}) == no
	})
}

// repeated tells whether some period is stated more than once.
func repeated(periods []period) bool {
	return slices.ContainsFunc(periods, func(p period) bool { return len(p.snapshots) > 1 })
}

// lastOf makes the filter that admits the last snapshot of each period. Where that is one and the same, naming
// it says all: the cuts shut out every other period.
func (s *statements) lastOf(periods []period) Filter {
	last := periods[0].last().value
	if !slices.ContainsFunc(periods, func(p period) bool { return p.last().value != last }) {
		f := Filter{Default: true, Ref: s.by().Name}
		f.addExact(s.by(), []Value{last})
		f.text = f.canonical()
		return f
	}
	return s.lastOfEach(periods)
}

// lastOfEach makes the filter that admits the last snapshot of each period, and no other period.
func (s *statements) lastOfEach(periods []period) Filter {
	f := Filter{Default: true}
	f.Ref = strings.Join(texts(s.columns, func(c Column) string { return c.Name }), "/")
	f.Any = s.alternatives(periods)
	for _, p := range periods {
		f.Echo = append(f.Echo, EchoItem{Op: OpEqual, Path: true, Values: append(slices.Clone(p.key), p.last().value)})
	}
	f.text = strings.Join(texts(s.columns, func(c Column) string { return quoteName(c.Name) }), "/") + ":" +
		strings.Join(texts(f.Echo, func(e EchoItem) string { return pathText(e.Values) }), ";")
	return f
}

// alternatives makes the tests of the last snapshots. Periods that differ in their last column alone and have
// the same last snapshot share one.
func (s *statements) alternatives(periods []period) [][]Test {
	var all [][]Test
	places := map[string]int{}
	end := len(s.columns) - 2 // of the columns that name the period
	for _, p := range periods {
		id := pathText(append(slices.Clone(p.key[:end]), p.last().value))
		place, known := places[id]
		if !known {
			place = len(all)
			places[id] = place
			var tests []Test
			for i, v := range p.key[:end] {
				tests = append(tests, Test{Column: s.columns[i], In: []Value{v}})
			}
			all = append(all, append(tests, Test{Column: s.columns[end]}, Test{Column: s.by(), In: []Value{p.last().value}}))
		}
		all[place][end].In = append(all[place][end].In, p.key[end])
	}
	return all
}

// compareRanks puts snapshots of whichever periods in order.
func compareRanks(a, b snapshot) int { return cmp.Compare(a.rank, b.rank) }
