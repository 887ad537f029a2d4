package api_test

import (
	"fmt"
	"html"
	"log/slog"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/search"
)

// saying tells how often each page has a sentence.
func saying(t testing.TB, store *fake, sentence string, pages map[string]int) {
	t.Helper()
	h := handler(t, store)
	for address, times := range pages {
		page := html.UnescapeString(ask(t, h, "/explore/croatia"+address).body)
		if n := strings.Count(page, sentence); n != times {
			t.Errorf("%s says %d times %q: %s", address, n, sentence, page)
		}
	}
}

// A budget of a few rows a year may be an excerpt, which its pages say. What is made up says so itself.
func TestExplorer_Excerpts(t *testing.T) {
	of := func(rows int64, years ...int64) *fake {
		store := drawn(t, someBudget...)
		store.cubes[0].Rows, store.cubes[0].Coverage.Years = rows, years
		return store
	}
	const view, number = "?drilldown=admin1_code&cut=Year:2017&lang=", "/number?cut=Year:2017&lang="
	saying(t, of(199, 2016, 2017), ">Only some 99 rows a year are published here;", map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1, view + "es": 0})
	saying(t, of(199, 2016, 2017), ">Aquí solo se publican unas 99 filas por año;", map[string]int{"?lang=es": 1, view + "es": 1, number + "es": 1})
	saying(t, of(199, 2016, 2017), ">Ovdje je objavljeno samo oko 99 redaka na godinu,", map[string]int{"?lang=hr": 1, view + "hr": 1, number + "hr": 1})
	saying(t, of(199, 2016, 2017), ">Only some 99 rows a year", map[string]int{"?cut=Year:2017%7Cadmin1_code:1&_with=admin1_code:2&lang=en": 1})
	saying(t, of(29, 2017), ">Only 29 rows are published here;", map[string]int{"?lang=en": 1, view + "en": 1})
	saying(t, of(200, 2016, 2017), "may be an excerpt", map[string]int{"?lang=en": 0, view + "en": 0, number + "en": 0})
	saying(t, of(29, 2017), "; perhaps an excerpt (29 rows)", map[string]int{number + "en": 3})
	if home := ask(t, handler(t, of(29, 2017)), "/?lang=en").body; !strings.Contains(home, "</b> approved: an excerpt of “Croatia &lt;Budget&gt; &amp; More”, 2017</a>") {
		t.Errorf("the card says nothing: %s", home)
	}
	madeUp := of(29, 2017)
	madeUp.cubes[0].Synthetic = true
	saying(t, madeUp, "may be an excerpt", map[string]int{"?lang=en": 0, view + "en": 0, number + "en": 0})
}

// A figure in another page, or as a file, says what makes its numbers doubtful, since no page is around it.
func TestExplorer_FiguresElsewhereSayTheirDoubts(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Rows = 29
	store.cubes[0].Notes = []cube.Titles{{"en": "Loans are no revenue."}}
	h := handler(t, store)
	for address, want := range map[string][]string{
		"/embed/croatia?drilldown=fin_code&cut=Year:2016&lang=en":       {`<p class="doubt">few rows: perhaps an excerpt</p>`, `<p class="doubt">Loans are no revenue.</p>`},
		"/explore/croatia.svg?drilldown=fin_code&cut=Year:2016&lang=en": {">few rows: perhaps an excerpt</text>", ">Loans are no revenue.</text>"},
	} {
		page := ask(t, h, address).body
		for _, sentence := range want {
			if !strings.Contains(page, sentence) {
				t.Errorf("%s does not say %s: %s", address, sentence, page)
			}
		}
	}
}

// A total that cannot be trusted is not bold, has no change and is not shared. Of notes one is in sight, and the rest are folded.
func TestExplorer_StopsAndNotes(t *testing.T) {
	store := drawn(t, someBudget...)
	const view, number, overview = "?drilldown=fin_code&cut=Year:2017&lang=en", "/number?cut=Year:2017&lang=en", "?lang=en"
	const shared = `<meta property="og:image"`
	const said, doubted = `<h1 class="said"><span class="big">1.00 quintillion kuna</span>`, `<h1 class="said doubtful"><span class="big">1.00 quintillion kuna</span>`
	saying(t, store, said, map[string]int{view: 1, number: 1, overview: 1})
	saying(t, store, shared, map[string]int{view: 1, number: 1, overview: 1})
	saying(t, store, "% on 2016</b>", map[string]int{overview: 1})
	store.cubes[0].Rows, store.cubes[0].Notes = 29, []cube.Titles{{"en": "Loans are no revenue."}}
	saying(t, store, `<p class="note">Only some 14 rows a year`, map[string]int{view: 1, number: 1, overview: 1})
	saying(t, store, `<p class="note">`, map[string]int{view: 1, number: 1, overview: 1})
	saying(t, store, `<details class="notes"><summary>1 note</summary>`, map[string]int{number: 1})
	store.cubes[0].SnapshotsSuspected = "unit"
	saying(t, store, doubted, map[string]int{view: 1, number: 1, overview: 1})
	for _, gone := range []string{said, shared, "% on 2016"} {
		saying(t, store, gone, map[string]int{view: 0, number: 0, overview: 0})
	}
}

