package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Rank gives the index of a snapshot in Order or, without an Order, the whole number or the date that it is. A later snapshot has a
// higher rank. False means that the snapshot has no rank.
func (s *Snapshots) Rank(snapshot string) (rank int64, ok bool) {
	if len(s.Order) > 0 {
		i := slices.Index(s.Order, snapshot)
		return int64(i), i >= 0
	}
	if n, err := strconv.ParseInt(snapshot, 10, 64); err == nil {
		return n, true
	}
	day, ok := DateOf(snapshot)
	return day.Unix(), ok
}

// dateForms are how dates are stored: in the form of ISO 8601.
var dateForms = []string{time.DateOnly, "2006-01", "2006-01-02T15:04:05", time.RFC3339}

// DateOf reads a date or month, with or without a time. False means that the cell is none.
func DateOf(cell string) (time.Time, bool) {
	for _, form := range dateForms {
		if day, err := time.Parse(form, cell); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// wholeYear are the beginnings of words in the names of reports that are of a whole year: of December, and of the account of a year.
var wholeYear = []string{"decem", "dicie", "décem", "dezem", "prosin", "annual", "anual", "annuel", "godišnj", "cuenta", "final"}

// IsOfPart tells whether a report is probably of a part of its year, by its name, its date or its number.
func (c *Cube) IsOfPart(report Snapshot) bool {
	name := strings.ToLower(report.Value.String())
	if day, ok := DateOf(name); ok {
		return day.Month() < time.December && report.Stage < 12
	}
	if number, err := strconv.ParseInt(name, 10, 64); err == nil {
		level, ok := c.Model.LevelOfKey(c.Model.Snapshots().By)
		return ok && c.Coverage != nil && number < c.PeriodsOfYear(level)
	}
	return !slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return slices.ContainsFunc(wholeYear, func(begins string) bool { return strings.HasPrefix(word, begins) })
	})
}

// History lists the snapshots of a model by period, with typed values and in order.
type History struct {
	Columns []Column // the columns that name the period, then the one that names the snapshot
	Periods []Period // in order of their keys
	Order   []Value  // the declared order of the values that name a snapshot, or nil
}

// Period has one or more snapshots of the same money.
type Period struct {
	Key       []Value    // one value for each column that names the period
	Snapshots []Snapshot // the earliest first
}

// Snapshot is one of several figures for the money of a period. A later snapshot has a higher rank.
type Snapshot struct {
	Value Value
	Rank  int64
	Stage int64 // how far into its period it goes, to be compared with those of other periods: its rank or, of a date, the month of the year
}

// Last is the latest snapshot, which counts unless a cut excludes it.
func (p Period) Last() Snapshot { return p.Snapshots[len(p.Snapshots)-1] }

// By is the column that names the snapshot.
func (h *History) By() Column { return h.Columns[len(h.Columns)-1] }

// History lists the snapshots by period. It is nil if the model has none.
func (m *Model) History() *History { return m.history }

// IsSnapshot tells whether a field names the snapshots.
func (m *Model) IsSnapshot(field string) bool {
	return m.history != nil && m.history.By().Name == field
}

// SnapshotOrder gives the declared order of the snapshots that a field names. It is nil if no order is declared, and for
// fields that name no snapshots.
func (m *Model) SnapshotOrder(field string) []Value {
	if !m.IsSnapshot(field) {
		return nil
	}
	return m.history.Order
}

// resolveHistory types and sorts the snapshots that a survey listed.
func (m *Model) resolveHistory() error {
	h := &History{}
	for _, field := range append(slices.Clone(m.snapshots.Per), m.snapshots.By) {
		column, _ := m.Column(field)
		h.Columns = append(h.Columns, column)
	}
	for _, cell := range m.snapshots.Order {
		if v, err := h.By().Value(cell); err == nil { // no row has a cell that is no value of the field
			h.Order = append(h.Order, v)
		}
	}
	indexes := map[string]int{}
	for _, s := range m.snapshots.Statements {
		if err := h.add(m.snapshots, s, indexes); err != nil {
			return fmt.Errorf("snapshots: %w", err)
		}
	}
	slices.SortFunc(h.Periods, func(a, b Period) int { return slices.CompareFunc(a.Key, b.Key, Value.Compare) })
	for _, p := range h.Periods {
		slices.SortFunc(p.Snapshots, func(a, b Snapshot) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), a.Value.Compare(b.Value))
		})
	}
	m.history = h
	return nil
}

// add adds a snapshot to its period; indexes has the index in Periods of each period by its keys.
func (h *History) add(declared *Snapshots, s PeriodSnapshot, indexes map[string]int) error {
	cells := append(slices.Clone(s.Period), s.Snapshot)
	if len(cells) != len(h.Columns) {
		return fmt.Errorf("a statement names its period by %d values, not %d", len(s.Period), len(h.Columns)-1)
	}
	values := make([]Value, len(cells))
	for i, cell := range cells {
		var err error
		if values[i], err = h.Columns[i].Value(cell); err != nil {
			return err
		}
	}
	id := strings.Join(s.Period, "\x00")
	index, known := indexes[id]
	if !known {
		index = len(h.Periods)
		indexes[id] = index
		h.Periods = append(h.Periods, Period{Key: values[:len(values)-1]})
	}
	rank, _ := declared.Rank(s.Snapshot) // a survey refuses snapshots without a rank
	made := Snapshot{values[len(values)-1], rank, rank}
	if day, ok := DateOf(s.Snapshot); ok && len(declared.Order) == 0 {
		made.Stage = h.stage(day, values)
	}
	h.Periods[index].Snapshots = append(h.Periods[index].Snapshots, made)
	return nil
}

// stage counts the months of a date from the beginning of the year whose number the period has: of a fiscal year that begins in October
// before, these are below 1. Without such a year it is the month.
func (h *History) stage(day time.Time, values []Value) int64 {
	years := int64(0)
	for i, c := range h.Columns {
		if n, ok := values[i].Int(); ok && c.FiscalYear {
			years = int64(day.Year()) - n
		}
	}
	return 12*years + int64(day.Month())
}
