// Package golden holds what tests write against files of testdata, which -update writes again.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the code does into testdata; review the difference")

// File checks a text against the text of a file.
func File(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	switch {
	case *update && got != string(want):
		err = os.WriteFile(path, []byte(got), 0o644)
	case err == nil && got != string(want):
		t.Errorf("%s differs from what is written now:\n%s", path, got)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Answers checks a file of questions and their answers: a question is a line, and the lines below it that begin with a tab are its answer. Comments (#) and
// empty lines stay as they are.
func Answers(t *testing.T, path string, answer func(question string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var written, want strings.Builder
	question := ""
	check := func() {
		got := ""
		if question != "" {
			got = answer(question)
		}
		if got != "" {
			got = "\t" + strings.ReplaceAll(got, "\n", "\n\t") + "\n"
		}
		if got != want.String() && !*update {
			t.Errorf("%s\ngot\n%swant\n%s", question, got, want.String())
		}
		written.WriteString(got)
		question = ""
		want.Reset()
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "\t") {
			want.WriteString(line)
			continue
		}
		check()
		written.WriteString(line)
		if line != "\n" && !strings.HasPrefix(line, "#") {
			question = strings.TrimSuffix(line, "\n")
		}
	}
	check()
	if *update {
		File(t, path, written.String())
	}
}
