package load

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"strings"
	"sync/atomic"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// CodeSnapshotIncomplete is the finding of money that is stated in an earlier snapshot of a period and not in the
// last: the last alone is counted, so that money is in no answer but where an earlier one is asked for.
const CodeSnapshotIncomplete = "snapshot-incomplete"

// mostStatedKeys bounds the keys that are remembered for it, over all resources.
const mostStatedKeys = 2_000_000

// keyHash identifies a key within its period. 128 bits never meet by chance.
type keyHash [2]uint64

// lastStated remembers the last statement of each key of each period, in one resource and then in all.
type lastStated struct {
	left    *atomic.Int64 // how many keys more can be remembered; below 0 nothing is checked
	period  []maker
	by      maker
	rank    func(snapshot string) (int64, bool)
	key     []maker
	amounts []maker
	names   []string // of the amounts
	buffer  []byte
	row     []int64

	periods []string       // their cells, joined
	placeOf map[string]int // among periods
	byKey   map[keyHash]int
	stated  []statedKey
	values  []int64 // of the stated keys, each as long as amounts; as fixed gives them
}

// statedKey is the last statement of a key.
type statedKey struct {
	period int // its place among the periods
	rank   int64
}

// newLastStated watches a resource, where the draft has snapshots. What tells money apart are the levels but for
// the snapshot itself, what lies below it, and dates other than the period's: those tell statements apart.
func newLastStated(d *cube.Draft, r *cube.Resource, left *atomic.Int64) *lastStated {
	if d.Snapshots == nil {
		return nil
	}
	b := &makerBuilder{resource: r, missing: isMissing(r.Schema)}
	cell := func(name string) maker { return b.typed(*d.Column(name), b.column(*d.Column(name))) }
	l := &lastStated{left: left, rank: d.Snapshots.Rank, by: cell(d.Snapshots.By)}
	for _, per := range d.Snapshots.Per {
		l.period = append(l.period, cell(per))
	}
	for _, dimension := range d.Dimensions {
		for _, level := range dimension.Levels {
			if dimension.Type != "datetime" && !tellsStatement(d, level) {
				l.key = append(l.key, cell(level.Ref))
			}
		}
	}
	for _, measure := range d.Measures {
		column := *d.Column(measure.Ref)
		column.Type, column.Scale = cube.TypeDecimal, fixedDecimals
		l.amounts = append(l.amounts, b.typed(column, b.column(column)))
		l.names = append(l.names, measure.Ref)
	}
	l.row = make([]int64, len(l.amounts))
	return l
}

// tellsStatement tells whether the level is the snapshots' or lies below it.
func tellsStatement(d *cube.Draft, level cube.Level) bool {
	for depth := 0; depth <= len(d.Columns); depth++ {
		if level.Ref == d.Snapshots.By {
			return true
		}
		above := d.Level(level.Parent)
		if above == nil {
			return false
		}
		level = *above
	}
	return false
}

func (l *lastStated) add(row []string) {
	if l == nil {
		return
	}
	rank, ok := l.rank(l.by(row))
	if !ok || l.left.Load() < 0 {
		return // a value without a rank is a finding of its own
	}
	l.buffer = l.buffer[:0]
	for _, cell := range l.period {
		l.buffer = append(append(l.buffer, cell(row)...), 0)
	}
	period := l.periodOf(l.buffer)
	for _, cell := range l.key {
		l.buffer = append(append(l.buffer, cell(row)...), 0)
	}
	for i, cell := range l.amounts {
		l.row[i] = fixed(cell(row))
	}
	key := keyHash{maphash.Bytes(rowSeeds[0], l.buffer), maphash.Bytes(rowSeeds[1], l.buffer)}
	l.state(key, statedKey{period, rank}, l.row)
}

// periodOf numbers the periods.
func (l *lastStated) periodOf(cells []byte) int {
	place, known := l.placeOf[string(cells)]
	if !known {
		if l.placeOf == nil {
			l.placeOf = map[string]int{}
		}
		place = len(l.periods)
		l.periods = append(l.periods, string(cells))
		l.placeOf[string(cells)] = place
	}
	return place
}

