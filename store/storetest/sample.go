package storetest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"strconv"
	"testing/fstest"

	"fiscube/cube"
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
