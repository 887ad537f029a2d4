package search

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// summed is an index of a cube with sums of two years, some of 21 digits.
func summed(t *testing.T) (*Index, []*cube.Cube) {
	t.Helper()
	m := newMade()
	c := budget(t, 1, "croatia", "Croatia")
	m.serve(c)
	renamed := row(9, []string{"1"}, "Sabor", "Parliament")
	renamed.Labels[0].Years, renamed.Labels[1].Years = []int64{2018}, []int64{2017}
	m.put(c, "area", renamed, row(8, []string{"2"}, "Vlada"))
	m.put(c, "unit", row(7, []string{"1", "11"}, "Ured"))
	many := make([]plan.MemberRow, mostSumsMembers+1)
	for i := range many {
		many[i] = row(1, []string{"f" + cube.Integer(int64(i)).String()})
	}
	m.put(c, "fund", many...)
	in := cube.Integer
	m.pay(c, "year", paid("175132659815.40", in(2017)), paid("-1500000.00", in(2018)))
	m.pay(c, "area|year", paid("175132659815.40", cube.Text("1"), in(2017)), paid("175132659815.00", cube.Text("1"), in(2018)),
		paid("123456789012345678901.23", cube.Text("2"), in(2018)), paid("", cube.Text("2"), in(2017)))
	m.pay(c, "unit|year", paid("12.34", cube.Text("1"), cube.Text("11"), in(2017)))
	m.pay(c, "area|unit|year", paid("12.34", cube.Text("1"), cube.Text("11"), in(2017)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x, []*cube.Cube{c}
}

func cellTexts(cells []Cell) []string {
	list := []string{}
	for _, c := range cells {
		text := c.Value.String() + " " + query.PathText(c.Cube.Model.PathOf(c.Level), c.Path) + " " + c.Label + " " + c.In.String()
		if c.IsExact {
			text = "= " + text
		}
		list = append(list, text)
	}
	return list
}

func TestFindFigure(t *testing.T) {
	x, cubes := summed(t)
	if found := x.FindFigure(FigureAsked{Figures: ParseFigure("12345"), Cubes: cubes}); len(found.Pending) != 1 || len(found.Equal) > 0 {
		t.Errorf("before the sums are added up: %+v", found)
	}
	if err := x.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text           string
		equal, nearest []string
	}{
		{"175,132,659,815.40", []string{"= 175132659815.4  Croatia 2017", "= 175132659815.4 1 Parliament 2017"}, nil},
		{"175132659815", []string{"= 175132659815 1 Sabor 2018", "175132659815.4  Croatia 2017", "175132659815.4 1 Parliament 2017"}, nil},
		{"175,1 mil millones", []string{"175132659815.4  Croatia 2017", "175132659815 1 Sabor 2018", "175132659815.4 1 Parliament 2017"}, nil},
		{"-1.5 m", []string{"= -1500000  Croatia 2018"}, nil},
		{"123456789012345678901.23", []string{"= 123456789012345678901.23 2 Vlada 2018"}, nil},
		{"123456789012345678901,2", []string{"123456789012345678901.23 2 Vlada 2018"}, nil},
		{"123456789012345678901.24", []string{}, []string{"123456789012345678901.23 2 Vlada 2018"}},
		{"12.34", []string{"= 12.34 1/11 Ured 2017"}, nil},
	} {
		found := x.FindFigure(FigureAsked{Figures: ParseFigure(tt.text), Cubes: cubes})
		if got := cellTexts(found.Equal); !slices.Equal(got, tt.equal) && len(got)+len(tt.equal) > 0 {
			t.Errorf("%s equals %q, want %q", tt.text, got, tt.equal)
		}
		if got := cellTexts(found.Nearest); len(tt.nearest) > 0 && got[0] != tt.nearest[0] || len(got) > 0 && len(tt.nearest) == 0 {
			t.Errorf("%s is near %q, want %q", tt.text, got, tt.nearest)
		}
		if len(found.Left["croatia"]) != 1 || found.Left["croatia"][0].Ref != "fund" {
			t.Errorf("left are %v", found.Left)
		}
	}
}

// Amounts of published cubes come before those of made-up ones, also those that are farther, and nothing is said to be the nearest while the
// amounts of a cube are still being added up.
func TestFindFigure_PublishedFirst(t *testing.T) {
	m := newMade()
	madeUp, published := budget(t, 1, "a", "A"), budget(t, 2, "b", "B")
	madeUp.Synthetic = true
	m.serve(madeUp, published)
	m.pay(madeUp, "year", paid("12345.00", cube.Integer(2017)), paid("70000.00", cube.Integer(2018)))
	m.pay(published, "year", paid("12345.00", cube.Integer(2017)), paid("99999.00", cube.Integer(2018)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	cubes := []*cube.Cube{madeUp, published}
	x.FindFigure(FigureAsked{Figures: ParseFigure("12345"), Cubes: cubes[:1]})
	if err := x.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := x.FindFigure(FigureAsked{Figures: ParseFigure("70001"), Cubes: cubes}); len(found.Nearest) > 0 || !slices.Equal(found.Pending, cubes[1:]) {
		t.Errorf("while a cube is pending: %q are the nearest, %v pending", cellTexts(found.Nearest), found.Pending)
	}
	if found := x.FindFigure(FigureAsked{Figures: ParseFigure("70000"), Cubes: cubes}); len(found.Equal) != 1 {
		t.Errorf("while a cube is pending: %q are equal", cellTexts(found.Equal))
	}
	if err := x.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := cellTexts(x.FindFigure(FigureAsked{Figures: ParseFigure("12345"), Cubes: cubes}).Equal); !slices.Equal(got, []string{"= 12345  B 2017", "= 12345  A 2017"}) {
		t.Errorf("equal are %q", got)
	}
	if got := cellTexts(x.FindFigure(FigureAsked{Figures: ParseFigure("70001"), Cubes: cubes}).Nearest); len(got) != 4 || got[0] != "99999  B 2018" || got[2] != "70000  A 2018" {
		t.Errorf("the nearest are %q", got)
	}
}

// A version that is no longer served has no sums, and they are added up once.
func TestRefreshSums_FollowsWhatIsServed(t *testing.T) {
	x, cubes := summed(t)
	store := x.store.(*made)
	asked := func() int { return len(store.asked) }
	before := asked()
	if err := x.RefreshSums(t.Context()); err != nil || asked() != before {
		t.Errorf("nothing is wanted: %v, %d questions", err, asked()-before)
	}
	x.FindFigure(FigureAsked{Figures: ParseFigure("12345"), Cubes: cubes})
	for range 2 {
		if err := x.RefreshSums(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if asked() != before+3 {
		t.Errorf("%d questions", asked()-before)
	}
	store.serve()
	if err := x.RefreshSums(t.Context()); err != nil || len(*x.sums.Load()) > 0 {
		t.Errorf("%v are kept (%v)", *x.sums.Load(), err)
	}
}

func TestBounds_OfAmountsInThousands(t *testing.T) {
	for _, tt := range []struct {
		amount      string
		scale       int32
		unit        int64
		least, most string
	}{
		{"1999.5", 2, 1, "199950", "199950"}, {"1999.5", 0, 1, "2000", "1999"}, {"-1999.5", 0, 1, "-1999", "-2000"},
		{"1500", 0, 1000, "2", "1"}, {"1500", 1, 1000, "15", "15"}, {"0.001", 2, 1000, "1", "0"}, {"1E+20", 2, 1, "10000000000000000000000", "10000000000000000000000"},
	} {
		d := decimal.RequireFromString(tt.amount)
		if least, most := ceiling(d, tt.scale, tt.unit).String(), floor(d, tt.scale, tt.unit).String(); least != tt.least || most != tt.most {
			t.Errorf("%s is from %s to %s, want %s to %s", tt.amount, least, most, tt.least, tt.most)
		}
	}
}

// Numbers of 128 bits are ordered as numbers are, and written back.
func TestWide(t *testing.T) {
	var numbers []*big.Int
	for _, text := range strings.Fields("-99999999999999999999999999999999999999 -18446744073709551616 -18446744073709551615 -1 0 1 18446744073709551615 18446744073709551616 99999999999999999999999999999999999999") {
		n, _ := new(big.Int).SetString(text, 10)
		numbers = append(numbers, n)
	}
	for i, n := range numbers {
		if got := newWide(n).decimal(2); !got.Equal(decimal.NewFromBigInt(n, -2)) && n.BitLen() < 127 {
			t.Errorf("%s is %s", n, got)
		}
		if i > 0 && newWide(numbers[i-1]).compare(newWide(n)) >= 0 {
			t.Errorf("%s is not above %s", n, numbers[i-1])
		}
	}
}

// Of more equal amounts than are listed, the best are: those of the top levels and of the latest years.
func TestFindFigure_ListsTheBest(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "croatia", "Croatia")
	m.serve(c)
	var rows []plan.MemberRow
	var groups []plan.Group
	for i := range 300 {
		key := cube.Text("f" + cube.Integer(int64(i)).String())
		rows = append(rows, row(int64(1000-i), []string{key.String()}))
		groups = append(groups, paid("50000.00", key, cube.Integer(2016)), paid("50000.25", key, cube.Integer(2017)))
	}
	m.put(c, "fund", rows...)
	for _, drilldown := range []string{"fund|year", "year|fund"} {
		m.pay(c, drilldown, groups...)
	}
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	x.want(c)
	if err := x.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	found := x.FindFigure(FigureAsked{Figures: ParseFigure("50000"), Cubes: []*cube.Cube{c}})
	if found.Total != 600 || len(found.Equal) != mostCells {
		t.Fatalf("%d of %d", len(found.Equal), found.Total)
	}
	for i, cell := range found.Equal {
		if want := "f" + cube.Integer(int64(i)).String(); cell.Label != want || !cell.IsExact {
			t.Errorf("%d is %s %s", i, cell.Label, cell.Value)
		}
	}
}

// Nearest are a few different amounts, each with all that has it, compared exactly: far from all, only the largest is near.
func TestFindFigure_NearestAmounts(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "A")
	m.serve(c)
	var rows []plan.MemberRow
	var cells []plan.Group
	for i := range 12 {
		key := cube.Text(string(rune('a' + i)))
		rows, cells = append(rows, row(1, []string{key.String()}, "Area")), append(cells, paid("100", key, cube.Integer(2017)))
	}
	m.put(c, "area", rows...)
	m.pay(c, "area|year", append(cells, paid("2576691830102", cube.Text("a"), cube.Integer(2018)), paid("300", cube.Text("b"), cube.Integer(2018)))...)
	m.pay(c, "year", paid("1200", cube.Integer(2017)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	far := FigureAsked{Figures: ParseFigure("99999999999999999999999999"), Cubes: []*cube.Cube{c}}
	x.FindFigure(far)
	if err := x.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, cell := range x.FindFigure(far).Nearest {
		got = append(got, cell.Value.String())
	}
	want := append([]string{"2576691830102", "1200", "300"}, slices.Repeat([]string{"100"}, 12)...)
	if !slices.Equal(got, want) {
		t.Errorf("nearest are %q, want %q", got, want)
	}
}

// A currency leaves out the amounts in others, if any cube has it.
func TestFigure_Currencies(t *testing.T) {
	m := newMade()
	croatia, mexico := budget(t, 1, "croatia", "Croatia"), budget(t, 2, "mx", "Mexico")
	in := func(c *cube.Cube, currency string) {
		draft := c.Model.Draft()
		draft.Measures[0].Currency = currency
		var err error
		if c.Model, err = draft.Model(); err != nil {
			t.Fatal(err)
		}
	}
	in(croatia, "HRK")
	in(mexico, "MXN")
	m.serve(croatia, mexico)
	cubes := []*cube.Cube{croatia, mexico}
	for _, c := range cubes {
		m.pay(c, "year", paid("5000000.00", cube.Integer(2017)))
	}
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	x.FindFigure(FigureAsked{Figures: ParseFigure("5000000"), Cubes: cubes})
	if err := x.RefreshSums(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"5 million": " [] croatia mx", "5 million kuna": "kuna [HRK] croatia", "5.0 mio HRK": "HRK [HRK] croatia", "HRK 5 million": "HRK [HRK] croatia",
		"5 millones de pesos": "pesos [MXN] mx", "MX$ 5 million": "MX$ [MXN] mx", "$ 5 million": " [] croatia mx", "US$ 5 million": "US$ [] croatia mx",
		"5 million guaranies": "guaranies [] croatia mx", "5.0 mrd mexico": "",
		"pesos of the 5 million": "pesos [MXN] mx", "5 million, in kuna": "kuna [HRK] croatia",
		"mxn croatia 5 million": " [] croatia", "5 million mexico pen": " [] mx", // only what is beside the amount is its currency
	} {
		var got []string
		asked, ok := x.Figure(text, cubes, cubes)
		for _, cell := range x.FindFigure(asked).Equal {
			got = append(got, cell.Cube.Name)
		}
		if text := strings.TrimSpace(fmt.Sprint(asked.Currency, " ", asked.Currencies, " ", strings.Join(got, " "))); !ok || want != "" && text != strings.TrimSpace(want) {
			t.Errorf("%q: %s, want %s", text, text, want)
		}
	}
}
