package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// amountOf writes the amount of a hit.
func amountOf(h Hit) string {
	return h.Amount.Measure + " " + h.Amount.Text + " in " + h.Amount.Year.String()
}

// The amount is that of the latest year that has one, whichever order the years come in.
func TestRefresh_TakesTheAmountOfTheLatestYear(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "Alpha")
	m.serve(c)
	m.put(c, "area", row(9, []string{"1"}, "Harbour"), row(8, []string{"2"}, "Rails"), row(7, []string{""}, "Nobody"))
	m.put(c, "unit", row(5, []string{"1", "2"}, "Cranes"), row(4, []string{"2", "1"}, "Tracks"), row(3, []string{"2", "2"}, "Signals"))
	y2016, y2017, y2018 := cube.Integer(2016), cube.Integer(2017), cube.Integer(2018)
	m.pay(c, "year", paid("100.5", y2017), paid("", y2018))
	m.pay(c, "area|year",
		paid("7", cube.Text("1"), y2017), paid("12345678901234567890123.45", cube.Text("1"), y2016), paid("-0.01", cube.Text("1"), cube.Missing),
		paid("1", cube.Text("not a member"), y2018), paid("", cube.Text("1"), y2018), paid("5", cube.Missing, cube.Missing), paid("", cube.Text("2"), y2016))
	m.pay(c, "area|unit|year", paid("0", cube.Text("1"), cube.Text("2"), y2018), paid("12345678901234567890123.456", cube.Text("2"), cube.Text("1"), y2016))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"alpha":   "paid 100.50 in 2017",
		"paid":    "paid 100.50 in 2017",
		"harbour": "paid 7.00 in 2017",
		"rails":   "paid  in 2018", // none in any year: that of the last one
		"nobody":  "paid 5.00 in ",
		"cranes":  "paid 0.00 in 2018",
		"tracks":  "paid 12345678901234567890123.46 in 2016",
		"signals": "paid  in 2018",
	} {
		if got := amountOf(ask(t, x, text, query.FirstPage).Hits[0]); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if want := []string{"year", "area|year", "area|unit|year"}; !slices.Equal(m.asked, want) {
		t.Errorf("the questions are %q, want %q", m.asked, want)
	}
}

