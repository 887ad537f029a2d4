package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// calling is an index of a cube whose members have these names.
func calling(t *testing.T, labels ...string) *Index {
	t.Helper()
	m := newMade()
	c := budget(t, 1, "zz", "Zz")
	m.serve(c)
	var rows []plan.MemberRow
	for i, label := range labels {
		rows = append(rows, row(int64(90-i), []string{string(rune('A' + i))}, label))
	}
	m.put(c, "area", rows...)
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

func TestFind_FunctionsOfGovernmentInOtherLanguages(t *testing.T) {
	x := calling(t, "Salud", "Ministarstvo zdravstva", "Zdravstvena zaštita", "Medio ambiente", "Medio rural", "Zaštita okoliša",
		"Orden público y seguridad", "Orden de pago", "Public order", "Obrana", "Protección social", "Social", "Carreteras y caminos",
		"Impuesto sobre el valor agregado", "Aduanas", "Hrvatski sabor", "Negocios de alto valor agregado")
	for text, want := range map[string][]string{
		"health":            {"A Salud", "B Ministarstvo zdravstva", "C Zdravstvena zaštita"},
		"sanidad":           {"A Salud", "B Ministarstvo zdravstva", "C Zdravstvena zaštita"},
		"zdravstvo":         {"B Ministarstvo zdravstva", "A Salud", "C Zdravstvena zaštita"},
		"environment":       {"D Medio ambiente", "F Zaštita okoliša"},
		"public order":      {"I Public order", "G Orden público y seguridad"},
		"defense":           {"J Obrana"},
		"social protection": {"K Protección social"},
		"highways":          {"M Carreteras y caminos"},
		"VAT":               {"N Impuesto sobre el valor agregado"},
		"customs duties":    {"O Aduanas"},
		"congress":          {"P Hrvatski sabor"},
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string][]string{"health": {"health"}, "salud": nil, "public order": nil} {
		if hit := ask(t, x, text, query.FirstPage).Hits[0]; !slices.Equal(hit.Meant, want) {
			t.Errorf("%q: %s is meant by %q, want %q", text, hit.Label, hit.Meant, want)
		}
	}
}

// A wider kind of tax is found too, after what is called so, and says that it is wider. Who asks for the wider one finds it as such.
func TestFind_Broader(t *testing.T) {
	x := calling(t, "Impuestos sobre bienes y servicios", "Porez na robu i usluge", "Impuesto al valor agregado", "Taxes on goods and services", "ITBIS",
		"Porez na dodanu vrijednost", "Impuesto al valor agregado de bienes y servicios")
	wider := []string{"A Impuestos sobre bienes y servicios", "B Porez na robu i usluge", "D Taxes on goods and services"}
	for _, text := range []string{"itbis", "iva", "vat", "pdv"} {
		hits := ask(t, x, text, query.FirstPage).Hits
		var broader []string
		for _, hit := range hits {
			switch {
			case slices.Equal(hit.Broader, []string{text}):
				broader = append(broader, hitText(hit))
			case len(hit.Broader) > 0 || len(broader) > 0:
				t.Errorf("%q: %s comes after %q, wider than %q", text, hit.Label, broader, hit.Broader)
			}
		}
		if slices.Sort(broader); len(hits) != 7 || !slices.Equal(broader, wider) {
			t.Errorf("%q: wider are %q of %d", text, broader, len(hits))
		}
	}
	for _, hit := range ask(t, x, "impuestos bienes y servicios", query.FirstPage).Hits {
		if len(hit.Broader) > 0 {
			t.Errorf("%s is wider than %q", hit.Label, hit.Broader)
		}
	}
}

// The police is below a ministry that is not named after it.
func TestFind_MinistryOfThePolice(t *testing.T) {
	x := calling(t, "Policijska oprema", "Ministarstvo unutarnjih poslova", "Ministerio del Interior", "Comercio interior")
	if got := find(t, x, "police"); !slices.Equal(got, []string{"B Ministarstvo unutarnjih poslova", "C Ministerio del Interior", "A Policijska oprema"}) {
		t.Errorf("the police is below %q", got)
	}
}

// Only what is called so and no more is wider: what has the words of something wider among others may be a part of it.
func TestFind_PartsAreNotBroader(t *testing.T) {
	x := calling(t, "Sistema Nacional de Seguridad Pública", "Seguridad Pública", "Policía", "Ministarstvo unutarnjih poslova", "Dom zdravlja Ministarstva unutarnjih poslova",
		"Impuestos sobre el comercio y las transacciones internacionales/comercio exterior")
	var broader, meant []string
	for _, text := range []string{"police Zz", "customs"} {
		for _, hit := range ask(t, x, text, query.FirstPage).Hits {
			if len(hit.Broader) > 0 {
				broader = append(broader, hitText(hit)[:1])
			}
			if len(hit.Meant) > 0 {
				meant = append(meant, hitText(hit)[:1])
			}
		}
	}
	slices.Sort(broader)
	if slices.Sort(meant); !slices.Equal(broader, []string{"B", "D", "F"}) || !slices.Equal(meant, []string{"A", "B", "C", "D", "E", "F"}) {
		t.Errorf("%q are wider of %q", broader, meant)
	}
}

// A word for a kind of body is understood in other languages, and what lacks it comes last. What is not below others is a ministry, whatever
// it is called. An office called a secretariat below health is not its ministry.
func TestFind_KindsOfBodies(t *testing.T) {
	m := newMade()
	croatia, mexico := budget(t, 1, "croatia", "Croatia"), budget(t, 2, "mexico", "Mexico")
	m.serve(croatia, mexico)
	m.put(croatia, "area", row(9, []string{"A"}, "MINISTARSTVO ZDRAVSTVA"), row(8, []string{"B"}, "Hrvatski zavod za zdravlje"), row(7, []string{"C"}, "Ministarstvo unutarnjih poslova"))
	m.put(mexico, "area", row(9, []string{"S"}, "Salud"), row(8, []string{"T"}, "Gobernación"), row(7, []string{"E"}, "Educación"))
	m.put(mexico, "unit", row(6, []string{"S", "1"}, "Secretaría"), row(5, []string{"E", "2"}, "Secretaría de Salud"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"Croatia ministry of health":               {"A MINISTARSTVO ZDRAVSTVA", "B Hrvatski zavod za zdravlje"},
		"Croatia health ministry 2017":             {"A MINISTARSTVO ZDRAVSTVA", "B Hrvatski zavod za zdravlje"},
		"ministerio de salud croatia":              {"A MINISTARSTVO ZDRAVSTVA", "B Hrvatski zavod za zdravlje"},
		"ministry of health":                       {"A MINISTARSTVO ZDRAVSTVA", "S Salud", "B Hrvatski zavod za zdravlje", "E/2 Secretaría de Salud"},
		"ministry of education":                    {"E Educación"},
		"Mexico ministry of interior":              {"T Gobernación"},
		"ministry of interior":                     {"C Ministarstvo unutarnjih poslova", "T Gobernación"},
		"what did the ministry of education spend": {"E Educación"},
		"health institute":                         {"B Hrvatski zavod za zdravlje", "A MINISTARSTVO ZDRAVSTVA", "S Salud", "E/2 Secretaría de Salud"},
		"Mexico secretaría":                        {"S/1 Secretaría", "E/2 Secretaría de Salud", "cube Mexico"},
		"agency":                                   {},
	} {
		got := slices.DeleteFunc(find(t, x, text), func(hit string) bool { return strings.HasPrefix(hit, "level ") })
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// Who looks for a ministry finds it, though it is called by its task alone, before what has these words in a longer name, and then what lacks
// the word. Of equals what has the larger part of the budget comes first.
func TestFind_Ministries(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "mexico", "México")
	m.serve(c)
	m.put(c, "year", plan.MemberRow{Path: []cube.Value{cube.Integer(2017)}, Label: cube.Text("2017"), Rows: 7})
	m.put(c, "area", row(9, []string{"7"}, "Defensa Nacional"), row(5, []string{"11"}, "Educación Pública"), row(8, []string{"25"}, "Aportaciones para la Educación"),
		row(7, []string{"13"}, "Marina"), row(3, []string{"9"}, "Marina Mercante"))
	m.put(c, "unit", row(9, []string{"7", "1"}, "Delegación de la Secretaría de Defensa"))
	m.put(c, "fund", row(99, []string{"Defensa"}), row(99, []string{"Defensa jurídica de la Secretaría"}))
	m.pay(c, "year", paid("100", cube.Integer(2017)))
	m.pay(c, "area|year", paid("20", cube.Text("11"), cube.Integer(2017)), paid("10", cube.Text("25"), cube.Integer(2017)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"secretaria de defensa": {"7 Defensa Nacional", "13 Marina", "7/1 Delegación de la Secretaría de Defensa", "Defensa Defensa", "Defensa jurídica de la Secretaría Defensa jurídica de la Secretaría"},
		"ministry of defence mexico": {
			"7 Defensa Nacional", "13 Marina", "7/1 Delegación de la Secretaría de Defensa", "Defensa Defensa", "Defensa jurídica de la Secretaría Defensa jurídica de la Secretaría"},
		"ministry of education": {"11 Educación Pública", "25 Aportaciones para la Educación"},
		"mornarica":             {"13 Marina"},
		"marina":                {"13 Marina", "9 Marina Mercante"},
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// The larger part of an excerpt does not come before what is as large in the whole budget.
func TestFind_ExcerptsAreNotFirst(t *testing.T) {
	m := newMade()
	excerpt, whole := budget(t, 1, "excerpt", "Excerpt"), budget(t, 2, "whole", "Whole")
	excerpt.Rows = 10
	m.serve(excerpt, whole)
	for _, c := range []*cube.Cube{excerpt, whole} {
		m.put(c, "year", plan.MemberRow{Path: []cube.Value{cube.Integer(2017)}, Label: cube.Text("2017"), Rows: 7})
		m.put(c, "area", row(9, []string{"1"}, "Salud"))
		m.pay(c, "year", paid("100", cube.Integer(2017)))
	}
	m.pay(excerpt, "area|year", paid("90", cube.Text("1"), cube.Integer(2017)))
	m.pay(whole, "area|year", paid("20", cube.Text("1"), cube.Integer(2017)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := ask(t, x, "salud", query.FirstPage).Hits; len(hits) != 2 || hits[0].Cube != whole {
		t.Errorf("first is %+v", hits)
	}
}

// A name that only begins like a word of the dictionary is not meant.
func TestFind_NamesLikeDefence(t *testing.T) {
	x := calling(t, "Općina Vojnić", "Uređenje vojnih groblja", "Hrvatska vojska")
	if got := find(t, x, "obrana"); !slices.Equal(got, []string{"C Hrvatska vojska"}) {
		t.Errorf("defence is %q", got)
	}
}

// A word that says what to break down by is left out where nothing is called so, and gives the level that is called so, if one is.
func TestFind_ALevelToBreakDownBy(t *testing.T) {
	x := calling(t, "Educación", "Incisos varios")
	for text, want := range map[string]string{
		"educación por inciso": "A by ", "educación por ministerio": "A by area", "education by unit 2017": "A by unit", "obrazovanje po fundu": "A by fund",
		"education by nothing": "A by ", "educación": "A by ", "por incisos": "B by ",
	} {
		hits := ask(t, x, text, query.FirstPage).Hits
		if len(hits) != 1 || hits[0].Path[0].String()+" by "+hits[0].By.Ref != want {
			t.Errorf("%q finds %+v, want %q", text, hits, want)
		}
	}
}

// Revenue and its kinds are those of the budgets of revenue, whose words are Spanish.
func TestFind_RevenueInOtherLanguages(t *testing.T) {
	x := calling(t, "Impuestos sobre los ingresos, las utilidades y las ganancias de capital", "Impuestos sobre los bienes y servicios",
		"Impuestos sobre el comercio y las transacciones internacionales", "Contribuciones sociales", "Rentas de la propiedad", "Donaciones corrientes",
		"Incremento de pasivos", "Multas y sanciones pecuniarias", "Impuesto a las ventas", "Impuestos sobre la propiedad", "Pomoći iz inozemstva", "Títulos de deuda")
	taxes := []string{"A", "B", "C", "I", "J"}
	for text, want := range map[string][]string{
		"tax":                     taxes,
		"porezi":                  taxes,
		"income tax":              {"A"},
		"taxes on income":         {"A"},
		"impuesto sobre la renta": {"A"},
		"porez na dohodak":        {"A"},
		"sales tax":               {"B", "I"},
		"VAT":                     {"B", "I"},
		"ITBIS":                   {"B", "I"},
		"PDV":                     {"B", "I"},
		"customs duty":            {"C"},
		"carina":                  {"C"},
		"property tax":            {"J"},
		"social contributions":    {"D"},
		"doprinosi":               {"D"},
		"property income":         {"E"},
		"prihodi od imovine":      {"E"},
		"grants":                  {"F", "K"},
		"debt":                    {"G", "L"},
		"dug":                     {"G", "L"},
		"loans":                   {"G"},
		"multas":                  {"H"},
		"kazne":                   {"H"},
	} {
		var got []string
		for _, hit := range find(t, x, text) {
			got = append(got, hit[:1])
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// Words are compared folded, and beginnings of fewer letters would be those of anything.
func TestFunctions_AreFolded(t *testing.T) {
	for _, function := range slices.Concat(functions, bodies) {
		if len(function) < 2 {
			t.Errorf("%v: one name alone", function)
		}
		for _, p := range function {
			for _, w := range p {
				if fold.Text(w.text) != w.text || w.isStart && len(w.text) < 4 || strings.ContainsAny(w.text, "*,") || len(p) > 4 {
					t.Errorf("%q of %v", w.text, function)
				}
			}
		}
	}
}

// A query of many functions has bounds.
func TestParse_ManyFunctions(t *testing.T) {
	q, err := Parse("health education defence housing culture pensions transport energy sport religion police justice")
	if err != nil || len(q.synonyms.patterns) > mostPatterns || len(q.synonyms.phrases) == 0 {
		t.Errorf("%+v: %v", q, err)
	}
}

// A number is the year of what the other words match, and also a word.
func TestFind_AYearInTheQuery(t *testing.T) {
	m := newMade()
	c, old := budget(t, 1, "croatia", "Croatia"), budget(t, 2, "old", "Old")
	old.Resources[0].Found.FirstYear, old.Resources[0].Found.LastYear = 2000, 2005
	m.serve(c, old)
	ended := row(7, []string{"5"}, "Sabor do 2015")
	ended.Last = cube.Integer(2015)
	m.put(c, "area", row(9, []string{"1"}, "Sabor"), row(8, []string{"20170"}, "Sabor"), ended)
	early := row(9, []string{"1"}, "Sabor")
	early.First, early.Last = cube.Integer(2000), cube.Integer(2005)
	m.put(old, "area", early)
	m.pay(c, "area|year", paid("5.00", cube.Text("1"), cube.Integer(2017)), paid("6.00", cube.Text("1"), cube.Integer(2018)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		want []string // cube, path, year, amount
	}{
		{"sabor 2017", []string{"croatia 1 2017 ", "croatia 20170 2017 "}},
		{"sabor 2018", []string{"croatia 1 2018 6.00", "croatia 20170 2018 "}},
		{"sabor 2015", []string{"croatia 20170 2015 ", "croatia 5 2015 "}}, // 1 has rows of 2017 and 2018, of 20170 no years are known
		{"sabor 2003", []string{"old 1 2003 "}},
		{"sabor 2018 2017", []string{"croatia 1 2018 6.00", "croatia 20170 2018 "}}, // the later one
		{"sabor from 2017 to 2018", []string{"croatia 1 2018 6.00", "croatia 20170 2018 "}},
		{"croatia 2017", []string{"croatia  2017 ", "croatia 20170 2017 "}},
		{"2017", []string{"croatia 20170 0 "}},
	} {
		got := []string{}
		for _, h := range ask(t, x, tt.text, query.FirstPage).Hits {
			got = append(got, strings.Join([]string{h.Cube.Name, query.PathText(c.Model.PathOf(h.Level), h.Path), cube.Integer(h.Year).String(), h.Amount.Text}, " "))
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q finds %q, want %q", tt.text, got, tt.want)
		}
	}
}

// What is meant comes before what is only written alike, and a name alone before any among other words.
func TestFind_MeaningComesBeforeErrors(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"police", []string{"B Policy of the police", "D Policías", "C Policía Federal"}}, // Policy is another word
		{"policy", []string{"A Policy axis", "B Policy of the police"}},
		{"educacion", []string{"F Educación", "G Educación y cultura", "E Enseñanza"}},
		{"education", []string{"F Educación", "E Enseñanza", "G Educación y cultura"}},
		{"educacoin", []string{"F Educación", "G Educación y cultura"}},
		{"social proteccion", []string{"H Proteccion social"}},
		{"multas", []string{"I Multa"}}, // the singular, and not Maltas
	} {
		x := calling(t, "Policy axis", "Policy of the police", "Policía Federal", "Policías", "Enseñanza", "Educación", "Educación y cultura", "Proteccion social", "Multa", "Maltas")
		got := find(t, x, tt.text)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q finds %q, want %q", tt.text, got, tt.want)
		}
	}
}

// A cube without the year is told of where its name is asked for, and has what the other words match.
func TestFind_OtherYears(t *testing.T) {
	m := newMade()
	c, old := budget(t, 1, "croatia", "Croatia"), budget(t, 2, "old-croatia", "Old Croatia")
	old.Resources[0].Found.FirstYear, old.Resources[0].Found.LastYear = 2000, 2005
	m.serve(c, old)
	m.put(c, "area", row(9, []string{"1"}, "Sabor"))
	m.put(old, "area", row(9, []string{"1"}, "Sabor"), row(8, []string{"2"}, "Muzej"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"croatia sabor 2016": {"old-croatia"}, "sabor 2016": nil, "old sabor 2003": nil, "croatia sabor 2003": {"croatia"},
		"croatia muzej 2003": nil, "croatia muzej 2016": {"old-croatia"}, "old croatia 2016": {"old-croatia"}, "croatia sabor": nil,
		"what did old croatia spend on the sabor in 2016": {"old-croatia"}, "croatia sabor 1950": {"croatia", "old-croatia"},
		"muzej 2016": {"old-croatia"}, "muzeji 2016": nil, "sabor 1950": {"croatia", "old-croatia"},
	} {
		got := each.Text(ask(t, x, text, query.FirstPage).OtherYears, func(c *cube.Cube) string { return c.Name })
		if len(got) != len(want) || len(want) > 0 && !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Where nothing is of the year, what is called by the other words comes before what has the year as a word.
func TestFind_InTheLatestYear(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "croatia", "Croatia")
	m.serve(c)
	m.put(c, "area", row(9, []string{"1"}, "Sabor"), row(99, []string{"2"}, "Sabor 2013"), row(8, []string{"2013"}, "Ured"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"croatia sabor 2013":                      {"1 Sabor", "2 Sabor 2013"},
		"what did croatia spend on sabor in 2013": {"1 Sabor", "2 Sabor 2013"},
		"croatia 2013":                            {"cube Croatia", "2013 Ured", "2 Sabor 2013"},
		"sabor 2013":                              {"1 Sabor", "2 Sabor 2013"},
		"croatia sabor 2016":                      {"1 Sabor", "2 Sabor 2013"},
	} {
		answer := ask(t, x, text, query.FirstPage)
		isLatest := strings.Contains(text, "2013")
		if got := find(t, x, text); !slices.Equal(got, want) || answer.IsLatest != isLatest {
			t.Errorf("%q finds %q, want %q (%v)", text, got, want, answer.IsLatest)
		}
		if hit := answer.Hits[0]; answer.IsLatest && hit.Year != 0 {
			t.Errorf("%q: in %d", text, hit.Year)
		}
	}
}

// What is of the year comes before what only has it in its name, and before what is named after it and has no rows of it. A name that has it
// does not lose it, and words for a cube are not written wrongly.
func TestFind_TheYearComesFirst(t *testing.T) {
	m := newMade()
	uruguay, mexico := budget(t, 1, "uruguay-desde-2014", "Uruguay"), budget(t, 2, "mexico", "México")
	uruguay.Resources[0].Found.FirstYear, uruguay.Resources[0].Found.LastYear = 2014, 2015
	mexico.Resources[0].Found.FirstYear, mexico.Resources[0].Found.LastYear = 2017, 2018
	m.serve(uruguay, mexico)
	m.put(uruguay, "area", row(9, []string{"1"}, "Salud"), row(99, []string{"2"}, "Salud 2014"), row(50, []string{"3"}, "Médico"))
	m.put(mexico, "area", row(999, []string{"5"}, "Salud 2014"))
	in := func(key string, years ...int64) (cells []plan.Group) {
		for _, year := range years {
			cells = append(cells, paid("1", cube.Text(key), cube.Integer(year)))
		}
		return cells
	}
	m.pay(uruguay, "area|year", slices.Concat(in("1", 2014, 2015), in("2", 2014, 2015), in("3", 2014, 2015))...)
	m.pay(mexico, "area|year", in("5", 2017)...)
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"salud 2014":   {"1 Salud in 2014", "2 Salud 2014 in 2014", "5 Salud 2014 in 0"},
		"uruguay 2014": {"cube Uruguay in 2014", "2 Salud 2014 in 2014"},
		"mexico 2014":  {"cube México in 0", "5 Salud 2014 in 0"},
	} {
		var got []string
		for _, hit := range ask(t, x, text, query.FirstPage).Hits {
			got = append(got, fmt.Sprint(hitText(hit), " in ", hit.Year))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// The words of a question are left out where nothing has them.
func TestFind_Questions(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "mexico", "México")
	m.serve(c)
	m.put(c, "area", row(9, []string{"A"}, "Salud"), row(8, []string{"B"}, "Caminos y carreteras"), row(7, []string{"C"}, "Gasto corriente"),
		row(6, []string{"D"}, "Gasto en salud"), row(5, []string{"E"}, "Impuesto sobre la renta"), row(4, []string{"F"}, "Total de caminos"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"what did Mexico spend on health in 2016": {"A Salud", "D Gasto en salud"},
		"¿Cuánto gasta México en salud?":          {"A Salud", "D Gasto en salud"},
		"koliko Mexico troši na zdravstvo":        {"A Salud", "D Gasto en salud"},
		"gasto salud":                             {"D Gasto en salud"},
		"gasto corriente":                         {"C Gasto corriente"},
		"how much is spent on roads":              {"B Caminos y carreteras", "F Total de caminos"},
		"how much mexico":                         {"cube México"},
		"total mexico":                            {"F Total de caminos"},
		"totals of mexico":                        {"cube México"},
		"ukupno mexico 2016":                      {"cube México"},
		"total salud":                             {"A Salud", "D Gasto en salud"},
		"total de caminos":                        {"F Total de caminos"},
		"how much":                                {},
		"money for taxes":                         {"E Impuesto sobre la renta"},
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// Small words and those that ask, which a question has at its end too, are the beginnings of no names, and choose nothing.
func TestFind_EndsOfQuestions(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "croatia", "Croatia")
	c.Country, c.CountryNames = "HR", cube.Titles{"en": "Croatia", "es": "Croacia", "hr": "Hrvatska"}
	m.serve(c)
	m.put(c, "area", row(9, []string{"A"}, "Salud"), row(8, []string{"B"}, "Ministerio de Salud, Lovran y Logistika"), row(7, []string{"C"}, "Educación"),
		row(6, []string{"D"}, "Cambio climático"), row(5, []string{"E"}, "Ciencia y Educación"), row(4, []string{"F"}, "Gastos corrientes"), row(3, []string{"Y"}, "Otro"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	health, education := []string{"A Salud", "B Ministerio de Salud, Lovran y Logistika"}, []string{"C Educación", "E Ciencia y Educación"}
	for text, want := range map[string][]string{
		"¿Cuánto gastó Croacia en salud en 2017 y qué ministerio lo gasta?":                                 health,
		"¿Cuánto gastó Croacia en educación en 2016, quién lo gasta y cómo cambió?":                         education,
		"what did croatia spend on health in 2017, on what, and how did it change from 2016 to 2017":        health,
		"education in Croatia, and who spends it":                                                           education,
		"koliko je Croatia potrošila na obrazovanje 2017., tko to troši i kako se promijenilo od 2016.":     education,
		"koliko je u Hrvatskoj odobreno za obrazovanje 2017.":                                               education,
		"koliko je Croatia dala za obrazovanje 2017.":                                                       education,
		"how much did Croatia give to health in 2017":                                                       health,
		"¿Cuánto se presupuestó en salud en Croacia en 2017, en qué, y cuánto se ejecutó? ¿Por qué creció?": health,
		"salud y":          health,
		"cambio climático": {"D Cambio climático"},
		"gasto corriente":  {"F Gastos corrientes"},
		"y":                {"Y Otro", "B Ministerio de Salud, Lovran y Logistika", "E Ciencia y Educación"},
	} {
		if got := slices.DeleteFunc(find(t, x, text), func(hit string) bool { return strings.HasPrefix(hit, "level ") }); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// A name does not come first since it has the small words of a query too.
func TestFind_SmallWordsChooseNothing(t *testing.T) {
	x := calling(t, "Valle", "Emisor y Valle")
	if got := find(t, x, "valle y"); !slices.Equal(got, []string{"A Valle", "B Emisor y Valle"}) {
		t.Errorf("found %q", got)
	}
}

// Who asks for two functions at once finds first what is called by both, then what is called by either, and then what has both among other
// words.
func TestFind_SeveralFunctions(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "mexico", "México")
	m.serve(c)
	m.put(c, "area", row(9, []string{"A"}, "Apoyo a la salud y la educación de las familias"), row(8, []string{"B"}, "Salud"), row(7, []string{"C"}, "Educación"),
		row(6, []string{"D"}, "Educación superior"), row(5, []string{"E"}, "Ministerio de Educación y Salud"), row(4, []string{"F"}, "Energía"),
		row(3, []string{"G"}, "Subsidio a la energía"), row(2, []string{"H"}, "Vivienda"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"salud y educación México 2016":                       {"E Ministerio de Educación y Salud", "B Salud", "C Educación", "A Apoyo a la salud y la educación de las familias"},
		"health and the education México":                     {"E Ministerio de Educación y Salud", "B Salud", "C Educación", "A Apoyo a la salud y la educación de las familias"},
		"what did México spend on health and housing in 2013": {"B Salud", "H Vivienda"},
		"salud, vivienda y energía":                           {"B Salud", "F Energía", "H Vivienda"},
		"subsidio energía":                                    {"G Subsidio a la energía"},
		"educación superior y educación":                      {"D Educación superior"},
	} {
		if got := find(t, x, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// A member of a level with editions is not called by the year from which its code is.
func TestFind_EditionsAreNoNames(t *testing.T) {
	m := newMade()
	c := cubetest.Renumbered(t)
	c.ID, c.Version, c.Served = 1, 1, true
	m.serve(c)
	year := cube.Integer(2008)
	member := func(label string, path ...cube.Value) plan.MemberRow {
		return plan.MemberRow{Path: path, Label: cube.Text(label), Labels: []plan.LabelUse{{Text: label}}, Rows: 9, First: year, Last: cube.Integer(2012)}
	}
	m.put(c, "function_edition", plan.MemberRow{Path: []cube.Value{year}, Label: year, Rows: 9})
	m.put(c, "group", member("Gobierno", cube.Text("1")))
	m.put(c, "function", member("Policía", cube.Text("1"), year, cube.Text("6")))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int64{"policía 2008": 2008, "policía 2010": 2010, "policía": 0} {
		if hits := ask(t, x, text, query.FirstPage).Hits; len(hits) != 1 || hits[0].Label != "Policía" || hits[0].Year != want {
			t.Errorf("%q finds %+v", text, hits)
		}
	}
	if got := find(t, x, "2008"); len(got) > 0 {
		t.Errorf("2008 finds %q", got)
	}
}
