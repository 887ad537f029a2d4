package search

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fiscube/cube"
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
