package cube_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

// show prints a filter as it will be tested: alternatives joined by or, their tests by and.
func show(f cube.Filter) string {
	var alternatives []string
	for _, tests := range f.Any {
		var all []string
		for _, test := range tests {
			all = append(all, showTest(test))
		}
		alternatives = append(alternatives, strings.Join(all, " and "))
	}
	text := strings.Join(alternatives, " or ")
	if f.Not {
		return "not (" + text + ")"
	}
	return text
}

func showTest(test cube.Test) string {
	if m := test.Members; m != nil {
		return fmt.Sprintf("%s of %s (%d columns) called %q or with %q", test.Column.Name, m.Level.Ref, len(m.Path), m.Labels, m.Parts)
	}
	if len(test.In) == 0 {
		return test.Column.Name + " " + showValue(test.From) + ".." + showValue(test.To)
	}
	var values []string
	for _, v := range test.In {
		values = append(values, showValue(v))
	}
	return test.Column.Name + " = " + strings.Join(values, ",")
}

func showValue(v cube.Value) string {
	if v.IsMissing() {
		return "missing"
	}
	if n, ok := v.Int(); ok {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%q", v.String())
}

func TestCutsBind(t *testing.T) {
	for _, tt := range []struct{ name, cut, want string }{
		{"a text code keeps its zeros", "admin1_code:020", `admin1_code = "020"`},
		{"a text code of digits is text", "admin1_code:20", `admin1_code = "20"`},
		{"a whole number loses its zeros", "Year:02016", "Year = 2016"},
		{"a negative number", "quarter:-1", "quarter = -1"},
		{"the largest number", "Year:9223372036854775807", "Year = 9223372036854775807"},
		{"the missing text", "admin1_code:", "admin1_code = missing"},
		{"the missing number", `quarter:""`, "quarter = missing"},
		{"a set is sorted and holds each once", "Year:2017;2016;2017;02016", "Year = 2016,2017"},
		{"text sorts by length, then bytes, missing last", "admin1_code:10;;9;1;ž", `admin1_code = "1","9","ž","10",missing`},
		{"all but a set", "!admin1_code:b;a", `not (admin1_code = "a","b")`},
		{"a closed range", "Year:2016..2018", "Year 2016..2018"},
		{"a range from", "admin1_code:06..", `admin1_code "06"..missing`},
		{"a range to", "Year:..2018", "Year missing..2018"},
		{"bounds of numbers may differ in length", "Year:9..10", "Year 9..10"},
		{"bounds of text are as long as their characters", "admin1_code:č1..ž9", `admin1_code "č1".."ž9"`},
		{"values come before ranges", "Year:2020..;2016;..2010;2015", "Year = 2015,2016 or Year 2020..missing or Year missing..2010"},
		{"a slash belongs to the value of a field", "admin1_code:a/b", `admin1_code = "a/b"`},
		{"a slash at the end too", "admin1_code:010/", `admin1_code = "010/"`},
		{"a field named with its dimension", "administrative-classification.admin1_code:a", `admin1_code = "a"`},
		{"a field below the top is tested alone", "admin2_code:02", `admin2_code = "02"`},
		{"a path on a dimension", "administrative-classification:010/02", `admin1_code = "010" and admin2_code = "02"`},
		{"the beginning of a path", "administrative-classification:010", `admin1_code = "010"`},
		{"the missing child of a member", "administrative-classification:010/", `admin1_code = "010" and admin2_code = missing`},
		{"whole and begun paths", "administrative-classification:010/02;020;030/01;010",
			`admin1_code = "010","020" or admin1_code = "010" and admin2_code = "02" or admin1_code = "030" and admin2_code = "01"`},
		{"a slash inside a quoted key", `administrative-classification:"010/02"`, `admin1_code = "010/02"`},
		{"a path is typed level by level", "date:2016/04", "Year = 2016 and quarter = 4"},
		{"a path through what a level is within", "programa:R/23/1",
			`ID_MODALIDAD = "R" and ID_RAMO = "23" and ID_PP = "1"`},
		{"a slash on a dimension of one level belongs to the value", "linea:a/b", `line_id = "a/b"`},
		{"terms are sorted by their text", "admin1_code:b|Year:1|!admin1_code:a",
			`not (admin1_code = "a"); Year = 1; admin1_code = "b"`},
		{"a term asked twice counts once", "Year:1;2|Year:2;1|date.Year:1;2", "Year = 1,2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var shown []string
			for _, f := range mustAsk(t, "cut="+tt.cut).Filters() {
				shown = append(shown, show(f))
			}
			if got := strings.Join(shown, "; "); got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.cut, got, tt.want)
			}
		})
	}
}

