package fdp_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
)

// budget is a package that overlays are tried on: joined and missing codes, labels among the levels, amounts as
// text, two resources.
var budget = strings.Replace(several(`"id": "R_b", "title": "Published", `+
	schema("year integer", "mes string", "ramo string", "ramo_desc string", "unit string", "unit_desc string",
		"prog string", "prog_desc string", "joined string", "chapter string", "object string", "code integer",
		"amount number", "spent number", "paid number", "asked string")+`,
	"model": {"measures": {"amount": {}, "spent": {}}, "dimensions": {
	 "date": {"dimensionType": "datetime", "primaryKey": ["year"]},
	 "admin": {"dimensionType": "classification", "classificationType": "administrative",
	  "primaryKey": ["ramo", "unit"], "attributes": {"ramo": {}, "ramo_desc": {"labelfor": "ramo"},
	  "unit": {"parent": "ramo"}, "unit_desc": {"labelfor": "unit"}}},
	 "unknown": {"dimensionType": "other", "primaryKey": ["mes", "prog", "prog_desc", "joined", "chapter", "object",
	  "code", "asked"]}}},`, `"bytes": 1`, `"bytes": 2`), `"name": "year"`, `"name": "year", "columnType": "date:fiscal-year"`, 1)

func readOverlay(t *testing.T, text string) *fdp.Overlay {
	t.Helper()
	o, err := fdp.ReadOverlay([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return o
}

func apply(t *testing.T, text string, p *cube.Package) *cube.Package {
	t.Helper()
	applied, err := readOverlay(t, text).Apply(p)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return applied
}

// show writes everything of a package that an overlay can change, a line each.
func show(p *cube.Package) []string {
	lines := []string{"title " + p.Title + titles(p.Titles)}
	for _, d := range p.Model.Dimensions() {
		head := strings.Join(strings.Fields(d.Name+" "+d.Type+" "+d.Classification+titles(d.Titles)), " ")
		for _, chain := range d.Chains() {
			lines = append(lines, head+": "+showChain(chain))
		}
	}
	for _, m := range p.Model.Measures() {
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprint("measure ", m.Ref, " ", m.Title, titles(m.Titles), " ",
			m.Currency, " ", m.Unit, " ", m.Phase, " ", m.Direction, " ", m.Factor, " ", m.Flow)), " "))
	}
	for _, c := range p.Model.Columns() {
		line := "column " + c.Name + " " + string(c.Type)
		if c.From != nil {
			line += fmt.Sprintf(" %s%v %d %d %s", c.From.Rule, c.From.Fields, c.From.Length, c.From.Digits, c.From.Suffix+c.From.Pattern)
			if c.From.Between != "" {
				line = strings.Replace(line, "0 0 ", fmt.Sprintf("%s %d", c.From.Between, c.From.Parts), 1)
			}
		}
		lines = append(lines, strings.TrimSpace(strings.TrimSpace(line)+" "+strings.Join(c.Markers, ",")))
	}
	for _, d := range p.Model.Derived() {
		lines = append(lines, "derived "+d.Ref+" "+d.Title+titles(d.Titles)+" "+d.Formula)
	}
	if s := p.Model.Snapshots(); s != nil {
		lines = append(lines, fmt.Sprintf("snapshots %s per %v %v", s.By, s.Per, s.Order))
	}
	for _, f := range p.Financing {
		lines = append(lines, fmt.Sprintf("financing %s %q", f.Level, f.Keys))
	}
	if p.Names != nil {
		lines = append(lines, fmt.Sprintf("names %+v", *p.Names))
	}
	for _, note := range p.Notes {
		lines = append(lines, "note"+titles(note))
	}
	for _, r := range p.Resources {
		for _, f := range r.Schema.Fields {
			lines = append(lines, fmt.Sprintf("field %s/%s %q %q", r.Name, f.Name, f.DecimalChar, f.GroupChar))
		}
	}
	return lines
}

func showChain(chain []cube.Level) string {
	texts := make([]string, len(chain))
	for i, l := range chain {
		texts[i] = l.Ref
		if l.LabelRef != "" {
			texts[i] += "=" + l.LabelRef
		}
		if len(l.Within) > 0 {
			texts[i] += " within " + strings.Join(l.Within, ",")
		}
		texts[i] += titles(l.Titles)
	}
	return strings.Join(texts, " > ")
}

func titles(t cube.Titles) string {
	var b strings.Builder
	for _, language := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(&b, " [%s %s]", language, t[language])
	}
	return b.String()
}

func TestApply_KeepsTheRest(t *testing.T) {
	p := read(t, budget)
	text := "not_informed: [n/a]\n"
	applied := apply(t, text, p)
	equal(t, "overlay", string(applied.Overlay), text)
	equal(t, "the overlay of the other", p.Overlay, []byte(nil))
	equal(t, "descriptor", string(applied.Descriptor), budget)
	equal(t, "name", applied.Name, p.Name)
	equal(t, "resources", len(applied.Resources), 2)
}

func TestApplies(t *testing.T) {
	tests := map[string]struct {
		overlay string
		want    bool
	}{
		"by id":             {`applies: {id: [R_a, R_b]}`, true},
		"by name":           {`applies: {name: [n, m]}`, true},
		"one text":          {`applies: {id: R_b}`, true},
		"id or name":        {`applies: {id: [R_a], name: [m]}`, true},
		"to others":         {`applies: {id: [R_a, m], name: [R_b]}`, false},
		"wherever it lies":  {`{}`, true},
		"wherever, with id": {`title: {en: T}`, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			equal(t, "applies", readOverlay(t, test.overlay).Applies(read(t, budget)), test.want)
		})
	}
	equal(t, "a package without id", readOverlay(t, `applies: {id: [R_b]}`).Applies(&cube.Package{Name: "m"}), false)
}

func TestOff(t *testing.T) {
	o := readOverlay(t, `repairs: {label-paired: off, code-label-split: {except: [joined, mes]}}`)
	for asked, want := range map[string]bool{
		"label-paired ": true, "label-paired mes": true, "code-label-split ": false, "code-label-split mes": true,
		"code-label-split prog": false, "totals-row ": false, "snapshot-detected ": false, "no-such-repair ": false,
	} {
		code, field, _ := strings.Cut(asked, " ")
		equal(t, asked, o.Off(code, field), want)
	}
	equal(t, "without an overlay", (*fdp.Overlay)(nil).Off("label-paired", ""), false)
	for _, text := range []string{"snapshots: none", "snapshots: {by: mes, per: [year]}"} {
		equal(t, text, readOverlay(t, text).Off(fdp.SnapshotDetected, "mes"), true)
	}
}

// TestOff_EveryRepair keeps the codes that an overlay knows and those of the repairs together.
func TestOff_EveryRepair(t *testing.T) {
	for _, code := range findings.Repairs {
		o := readOverlay(t, "repairs: {"+code+": off}")
		equal(t, code, o.Off(code, ""), true)
	}
}

// TestReadOverlay_ExampleOfThePackageDoc reads the overlay that the package doc shows.
func TestReadOverlay_ExampleOfThePackageDoc(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var example strings.Builder
	for line := range strings.Lines(string(source)) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			example.WriteString(text)
		}
	}
	readOverlay(t, example.String())
	for _, key := range []string{"applies", "title", "measures", "derived", "dimensions", "levels", "not_informed", "snapshots", "financing", "notes", "repairs"} {
		if !strings.Contains("\n"+example.String(), "\n"+key+":") {
			t.Errorf("the package doc has no example of %s", key)
		}
	}
}
