package load

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync/atomic"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/load/numeric"
)

// mostKeys is how many keys are remembered of all resources.
const mostKeys = 2_000_000

// snapshots reads the declared snapshots of one resource: the rows of each, and in which snapshot each key of its
// period is found last.
//
// A key is the cells of the levels that identify an amount: all but the snapshot itself, the levels below it, and dates,
// which distinguish snapshots.
type snapshots struct {
	published []maker // of the period's columns, then of the snapshot's; numbers as published, as a repair may make text of them
	period    []maker
	by        maker
	key       []maker
	amounts   []maker
	measures  []string // of the amounts
	rank      func(snapshot string) (int64, bool)

	byCells map[string]*snapshot // by the published cells
	last    lastAmounts
	buffer  []byte
	row     []int64
}

// snapshot is one of a period, in one resource.
type snapshot struct {
	cube.PeriodSnapshot
	period uint64 // a hash
	rank   int64
	ranked bool    // one without a rank is a finding of its own
	sums   []int64 // of the amounts of its rows, as numeric.PlusFixed gives them
}

// newSnapshots watches the columns that the draft's snapshots name; it is nil where the draft has none.
func newSnapshots(d *cube.Draft, r *cube.Resource, left *atomic.Int64, off func(code, field string) bool) *snapshots {
	if d.Snapshots == nil {
		return nil
	}
	s := &snapshots{rank: d.Snapshots.Rank, byCells: map[string]*snapshot{}}
	b := &makerBuilder{resource: r, missing: isMissing(r.Schema)}
	typed := func(name string) maker { return b.typed(*d.Column(name), b.column(*d.Column(name))) }
	key := func(name string, cell maker) maker {
		if off(repair.CodePadded, name) {
			return cell
		}
		return tidied(cell)
	}
	for _, name := range append(slices.Clone(d.Snapshots.Per), d.Snapshots.By) {
		cell := key(name, typed(name))
		s.period, s.by = append(s.period, cell), cell
		if c := d.Column(name); c.Type == cube.TypeInteger {
			cell = b.column(*c)
		}
		s.published = append(s.published, cell)
	}
	s.period = s.period[:len(d.Snapshots.Per)]
	for _, dimension := range d.Dimensions {
		for _, level := range dimension.Levels {
			if dimension.Type != cube.DimensionTime && !isOrBelow(d, level, d.Snapshots.By) {
				s.key = append(s.key, key(level.Ref, typed(level.Ref)))
			}
		}
	}
	for _, measure := range d.Measures {
		column := *d.Column(measure.Ref)
		column.Type = cube.TypeDecimal
		s.amounts = append(s.amounts, b.typed(column, b.column(column)))
		s.measures = append(s.measures, measure.Ref)
	}
	s.row = make([]int64, len(s.amounts))
	s.last = lastAmounts{left: left, byKey: map[[2]uint64]keyAmounts{}}
	return s
}

// isOrBelow says whether a level is the one of that name or lies below it.
func isOrBelow(d *cube.Draft, level cube.Level, name string) bool {
	for depth := 0; depth <= len(d.Columns); depth++ {
		if level.Ref == name {
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

func (s *snapshots) add(row []string) {
	if s == nil {
		return
	}
	s.buffer = appendCells(s.buffer[:0], s.published, row)
	snap, ok := s.byCells[string(s.buffer)]
	if !ok {
		cells := strings.Split(strings.TrimSuffix(string(s.buffer), "\x00"), "\x00")
		last := len(cells) - 1
		snap = &snapshot{PeriodSnapshot: cube.PeriodSnapshot{Period: cells[:last], Snapshot: cells[last]}}
		snap.period = maphash.Bytes(rowSeeds[0], appendCells(nil, s.period, row))
		snap.rank, snap.ranked = s.rank(s.by(row))
		snap.sums = slices.Repeat([]int64{numeric.None}, len(s.amounts))
		s.byCells[string(s.buffer)] = snap
	}
	snap.Rows++
	for i, cell := range s.amounts {
		s.row[i] = numeric.Fixed(cell(row))
		snap.sums[i] = numeric.PlusFixed(snap.sums[i], s.row[i])
	}
	if !snap.ranked || s.last.left.Load() < 0 {
		return
	}
	s.buffer = appendCells(s.buffer[:0], s.period, row)
	s.buffer = appendCells(s.buffer, s.key, row)
	hash := [2]uint64{maphash.Bytes(rowSeeds[0], s.buffer), maphash.Bytes(rowSeeds[1], s.buffer)}
	s.last.add(hash, snap.period, snap.rank, s.row)
}

func appendCells(buffer []byte, cells []maker, row []string) []byte {
	for _, cell := range cells {
		buffer = append(append(buffer, cell(row)...), 0) // no cell holds a NUL
	}
	return buffer
}

// lastAmounts remembers the last snapshot of each key.
type lastAmounts struct {
	left    *atomic.Int64            // how many more may be remembered; below 0 nothing is checked
	byKey   map[[2]uint64]keyAmounts // of period and key; 128 bits never meet by chance
	amounts []int64                  // those of a key in a row, as fixed gives them
}

type keyAmounts struct {
	period  uint64
	rank    int64
	amounts int // where its own begin
}

// add takes the amounts of a key in a snapshot: a later one replaces an earlier, and those of the same add up.
func (k *lastAmounts) add(hash [2]uint64, period uint64, rank int64, amounts []int64) {
	known, ok := k.byKey[hash]
	if !ok {
		if k.left.Add(-1) >= 0 {
			k.byKey[hash] = keyAmounts{period, rank, len(k.amounts)}
			k.amounts = append(k.amounts, amounts...)
		}
		return
	}
	own := k.amounts[known.amounts:][:len(amounts)]
	switch {
	case rank > known.rank:
		k.byKey[hash] = keyAmounts{period, rank, known.amounts}
		copy(own, amounts)
	case rank == known.rank:
		for i := range own {
			own[i] = numeric.PlusFixed(own[i], amounts[i])
		}
	}
}

// forget makes room for the keys of a file that is read again. If keys of any file had no room before, nothing is checked.
func (s *snapshots) forget() {
	if s == nil {
		return
	}
	for {
		left := s.last.left.Load()
		if left < 0 || s.last.left.CompareAndSwap(left, left+int64(len(s.last.byKey))) {
			return
		}
	}
}
