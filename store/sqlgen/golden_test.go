package sqlgen_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/store/sqlgen"
)

var update = flag.Bool("update", false, "write what the code does into testdata; review the difference")

// The files of testdata hold questions and the SQL that answers them:
//
//	# comments and empty lines stay as they are
//	ask  drilldown=Year&cut=Year:2016
//	sql  WITH g AS (SELECT …       one line of SQL a line
//	args 2016 100 0                $1, $2 …; texts are quoted
func TestCells(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata: ", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := answered(t, string(b), aggregate); *update && got != string(b) {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func aggregate(t *testing.T, question string) sqlgen.SQL {
	return sqlgen.Cells(ask(t, question).Main())
}

// answered gives the text of a file with every question answered anew, and checks the answers it had.
func answered(t *testing.T, text string, a func(*testing.T, string) sqlgen.SQL) string {
	var out []string
	lines := strings.Split(text, "\n")
	for len(lines) > 0 {
		line := lines[0]
		lines = lines[1:]
		out = append(out, line)
		question, ok := strings.CutPrefix(line, "ask  ")
		if !ok {
			continue
		}
		had := 0
		for had < len(lines) && (strings.HasPrefix(lines[had], "sql  ") || strings.HasPrefix(lines[had], "args")) {
			had++
		}
		got := printed(t, question, a(t, question))
		if want := strings.Join(lines[:had], "\n"); got != want && !*update {
			t.Errorf("ask  %s\ngot\n%s\nwant\n%s", question, got, want)
		}
		out = append(out, got)
		lines = lines[had:]
	}
	return strings.Join(out, "\n")
}

func printed(t *testing.T, question string, statement sqlgen.SQL) string {
	args := "args"
	for _, arg := range statement.Args {
		switch arg := arg.(type) {
		case string:
			args += fmt.Sprintf(" %q", arg)
		case int64:
			args += fmt.Sprintf(" %d", arg)
		default:
			t.Errorf("%s: an argument of type %T", question, arg)
		}
	}
	return "sql  " + strings.ReplaceAll(statement.Text, "\n", "\nsql  ") + "\n" + args
}
