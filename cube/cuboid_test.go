package cube_test

import (
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/internal/each"
)

func TestColumn_IsScaled(t *testing.T) {
	for _, tt := range []struct {
		name   string
		column cube.Column
		scaled bool
	}{
		{"amounts have 18 digits", cube.Column{Type: cube.TypeDecimal, Digits: 16, Scale: 2}, true},
		{"amounts have 19 digits", cube.Column{Type: cube.TypeDecimal, Digits: 16, Scale: 3}, false},
		{"whole numbers of 64 bits", cube.Column{Type: cube.TypeInteger, Digits: 19}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.column.IsScaled(); got != tt.scaled {
				t.Errorf("IsScaled is %t", got)
			}
		})
	}
}

func TestModel_ComparePaths(t *testing.T) {
	draft := cube.Draft{
		Columns: []cube.Column{
			{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "cut", Type: cube.TypeText}, {Name: "code", Type: cube.TypeText},
		},
		Dimensions: []cube.Dimension{
			{Name: "date", Levels: []cube.Level{{Ref: "year"}, {Ref: "cut", Parent: "year"}}},
			{Name: "other", Levels: []cube.Level{{Ref: "code"}}},
		},
		Snapshots: &cube.Snapshots{By: "cut", Per: []string{"year"}, Order: []string{"mid", "end", ""}},
	}
	m, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string]string{
		"year": "2/9/10/-",
		"cut":  "2 mid/2 end/2 a/2 zz/2 -/10 mid/10 zz/- end/- -",
		"code": "9/b/10/-",
	} {
		t.Run(level, func(t *testing.T) {
			l, _ := m.Level(level)
			var paths [][]cube.Value
			for text := range strings.SplitSeq(want, "/") {
				var path []cube.Value
				for i, key := range strings.Fields(text) {
					column, _ := m.Column(l.Path[i])
					value, err := column.Value(strings.Trim(key, "-"))
					if err != nil {
						t.Fatal(err)
					}
					path = append(path, value)
				}
				paths = append(paths, path)
			}
			slices.Reverse(paths)
			slices.SortFunc(paths, m.ComparePaths(l))
			var got []string
			for _, path := range paths {
				got = append(got, strings.Join(each.Text(path, func(v cube.Value) string {
					if v.IsMissing() {
						return "-"
					}
					return v.String()
				}), " "))
			}
			if got := strings.Join(got, "/"); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
