package sqlgen_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"fiscube/internal/golden"
	"fiscube/store/sqlgen"
)

// The files of testdata hold questions, and below each the SQL that answers it: $1, $2 … are those behind args.
func TestCells(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata: ", err)
	}
	for _, file := range files {
		golden.Answers(t, file, func(question string) string { return printed(t, question, aggregate(t, question)) })
	}
}

func aggregate(t *testing.T, question string) sqlgen.SQL {
	return sqlgen.Cells(ask(t, question).Main())
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
	return statement.Text + "\n" + args
}
