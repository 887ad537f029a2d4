package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"fiscube/internal/testrequire"
)

// editions writes so many versions of the package "budget", each of other content.
func editions(t testing.TB, n int) (folders []string) {
	t.Helper()
	for i := range n {
		folders = append(folders, grown(t, "budget", i+1))
	}
	return folders
}

// loadAll loads packages one after the other.
func loadAll(t testing.TB, db string, folders []string) {
	t.Helper()
	for _, folder := range folders {
		must(t, "load", "--db", db, folder)
	}
}

// rowsOf asks a version for its rows.
func (s *service) rowsOf(t testing.TB, version int) (status, rows, answered int) {
	t.Helper()
	status, body := s.get(t, fmt.Sprintf("/cubes/budget/aggregate?aggregates=_count&version=%d", version))
	var a struct {
		Version int
		Summary struct {
			Rows int `json:"_count"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return status, a.Summary.Rows, a.Version
}

func TestVersions_AreRolledBackAndPruned(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		loadAll(t, db, editions(t, 4))
		fails(t, exitUnknown, []string{"rollback", "--db", db, "budget", "9"},
			"budget has no version 9 (version 4 is served; kept are 1, 2, 3, 4)")
		fails(t, exitUnknown, []string{"rollback", "--db", db, "bugdet", "1"}, `no cube "bugdet" (did you mean budget?)`)
		fails(t, exitUnknown, []string{"prune", "--db", db, "bugdet", "--keep", "1"}, `no cube "bugdet"`)
		says(t, must(t, "rollback", "--db", db, "budget", "1"), "budget: version 1 is served\n")
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "2"), "budget: dropped 2\n")
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "2"), "budget: there is nothing to drop\n")
		fails(t, exitUnknown, []string{"rollback", "--db", db, "budget", "2"}, "version 2 of budget is kept no more")
		says(t, must(t, "load", "--db", db, grown(t, "budget", 4)), "budget: version 4 holds exactly this and is served again\n")
		says(t, must(t, "load", "--db", db, grown(t, "budget", 2)), "budget: version 5, ")
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "0"), "budget: dropped 1, 3, 4\n")
	})
}

// A server goes on to answer pinned questions while versions come and go beside it.
func TestVersions_PinnedQuestionsBesideRollbackAndPrune(t *testing.T) {
	testrequire.Long(t)
	sideBySide(t, func(t *testing.T, db string) {
		folders := editions(t, 3)
		loadAll(t, db, folders[:2])
		s := serve(t, db)
		must(t, "load", "--db", db, folders[2])
		s.servesWithin(t, soon, "budget", 3)
		must(t, "rollback", "--db", db, "budget", "2")
		s.servesWithin(t, soon, "budget", 2)
		_, base, _ := s.rowsOf(t, 1)
		for version := range 3 {
			status, rows, answered := s.rowsOf(t, version+1)
			if status != http.StatusOK || rows != base*(version+1) || answered != version+1 {
				t.Errorf("version %d: status %d, %d rows, answered by %d", version+1, status, rows, answered)
			}
		}
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "1"), "budget: dropped 1\n")
		eventually(t, "version 1 is gone", soon, func() bool {
			status, _, _ := s.rowsOf(t, 1)
			return status == http.StatusGone
		})
		if status, _, _ := s.rowsOf(t, 4); status != http.StatusNotFound {
			t.Errorf("a version that never was: status %d", status)
		}
		if got := s.version(t, "budget"); got != 2 {
			t.Errorf("version %d is served, want 2", got)
		}
		s.stop(t)
	})
}

// An answer that is under way when its version is pruned comes whole, or is cut.
func TestPrune_LeavesReadersAWholeAnswerOrNone(t *testing.T) {
	testrequire.Long(t)
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := serve(t, db)
		export := s.export(t, "budget")
		must(t, "load", "--db", db, small())
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "1"), "budget: dropped 1\n")
		if rows, err := export.rest(t); err == nil && rows != export.rows {
			t.Errorf("%d rows of %d came, as if they were all", rows, export.rows)
		}
		one := len(tablesOfOneVersion(t, db))
		if !isDuckDB(db) {
			hasTablesSoon(t, db, one)
		}
		s.stop(t)
		must(t, "list", "--db", db)
		if left := tables(t, db); len(left) != one {
			t.Errorf("tables %q are left, want %d", left, one)
		}
	})
}

// tablesOfOneVersion lists the tables that a version of the package "budget" has in a store of the same kind.
func tablesOfOneVersion(t *testing.T, db string) []string {
	t.Helper()
	fresh := freshPostgres
	if isDuckDB(db) {
		fresh = freshDuckDB
	}
	other := fresh(t)
	must(t, "load", "--db", other, small())
	return tables(t, other)
}

// Not side by side with other tests: it measures time.
func TestRollback_TwoServersSeeItSoon(t *testing.T) {
	db := freshPostgres(t)
	loadAll(t, db, editions(t, 2))
	servers := []*service{serve(t, db), serve(t, db)}
	for _, version := range []int{1, 2, 1} {
		must(t, "rollback", "--db", db, "budget", fmt.Sprint(version))
		for _, s := range servers {
			s.servesWithin(t, soon, "budget", version)
		}
	}
	for _, s := range servers {
		s.stop(t)
	}
}

func TestRemove_LeavesReadersAWholeAnswerOrNone(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := serve(t, db)
		export := s.export(t, "budget")
		says(t, must(t, "remove", "--db", db, "budget"), "budget is removed")
		s.servesWithin(t, patience, "budget", 0)
		rows, err := export.rest(t)
		if err == nil && rows != export.rows {
			t.Errorf("%d rows of %d came, as if they were all", rows, export.rows)
		}
		t.Logf("%d rows of %d came, and %v", rows, export.rows, err)
		dropsAllTables(t, s, db)
	})
}

// hasTablesSoon waits until so many tables are left. It looks now and then: each look is a connection.
func hasTablesSoon(t *testing.T, db string, n int) {
	t.Helper()
	eventually(t, "the tables of what was dropped go", patience, func() bool {
		left := len(tables(t, db))
		if left != n {
			time.Sleep(100 * time.Millisecond)
		}
		return left == n
	})
}

// dropsAllTables checks that the tables of what was removed go, on PostgreSQL while the server runs, in an
// embedded file at the next start at the latest.
func dropsAllTables(t *testing.T, s *service, db string) {
	t.Helper()
	if isDuckDB(db) {
		s.stop(t)
		must(t, "list", "--db", db)
		if left := tables(t, db); left != nil {
			t.Errorf("tables %q are left", left)
		}
		return
	}
	hasTablesSoon(t, db, 0)
	s.stop(t)
}

func TestRemove_TheNameComesBackWithTheNextVersion(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		must(t, "remove", "--db", db, "budget")
		fails(t, exitUnknown, []string{"remove", "--db", db, "budget"}, `no cube "budget"`)
		says(t, must(t, "load", "--db", db, small()), "budget: version 2, ")
		if kept := tables(t, db); kept == nil {
			t.Error("the second version has no tables")
		}
	})
}
