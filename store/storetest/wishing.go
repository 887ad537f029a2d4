package storetest

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing/fstest"

	"fiscube/cube"
)

// uneven is a package with gaps: years and quarters that are missing or have no rows, a debt of which less is more,
// amounts that are only told from 2015 on, and members that come, go and change their names.
func uneven() fs.FS {
	random := rand.New(rand.NewPCG(27, 18))
	rows := []string{"year,quarter,quarter_name,unit,unit_name,debt,paid,late"}
	for range 400 {
		one := func(from ...string) string { return from[random.IntN(len(from))] }
		quarter, unit, year := one("", "1", "2", "4"), one("a", "b", "c", "d", ""), one("", "2014", "2015", "2018", "2019")
		late := one("", "1", "4", "-2.5")
		if year == "2014" {
			late = ""
		}
		rows = append(rows, strings.Join([]string{year, quarter, one("", "Quarter "+quarter, "Q"+quarter), unit,
			one(unit+" in "+year, "The "+unit), one("", "0", "1", "2.5", "-3"), one("", "0", "0.25", "7", "-7"), late}, ","))
	}
	return fstest.MapFS{
		"lines.csv": {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte(`
levels: {quarter: {dimension: date, parent: year, label: quarter_name}, unit: {label: unit_name}}
measures: {debt: {factor: -0.5}}
`)},
		"datapackage.json": {Data: []byte(`{"name": "uneven", "schema": {"fields": [
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

// withDerived gives the version two derived measures, which only a model has.
func withDerived(version *cube.Cube) (*cube.Cube, error) {
	draft := version.Model.Draft()
	amount := cube.AggregateRef{Measure: draft.Measures[0].Ref, Func: string(cube.Sum)}
	count := cube.AggregateRef{Measure: amount.Measure, Func: string(cube.Count)}
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