// All that an excerpt has may be of one member, so that its total is that of this alone.
func TestExplorer_ExcerptsOfOneMember(t *testing.T) {
	one := drawn(t, "2016 justice x courts x u 1 1 100 10", "2017 justice x courts x u 1 2 100 10")
	one.cubes[0].Rows, one.cubes[0].OnlyMembers = 29, []cube.OnlyMember{{Level: "admin2_code", Label: "COURTS"}}
	const view, number, office = "?drilldown=fin_code&cut=Year:2017&lang=", "/number?cut=Year:2017&lang=", "?cut=Year:2017%7Cadmin1_code:justice&lang="
	saying(t, one, ">All amounts here are of: admin2_label COURTS.<", map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1, office + "en": 1})
	saying(t, one, ">Todos los montos de aquí son de: admin2_label COURTS.<", map[string]int{"?lang=es": 1})
	saying(t, one, ">Svi iznosi ovdje odnose se na: admin2_label COURTS.<", map[string]int{"?lang=hr": 1})
	saying(t, one, "; all amounts are of: admin2_label COURTS. http", map[string]int{number + "en": 1, "/number" + office + "en": 1})
	saying(t, one, "; todos los montos son de: admin2_label COURTS. http", map[string]int{number + "es": 1})
	saying(t, one, "; svi se iznosi odnose na: admin2_label COURTS. http", map[string]int{number + "hr": 1})
}

// An amount of another order than that of the year before usually means that rows are missing.
func TestExplorer_Jumps(t *testing.T) {
	store := drawn(t, "2015 1 x 1 x u 1 1 100 10", "2016 1 x 1 x u 1 1 2000 10", "2017 1 x 1 x u 1 1 100 10")
	store.cubes[0].Coverage = &cube.YearCoverage{Years: []int64{2015, 2016, 2017}, Jumps: []cube.YearJumps{{Column: "approved_value", Up: []int64{2016}, Down: []int64{2017}}}}
	const both = ">In 2016 the amount is more than ten times that of the year before. Such a jump usually means that rows of the year before are missing. " +
		"In 2017 the amount is less than a tenth of that of the year before. Such a jump usually means that rows are missing.<"
	saying(t, store, both, map[string]int{"?lang=en": 1, "?drilldown=admin1_code&cut=Year:2017&lang=en": 0, "?drilldown=Year&lang=en": 1})
	saying(t, store, ">En 2016 el monto es más de diez veces", map[string]int{"?lang=es": 1})
	saying(t, store, ">Za 2016. iznos je više od deset puta", map[string]int{"?lang=hr": 1})
	const up, down = "/number?cut=Year:2016&lang=", "/number?cut=Year:2017&lang="
	saying(t, store, "; in 2016 more than ten times the year before: rows of the year before are probably missing. http", map[string]int{up + "en": 1, down + "en": 0, "/number?cut=Year:2015&lang=en": 1})
	saying(t, store, "; in 2017 less than a tenth of the year before: rows are probably missing. http", map[string]int{up + "en": 0, down + "en": 1})
	saying(t, store, "; en 2016 más de diez veces el monto del año anterior: probablemente faltan filas del año anterior. http", map[string]int{up + "es": 1})
	saying(t, store, "; en 2017 menos de la décima parte del monto del año anterior: probablemente faltan filas. http", map[string]int{down + "es": 1})
	saying(t, store, "; za 2016. više od deset puta veće nego godine prije: vjerojatno nedostaju redci godine prije. http", map[string]int{up + "hr": 1})
	saying(t, store, "; za 2017. manje od desetine iznosa godine prije: vjerojatno nedostaju redci. http", map[string]int{down + "hr": 1})
}

// The page of a budget shows its sum with the notes on it, which the citation of a sum repeats unless a member is chosen.
func TestExplorer_OverviewHasNotes(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Notes = []cube.Titles{{"en": "Loans are no revenue.", "es": "Los préstamos no son ingresos."}}
	saying(t, store, "<li>Loans are no revenue.</li>", map[string]int{"?lang=en": 1})
	saying(t, store, "<li>Los préstamos no son ingresos.</li>", map[string]int{"?lang=es": 1})
	saying(t, store, "; Loans are no revenue. http", map[string]int{"/number?cut=Year:2017&lang=en": 1, "/number?cut=Year:2017%7Cadmin1_code:1&lang=en": 0})
}

// What may be an excerpt is headed as one, and what was spent is not said of a year in which all of it is published as 0.
func TestExplorer_HeadsExcerptsAsSuch(t *testing.T) {
	store := spent(t, "2016 a 100 120 90", "2017 a 300 120 0")
	store.cubes[0].Coverage.Years, store.cubes[0].Coverage.Zeros = []int64{2016, 2017}, []cube.YearGap{{Column: "paid", Years: []int64{2017}}}
	saying(t, store, `<span class="what">approved for Croatia <Budget> & More in 2017</span>`, map[string]int{"?lang=en": 1})
	saying(t, store, `<h1 class="said doubtful"><span class="big">0</span>`, map[string]int{"?cut=Year:2017&aggregates=paid.sum&lang=en": 1})
	store.cubes[0].Rows = 29
	saying(t, store, `<span class="what">approved: an excerpt of “Croatia <Budget> & More”, 2017</span>`, map[string]int{"?lang=en": 1, "?cut=Year:2017&lang=en": 1})
}

