package storetest

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
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

// files gives the package as a folder.
func (s sample) files() fs.FS {
	var rows strings.Builder
	rows.WriteString("year,region,region_name,town,town_name,line,amount\n")
	for i := range s.rows {
		fmt.Fprintf(&rows, "%d,%d,Region %[2]d,%d,Town %[3]d,%d,%d.25\n", 2016+i%2, i%4, i%20, i, i*(s.edition+1))
	}
	return ofRows("sample", s.name, rows.String())
}

// sum is what the amounts of all rows add up to, in quarters.
func (s sample) sum() string {
	whole := s.rows * (s.rows - 1) / 2 * (s.edition + 1)
	quarters := whole*4 + s.rows
	return strconv.FormatFloat(float64(quarters)/4, 'f', -1, 64)
}

// longAmounts is a package of so many units with amounts of 25 digits, of which the averages differ after the 20th digit, and of which
// some are equal.
func longAmounts(name string, units int) fs.FS {
	var rows strings.Builder
	rows.WriteString("year,unit,paid\n")
	for i := range units {
		fmt.Fprintf(&rows, "2020,u%05d,10000000000000000000000%02d\n", i, (i*7919)%97)
		if i%4 == 0 {
			fmt.Fprintf(&rows, "2020,u%05d,1000000000000000000000000\n", i)
		}
	}
	return ofRows("units", name, rows.String())
}

// ofRows gives the package of a folder that has no rows of its own, with another name.
func ofRows(folder, name, rows string) fs.FS {
	text, err := fs.ReadFile(Package(folder), "datapackage.json")
	if err != nil {
		panic(err) // it is embedded
	}
	named := strings.Replace(string(text), quoted(folder), quoted(name), 1)
	return fstest.MapFS{"rows.csv": {Data: []byte(rows)}, "datapackage.json": {Data: []byte(named)}}
}

// descriptor is what the adder reads of a datapackage.json: a second reading beside cube/fdp, of as little as it needs.
type descriptor struct {
	Resources []resource `json:"resources"`
	Schema    schema     `json:"schema"`
}

type resource struct {
	Name   string  `json:"name"`
	Path   string  `json:"path"`
	Schema *schema `json:"schema"`
}

type schema struct {
	MissingValues []string `json:"missingValues"`
}

//go:embed testdata/packages
var folders embed.FS

// Package gives a package in testdata/packages; its README.md says what is hard in each.
func Package(name string) fs.FS {
	folder, _ := fs.Sub(folders, path.Join("testdata/packages", name)) // which fails for no such name
	return folder
}

// HousingLabels are the names of the functions in the rows of housing, as a view shows them, from the first line to the last.
const HousingLabels = "Health|Sport|Housing|Environment|Environment|Pensions|Health|Care|9"

// withText gives a package with a text in the place of one of its files, or beside them.
func withText(files fs.FS, name, text string) fs.FS {
	with := fstest.MapFS{name: {Data: []byte(text)}}
	names, _ := fs.Glob(files, "*")
	for _, other := range names {
		if data, err := fs.ReadFile(files, other); err == nil && with[other] == nil {
			with[other] = &fstest.MapFile{Data: data}
		}
	}
	return with
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
	return changed(version, func(p *cube.Package) { p.Model = model }), nil
}

// changed gives the version with another description.
func changed(version *cube.Cube, change func(*cube.Package)) *cube.Cube {
	with, described := *version, *version.Package
	change(&described)
	with.Package = &described
	return &with
}
