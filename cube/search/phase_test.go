package search

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/fold"
)

// A word that says a phase is left out where nothing is found with it, and then says the phase.
func TestFind_Phases(t *testing.T) {
	x := calling(t, "Salud", "Impuestos", "Pagado por adelantado")
	for text, want := range map[string]Phase{
		"what was spent on health":   {Word: "spent", Name: "executed"},
		"gastó en salud":             {Word: "gastó", Name: "executed"},
		"cuanto gasto salud":         {Word: "gastó", Name: "executed"},
		"gasto en salud":             {},
		"gastado en salud":           {Word: "gastado", Name: "executed"},
		"potrošeno na zdravstvo":     {Word: "potroseno", Name: "executed"},
		"taxes collected":            {Word: "collected", Name: "executed"},
		"impuestos recaudados":       {Word: "recaudados", Name: "executed"},
		"recaudación de impuestos":   {Word: "recaudacion", Name: "executed"},
		"collection of taxes":        {Word: "collection", Name: "executed"},
		"naplata poreza":             {Word: "naplata", Name: "executed"},
		"prikupljeno poreza":         {Word: "prikupljeno", Name: "executed"},
		"impuestos recaudadores":     {},
		"budgeted health":            {Word: "budgeted", Name: "approved"},
		"odobreno zdravstvo":         {Word: "odobreno", Name: "approved"},
		"modified health":            {Word: "modified", Name: "adjusted"},
		"health":                     {},
		"pagado":                     {},
		"how much is it for health":  {},
		"spent on nothing like this": {},

		"cuánto se presupuestó en salud y cuánto se gastó": {Word: "presupuestó", Name: "approved"},
		"cuánto gastó en salud, y cuánto se presupuestó":   {Word: "gastó", Name: "executed"},
		"cuánto ejecutó salud":                             {Word: "ejecuto", Name: "executed"},
		"presupuesto de salud":                             {},
	} {
		answer := ask(t, x, text, query.FirstPage)
		if got := answer.Phase; got.Word != want.Word || got.Name != want.Name {
			t.Errorf("%q says %+v, want %+v (%d hits)", text, got, want, answer.Total)
		}
	}
}

func TestPhase_MeasureOf(t *testing.T) {
	measure := func(ref, title, phase string) cube.Measure { return cube.Measure{Ref: ref, Title: title, Phase: phase} }
	columns := []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}}
	for _, name := range []string{"a", "old", "due", "paid"} {
		columns = append(columns, cube.Column{Name: name, Type: cube.TypeDecimal})
	}
	columns = append(columns, cube.Column{Name: "spent", Type: cube.TypeDecimal, From: &cube.Derivation{Rule: cube.RuleFirstOf, Fields: []string{"old", "due"}}})
	model, err := cube.NewModel(columns, []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}}}, []cube.Measure{
		measure("old", "Spent, to 2012", "executed"), measure("a", "Approved", "approved"), measure("due", "Accrued", "executed"),
		measure("paid", "Paid in", "executed"), measure("spent", "Spent", "executed"),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &cube.Cube{Package: &cube.Package{Model: model, Coverage: &cube.YearCoverage{Years: []int64{2012, 2019, 2020}, Gaps: []cube.YearGap{
		{Column: "old", Years: []int64{2019, 2020}}, {Column: "spent", Years: []int64{2020}}, {Column: "paid", Years: []int64{2012}},
	}}}}
	for _, tt := range []struct {
		word string
		year int64
		want string
	}{
		{"spent", 2012, "spent"}, {"spent", 2019, "spent"}, {"spent", 2020, "due"}, {"pagado", 2019, "paid"}, {"pagado", 2012, "spent"},
		{"collected", 2020, "paid"}, {"recaudacion", 2020, "paid"}, {"devengado", 2012, "due"}, {"approved", 2012, "a"}, {"proposed", 2012, ""}, {"health", 2012, ""},
	} {
		phase, _ := phaseOf(tt.word)
		if got, ok := phase.MeasureOf(c, tt.year); got.Ref != tt.want || ok != (tt.want != "") {
			t.Errorf("%q in %d: %q, want %q", tt.word, tt.year, got.Ref, tt.want)
		}
	}
}

// Words are compared folded, and each is of one phase.
func TestPhases_AreFolded(t *testing.T) {
	for i, line := range phases {
		for _, p := range line.words {
			if len(p) != 1 || fold.Text(p[0].text) != p[0].text {
				t.Errorf("%v of %s", p, line.name)
			} else if phase, _ := phaseOf(p[0].text); phase.first != i {
				t.Errorf("%q is of %s too", p[0].text, phase.Name)
			}
		}
	}
}
