package sqlgen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

func TestViewNames(t *testing.T) {
	long := strings.Repeat("ñ", 32)
	for _, tt := range []struct {
		name, pkg string
		want      []string
	}{
		{"as it is", `It's "A"`, []string{`It's "A"`, `It's "A" (all)`}},
		{"the longest with room for all", strings.Repeat("x", 57), []string{strings.Repeat("x", 57), strings.Repeat("x", 57) + " (all)"}},
		{"too long for all", strings.Repeat("x", 63), []string{strings.Repeat("x", 63), strings.Repeat("x", 40) + " 75220b47218278e6 (all)"}},
		{"too long", long, []string{strings.Repeat("ñ", 20) + " 72527e351e9b5992", strings.Repeat("ñ", 20) + " 72527e351e9b5992 (all)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := sqlgen.ViewNames(tt.pkg)
			for _, name := range got {
				if len(name) > 63 || !utf8.ValidString(name) {
					t.Errorf("PostgreSQL would cut %q", name)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if a, b := sqlgen.ViewNames(long+"a"), sqlgen.ViewNames(long+"b"); a[0] == b[0] || a[1] == b[1] {
		t.Errorf("two packages have the views %q and %q", a, b)
	}
}

// TestViews reads the definitions of the views of the snapshot fixture: one of its measures adds up.
func TestViews(t *testing.T) {
	version := monthly(t)
	version.Name, version.Resources = "stated", []cube.Resource{{Name: "a's"}, {Name: `\b`}}
	views, err := sqlgen.Views(version)
	if err != nil {
		t.Fatal(err)
	}
	const guard = `((f."Year" IN (2016, 2017) OR f."Year" IS NULL) AND f."month" = '12') OR (f."Year" = 2018 AND f."month" = '06')`
	const resource = `CASE f."_resource" WHEN 0 THEN 'a''s' WHEN 1 THEN E'\\b' END AS "_resource", f."_line" AS "_line", ` +
		`CASE WHEN f."Year" BETWEEN 1 AND 9999 THEN make_date(CAST(f."Year" AS integer), 1, 1) END AS "_period" FROM fact."f7" AS f`
	for i, want := range []string{
		`CREATE OR REPLACE VIEW cube."stated" AS SELECT f."Year" AS "Year", f."month" AS "month", ` +
			`CASE WHEN ` + guard + ` THEN f."plan" END AS "plan", f."flow" AS "flow", ` + resource,
		`CREATE OR REPLACE VIEW cube."stated (all)" AS SELECT f."Year" AS "Year", f."month" AS "month", ` +
			`f."plan" AS "plan", f."flow" AS "flow", ` + resource,
	} {
		if got := views[i].Create(nil); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestViews_ShowLabels looks at the labels of levels that need others, that may be missing, whose members have one year, and that
// are not listed.
func TestViews_ShowLabels(t *testing.T) {
	views, err := sqlgen.Views(&cube.Cube{Package: &cube.Package{Name: "p", Model: newModel(t)}, ID: 7})
	if err != nil {
		t.Fatal(err)
	}
	text := views[0].Create(nil)
	for _, want := range []string{
		`coalesce(nullif(m3.label, ''), f."admin2_code") AS "admin2_label"`,
		`coalesce(nullif(m1.label, ''), CAST(f."quarter" AS text), '') AS "quarter_label"`,
		`f."line_label" AS "line_label"`,
		`LEFT JOIN (SELECT l.p0 AS k0, l.p1 AS k1, l._year AS k2, max(coalesce(nullif(l.label, ''), m.label)) AS label ` +
			`FROM member."l7_3" AS l JOIN member."m7_3" AS m ON m.p0 = l.p0 AND m.p1 = l.p1 WHERE l._shown GROUP BY 1, 2, 3) AS m3 ` +
			`ON m3.k0 = f."admin1_code" AND m3.k1 = f."admin2_code" AND m3.k2 = f."Year"`,
		`LEFT JOIN (SELECT l.p0 IS NULL AS k0, coalesce(l.p0, 0) AS k1, l.p1 AS k2, l._year AS k3, ` +
			`max(coalesce(nullif(l.label, ''), m.label)) AS label FROM member."l7_5" AS l JOIN member."m7_5" AS m ` +
			`ON (m.p0 IS NULL) = (l.p0 IS NULL) AND coalesce(m.p0, 0) = coalesce(l.p0, 0) AND m.p1 = l.p1 WHERE l._shown GROUP BY 1, 2, 3, 4) AS m5 ` +
			`ON m5.k0 = (f."quarter" IS NULL) AND m5.k1 = coalesce(f."quarter", 0) AND m5.k2 = f."prog_code" AND m5.k3 = f."Year"`,
		`LEFT JOIN (SELECT l.p0 AS k0, l.p1 IS NULL AS k1, coalesce(l.p1, 0) AS k2, max(l.label) AS label FROM member."m7_1" AS l GROUP BY 1, 2, 3) AS m1 ` +
			`ON m1.k0 = f."Year" AND m1.k1 = (f."quarter" IS NULL) AND m1.k2 = coalesce(f."quarter", 0)`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestViews_KeepTheirColumns gives a view that stands with other columns.
func TestViews_KeepTheirColumns(t *testing.T) {
	views, err := sqlgen.Views(monthly(t))
	if err != nil {
		t.Fatal(err)
	}
	text := views[0].Create([]string{"_line", "month", "gone"})
	var order []int
	for _, name := range []string{"_line", "month", "Year", "plan", "flow", "_resource"} {
		order = append(order, strings.Index(text, fmt.Sprintf(` AS %q`, name)))
	}
	if !slices.IsSorted(order) || order[0] < 0 {
		t.Errorf("the columns stand at %d of\n%s", order, text)
	}
}
