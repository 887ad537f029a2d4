package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// The findings that reject a package whose snapshots cannot be told apart or put in order.
const (
	CodeSnapshotUnnamed   = "snapshot-unnamed"    // a resource does not say which snapshot it holds
	CodeSnapshotUnordered = "snapshot-unordered"  // a snapshot has no place among the others, or shares one
	CodeTooManyStatements = "too-many-statements" // more than a question can name
)

// mostStatements bounds the snapshots of all periods together.
const mostStatements = 10_000

// statements counts the rows of each snapshot of each period in one resource.
type statements struct {
	makers []maker // of the period's columns, then of the snapshot's
	byKey  map[string]*cube.Statement
	key    []byte
}

// newStatements watches the columns that the draft's snapshots name, or nothing where it has none.
func newStatements(d *cube.Draft, r *cube.Resource) *statements {
	s := &statements{byKey: map[string]*cube.Statement{}}
	if d.Snapshots == nil {
		return s
	}
	b := &makerBuilder{resource: r, missing: isMissing(r.Schema)}
	for _, name := range append(slices.Clone(d.Snapshots.Per), d.Snapshots.By) {
		switch c := d.Column(name); {
		case c == nil:
		case c.Type == cube.TypeInteger: // a repair may make text of it: canonicalCell reads the numbers
			s.makers = append(s.makers, b.column(*c))
		default:
			s.makers = append(s.makers, b.typed(*c, b.column(*c)))
		}
	}
	return s
}

func (s *statements) add(row []string) {
	if len(s.makers) == 0 {
		return
	}
	s.key = s.key[:0]
	for _, cell := range s.makers {
		s.key = append(append(s.key, cell(row)...), 0)
	}
	one, ok := s.byKey[string(s.key)]
	if !ok {
		cells := strings.Split(strings.TrimSuffix(string(s.key), "\x00"), "\x00")
		last := len(cells) - 1
		one = &cube.Statement{Period: cells[:last], Snapshot: cells[last]}
		s.byKey[string(s.key)] = one
	}
	one.Rows++
}

// settleSnapshots lists the statements of all resources that are loaded.
func (s *surveyor) settleSnapshots() {
	declared := s.draft.Snapshots
	if declared == nil {
		return
	}
	all := map[string]*cube.Statement{}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut != "" {
			continue
		}
		for _, cells := range slices.Sorted(maps.Keys(r.statements.byKey)) {
			one := s.canonicalStatement(*r.statements.byKey[cells])
			s.checkRank(i, one)
			key := strings.Join(append(slices.Clone(one.Period), one.Snapshot), "\x00")
			if known, ok := all[key]; ok {
				known.Rows += one.Rows
				continue
			}
			all[key] = &one
		}
	}
	settled := *declared
	settled.Statements = sortedStatements(all)
	s.draft.Snapshots = &settled
	s.checkStatements()
}

// canonicalStatement writes whole numbers without needless zeros, as a store gives them back.
func (s *surveyor) canonicalStatement(one cube.Statement) cube.Statement {
	one.Period = slices.Clone(one.Period)
	for i, per := range s.draft.Snapshots.Per {
		one.Period[i] = s.canonicalCell(per, one.Period[i])
	}
	one.Snapshot = s.canonicalCell(s.draft.Snapshots.By, one.Snapshot)
	return one
}

func (s *surveyor) canonicalCell(column, cell string) string {
	if s.draft.Column(column).Type == cube.TypeInteger {
		if n, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	}
	return cell
}

// checkRank reports a snapshot that cannot be put in order. One that no resource names is a finding of its own.
func (s *surveyor) checkRank(order int, one cube.Statement) {
	declared := s.draft.Snapshots
	_, ok := declared.Rank(one.Snapshot)
	switch {
	case one.Snapshot == "" && s.draft.Column(declared.By).From != nil:
		s.refuseStatement(order, CodeSnapshotUnnamed, "", "its name does not say which %s it holds", declared.By)
	case ok:
	case len(declared.Order) > 0:
		s.refuseStatement(order, CodeSnapshotUnordered, one.Snapshot, "the snapshot %q is not in the order declared (%s)",
			one.Snapshot, strings.Join(declared.Order, ", "))
	default:
		s.refuseStatement(order, CodeSnapshotUnordered, one.Snapshot,
			"the snapshot %q is no whole number, so the order of the snapshots has to be declared", one.Snapshot)
	}
}

// checkStatements reports snapshots of one period that share a place, such as 1 and 01, and too many of them.
func (s *surveyor) checkStatements() {
	list := s.draft.Snapshots.Statements
	if len(list) > mostStatements {
		s.refuseStatement(len(s.pkg.Resources), CodeTooManyStatements, "",
			"there are %d snapshots of all periods; fiscube handles %d", len(list), mostStatements)
	}
	placed := map[string]string{} // by period and rank: the snapshot
	for _, one := range list {
		rank, ok := s.draft.Snapshots.Rank(one.Snapshot)
		place := fmt.Sprintf("%q %d", one.Period, rank)
		if other, known := placed[place]; ok && known {
			s.refuseStatement(len(s.pkg.Resources), CodeSnapshotUnordered, one.Snapshot,
				"the snapshots %q and %q of one period have one place in their order", other, one.Snapshot)
		}
		placed[place] = one.Snapshot
	}
}

func (s *surveyor) refuseStatement(order int, code, cell, format string, args ...any) {
	one := cube.Finding{
		Code: code, Severity: cube.SeverityError, Field: s.draft.Snapshots.By, Message: fmt.Sprintf(format, args...),
	}
	if order < len(s.pkg.Resources) {
		one.Resource = s.pkg.Resources[order].Name
	}
	s.findings.add(order, one, cube.Place{Cell: cell})
}

func sortedStatements(all map[string]*cube.Statement) []cube.Statement {
	list := make([]cube.Statement, 0, len(all))
	for _, one := range all {
		list = append(list, *one)
	}
	slices.SortFunc(list, func(a, b cube.Statement) int {
		return cmp.Or(slices.Compare(a.Period, b.Period), cmp.Compare(a.Snapshot, b.Snapshot))
	})
	return list
}
