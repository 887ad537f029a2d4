package storetest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/query"
)

// sample is a made-up package with one resource: two years, 4 regions, 20 towns, and a line in every row.
// Contents of another edition differ in their amounts.
type sample struct {
	name    string
	rows    int
	edition int
}

var sampleFields = []field{
	{Name: "year", Type: "integer", ColumnType: cube.ColumnTypeFiscalYear},
	{Name: "region", Type: "string"},
	{Name: "region_name", Type: "string"},
	{Name: "town", Type: "string"},
	{Name: "town_name", Type: "string"},
	{Name: "line", Type: "string"},
	{Name: "amount", Type: "number"},
}

// files gives the package as a folder.
func (s sample) files() fs.FS {
	return folder(descriptor{
		Name:      s.name,
		Resources: []resource{{Name: "lines.csv", Path: "data/lines.csv"}},
		Schema:    schema{Fields: sampleFields},
		Model: model{
			Dimensions: map[string]dimension{
				"date":     {Type: "datetime", Key: []string{"year"}, Attributes: attributes{"year": {}}},
				"location": sampleLocation,
				"line":     {Type: "fact", Key: []string{"line"}, Attributes: attributes{"line": {}}},
			},
			Measures: map[string]measure{"amount": {}},
		},
	}, s.table())
}

var sampleLocation = dimension{
	Type: "location",
	Key:  []string{"region", "town"},
	Attributes: attributes{
		"region":      {},
		"region_name": {LabelFor: "region"},
		"town":        {Parent: "region"},
		"town_name":   {LabelFor: "town"},
	},
}

func (s sample) table() [][]string {
	rows := [][]string{}
	for i := range s.rows {
		region, town := strconv.Itoa(i%4), strconv.Itoa(i%20)
		rows = append(rows, []string{
			strconv.Itoa(2016 + i%2), region, "Region " + region, town, "Town " + town,
			strconv.Itoa(i), strconv.Itoa(i*(s.edition+1)) + ".25",
		})
	}
	return rows
}

// sum is what the amounts of all rows add up to, in quarters.
func (s sample) sum() string {
	whole := s.rows * (s.rows - 1) / 2 * (s.edition + 1)
	quarters := whole*4 + s.rows
	return strconv.FormatFloat(float64(quarters)/4, 'f', -1, 64)
}

// folder makes a package of a descriptor with one resource, and its rows.
func folder(d descriptor, rows [][]string) fs.FS {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	header := make([]string, len(d.Schema.Fields))
	for i, f := range d.Schema.Fields {
		header[i] = f.Name
	}
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	_ = w.WriteAll(append([][]string{header}, rows...)) // a buffer takes everything
	return fstest.MapFS{
		"datapackage.json":  {Data: text},
		d.Resources[0].Path: {Data: table.Bytes()},
	}
}

// descriptor is what the suite writes and reads of a datapackage.json. It is a second reading beside cube/fdp,
// of as little as the adder needs.
type descriptor struct {
	Name      string     `json:"name"`
	Resources []resource `json:"resources"`
	Schema    schema     `json:"schema"`
	Model     model      `json:"model"`
}

type resource struct {
	Name   string  `json:"name"`
	Path   string  `json:"path"`
	Schema *schema `json:"schema,omitempty"`
}

type schema struct {
	Fields        []field  `json:"fields"`
	MissingValues []string `json:"missingValues,omitempty"`
}

type field struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	ColumnType string `json:"columnType,omitempty"`
}

type model struct {
	Dimensions map[string]dimension `json:"dimensions"`
	Measures   map[string]measure   `json:"measures"`
}

type dimension struct {
	Type       string     `json:"dimensionType"`
	Key        []string   `json:"primaryKey"`
	Attributes attributes `json:"attributes"`
}

type attributes map[string]attribute

type attribute struct {
	LabelFor string `json:"labelfor,omitempty"`
	Parent   string `json:"parent,omitempty"`
}

type measure struct{}

