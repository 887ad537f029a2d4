package points_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/store/load/points"
)

func TestNew_CleansCells(t *testing.T) {
	for _, test := range []struct {
		field cube.Field
		cells string // as published and as facts have them, by turns
	}{
		{cube.Field{Type: "number", Decorated: true}, "$1,107.60|1,107.60|-$7|-7|$-7|-7|95 %|95|1.200 EUR|1.200|Fr.100|100|$.50|.50|n/a|n/a|($7)|-7|£1,000.00-|-1,000.00|1,100.50 Cr|-1,100.50|7CR.|-7|7 Dr|7|CRC 7|7|1,100/-|1,100|Fr. 12.-|12"},
		{cube.Field{Type: "boolean"}, "1|true|TRUE|true|0|false|False|false|yes|yes!"},
		{cube.Field{Type: "boolean", True: []string{"da"}, False: []string{"ne"}}, "da|true|ne|false|1|1!"},
		{cube.Field{Type: "date"}, "2015-02-01|2015-02-01|2015-13-01|2015-13-01!|2016-02-29|2016-02-29|2016-02-30|2016-02-30!|1.2.2015|1.2.2015!"},
		{cube.Field{Type: "date", Format: "%d/%m/%y"}, "1/2/15|2015-02-01|1/2/98|1998-02-01"},
		{cube.Field{Type: "date", Format: "%B %d, %Y"}, "March 5, 2016|2016-03-05|Marzo 5, 2016|2016-03-05|5 March 2016|5 March 2016!"},
		{cube.Field{Type: "date", Format: "any"}, "2015/02/01|2015-02-01|01.02.2015|2015-02-01|2015|2015"},
		{cube.Field{Type: "date", Format: "%Y %Y %("}, "2015 2015 x|2015"},
		{cube.Field{Type: "datetime"}, "2015-02-01T10:00:00Z|2015-02-01T10:00:00"},
		{cube.Field{Type: "datetime", Format: "%m/%d/%Y %I:%M %p"}, "02/01/2015 1:05 PM|2015-02-01T13:05|02/01/2015 12:05 AM|2015-02-01T00:05"},
		{cube.Field{Type: "yearmonth"}, "2015-02|2015-02"},
		{cube.Field{Type: "string", Missing: []string{"-", ""}}, "-||x|x"},
	} {
		var mistakes []string
		m, err := points.New(&cube.Resource{Schema: cube.Schema{Fields: []cube.Field{test.field}}}, nil, func(m points.Mistake) { mistakes = append(mistakes, m.Cell) })
		if err != nil {
			t.Fatal(err)
		}
		cells := strings.Split(test.cells, "|")
		for i := 0; i+1 < len(cells); i += 2 {
			mistakes = nil
			want, wrong := strings.CutSuffix(cells[i+1], "!")
			_ = m.Each([]string{cells[i]}, func(made []string) error {
				if made[0] != want || (len(mistakes) > 0) != wrong {
					t.Errorf("%s %s: %q gives %q with mistakes %q, want %q", test.field.Type, test.field.Format, cells[i], made[0], mistakes, cells[i+1])
				}
				return nil
			})
		}
	}
}

// The descriptor gives fields values of their types alone.
func TestNew_RefusesConstantsOfOtherTypes(t *testing.T) {
	for _, test := range []struct{ kind, text, bad string }{
		{"date", "31.31.2015", "date"}, {"date", "2015-12-31", ""}, {"boolean", "perhaps", "boolean"}, {"boolean", "true", ""}, {"number", "abc", "number"}, {"number", "1.5", ""}, {"date", "n/a", ""}, {"string", "abc", ""},
	} {
		r := &cube.Resource{Schema: cube.Schema{Fields: []cube.Field{{Name: "x", Type: test.kind}}, MissingValues: []string{"n/a"}},
			Points: &cube.Points{PerRow: []cube.Point{{Cells: []cube.PointCell{{From: cube.OriginConstant, Text: test.text}}}}}}
		_, err := points.New(r, nil, nil)
		var bad *points.BadConstant
		if errors.As(err, &bad) != (test.bad != "") || err != nil && !strings.Contains(err.Error(), "\""+test.text+"\", which is no "+test.bad) {
			t.Errorf("%s %q: %v", test.kind, test.text, err)
		}
	}
}

