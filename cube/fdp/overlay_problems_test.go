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

func TestReadOverlay_NotYAML(t *testing.T) {
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

func TestReadOverlay_BombsAreCheap(t *testing.T) {
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

func TestReadOverlay_Problems(t *testing.T) {
	tests := map[string]struct{ overlay, want string }{
		"unknown key":          {`levls: {}`, `levls (line 1): unknown key; did you mean levels?`},
		"unknown key, far off": {`sums: {}`, `sums (line 1): unknown key; write applies, title, description, country, measures, derived, dimensions, levels, not_informed, snapshots, editions, same_as, qualifiers, fiscal_year_start, numbered_by, financing, functions, names, notes or repairs`},
		"applies":              {`applies: {}`, `applies (line 1): names no package: give id or name`},
		"applies to":           {`applies: {ids: [a]}`, "applies (line 1): names no package: give id or name\napplies.ids (line 1): unknown key; did you mean id?"},
		"no id":                {`applies: {id: []}`, `applies.id (line 1): must not be empty`},
		"id twice":             {`applies: {id: [a, a]}`, `applies.id[1] (line 1): "a" stands twice`},
		"title as text":        {`title: Budget`, `title (line 1): must be a mapping, not text`},
		"title without text":   {`title: {}`, `title (line 1): must not be empty`},
		"title, language":      {`title: {eng: A}`, `title.eng (line 1): "eng" is no language code of ISO 639-1, such as en, es or hr`},
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
		"level, key, far off":   {"levels: {a: {x: 1}}", `levels.a.x (line 1): unknown key; write dimension, parent, within, label, title, by, type, split or derive`},
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
		"derive, parts":         {`levels: {a: {derive: {from: b, parts: 2}}}`, "levels.a.derive (line 1): derive needs separator"},
		"derive, separator":     {`levels: {a: {derive: {from: b, separator: "..", parts: 2}}}`, `levels.a.derive.separator (line 1): ".." is no sign`},
		"derive, both":          {`levels: {a: {derive: {from: b, separator: ".", parts: 2, length: 5}}}`, "levels.a.derive (line 1): codes are cut by their separator or by their length, not by both"},
		"derive, length":        {`levels: {a: {derive: {from: b, length: 5.5, digits: 1}}}`, `levels.a.derive.length (line 1): must be a whole number from 1 to 100`},
		"derive, digits":        {`levels: {a: {derive: {from: b, length: 2, digits: 3}}}`, `levels.a.derive (line 1): codes of length 2 have no 3 digits`},
		"derive, suffix":        {`levels: {a: {derive: {from: b, length: 2, digits: 1, suffix: "\t"}}}`, `levels.a.derive.suffix (line 1): must not be empty`},
		"derive, key":           {`levels: {a: {derive: {from: b, length: 2, digits: 1, sufix: "0"}}}`, `levels.a.derive.sufix (line 1): unknown key; did you mean suffix?`},
		"not_informed":          {`not_informed: {a: b}`, `not_informed (line 1): must be a list, not a mapping`},
		"not_informed, nothing": {`not_informed: [~]`, `not_informed[0] (line 1): must be text, not nothing`},

		"snapshots":           {`snapshots: non`, `snapshots (line 1): "non" is not known; did you mean none?`},
		"snapshots of what":   {`snapshots: {}`, "snapshots (line 1): snapshots need by\nsnapshots (line 1): snapshots need per"},
		"by is a period":      {`snapshots: {by: mes, per: [year, mes]}`, `snapshots (line 1): "mes" names the statements, so it names no period`},
		"order twice":         {`snapshots: {by: mes, per: [year], order: [a, b, a]}`, `snapshots.order[2] (line 1): "a" stands twice`},
		"snapshots, key":      {`snapshots: {by: mes, per: [year], orden: [a]}`, `snapshots.orden (line 1): unknown key; did you mean order?`},
		"by, key":             {`snapshots: {by: {resource: (a), nme: b}, per: [year]}`, "snapshots.by (line 1): by needs name\nsnapshots.by.nme (line 1): unknown key; did you mean name?"},
		"pattern":             {`snapshots: {by: {resource: "(a", name: b}, per: [year]}`, "snapshots.by.resource (line 1): error parsing regexp: missing closing ): `(a`"},
		"pattern, no group":   {`snapshots: {by: {resource: "a", name: b}, per: [year]}`, `snapshots.by.resource (line 1): needs one group, as in "(abril|septiembre)", not 0`},
		"pattern, two groups": {`snapshots: {by: {resource: "(a)(b)", name: b}, per: [year]}`, `snapshots.by.resource (line 1): needs one group, as in "(abril|septiembre)", not 2`},
		"pattern, too long":   {`snapshots: {by: {resource: "(` + strings.Repeat("a", 1000) + `)", name: b}, per: [year]}`, `snapshots.by.resource (line 1): a pattern has at most 1000 characters`},

		"editions":             {`editions: [2012]`, `editions (line 1): must be a mapping, not a list`},
		"editions, one year":   {`editions: {unit: 2012}`, `editions.unit (line 1): must be a list, not text`},
		"editions, no year":    {`editions: {unit: []}`, `editions.unit (line 1): must not be empty`},
		"editions, no number":  {`editions: {unit: [soon]}`, `editions.unit[0] (line 1): must be a whole number from 1 to 9999`},
		"editions, descending": {`editions: {unit: [2012, 2009]}`, `editions.unit[1] (line 1): 2009 does not come after 2012: write the first years of the editions in order`},
		"same_as":              {`same_as: [unit]`, `same_as (line 1): must be a mapping, not a list`},
		"same_as, of a list":   {`same_as: {unit: ["1@2012"]}`, `same_as.unit (line 1): must be a mapping, not a list`},
		"same_as, no path":     {`same_as: {unit: {"1;2@2012": "1/1@2008"}}`, `same_as.unit["1;2@2012"] (line 1): "1;2@2012" is no path: expected / or the end, found ";"`},
		"same_as, to nothing":  {`same_as: {unit: {"1/2@2012": ""}}`, `same_as.unit["1/2@2012"] (line 1): must not be empty`},
		"functions":            {`functions: all`, `functions (line 1): "all" is not known; write none`},
		"functions, no level":  {`functions: {divisions: {"01": [a]}}`, `functions (line 1): functions need a level`},
		"functions, division":  {`functions: {level: unit, divisions: {"1": [a]}}`, `functions.divisions.1 (line 1): is no division of COFOG: these are 01, 02, 03, 04, 05, 06, 07, 08, 09, 10`},
		"functions, no list":   {`functions: {level: unit, divisions: {"01": a}}`, `functions.divisions.01 (line 1): must be a list, not text`},
		"functions, empty":     {`functions: {level: unit, divisions: {}}`, `functions.divisions (line 1): must not be empty: leave it out if the codes are those of COFOG`},
		"functions, no path":   {`functions: {level: unit, divisions: {"01": ["1;2"]}}`, `functions.divisions.01[0] (line 1): "1;2" is no path: expected / or the end, found ";"`},
		"same_as, empty":       {`same_as: {unit: {}}`, `same_as.unit (line 1): must not be empty`},
		"editions, twice":      {`editions: {unit: [2012, 2012]}`, `editions.unit[1] (line 1): 2012 does not come after 2012: write the first years of the editions in order`},

		"names":            {`names: title`, `names (line 1): "title" is not known; write sentence`},
		"names, no case":   {`names: {words: [NATO]}`, `names (line 1): names need a case`},
		"names, language":  {`names: {case: sentence, language: hrv}`, `names.language (line 1): "hrv" is no language code of ISO 639-1, such as en, es or hr`},
		"financing, none":  {`financing: {unit: []}`, `financing.unit (line 1): must not be empty`},
		"financing, twice": {`financing: {unit: ["3", "3"]}`, `financing.unit[1] (line 1): "3" stands twice`},
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

func TestApply_Problems(t *testing.T) {
	tests := map[string]struct{ overlay, want string }{
		"measure": {`measures: {amont: {}}`, `measures.amont (line 1): "amont" is no field of the package; did you mean amount?`},
		"measure, other case": {`measures: {Amount: {}}`,
			`measures.Amount (line 1): "Amount" is no field of the package; did you mean amount?`},
		"measure, far off":        {`measures: {iznos: {}}`, `measures.iznos (line 1): "iznos" is no field of the package`},
		"measure of the year":     {`measures: {year: {}}`, `measures.year (line 1): "year" holds no amounts: it is the fiscal year or made of other cells`},
		"measure that is split":   {`{measures: {joined: {}}, levels: {joined: {split: true}}}`, `measures.joined (line 1): "joined" holds no amounts: it is the fiscal year or made of other cells`},
		"measure and level":       {`{measures: {asked: {}}, levels: {asked: {dimension: admin}}}`, `levels.asked (line 1): "asked" is an amount, no level`},
		"one separator for two":   {`measures: {amount: {decimal: ",", group: ","}}`, `measures.amount (line 1): decimal and group are both ",": say the other one too`},
		"the usual decimal":       {`measures: {amount: {group: "."}}`, `measures.amount (line 1): decimal and group are both ".": say the other one too`},
		"first_of unknown":        {`measures: {x: {first_of: [spent, payd]}}`, `measures.x.first_of[1] (line 1): "payd" is no field of the package; did you mean paid?`},
		"first_of a level":        {`measures: {x: {first_of: [asked]}}`, `measures.x.first_of[0] (line 1): "asked" is a level or a label, no amount`},
		"first_of a label":        {`measures: {x: {first_of: [unit_desc]}}`, `measures.x.first_of[0] (line 1): "unit_desc" is a level or a label, no amount`},
		"first_of the year":       {`measures: {x: {first_of: [year]}}`, `measures.x.first_of[0] (line 1): "year" is a level or a label, no amount`},
		"first_of a first_of":     {`measures: {x: {first_of: [spent]}, z: {first_of: [x]}}`, `measures.z.first_of[0] (line 1): the cells of "x" are made themselves; name a published field`},
		"first_of under a name":   {`measures: {amount: {first_of: [spent]}}`, `measures.amount (line 1): there is a field "amount" already`},
		"first_of, almost a name": {`measures: {AMOUNT: {first_of: [spent]}}`, `measures.AMOUNT (line 1): fields "amount" and "AMOUNT" have one name, ignoring case`},
		"first_of, our name":      {`measures: {_x: {first_of: [spent]}}`, `measures._x (line 1): "_x" begins with _: such names are fiscube's own`},

		"derived of nothing":     {"derived:\n  rate:\n    formula: ratio(spnt.sum,amount.sum)", `derived.rate.formula (line 3): at 6: no measure "spnt"; did you mean spent?`},
		"derived of a level":     {`derived: {rate: {formula: "ratio(amount.sum,prog.sum)"}}`, `derived.rate.formula (line 1): at 17: no measure "prog"; the measures are amount, spent`},
		"derived of another":     {`derived: {rate: {formula: "share(amount.sum)"}, more: {formula: "diff(rate,_count)"}}`, `derived.more.formula (line 1): at 5: no aggregate "rate"; the aggregates are _count, amount.sum, spent.sum`},
		"derived, no formula":    {`derived: {rate: {formula: amount.sum}}`, `derived.rate (line 1): "amount.sum" is not one formula; as ratio(a.sum,b.sum)`},
		"derived, two formulas":  {`derived: {rate: {formula: "share(amount.sum)|share(spent.sum)"}}`, `derived.rate (line 1): "share(amount.sum)|share(spent.sum)" is not one formula; as ratio(a.sum,b.sum)`},
		"derived, syntax":        {`derived: {rate: {formula: "ratio(amount.sum,spent.sum"}}`, `derived.rate.formula (line 1): at 26: expected , or ) after an aggregate of ratio, found the end; close it, as ratio(amount.sum,spent.sum)`},
		"derived, arguments":     {`derived: {rate: {formula: "ratio(amount.sum)"}}`, `derived.rate.formula (line 1): at 0: ratio is of 2 aggregates, not 1; as ratio(a.sum,b.sum)`},
		"derived, currencies":    {`{measures: {amount: {currency: EUR}, spent: {currency: USD}}, derived: {rate: {formula: "ratio(amount.sum,spent.sum)"}}}`, `derived.rate.formula (line 1): at 0: amount is in EUR, spent in USD; ask for amounts of one currency`},
		"derived of two kinds":   {`derived: {rate: {formula: "diff(amount.sum,_count)"}}`, `derived.rate.formula (line 1): at 0: amount.sum is an amount, _count is a number of rows; a diff is of two amounts, two counts or two ratios; ratio divides one by the other`},
		"derived of no whole":    {`derived: {rate: {formula: "share(amount.avg)"}}`, `derived.rate.formula (line 1): at 0: amount.avg does not add up, so nothing is a share of it; ask the share of a sum, a count, or a diff of these`},
		"derived under a name":   {`derived: {Amount: {formula: "share(amount.sum)"}}`, `derived.Amount (line 1): there is a field "amount" already`},
		"derived, our name":      {`derived: {_rate: {formula: "share(amount.sum)"}}`, `derived._rate (line 1): "_rate" begins with _: such names are fiscube's own`},
		"derived, almost a name": {`derived: {rate: {formula: "share(amount.sum)"}, Rate: {formula: "share(amount.sum)"}}`, `derived.Rate (line 1): there is a derived measure "rate" already`},

		"dimension without levels": {`dimensions: {admn: {type: other}}`, `dimensions.admn (line 1): "admn" is no dimension with levels; did you mean admin?`},
		"level":                    {`levels: {unt: {title: {en: U}}}`, `levels.unt (line 1): "unt" is no field of the package; did you mean unit?`},
		"level of no dimension":    {`levels: {unit_desc: {title: {en: U}}}`, `levels.unit_desc (line 1): "unit_desc" is no level yet: say its dimension`},
		"dimension of a level":     {`levels: {mes: {dimension: dat}}`, `levels.mes.dimension (line 1): "dat" is no dimension of the package or of this overlay; did you mean date?`},
		"level of amounts":         {`levels: {paid: {dimension: admin}}`, `levels.paid (line 1): "paid" is an amount, no level`},
		"the year as text":         {`levels: {year: {type: text}}`, `levels.year.type (line 1): the fiscal year is a whole number`},
		"parent":                   {`levels: {unit: {parent: rmo}}`, `levels.unit.parent (line 1): "rmo" is no level; did you mean ramo?`},
		"parent that is a label":   {`levels: {unit: {parent: ramo_desc}}`, `levels.unit.parent (line 1): "ramo_desc" is no level`},
		"parent elsewhere":         {`levels: {unit: {parent: mes}}`, `levels.unit.parent (line 1): "mes" is a level of "unknown", not of "admin"`},
		"parent of itself":         {`levels: {mes: {parent: mes}}`, `levels.mes.parent (line 1): the parents of "mes" form a ring`},
		"ring": {`levels: {mes: {parent: prog}, prog: {parent: mes}}`, "levels.mes.parent (line 1): the parents of \"mes\" form a ring\n" +
			"levels.prog.parent (line 1): the parents of \"prog\" form a ring"},
		"ring with the package":  {`levels: {ramo: {parent: unit}}`, `levels.ramo.parent (line 1): the parents of "ramo" form a ring`},
		"within":                 {"levels:\n  unit:\n    within: [mes, prg]", `levels.unit.within[1] (line 3): "prg" is no level; did you mean prog?`},
		"within itself":          {`levels: {unit: {within: [unit]}}`, `levels.unit.within[0] (line 1): "unit" cannot be within itself`},
		"within amounts":         {`levels: {unit: {within: [amount]}}`, `levels.unit.within[0] (line 1): "amount" is no level`},
		"label":                  {`levels: {prog: {label: prog_dsc}}`, `levels.prog.label (line 1): "prog_dsc" is no field of the package; did you mean prog_desc?`},
		"label, split":           {`levels: {prog: {label: {field: prog_dsc, split: true}}}`, `levels.prog.label.field (line 1): "prog_dsc" is no field of the package; did you mean prog_desc?`},
		"label of two":           {`levels: {prog: {label: joined}, code: {label: joined}}`, `levels.code.label (line 1): "joined" is the label of "prog" already`},
		"label and level":        {`levels: {prog: {label: mes}, mes: {title: {en: M}}}`, `levels.prog.label (line 1): "mes" is a level of this overlay, so it cannot be a label`},
		"label of itself":        {`levels: {prog: {label: prog}}`, `levels.prog.label (line 1): "prog" is a level of this overlay, so it cannot be a label`},
		"label of amounts":       {`levels: {prog: {label: paid}}`, `levels.prog.label (line 1): "paid" is an amount, no label`},
		"split of amounts":       {`levels: {amount: {split: true}}`, "levels.amount (line 1): \"amount\" is an amount or the fiscal year, not a code or label\nlevels.amount (line 1): \"amount\" is an amount, no level"},
		"split of the year":      {`levels: {year: {split: true}}`, `levels.year (line 1): "year" is an amount or the fiscal year, not a code or label`},
		"split twice":            {`levels: {mes: {split: true}, prog: {label: {field: mes, split: true}}}`, "levels.prog.label.field (line 1): the cells of \"mes\" are made already\nlevels.prog.label.field (line 1): \"mes\" is a level of this overlay, so it cannot be a label"},
		"derive from":            {`levels: {chapter: {derive: {from: objct, length: 5, digits: 1}}}`, `levels.chapter.derive.from (line 1): "objct" is no field of the package; did you mean object?`},
		"derive from itself":     {`levels: {chapter: {derive: {from: chapter, length: 5, digits: 1}}}`, `levels.chapter.derive.from (line 1): "chapter" cannot be derived from itself`},
		"derive from amounts":    {`levels: {chapter: {derive: {from: paid, length: 5, digits: 1}}}`, `levels.chapter.derive.from (line 1): "paid" is an amount, no code`},
		"snapshots by":           {`snapshots: {by: mess, per: [year]}`, `snapshots.by (line 1): "mess" is no level; did you mean mes?`},
		"snapshots by a measure": {`{snapshots: {by: code, per: [year]}, measures: {code: {}}}`, `snapshots.by (line 1): "code" is no level`},
		"snapshots per":          {`snapshots: {by: mes, per: [yaer, prog_desk]}`, "snapshots.per[0] (line 1): \"yaer\" is no level; did you mean year?\nsnapshots.per[1] (line 1): \"prog_desk\" is no level; did you mean prog_desc?"},
		"snapshots, known name":  {`snapshots: {by: {resource: "(a)", name: MES}, per: [year]}`, "snapshots.by.name (line 1): fields \"mes\" and \"MES\" have one name, ignoring case\nsnapshots.by.name (line 1): \"MES\" is no level; did you mean mes?"},
		"editions":               {`editions: {unt: [2012]}`, `editions.unt (line 1): "unt" is no level; did you mean unit?`},
		"functions":              {`functions: {level: unt}`, `functions.level (line 1): "unt" is no level; did you mean unit?`},
		"functions, keys":        {`functions: {level: unit, divisions: {"01": ["2"]}}`, `functions.divisions.01[0] (line 1): "2" does not have the keys of a member, ramo/unit`},
		"functions, no year":     {`{editions: {unit: [2012]}, functions: {level: unit, divisions: {"01": [1/2]}}}`, `functions.divisions.01[0] (line 1): "1/2" has no year of its edition: write one after its key, as in 3@2012`},
		"functions, twice":       {`functions: {level: unit, divisions: {"01": [1/2], "02": [1/2]}}`, `functions.divisions.02[0] (line 1): "1/2" is of division 01 already: a member is of one division, or of none`},
		"same_as":                {`{editions: {unit: [2012]}, same_as: {unt: {"1/2@2012": "1/1@2008"}}}`, `same_as.unt (line 1): "unt" is no level; did you mean unit?`},
		"same_as, no editions":   {`same_as: {unit: {"1/2@2012": "1/1@2008"}}`, `same_as.unit (line 1): "unit" has no editions, so its codes mean the same in all years: name its first years in editions`},
		"same_as, keys":          {`{editions: {unit: [2012]}, same_as: {unit: {"2@2012": "1/1@2008"}}}`, `same_as.unit["2@2012"] (line 1): "2@2012" does not have the keys of a member, ramo/unit`},
		"same_as, no year":       {`{editions: {unit: [2012]}, same_as: {unit: {"1/2": "1/1@2008"}}}`, `same_as.unit["1/2"] (line 1): "1/2" has no year of its edition: write one after its key, as in 3@2012`},
		"same_as, later":         {`{editions: {unit: [2012]}, same_as: {unit: {"1/1@2008": "1/2@2012"}}}`, `same_as.unit["1/1@2008"] (line 1): "1/2@2012" is of no earlier edition than "1/1@2008": write the later member first`},
		"same_as, itself":        {`{editions: {unit: [2012]}, same_as: {unit: {"1/1@2015": "1/1@2012"}}}`, `same_as.unit["1/1@2015"] (line 1): "1/1@2012" is of no earlier edition than "1/1@2015": write the later member first`},
		"same_as, twice":         {`{editions: {unit: [2012]}, same_as: {unit: {"1/2@2012": "1/1@2008", "1/2@2013": "1/3@2008"}}}`, `same_as.unit["1/2@2013"] (line 1): "1/2@2012" and "1/2@2013" are one member, which is the same as one other: write it once`},
		"same_as, two of one":    {`{editions: {unit: [2012]}, same_as: {unit: {"1/2@2012": "1/1@2008", "1/3@2012": "1/1@2010"}}}`, `same_as.unit["1/3@2012"] (line 1): "1/1@2010" is the same as "1/2@2012" already: a member has one counterpart, so leave one out, or write of which of the two the other is the successor`},
		"financing":              {`financing: {unt: ["3"]}`, `financing.unt (line 1): "unt" is no level; did you mean unit?`},
		"editions of a label":    {`editions: {unit_desc: [2012]}`, `editions.unit_desc (line 1): "unit_desc" is no level`},
		"editions of the year":   {`editions: {year: [2012]}`, `editions.year (line 1): "year" is the fiscal year, which is numbered once`},
		"editions, known name":   {`{levels: {code: {dimension: unknown}}, measures: {code_edition: {first_of: [spent]}}, editions: {code: [2012]}}`, `editions.code (line 1): there is a field "code_edition" already`},
		"except":                 {`repairs: {label-paired: {except: [unit_dsc]}}`, `repairs.label-paired.except[0] (line 1): "unit_dsc" is no field of the package; did you mean unit_desc?`},
		"all at once": {"measures: {x: {}}\nlevels: {z: {}}\nsnapshots: {by: q, per: [w]}", "measures.x (line 1): \"x\" is no field of the package\n" +
			"levels.z (line 2): \"z\" is no field of the package\nsnapshots.by (line 3): \"q\" is no level\nsnapshots.per[0] (line 3): \"w\" is no level"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := read(t, budget)
			applied, err := readOverlay(t, test.overlay).Apply(p)
			var problems fdp.Problems
			if !errors.As(err, &problems) || applied != nil {
				t.Fatalf("Apply gave %v, want Problems", err)
			}
			equal(t, "problems", problems.Error(), test.want)
			equal(t, "the package", p, read(t, budget))
		})
	}
}

func TestApply_TooManyColumns(t *testing.T) {
	var fields, splits []string
	for i := range 1400 {
		fields = append(fields, fmt.Sprintf("f%d string", i))
	}
	for i := range 51 {
		splits = append(splits, fmt.Sprintf("f%d: {dimension: x, split: true}", i))
	}
	p := read(t, several("", schema(fields...)))
	_, err := readOverlay(t, "{dimensions: {x: {}}, levels: {"+strings.Join(splits, ", ")+"}}").Apply(p)
	if err == nil || !strings.Contains(err.Error(), `levels.f50 (line 1): no room for "f50_cell": at most 1500 fields are supported`) {
		t.Errorf("Apply gave %v", err)
	}
}
