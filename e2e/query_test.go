package e2e

import (
	"os"
	"strings"
	"testing"
)

// A question is answered as by a server, also beside one on the same file, and of cubes that others do not see.
func TestQuery_AnswersAsAServer(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		paths := map[string][]string{
			"/cubes":                 {"list", "--format=json"},
			"/cubes/budget/versions": {"versions", "budget", "--format=json"},
			"/cubes/budget/aggregate?drilldown=Year|func1_label&order=approved_value.sum:desc&pagesize=3&format=csv": {
				"query", "budget", "drilldown=Year|func1_label", "order=approved_value.sum:desc&pagesize=3", "--format=csv"},
			"/cubes/budget/aggregate?drilldown=Year&format=parquet":                    {"query", "budget", "drilldown=Year", "--format=parquet"},
			"/cubes/budget/aggregate?cut=func1_label:%22Op%C4%87e%20javne%20usluge%22": {"query", "budget", `?cut=func1_label:"Opće javne usluge"`, "--format=json"},
		}
		alone := map[string]string{}
		for path, args := range paths {
			alone[path] = must(t, append(args, "--db", db)...)
		}
		fails(t, exitUsage, []string{"query", "budget", "drilldown=yaer", "--db", db}, `drilldown at 0: no field or dimension "yaer" (did you mean Year?)`)
		fails(t, exitUsage, []string{"query", "budget", "drilldown=%zz", "--db", db}, "drilldown at 0: ")
		fails(t, exitUnknown, []string{"query", "budgte", "--db", db}, "did you mean budget?")
		s := serve(t, db)
		for path, args := range paths {
			beside, served := must(t, append(args, "--db", db)...), get(t, s.url+path)
			if alone[path] != beside || strings.TrimSpace(alone[path]) != strings.TrimSpace(served) && !strings.HasPrefix(served, "PAR1") { // which names the server
				t.Errorf("%s: alone\n%s\nbeside\n%s\nserved\n%s", path, alone[path], beside, served)
			}
		}
		s.stop(t)
		must(t, "visibility", "budget", "token", "--db", db)
		table := fiscube(t, "query", "budget", "drilldown=Year", "--db", db)
		says(t, table.out, "\n  Year  _count  approved_value.sum  executed_value.sum\n  2016  ")
		says(t, table.err, "fiscube: the figures are made up, for trying fiscube out [synthetic]\n")
	})
}

// What is asked where nothing was loaded says how to begin, and makes no store.
func TestList_MakesNoStore(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, code := range map[string]int{"list": exitDone, "list --format=json --db=duckdb:x.duckdb?threads=1": exitDone, "versions x": exitUnknown,
		"query x": exitUnknown, "rollback x 1": exitUnknown, "prune x --keep=1": exitUnknown, "remove x": exitUnknown, "visibility x token": exitUnknown,
		"backup copy.duckdb": exitUnknown, "diff a@1 b@2": exitUnknown, "series": exitDone} {
		r := fiscube(t, strings.Fields(line)...)
		says(t, r.err, "There is no store ", "fiscube load PATH")
		if made := sure(os.ReadDir(".")); len(made) != 0 || r.code != code {
			t.Errorf("%s: exit code %d, it made %v\n%s", line, r.code, made, r.err)
		}
	}
}