func TestRefresh_ACubeWithoutMeasuresHasNoAmounts(t *testing.T) {
	m := newMade()
	model, err := cube.NewModel([]cube.Column{{Name: "area", Type: cube.TypeText}},
		[]cube.Dimension{{Name: "areas", Levels: []cube.Level{{Ref: "area"}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &cube.Cube{Package: &cube.Package{Name: "a", Model: model}, ID: 1, Served: true}
	m.serve(c)
	m.put(c, "area", row(1, []string{"Harbour"}))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hit := ask(t, x, "harbour", query.FirstPage).Hits[0]; hit.Amount != (Amount{}) || len(m.asked) > 0 {
		t.Errorf("got %+v after %q", hit.Amount, m.asked)
	}
}

// Without a level that is the fiscal year the amounts are of all years.
func TestRefresh_AmountsOfNoYear(t *testing.T) {
	m := newMade()
	model, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "area", Type: cube.TypeText},
		{Name: "paid", Type: cube.TypeDecimal, Scale: 2},
	}, []cube.Dimension{{Name: "areas", Levels: []cube.Level{{Ref: "area"}}}}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	c := &cube.Cube{Package: &cube.Package{Name: "a", Model: model}, ID: 1, Served: true}
	m.serve(c)
	m.put(c, "area", row(2, []string{"Harbour"}), row(1, []string{"Harbour masters"}))
	m.pay(c, "area", paid("3", cube.Text("Harbour")))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	hits := ask(t, x, "harbour", query.FirstPage).Hits
	if one, none := amountOf(hits[0]), amountOf(hits[1]); one != "paid 3.00 in " || none != "paid  in " {
		t.Errorf("got %q and %q", one, none)
	}
}

// Reading the amounts ends with its context, and leaves nothing behind.
func TestRefresh_EndsWithItsContext(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "A")
	m.serve(c)
	m.put(c, "area", row(1, []string{"1"}, "Harbour"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := m.index()
	if err := x.Refresh(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if a := ask(t, x, "harbour", query.FirstPage); len(a.Pending) != 1 || len(m.asked) != 1 {
		t.Errorf("got %+v after %q", a, m.asked)
	}
}

// A member with several names has the name that matches, the years in which it is called so, and the amount of the latest of
// them.
func TestFind_ShowsTheNameThatMatches(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "A")
	m.serve(c)
	r := row(9, []string{"2/1"}, "Protección Ambiental", "Salud", "SALUD", "Salud pública")
	r.Labels[0].Years, r.Labels[1].Years, r.Labels[2].Years, r.Labels[3].Years = []int64{2017, 2018}, []int64{2011}, []int64{2009, 2010}, []int64{2008}
	m.put(c, "area", r, row(1, []string{"2/3"}, "Salud"))
	var cells []plan.Group
	for year := range int64(11) {
		cells = append(cells, paid(fmt.Sprint(year), cube.Text("2/1"), cube.Integer(2008+year)))
	}
	cells = slices.DeleteFunc(cells, func(g plan.Group) bool { return g.Keys[1] == cube.Integer(2011) })
	slices.Reverse(cells)
	m.pay(c, "area|year", cells...)
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"salud":           "Salud (now Protección Ambiental) [2009 2010 2011] 2009 to 2011, paid 2.00 in 2010",
		"slaud":           "Salud (now Protección Ambiental) [2009 2010 2011] 2009 to 2011, paid 2.00 in 2010",
		"publica":         "Salud pública (now Protección Ambiental) [2008] 2008 to 2008, paid 0.00 in 2008",
		"salud publica":   "Salud pública (now Protección Ambiental) [2008] 2008 to 2008, paid 0.00 in 2008",
		"ambiental":       "Protección Ambiental (Salud [2009 2010 2011]) [2017 2018] 2017 to 2018, paid 10.00 in 2018",
		"ambiental salud": "Protección Ambiental (Salud [2009 2010 2011]) [2017 2018] 2017 to 2018, paid 10.00 in 2018",
		"2/1":             "Protección Ambiental (Salud [2009 2010 2011]) [2017 2018] 2017 to 2018, paid 10.00 in 2018",
	} {
		hit := ask(t, x, text, query.FirstPage).Hits[0]
		other := "now " + hit.LabelNow
		if hit.LabelNow == "" {
			other = fmt.Sprintf("%s %v", hit.Other.Label, hit.Other.Years)
		}
		got := fmt.Sprintf("%s (%s) %v %s to %s, %s", hit.Label, other, hit.LabelYears, hit.First, hit.Last, amountOf(hit))
		if got != want {
			t.Errorf("%s: %s\nwant %s", text, got, want)
		}
	}
}

// A hit has the years of its rows, also of those without an amount, and not those between them.
func TestFind_YearsWithRows(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "A")
	m.serve(c)
	m.put(c, "area", row(5, []string{"1"}, "Harbour one"), row(4, []string{"2"}, "Harbour two"), row(3, []string{"3"}, "Harbour three"), row(2, []string{"4"}, "Harbour four"))
	in := func(area string, years ...int64) (cells []plan.Group) {
		for _, year := range years {
			cells = append(cells, paid("", cube.Text(area), cube.Integer(year)))
		}
		return cells
	}
	m.pay(c, "area|year", slices.Concat(in("1", 2014, 2018), in("2", 2018, 2014), in("3", 2016, 2015, 2014))...)
	m.pay(c, "year", paid("1", cube.Integer(2018)), paid("1", cube.Integer(2016)), paid("", cube.Integer(2014)), paid("2", cube.Integer(2015)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"harbour": "[[2014 2018] [2014 2018] [2014 2015 2016] []]", "a": "[[2014 2015 2016 2018]]",
		"harbour 2015": "[[2014 2015 2016] []]", "harbour 2014": "[[2014 2018] [2014 2018] [2014 2015 2016] []]",
	} {
		var got [][]int64
		for _, hit := range ask(t, x, text, query.FirstPage).Hits {
			if hit.Kind == KindMember || text == "a" && hit.Kind == KindCube {
				got = append(got, hit.Years)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}
