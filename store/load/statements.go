package load

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
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

// mostStatements is how many snapshots of all periods there may be together: more than a question can name.
const mostStatements = 10_000

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
			"the snapshot %q is no whole number and no date, so the order of the snapshots has to be declared", statement.Snapshot)
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
	s.pkg.LinesLeft = &cube.LinesLeft{Count: keys, Sums: map[string]string{}}
	for _, of := range sums {
		s.pkg.LinesLeft.Sums[of["measure"].(string)] = of["sum"].(string)
	}
	report(findings.SeverityWarning, keys, "", findings.Params{"keys": keys, "periods": s.draft.Snapshots.Per, "sums": sums})
}