// nastyRows is how many rows the nasty package has: enough for cuboids above the base, and for each cell many times over.
func nastyRows() int { return repeat(1500, 3000) }

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
	rows := make([][]string, nastyRows())
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
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	few := func(from []string) string { return from[min(random.IntN(len(from)), random.IntN(len(from)))] }
	return []string{
		pick(nastyYears), pick(nastyCodes), pick(nastyLabels), few(nastyCodes[3:9]), few(nastyLabels),
		few(nastyWholes), pick(nastyLabels), few(nastyCodes), pick(nastyCodes) + pick(nastyCodes),
		pick(nastyAmounts), few(nastyTenths), "", pick([]string{"1", "2", "-7", "", "3"}),
	}
}

// sparse is a package whose units come and go, so that a cut often leaves one side of a comparison without rows: in each
// year, and in each month of it, there are some of them. Nothing was paid before 2016, and 2018 has no rows.
func sparse(overlay string) fs.FS {
	random := rand.New(rand.NewPCG(5, 6))
	rows := []string{"year,month,unit,plan,paid,fees"}
	for _, year := range []int{2014, 2015, 2016, 2017, 2019} {
		for month := 1; month <= 4; month++ {
			if month == 4 && year%2 == 0 {
				continue
			}
			for unit := range 12 {
				if random.IntN(3) > 0 {
					continue
				}
				paid := ""
				if year >= 2016 {
					paid = fmt.Sprint(random.IntN(50) - 9)
				}
				rows = append(rows, fmt.Sprintf("%d,%d,u%d,%d,%s,%d", year, month, unit, random.IntN(100), paid, random.IntN(9)))
			}
		}
	}
	return fstest.MapFS{
		"lines.csv":    {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte(overlay)},
		"datapackage.json": {Data: []byte(`{"name": "sparse", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "month", "type": "integer"},
			{"name": "unit", "type": "string"}, {"name": "plan", "type": "number"}, {"name": "paid", "type": "number"},
			{"name": "fees", "type": "number"}]},
			"model": {"measures": {"plan": {}, "paid": {}, "fees": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"month": {"dimensionType": "other", "primaryKey": ["month"]},
				"unit": {"dimensionType": "other", "primaryKey": ["unit"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// gaps is a package with years and quarters that are missing or have no rows, a debt of which less is more,
// amounts that only years from 2015 on have, and members that come, go and change their names.
func gaps() fs.FS {
	random := rand.New(rand.NewPCG(27, 18))
	rows := []string{"year,quarter,quarter_name,unit,unit_name,debt,paid,late"}
	for range 400 {
		pick := func(from ...string) string { return from[random.IntN(len(from))] }
		quarter, unit, year := pick("", "1", "2", "4"), pick("a", "b", "c", "d", ""), pick("", "2014", "2015", "2018", "2019")
		late := pick("", "1", "4", "-2.5")
		if year == "2014" {
			late = ""
		}
		rows = append(rows, strings.Join([]string{year, quarter, pick("", "Quarter "+quarter, "Q"+quarter), unit,
			pick(unit+" in "+year, "The "+unit), pick("", "0", "1", "2.5", "-3"), pick("", "0", "0.25", "7", "-7"), late}, ","))
	}
	return fstest.MapFS{
		"lines.csv": {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte(`
levels: {quarter: {dimension: date, parent: year, label: quarter_name}, unit: {label: unit_name}}
measures: {debt: {factor: -0.5}}
`)},
		"datapackage.json": {Data: []byte(`{"name": "gaps", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "quarter", "type": "integer"},
			{"name": "quarter_name", "type": "string"}, {"name": "unit", "type": "string"},
			{"name": "unit_name", "type": "string"}, {"name": "debt", "type": "number"}, {"name": "paid", "type": "number"},
			{"name": "late", "type": "number"}]},
			"model": {"measures": {"debt": {}, "paid": {}, "late": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"other": {"dimensionType": "other", "primaryKey": ["quarter", "unit"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// great is a package with enough rows for several cuboids. Of its amounts without their signs those of fits have a sum of 18
// digits, those of exceeds a cent more, and those of debt are the greatest that 64 bits hold.
func great() fs.FS {
	random := rand.New(rand.NewPCG(18, 64))
	rows, left := []string{"year,unit,object,fits,exceeds,debt"}, int64(999_999_999_999_999_999)
	const count = 1100
	cents := func(n int64) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }
	for i := range int64(count) {
		sign := []string{"", "", "", "-"}[random.IntN(4)]
		fits := left / (count - i)
		left -= fits
		exceeds := fits
		if i == 0 {
			exceeds++
		}
		rows = append(rows, fmt.Sprintf("%d,%d,%d,%s%s,%s%s,%s", 2014+random.IntN(4), random.IntN(9), random.IntN(20), sign, cents(fits), sign,
			cents(exceeds), []string{"9223372036854775807", "-9223372036854775808", ""}[random.IntN(3)]))
	}
	return fstest.MapFS{
		"lines.csv": {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"datapackage.json": {Data: []byte(`{"name": "great", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "unit", "type": "string"},
			{"name": "object", "type": "string"}, {"name": "fits", "type": "number"}, {"name": "exceeds", "type": "number"},
			{"name": "debt", "type": "integer"}]},
			"model": {"measures": {"fits": {}, "exceeds": {}, "debt": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"unit": {"dimensionType": "other", "primaryKey": ["unit"]}, "object": {"dimensionType": "other", "primaryKey": ["object"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// renumbered is a package whose functions are numbered anew in 2016, and whose funds are in 2015 and 2017. Some rows have no
// year.
func renumbered() fs.FS {
	random := rand.New(rand.NewPCG(20, 16))
	rows := []string{"year,group,function,function_name,activity,fund,amount"}
	names := []string{"Health", "Roads", "Schools", "Courts", "Parks"}
	for range 400 {
		pick := func(from ...string) string { return from[random.IntN(len(from))] }
		year, function, shift := pick("2014", "2015", "2016", "2017", "2018", "2018", ""), random.IntN(4), 0
		if year >= "2016" {
			shift = 1
		}
		rows = append(rows, strings.Join([]string{year, pick("1", "2"), strconv.Itoa(function), names[function+shift],
			pick("a", "b", ""), pick("x", "y@2016"), pick("", "0", "1", "2.5", "-3")}, ","))
	}
	return fstest.MapFS{
		"lines.csv":    {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte("editions: {function: [2016], fund: [2015, 2017]}\n")},
		"datapackage.json": {Data: []byte(`{"name": "renumbered", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "group", "type": "string"},
			{"name": "function", "type": "string"}, {"name": "function_name", "type": "string"},
			{"name": "activity", "type": "string"}, {"name": "fund", "type": "string"}, {"name": "amount", "type": "number"}]},
			"model": {"measures": {"amount": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"functional": {"dimensionType": "classification", "primaryKey": ["group", "function", "activity"], "attributes": {
					"group": {}, "function": {"parent": "group"}, "function_name": {"labelfor": "function"},
					"activity": {"parent": "function"}}},
				"fund": {"dimensionType": "other", "primaryKey": ["fund"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// withDerived gives the version two derived measures, which only a model has.
func withDerived(version *cube.Cube) (*cube.Cube, error) {
	draft := version.Model.Draft()
	amount := query.AggregateRef{Measure: draft.Measures[0].Ref, Func: string(cube.Sum)}
	count := query.AggregateRef{Measure: amount.Measure, Func: string(cube.Count)}
	draft.Derived = []cube.Derived{
		{Ref: "per line, if any", Formula: fmt.Sprintf("ratio(%s,%s)", amount, count)},
		{Ref: "part", Formula: fmt.Sprintf("share(%s)", amount)},
	}
	model, err := draft.Model()
	if err != nil {
		return nil, err
	}
	described, with := *version.Package, *version
	described.Model, with.Package = model, &described
	return &with, nil
}
