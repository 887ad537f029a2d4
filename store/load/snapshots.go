package load

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/repair"
	"fiscube/store/load/numeric"
)

// The findings of packages that declare snapshots. All but the last reject a package whose snapshots cannot be
// distinguished or put in order.
const (
	CodeSnapshotUnnamed   = "snapshot-unnamed"   // a resource does not say which snapshot it holds
	CodeSnapshotUnordered = "snapshot-unordered" // a snapshot has no place in the order of the others, or shares one
	CodeTooManyStatements = "too-many-statements"

	// CodeSnapshotIncomplete is the finding of money that is in an earlier snapshot of a period and not in the last: the
	// last alone is counted, so that money is in no answer but where an earlier one is asked for.
	CodeSnapshotIncomplete = "snapshot-incomplete"
)

const (
	mostStatements = 10_000    // snapshots of all periods together: more than a question can name
	mostKeys       = 2_000_000 // keys that are remembered of all resources
)

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
	ranked bool // one without a rank is a finding of its own
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
		s.byCells[string(s.buffer)] = snap
	}
	snap.Rows++
	if !snap.ranked || s.last.left.Load() < 0 {
		return
	}
	s.buffer = appendCells(s.buffer[:0], s.period, row)
	s.buffer = appendCells(s.buffer, s.key, row)
	for i, cell := range s.amounts {
		s.row[i] = numeric.Fixed(cell(row))
	}
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

// settleSnapshots lists the snapshots of all resources that are loaded, and checks them.
func (s *surveyor) settleSnapshots() {
	if s.draft.Snapshots == nil {
		return
	}
	declared := *s.draft.Snapshots
	all := map[string]*cube.PeriodSnapshot{}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut != "" {
			continue
		}
		for _, cells := range slices.Sorted(maps.Keys(r.snapshots.byCells)) {
			statement := r.snapshots.byCells[cells].PeriodSnapshot
			statement.Period = slices.Clone(statement.Period)
			for i, per := range declared.Per {
				statement.Period[i] = s.canonicalCell(per, statement.Period[i])
			}
			statement.Snapshot = s.canonicalCell(declared.By, statement.Snapshot)
			s.checkRank(i, statement)
			key := strings.Join(append(slices.Clone(statement.Period), statement.Snapshot), "\x00")
			if known, ok := all[key]; ok {
				known.Rows += statement.Rows
				continue
			}
			all[key] = &statement
		}
	}
	declared.Statements = make([]cube.PeriodSnapshot, 0, len(all))
	for _, statement := range all {
		declared.Statements = append(declared.Statements, *statement)
	}
	slices.SortFunc(declared.Statements, func(a, b cube.PeriodSnapshot) int {
		return cmp.Or(slices.Compare(a.Period, b.Period), cmp.Compare(a.Snapshot, b.Snapshot))
	})
	s.draft.Snapshots = &declared
	s.checkStatements()
	s.checkComplete()
}

// canonicalCell writes whole numbers without needless zeros, as a store gives them back.
func (s *surveyor) canonicalCell(column, cell string) string {
	if s.draft.Column(column).Type == cube.TypeInteger {
		if n, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	}
	return cell
}

// checkRank reports a snapshot that cannot be put in order. One that no resource names is a finding of its own.
func (s *surveyor) checkRank(order int, statement cube.PeriodSnapshot) {
	declared := s.draft.Snapshots
	_, ok := declared.Rank(statement.Snapshot)
	switch {
	case statement.Snapshot == "" && s.draft.Column(declared.By).From != nil:
		s.refuseSnapshot(order, CodeSnapshotUnnamed, "", "its name does not say which %s it holds", declared.By)
	case ok:
	case len(declared.Order) > 0:
		s.refuseSnapshot(order, CodeSnapshotUnordered, statement.Snapshot, "the snapshot %q is not in the order declared (%s)",
			statement.Snapshot, strings.Join(declared.Order, ", "))
	default:
		s.refuseSnapshot(order, CodeSnapshotUnordered, statement.Snapshot,
			"the snapshot %q is no whole number, so the order of the snapshots has to be declared", statement.Snapshot)
	}
}

