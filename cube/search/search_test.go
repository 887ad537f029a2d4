package search

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/golden"
)

// one is an index of one cube with a few members of each kind.
func one(t testing.TB) *Index {
	t.Helper()
	m := newMade()
	c := budget(t, 1, "croatia", "Croatia: state budget")
	m.serve(c)
	m.put(c, "year", plan.MemberRow{Path: []cube.Value{cube.Integer(2014)}, Label: cube.Text("2014"), Rows: 7})
	m.put(c, "area",
		row(90, []string{"010"}, "Hrvatski sabor", "Sabor Republike Hrvatske"),
		row(80, []string{"020"}, "Ministarstvo obrazovanja"),
		row(70, []string{"10"}, "Educación y cultura"),
		row(60, []string{"GOV"}, "Government offices"),
		row(50, []string{""}, "Nobody's"))
	m.put(c, "unit",
		row(9, []string{"020", "02001"}, "Educación"),
		row(8, []string{"020", "02002"}, "Educación especial"),
		row(7, []string{"020", ""}, "Žepče, Đakovo i Straße"),
		row(6, []string{"010", "02001"}, "Centro de educación"),
		row(5, []string{"010", "010"}, "National health institute"),
		row(4, []string{"010", "011"}, "Institute of healthy ageing"),
		row(3, []string{"", "7"}, "(no words)"),
		row(2, []string{"", ""}))
	m.put(c, "fund", row(40, []string{"Solidarity fund"}), row(30, []string{"F-01.2"}))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestFind(t *testing.T) {
	x := one(t)
	golden.Answers(t, "testdata/found.txt", func(text string) string {
		return cmp.Or(strings.Join(find(t, x, text), "\n"), "nothing")
	})
}

// Members of one level are found by what they mean and with slips, also those that are the same as the one above them.
func TestFindMembers(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "croatia", "Croatia")
	m.serve(c)
	m.put(c, "area", row(9, []string{"1"}, "Ministarstvo obrane"), row(8, []string{"2"}, "Sabor"))
	m.put(c, "unit", row(9, []string{"1", "3"}, "Ministarstvo obrane"), row(2, []string{"2", "4"}, "Ured"))
	m.put(c, "fund", row(7, []string{"Obrana"}))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"army": {"1/3 Ministarstvo obrane"}, "obrnae": {"1/3 Ministarstvo obrane"}, "ministry of defence 2017": {"1/3 Ministarstvo obrane"},
		"how much for defence": {"1/3 Ministarstvo obrane"}, "unit": {}, "sabor ured": {"2/4 Ured"},
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		level, _ := c.Model.Level("unit")
		hits, err := x.FindMembers(t.Context(), q, c, level)
		if got := each.Text(hits, hitText); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q: %v", text, got, want, err)
		}
	}
}

func TestFind_AHitSaysWhatItIs(t *testing.T) {
	x := one(t)
	hit := ask(t, x, "02002", query.Page{Number: 1, Size: 1}).Hits[0]
	first, _ := hit.First.Int()
	last, _ := hit.Last.Int()
	if hit.Cube.Name != "croatia" || hit.Level.Ref != "unit" || hit.Dimension != "administrative-classification" ||
		hit.Rows != 8 || first != 2014 || last != 2018 {
		t.Errorf("got %+v", hit)
	}
}

func TestFind_Pages(t *testing.T) {
	x := one(t)
	all := find(t, x, "s")
	var paged []string
	for number := 1; ; number++ {
		answer := ask(t, x, "s", query.Page{Number: number, Size: 2})
		if answer.Total != len(all) {
			t.Fatalf("page %d counts %d hits, all are %d", number, answer.Total, len(all))
		}
		if len(answer.Hits) == 0 {
			break
		}
		for _, h := range answer.Hits {
			paged = append(paged, hitText(h))
		}
	}
	if len(all) < 5 || !slices.Equal(paged, all) {
		t.Errorf("page by page %q, at once %q", paged, all)
	}
	if none := ask(t, x, "s", query.Page{Number: 1}); none.Total != len(all) || len(none.Hits) > 0 {
		t.Errorf("a page of none has %d hits of %d", len(none.Hits), none.Total)
	}
}

