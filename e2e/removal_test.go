package e2e

import "testing"

func TestARemovalLeavesReadersAWholeAnswerOrNone(t *testing.T) {
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
	eventually(t, "all tables are dropped", patience, func() bool { return tables(t, db) == nil })
	s.stop(t)
}

func TestANameComesBackAfterItsRemovalWithTheNextVersion(t *testing.T) {
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
