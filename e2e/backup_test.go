package e2e

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fiscube/internal/testfolder"
	"fiscube/store"
)

// A backup that is taken while clients ask and versions are published has the whole of some of them: each with its rows, in the facts and in
// the base cuboid. What restores it loads the next versions into it.
func TestBackup_OfAServerAtWork(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folders := editions(t, 5)
		loadAll(t, db, append(folders[:1:1], "seeds/example-croatia"))
		must(t, "visibility", "--db", db, "example-croatia", "unlisted")
		s := serve(t, db, "--resident", "0")
		path, embedded := store.EmbeddedPath(db)
		path, _, _ = strings.Cut(path, "?")
		_, base, _ := s.rowsOf(t, 1)

		over := make(chan struct{})
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-over:
						return
					default:
					}
					if status, _ := s.get(t, fmt.Sprintf("/cubes/budget/aggregate?drilldown=Year&pagesize=%d", 1+i%100)); status != http.StatusOK {
						t.Errorf("a client is answered %d during a backup", status)
						return
					}
				}
			})
		}
		clients.Go(func() { loadAll(t, db, folders[1:]) })
		folder := testfolder.New(t)
		var files []string
		for i := range 2 {
			files = append(files, filepath.Join(folder, fmt.Sprint(i, ".backup")))
			must(t, "backup", "--db", db, files[i])
		}
		fails(t, exitFailed, []string{"backup", "--db", db, files[0]}, files[0]+" is there already")
		close(over)
		clients.Wait()
		must(t, "backup", "--db", db, "--force", files[1])
		if embedded {
			fails(t, exitFailed, []string{"backup", "--db", db, "--force", path}, "is the database itself")
		}
		s.stop(t)
		for i, file := range files {
			restored := "duckdb:" + file
			if !embedded {
				restored = freshPostgres(t)
				if out, err := exec.CommandContext(t.Context(), "pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", "--dbname="+restored, file).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			r := serve(t, restored)
			served := r.version(t, "budget")
			for version := range served {
				if status, rows, _ := r.rowsOf(t, version+1); status != http.StatusOK || rows != base*(version+1) {
					t.Errorf("backup %d: version %d of %d answers %d with %d rows", i, version+1, served, status, rows)
				}
				var whole struct{ Rows int }
				if r.read(t, fmt.Sprint("/cubes/budget?version=", version+1), &whole); whole.Rows != base*(version+1) {
					t.Errorf("backup %d: version %d has %d rows", i, version+1, whole.Rows)
				}
			}
			if i == 1 && served != 5 {
				t.Errorf("a backup of version 5 serves %d", served)
			}
			says(t, must(t, "list", "--db", restored), "unlisted")
			r.givesPublished(t, "budget")
			says(t, must(t, "load", "--db", restored, grown(t, "budget", 7)), fmt.Sprint("budget: version ", served+1, ", "))
			r.servesWithin(t, soon, "budget", served+1)
			if _, rows, _ := r.rowsOf(t, served+1); rows != 7*base {
				t.Errorf("what is loaded into backup %d has %d rows, want %d", i, rows, 7*base)
			}
			r.stop(t)
		}
		if left := sure(filepath.Glob(filepath.Join(folder, ".fiscube-backup-*"))); len(left) > 0 {
			t.Errorf("backups left %s", left)
		}
	})
}

// Without pg_dump the command says what to run where it is, and never a password.
func TestBackup_WithoutPgDump(t *testing.T) {
	db := freshPostgres(t)
	t.Setenv("PATH", t.TempDir())
	r := fiscube(t, "backup", "--db", db, "budgets.dump")
	if says(t, r.err, "pg_dump, which is not on the path here", "--schema=cuboid --schema=cube --file=budgets.dump"); r.code != exitFailed {
		t.Errorf("exit code %d", r.code)
	}
}
