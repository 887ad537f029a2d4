package fdp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fiscube/cube/fdp"
)

// overlayProblems gives what is wrong with an overlay, one per line.
func overlayProblems(t *testing.T, text string) string {
	t.Helper()
	o, err := fdp.ReadOverlay([]byte(text))
	var problems fdp.Problems
	if !errors.As(err, &problems) || o != nil {
		t.Fatalf("ReadOverlay gave %v and %v, want Problems", o, err)
	}
	return problems.Error()
}

func TestOverlayIsNoYAML(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"nothing":          {"", "the overlay is empty"},
		"comments":         {"# nothing\n", "the overlay is empty"},
		"syntax":           {"title:\n  en: a\n  es: b: c\n", "line 3: no YAML: mapping values are not allowed in this context"},
		"first line":       {"\t- a", "line 1: no YAML: found character that cannot start any token"},
		"Latin-1":          {"title:\n  es: a\xf1o", "line 2, column 8: the overlay is not UTF-8 text"},
		"two documents":    {"title: {en: A}\n---\ntitle: {en: B}", "more than one document"},
		"too long":         {strings.Repeat("#", 256<<10+1), "an overlay of 262145 bytes; at most 262144 are read"},
		"a list":           {"- title", "line 1: must be a mapping, not a list"},
		"text":             {"title", "line 1: must be a mapping, not text"},
		"null":             {"~", "line 1: must be a mapping, not nothing"},
		"twice":            {"title: {en: A}\nnotes: [{en: B}]\ntitle: {en: C}", "title (line 3): the key stands twice"},
		"key that is null": {"~: 1", `["~"] (line 1): unknown key; write applies, `},
		"key of a list":    {"? [a]\n: b", "line 1: a key must be text"},
		"tag":              {"title: !!map {en: A}", "title (line 1): tags are not supported"},
		"anchor":           {"title: &t {en: A}\nnotes: [*t]", "title (line 1): anchors and aliases are not supported\nnotes[0] (line 2): anchors and aliases are not supported"},
		"anchor at a key":  {"&k title: {en: A}", "line 1: anchors and aliases are not supported"},
		"nested too deep":  {"title: " + strings.Repeat("[", 70) + strings.Repeat("]", 70), "nested more than 64 deep"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := overlayProblems(t, test.text); !strings.Contains(got, test.want) {
				t.Errorf("problems\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestOverlayBombsAreCheap(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a: &a [x, x, x, x, x, x, x, x, x]\n")
	for name := 'b'; name <= 'z'; name++ {
		fmt.Fprintf(&bomb, "%c: &%c [%s]\n", name, name, strings.Repeat("*"+string(name-1)+", ", 9))
	}
	names := "levels: {" + strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: {}, ", 4000) + "}"
	for name, text := range map[string]string{
		"aliases":    bomb.String(),
		"nesting":    "levels: " + strings.Repeat("{a: ", 60_000),
		"flow lists": "levels: " + strings.Repeat("[", 200_000),
		"same keys":  names,
		"merge":      "levels: {<<: {<<: {a: 1}}}",
		"lists":      "not_informed: [" + strings.Repeat("a, ", 80_000) + "]",
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			overlayProblems(t, text)
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestOverlayProblems(t *testing.T) {
	tests := map[string]struct{ overlay, want string }{
		"unknown key":          {`levls: {}`, `levls (line 1): unknown key; did you mean levels?`},
		"unknown key, far off": {`sums: {}`, `sums (line 1): unknown key; write applies, title, measures, derived, dimensions, levels, not_informed, snapshots, notes or repairs`},
		"applies":              {`applies: {}`, `applies (line 1): names no package: give id or name`},
		"applies to":           {`applies: {ids: [a]}`, "applies (line 1): names no package: give id or name\napplies.ids (line 1): unknown key; did you mean id?"},
		"no id":                {`applies: {id: []}`, `applies.id (line 1): must not be empty`},
		"id twice":             {`applies: {id: [a, a]}`, `applies.id[1] (line 1): "a" stands twice`},
		"title as text":        {`title: Budget`, `title (line 1): must be a mapping, not text`},
		"title without text":   {`title: {}`, `title (line 1): must not be empty`},
		"title, language":      {`title: {eng: A}`, `title.eng (line 1): "eng" is no language code of ISO 639-1, such as en or es`},
		"title, empty":         {`title: {en: " "}`, `title.en (line 1): must not be empty`},
		"title, absent":        {`title:`, `title (line 1): must be a mapping, not nothing`},
		"NUL":                  {`title: {en: "a\0"}`, `title.en (line 1): "a\x00" holds a NUL character`},

		"measures as list": {`measures: [amount]`, `measures (line 1): must be a mapping, not a list`},
		"measure, absent":  {`measures: {amount: }`, `measures.amount (line 1): must be a mapping, not nothing`},
		"currency":         {`measures: {amount: {currency: hrk}}`, `measures.amount.currency (line 1): "hrk" is no currency code of ISO 4217, such as EUR`},
		"unit of zero":     {`measures: {amount: {unit: 0}}`, `measures.amount.unit (line 1): must be a whole number from 1 to 1000000000000`},
		"unit as text":     {`measures: {amount: {unit: "1"}}`, `measures.amount.unit (line 1): must be a whole number from 1 to 1000000000000`},
		"phase":            {`measures: {amount: {phase: aproved}}`, `measures.amount.phase (line 1): "aproved" is not known; did you mean approved?`},
		"phase, far off":   {`measures: {amount: {phase: enacted}}`, `measures.amount.phase (line 1): "enacted" is not known; write proposed, approved, adjusted or executed`},
		"direction":        {`measures: {amount: {direction: gasto}}`, `measures.amount.direction (line 1): "gasto" is not known; write expenditure or revenue`},
		"factor":           {`measures: {amount: {factor: 1e3}}`, `measures.amount.factor (line 1): "1e3" is no decimal number`},
		"factor of zero":   {`measures: {amount: {factor: "0.00"}}`, `measures.amount.factor (line 1): must not be zero`},
		"flow":             {`measures: {amount: {flow: yes please}}`, `measures.amount.flow (line 1): must be true or false`},
		"decimal":          {`measures: {amount: {decimal: ""}}`, `measures.amount.decimal (line 1): must be one character between digits, such as . or ,`},
		"group":            {`measures: {amount: {group: 0}}`, `measures.amount.group (line 1): must be one character between digits, such as . or ,`},
		"first_of nothing": {`measures: {x: {first_of: []}}`, `measures.x.first_of (line 1): must not be empty`},
		"first_of, group":  {`measures: {x: {first_of: [a], group: "."}}`, `measures.x (line 1): its cells are those of the fields in first_of: say decimal and group there`},
		"measure, key":     {`measures: {amount: {curency: HRK}}`, `measures.amount.curency (line 1): unknown key; did you mean currency?`},

		"derived as list":         {`derived: [rate]`, `derived (line 1): must be a mapping, not a list`},
		"derived without formula": {`derived: {rate: {title: {en: Rate}}}`, `derived.rate (line 1): a derived measure needs a formula`},
		"derived, formula":        {"derived:\n  rate:\n    formula: [a]", `derived.rate.formula (line 3): must be text, not a list`},
		"derived, title":          {`derived: {rate: {formula: "share(a.sum)", title: Rate}}`, `derived.rate.title (line 1): must be a mapping, not text`},
		"derived, key":            {`derived: {rate: {formla: "share(a.sum)"}}`, "derived.rate (line 1): a derived measure needs a formula\nderived.rate.formla (line 1): unknown key; did you mean formula?"},

		"dimension type":        {`dimensions: {d: {type: date}}`, `dimensions.d.type (line 1): "date" is not known; did you mean datetime?`},
		"classification":        {`dimensions: {d: {classification: econmic}}`, `dimensions.d.classification (line 1): "econmic" is not known; did you mean economic?`},
		"both at odds":          {`dimensions: {d: {type: other, classification: economic}}`, `dimensions.d (line 1): only a dimension of type classification has a classification`},
		"dimension, key":        {`dimensions: {d: {tittle: {en: A}}}`, `dimensions.d.tittle (line 1): unknown key; did you mean title?`},
		"level, key":            {"levels:\n  a:\n    paren: b", `levels.a.paren (line 3): unknown key; did you mean parent?`},
		"level, key, far off":   {"levels: {a: {x: 1}}", `levels.a.x (line 1): unknown key; write dimension, parent, within, label, title, type, split or derive`},
		"parent as list":        {`levels: {a: {parent: [b]}}`, `levels.a.parent (line 1): must be text, not a list`},
		"within as mapping":     {`levels: {a: {within: {b: c}}}`, `levels.a.within (line 1): must be a list, not a mapping`},
		"within, empty name":    {"levels:\n a:\n  within:\n   - b\n   - ''", `levels.a.within[1] (line 5): must not be empty`},
		"label without field":   {`levels: {a: {label: {split: true}}}`, `levels.a.label (line 1): a label needs a field`},
		"label, key":            {`levels: {a: {label: {fild: b}}}`, "levels.a.label (line 1): a label needs a field\nlevels.a.label.fild (line 1): unknown key; did you mean field?"},
		"split and label":       {`levels: {a: {split: true, label: b}}`, `levels.a (line 1): split makes a label of its own, so label cannot name another`},
		"split and derive":      {`levels: {a: {split: true, derive: {from: b, length: 2, digits: 1}}}`, `levels.a (line 1): a field is split or derived, not both`},
		"split to integer":      {`levels: {a: {split: true, type: integer}}`, `levels.a (line 1): the code of a joined cell is text`},
		"type":                  {`levels: {a: {type: string}}`, `levels.a.type (line 1): "string" is not known; write text or integer`},
		"derive of nothing":     {`levels: {a: {derive: {}}}`, "levels.a.derive (line 1): derive needs from\nlevels.a.derive (line 1): derive needs length\nlevels.a.derive (line 1): derive needs digits"},
		"derive, length":        {`levels: {a: {derive: {from: b, length: 5.5, digits: 1}}}`, `levels.a.derive.length (line 1): must be a whole number from 1 to 100`},
		"derive, digits":        {`levels: {a: {derive: {from: b, length: 2, digits: 3}}}`, `levels.a.derive (line 1): codes of length 2 have no 3 digits`},
		"derive, suffix":        {`levels: {a: {derive: {from: b, length: 2, digits: 1, suffix: "\t"}}}`, `levels.a.derive.suffix (line 1): must not be empty`},
		"derive, key":           {`levels: {a: {derive: {from: b, length: 2, digits: 1, sufix: "0"}}}`, `levels.a.derive.sufix (line 1): unknown key; did you mean suffix?`},
		"not_informed":          {`not_informed: {a: b}`, `not_informed (line 1): must be a list, not a mapping`},
		"not_informed, nothing": {`not_informed: [~]`, `not_informed[0] (line 1): must be text, not nothing`},

		"snapshots":           {`snapshots: non`, `snapshots (line 1): "non" is not known; did you mean none?`},
		"snapshots of what":   {`snapshots: {}`, "snapshots (line 1): snapshots need by\nsnapshots (line 1): snapshots need per"},
		"by is a period":      {`snapshots: {by: mes, per: [year, mes]}`, `snapshots (line 1): "mes" is what the statements are told apart by, so it names no period`},
		"order twice":         {`snapshots: {by: mes, per: [year], order: [a, b, a]}`, `snapshots.order[2] (line 1): "a" stands twice`},
		"snapshots, key":      {`snapshots: {by: mes, per: [year], orden: [a]}`, `snapshots.orden (line 1): unknown key; did you mean order?`},
		"by, key":             {`snapshots: {by: {resource: (a), nme: b}, per: [year]}`, "snapshots.by (line 1): by needs name\nsnapshots.by.nme (line 1): unknown key; did you mean name?"},
		"pattern":             {`snapshots: {by: {resource: "(a", name: b}, per: [year]}`, "snapshots.by.resource (line 1): error parsing regexp: missing closing ): `(a`"},
		"pattern, no group":   {`snapshots: {by: {resource: "a", name: b}, per: [year]}`, `snapshots.by.resource (line 1): needs one group, as in "(abril|septiembre)", not 0`},
		"pattern, two groups": {`snapshots: {by: {resource: "(a)(b)", name: b}, per: [year]}`, `snapshots.by.resource (line 1): needs one group, as in "(abril|septiembre)", not 2`},
		"pattern, too long":   {`snapshots: {by: {resource: "(` + strings.Repeat("a", 1000) + `)", name: b}, per: [year]}`, `snapshots.by.resource (line 1): a pattern has at most 1000 characters`},

		"notes as mapping": {`notes: {en: A}`, `notes (line 1): must be a list, not a mapping`},
		"note as text":     {"notes:\n- A", `notes[0] (line 2): must be a mapping, not text`},
		"repair":           {`repairs: {label-pared: off}`, `repairs.label-pared (line 1): unknown key; did you mean label-paired?`},
		"repair on":        {`repairs: {label-paired: on}`, `repairs.label-paired (line 1): "on" is not known; write off`},
		"except nothing":   {`repairs: {label-paired: {}}`, `repairs.label-paired (line 1): write off, or except with the fields that are left alone`},
		"except, key":      {`repairs: {label-paired: {excpt: [a]}}`, "repairs.label-paired (line 1): write off, or except with the fields that are left alone\nrepairs.label-paired.excpt (line 1): unknown key; did you mean except?"},
		"except no fields": {`repairs: {totals-row: {except: [a]}}`, `repairs.totals-row (line 1): it mends no fields, so none can be excepted: write off`},
		"all at once": {"title: A\nmeasures:\n  a: {unit: x, phase: y}\nnotes: 7", "title (line 1): must be a mapping, not text\n" +
			"measures.a.unit (line 3): must be a whole number from 1 to 1000000000000\n" +
			"measures.a.phase (line 3): \"y\" is not known; write proposed, approved, adjusted or executed\nnotes (line 4): must be a list, not text"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { equal(t, "problems", overlayProblems(t, test.overlay), test.want) })
	}
}
