package describe_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube/words"
	"fiscube/store/describe"
	"fiscube/store/load"
)

// Levels are where a person puts them, with the names that a person says; what cannot be is refused at its level.
func TestRead_LevelsWhereAPersonPutsThem(t *testing.T) {
	files := fstest.MapFS{"a.csv": {Data: []byte(rows("year,office,office_name,unit,unit_name,kind,plan,paid", 60, func(n int) string {
		return fmt.Sprintf("%d,%02d,Office %c,%02d%d,Unit %c,k%d,1.5,2.5", 2022+n/20, n%3+1, 'A'+n%3, n%3+1, n%6, 'A'+n%6, n%2)
	}))}}
	levels := func(o describe.Options) (string, error) {
		d, err := describe.Read(t.Context(), files, []string{"a.csv"}, o, load.Silent{})
		if err != nil {
			return "", err
		}
		if err := d.Check(t.Context(), load.Silent{}); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
		d.Questions() // each has its text
		var found []string
		for _, l := range d.Levels() {
			found = append(found, fmt.Sprintf("%s in %s below %s named %s", l.Field, l.Dimension, l.Parent, l.Label))
		}
		return strings.Join(found[1:], "; "), nil
	}
	for _, tt := range []struct {
		parents, labels map[string]string
		want, level     string
	}{
		{nil, nil, "office in administrative-classification below  named office_name; unit in administrative-classification below office named unit_name; kind in kind below  named ", ""},
		{map[string]string{"unit": describe.Nowhere, "kind": "office"}, map[string]string{"unit": describe.Nowhere},
			"office in administrative-classification below  named office_name; unit in administrative-classification below  named ; unit_name in administrative-classification below unit named ; " +
				"kind in administrative-classification below office named ", ""},
		{map[string]string{"office": "kind"}, map[string]string{"unit": "office_name"},
			"office in kind below kind named ; unit in kind below office named office_name; unit_name in kind below unit named ; kind in kind below  named ", ""},
		{map[string]string{"office": "unit"}, nil, "office cannot lie below unit, which lies below it", "office"},
		{map[string]string{"kind": "plan"}, nil, "plan is no level below which kind can lie", "kind"},
		{map[string]string{"kind": "year"}, nil, "year is no level below which kind can lie", "kind"},
		{nil, map[string]string{"kind": "kind"}, "kind cannot have the names of kind", "kind"},
	} {
		got, err := levels(describe.Options{Parents: tt.parents, Labels: tt.labels})
		var wrong *describe.Misplaced
		if errors.As(err, &wrong) && wrong.Level == tt.level {
			got = err.Error()
		}
		if got != tt.want || (err != nil) != (tt.level != "") {
			t.Errorf("%v, %v: %s, %v", tt.parents, tt.labels, got, err)
		}
	}
}

// What files are described with has a text in the catalogues.
func TestSay_EveryCodeHasAText(t *testing.T) {
	paths, _ := filepath.Glob("*.go")
	said := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`\b(?:say|doubt)\("([a-z-]*[a-z])"`).FindAllSubmatch(text, -1) {
			if said++; !words.Has("evidence." + string(call[1])) {
				t.Errorf("%s says %s, which has no text", path, call[1])
			}
		}
	}
	if said < 60 {
		t.Errorf("only %d calls are found", said)
	}
}
