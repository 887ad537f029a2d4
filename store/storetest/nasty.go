package storetest

import (
	"io/fs"
	"math/rand/v2"

	"fiscube/cube"
)

// nastyRows is how many rows the nasty package has.
const nastyRows = 3000

// The names of its fields mean something to SQL, to the grammar of questions, to URLs or to spreadsheets.
const (
	nastyYear   = "año fiscal"
	nastyOrder  = `order by`
	nastyLabel  = `label "of" it`
	nastyBelow  = "a|b;c:d,e.f/g"
	nastyText   = "100% & more = fun?"
	nastyWhole  = "k0"
	nastyNamed  = "f'--"
	nastyBranch = "~!<>()"
	nastyLine   = `\N`
	nastyWide   = "select"
	nastyNarrow = "a0.sum"
	nastyNever  = "$1"
	nastyUnits  = "😀"
)

// Nasty is a made-up package of names and cells that are allowed and hard to get right. Codes are text, and no
// two of them are equal, however they look.
func Nasty() fs.FS {
	random := rand.New(rand.NewPCG(3, 14))
	rows := make([][]string, nastyRows)
	for i := range rows {
		rows[i] = nastyRow(random)
	}
	return folder(nastyDescriptor(), rows)
}

func nastyDescriptor() descriptor {
	text := func(name string) field { return field{Name: name, Type: "string"} }
	amount := func(name string) field { return field{Name: name, Type: "number"} }
	return descriptor{
		Name:      `nasty "names"; & cells`,
		Resources: []resource{{Name: "a b.csv", Path: "data/a b.csv"}},
		Schema: schema{
			MissingValues: []string{"", "-", "n/a"},
			Fields: []field{
				{Name: nastyYear, Type: "integer", ColumnType: cube.ColumnTypeFiscalYear},
				text(nastyOrder), text(nastyLabel), text(nastyBelow), text(nastyText),
				{Name: nastyWhole, Type: "integer"}, text(nastyNamed), text(nastyBranch), text(nastyLine),
				amount(nastyWide), amount(nastyNarrow), amount(nastyNever), {Name: nastyUnits, Type: "integer"},
			},
		},
		Model: model{
			Dimensions: nastyDimensions(),
			Measures:   map[string]measure{nastyWide: {}, nastyNarrow: {}, nastyNever: {}, nastyUnits: {}},
		},
	}
}

func nastyDimensions() map[string]dimension {
	return map[string]dimension{
		"date": {Type: "datetime", Key: []string{nastyYear}, Attributes: attributes{nastyYear: {}}},
		"administrative-classification.with:all|of;it": {
			Key: []string{nastyOrder, nastyBelow, nastyWhole},
			Attributes: attributes{
				nastyOrder: {}, nastyLabel: {LabelFor: nastyOrder},
				nastyBelow: {Parent: nastyOrder}, nastyText: {LabelFor: nastyBelow},
				nastyWhole: {Parent: nastyBelow}, nastyNamed: {LabelFor: nastyWhole},
			},
		},
		nastyBranch: {Key: []string{nastyBranch}, Attributes: attributes{nastyBranch: {}}},
		"lines":     {Type: cube.DimensionFact, Key: []string{nastyLine}, Attributes: attributes{nastyLine: {}}},
	}
}

var (
	nastyCodes = []string{"", "-", "n/a", "1", "01", "001", "10", "2", "a", "A", "á", "a\u0301", "Z", "z", "ž", " 1", "1 ",
		"|", ";", "/", "..", "1..2", "~1", "!1", `"`, `\`, `\N`, `\.`, "NULL", "null", "'", "é", "日本", "\U0001F600",
		"\t", "a\nb", "%", "_", "0", "-1", "a/b", "=1", "İ", "ß", "a&b=c", "+", "%20"}
	nastyYears  = []string{"2015", "2016", "2016", "2017", "2017", " 2017", "02016", "", "-"}
	nastyWholes = []string{"0", "1", "2", "10", "-3", "7", "+7", "7 ", "9223372036854775807", "-9223372036854775808", "", "n/a"}
	nastyLabels = []string{"", " ", "-", "Ministry", "MINISTRY", "Ministry ", "Ministério\u00a0 da  Saúde", "čaj", "Čaj", "cvijet",
		"ćup", "ñu", "nube", "Zagreb", "Žepče", "\tTab\there", "2 two", "10 ten", "\u200bzero width", "ß", `"q"`, "a\r\nb"}
	nastyAmounts = []string{"", "-", "0", "-0", "0.1", "0.2", "0.3", "-12.50", " 5 ", ".5", "-.5", "5.", "1234567890123456789.1234",
		"-999999999999999999.9999", "0.0001", "100", "00012.50"}
	nastyTenths = []string{"", "1", "2", "3", "0.5", "-1", "99.9", "2.5", "3.5"}
)

func nastyRow(random *rand.Rand) []string {
	one := func(from []string) string { return from[random.IntN(len(from))] }
	few := func(from []string) string { return from[min(random.IntN(len(from)), random.IntN(len(from)))] }
	return []string{
		one(nastyYears), one(nastyCodes), one(nastyLabels), few(nastyCodes[3:9]), few(nastyLabels),
		few(nastyWholes), one(nastyLabels), few(nastyCodes), one(nastyCodes) + one(nastyCodes),
		one(nastyAmounts), few(nastyTenths), "", one([]string{"1", "2", "-7", "", "3"}),
	}
}
