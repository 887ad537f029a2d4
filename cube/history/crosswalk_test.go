package history_test

import (
	"fmt"
	"testing"

	"fiscube/cube"
	"fiscube/cube/history"
)

// offices is a level that is numbered anew from 2012 and from 2015, of which one member is known in all editions and one in the last two.
func offices(t *testing.T) *history.Crosswalk {
	t.Helper()
	edition := cube.Column{Name: "office_edition", Type: cube.TypeInteger, From: &cube.Derivation{Rule: cube.RuleEdition, Fields: []string{"year"}, Years: []int64{2010, 2012, 2015}}}
	m, err := cube.NewModel([]cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, edition, {Name: "office", Type: cube.TypeText}}, []cube.Dimension{
		{Name: "editions", Levels: []cube.Level{{Ref: "office_edition"}}}, {Name: "who", Levels: []cube.Level{{Ref: "office", Edition: "office_edition", SameAs: []cube.SameMember{
			{Path: []string{"2012", "20"}, SameAs: []string{"2010", "10"}}, {Path: []string{"2015", "30"}, SameAs: []string{"2012", "20"}},
			{Path: []string{"2015", "31"}, SameAs: []string{"2012", "21"}}}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	level, _ := m.LevelOfKey("office")
	return history.NewCrosswalk(m, level)
}

func TestCrosswalk_In(t *testing.T) {
	w := offices(t)
	for _, tt := range []struct {
		path        []string
		year, there int64
		want        string
	}{
		{[]string{"2010", "10"}, 2011, 2016, "[2015 30] true"},
		{[]string{"2015", "30"}, 2016, 2010, "[2010 10] true"},
		{[]string{"2012", "20"}, 2012, 2014, "[2012 20] true"},
		{[]string{"2012", "21"}, 2013, 2010, "[] false"}, // it is new
		{[]string{"2010", "10"}, 2016, 2017, "[] false"}, // no member of the year
	} {
		path, ok := w.In(tt.path, tt.year, tt.there)
		if got := fmt.Sprint(path, ok); got != tt.want {
			t.Errorf("%v of %d in %d is %s, want %s", tt.path, tt.year, tt.there, got, tt.want)
		}
	}
}

// Members are named by code, and are those of each edition that has it; a code beside a year is that of its edition alone.
func TestNamed(t *testing.T) {
	n := offices(t).AnyMember()
	if n.HaveKeys() {
		t.Error("any member has a key")
	}
	codes := []cube.Value{cube.Text("20"), cube.Text("21")}
	if !n.Restrict([]map[string][]cube.Value{{"office": codes}}) || !n.HaveKeys() {
		t.Error("two codes are no whole paths")
	}
	if got, want := fmt.Sprint(n.Of(2013), n.SameIn(2013, 2010)), "[[2012 20] [2012 21]] [[[2012 20] [2010 10]]]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !n.Restrict([]map[string][]cube.Value{{"office_edition": {cube.Integer(2015)}}}) || len(n.Of(2013)) != 0 || len(n.Of(2015)) != 2 {
		t.Errorf("of the edition of 2015: %v in 2013, %v in 2015", n.Of(2013), n.Of(2015))
	}
	many := make([]cube.Value, 10_001)
	for i := range many {
		many[i] = cube.Text(fmt.Sprint(i))
	}
	if all := offices(t).AnyMember(); all.Restrict([]map[string][]cube.Value{{"office": many}}) || len(all.Of(2013)) != 1 {
		t.Errorf("too many codes leave %d members", len(all.Of(2013)))
	}
}

func TestSpan_Crosses(t *testing.T) {
	renamed := &cube.LabelBreak{Level: "office", Path: []string{"1"}, Last: 2014, First: 2016}
	years := []int64{2013, 2014, 2016, 2017}
	alone, compared := history.Span{Years: years, Covered: years}, history.Span{Years: years, Covered: years, Compared: true, Offset: -2}
	for _, tt := range []struct {
		span     history.Span
		years    []int64
		labelled bool
		want     string
	}{
		{alone, years, false, "true: sums true, compares false, names false"},
		{alone, []int64{2013, 2014}, false, "false: sums false, compares false, names false"},
		{alone, []int64{2013, 2014}, true, "true: sums false, compares false, names true"},
		{alone, []int64{2016}, true, "false: sums false, compares false, names false"},
		{compared, []int64{2016}, true, "true: sums false, compares true, names false"},
		{compared, []int64{2017}, true, "false: sums false, compares false, names false"}, // 2015 has no rows
		{alone, nil, true, "false: sums false, compares false, names false"},
	} {
		c, crosses := tt.span.Crosses(renamed, tt.years, tt.labelled)
		if got := fmt.Sprintf("%v: sums %v, compares %v, names %v", crosses, c.Sums, c.Compares, c.Names); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.years, got, tt.want)
		}
	}
}
