package prose_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
	"fiscube/internal/golden"
)

// titled gives levels and measures of a cube titles in Spanish, each a name and its title.
func titled(t *testing.T, c *cube.Cube, titles ...string) *cube.Cube {
	t.Helper()
	draft := c.Model.Draft()
	for i := 0; i < len(titles); i += 2 {
		title := cube.Titles{"es": titles[i+1]}
		if level := draft.Level(titles[i]); level != nil {
			level.Titles = title
		}
		for j := range draft.Measures {
			if draft.Measures[j].Ref == titles[i] {
				draft.Measures[j].Titles = title
			}
		}
	}
	model, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	c.Model = model
	return c
}

// covering gives a cube its years, of which some fields are empty in some.
func covering(c *cube.Cube, years []int64, gaps ...cube.YearGap) *cube.Cube {
	c.Coverage = &cube.YearCoverage{Years: years, Gaps: gaps}
	return c
}

// excerpt is a cube of few rows, all of one region.
func excerpt(t *testing.T, rows int64) *cube.Cube {
	c := covering(cubetest.Spending(t), []int64{2015, 2016})
	c.Rows, c.OnlyMembers = rows, []cube.OnlyMember{{Level: "region", Label: "North"}}
	return c
}

// cubes are those that testdata asks.
func cubes(t *testing.T) map[string]*cube.Cube {
	t.Helper()
	var many []string
	for year := 2000; year < 2020; year++ {
		many = append(many, fmt.Sprintf("%d/1", year), fmt.Sprintf("%d/2", year))
	}
	all := map[string]*cube.Cube{
		"plain": cubetest.Cube(t), "reports": cubetest.YearToDate(t, nil), "places": cubetest.Places(t), "renumbered": cubetest.Renumbered(t),
		"uneven": cubetest.YearToDate(t, cubetest.Snapshots("2017/01", "2018/01", "2018/02", "2018/03", "2019/02", "2020/04")),
		"many":   cubetest.YearToDate(t, cubetest.Snapshots(many...)),
		"one-period": cubetest.YearToDate(t, func(d *cube.Draft) {
			cubetest.Snapshots("1", "2", "")(d)
			d.Snapshots.Per, d.Snapshots.Order = nil, []string{"1", "2", ""}
		}),
		"gaps": covering(cubetest.Cube(t), []int64{2008, 2009, 2010, 2011, 2013}, cube.YearGap{Column: "econ2_code", Years: []int64{2008, 2009, 2010}},
			cube.YearGap{Column: "ID_PP", Years: []int64{2008, 2010, 2013}}, cube.YearGap{Column: "executed.value", Years: []int64{2008, 2009, 2010, 2011, 2013}}),
		"zeros": covering(cubetest.Cube(t), []int64{2011, 2012, 2013, 2014, 2019}), "noted": cubetest.Cube(t), "financing": cubetest.Cube(t), "twice": cubetest.Cube(t),
		"totals": cubetest.Cube(t), "repeated": cubetest.Cube(t), "years-differ": cubetest.SpendingOfYears(t), "years-apart": cubetest.SpendingOfYears(t),
		"flat": titled(t, covering(cubetest.YearToDate(t, cubetest.Snapshots("2017/12", "2018/06", "2018/12")), []int64{2017, 2018}),
			"ejercicio", "Ejercicio", "mes", "Mes", "flujo", "Flujo"),
		"partial": titled(t, covering(cubetest.YearToDate(t, cubetest.Snapshots("2018/01", "2018/02", "2018/03", "2019/02")), []int64{2018, 2019}),
			"ejercicio", "Ejercicio", "mes", "Mes", "flujo", "Flujo"),
		"excerpt": excerpt(t, 150), "excerpt-of": excerpt(t, 2000), "made-up": excerpt(t, 150), "jumping": cubetest.Spending(t), "jumping-excerpt": cubetest.Spending(t),
		"towns": titled(t, covering(cubetest.Spending(t), []int64{2015, 2016}, cube.YearGap{Column: "town", Years: []int64{2015}}, cube.YearGap{Column: "paid", Years: []int64{2015}}),
			"year", "Año", "town", "Localidad", "paid", "Pagado", "plan", "Previsto"),
	}
	all["zeros"].Coverage.Zeros = []cube.YearGap{{Column: "executed.value", Years: []int64{2011, 2012, 2013, 2019}}}
	all["noted"].SnapshotsSuspected = "quarter"
	all["noted"].Notes = []cube.Titles{{"en": "Title 3 is financing.", "es": "El título 3 es financiamiento."}, {"hr": "Bez zagrada.", "pt": "Sem"}}
	all["financing"].Financing = []cube.Financing{{Level: "admin1_code", Keys: []string{"3.1", "4"}}}
	all["twice"].NamedTotals = []cube.NamedTotal{{Resource: "a.csv", Line: 7, Cells: map[string]string{"Year": "2016", "quarter": "4"}},
		{Resource: "b.csv", Line: 9, Cells: map[string]string{"Year": "2017", "quarter": ""}}}
	all["twice"].Overlaps = []cube.YearOverlap{{Year: "2017", Resources: []string{"a.csv", "b.csv"}}}
	all["totals"].TotalsLeftOut = []cube.NamedTotal{{Resource: "a.csv", Line: 7, Cells: map[string]string{"Year": "2016"}}, {Resource: "b.csv", Line: 9}}
	all["repeated"].Resources = []cube.Resource{{Name: "part.csv", Repeats: true, Found: cube.Found{FirstYear: 2016, LastYear: 2016}}}
	all["years-apart"].Coverage.Years = []int64{2014, 2015, 2016, 2017, 2019}
	all["excerpt-of"].Larger, all["made-up"].Synthetic = &cube.Larger{Name: "whole", Rows: 30000}, true
	for name, rows := range map[string]int64{"jumping": 2000, "jumping-excerpt": 29} {
		covering(all[name], []int64{2011, 2012, 2013, 2014, 2015, 2016, 2017}).Rows = rows
		all[name].Coverage.Jumps = []cube.YearJumps{{Column: "plan", Up: []int64{2015}, Down: []int64{2013, 2017}}}
	}
	return all
}

