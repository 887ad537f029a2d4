package prose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// warnings gives the warnings of a plan whose rows show nothing more.
func warnings(p *plan.Plan, l cube.Language) []cube.Warning {
	return prose.Warnings(p, caveat.Of(caveat.Evidence{Plan: p, Financing: p.Financing(), WithoutCounterpart: withoutCounterpart(p)}), l)
}

// told are the same to people.
func told(p *plan.Plan, l cube.Language) string {
	return strings.Join(each.Text(caveat.Of(caveat.Evidence{Plan: p, Financing: p.Financing(), WithoutCounterpart: withoutCounterpart(p)}), func(c caveat.Caveat) string {
		return prose.Tell(p, c, words.Locale{Language: l})
	}), "\n")
}

func withoutCounterpart(p *plan.Plan) []plan.WithoutCounterpart {
	if c := p.Comparison(); c != nil {
		return c.WithoutCounterpart
	}
	return nil
}

// warned writes the warnings of a plan in English, one a line.
func warned(p *plan.Plan) string { return written(warnings(p, cube.English)) }

func written(list []cube.Warning) string {
	return strings.Join(each.Text(list, func(w cube.Warning) string { return w.Code + ": " + w.Message }), "\n")
}

// A comparison says which statement of the other year it counts, also if the year asked for has a single one.
func TestWarnings_ComparedSnapshots(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2017/01", "2018/01", "2018/02", "2018/03", "2019/02", "2020/04"))
	const same = "snapshot-default: mes: the other side of the comparison counts the same statement "
	for question, want := range map[string]string{
		"cut=ejercicio:2019&aggregates=pi_monto.sum":           same + "(2018: 02)",
		"cut=ejercicio:2019&aggregates=pi_monto.sum|flujo.sum": same + "(2018: 02), and adds up those up to it in flujo",
		"cut=ejercicio:2019&aggregates=flujo.sum":              same + "(2018: 02), and adds up those up to it in flujo",
		"cut=ejercicio:2018&aggregates=flujo.sum": "snapshot-default: mes: the last statement of each ejercicio is counted (2018: 03); all are added up in flujo\n" +
			"not-compared: ejercicio: nothing is there to compare with for 2018 (no mes 03 of 2017)",
		"cut=ejercicio:2020&aggregates=flujo.sum":        "not-compared: ejercicio: nothing is there to compare with for 2020 (no mes 04 of 2019)",
		"cut=ejercicio:2019|mes:02&aggregates=flujo.sum": "",
		"cut=ejercicio:2017;2018&drilldown=ejercicio&aggregates=flujo.sum&compare=ejercicio:1": "snapshot-default: mes: the last statement of each " +
			"ejercicio is counted (2017: 01, 2018: 03); all are added up in flujo; the other side of the comparison counts the same statement (2018: 01), " +
			"and adds up those up to it in flujo\nperiod-incomplete: mes: the last statement of some ejercicio is earlier than 03 (2017: 01)\n" +
			"not-compared: ejercicio: nothing is there to compare with for 2018 (no mes 03 of 2019)",
		"cut=ejercicio:2019&drilldown=mes&aggregates=pi_monto.sum":    "",
		"cut=ejercicio:2019&drilldown=titulo&aggregates=pi_monto.sum": same + "(2018: 02)",
	} {
		if !strings.Contains(question, "compare") {
			question += "&compare=ejercicio:-1"
		}
		if got := warned(cubetest.Bind(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
}

func TestWarnings_Snapshots(t *testing.T) {
	const (
		early    = "period-incomplete: mes: the last statement of some ejercicio is earlier than 12 (2019: 06)"
		whole    = "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 12, 2018: 12)"
		all      = "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 12, 2018: 12, 2019: 06)"
		eachCell = "snapshot-default: mes: each cell is a statement of its own; the summary counts the last of each ejercicio"
	)
	for _, tt := range []struct{ name, question, want string }{
		{"which are counted", "cut=ejercicio:2017;2018", whole},
		{"and which are early", "", all + "\n" + early},
		{"as of", "cut=mes:..03", "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 03, 2018: 03, 2019: 03)"},
		{"nothing where one is asked for", "cut=mes:03", ""},
		{"but for what is early all the same", "cut=mes:12|!ejercicio:2018", ""},
		{"nor where there is nothing", "cut=mes:13", ""},
		{"the summary of drilled ones", "drilldown=mes&cut=ejercicio:2018", eachCell + " (2018: 12)"},
		{"all of them", "snapshots=all", "snapshots-all: mes: all statements of each ejercicio are added up, so the same money is counted up to 12 times"},
		{"all of one are one", "snapshots=all&cut=mes:03", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := cubetest.Bind(t, cubetest.YearToDate(t, nil), strings.TrimPrefix(tt.question+"&aggregates=pi_monto.sum", "&"))
			if got := warned(p); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	flow := warned(cubetest.Bind(t, cubetest.YearToDate(t, nil), "cut=ejercicio:2017&aggregates=pi_monto.sum|flujo.sum|flujo.max"))
	if want := "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 12); all are added up in flujo"; flow != want {
		t.Errorf("got  %s\nwant %s", flow, want)
	}
	facts, err := plan.BindFacts(cubetest.YearToDate(t, nil), query.FactQuery{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := warned(facts.Counting()), all+"; in answers flujo adds up all statements: snapshots=all shows the rows of all, and in _counts which amounts count each\n"+early; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if facts, err = plan.BindFacts(cubetest.YearToDate(t, nil), query.FactQuery{Snapshots: query.AllSnapshots}); err != nil {
		t.Fatal(err)
	}
	if got, want := warned(facts.Counting()), "snapshots-all: mes: all statements of each ejercicio are added up, so the same money is counted up to 12 times; "+
		"_counts says which amounts count a row in answers without snapshots=all"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	spanish := written(warnings(cubetest.Bind(t, cubetest.YearToDate(t, nil), "cut=ejercicio:2018;2019&aggregates=pi_monto.sum"), "es"))
	if want := "snapshot-default: mes: se cuenta la última declaración de cada ejercicio (2018: 12, 2019: 06)\n" +
		"period-incomplete: mes: la última declaración de algún ejercicio es anterior a 12 (2019: 06)"; spanish != want {
		t.Errorf("got  %s\nwant %s", spanish, want)
	}
}

func TestWarnings_ListFewPeriods(t *testing.T) {
	var lines []string
	for year := range 20 {
		lines = append(lines, fmt.Sprintf("%d/1", 2000+year), fmt.Sprintf("%d/2", 2000+year))
	}
	got := warned(cubetest.Bind(t, cubetest.YearToDate(t, cubetest.Snapshots(lines...)), "aggregates=_count"))
	if !strings.HasSuffix(got, ", 2011: 2, and 8 more)") {
		t.Error(got)
	}
	one := cubetest.YearToDate(t, func(d *cube.Draft) {
		cubetest.Snapshots("1", "2", "")(d)
		d.Snapshots.Per, d.Snapshots.Order = nil, []string{"1", "2", ""}
	})
	if got := warned(cubetest.Bind(t, one, "aggregates=_count")); got != "snapshot-default: mes: the last statement is counted ((missing))" {
		t.Error(got)
	}
}

func TestWarnings_LevelsAndMeasuresThatAreEmpty(t *testing.T) {
	c := cubetest.Cube(t)
	c.Coverage = &cube.YearCoverage{
		Years: []int64{2008, 2009, 2010, 2011, 2013},
		Gaps: []cube.YearGap{
			{Column: "econ2_code", Years: []int64{2008, 2009, 2010}}, {Column: "ID_PP", Years: []int64{2008, 2010, 2013}},
			{Column: "executed.value", Years: []int64{2008, 2009, 2010, 2011, 2013}},
		},
	}
	const level, measure = "level-absent: econ2_code is empty in ", "measure-absent: executed.value has no amounts in "
	const missing = ": its cells of these years are all missing"
	for _, tt := range []struct{ question, want string }{
		{"aggregates=_count|approved_value.sum", ""},
		{"", measure + "2008 to 2011, 2013"},
		{`aggregates="executed.value".sum|"executed.value".avg&cut=Year:2009`, measure + "2009"},
		{"aggregates=_count&drilldown=econ2_code", level + "2008 to 2010" + missing},
		{"aggregates=_count&drilldown=econ2_code&cut=Year:2009;2010;2011", level + "2009, 2010" + missing},
		{"aggregates=_count&cut=econ2_code:1|Year:2011..", ""},
		{"aggregates=_count&cut=!econ2_code:1|!Year:2009", level + "2008, 2010" + missing},
		{"aggregates=_count&cut=date:2008/1|econ2_code:1", level + "2008" + missing},
		{"aggregates=_count&cut=Year:1999|econ2_code:1", ""},
		{"aggregates=_count&drilldown=ID_PP|econ2_code", "level-absent: ID_PP is empty in 2008, 2010, 2013" + missing + "\n" + level + "2008 to 2010" + missing},
	} {
		if got := warned(cubetest.Bind(t, c, tt.question)); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.question, got, tt.want)
		}
	}
}

// Amounts that are all 0 are probably not known, of whichever years.
func TestWarnings_MeasuresThatAreZero(t *testing.T) {
	c := cubetest.Cube(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2011, 2012, 2013, 2014, 2019}, Zeros: []cube.YearGap{{Column: "executed.value", Years: []int64{2011, 2012, 2013, 2019}}}}
	const zero = "measure-zero: executed.value: all amounts of %s are published as 0, so they are probably not known"
	for question, years := range map[string]string{
		"aggregates=approved_value.sum": "", `aggregates="executed.value".sum`: "2011 to 2013, 2019", `aggregates="executed.value".sum&cut=Year:2012;2014`: "2012",
		`aggregates="executed.value".sum&cut=Year:2014`: "", `aggregates=ratio("executed.value".sum,approved_value.sum)&cut=Year:2019`: "2019",
	} {
		want := ""
		if years != "" {
			want = fmt.Sprintf(zero, years)
		}
		if got := warned(cubetest.Bind(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
}

func TestWarnings_OfThePackage(t *testing.T) {
	c := cubetest.Cube(t)
	c.SnapshotsSuspected = "quarter"
	c.Notes = []cube.Titles{{"en": "Title 3 is financing.", "es": "El título 3 es financiamiento."}, {"hr": "Bez zagrada.", "pt": "Sem"}}
	const notes = "note: Title 3 is financing.\nnote: Bez zagrada."
	const undeclared = "snapshots-undeclared: quarter seems to tell several statements of the same money apart, and nobody has " +
		"declared that it does: amounts may be counted several times; cut or drill it\n"
	for question, want := range map[string]string{
		"": undeclared + notes, "drilldown=Year": undeclared + notes, "snapshots=all": undeclared + notes,
		"drilldown=quarter_label": notes, "cut=quarter:4": notes, "cut=!date:2016/4": notes, "cut=date:2016": undeclared + notes,
	} {
		if got := warned(cubetest.Bind(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	if warnings(cubetest.MustAsk(t, ""), cube.English) != nil {
		t.Error("a package of which nothing is known warns")
	}
}

// Sums that may include financing say so, and how to leave it out, unless a cut chooses among its level or leaves it out.
func TestWarnings_Financing(t *testing.T) {
	c := cubetest.Cube(t)
	c.Financing = []cube.Financing{{Level: "admin1_code", Keys: []string{"3.1", "4"}}}
	const (
		both = "financing-included: sums include financing, which is neither revenue nor expenditure (admin1_code: 3.1, 4); cut=!admin1_code:\"3.1\";\"4\" leaves it out"
		four = "financing-included: sums include financing, which is neither revenue nor expenditure (admin1_code: 4); cut=!admin1_code:\"4\" leaves it out"
	)
	for question, want := range map[string]string{
		"": both, "drilldown=admin1_code": both, "cut=Year:2016&aggregates=approved_value.avg": both, "aggregates=ratio(approved_value.sum,_count)": both,
		"aggregates=_count": "", "cut=!admin1_code:3.1": four, "cut=!admin1_code:4;3.1": "", "cut=admin1_code:3.1": "", "cut=admin1_code:3.1;7": "",
		"cut=admin2_code:70": "", "cut=!admin2_code:70": both,
	} {
		if got := warned(cubetest.Bind(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	p := cubetest.Bind(t, c, "cut=!admin1_code:4")
	for l, want := range map[cube.Language][2]string{
		cube.English: {"", "The sums include financing, which is neither revenue nor expenditure (admin1_label 3.1)."},
		"es": {"las sumas incluyen financiamiento, que no es ingreso ni gasto (admin1_code: 3.1); cut=!admin1_code:\"3.1\" lo deja fuera",
			"Las sumas incluyen financiamiento, que no es ingreso ni gasto (admin1_label 3.1)."},
		"hr": {"zbrojevi uključuju financiranje, koje nije ni prihod ni rashod (admin1_code: 3.1); cut=!admin1_code:\"3.1\" ga izostavlja",
			"Zbrojevi uključuju financiranje, koje nije ni prihod ni rashod (admin1_label 3.1)."},
	} {
		got := warnings(p, l)
		if len(got) != 1 || want[0] != "" && got[0].Message != want[0] || told(p, l) != want[1] {
			t.Errorf("%s: %+v, want %q", l, got, want)
		}
	}
}

func TestWarnings_OfRowsCountedTwice(t *testing.T) {
	c := cubetest.Cube(t)
	c.NamedTotals = []cube.NamedTotal{{Resource: "a.csv", Line: 7, Cells: map[string]string{"Year": "2016", "quarter": "4"}},
		{Resource: "b.csv", Line: 9, Cells: map[string]string{"Year": "2017", "quarter": ""}}}
	c.Overlaps = []cube.YearOverlap{{Year: "2017", Resources: []string{"a.csv", "b.csv"}}}
	totals := func(lines string) string {
		return fmt.Sprintf("looks-like-total: rows that look like totals are counted (lines of %s): check whether amounts are counted twice", lines)
	}
	const overlap = "\nyears-overlap: the rows of 2017 are counted more than once: a.csv, b.csv have the same rows"
	for question, want := range map[string]string{
		"":                                 totals("a.csv: 7, b.csv: 9") + overlap,
		"drilldown=quarter&cut=!Year:2016": totals("b.csv: 9") + overlap,
		"cut=Year:2016":                    totals("a.csv: 7"),
		"cut=Year:2016|quarter:3":          "",
	} {
		if got := warned(cubetest.Bind(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	c.NamedTotals, c.Overlaps = nil, nil
	c.TotalsLeftOut = []cube.NamedTotal{{Resource: "a.csv", Line: 7, Cells: map[string]string{"Year": "2016"}}, {Resource: "b.csv", Line: 9}}
	const out = "totals-left-out: rows are not counted, since they are the totals of other rows (lines of %s); if they are amounts of " +
		"their own, an overlay can switch totals-row off"
	for question, lines := range map[string]string{"": "a.csv: 7, b.csv: 9", "cut=Year:2017": "b.csv: 9"} {
		if got, want := warned(cubetest.Bind(t, c, question)), fmt.Sprintf(out, lines); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	c.TotalsLeftOut = nil
	c.Resources = []cube.Resource{{Name: "part.csv", Repeats: true, Found: cube.Found{FirstYear: 2016, LastYear: 2016}}}
	const left = "resource-left-out: not counted, since other files have its rows: part.csv"
	if got := warned(cubetest.Bind(t, c, "cut=Year:2016")); got != left {
		t.Errorf("got %s, want %s", got, left)
	}
}

func TestWarnings_FormulasOfDifferentYears(t *testing.T) {
	c := cubetest.SpendingOfYears(t)
	const null = ": null where several years are added up, as they do not all have the amounts it is of "
	for _, tt := range []struct{ question, want string }{
		{"aggregates=execution|plan.sum|diff(plan.sum,paid.sum)&cut=year:2014..2016",
			"years-differ: execution, diff(plan.sum,paid.sum)" + null + "(paid has none in 2014); ask with cut=year:2015..2016, or drill year"},
		{"aggregates=_count&having=execution>1", "years-differ: execution" + null +
			"(paid has none in 2014, 2017); ask with cut=year:2015..2016, or drill year"},
		{"aggregates=_count&having=execution>1&drilldown=year", ""},
		{"aggregates=ratio(paid.sum,debt.sum)", "years-differ: ratio(paid.sum,debt.sum)" + null +
			"(paid has none in 2014, 2017, debt has none in 2014 to 2016); no year asked has them all"},
		{"aggregates=ratio(plan.sum,debt.sum)&cut=year:2016..", "years-differ: ratio(plan.sum,debt.sum)" + null +
			"(debt has none in 2016); ask with cut=year:2017, or drill year"},
		{"aggregates=execution&drilldown=year|region", "years-differ: execution" + null +
			"(paid has none in 2014, 2017); ask with cut=year:2015..2016"},
		{"aggregates=share(diff(plan.sum,paid.sum))|execution&drilldown=region&cut=year:2014..2015",
			"years-differ: share(diff(plan.sum,paid.sum))" + null + "(paid has none in 2014); ask with cut=year:2015\n" +
				"years-differ: execution" + null + "(paid has none in 2014); ask with cut=year:2015, or drill year"},
		{"aggregates=execution&cut=year:2015..2016", ""},
		{"aggregates=execution&cut=year:2014", ""},
		{"aggregates=ratio(paid.sum,paid.count)|share(paid.sum)", ""},
	} {
		if got := differing(cubetest.Bind(t, c, tt.question), cube.English); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.question, got, tt.want)
		}
	}
	const want = "years-differ: execution: nulo donde se suman varios años, pues no todos tienen los montos que usa " +
		"(paid no tiene en 2014, 2017); pregunte con cut=year:2015..2016, o desglose year"
	if got := differing(cubetest.Bind(t, c, "aggregates=execution"), "es"); got != want {
		t.Errorf("in Spanish\ngot  %s\nwant %s", got, want)
	}
	c.Coverage.Years = []int64{2014, 2015, 2016, 2017, 2019}
	if got := differing(cubetest.Bind(t, c, "aggregates=execution&cut=!year:2016"), cube.English); !strings.Contains(got, "cut=year:2015;2019,") {
		t.Errorf("of years apart: %s", got)
	}
}

// differing shows the warnings of years that differ.
func differing(p *plan.Plan, l cube.Language) string {
	lines := slices.DeleteFunc(strings.Split(written(warnings(p, l)), "\n"), func(line string) bool { return !strings.HasPrefix(line, cube.WarnYearsDiffer) })
	return strings.Join(lines, "\n")
}

func TestWarnings_SumsOfWhatHavingKeeps(t *testing.T) {
	const (
		sums  = "having-sums: subtotals, remainders and shares are of the cells that having keeps; ask without having for those of all cells"
		rests = "having-sums: remainders are of the members that having keeps; ask without having for those of all members"
	)
	c := cubetest.Places(t)
	for question, want := range map[string]string{
		"drilldown=region|town&having=plan.sum>1&rollup=1":                                             sums,
		"drilldown=region&having=plan.sum>1&top=1&remainder=1":                                         sums,
		"drilldown=region&having=plan.sum>1&aggregates=share(plan.sum)":                                sums,
		"drilldown=region&having=plan.sum>1&aggregates=ratio(share_of_parent(plan.sum),_count)":        sums,
		"drilldown=region&having=plan.sum>1&rollup=1":                                                  "",
		"drilldown=region&having=plan.sum>1&top=1":                                                     "",
		"drilldown=region&having=plan.sum>1":                                                           "",
		"drilldown=region|town&rollup=1&top=1&remainder=1&aggregates=share_of_parent(plan.sum)|_count": "",
	} {
		if got := warned(cubetest.Bind(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	for question, want := range map[string]string{
		"depth=3&having=plan.sum>1&aggregates=share(plan.sum)": "",
		"depth=3&having=plan.sum>1&top=1&remainder=1":          rests,
		"depth=3&top=1&remainder=1":                            "",
	} {
		if got := warned(cubetest.BindTree(t, c, question)); got != want {
			t.Errorf("the tree %s\ngot  %s\nwant %s", question, got, want)
		}
	}
	spanish := cubetest.Bind(t, c, "drilldown=region&having=plan.sum>1&aggregates=share(plan.sum)")
	if got := written(warnings(spanish, "es")); !strings.Contains(got, "de las celdas que having conserva") {
		t.Errorf("in Spanish: %s", got)
	}
}

func TestWarnings_OtherSpelling(t *testing.T) {
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	p := cubetest.Bind(t, c, "cut=year:2017&aggregates=plan.sum&compare=year:-1")
	seen := caveat.Evidence{Plan: p, WithoutCounterpart: []plan.WithoutCounterpart{{Kind: plan.OtherSpelling, Args: []any{int64(2017), `"Health"`, `"HEALTH"`, int64(2016)}}}}
	for language, want := range map[cube.Language]string{
		cube.English: `year: nothing is there to compare with for 2017 ("Health" is written "HEALTH" in 2016, under another code; cut on both)`,
		"es":         `year: no hay con qué comparar 2017 ("Health" se escribe "HEALTH" en 2016, con otro código; filtre por ambos)`,
	} {
		if list := prose.Warnings(p, caveat.Of(seen), language); !slices.ContainsFunc(list, says(cube.WarnNotCompared, want)) {
			t.Errorf("%v, want %s", list, want)
		}
	}
}

// says finds a warning.
func says(code, message string) func(cube.Warning) bool {
	return func(w cube.Warning) bool { return w.Code == code && w.Message == message }
}

// titled is a cube whose levels and measures have titles in Spanish.
func titled(t *testing.T, c *cube.Cube, titles map[string]string) *cube.Cube {
	t.Helper()
	draft := c.Model.Draft()
	for _, d := range draft.Dimensions {
		for i, level := range d.Levels {
			if title := titles[level.Ref]; title != "" {
				d.Levels[i].Titles = cube.Titles{"es": title}
			}
		}
	}
	for i, measure := range draft.Measures {
		if title := titles[measure.Ref]; title != "" {
			draft.Measures[i].Titles = cube.Titles{"es": title}
		}
	}
	model, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	copied := *c
	copied.Package = &cube.Package{Name: c.Name, Model: model}
	return &copied
}

// People are told of warnings with the titles of fields, and without the parameters by which programs ask.
func TestWarnings_AreToldWithTitles(t *testing.T) {
	titles := map[string]string{
		"ejercicio": "Ejercicio", "mes": "Mes", "flujo": "Flujo", "year": "Año", "town": "Localidad", "paid": "Pagado", "plan": "Previsto",
	}
	flat := titled(t, cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12")), titles)
	flat.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018}}
	partial := titled(t, cubetest.YearToDate(t, cubetest.Snapshots("2018/01", "2018/02", "2018/03", "2019/02")), titles)
	partial.Coverage = &cube.YearCoverage{Years: []int64{2018, 2019}}
	towns := titled(t, cubetest.Spending(t), titles)
	towns.Coverage = &cube.YearCoverage{Years: []int64{2015, 2016}, Gaps: []cube.YearGap{
		{Column: "town", Years: []int64{2015}}, {Column: "paid", Years: []int64{2015}}}}
	for _, tt := range []struct {
		c              *cube.Cube
		question, want string
	}{
		{flat, "drilldown=ejercicio&compare=ejercicio:-1", "Mes: cada informe repite el dinero de los anteriores, así que solo se cuenta el último informe de cada Ejercicio (2017: 12, 2018: 12); " +
			"en Flujo cada informe trae dinero nuevo, así que se suman todos los informes.\nEjercicio: no hay con qué comparar 2017 (no hay Mes 12 de 2016)."},
		{partial, "cut=ejercicio:2019&compare=ejercicio:-1&aggregates=flujo.sum|pi_monto.sum", "Mes: los montos con los que se compara son los del mismo " +
			"informe (2018: 02), en Flujo los de todos los informes hasta ese."},
		{flat, "cut=ejercicio:2018&drilldown=mes&aggregates=pi_monto.sum", "Mes: cada monto es el de un informe y repite dinero de los otros, así que el total " +
			"es el del último informe de cada Ejercicio (2018: 12) y no la suma."},
		{flat, "snapshots=all&aggregates=pi_monto.sum", "Mes: se suman todos los informes de cada Ejercicio, de modo que el mismo dinero se cuenta hasta 2 veces."},
		{partial, "cut=ejercicio:2018;2019&aggregates=pi_monto.sum", "Mes: cada informe repite el dinero de los anteriores, así que solo se cuenta el último " +
			"informe de cada Ejercicio (2018: 03, 2019: 02).\nAlgunos montos abarcan menos tiempo que otros, porque su último informe es anterior a Mes 03 (2019: 02)."},
		{towns, "drilldown=town&cut=year:2016&aggregates=plan.sum&compare=year:-1", "Año: no hay con qué comparar 2016 (Localidad está vacío en 2015)."},
		{towns, "cut=year:2016&aggregates=paid.sum&compare=year:-1", "Año: los años que se comparan no tienen todos montos en Pagado."},
		{towns, "aggregates=ratio(paid.sum,plan.sum)", "Pagado no tiene montos en 2015.\n" +
			"Pagado / Previsto: no puede darse para varios años juntos, porque faltan algunos de los montos que necesita (Pagado no tiene en 2015); elija un año entre estos: 2016."},
		{towns, "drilldown=town&aggregates=plan.sum", "Localidad: sin dato para 2015; los montos de entonces figuran bajo «(sin dato)»."},
	} {
		if got := told(cubetest.Bind(t, tt.c, tt.question), "es"); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.question, got, tt.want)
		}
	}
}

func TestWarnings_NotComparedInSpanish(t *testing.T) {
	flatOne := cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12"))
	flatOne.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018}}
	wards := cubetest.Spending(t)
	wards.Coverage = &cube.YearCoverage{Years: []int64{2015, 2016}, Gaps: []cube.YearGap{
		{Column: "town", Years: []int64{2015}}, {Column: "paid", Years: []int64{2015}}}}
	for _, tt := range []struct {
		c              *cube.Cube
		question, want string
	}{
		{flatOne, "drilldown=ejercicio&compare=ejercicio:-1",
			"ejercicio: no hay con qué comparar 2017 (no hay mes 12 de 2016)"},
		{flatOne, "drilldown=mes|ejercicio&compare=ejercicio:-1",
			"ejercicio: no hay con qué comparar 2017 (no hay filas de 2016), 2018/06 (no hay mes 06 de 2017)"},
		{wards, "drilldown=year&aggregates=paid.sum&compare=year:-1", "year: no hay con qué comparar 2015 (no hay filas de 2014)"},
		{wards, "cut=year:2016&aggregates=paid.sum&compare=year:-1",
			"year: los años que se comparan no tienen todos montos en paid"},
		{wards, "cut=year:2015..2016&aggregates=paid.sum&compare=year:1",
			"year: los años que se comparan no tienen todos montos en paid; las sumas de varios años no se comparan"},
		{wards, "drilldown=town&cut=year:2016&aggregates=plan.sum&compare=year:-1",
			"year: no hay con qué comparar 2016 (town está vacío en 2015)"},
	} {
		list := warnings(cubetest.Bind(t, tt.c, tt.question), "es")
		if !slices.ContainsFunc(list, says(cube.WarnNotCompared, tt.want)) {
			t.Errorf("%s: %v", tt.question, list)
		}
	}
}

func TestWarnings_InCroatian(t *testing.T) {
	flows := cubetest.YearToDate(t, cubetest.Snapshots("2017/01", "2018/01", "2018/02", "2018/03", "2019/02", "2020/04"))
	gaps := cubetest.Cube(t)
	gaps.Coverage = &cube.YearCoverage{Years: []int64{2008, 2009, 2010, 2011}, Gaps: []cube.YearGap{{Column: "econ2_code", Years: []int64{2008, 2009, 2010}}}}
	for _, tt := range []struct {
		c              *cube.Cube
		question, want string
	}{
		{flows, "cut=ejercicio:2017;2018&drilldown=ejercicio&aggregates=flujo.sum&compare=ejercicio:1",
			"snapshot-default: mes: uzima se posljednji izvještaj za svako razdoblje u polju ejercicio (2017: 01, 2018: 03); svi se zbrajaju za flujo; " +
				"druga strana usporedbe uzima isti izvještaj (2018: 01), a za flujo zbraja sve do njega\n" +
				"period-incomplete: mes: posljednji izvještaj za neko razdoblje u polju ejercicio raniji je od 03 (2017: 01)\n" +
				"not-compared: ejercicio: nema se s čime usporediti 2018 (nema podataka: mes 03 za 2019)"},
		{cubetest.YearToDate(t, nil), "snapshots=all&cut=ejercicio:2017&aggregates=pi_monto.sum",
			"snapshots-all: mes: zbrajaju se svi izvještaji za svako razdoblje u polju ejercicio, pa se isti novac broji i do 12 puta"},
		{gaps, "aggregates=_count&drilldown=econ2_code&cut=Year:2008..2010",
			"level-absent: econ2_code nema podataka za 2008. – 2010.; sve ćelije za te godine ostaju prazne"},
	} {
		if got := written(warnings(cubetest.Bind(t, tt.c, tt.question), "hr")); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.question, got, tt.want)
		}
	}
}

func TestWarnings_OfFilesInCroatian(t *testing.T) {
	counts := []prose.CellCount{{Column: "iznos", Cells: 1, Of: 21}}
	for i := range 13 {
		counts = append(counts, prose.CellCount{Column: fmt.Sprint(i), Cells: 3, Of: 2})
	}
	got := prose.QuotientsRounded(counts, "hr").Message
	if !strings.Contains(got, "(iznos: 1 od 21 ćelije, 0: 3 od 2 ćelije, ") || !strings.HasSuffix(got, ", još 2 stupca)") {
		t.Error(got)
	}
	version := &cube.Cube{Package: &cube.Package{Name: "proračun", Overlay: []byte{}}, Version: 2, Fingerprint: "f"}
	readme := prose.PackageReadme(version, []prose.PackageFile{{Path: "data/a.csv", Resource: "{a|b}", Rows: 5, Published: "a.csv.gz", Hash: "0", Totals: []int64{7}}},
		"http://example.org/", "hr")
	for _, want := range []string{"Ovo je paket proračun, verzija 2, ", "data/a.csv: 5 redaka resursa {a|b}, objavljenog kao a.csv.gz (SHA-256 0)",
		"Nijedna dopuna (overlay) nije primijenjena.", ": 1 redak resursa {a|b} sa zbrojem drugih redaka (redci objavljene datoteke: 7)."} {
		if !strings.Contains(readme, want) {
			t.Errorf("%q is not in\n%s", want, readme)
		}
	}
}
