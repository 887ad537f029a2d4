package postgres_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/store/postgres/postgrestest"
)

// edition is a package of a hundred rows that adds up to a hundred times a number. Every other one has a field
// more, so that its views are made anew.
func edition(number int) table {
	rows := table{{"year#", "unit", "amount$"}}
	for i := range 100 {
		rows = append(rows, []string{"2016", strconv.Itoa(i), strconv.Itoa(number)})
	}
	if number%2 == 1 {
		for i := range rows {
			rows[i] = append([]string{"note"}, rows[i]...)
		}
	}
	return rows
}

// TestViewsAreReadWhileTheyChange asks a view without pause while editions are loaded: every answer is that of one
// edition, and none is an error.
func TestViewsAreReadWhileTheyChange(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	mustLoad(t, store, pack("budget", edition(0), ""))
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 3 {
		conn := connect(t, dsn)
		readers.Go(func() {
			for answers := 0; ; answers++ {
				var sum, all int
				err := conn.QueryRow(ctx, `SELECT (SELECT sum("amount$") FROM cube.budget)::int, (SELECT sum("amount$") FROM cube."budget (all)")::int`).
					Scan(&sum, &all)
				switch {
				case ctx.Err() != nil && answers > 0:
					return
				case err != nil:
					t.Errorf("a reader: %v", err)
					return
				case sum%100 != 0 || sum != all:
					t.Errorf("the view adds up to %d, and all of it to %d", sum, all)
				}
			}
		})
	}
	for number := range 8 {
		mustLoad(t, store, pack("budget", edition(number+1), ""))
	}
	stop()
	readers.Wait()
}

// TestALoadWaitsForReadersOfItsViews has a reader that holds a view for longer than a load likes to wait for it at a
// time, and others that come meanwhile. The long reader stays until they are through, so one that had to wait for it
// would run into its time limit.
func TestALoadWaitsForReadersOfItsViews(t *testing.T) {
	dsn := postgrestest.DSN(t)
	bounded := withParameter(t, dsn, "statement_timeout", "20s")
	store := open(t, dsn)
	mustLoad(t, store, pack("budget", first, ""))
	long := connect(t, dsn)
	script := func(statement string) {
		if _, err := long.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	script("BEGIN; SELECT * FROM cube.budget")

	done := make(chan error)
	go func() {
		_, err := loadFS(t, store, pack("budget", second, ""))
		done <- err
	}()
	for start := time.Now(); time.Since(start) < 2*time.Second; time.Sleep(50 * time.Millisecond) {
		if got := ask[int](t, bounded, `SELECT "amount$"::int FROM cube.budget`); got != 1 {
			t.Errorf("the view shows %d before the load is done", got)
		}
	}
	script("COMMIT")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := ask[int](t, dsn, `SELECT "amount$"::int FROM cube.budget`); got != 2 {
		t.Errorf("the view shows %d after the load", got)
	}

	store.SetViewPatience(0)
	script("BEGIN; SELECT * FROM cube.budget")
	if _, err := loadFS(t, store, pack("budget", wider, "")); cube.CodeOf(err) != cube.CodeUnavailable {
		t.Errorf("a load that waits in vain: %v", err)
	}
	if err := store.Remove(t.Context(), "budget"); cube.CodeOf(err) != cube.CodeUnavailable {
		t.Errorf("a removal that waits in vain: %v", err)
	}
	if one, err := cube.NewEngine(store).Cube(t.Context(), "budget"); err != nil || one.Version != 2 {
		t.Errorf("served is %v, %v", one, err)
	}
	script("COMMIT")
	if err := store.Remove(t.Context(), "budget"); err != nil {
		t.Error(err)
	}
}
