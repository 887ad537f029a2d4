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

// changes lists the lines that an overlay takes away and adds.
func changes(before, after *cube.Package) []string {
	old, now := show(before), show(after)
	var lines []string
	for _, line := range old {
		if !slices.Contains(now, line) {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range now {
		if !slices.Contains(old, line) {
			lines = append(lines, "+ "+line)
		}
	}
	return lines
}

func TestApply_EveryKey(t *testing.T) {
	for name, test := range overlayKeys {
		t.Run(name, func(t *testing.T) {
			p := read(t, budget)
			got := strings.Join(changes(p, apply(t, test.overlay, p)), "\n")
			if want := strings.TrimSpace(strings.ReplaceAll(test.want, "\n\t\t", "\n")); got != want {
				t.Errorf("the overlay\n%s\nchanges\n%s\nwant\n%s", test.overlay, got, want)
			}
			equal(t, "the package it was applied to", p, read(t, budget))
		})
	}
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

// overlayKeys tries each key of an overlay on the package budget. want lists what changes.
var overlayKeys = map[string]struct{ overlay, want string }{
	"nothing":               {`{}`, ``},
	"title":                 {`title: {es: Presupuesto, en: Budget}`, "- title Published\n+ title Budget [en Budget] [es Presupuesto]"},
	"title without English": {`title: {es: Presupuesto}`, "- title Published\n+ title Presupuesto [es Presupuesto]"},
	"applies":               {`applies: {id: [R_other]}`, ``},

	"measure": {`measures: {amount: {title: {en: Enacted, es: Aprobado}, currency: HRK, unit: 1000, phase: approved,
		direction: expenditure, factor: "-1.5", flow: true}}`, `
		- measure amount amount 0 false
		+ measure amount Enacted [en Enacted] [es Aprobado] HRK 1000 approved expenditure -1.5 true`},
	"measure, little said": {`measures: {amount: {phase: executed, flow: false}}`, `
		- measure amount amount 0 false
		+ measure amount amount 0 executed false`},
	"measure of text": {`measures: {asked: {}}`, `
		- unknown other: asked
		- column asked text
		+ measure asked asked 0 false
		+ column asked decimal`},
	"measure of an integer": {`measures: {code: {unit: 1}}`, `
		- unknown other: code
		- column code integer
		+ measure code code 1 false
		+ column code decimal`},
	"measure of a number that is none yet": {`measures: {paid: {}}`, `
		+ measure paid paid 0 false`},
	"measure of a parent": {`measures: {ramo: {}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		- column ramo text
		+ admin classification administrative: unit=unit_desc
		+ measure ramo ramo 0 false
		+ column ramo decimal`},
	"measure of a label": {`measures: {unit_desc: {}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		- column unit_desc text
		+ admin classification administrative: ramo=ramo_desc > unit
		+ measure unit_desc unit_desc 0 false
		+ column unit_desc decimal`},
	"decimal and group": {`measures: {amount: {decimal: ",", group: "."}}`, `
		- field a/amount "" ""
		- field b/amount "" ""
		+ field a/amount "," "."
		+ field b/amount "," "."`},
	"group": {`measures: {amount: {group: ","}}`, `
		- field a/amount "" ""
		- field b/amount "" ""
		+ field a/amount "" ","
		+ field b/amount "" ","`},
	"no group": {`measures: {amount: {group: ""}}`, `
		- field a/amount "" ""
		- field b/amount "" ""
		+ field a/amount "." "."
		+ field b/amount "." "."`},
	"decimal and no group": {`measures: {amount: {decimal: ",", group: ""}}`, `
		- field a/amount "" ""
		- field b/amount "" ""
		+ field a/amount "," ","
		+ field b/amount "," ","`},
	"first_of": {`measures: {total: {first_of: [spent, paid], title: {en: Total}, currency: MXN}}`, `
		+ measure total Total [en Total] MXN 0 false
		+ column total decimal first_of[spent paid] 0 0`},
	"first_of text that is made an amount": {`measures: {total: {first_of: [asked]}, asked: {}}`, `
		- unknown other: asked
		- column asked text
		+ measure asked asked 0 false
		+ measure total total 0 false
		+ column asked decimal
		+ column total decimal first_of[asked] 0 0`},

	"derived": {`derived: {rate: {formula: "ratio(spent.sum,amount.sum)", title: {en: Rate, es: Tasa}}, left: {formula: "diff(amount.sum,spent.sum)"}}`, `
		+ derived rate Rate [en Rate] [es Tasa] ratio(spent.sum,amount.sum)
		+ derived left left diff(amount.sum,spent.sum)`},
	"derived of a new measure": {`{derived: {rate: {formula: "ratio(total.sum,amount.sum)"}}, measures: {total: {first_of: [spent, paid]}}}`, `
		+ measure total total 0 false
		+ column total decimal first_of[spent paid] 0 0
		+ derived rate rate ratio(total.sum,amount.sum)`},

	"dimension": {`{dimensions: {time: {type: datetime, title: {en: Time}}}, levels: {mes: {dimension: time}}}`, `
		- unknown other: mes
		+ time datetime [en Time]: mes`},
	"dimension without type": {`{dimensions: {time: {}}, levels: {mes: {dimension: time}}}`, `
		- unknown other: mes
		+ time other: mes`},
	"dimension, classification alone": {`dimensions: {date: {classification: functional}}`, `
		- date datetime: year
		+ date classification functional: year`},
	"dimension, another classification": {`dimensions: {admin: {classification: economic}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin classification economic: ramo=ramo_desc > unit=unit_desc`},
	"dimension, no classification any more": {`dimensions: {admin: {type: other}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin other: ramo=ramo_desc > unit=unit_desc`},
	"dimension, its title": {`dimensions: {admin: {title: {es: Ramos}}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin classification administrative [es Ramos]: ramo=ramo_desc > unit=unit_desc`},

	"level of another dimension": {`levels: {prog: {dimension: admin}}`, `
		- unknown other: prog
		+ admin classification administrative: prog`},
	"level, its children stay": {`levels: {ramo: {dimension: date}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ date datetime: ramo=ramo_desc
		+ admin classification administrative: unit=unit_desc`},
	"level of the dimension it is in": {`levels: {ramo: {dimension: admin, title: {en: Ramo}}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin classification administrative: ramo=ramo_desc [en Ramo] > unit=unit_desc`},
	"level at the top": {`levels: {unit: {dimension: admin}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin classification administrative: ramo=ramo_desc
		+ admin classification administrative: unit=unit_desc`},
	"level made of a label": {`levels: {unit_desc: {dimension: date}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ date datetime: unit_desc
		+ admin classification administrative: ramo=ramo_desc > unit`},
	"parent and within": {`levels: {object: {parent: chapter, within: [ramo, unit]}}`, `
		- unknown other: chapter
		- unknown other: object
		+ unknown other: chapter > object within ramo,unit`},
	"parent over dimensions": {`levels: {mes: {dimension: date, parent: year}}`, `
		- date datetime: year
		- unknown other: mes
		+ date datetime: year > mes`},
	"a dimension that changes hands": {`levels: {year: {dimension: admin}, mes: {dimension: date}}`, `
		- date datetime: year
		- unknown other: mes
		+ date datetime: mes
		+ admin classification administrative: year`},
	"within another": {`levels: {unit: {within: code}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin classification administrative: ramo=ramo_desc > unit=unit_desc within code`},
	"label": {`levels: {prog: {label: prog_desc, title: {en: Programme, es: Programa}}}`, `
		- unknown other: prog
		- unknown other: prog_desc
		+ unknown other: prog=prog_desc [en Programme] [es Programa]`},
	"label of another level": {`levels: {prog: {label: unit_desc}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		- unknown other: prog
		+ admin classification administrative: ramo=ramo_desc > unit
		+ unknown other: prog=unit_desc`},
	"labels change places": {`levels: {ramo: {label: unit_desc}, unit: {label: ramo_desc}}`, `
		- admin classification administrative: ramo=ramo_desc > unit=unit_desc
		+ admin classification administrative: ramo=unit_desc > unit=ramo_desc`},
	"label, split": {`levels: {code: {label: {field: joined, split: true}}}`, `
		- unknown other: joined
		- unknown other: code
		- column joined text
		+ unknown other: code=joined
		+ column joined text label[joined] 0 0
		+ column joined_cell text cell[joined] 0 0`},
	"label, not split": {`levels: {code: {label: {field: joined, split: false}}}`, `
		- unknown other: joined
		- unknown other: code
		+ unknown other: code=joined`},
	"split": {`levels: {joined: {split: true}}`, `
		- unknown other: joined
		- column joined text
		+ unknown other: joined=joined_label
		+ column joined text code[joined] 0 0
		+ column joined_cell text cell[joined] 0 0
		+ column joined_label text label[joined] 0 0`},
	"split of an integer": {`levels: {code: {split: true}}`, `
		- unknown other: code
		- column code integer
		+ unknown other: code=code_label
		+ column code text code[code] 0 0
		+ column code_cell text cell[code] 0 0
		+ column code_label text label[code] 0 0`},
	"derive": {`levels: {chapter: {derive: {from: object, length: 5, digits: 1, suffix: "000"}}}`, `
		- column chapter text
		+ column chapter text prefix[chapter object] 5 1 000
		+ column chapter_cell text cell[chapter] 0 0`},
	"derive of parts": {`levels: {chapter: {derive: {from: object, separator: ".", parts: 2}}}`, `
		- column chapter text
		+ column chapter text prefix[chapter object] . 2
		+ column chapter_cell text cell[chapter] 0 0`},
	"derive a level that no field has": {`levels: {group: {dimension: admin, derive: {from: object, length: 5, digits: 1}}}`, `
		+ admin classification administrative: group
		+ column group text prefix[object] 5 1`},
	"type text":    {`levels: {code: {type: text}}`, "- column code integer\n+ column code text"},
	"type integer": {`levels: {mes: {type: integer}}`, "- column mes text\n+ column mes integer"},

	"not_informed": {`{not_informed: [No Informado, n/a], levels: {joined: {split: true}}}`, `
		- unknown other: joined
		- column mes text
		- column ramo text
		- column unit text
		- column prog text
		- column prog_desc text
		- column joined text
		- column chapter text
		- column object text
		- column asked text
		+ unknown other: joined=joined_label
		+ column mes text No Informado,n/a
		+ column ramo text No Informado,n/a
		+ column unit text No Informado,n/a
		+ column prog text No Informado,n/a
		+ column prog_desc text No Informado,n/a
		+ column joined text code[joined] 0 0 No Informado,n/a
		+ column chapter text No Informado,n/a
		+ column object text No Informado,n/a
		+ column asked text No Informado,n/a
		+ column joined_cell text cell[joined] 0 0
		+ column joined_label text label[joined] 0 0 No Informado,n/a`},
	"snapshots":            {`snapshots: {by: mes, per: [year]}`, "+ snapshots mes per [year] []"},
	"snapshots with order": {`snapshots: {by: mes, per: year, order: [01, 2, "3"]}`, "+ snapshots mes per [year] [01 2 3]"},
	"snapshots by resource": {`snapshots: {by: {resource: "_(a|b)_", name: corte}, per: [year]}`, `
		+ snapshot other: corte
		+ column corte text resource[] 0 0 _(a|b)_
		+ snapshots corte per [year] []`},
	"snapshots by resource, described": {`{snapshots: {by: {resource: "(a|b)", name: corte}, per: [year], order: [b, a]},
		dimensions: {snapshot: {type: datetime}}, levels: {corte: {title: {en: Report}}}}`, `
		+ snapshot datetime: corte [en Report]
		+ column corte text resource[] 0 0 (a|b)
		+ snapshots corte per [year] [b a]`},
	"no snapshots": {`snapshots: none`, ``},
	"financing":    {`financing: {unit: [3.10, "0"], mes: "01"}`, "+ financing unit [\"3.10\" \"0\"]\n+ financing mes [\"01\"]"},
	"names":        {`names: sentence`, "+ names {Language: Words:[] Before:[]}"},
	"names, more":  {`names: {case: sentence, language: hr, words: [NATO], before: [Grad]}`, "+ names {Language:hr Words:[NATO] Before:[Grad]}"},
	"notes":        {`notes: [{en: One, es: Uno}, {es: Dos}]`, "+ note [en One] [es Uno]\n+ note [es Dos]"},
	"repairs": {`repairs: {type-widened: off, label-paired: off, measure-inferred: {except: code}, not-informed: off,
		code-label-split: {except: [joined]}, schema-union: off, resource-covers: off, totals-row: off}`, ``},
	"JSON": {`{"levels": {"mes": {"title": {"en": "Month"}}}, "snapshots": "none", "notes": [{"en": "One"}]}`, `
		- unknown other: mes
		+ unknown other: mes [en Month]
		+ note [en One]`},
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
