package fdp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestReadOverlay_NotYAML(t *testing.T) {
	longPattern := `snapshots: {by: {resource: "(` + strings.Repeat("a", 1000) + `)", name: b}, per: [year]}`
	tests := map[string]struct{ text, want string }{
		"long pattern":     {longPattern, "snapshots.by.resource (line 1): a pattern has at most 1000 characters"},
		"nothing":          {"", "the overlay is empty"},
		"comments":         {"# nothing\n", "the overlay is empty"},
		"syntax":           {"title:\n  en: a\n  es: b: c\n", "line 3: no YAML: mapping values are not allowed in this context"},
		"first line":       {"\t- a", "line 1: no YAML: found character that cannot start any token"},
		"Latin-1":          {"title:\n  es: a\xf1o", "line 2, column 8: the overlay is not UTF-8 text"},
		"two documents":    {"title: {en: A}\n---\ntitle: {en: B}", "more than one document"},
		"too long":         {strings.Repeat("#", 256<<10+1), "an overlay of 262145 bytes; at most 262144 are read"},
		"a list":           {"- title", "line 1: must be a mapping, not a list"},
		"text":             {"title", "line 1: must be a mapping, not text"},
		"null":             {"~", "line 1: must be a mapping, not nothing"},
		"twice":            {"title: {en: A}\nnotes: [{en: B}]\ntitle: {en: C}", "title (line 3): the key stands twice"},
		"key that is null": {"~: 1", `["~"] (line 1): unknown key; write applies, `},
		"key of a list":    {"? [a]\n: b", "line 1: a key must be text"},
		"tag":              {"title: !!map {en: A}", "title (line 1): tags are not supported"},
		"anchor":           {"title: &t {en: A}\nnotes: [*t]", "title (line 1): anchors and aliases are not supported\nnotes[0] (line 2): anchors and aliases are not supported"},
		"anchor at a key":  {"&k title: {en: A}", "line 1: anchors and aliases are not supported"},
		"nested too deep":  {"title: " + strings.Repeat("[", 70) + strings.Repeat("]", 70), "nested more than 64 deep"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := overlayProblems(t, test.text); !strings.Contains(got, test.want) {
				t.Errorf("problems\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestReadOverlay_BombsAreCheap(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a: &a [x, x, x, x, x, x, x, x, x]\n")
	for name := 'b'; name <= 'z'; name++ {
		fmt.Fprintf(&bomb, "%c: &%c [%s]\n", name, name, strings.Repeat("*"+string(name-1)+", ", 9))
	}
	names := "levels: {" + strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: {}, ", 4000) + "}"
	for name, text := range map[string]string{
		"aliases":    bomb.String(),
		"nesting":    "levels: " + strings.Repeat("{a: ", 60_000),
		"flow lists": "levels: " + strings.Repeat("[", 200_000),
		"same keys":  names,
		"merge":      "levels: {<<: {<<: {a: 1}}}",
		"lists":      "not_informed: [" + strings.Repeat("a, ", 80_000) + "]",
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			overlayProblems(t, text)
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestApply_TooManyColumns(t *testing.T) {
	var fields, splits []string
	for i := range 1400 {
		fields = append(fields, fmt.Sprintf("f%d string", i))
	}
	for i := range 51 {
		splits = append(splits, fmt.Sprintf("f%d: {dimension: x, split: true}", i))
	}
	p := read(t, several("", schema(fields...)))
	_, err := readOverlay(t, "{dimensions: {x: {}}, levels: {"+strings.Join(splits, ", ")+"}}").Apply(p)
	if err == nil || !strings.Contains(err.Error(), `levels.f50 (line 1): no room for "f50_cell": at most 1500 fields are supported`) {
		t.Errorf("Apply gave %v", err)
	}
}
