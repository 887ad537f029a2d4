// Package golden holds what tests write against files of testdata, which -update writes again.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the code does into testdata; review the difference")

// Updating tells whether tests write files again.
func Updating() bool { return *update }

// File checks a text against the text of a file.
func File(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	switch {
	case *update && got != string(want):
		err = os.WriteFile(path, []byte(got), 0o644)
	case err == nil && got != string(want):
		t.Errorf("%s differs from what is written now: %s", path, difference(got, string(want)))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// difference gives the first lines in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for n < min(len(g), len(w)) && g[n] == w[n] {
		n++
	}
	some := func(lines []string) string { return strings.Join(lines[n:min(n+3, len(lines))], "\n") }
	return fmt.Sprintf("line %d\ngot\n%s\nwant\n%s", n+1, some(g), some(w))
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

// Picture checks a picture against that of a file: no dot may have another colour, but for what machines round in another way.
func Picture(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if *update && !bytes.Equal(got, want) {
		want, err = got, os.WriteFile(path, got, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	drawn, known := decoded(t, got), decoded(t, want)
	if drawn.Bounds() != known.Bounds() {
		t.Errorf("%s has the size %v, and what is drawn now %v", path, known.Bounds(), drawn.Bounds())
		return
	}
	for y := range drawn.Bounds().Dy() {
		for x := range drawn.Bounds().Dx() {
			r, g, b, _ := drawn.At(x, y).RGBA()
			r2, g2, b2, _ := known.At(x, y).RGBA()
			const rounded = 0x1000
			if max(r, r2)-min(r, r2) > rounded || max(g, g2)-min(g, g2) > rounded || max(b, b2)-min(b, b2) > rounded {
				t.Errorf("%s differs from what is drawn now, first at %d, %d", path, x, y)
				return
			}
		}
	}
}

func decoded(t *testing.T, picture []byte) image.Image {
	t.Helper()
	read, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	return read
}
