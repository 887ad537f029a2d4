package seeds_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/seeds"
)

const realData = "../../shared/data"

// readReal reads the descriptor of a real package, or skips the test where there are none beside the checkout.
func readReal(t *testing.T, folder string) *cube.Package {
	t.Helper()
	if _, err := os.Stat(realData); err != nil {
		t.Skip("the real packages are not beside the checkout")
	}
	text, err := os.ReadFile(filepath.Join(realData, folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	return readPackage(t, text)
}

func readSeed(t *testing.T, name string) *cube.Package {
	t.Helper()
	folder, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("there is no seed %s", name)
	}
	return readPackage(t, read(t, folder, "datapackage.json"))
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

// details writes what else an overlay says: measures, made columns, markers, snapshots, notes.
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
	for _, note := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", note["en"])
	}
	return b.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

func TestModelsOfOverlays(t *testing.T) {
	for name, want := range overlaidModels {
		for _, real := range want.real {
			t.Run(real, func(t *testing.T) {
				p := overlaid(t, readReal(t, real))
				same(t, "chains", chains(p.Model), want.chains)
				same(t, "details", details(p), want.details)
			})
		}
		t.Run(name, func(t *testing.T) {
			p := overlaid(t, readSeed(t, name))
			same(t, "chains", chains(p.Model), want.chains)
			same(t, "details", details(p), want.details)
		})
	}
}

func TestEverySeedHasAnOverlay(t *testing.T) {
	var names []string
	for _, s := range seeds.All() {
		names = append(names, s.Name)
	}
	if want := slices.Sorted(maps.Keys(overlaidModels)); !slices.Equal(names, want) {
		t.Errorf("the models of %v are checked, the seeds are %v", want, names)
	}
	if got := len(seeds.Overlays()); got != len(names) {
		t.Errorf("%d overlays for %d seeds", got, len(names))
	}
}

func TestEverythingHasTitlesInTwoLanguages(t *testing.T) {
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

func TestOverlayForNameAlone(t *testing.T) {
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
		t.Error("there is an overlay for a package nobody knows")
	}
}

// TestExamplesOfTheREADME reads the example in each row of the table of keys.
func TestExamplesOfTheREADME(t *testing.T) {
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
	if rows != 40 {
		t.Errorf("the table has %d rows", rows)
	}
}
