package sqlgen_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// A cut on labels looks at no more than it must: at the path alone if no code of the level is reused, and at the member table
// if all years count.
func TestCells_LabelsOfTheYearsAdmitted(t *testing.T) {
	none := &cube.LabelHistory{}
	reused := &cube.LabelHistory{Breaks: []cube.LabelBreak{{Level: "admin2_code", Reused: true}, {Level: "admin1_code"}}}
	const path, label = `(f."admin1_code", f."admin2_code") IN (SELECT `, `f.p0, f.p1 FROM member."l7_3" AS f WHERE `
	for _, tt := range []struct {
		name, cut string
		history   *cube.LabelHistory
		want      string
	}{
		{"an earlier load", "Year:2016|admin2_label:a", nil, path + label + `f.label IN ($2))`},
		{"a text, an earlier load", "Year:2016|admin2_code:~a", nil, path + `f.p0, f.p1 FROM member."m7_3" AS f WHERE (strpos(f._fold, $2) > 0))`},
		{"all years", "admin2_label:a", none, path + label + `f.label IN ($1))`},
		{"a text in all years", "admin2_code:~a", none, path + `f.p0, f.p1 FROM member."m7_3" AS f WHERE (strpos(f._fold, $1) > 0))`},
		{"some years", "!Year:2016|admin2_label:a", none, path + label + `(f."_year" = $2) IS NOT TRUE AND f.label IN ($3))`},
		{"a text in some years", "Year:2016..|admin2_code:~a", none, path + label + `((f."_year" >= $2)) AND (strpos(f._fold, $3) > 0))`},
		{"codes of another level are reused", "admin1_label:a", reused, `(f."admin1_code") IN (SELECT f.p0 FROM member."l7_2" AS f WHERE f.label IN ($1))`},
		{"reused codes", "Year:2016|admin2_label:a", reused,
			`(f."admin1_code", f."admin2_code", f."Year") IN (SELECT h.p0, h.p1, h._year FROM member."l7_3" AS h WHERE ` +
				`(h.p0, h.p1, h._meaning) IN (SELECT f.p0, f.p1, f._meaning FROM member."l7_3" AS f WHERE (f."_year" = $2) AND f.label IN ($3)))`},
		{"a text, reused codes", "admin2_code:~a", reused,
			`(f."admin1_code", f."admin2_code", f."Year") IN (SELECT h.p0, h.p1, h._year FROM member."l7_3" AS h WHERE ` +
				`(h.p0, h.p1, h._meaning) IN (SELECT f.p0, f.p1, f._meaning FROM member."l7_3" AS f WHERE (strpos(f._fold, $1) > 0)))`},
		{"the year determines the label", "Year:2016|quarter_label:a", reused, `FROM member."l7_1" AS f WHERE f.label IN ($2))`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			statement := sqlgen.Cells(bind(t, "aggregates=_count&cut="+tt.cut, tt.history).Main())
			if !strings.Contains(statement.Text, tt.want) {
				t.Errorf("got\n%s\n%s\nwithout %s", statement.Text, fmt.Sprint(statement.Args), tt.want)
			}
			if strings.Contains(statement.Text, "_meaning") != strings.Contains(tt.want, "_meaning") {
				t.Errorf("got\n%s", statement.Text)
			}
		})
	}
}