// state takes up a statement of a key: a later one takes the place of an earlier, an equal one is added.
func (l *lastStated) state(key keyHash, one statedKey, values []int64) {
	place, known := l.byKey[key]
	if !known {
		if l.left.Add(-1) < 0 {
			return
		}
		if l.byKey == nil {
			l.byKey = map[keyHash]int{}
		}
		l.byKey[key] = len(l.stated)
		l.stated = append(l.stated, one)
		l.values = append(l.values, values...)
		return
	}
	own := l.values[place*len(values) : (place+1)*len(values)]
	switch {
	case one.rank > l.stated[place].rank:
		l.stated[place] = one
		copy(own, values)
	case one.rank == l.stated[place].rank:
		for i := range own {
			own[i] = plusFixed(own[i], values[i])
		}
	}
}

// plusFixed adds two amounts of fixed; what grows too large stays as large as can be.
func plusFixed(a, b int64) int64 {
	const room = math.MaxInt64 / 2
	switch {
	case a == noAmount:
		return b
	case b == noAmount:
		return a
	case max(a, b) > room || min(a, b) < -room:
		return math.MaxInt64
	}
	return a + b
}

// checkLastStated reports the keys that are stated before the last snapshot of their period and not in it.
func (s *surveyor) checkLastStated() {
	if s.draft.Snapshots == nil {
		return
	}
	if s.statedKeys.Load() < 0 {
		s.noteIncomplete(cube.SeverityInfo, 0, fmt.Sprintf("not checked: more than %d keys", mostStatedKeys))
		return
	}
	all := s.mergeLastStated()
	last := map[int]int64{}
	for _, one := range all.stated {
		if known, ok := last[one.period]; !ok || one.rank > known {
			last[one.period] = one.rank
		}
	}
	keys, sums := int64(0), make([]statedSum, len(all.names))
	for place, one := range all.stated {
		if one.rank == last[one.period] {
			continue
		}
		keys++
		for i := range sums {
			sums[i].add(all.values[place*len(sums)+i])
		}
	}
	if keys > 0 {
		s.noteIncomplete(cube.SeverityWarning, keys, fmt.Sprintf("%s stated in an earlier snapshot of the %s "+
			"and not in the last, which alone is counted: %s", keysText(keys), strings.Join(s.draft.Snapshots.Per, " and "),
			s.sumsText(all.names, sums)))
	}
}

// mergeLastStated joins what the resources that are loaded state.
func (s *surveyor) mergeLastStated() *lastStated {
	var unbounded atomic.Int64
	unbounded.Store(math.MaxInt64)
	all := &lastStated{left: &unbounded}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut != "" {
			continue
		}
		of, width := r.lastStated, len(r.lastStated.names)
		all.names = of.names
		for key, place := range of.byKey {
			one := of.stated[place]
			one.period = all.periodOf([]byte(of.periods[one.period]))
			all.state(key, one, of.values[place*width:(place+1)*width])
		}
		r.lastStated = nil
	}
	return all
}

// statedSum adds amounts of fixed exactly, as far as those are.
type statedSum struct {
	total   decimal.Decimal
	inexact bool
	cells   int
}

func (s *statedSum) add(value int64) {
	switch value {
	case noAmount:
		return
	case math.MaxInt64, -math.MaxInt64:
		s.inexact = true
		return
	}
	s.cells++
	s.total = s.total.Add(decimal.New(value, -fixedDecimals))
}

func (s *surveyor) sumsText(measures []string, sums []statedSum) string {
	var parts []string
	for i, sum := range sums {
		measure := measures[i]
		switch column := s.draft.Column(measure); {
		case sum.inexact || column.Scale > fixedDecimals:
			parts = append(parts, measure+" not added up")
		case sum.cells > 0:
			parts = append(parts, measure+" "+sum.total.StringFixed(int32(column.Scale)))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "no amounts")
}

func keysText(keys int64) string {
	if keys == 1 {
		return "1 key is"
	}
	return fmt.Sprintf("%d keys are", keys)
}

func (s *surveyor) noteIncomplete(severity cube.Severity, keys int64, message string) {
	s.repaired = append(s.repaired, cube.Finding{
		Code: CodeSnapshotIncomplete, Severity: severity, Field: s.draft.Snapshots.By, Message: message, Count: keys,
	})
}