// named gives two members of the same label, and a third, for each value of a filter that is told with labels.
func named(c prose.Citation, f plan.Filter) (groups []plan.Group) {
	level, ok := c.LevelOf(f)
	if !ok {
		return nil
	}
	for _, tests := range f.Any {
		last := tests[len(tests)-1]
		for _, value := range last.In {
			for _, label := range []string{"Ana", "ana", "Bor"} {
				g := plan.Group{Keys: make([]cube.Value, len(level.Path)), Labels: []cube.Value{cube.Text(label + " " + value.String())}}
				for _, test := range tests {
					if at := slices.Index(level.Path, test.Column.Name); at >= 0 {
						g.Keys[at] = test.In[0]
					}
				}
				g.Keys[len(g.Keys)-1] = value
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// The questions of testdata/caveats.txt and citations.txt, and what is told of their answers:
//
//	cube NAME           the questions below it are asked of it
//	cite LANG QUESTION  cites a number, of several aggregates every other one
//	warn LANG QUESTION  tells programs of the caveats of an answer, sum of one with amounts, tree and facts of those of a tree of Places and of rows
//	tell LANG QUESTION  tells people; lack both, of an answer whose first cut names a member that does not exist; spell tells programs of
//	                    one that is written another way under another code
func TestAnswers(t *testing.T) {
	all := cubes(t)
	var asked *cube.Cube
	tell := func(line string) string {
		verb, rest, _ := strings.Cut(line, " ")
		in, question, _ := strings.Cut(rest, " ")
		l := cube.Language(in)
		var p *plan.Plan
		switch verb {
		case "cube":
			asked = all[rest]
			return ""
		case "tree":
			p = cubetest.BindTree(t, asked, question)
		case "facts":
			facts, err := plan.BindFacts(asked, query.FactQuery{Snapshots: query.SnapshotChoice(question)})
			if err != nil {
				t.Fatal(err)
			}
			p = facts.Counting()
		default:
			p = cubetest.Bind(t, asked, question)
		}
		seen := caveat.Evidence{Plan: p, Financing: p.Financing()}
		if c := p.Comparison(); c != nil {
			seen.WithoutCounterpart = c.WithoutCounterpart
		}
		if verb == "sum" {
			seen.Values = slices.Repeat([]decimal.NullDecimal{decimal.NewNullDecimal(decimal.NewFromInt(1))}, len(p.Aggregates()))
		}
		if verb == "spell" {
			seen.WithoutCounterpart = []plan.WithoutCounterpart{{Kind: plan.OtherSpelling, Args: []any{int64(2016), `"Health"`, `"HEALTH"`, int64(2015)}}}
		}
		if verb == "lack" {
			f := p.FiltersAsked()[0]
			seen.Missing = []caveat.Missing{{Filter: f, Named: p.MembersNamed(f)}}
		}
		var lines []string
		list := caveat.Of(seen)
		if verb == "cite" {
			values := slices.Repeat([]decimal.NullDecimal{decimal.NewNullDecimal(decimal.RequireFromString("1234.5")), {}}, len(p.Aggregates()))
			sentence := prose.Cite(p, list, nil, words.Locale{Language: l}, prose.Named{})
			return sentence.Sentence(values, func(f plan.Filter) []plan.Group { return named(sentence, f) }, nil)
		}
		for i, w := range prose.Warnings(p, list, l) {
			if verb != "tell" {
				lines = append(lines, string(w.Weight)+" "+w.Code+": "+w.Message)
			}
			if verb == "tell" || verb == "lack" {
				lines = append(lines, prose.Tell(p, list[i], words.Locale{Language: l}))
			}
		}
		return strings.Join(lines, "\n")
	}
	golden.Answers(t, "testdata/caveats.txt", tell)
	golden.Answers(t, "testdata/citations.txt", tell)
}

// What is told of the findings of testdata/findings.txt, each as it is stored, in three languages: to those who have the files and, behind an arrow, to those who
// have not seen them. One without a message has that of its sentence, and a place without a cell that of a case.
func TestFindings(t *testing.T) {
	titles := map[string]string{"ejercicio": "Year", "pi_monto": "Initial budget", "econ_code": "Economic class"}
	title := func(field string) string { return cmp.Or(titles[field], field) }
	golden.Answers(t, "testdata/findings.txt", func(stored string) string {
		var f findings.Finding
		if err := json.Unmarshal([]byte(stored), &f); err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		if f.Message == "" {
			f = prose.Describe(f, f.Sentence, f.Params)
		}
		var lines []string
		for _, l := range []cube.Language{cube.English, "es", "hr"} {
			for _, at := range f.Places {
				if at.Cell == "" {
					at = prose.Case(f.Code, at.Sentence, at.Params)
				}
				lines = append(lines, prose.CaseOf(f, at, l))
			}
			if f.Places == nil {
				lines = append(lines, prose.Finding(f, l), "→ "+prose.TellFinding(words.Locale{Language: l}, f, title))
			}
		}
		return strings.Join(lines, "\n")
	})
}

// People read the codes that are published, with the years in which they hold, and no keys of editions: the cuts of testdata/codes.txt, in three languages.
func TestCodes(t *testing.T) {
	c := cubetest.Renumbered(t)
	write := func(cut string) string {
		f := cubetest.Bind(t, c, "cut="+cut).FiltersAsked()[0]
		return strings.Join(each.Text([]cube.Language{cube.English, "es", "hr"}, func(l cube.Language) string {
			var codes []string
			for item := range f.Echo {
				codes = append(codes, prose.Codes(f, item, l)...)
			}
			return strings.Join(codes, ", ")
		}), "\n")
	}
	golden.Answers(t, "testdata/codes.txt", write)
	function, _ := c.Model.Level("function")
	path := []cube.Value{cube.Text("2"), cube.Integer(2008), cube.Text("3")}
	if got, want := prose.CodesOfPath(c.Model.PathOf(function), path, cube.English), "2/3 up to 2011"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
	column, _ := c.Model.Column("function_edition")
	column.From.Years = []int64{2008, 2012, 2016}
	if got, want := write("function:3@2012"), "3 2012 to 2015\n3 2012 a 2015\n3 od 2012. do 2015."; got != want {
		t.Errorf("an edition between others is %s, want %s", got, want)
	}
}

// What is said in files: of their cells, of measures and series, and of a package.
func TestFiles(t *testing.T) {
	counts := []prose.CellCount{{Column: "iznos", Cells: 1, Of: 21}}
	for i := range 13 {
		counts = append(counts, prose.CellCount{Column: fmt.Sprint(i), Cells: 3, Of: 2})
	}
	version := &cube.Cube{Package: &cube.Package{Name: "proračun", Overlay: []byte{}}, Version: 2, Fingerprint: "f"}
	files := []prose.PackageFile{{Path: "data/a.csv", Resource: "{a|b}", Rows: 5, Published: "a.csv.gz", Hash: "0", Totals: []int64{7}}}
	golden.File(t, "testdata/files.txt", prose.QuotientsRounded(counts, "hr").Message+"\n\n"+prose.PackageReadme(version, files, "http://example.org/", "hr"))
}
