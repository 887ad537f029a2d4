package fdp_test

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/internal/each"
	"fiscube/internal/golden"
)

// What overlays change, and what is wrong with some, is in testdata. None changes the package that it is applied to.
func TestApply_Overlays(t *testing.T) {
	for _, file := range []string{"overlays", "overlay_mistakes"} {
		golden.Answers(t, "testdata/"+file+".txt", func(line string) string {
			text := strings.ReplaceAll(line, "⏎", "\n")
			if problems := overlayProblems(t, text); problems != "" {
				return "cannot be read:\n" + problems
			}
			p := read(t, budget)
			applied, err := readOverlay(t, text).Apply(p)
			equal(t, "the package that "+line+" is applied to", p, read(t, budget))
			if problems := problemsIn(t, applied, err); problems != "" {
				return "cannot be applied:\n" + problems
			}
			old, now := show(p), show(applied)
			gone := slices.DeleteFunc(slices.Clone(old), func(line string) bool { return slices.Contains(now, line) })
			come := slices.DeleteFunc(now, func(line string) bool { return slices.Contains(old, line) })
			return cmp.Or(strings.Join(append(each.Text(gone, func(s string) string { return "- " + s }),
				each.Text(come, func(s string) string { return "+ " + s })...), "\n"), "changes nothing")
		})
	}
}

// What models mean, and what is wrong with descriptors, is in testdata.
func TestRead_Texts(t *testing.T) {
	for _, file := range []string{"models", "generations", "descriptor_mistakes"} {
		golden.Answers(t, "testdata/"+file+".txt", func(line string) string {
			part, text, _ := strings.Cut(line, " ")
			p, err := fdp.Read([]byte(withPart(part, text)))
			if problems := problemsIn(t, p, err); problems != "" {
				return problems
			}
			if part == "descriptor" {
				return fmt.Sprintf("%s\nof %d resources, guessed: %t\n%s", said(p), len(p.Resources), p.Guessed, pointed(p))
			}
			measures := each.Text(p.Model.Measures(), func(m cube.Measure) string { return fmt.Sprintf("measure %+v", m) })
			return strings.Join(append(levelsOf(p.Model), measures...), "\n")
		})
	}
}

// withPart is a descriptor in which a text stands in for a part.
func withPart(part, text string) string {
	switch part {
	case "descriptor":
		return text
	case "package":
		return strings.Replace(withModel("null"), `"name": "m"`, text, 1)
	case "resources":
		return `{"name": "m", "schema": ` + minimalSchema + `, "resources": ` + text + `}`
	case "resource":
		return strings.Replace(withModel("null"), `"name": "a", "path": "data/a.csv"`, text, 1)
	case "schema":
		return strings.NewReplacer("SCHEMA", text, "MODEL", "null").Replace(minimal)
	case "measure":
		field, measures, _ := strings.Cut(text, " | ")
		return strings.Replace(withModel(`{"measures": {`+measures+`}}`), `"name": "n"`, field, 1)
	}
	return withModel(text)
}

// problemsIn gives what is wrong, one per line, or "" of what was read.
func problemsIn(t *testing.T, read any, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var problems fdp.Problems
	if !errors.As(err, &problems) || !reflect.ValueOf(read).IsNil() {
		t.Fatalf("got %v and %v, want Problems alone", read, err)
	}
	return problems.Error()
}

// problemsOf gives what is wrong with a descriptor.
func problemsOf(t *testing.T, text string) string {
	t.Helper()
	p, err := fdp.Read([]byte(text))
	return problemsIn(t, p, err)
}

// overlayProblems gives what is wrong with an overlay.
func overlayProblems(t *testing.T, text string) string {
	t.Helper()
	o, err := fdp.ReadOverlay([]byte(text))
	return problemsIn(t, o, err)
}