func TestNeeded_NotOfPlainRows(t *testing.T) {
	r := &cube.Resource{Schema: cube.Schema{MissingValues: []string{"", "-"}, Fields: []cube.Field{{Type: "string"}, {Type: "integer", Missing: []string{"-"}}, {Type: "number"}, {Type: "any"}}}}
	if points.Needed(r) {
		t.Error("rows of texts and numbers are data points")
	}
	r.Schema.Fields[2].Decorated = true
	if !points.Needed(r) {
		t.Error("signs around numbers are taken away")
	}
}

func rowsOf(rows ...string) points.Rows {
	return iter.Seq2[[]string, error](func(yield func([]string, error) bool) {
		for _, row := range rows {
			if !yield(strings.Split(row, ","), nil) {
				return
			}
		}
	})
}

// A row of two amounts, with a code list of two keys.
func TestEach(t *testing.T) {
	column := func(i int) cube.PointCell { return cube.PointCell{From: cube.OriginColumn, Column: i} }
	unique := &cube.Constraints{Unique: true} // of the rows, not of their data points
	listed := cube.PointCell{From: cube.OriginList, Column: 2}
	year := func(text string) cube.PointCell { return cube.PointCell{From: cube.OriginConstant, Text: text} }
	r := &cube.Resource{Schema: cube.Schema{Fields: []cube.Field{{Name: "code", Constraints: unique}, {Name: "name"}, {Name: "year"}, {Name: "amount"}}}, Points: &cube.Points{
		File:   []cube.Field{{Name: "of"}, {Name: "code"}, {Name: "a"}, {Name: "b"}},
		Lists:  []cube.CodeList{{Resource: "codes", Fields: []cube.Field{{Name: "code"}, {Name: "of"}, {Name: "name"}}, On: []int{0, 1}, Keys: []int{1, 0}, Missing: []string{"-"}}},
		PerRow: []cube.Point{{Cells: []cube.PointCell{column(1), listed, year("2015"), column(2)}}, {Cells: []cube.PointCell{column(1), listed, year("2016"), {}}}},
	}}
	var got []string
	m, err := points.New(r, []points.Rows{rowsOf("1,x,One", "2,x,-", "1,y, Other ")}, func(m points.Mistake) { got = append(got, fmt.Sprint(m)) })
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"x,1,10,20", "y,1,5,6", "x,2,,", "y,9,1,1", ",,3,3"} {
		if err := m.Each(strings.Split(row, ","), func(cells []string) error { got = append(got, strings.Join(cells, ",")); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	want := "1,One,2015,10|1,One,2016,|{constraint-broken code 1  unique}|1,Other,2015,5|1,Other,2016,|2,,2015,|2,,2016,|{code-not-listed of y, 9 codes }|9,,2015,1|9,,2016,|,,2015,3|,,2016,"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("%q\nwant\n%q", text, want)
	}
	_, err = points.New(r, []points.Rows{rowsOf("1,x,One", "1,x,Two")}, nil)
	if err == nil || !strings.Contains(err.Error(), `the code list codes has the code "x, 1" twice in `) {
		t.Error(err)
	}
	ended := errors.New("ended")
	if err := m.Each([]string{"x", "1", "", ""}, func([]string) error { return ended }); !errors.Is(err, ended) {
		t.Error(err)
	}
}

func TestEach_ChecksConstraints(t *testing.T) {
	var got []string
	fields := []cube.Field{
		{Name: "r", Type: "string", Constraints: &cube.Constraints{Required: true, Unique: true, MaxLength: 3}},
		{Name: "n", Type: "number", DecimalChar: ",", GroupChar: ".", Constraints: &cube.Constraints{Minimum: "0", Maximum: "1500.5"}},
		{Name: "e", Type: "string", Constraints: &cube.Constraints{Enum: []string{"a", "b"}, MinLength: 1}},
		{Name: "p", Type: "string", Constraints: &cube.Constraints{Pattern: "a|b+"}},
	}
	m, err := points.New(&cube.Resource{Schema: cube.Schema{Fields: fields}}, nil, func(m points.Mistake) { got = append(got, m.Field+" "+m.Constraint) })
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"x|1.500,5|a|bb", "x|1.500,51|c|ab", "|-1||", "long|0|b|a"} {
		_ = m.Each(strings.Split(row, "|"), func([]string) error { return nil })
	}
	if want := "r unique, n maximum, e enum, p pattern, r required, n minimum, r maxLength"; strings.Join(got, ", ") != want {
		t.Errorf("%q", got)
	}
}
