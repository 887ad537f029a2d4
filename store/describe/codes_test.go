package describe_test

import (
	"fmt"
	"testing"
)

var services = []string{"Police", "Fire", "Health", "Schools"}

// Line n has amount n: these are the sums of 240 lines.
const oneYear = "2023 28680"

// ofOneYear makes a file with a column of codes.
func ofOneYear(header string, line func(n int) string) map[string]string {
	return map[string]string{"a.csv": rows("year,"+header+",amount", 240, func(n int) string { return fmt.Sprintf("2023,%s,%d", line(n), n) })}
}

// Codes whose parts or digits are levels.
func TestRead_FindsLevelsInCodes(t *testing.T) {
	dotted := func(separator string) func(n int) string {
		return func(n int) string {
			return fmt.Sprintf("%02d%s%02d%s%03d", n%3+1, separator, n/3%4+1, separator, n/12%5+1)
		}
	}
	const flat = "date: year\neconomic-classification: account\nmeasure amount"
	for _, test := range []habit{
		{
			name: "points", files: ofOneYear("account", dotted(".")), total: oneYear,
			model: "date: year\neconomic-classification: account_1 → account_2 → account\nmeasure amount",
			says:  []string{`240 of 240 cells are parts between ".", and 60 have 12 beginnings`, `derive: {from: account, separator: ".", parts: 2}`},
		},
		{
			name: "hyphens", files: ofOneYear("account", dotted("-")), total: oneYear,
			model: "date: year\neconomic-classification: account_1 → account_2 → account\nmeasure amount",
		},
		{
			name: "slashes, of one to three parts", files: ofOneYear("account", func(n int) string {
				return []string{"1/1", "1/2", "2/1", "2/2/1", "2/2/2", "2/3/1"}[n%6]
			}), total: oneYear, model: "date: year\neconomic-classification: account_1 → account\nmeasure amount",
		},
		{
			name: "points, joined to a label", files: ofOneYear("account", func(n int) string { return dotted(".")(n) + " " + services[n%4] }), total: oneYear,
			model: "date: year\neconomic-classification: account_1 → account_2 → account (account_label)\nmeasure amount",
		},
		{
			name: "points, with labels of the first part", files: ofOneYear("item,kind", func(n int) string { return dotted(".")(n) + "," + services[n%3] }), total: oneYear,
			model: "date: year\neconomic-classification: item_1 (kind) → item_2 → item\nmeasure amount",
			says:  []string{"240 of 240 rows: each beginning has one kind, and one alone"},
		},
		{
			name: "digits, with labels of two levels", files: ofOneYear("account,branch,service", func(n int) string {
				return fmt.Sprintf("%d%d%d00,%s,%s %c", n%4+1, n/4%3+1, n/12%5, services[n%4], services[n%4], 'A'+n/4%3)
			}), total: oneYear,
			model: "date: year\neconomic-classification: account_1 (branch) → account_2 (service) → account\nmeasure amount",
			says:  []string{"derive: {from: account, length: 5, digits: 2}", "all codes have 5 digits, and begin with its 2"},
		},
		{
			name: "digits without labels", files: ofOneYear("account", func(n int) string { return fmt.Sprintf("%d%d%d00", n%4+1, n/4%3+1, n/12%5) }), total: oneYear, model: flat,
		},
		{
			name: "digits, and words that they do not decide", files: ofOneYear("account,kind", func(n int) string {
				return fmt.Sprintf("%d%d%d00,%s", n%4+1, n/4%3+1, n/12%5, services[n/7%4])
			}), total: oneYear, model: "date: year\neconomic-classification: account\nkind: kind\nmeasure amount",
		},
		{
			name: "posts, with a town for each", files: ofOneYear("postal_code,town", func(n int) string { return fmt.Sprintf("%d0%d,%s", n%4+1, n%20+100, services[n%4]) }), total: oneYear,
			model: "date: year\npostal: postal_code\ntown: town\nmeasure amount",
		},
		{
			name: "telephones", files: ofOneYear("telephone", func(n int) string { return fmt.Sprintf("%d-555-01%02d", n%4+200, n%24) }), total: oneYear,
			model: "date: year\ntelephone: telephone\nmeasure amount",
		},
		{
			name: "days", files: ofOneYear("stamp,month", func(n int) string { return fmt.Sprintf("2023%02d%02d,%s", n%4+1, n%20+1, services[n%4]) }), total: oneYear,
			model: "date: year\nstamp: stamp\nmonth: month\nmeasure amount",
		},
		{
			name: "words with hyphens", files: ofOneYear("account", func(n int) string { return []string{"self-help", "self-rule", "co-op", "co-payment"}[n%4] }), total: oneYear, model: flat,
		},
		{
			name: "spans of years", files: ofOneYear("plan_id", func(n int) string { return fmt.Sprintf("2021-%02d", 22+n%6) }), total: oneYear,
			model: "date: year\nplan: plan_id\nmeasure amount",
		},
	} {
		t.Run(test.name, func(t *testing.T) { test.check(t) })
	}
}

