package fdp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fiscube/cube/fdp"
)

func TestOverlayDoesNotFit(t *testing.T) {
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

func TestOverlayMakesTooManyColumns(t *testing.T) {
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
