package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
)

// CodeSnapshotUnnamed is the finding of a resource that does not say which snapshot it holds.
const CodeSnapshotUnnamed = "snapshot-unnamed"

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
		if c := d.Column(name); c != nil {
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
		for key, one := range r.statements.byKey {
			if one.Snapshot == "" && s.draft.Column(declared.By).From != nil {
				s.snapshotUnnamed(i)
			}
			if known, ok := all[key]; ok {
				known.Rows += one.Rows
				continue
			}
			all[key] = &cube.Statement{Period: one.Period, Snapshot: one.Snapshot, Rows: one.Rows}
		}
	}
	settled := *declared
	settled.Statements = sortedStatements(all)
	s.draft.Snapshots = &settled
}

func (s *surveyor) snapshotUnnamed(order int) {
	s.findings.add(order, cube.Finding{
		Code: CodeSnapshotUnnamed, Severity: cube.SeverityError, Resource: s.pkg.Resources[order].Name,
		Message: fmt.Sprintf("its name does not say which %s it holds", s.draft.Snapshots.By),
	}, cube.Place{})
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