func TestFind_OfEqualsTheMostRowsComeFirst(t *testing.T) {
	m := newMade()
	a, b := budget(t, 1, "a", "A"), budget(t, 2, "b", "B")
	m.serve(a, b)
	m.put(a, "area", row(5, []string{"1"}, "Roads"), row(1, []string{"2"}, "Roads"))
	m.put(b, "area", row(3, []string{"1"}, "Roads"), row(1, []string{"3"}, "Roads"), row(99, []string{"4"}, "Rail and roads"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range ask(t, x, "roads", query.Page{Number: 1, Size: 10}).Hits {
		got = append(got, h.Cube.Name+" "+hitText(h))
	}
	if want := []string{"a 1 Roads", "b 1 Roads", "a 2 Roads", "b 3 Roads", "b 4 Rail and roads"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFind_OwnWordsComeFirst(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "State budget")
	m.serve(c)
	m.put(c, "area", row(900, []string{"1"}, "Quays"), row(2, []string{"2"}, "Budget office"))
	m.put(c, "unit", row(90, []string{"1", "1"}, "Harbour"), row(5, []string{"1", "2"}, "Harbour qauys"), row(1, []string{"1", "3"}, "Harbour of quays"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"quays harbour":       {"1/3 Harbour of quays", "1/2 Harbour qauys", "1/1 Harbour"},
		"state quays harbour": {"1/3 Harbour of quays", "1/2 Harbour qauys", "1/1 Harbour"},
		"state budget":        {"cube State budget"}, // which has all words itself
		"quays state":         {"1 Quays", "1/3 Harbour of quays", "1/2 Harbour qauys"},
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// Where a search names the cube, what has the other words as its name comes before what has a word of the cube's too.
func TestFind_NamesOfCubesSayWhereToLook(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "Croatia: budget of the state")
	m.serve(c)
	m.put(c, "area", row(9, []string{"1"}, "Health in the state of Croatia"), row(5, []string{"2"}, "Health"), row(7, []string{"3"}, "Health insurance"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"2 Health", "1 Health in the state of Croatia", "3 Health insurance"}
	for _, text := range []string{"health", "health croatia", "the health in croatia", "croatia state: health", "budget health"} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

func TestParse_Refuses(t *testing.T) {
	for _, tt := range []struct{ text, message string }{
		{"", "nothing is asked"},
		{" \t\u00a0", "nothing is asked"},
		{"%% — ???", "no letter and no digit"},
		{"\xff", "not UTF-8"},
		{strings.Repeat("é", 201), "more than 200 characters"},
		{strings.Repeat("é", 200), ""},
		{distinct(33), "more than 32 words"},
		{distinct(32), ""},
		{strings.Repeat("a ", 100), ""},
	} {
		_, err := Parse(tt.text)
		var known *cube.Error
		switch {
		case tt.message == "" && err != nil:
			t.Errorf("%q: %v", tt.text, err)
		case tt.message != "" && (!errors.As(err, &known) || known.Code != cube.CodeBadValue ||
			known.Position.Parameter != "q" || !strings.Contains(known.Message, tt.message)):
			t.Errorf("%q: %v, want %s", tt.text, err, tt.message)
		case tt.message != "" && (known.Said.Format == "%s" || known.Advised.Format != known.Hint): // else no page can tell it in other languages
			t.Errorf("%q: said as %q with the hint %q", tt.text, known.Said.Format, known.Advised.Format)
		}
	}
}

// distinct is a text of so many words.
func distinct(n int) string {
	var words []string
	for i := range n {
		words = append(words, string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	return strings.Join(words, " ")
}

// Whatever is asked, and whatever members are called, a search ends and stays in bounds.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"educación", "a b c", "\u0301", "ﬁ", "İ", strings.Repeat("aaaaaaaa ", 22), "0-0", "\x00"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, label string) {
		q, err := Parse(text)
		if err != nil {
			return
		}
		m := newMade()
		c := budget(t, 1, "c", "C")
		m.serve(c)
		m.put(c, "area", row(1, []string{"1"}, label, text), row(1, []string{text}, label))
		x := m.index()
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		answer, err := x.Find(t.Context(), q, m.cubes, query.Page{Number: 1, Size: 10})
		if err != nil || answer.Total < 2 {
			t.Errorf("%q is not found where members have this name: %d, %v", text, answer.Total, err)
		}
	})
}

// What is published comes before what is made up, also where that fits better, is found in an earlier step, or is on another page.
func TestFind_PublishedBeforeMadeUp(t *testing.T) {
	m := newMade()
	published, madeUp := budget(t, 1, "z", "Z"), budget(t, 2, "a", "A")
	madeUp.Synthetic = true
	m.serve(madeUp, published)
	m.put(published, "area", row(1, []string{"1"}, "Salud"), row(2, []string{"2"}, "Salud para todos"), row(1, []string{"5"}, "Obras"))
	m.put(madeUp, "area", row(90, []string{"3"}, "Salud"), row(80, []string{"4"}, "Salud rural"), row(1, []string{"6"}, "Ministerio de Obras"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"salud":               {"1 Salud", "2 Salud para todos", "3 Salud", "4 Salud rural"},
		"ministerio de obras": {"5 Obras", "6 Ministerio de Obras"},
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		for i, label := range want {
			if hits := ask(t, x, text, query.Page{Number: i + 1, Size: 1}).Hits; len(hits) != 1 || hitText(hits[0]) != label {
				t.Errorf("%s: page %d has %v, want %s", text, i+1, hits, label)
			}
		}
	}
}

// A member of another level that is called as a fiscal year and has its rows, all of that year, is found as the year.
func TestFind_MembersThatAreTheYear(t *testing.T) {
	year := cube.Integer
	for name, tt := range map[string]struct {
		rows  int64
		years []int64
		want  []string
	}{
		"the same rows":         {7, []int64{2014}, []string{"2014 2014"}},
		"fewer rows":            {6, []int64{2014}, []string{"2014 2014", "2014 2014"}},
		"rows of another year":  {7, []int64{2015}, []string{"2014 2014", "2014 2014"}},
		"rows of several years": {7, []int64{2014, 2015}, []string{"2014 2014", "2014 2014"}},
		"rows of no known year": {7, nil, []string{"2014 2014", "2014 2014"}},
	} {
		m := newMade()
		c := budget(t, 1, "c", "C")
		m.serve(c)
		m.put(c, "year", plan.MemberRow{Path: []cube.Value{year(2014)}, Label: year(2014), Rows: 7}, plan.MemberRow{Path: []cube.Value{year(2015)}, Label: year(2015), Rows: 7})
		m.put(c, "fund", row(tt.rows, []string{"2014"}), row(7, []string{"other"}))
		m.pay(c, "year", paid("1", year(2014)), paid("1", year(2015)))
		var groups []plan.Group
		for _, n := range tt.years {
			groups = append(groups, paid("1", cube.Text("2014"), year(n)))
		}
		m.pay(c, "fund|year", append(groups, paid("1", cube.Text("other"), year(2014)))...)
		x := m.index()
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"2014", "c 2014"} {
			got := slices.DeleteFunc(find(t, x, text), func(hit string) bool { return hit != "2014 2014" })
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q finds %q, want %q", name, text, got, tt.want)
			}
		}
		if hits := ask(t, x, "2014", query.FirstPage).Hits; len(hits) == 0 || hits[0].Level.Ref != "year" {
			t.Errorf("%s: the year is not first of %v", name, hits)
		}
	}
}