// Labels of codes whose names share no word with them, and the parties and numbers of transactions.
func TestRead_PairsCodesAndFindsParties(t *testing.T) {
	const pair = "date: year\nzone: zone (place)\nmeasure amount"
	zone := func(n int) (code, label string) { return fmt.Sprint(n%4 + 1), services[n%4] }
	suppliers := func(column, dimension string) habit {
		return habit{
			name: column, files: ofOneYear(column+",invoice", func(n int) string { return fmt.Sprintf("Firm %03d,%d", n*7%199, 90000+n*n) }), total: oneYear,
			model: "date: year\n" + dimension + ": " + column + "\nbudget-line-id: invoice\nmeasure amount",
		}
	}
	for _, test := range []habit{
		{
			name: "a label before its code", total: oneYear, model: pair,
			files: ofOneYear("place,zone", func(n int) string { code, label := zone(n); return label + "," + code }),
		},
		{
			name: "a label two columns behind its code", total: oneYear, model: "date: year\nzone: zone (place)\nkind: kind\nmeasure amount",
			files: ofOneYear("zone,kind,place", func(n int) string { code, label := zone(n); return fmt.Sprintf("%s,%c,%s", code, 'A'+n/7%5, label) }),
		},
		{
			name: "words that several codes have", total: oneYear, model: "date: year\nplace: place\nzone: zone\nmeasure amount",
			files: ofOneYear("place,zone", func(n int) string { return fmt.Sprintf("%s,%d", services[n/9%4], n%9) }),
		},
		{
			name: "two columns under one name", total: oneYear, model: "date: year\nfin-source: Fund (Fund 2)\nmeasure amount",
			files: ofOneYear("Fund,Fund", func(n int) string { code, label := zone(n); return code + "," + label }),
		},
		{
			name: "a code and a description of each line", total: oneYear, model: "date: year\ncode: code_1 → code_2 → code (description)\nmeasure amount",
			files: ofOneYear("code,description", func(n int) string { return fmt.Sprintf("%d.%d.%d,Item %d", n/60, n/12%5, n%12, n) }),
		},
		suppliers("supplier", "supplier"), suppliers("vendor_name", "supplier"), suppliers("proveedor", "supplier"), suppliers("Lieferant", "supplier"),
		suppliers("fournisseur", "supplier"), suppliers("dobavljač", "supplier"), suppliers("fornecedor", "supplier"), suppliers("постачальник", "supplier"),
		suppliers("payee", "recipient"), suppliers("beneficiario", "recipient"), suppliers("Name des Begünstigten", "recipient"), suppliers("Empfänger", "recipient"),
		suppliers("bénéficiaire", "recipient"),
	} {
		t.Run(test.name, func(t *testing.T) { test.check(t) })
	}
}

// Hierarchies whose names share no word.
func TestRead_LinksLevelsThatCellsProve(t *testing.T) {
	named := func(word string, n int) string { return fmt.Sprintf("%s %c", word, 'A'+n) }
	programme := func(n int, name string) string {
		return fmt.Sprintf("%s,%s,%s", named("Department", n%6), name, named("Kind", n/30%4))
	}
	for _, test := range []habit{
		{
			name: "names alone", total: oneYear, model: "date: year\nactivity: Cabinet → Dept → Program\nkind: Kind\nmeasure amount",
			files: ofOneYear("Cabinet,Dept,Program,Kind", func(n int) string {
				return fmt.Sprintf("%s,%s,Programme %02d,%s", named("Cabinet", n%3), named("Dept", n%9), n%36, named("Kind", n/36%4))
			}),
			says: []string{"parent: Cabinet # 240 of 240 rows: each Dept has one Cabinet"},
		},
		{
			name: "a programme of each department has one name", total: oneYear, model: "date: year\nadministrative-classification: Department → Programme\nkind: Kind\nmeasure amount",
			files: ofOneYear("Department,Programme,Kind", func(n int) string {
				if n%30 < 6 {
					return programme(n, "Administration")
				}
				return programme(n, fmt.Sprintf("Programme %02d", n%30))
			}),
			says: []string{"24 of 25 stand below one alone"},
		},
		{
			name: "numbered names", total: oneYear, model: "date: year\nid: ID1_name → ID2_name → ID3_name\nmeasure amount",
			files: ofOneYear("ID1_name,ID2_name,ID3_name", func(n int) string {
				return fmt.Sprintf("%s,%s,%s %d", named("Service", n%3), named("Branch", n%9), "Office", n%27+n%7/6)
			}),
		},
		{
			name: "names that any department may have", total: oneYear,
			model: "date: year\nadministrative-classification: Department\nactivity: Programme\nkind: Kind\nmeasure amount",
			files: ofOneYear("Department,Programme,Kind", func(n int) string { return programme(n, named("Programme", n/6%15)) }),
		},
		{
			name: "a zone that unrelated columns decide", total: oneYear, model: "date: year\nzone: Zone\nsite: Site\nteam: Team\nmeasure amount",
			files: ofOneYear("Zone,Site,Team", func(n int) string {
				return fmt.Sprintf("%s,Site %d,Team %d", named("Zone", n%2), n%2+n/2%5*2, n%2+n/10%6*2)
			}),
		},
		{
			name: "the upper behind the lower", total: oneYear, model: "date: year\nteam: Team\nbureau: Bureau\nmeasure amount",
			files: ofOneYear("Team,Bureau", func(n int) string { return fmt.Sprintf("Team %02d,%s", n%12, named("Bureau", n%3)) }),
		},
		{
			name: "one name above nearly all", total: oneYear, model: "date: year\nzone: Zone\nteam: Team\nmeasure amount",
			files: ofOneYear("Zone,Team", func(n int) string { return fmt.Sprintf("%s,Team %02d", named("Zone", max(0, n%80-78)), n%24) }),
		},
	} {
		t.Run(test.name, func(t *testing.T) { test.check(t) })
	}
}
