// Package cubetest has the models, the store and the checks that tests of several packages share.
package cubetest

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

// Columns are the fields of the test model. The dimension programa has a level within another dimension, actividad one
// within a level that needs a level itself, economic branches, linea lists no members, and the last dimension has names
// that the grammar must quote.
var Columns = []cube.Column{
	{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
	{Name: "quarter", Type: cube.TypeInteger, Missing: 3},
	{Name: "quarter_label", Type: cube.TypeText},
	{Name: "admin1_code", Type: cube.TypeText},
	{Name: "admin1_label", Type: cube.TypeText},
	{Name: "admin2_code", Type: cube.TypeText},
	{Name: "admin2_label", Type: cube.TypeText},
	{Name: "econ1_code", Type: cube.TypeText},
	{Name: "econ1_label", Type: cube.TypeText},
	{Name: "econ2_code", Type: cube.TypeText},
	{Name: "econ2_alt", Type: cube.TypeText},
	{Name: "ID_RAMO", Type: cube.TypeText},
	{Name: "DESC_RAMO", Type: cube.TypeText},
	{Name: "ID_UR", Type: cube.TypeText},
	{Name: "DESC_UR", Type: cube.TypeText},
	{Name: "ID_MODALIDAD", Type: cube.TypeText},
	{Name: "ID_PP", Type: cube.TypeText},
	{Name: "DESC_PP", Type: cube.TypeText},
	{Name: "ID_AI", Type: cube.TypeText},
	{Name: "DESC_AI", Type: cube.TypeText},
	{Name: "line_id", Type: cube.TypeText},
	{Name: "line_label", Type: cube.TypeText},
	{Name: "función: a|b", Type: cube.TypeText},
	{Name: `the "label"`, Type: cube.TypeText},
	{Name: "50% & more", Type: cube.TypeInteger},
	{Name: "remark", Type: cube.TypeText},
	{Name: "approved_value", Type: cube.TypeDecimal, Digits: 12, Scale: 2},
	{Name: "executed.value", Type: cube.TypeDecimal, Digits: 12},
}

// Dimensions are those of the test model.
var Dimensions = []cube.Dimension{
	{Name: "date", Type: "datetime", Levels: []cube.Level{
		{Ref: "Year"},
		{Ref: "quarter", LabelRef: "quarter_label", Parent: "Year"},
	}},
	{Name: "administrative-classification", Type: "classification", Classification: "administrative",
		Levels: []cube.Level{
			{Ref: "admin1_code", LabelRef: "admin1_label"},
			{Ref: "admin2_code", LabelRef: "admin2_label", Parent: "admin1_code"},
		}},
	{Name: "economic", Levels: []cube.Level{
		{Ref: "econ1_code", LabelRef: "econ1_label"},
		{Ref: "econ2_code", Parent: "econ1_code"},
		{Ref: "econ2_alt", Parent: "econ1_code"},
	}},
	{Name: "ramo", Levels: []cube.Level{
		{Ref: "ID_RAMO", LabelRef: "DESC_RAMO"},
		{Ref: "ID_UR", LabelRef: "DESC_UR", Parent: "ID_RAMO"},
	}},
	{Name: "programa", Levels: []cube.Level{
		{Ref: "ID_MODALIDAD"},
		{Ref: "ID_PP", LabelRef: "DESC_PP", Parent: "ID_MODALIDAD", Within: []string{"ID_RAMO"}},
	}},
	{Name: "actividad", Levels: []cube.Level{
		{Ref: "ID_AI", LabelRef: "DESC_AI", Within: []string{"ID_UR"}},
	}},
	{Name: "linea", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line_id", LabelRef: "line_label"}}},
	{Name: "año y función.", Levels: []cube.Level{
		{Ref: "función: a|b", LabelRef: `the "label"`},
		{Ref: "50% & more", Parent: "función: a|b"},
	}},
}

// Measures are those of the test model.
var Measures = []cube.Measure{{Ref: "approved_value", Title: "Approved"}, {Ref: "executed.value"}}

// Model is the test model.
func Model(t testing.TB) *cube.Model {
	t.Helper()
	m, err := cube.NewModel(Columns, Dimensions, Measures)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Cube is a cube of the test model.
func Cube(t testing.TB) *cube.Cube {
	t.Helper()
	return &cube.Cube{Package: &cube.Package{Name: "test", Model: Model(t)}, ID: 7, Version: 1}
}

// Spending is a cube of two years of a few towns, with their spending planned and paid.
func Spending(t testing.TB) *cube.Cube {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "region", Type: cube.TypeText},
			{Name: "town", Type: cube.TypeText}, {Name: "name", Type: cube.TypeText}, {Name: "plan", Digits: 12},
			{Name: "paid", Digits: 12, Scale: 2}, {Name: "debt", Digits: 3}, {Name: "euros"}, {Name: "thousands", Digits: 20}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
			{Name: "place", Levels: []cube.Level{{Ref: "region"}}}, {Name: "town", Levels: []cube.Level{{Ref: "town", LabelRef: "name"}}}},
		Measures: []cube.Measure{{Ref: "plan", Currency: "HRK", Unit: 1}, {Ref: "paid"}, {Ref: "debt", Factor: "-1"},
			{Ref: "euros", Currency: "EUR"}, {Ref: "thousands", Unit: 1000}},
		Derived: []cube.Derived{{Ref: "execution", Formula: "ratio(paid.sum,plan.sum)"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "spending", Model: m}, Rows: 6}
}

// Spent are rows of Spending.
var Spent = []string{ // year region town name plan paid debt
	"2016 n a A 10 5    1 - -",
	"2016 n b B 30 0    2 - -",
	"2016 s c C 60 -    - - -",
	"2017 n a A 20 10   5 - -",
	"2017 s c C 40 30   7 - -",
	"2017 s d D 0  3.25 9 - -",
}

// YearToDate is a cube whose months are snapshots, of the money of the year so far: 2017 and 2018 are whole, 2019 ends in June.
func YearToDate(t testing.TB, change func(*cube.Draft)) *cube.Cube {
	t.Helper()
	d := &cube.Draft{
		Columns: []cube.Column{
			{Name: "ejercicio", Type: cube.TypeInteger, FiscalYear: true}, {Name: "mes", Type: cube.TypeText},
			{Name: "mes_nombre", Type: cube.TypeText}, {Name: "dia", Type: cube.TypeText}, {Name: "titulo", Type: cube.TypeText},
			{Name: "pi_monto", Scale: 2}, {Name: "flujo"},
		},
		Dimensions: []cube.Dimension{
			{Name: "date", Levels: []cube.Level{
				{Ref: "ejercicio"}, {Ref: "mes", LabelRef: "mes_nombre", Parent: "ejercicio"}, {Ref: "dia", Parent: "mes"}}},
			{Name: "admin", Levels: []cube.Level{{Ref: "titulo"}}},
		},
		Measures:  []cube.Measure{{Ref: "pi_monto"}, {Ref: "flujo", Flow: true}},
		Snapshots: &cube.Snapshots{By: "mes", Per: []string{"ejercicio"}},
	}
	for year, months := range map[string]int{"2017": 12, "2018": 12, "2019": 6} {
		for month := range months {
			d.Snapshots.Statements = append(d.Snapshots.Statements,
				cube.PeriodSnapshot{Period: []string{year}, Snapshot: fmt.Sprintf("%02d", month+1), Rows: 2})
		}
	}
	if change != nil {
		change(d)
	}
	m, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "stated", Model: m}}
}