// A sum that includes financing says how much that is, and what the sum is without it, which has a page of its own. The rate of what was
// spent is that without it.
func TestExplorer_Financing(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Financing = []cube.Financing{{Level: "admin1_code", Keys: []string{"2"}}}
	store.cubes[0].Coverage.Years = []int64{2016}
	const year, told = "?cut=Year:2016", "neither revenue nor expenditure"
	const out = `<p class="note">Left out: 251 kuna of financing, which is neither revenue nor expenditure (admin1_label 2). <a href="../explore/croatia?cut=Year:2016&aggregates=approved_value.sum&lang=en&_financing=in">Put it in</a></p>`
	saying(t, store, out, map[string]int{year + "&aggregates=approved_value.sum&lang=en": 1})
	saying(t, store, `<span class="big">130 kuna</span>`, map[string]int{year + "&lang=en": 1, "?lang=en": 1, year + "&_financing=in&lang=en": 0})
	saying(t, store, `<p class="note">Of this, 250.5 HRK is financing, which is neither revenue nor expenditure (admin1_label 2; exactly 250.50). Without it: 130 HRK, exactly 130.00.`,
		map[string]int{year + "&_financing=in&lang=en": 1})
	saying(t, store, told, map[string]int{
		"?lang=en": 2, year + "&lang=en": 1, "/number" + year + "&lang=en": 1, year + "&drilldown=fin_code&lang=en": 1, "?drilldown=Year&lang=en": 1,
		year + "%7Cadmin1_code:2&lang=en": 0, year + "%7C!admin1_code:2&lang=en": 1, year + "%7Cadmin1_code:1&_with=admin1_code:3&lang=en": 0,
	})
	saying(t, store, "(admin1_label 2; exactly 250.50)", map[string]int{"/number" + year + "%7C!admin1_code:3&lang=en": 1})
	const same = `">The same without financing</a>`
	saying(t, store, same, map[string]int{
		year + "&drilldown=fin_code&lang=en": 0, year + "&drilldown=fin_code&_financing=in&lang=en": 1, year + "&drilldown=fin_code&_view=bars&_financing=in&lang=en": 1,
		year + "%7Cadmin1_code:1&drilldown=fin_code&_view=bars&lang=en": 0, year + "%7Cadmin1_code:1&_with=admin1_code:3&lang=en": 0,
	})
	saying(t, store, `?drilldown=fin_code&cut=Year:2016%7C!admin1_code:2&lang=en&_view=bars`+same, map[string]int{year + "&drilldown=fin_code&_view=bars&_financing=in&lang=en": 1})
	saying(t, store, "approved for Croatia <Budget> & More in 2016", map[string]int{year + "%7C!admin1_code:2&lang=en": 1})
	saying(t, store, "; includes financing of 250.50. http", map[string]int{"/number" + year + "&lang=en": 1, "/number" + year + "%7Cadmin1_code:1&lang=en": 0})
	saying(t, store, ">Where the number without financing comes from</a>", map[string]int{"/number" + year + "&lang=en": 1})
	saying(t, store, ">Where “Approved” comes from</a>", map[string]int{year + "&lang=en": 1})
	saying(t, store, ">De dónde sale la cifra sin financiamiento</a>", map[string]int{"/number" + year + "&lang=es": 1})
	saying(t, store, ">Odakle je „Approved“</a>", map[string]int{year + "&lang=hr": 1})
	saying(t, store, "No se cuentan 251 kunas de financiamiento", map[string]int{"?lang=es": 1})
	saying(t, store, "Izostavljeno je financiranje, koje nije ni prihod ni rashod: 251 kuna", map[string]int{"?lang=hr": 1})
	if figure := ask(t, handler(t, store), "/embed/croatia"+year+"&drilldown=fin_code&_financing=in&lang=en").body; !strings.Contains(figure, ">The sums include financing,") {
		t.Errorf("the figure in another page says nothing of financing: %s", figure)
	}
	if home := ask(t, handler(t, store), "/?lang=en").body; !strings.Contains(home, "<b>130 kuna</b>") {
		t.Errorf("the card counts financing: %s", home)
	}
	paid := spent(t, "2016 a 100 100 50", "2016 loan 300 300 300")
	paid.cubes[0].Financing, paid.cubes[0].Coverage.Years = []cube.Financing{{Level: "office", Keys: []string{"loan"}}}, []int64{2016}
	saying(t, paid, "Of what was approved for 2016, 50.0% was spent", map[string]int{"?lang=en": 1, "?cut=Year:2016&drilldown=office&lang=en": 1})
	grown := spent(t, "2015 a 100 100 50", "2015 loan 50 50 50", "2016 a 150 150 75", "2016 loan 300 300 300")
	grown.cubes[0].Financing, grown.cubes[0].Coverage.Years = paid.cubes[0].Financing, []int64{2015, 2016}
	saying(t, grown, "Without it: 150, exactly 150 (+50.0% from 2015).", map[string]int{"?cut=Year:2016&_financing=in&lang=en": 1, "/number?cut=Year:2016&lang=en": 1, "/number?lang=en": 0})
}

