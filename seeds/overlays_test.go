package seeds_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/internal/golden"
	"fiscube/seeds"
)

func readReal(t *testing.T, folder string) *cube.Package {
	t.Helper()
	return readPackage(t, realDescriptor(t, folder))
}

func readSeed(t *testing.T, name string) *cube.Package {
	t.Helper()
	return readPackage(t, read(t, open(t, name), "datapackage.json"))
}

func readPackage(t *testing.T, text []byte) *cube.Package {
	t.Helper()
	p, err := fdp.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// overlaid applies the overlay that ships for p.
func overlaid(t *testing.T, p *cube.Package) *cube.Package {
	t.Helper()
	text, ok := seeds.OverlayFor(p)
	if !ok {
		t.Fatalf("no overlay is for %s, %s", p.Name, p.ID)
	}
	o, err := fdp.ReadOverlay(text)
	if err != nil {
		t.Fatal(err)
	}
	applied, err := o.Apply(p)
	if err != nil {
		t.Fatalf("%s:\n%v", p.Name, err)
	}
	return applied
}

// chains writes every chain of a model, a line each.
func chains(m *cube.Model) string {
	var b strings.Builder
	for _, d := range m.Dimensions() {
		for _, chain := range d.Chains() {
			fmt.Fprintf(&b, "%s (%s): ", d.Name, strings.TrimSpace(d.Type+" "+d.Classification))
			for i, l := range chain {
				if i > 0 {
					b.WriteString(" > ")
				}
				b.WriteString(levelText(l))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func levelText(l cube.Level) string {
	text := l.Ref
	if l.LabelRef != "" {
		text += "=" + l.LabelRef
	}
	if len(l.Within) > 0 {
		text += " within " + strings.Join(l.Within, ",")
	}
	return text
}

// details writes what else an overlay says: measures, columns that a rule makes, snapshots, notes.
func details(p *cube.Package) string {
	var b strings.Builder
	for _, m := range p.Model.Measures() {
		fmt.Fprintf(&b, "%s: %s, %s %d %s %s\n", m.Ref, m.Title, m.Currency, m.Unit, m.Phase, m.Direction)
	}
	for _, c := range p.Model.Columns() {
		if c.From != nil && c.From.Rule != cube.RuleCell {
			from := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %d %d %s", strings.Join(c.From.Fields, " "), c.From.Pattern,
				strings.Join(c.Markers, ","), c.From.Length, c.From.Digits, c.From.Suffix)), " ")
			fmt.Fprintf(&b, "%s %s: %s\n", c.Name, c.From.Rule, strings.TrimSuffix(from, " 0 0"))
		}
	}
	if s := p.Model.Snapshots(); s != nil {
		fmt.Fprintf(&b, "snapshots by %s per %s: %s\n", s.By, strings.Join(s.Per, ","), strings.Join(s.Order, ","))
	}
	for _, f := range p.Financing {
		fmt.Fprintf(&b, "financing %s: %s\n", f.Level, strings.Join(f.Keys, ","))
	}
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", note["en"])
	}
	return b.String()
}

// The models that descriptor and overlay make together, before the repairs, are in testdata/models: levels as key=label, and what else the
// overlay says but the cells kept beside the made columns. Published packages have the same model as their seed.
func TestOverlays_MakeTheModels(t *testing.T) {
	published := map[string][]string{
		"example-costa-rica-egresos": {"D8-costa-rica-egresos"}, "example-costa-rica-ingresos": {"D5-costa-rica-ingresos"},
		"example-croatia": {"D2-croatia"}, "example-dominicana": {"D3-dominicana-ingresos"},
		"example-mexico": {"D7-mexico", "D7-mexico-2017-sample"}, "example-paraguay": {"D1-paraguay"}, "example-uruguay": {"D6-uruguay"},
	}
	for _, s := range seeds.All() {
		is := func(t *testing.T, p *cube.Package) {
			t.Helper()
			golden.File(t, "testdata/models/"+s.Name+".txt", chains(p.Model)+"\n"+details(p))
		}
		is(t, overlaid(t, readSeed(t, s.Name)))
		for _, folder := range published[s.Name] {
			t.Run(folder, func(t *testing.T) { is(t, overlaid(t, readReal(t, folder))) })
		}
	}
	if got := len(seeds.Overlays()); got != len(seeds.All()) {
		t.Errorf("%d overlays for %d seeds", got, len(seeds.All()))
	}
}

func TestOverlays_GiveTitlesInTwoLanguages(t *testing.T) {
	for _, s := range seeds.All() {
		p := overlaid(t, readSeed(t, s.Name))
		check := func(what string, titles cube.Titles) {
			if titles["en"] == "" || titles["es"] == "" {
				t.Errorf("%s: %s has the titles %v", s.Name, what, titles)
			}
		}
		check("package", p.Titles)
		for _, m := range p.Model.Measures() {
			check("measure "+m.Ref, m.Titles)
			if m.Title != m.Titles["en"] || m.Currency == "" || m.Unit == 0 || m.Phase == "" || m.Direction == "" {
				t.Errorf("%s: something is missing in %+v", s.Name, m)
			}
		}
		for _, d := range p.Model.Dimensions() {
			if s.Name == "example-ciudad-de-mexico" && d.Name == "activity" {
				continue
			}
			check("dimension "+d.Name, d.Titles)
			for _, l := range d.Levels {
				check("level "+l.Ref, l.Titles)
			}
		}
		for _, note := range p.Notes {
			check("a note", note)
		}
	}
}

func TestOverlayFor_NameAlone(t *testing.T) {
	city := readSeed(t, "example-ciudad-de-mexico")
	city.Name, city.ID = "ciudad-de-mexico", "R_unknown"
	if text, ok := seeds.OverlayFor(city); !ok || !strings.Contains(string(text), "Mexico City") {
		t.Error("the overlay of D4 is not found by its name")
	}
	other := readSeed(t, "example-croatia")
	other.Name, other.ID = "mexico", "R_unknown"
	if text, ok := seeds.OverlayFor(other); ok {
		t.Errorf("another package called mexico gets\n%s", text)
	}
	if _, ok := seeds.OverlayFor(&cube.Package{Name: "x", Model: other.Model}); ok {
		t.Error("there is an overlay for an unknown package")
	}
}

// Titles are the words of people: money is spent and not executed, ministries are no sections, and a year is called as pages call it.
func TestOverlays_TitlesAreForPeople(t *testing.T) {
	ofTrade := regexp.MustCompile(`^(Executed|Accrued|Section|Chapter|Ejecutado|Devengado|Sección|Capítulo|Ciclo|Ejercicio|Izvršeno|Obračunato)$`)
	for _, seed := range seeds.All() {
		m := overlaid(t, readSeed(t, seed.Name)).Model
		var titles []cube.Titles
		for _, measure := range m.Measures() {
			titles = append(titles, measure.Titles)
		}
		for _, level := range m.Levels() {
			titles = append(titles, level.Titles)
		}
		for _, title := range titles {
			for _, text := range title {
				if ofTrade.MatchString(text) {
					t.Errorf("%s: %s", seed.Name, text)
				}
			}
		}
	}
}

// Each row of the table of keys has an example.
func TestOverlays_ReadTheExamplesOfTheREADME(t *testing.T) {
	text, err := os.ReadFile("overlays/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		rows++
		example := strings.ReplaceAll(strings.Trim(cells[3], " `"), "\x00", "|")
		if _, err := fdp.ReadOverlay([]byte(example)); err != nil {
			t.Errorf("%s: %v", example, err)
		}
		if key := strings.FieldsFunc(cells[1], func(c rune) bool { return strings.ContainsRune(" `.,", c) })[0]; !strings.HasPrefix(example, key) {
			t.Errorf("the example of %s is %s", cells[1], example)
		}
	}
	if rows != 54 {
		t.Errorf("the table has %d rows", rows)
	}
}

// What an overlay says in one language it says in all.
func TestOverlays_SpeakEveryLanguage(t *testing.T) {
	for _, seed := range seeds.All() {
		p := overlaid(t, readSeed(t, seed.Name))
		speaks := func(what string, titles cube.Titles) {
			for _, l := range []string{"en", "es", "hr"} {
				if len(titles) > 0 && titles[l] == "" {
					t.Errorf("%s: %s has no title in %s", seed.Name, what, l)
				}
			}
		}
		speaks("the package", p.Titles)
		speaks("the country", p.CountryNames)
		speaks("the description", p.Descriptions)
		for _, note := range p.Notes {
			speaks("a note", note)
		}
		amounts := map[string]string{} // by language and title
		for _, m := range p.Model.Measures() {
			speaks("measure "+m.Ref, m.Titles)
			code, _, _ := strings.Cut(m.Ref, "_")
			for language, title := range m.Titles {
				if other := amounts[language+title]; other != "" {
					t.Errorf("%s: %s and %s are both %s", seed.Name, other, m.Ref, title)
				}
				if amounts[language+title] = m.Ref; strings.Contains(title, "("+code+")") {
					t.Errorf("%s: the title of %s has its code, and no other is %s", seed.Name, m.Ref, title)
				}
			}
		}
		for _, d := range p.Model.Derived() {
			speaks("formula "+d.Ref, d.Titles)
		}
		for _, d := range p.Model.Dimensions() {
			speaks("dimension "+d.Name, d.Titles)
		}
		named := map[string]string{} // by language and title
		for _, l := range p.Model.Levels() {
			speaks("level "+l.Ref, l.Titles)
			for language, title := range l.Titles {
				if other := named[language+title]; other != "" {
					t.Errorf("%s: %s and %s are both %s", seed.Name, other, l.Ref, title)
				}
				named[language+title] = l.Ref
			}
		}
		if len(p.Titles) == 0 || len(p.CountryNames) == 0 || p.Country != p.CountryNames["en"] {
			t.Errorf("%s has no title or no country: %q, %v", seed.Name, p.Country, p.CountryNames)
		}
	}
}