// Flat takes mes and dia out of the chain: as in D5, where mes is a level of a dimension of its own.
func Flat(d *cube.Draft) {
	d.RemoveLevel("dia")
	d.RemoveLevel("mes")
	d.Dimensions = append(d.Dimensions, cube.Dimension{Name: "month", Levels: []cube.Level{{Ref: "mes", LabelRef: "mes_nombre"}}})
}

// Snapshots replaces the snapshots of a flat model by others, each written as its period and its name: 2017/06.
func Snapshots(lines ...string) func(*cube.Draft) {
	return func(d *cube.Draft) {
		Flat(d)
		d.Snapshots.Statements = nil
		for _, line := range lines {
			cells := strings.Split(line, "/")
			last := len(cells) - 1
			d.Snapshots.Statements = append(d.Snapshots.Statements, cube.PeriodSnapshot{Period: cells[:last], Snapshot: cells[last], Rows: 1})
		}
	}
}

// SpendingOfYears is Spending whose measure paid has no amounts in 2014 and 2017, and debt in 2017 alone.
func SpendingOfYears(t testing.TB) *cube.Cube {
	t.Helper()
	c := Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016, 2017}, Gaps: []cube.YearGap{
		{Column: "paid", Years: []int64{2014, 2017}}, {Column: "debt", Years: []int64{2014, 2015, 2016}}}}
	return c
}

// Places is a cube of districts in towns in regions, over two years.
func Places(t testing.TB) *cube.Cube {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "region", Type: cube.TypeText},
			{Name: "town", Type: cube.TypeText}, {Name: "district", Type: cube.TypeText}, {Name: "plan", Digits: 9}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
			{Name: "place", Levels: []cube.Level{{Ref: "region"}, {Ref: "town", Parent: "region"}, {Ref: "district", Parent: "town"}}}},
		Measures: []cube.Measure{{Ref: "plan"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "places", Model: m}, Rows: 8}
}

// Renumbered is a cube whose functions were numbered anew in 2012: function 3 of group 2 was urban works and is health.
func Renumbered(t testing.TB) *cube.Cube {
	t.Helper()
	return RenumberedOn(t, "function")
}

// RenumberedOn is a cube in which a level of the functional classification was numbered anew in 2012.
func RenumberedOn(t testing.TB, level string) *cube.Cube {
	t.Helper()
	edition := level + cube.EditionSuffix
	levels := []cube.Level{{Ref: "group"}, {Ref: "function", LabelRef: "function_name", Parent: "group"}, {Ref: "activity", Parent: "function"}}
	for i := range levels {
		if levels[i].Ref == level {
			levels[i].Edition = edition
		}
	}
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "group", Type: cube.TypeText},
			{Name: "function", Type: cube.TypeText}, {Name: "function_name", Type: cube.TypeText}, {Name: "activity", Type: cube.TypeText},
			{Name: "plan", Digits: 9}, {Name: edition, Type: cube.TypeInteger,
				From: &cube.Derivation{Rule: cube.RuleEdition, Fields: []string{"year"}, Years: []int64{2008, 2012}}}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}}, {Name: "functional", Levels: levels},
			{Name: "editions", Levels: []cube.Level{{Ref: edition}}}},
		Measures: []cube.Measure{{Ref: "plan"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "renumbered", Model: m,
		Coverage: &cube.YearCoverage{Years: []int64{2008, 2010, 2011, 2012, 2013}}}, Rows: 9}
}