// spent is a fake whose first cube has amounts as they were approved, changed and paid, with the rate of what was paid. Its lines have the
// year, the office and the three amounts.
func spent(t testing.TB, lines ...string) *fake {
	t.Helper()
	store := newFake(t)
	m, err := (&cube.Draft{
		Columns:    []cube.Column{{Name: "Year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "office", Type: cube.TypeText}, {Name: "plan"}, {Name: "changed"}, {Name: "paid"}},
		Dimensions: []cube.Dimension{{Name: "date", Type: cube.DimensionTime, Levels: []cube.Level{{Ref: "Year"}}}, {Name: "offices", Levels: []cube.Level{{Ref: "office"}}}},
		Measures: []cube.Measure{
			{Ref: "plan", Phase: "approved", Title: "Approved"}, {Ref: "changed", Phase: "adjusted", Title: "Modified"}, {Ref: "paid", Phase: "executed", Title: "Paid"},
		},
		Derived: []cube.Derived{{Ref: "rate", Formula: "ratio(paid.sum,plan.sum)", Title: "Rate"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	store.cubes[0].Model, store.cubes[0].Coverage = m, &cube.YearCoverage{Years: []int64{2015, 2016, 2017}}
	store.run = runOver(cubetest.NewStore(m, lines...))
	return store
}

// A measure that is put together from others says how wherever its amount or the choice of it is shown; it stands for those others in what
// was spent.
func TestExplorer_MeasuresSayWhatTheyAreMadeOf(t *testing.T) {
	store := newFake(t)
	paid := &cube.Derivation{Rule: cube.RuleFirstOf, Fields: []string{"old", "new"}}
	m, err := cube.NewModel(
		[]cube.Column{{Name: "Year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "plan"}, {Name: "old"}, {Name: "new"}, {Name: "paid", From: paid}},
		[]cube.Dimension{{Name: "date", Type: cube.DimensionTime, Levels: []cube.Level{{Ref: "Year"}}}},
		[]cube.Measure{
			{Ref: "plan", Phase: "approved", Title: "Approved"}, {Ref: "old", Phase: "executed", Title: "Paid till 2016", Currency: "HRK"},
			{Ref: "new", Phase: "executed", Titles: cube.Titles{"en": "Paid from 2017", "es": "Pagado desde 2017"}}, {Ref: "paid", Phase: "executed", Title: "Paid"},
		})
	if err != nil {
		t.Fatal(err)
	}
	store.cubes[0].Model = m
	store.cubes[0].Coverage = &cube.YearCoverage{Years: []int64{2015, 2016, 2017}, Gaps: []cube.YearGap{{Column: "old", Years: []int64{2017}}, {Column: "new", Years: []int64{2015, 2016}}}}
	store.run = runOver(cubetest.NewStore(m, "2015 100 50 - 50", "2016 100 60 - 60", "2017 100 - 70 70"))
	const made = "“Paid” is published under different names: “Paid till 2016” (2015 and 2016) and “Paid from 2017” (2017). Each line counts the first of them that it has."
	saying(t, store, `70.0% was spent according to these data: 70, exactly 70. <a href="../explore/croatia/number?cut=Year:2017&aggregates=paid.sum&lang=en">Where “Paid” comes from</a>`, map[string]int{"?lang=en": 1})
	saying(t, store, `<span class="soft">`+made+`</span>`, map[string]int{"?lang=en": 0, "?cut=Year:2017&lang=en": 1, "?cut=Year:2017&aggregates=paid.sum&lang=en": 0})
	saying(t, store, `<p class="soft">`+made+`</p>`, map[string]int{
		"?lang=en": 1, "?cut=Year:2017&lang=en": 0, "?cut=Year:2017&aggregates=paid.sum&lang=en": 1, "/number?cut=Year:2017&aggregates=paid.sum&lang=en": 1,
		"?cut=Year:2017&aggregates=new.sum&lang=en": 0, "/number?aggregates=new.sum&lang=en": 0,
	})
	saying(t, store, ` title="`+made+`"`, map[string]int{"?cut=Year:2017&lang=en": 1})
	saying(t, store, "«Paid» se publica con distintos nombres: «Paid till 2016» (2015 y 2016) y «Pagado desde 2017» (2017). De cada línea cuenta el primero que tiene.", map[string]int{"/number?aggregates=paid.sum&lang=es": 1})
	saying(t, store, "„Paid“ objavljuje se pod različitim nazivima: „Paid till 2016“ (2015. i 2016.) i „Paid from 2017“ (2017.). Iz svakog retka broji se prvi koji redak ima.",
		map[string]int{"/number?aggregates=paid.sum&lang=hr": 1})
	store.cubes[0].Coverage.Gaps[1].Years = []int64{2015, 2016, 2017}
	saying(t, store, "“Paid from 2017” (no data).", map[string]int{"/number?aggregates=paid.sum&lang=en": 1})
}

// Where all amounts of a year are published as 0, pages tell no rate and no change with them.
func TestExplorer_ZerosAreNotKnown(t *testing.T) {
	store := spent(t, "2015 a 100 100 50", "2016 a 100 100 0", "2016 b 10 10 0", "2017 a 100 100 70", "2017 b 20 20 6")
	store.cubes[0].Coverage.Zeros = []cube.YearGap{{Column: "paid", Years: []int64{2016}}}
	const of2016, of2017 = "?drilldown=office&cut=Year:2016&aggregates=paid.sum&lang=en", "?drilldown=office&cut=Year:2017&aggregates=paid.sum&lang=en"
	saying(t, store, "Paid: all amounts of 2016 are published as 0, so they are probably not known.", map[string]int{
		of2016: 1, of2017: 0, "/number?cut=Year:2016&aggregates=paid.sum&lang=en": 1, "?drilldown=Year&aggregates=paid.sum&lang=en": 1,
	})
	const zero = "/number?cut=Year:2016&aggregates=paid.sum&lang="
	saying(t, store, "; probably not known: all amounts of 2016 are published as 0. http", map[string]int{zero + "en": 1, "/number?cut=Year:2017&aggregates=paid.sum&lang=en": 0})
	saying(t, store, "; probablemente no se conoce: todos los montos de 2016 se publicaron como 0. http", map[string]int{zero + "es": 1})
	saying(t, store, "; vjerojatno nepoznato: svi su iznosi za 2016. objavljeni kao 0. http", map[string]int{zero + "hr": 1})
	saying(t, store, "-100.0%", map[string]int{of2016: 0, "/number?cut=Year:2016&aggregates=paid.sum&lang=en": 0, "?drilldown=Year&aggregates=paid.sum&lang=en": 0})
	saying(t, store, ">0.0%<", map[string]int{of2016: 0, "?drilldown=Year&lang=en": 0})
	saying(t, store, `data-head="Rate"`, map[string]int{of2016: 0, of2017: 3, "?drilldown=office&cut=Year:2016&lang=en": 0, "?drilldown=office&cut=Year:2017&lang=en": 3})
	saying(t, store, ">Share</a>", map[string]int{of2016: 0, of2017: 1})
	saying(t, store, ">50.0%<", map[string]int{"?drilldown=Year&aggregates=paid.sum&lang=en": 1})
	saying(t, store, `data-head="Change"`, map[string]int{of2016: 0, of2017: 0, "?drilldown=office&cut=Year:2017&lang=en": 3})
	saying(t, store, "No change is told, since all amounts of 2016 are published as 0", map[string]int{of2016: 0, of2017: 1, of2017 + "&_view=change": 2})
	saying(t, store, `2016</a> <span class="mark">probablemente no se conoce</span>`, map[string]int{"/number?cut=Year:2017&aggregates=paid.sum&lang=es": 1})
	saying(t, store, "+52.0% from 2015", map[string]int{"/number?cut=Year:2017&aggregates=paid.sum&lang=en": 1})
}

// A rate above 100 % is explained where it is told, with the measure that has the amounts as they were changed.
func TestExplorer_RatesAboveTheWhole(t *testing.T) {
	const sentence = "A rate above 100% means that more was spent than was approved at first; budgets are often raised during the year."
	store := func(paid string) *fake { return spent(t, "2017 a 100 120 "+paid, "2017 b 100 120 50") }
	above := map[string]int{"?lang=en": 0, "?drilldown=office&cut=Year:2017&lang=en": 0}
	above["?cut=Year:2017%7Coffice:a&aggregates=rate&lang=en"], above["/number?cut=Year:2017%7Coffice:a&aggregates=rate&lang=en"] = 1, 1
	saying(t, store("101"), sentence+" The amounts as changed during the year: “Modified”.", above)
	saying(t, store("100"), sentence, map[string]int{"?lang=en": 0, "?drilldown=office&cut=Year:2017&lang=en": 0})
	saying(t, store("151"), "151.0%", map[string]int{"?drilldown=office&cut=Year:2017&lang=en": 1})
	saying(t, store("151"), "100.5% was spent according to these data: 201, exactly 201.", map[string]int{"?lang=en": 1})
	saying(t, store("151"), sentence, map[string]int{"?lang=en": 1, "?drilldown=office&cut=Year:2017&lang=en": 1, "?cut=Year:2017&lang=en": 1}) // not twice
	saying(t, store("151"), "Una tasa de más del 100 % significa que se gastó más de lo aprobado al principio", map[string]int{"?lang=es": 1})
	saying(t, store("151"), "Stopa iznad 100 % znači da je potrošeno više nego što je isprva odobreno", map[string]int{"?lang=hr": 1})
	absent := store("151")
	absent.cubes[0].Coverage.Gaps = []cube.YearGap{{Column: "changed", Years: []int64{2017}}}
	saying(t, absent, "Modified”", map[string]int{"?lang=en": 0, "?drilldown=office&cut=Year:2017&lang=en": 0})
}

// A rate far below the whole is no finding about the office: usually not all that was spent is published.
func TestExplorer_RatesFarBelowTheWhole(t *testing.T) {
	const sentence = "A rate below 10% often means that what was spent is published in part alone, or that the year had not ended."
	store := func(paid string) *fake { return spent(t, "2017 a 100 120 "+paid, "2017 b 900 120 5") }
	below := map[string]int{"?lang=en": 1, "?cut=Year:2017&lang=en": 1, "?drilldown=office&cut=Year:2017&lang=en": 1, "?cut=Year:2017&aggregates=rate&lang=en": 1, "/number?cut=Year:2017&aggregates=rate&lang=en": 1}
	below["/number?cut=Year:2017&lang=en"], below["?cut=Year:2017%7Coffice:a&lang=en"] = 1, 0 // one of 90 %
	saying(t, store("90"), sentence, below)
	saying(t, store("95"), sentence, map[string]int{"?lang=en": 0, "?drilldown=office&cut=Year:2017&lang=en": 0}) // 10 % and a row of 0.6 %
	saying(t, store("90"), "Una tasa de menos del 10 % suele significar", map[string]int{"?lang=es": 1})
	saying(t, store("90"), "Stopa ispod 10 % često znači", map[string]int{"?lang=hr": 1})
}

// A view of what was approved for a year says how much of it was spent, and where that number comes from.
func TestExplorer_ViewsSayWhatWasSpent(t *testing.T) {
	store := spent(t, "2017 a 100 120 90", "2017 b 300 120 50", "2016 a 100 120 0")
	for address, want := range map[string]string{
		"?drilldown=office&cut=Year:2017":               "Of what was approved for 2017, 35.0% was spent according to these data: 140, exactly 140.",
		"?cut=Year:2017%7Coffice:a":                     "Of what was approved for 2017, 90.0% was spent according to these data: 90, exactly 90.",
		"?cut=Year:2017%7Coffice:a&_view=treemap":       "Of what was approved for 2017, 90.0% was spent according to these data: 90, exactly 90.",
		"?cut=Year:2017%7Coffice:a&aggregates=plan.sum": `number?cut=Year:2017%7Coffice:a&aggregates=paid.sum&lang=en">Where “Paid” comes from</a>`,
	} {
		saying(t, store, want, map[string]int{address + "&lang=en": 1})
	}
	saying(t, store, "was spent according", map[string]int{
		"?cut=Year:2016&lang=en": 0, "?cut=Year:2016..2017&lang=en": 0, "?cut=Year:2017&aggregates=paid.sum&lang=en": 1, "?cut=Year:2017&aggregates=changed.sum&lang=en": 0,
		"?cut=Year:2017&aggregates=plan.avg&lang=en": 0,
	})
}

// A view of a measure without amounts in its year has no table of nothing: it offers the measures that have some.
func TestExplorer_MeasuresWithoutAmounts(t *testing.T) {
	store := spent(t, "2015 a 100 120 90", "2016 a 100 120 -", "2017 a 100 - -")
	store.cubes[0].Coverage.Gaps = []cube.YearGap{{Column: "changed", Years: []int64{2017}}, {Column: "paid", Years: []int64{2016, 2017}}}
	const paid, approved = "?drilldown=office&cut=Year:2016&aggregates=paid.sum", "?drilldown=office&cut=Year:2016&aggregates=plan.sum"
	const links = `<li><a href="../explore/croatia` + approved + `&lang=en">Approved</a></li><li><a href="../explore/croatia?drilldown=office&cut=Year:2016&aggregates=changed.sum&lang=en">Modified</a></li>`
	saying(t, store, "<p>These have amounts of 2016:</p>\n<ul class=\"choices\">"+links+"</ul>", map[string]int{paid + "&lang=en": 1, approved + "&lang=en": 0})
	saying(t, store, "<p>Tienen montos de 2016:</p>", map[string]int{paid + "&lang=es": 1})
	saying(t, store, "<p>Iznose za 2016. imaju:</p>", map[string]int{paid + "&lang=hr": 1})
	saying(t, store, "<tfoot>", map[string]int{paid + "&lang=en": 0, approved + "&lang=en": 1})
	saying(t, store, `aria-current="true">Paid (2015)</a>`, map[string]int{paid + "&lang=en": 1})
	saying(t, store, `>Modified (2015–2016)</a>`, map[string]int{"?drilldown=office&cut=Year:2017&lang=en": 1, paid + "&lang=en": 0})
	saying(t, store, `title="Paid">Spent or received</a>`, map[string]int{"?drilldown=office&lang=en": 1})
	saying(t, store, `>90</a>`, map[string]int{paid + "&lang=en": 1, "?cut=Year:2016&aggregates=paid.sum&lang=en": 1})
	saying(t, store, "Rate", map[string]int{approved + "&lang=en": 0})
}

// Pages say up to which report amounts go, also where there is a single one of each year and so no choice to tell of.
func TestExplorer_AmountsUpToAReport(t *testing.T) {
	of := func(statements ...string) *fake {
		store := newFake(t)
		cb := cubetest.YearToDate(t, cubetest.Snapshots(statements...))
		store.cubes[0].Model, store.cubes[0].Coverage = cb.Model, &cube.YearCoverage{Years: []int64{2016, 2017}}
		store.run = runOver(cubetest.NewStore(cb.Model, "2016 09 September - x 5 5", "2017 09 September - x 7 7"))
		return store
	}
	const view, number = "?drilldown=titulo&cut=ejercicio:2016&lang=", "/number?cut=ejercicio:2016&lang="
	single := of("2016/09", "2017/09")
	saying(t, single, ">The amounts go up to mes_nombre 09.<", map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1, "?drilldown=titulo&cut=ejercicio:2016%7Cmes:09&lang=en": 0})
	saying(t, single, ">Los montos llegan hasta mes_nombre 09.<", map[string]int{view + "es": 1})
	saying(t, single, ">Iznosi sežu do: mes_nombre 09.<", map[string]int{view + "hr": 1})
	saying(t, single, "mes: 09, the last report", map[string]int{number + "en": 3})
	revised := of("2016/septiembre", "2017/septiembre")
	saying(t, revised, ">The amounts are those of the report “septiembre”; the files do not say which months it covers.<", map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1})
	saying(t, revised, ">Los montos son los del informe «septiembre»; los archivos no dicen qué meses abarca.<", map[string]int{view + "es": 1})
	saying(t, revised, ">Iznosi su iz izvještaja „septiembre“; datoteke ne kažu koje mjesece obuhvaća.<", map[string]int{view + "hr": 1})
	saying(t, revised, "; as in the report “septiembre”, the last one. Source", map[string]int{number + "en": 3})
	saying(t, revised, "; según el informe «septiembre», el último. Fuente", map[string]int{number + "es": 3})
	saying(t, revised, "; prema izvještaju „septiembre“, posljednjem. Izvor", map[string]int{number + "hr": 3})
	several := of("2016/03", "2016/09", "2017/09")
	saying(t, several, "The amounts go up to", map[string]int{view + "en": 0, "?drilldown=titulo&cut=ejercicio:2017&lang=en": 1})
}

// Money of an earlier report that is not in the last, which alone is counted, is missing from the sums of its measure. Pages name its lines.
// Where there are too many, they say so of the whole budget.
func TestExplorer_IncompleteReports(t *testing.T) {
	of := func(sums map[string]string, more ...string) *fake {
		store := newFake(t)
		cb := cubetest.YearToDate(t, cubetest.Snapshots("2016/03", "2016/06", "2016/09", "2017/09"))
		store.cubes[0].Model, store.cubes[0].Coverage, store.cubes[0].LinesLeft = cb.Model, &cube.YearCoverage{Years: []int64{2016, 2017}}, &cube.LinesLeft{Count: 3, Sums: sums}
		store.run = runOver(cubetest.NewStore(cb.Model, append([]string{
			"2016 03 March - x 5 5", "2016 06 June - x 5 5", "2016 09 September - x 5 5", "2017 09 September - x 7 7", "2016 06 June - zero 0 1",
			"2016 06 June - empty - 1",
		}, more...)...))
		return store
	}
	found := map[string]string{"pi_monto": "177675000000.00"}
	const view, number, only = "?drilldown=titulo&cut=ejercicio:2016&lang=", "/number?cut=ejercicio:2016&lang=", "/number?cut=ejercicio:2016%7Ctitulo:"
	const missing, overview = "Amounts may be missing", ">Amounts may be missing here: in the whole budget, 3 budget lines are in an earlier report and not in the last of the same period, " +
		"which alone is counted, with 177.7 billion in all, exactly 177,675,000,000.00.<"
	dropped := of(found, "2016 03 March - y 6.5 1", "2016 06 June - y 7.25 1")
	saying(t, dropped, ">Amounts may be missing here: 1 budget line is in earlier reports and not in the last of the same period, which alone is counted, "+
		"last reported with 7.25 in all, exactly 7.25: y in 2016 (mes_nombre 03–06).<", map[string]int{
		"?lang=en": 1, view + "en": 1, number + "en": 1, only + "y&lang=en": 1,
	})
	saying(t, dropped, "1 línea presupuestaria está en informes anteriores y no en el último del mismo período, el único que se cuenta, con 7,25 en total "+
		"según su último informe, exactamente 7,25: y en 2016 (mes_nombre 03–06).", map[string]int{view + "es": 1})
	saying(t, dropped, "1 proračunska linija nalazi se u ranijim izvještajima, a ne u posljednjem za isto razdoblje, koji se jedini broji, s ukupno 7,25 "+
		"prema svojem posljednjem izvještaju, točno 7,25: y za 2016. (mes_nombre 03–06).", map[string]int{view + "hr": 1})
	saying(t, dropped, missing, map[string]int{
		only + "x&lang=en": 0, only + "zero&lang=en": 0, only + "empty&lang=en": 0, "?drilldown=titulo&cut=ejercicio:2017%7Ctitulo:x&lang=en": 0,
		view + "en&aggregates=flujo.sum": 0, view + "en&snapshots=all": 0, "?drilldown=titulo&cut=ejercicio:2016%7Cmes:03&lang=en": 0,
	})
	saying(t, dropped, "y in 2016 (mes_nombre 03).", map[string]int{"?drilldown=titulo&cut=ejercicio:2016%7Cmes:03;09&lang=en": 1})
	saying(t, dropped, "; not included: 1 line of earlier reports, 7.25. http", map[string]int{number + "en": 1, only + "y&lang=en": 1, only + "x&lang=en": 0})
	saying(t, dropped, "; sin incluir: 1 línea de informes anteriores, 7,25. http", map[string]int{number + "es": 1})
	saying(t, dropped, "; nije uključeno: 1 linija iz ranijih izvještaja, 7,25. http", map[string]int{number + "hr": 1})

	several := of(found, "2016 03 March - a -8 1", "2016 03 March - b 4 1", "2016 03 March - c 3 1", "2016 03 March - d 2 1")
	saying(t, several, "4 budget lines are in earlier reports and not in the last of the same period, which alone is counted, last reported with 1 in all, exactly 1.00: "+
		"a in 2016 (mes_nombre 03): -8.00; b in 2016 (mes_nombre 03): 4.00; c in 2016 (mes_nombre 03): 3.00; 1 more.", map[string]int{number + "en": 1})
	var many []string
	for i := range 201 {
		many = append(many, fmt.Sprintf("2016 03 March - line%d 1 1", i))
	}
	saying(t, of(found, many...), overview, map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1, "?drilldown=titulo&cut=ejercicio:2017&lang=en": 0, "/number?cut=ejercicio:2017&lang=en": 0})
	saying(t, of(found, many...), "; lines of earlier reports may be missing. http", map[string]int{number + "en": 1})
	saying(t, of(map[string]string{"flujo": "1"}, many...), missing, map[string]int{"?lang=en": 0, view + "en": 0})
	saying(t, of(map[string]string{"pi_monto": "0.00"}, many...), missing, map[string]int{"?lang=en": 0, view + "en": 0})
	saying(t, of(map[string]string{"pi_monto": ""}, many...), ">lines of earlier reports may be missing.<", map[string]int{"?lang=en": 1, number + "en": 1})
}

// Pages say of which months alone the amounts of a year are, where a level numbers them, and that a rate then is not that of the year.
func TestExplorer_PartsOfYears(t *testing.T) {
	of := func(numbers ...int64) *fake {
		store := newFake(t)
		m, err := (&cube.Draft{
			Columns: []cube.Column{{Name: "Year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "part", Type: cube.TypeInteger}, {Name: "office", Type: cube.TypeText}, {Name: "plan"}, {Name: "paid"}},
			Dimensions: []cube.Dimension{
				{Name: "date", Type: cube.DimensionTime, Levels: []cube.Level{{Ref: "Year"}}}, {Name: "offices", Levels: []cube.Level{{Ref: "office"}}},
				{Name: "parts", Type: cube.DimensionTime, Levels: []cube.Level{{Ref: "part", Titles: cube.Titles{"en": "Month", "es": "Mes", "hr": "Mjesec"}}}},
			},
			Measures: []cube.Measure{{Ref: "plan", Phase: "approved", Title: "Approved"}, {Ref: "paid", Phase: "executed", Title: "Paid"}},
			Derived:  []cube.Derived{{Ref: "rate", Formula: "ratio(paid.sum,plan.sum)", Title: "Rate"}},
		}).Model()
		if err != nil {
			t.Fatal(err)
		}
		all := make([]int64, 12)
		for i := range all {
			all[i] = int64(i + 1)
		}
		store.cubes[0].Model, store.cubes[0].Coverage = m, &cube.YearCoverage{Years: []int64{2016, 2017}, Periods: []cube.YearPeriods{
			{Column: "part", Year: 2016, Numbers: all}, {Column: "part", Year: 2017, Numbers: numbers},
		}}
		store.run = runOver(cubetest.NewStore(m, "2016 1 a 100 50", "2016 1 b 9 9", "2017 1 a 100 5", "2017 1 b 9 1"))
		return store
	}
	const view, whole, number, rate = "?drilldown=office&cut=Year:2017&lang=", "?drilldown=office&cut=Year:2016&lang=", "/number?cut=Year:2017&lang=", "/number?cut=Year:2017&aggregates=rate&lang="
	one, seven := of(1), of(1, 2, 3, 4, 5, 6, 7)
	saying(t, one, ">Only Month 1 of 2017 has amounts.<", map[string]int{
		"?lang=en": 1, view + "en": 1, number + "en": 1, rate + "en": 1, "?drilldown=Year&lang=en": 1, "?cut=Year:2017%7Coffice:a&_with=office:b&lang=en": 1,
		whole + "en": 0, "/number?cut=Year:2016&lang=en": 0, "?drilldown=office&cut=Year:2017%7Cpart:1&lang=en": 0,
		"?drilldown=office&cut=Year:2016&compare=Year:1&lang=en": 1,
	})
	saying(t, one, "is not that of the year", map[string]int{"?drilldown=office&cut=Year:2016&compare=Year:1&lang=en": 0})
	saying(t, one, ">Solo Mes 1 de 2017 tiene montos.<", map[string]int{"?lang=es": 1, view + "es": 1, number + "es": 1})
	saying(t, one, ">Samo Mjesec 1 za 2017. ima iznose.<", map[string]int{"?lang=hr": 1, view + "hr": 1, number + "hr": 1})
	saying(t, seven, ">Only Month 1–7 of 2017 have amounts.<", map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1})
	saying(t, seven, ">Solo Mes 1–7 de 2017 tienen montos.<", map[string]int{number + "es": 1})
	saying(t, seven, ">Samo Mjesec 1–7 za 2017. imaju iznose.<", map[string]int{number + "hr": 1})

	saying(t, one, "(only Month 1 of 2017)", map[string]int{"?lang=en": 1, number + "en": 1, whole + "en": 0})
	const notOfTheYear = "“Paid” is of Month 1 of 2017 alone, and “Approved” usually of the whole year: the rate between them is not that of the year."
	saying(t, one, notOfTheYear, map[string]int{"?lang=en": 1, view + "en": 1, rate + "en": 1, number + "en": 1, whole + "en": 0})
	saying(t, one, "«Paid» es solo de Mes 1 de 2017, y «Approved» suele ser de todo el año: la tasa entre ambos no es la del año.", map[string]int{rate + "es": 1})
	saying(t, one, "„Paid“ je samo za Mjesec 1 za 2017., a „Approved“ obično za cijelu godinu: stopa među njima nije stopa za godinu.", map[string]int{rate + "hr": 1})
	saying(t, of(9), "the rate between them is not that of the year.", map[string]int{"?lang=en": 0, rate + "en": 0}) // it may report what came before
	saying(t, of(9), ">Only Month 9 of 2017 has amounts.<", map[string]int{rate + "en": 1})

	saying(t, one, "; Month: only 1 of 2017. Source: ", map[string]int{number + "en": 3, "/number?cut=Year:2016&lang=en": 0, "/number?cut=Year:2017%7Cpart:1&lang=en": 0})
	saying(t, seven, "; Mes: solo 1–7 de 2017. Fuente: ", map[string]int{number + "es": 3})
	saying(t, seven, "; Mjesec: samo 1–7 za 2017. Izvor: ", map[string]int{number + "hr": 3})

	saying(t, one, "<dd>2016–2017 <strong class=\"doubt\">only Month 1 of 2017</strong></dd>", map[string]int{})
	index := search.New(one, slog.New(slog.DiscardHandler))
	h := api.New(one, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Search: index})
	for lang, mark := range map[string]string{"en": "only Month 1 of 2017", "es": "solo Mes 1 de 2017", "hr": "samo Mjesec 1 za 2017."} {
		mark = " <strong class=\"doubt\">" + mark + "</strong>"
		if err := index.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if page := ask(t, h, "/?q=croatia&lang="+lang).body; strings.Count(page, mark+"</h2>") != 1 {
			t.Errorf("beside the title of what is found not %s: %s", mark, page)
		}
		if page := ask(t, h, "/?q=zzzzz&lang="+lang).body; strings.Count(page, mark+"</li>") != 1 {
			t.Errorf("in the list of budgets not %s: %s", mark, page)
		}
		ask(t, h, "/?q=0.006+thousand")
		if err := index.RefreshSums(t.Context()); err != nil {
			t.Fatal(err)
		}
		for amount, times := range map[string]int{"0.006+thousand": 1, "0.059+thousand": 0} { // of 2017 and of 2016
			page := ask(t, h, "/?q="+amount+"&lang="+lang).body
			if strings.Count(page, `<p class="amount">`) != 1 || strings.Count(page, mark+"</p>") != times {
				t.Errorf("%s has not %d times %s: %s", amount, times, mark, page)
			}
		}
	}
}