func TestCutsThatCannotBind(t *testing.T) {
	const slash = ` (write a slash that belongs to a code inside quotes: "a/b")`
	for _, tt := range []struct {
		name, cut string
		code      cube.Code
		want      string
	}{
		{"text for a number", "Year:2016;MMXVI", cube.CodeBadValue, `cut at 10: Year holds whole numbers, and "MMXVI" is none (write digits alone, as 2016)`},
		{"decimals for a number", "Year:2016.5", cube.CodeBadValue, `cut at 5: Year holds whole numbers, and "2016.5" is none (write digits alone, as 2016)`},
		{"a space before a number", "Year: 2016", cube.CodeBadValue, `cut at 5: Year holds whole numbers, and " 2016" is none (write digits alone, as 2016)`},
		{"a number of more than 64 bits", "Year:9223372036854775808", cube.CodeBadValue,
			`cut at 5: Year holds whole numbers, and "9223372036854775808" is none (write digits alone, as 2016)`},
		{"text as the bound of a range of numbers", "quarter:1..I", cube.CodeBadValue,
			`cut at 8: quarter holds whole numbers, and "I" is none (write digits alone, as 2016)`},
		{"a path on a field of numbers", "Year:2016/1", cube.CodeBadValue,
			`cut at 5: Year holds whole numbers, and "2016/1" is none (write digits alone, as 2016)`},
		{"bounds of text of unequal length", "admin1_code:9..10", cube.CodeBadValue,
			`cut at 12: the bounds "9" and "10" differ in length (keys of text compare only at one length, as 01..12)`},
		{"bounds of equal bytes and unequal characters", "admin1_code:ab..č", cube.CodeBadValue,
			`cut at 12: the bounds "ab" and "č" differ in length (keys of text compare only at one length, as 01..12)`},
		{"a range on a dimension", "date:1..2", cube.CodeBadValue, "cut at 5: a range needs a level (name one of Year, quarter)"},
		{"a path longer than its dimension", "Year:1|date:1/2/3", cube.CodeBadValue,
			"cut at 12: the path has 3 keys, its dimension 2 levels" + slash},
		{"a slash too many", "administrative-classification:010//", cube.CodeBadValue,
			"cut at 30: the path has 3 keys, its dimension 2 levels" + slash},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ask(t, "cut="+tt.cut)
			wantError(t, err, tt.code, tt.want)
		})
	}
}

func TestCutsAreLimited(t *testing.T) {
	values := func(n int) string { return strings.TrimSuffix(strings.Repeat("1;", n), ";") }
	if _, err := ask(t, "cut=Year:"+values(4_000)+"|quarter:"+values(6_000)); err != nil {
		t.Errorf("10,000 values: %v", err)
	}
	_, err := ask(t, "cut=Year:"+values(4_000)+"|quarter:"+values(6_001))
	wantError(t, err, cube.CodeTooLarge, "cut at 8005: the cuts name more than 10000 values")
}

func TestCutsAreToldBack(t *testing.T) {
	for _, tt := range []struct{ name, cut, want string }{
		{"exact values as one item", "Year:2017;2016", "Year: [2016 2017]"},
		{"a range by its bounds", "Year:2016..", "Year: [2016 missing]"},
		{"a path by its keys", "date:2016/;2017", "date: [2017] [2016 missing]"},
		{"a field by its bare name", "date.Year:1", "Year: [1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := mustAsk(t, "cut="+tt.cut).Filters()[0]
			got := f.Ref + ":"
			for _, item := range f.Echo {
				var values []string
				for _, v := range item.Values {
					values = append(values, showValue(v))
				}
				got += fmt.Sprintf(" %v", values)
			}
			if got != tt.want || len(f.Echo) != len(f.Any) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