// checkStatements reports snapshots of one period that share a rank, such as 1 and 01, and too many of them.
func (s *surveyor) checkStatements() {
	list := s.draft.Snapshots.Statements
	if len(list) > mostStatements {
		s.refuseSnapshot(len(s.pkg.Resources), CodeTooManyStatements, "",
			"there are %d snapshots of all periods; fiscube handles %d", len(list), mostStatements)
	}
	byRank := map[string]string{} // by period and rank: the snapshot
	for _, statement := range list {
		rank, ok := s.draft.Snapshots.Rank(statement.Snapshot)
		key := fmt.Sprintf("%q %d", statement.Period, rank)
		if other, known := byRank[key]; ok && known {
			s.refuseSnapshot(len(s.pkg.Resources), CodeSnapshotUnordered, statement.Snapshot,
				"the snapshots %q and %q of one period have one place in their order", other, statement.Snapshot)
		}
		byRank[key] = statement.Snapshot
	}
}

func (s *surveyor) refuseSnapshot(order int, code, cell, format string, args ...any) {
	f := findings.Finding{
		Code: code, Severity: findings.SeverityError, Field: s.draft.Snapshots.By, Message: fmt.Sprintf(format, args...),
	}
	if order < len(s.pkg.Resources) {
		f.Resource = s.pkg.Resources[order].Name
	}
	s.findings.add(order, f, findings.Place{Cell: cell})
}

// checkComplete reports the keys that are in an earlier snapshot of their period and not in its last.
func (s *surveyor) checkComplete() {
	report := func(severity findings.Severity, keys int64, sentence string, params findings.Params) {
		s.repaired = append(s.repaired, prose.Describe(findings.Finding{
			Code: CodeSnapshotIncomplete, Severity: severity, Field: s.draft.Snapshots.By, Count: keys,
		}, sentence, params))
	}
	if s.keysLeft.Load() < 0 {
		report(findings.SeverityInfo, 0, "not-checked", findings.Params{"keys": int64(mostKeys)})
		return
	}
	s.keysLeft.Store(mostKeys) // for those of all resources together
	var measures []string
	lastRank := map[uint64]int64{} // by period
	all := lastAmounts{left: &s.keysLeft, byKey: map[[2]uint64]keyAmounts{}}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut != "" {
			continue
		}
		measures = r.snapshots.measures
		for hash, key := range r.snapshots.last.byKey {
			all.add(hash, key.period, key.rank, r.snapshots.last.amounts[key.amounts:][:len(measures)])
			if known, ok := lastRank[key.period]; !ok || key.rank > known {
				lastRank[key.period] = key.rank
			}
		}
		r.snapshots.last = lastAmounts{}
	}
	maps.DeleteFunc(all.byKey, func(_ [2]uint64, key keyAmounts) bool { return key.rank == lastRank[key.period] })
	if len(all.byKey) == 0 {
		return
	}
	sums := []findings.Params{}
	for i, measure := range measures {
		scale := s.draft.Column(measure).Scale
		sum, cells, exact := decimal.Zero, 0, scale <= numeric.FixedDecimals
		for _, key := range all.byKey {
			if amount := all.amounts[key.amounts+i]; amount != numeric.None {
				cells++
				exact = exact && amount != math.MaxInt64 && amount != -math.MaxInt64
				sum = sum.Add(decimal.New(amount, -numeric.FixedDecimals))
			}
		}
		switch {
		case !exact:
			sums = append(sums, findings.Params{"measure": measure, "sum": ""})
		case cells > 0:
			sums = append(sums, findings.Params{"measure": measure, "sum": sum.StringFixed(int32(scale))})
		}
	}
	keys := int64(len(all.byKey))
	report(findings.SeverityWarning, keys, "", findings.Params{"keys": keys, "periods": s.draft.Snapshots.Per, "sums": sums})
}
