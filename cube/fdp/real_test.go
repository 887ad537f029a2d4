package fdp_test

import (
	"os"
	"path/filepath"
	"testing"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

const realData = "../../../shared/data"

// readReal reads a real descriptor, or skips the test where the real packages are not beside the checkout.
func readReal(t *testing.T, folder string) *cube.Package {
	t.Helper()
	if _, err := os.Stat(realData); err != nil {
		t.Skip("the real packages are not beside the checkout")
	}
	data, err := os.ReadFile(filepath.Join(realData, folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := fdp.Read(data)
	if err != nil {
		t.Fatalf("%s:\n%v", folder, err)
	}
	return p
}

func TestRealPackages(t *testing.T) {
	tests := map[string]struct {
		name                                     string
		resources, columns, dimensions, measures int
		year                                     string
	}{
		"D1-paraguay":            {"paraguay", 1, 44, 3, 0, "anio"},
		"D2-croatia":             {"croatia-budget-spending", 2, 23, 6, 2, "Year"},
		"D3-dominicana-ingresos": {"republica-dominicana-ingresos", 1, 7, 2, 3, "periodo"},
		"D5-costa-rica-ingresos": {"costa-rica-presupuesto-ingresos", 3, 29, 3, 4, "ejercicio"},
		"D6-uruguay":             {"presupuesto-uy-desde-2011", 9, 26, 7, 3, "ANO"},
		"D7-mexico":              {"mexico", 2, 39, 9, 7, "CICLO"},
		"D7-mexico-2017-sample":  {"mexico-2017-sample", 1, 39, 9, 7, "CICLO"},
		"D8-costa-rica-egresos":  {"test-costa-rica", 2, 42, 6, 8, "ejercicio"},
	}
	for folder, want := range tests {
		t.Run(folder, func(t *testing.T) {
			p := readReal(t, folder)
			equal(t, "name", p.Name, want.name)
			equal(t, "resources", len(p.Resources), want.resources)
			equal(t, "columns", len(p.Model.Columns()), want.columns)
			equal(t, "dimensions", len(p.Model.Dimensions()), want.dimensions)
			equal(t, "measures", len(p.Model.Measures()), want.measures)
			year, _ := p.Model.FiscalYear()
			equal(t, "year", year.Name, want.year)
			equal(t, "synthetic", p.Synthetic, false)
		})
	}
}

func TestRealPackagesAreAllRead(t *testing.T) {
	descriptors, err := filepath.Glob(realData + "/*/datapackage.json")
	if err != nil || len(descriptors) == 0 {
		t.Skip("the real packages are not beside the checkout")
	}
	for _, d := range descriptors {
		readReal(t, filepath.Base(filepath.Dir(d)))
	}
}

func TestRealD2(t *testing.T) {
	p := readReal(t, "D2-croatia")
	equal(t, "dimensions", levelsOf(p.Model), []string{
		"date datetime: Year",
		"administrative-classification classification administrative: " +
			"admin1_code=admin1_label, admin1_code>admin2_code=admin2_label",
		"activity activity: activity1_code=activity1_label, activity1_code>activity2_code=activity2_label, " +
			"activity2_code>activity3_code=activity3_label",
		"functional-classification classification functional: func1_code=func1_label",
		"fin-source other: fin_source_code=fin_source_label",
		"economic-classification classification economic: econ1_code=econ1_label, " +
			"econ1_code>econ2_code=econ2_label, econ2_code>econ3_code",
	})
	equal(t, "measures", p.Model.Measures(), []cube.Measure{
		{Ref: "approved_value", Title: "approved_value"}, {Ref: "executed_value", Title: "executed_value"},
	})
	equal(t, "years", p.YearsIncluded, []string{"2016", "2017", "2018", "2019"})
	r := p.Resources[0]
	equal(t, "path", r.Path, "data/croatia-budget-spending__2016.csv")
	equal(t, "bytes", r.Bytes, int64(3578346))
	equal(t, "hash", r.Hash, "b8d7448932a4d6dda8d985d3bbcb206d4885c5390767d7a8f1997164e8dc4d6d")
	equal(t, "sample", len(r.Sample), 30)
	equal(t, "sample row", len(r.Sample[0]), len(r.Schema.Fields))
}

func TestRealD7KeepsTheOrderOfDimensions(t *testing.T) {
	p := readReal(t, "D7-mexico")
	var names []string
	for _, d := range p.Model.Dimensions() {
		names = append(names, d.Name)
	}
	equal(t, "dimensions", names, []string{
		"date", "functional-classification", "economic-classification", "fin-source", "activity",
		"administrative-classification", "expenditure-type", "geo-source", "budget-line-id",
	})
	equal(t, "functional", levelsOf(p.Model)[1], "functional-classification classification functional: "+
		"GPO_FUNCIONAL=DESC_GPO_FUNCIONAL, GPO_FUNCIONAL>ID_FUNCION=DESC_FUNCION, "+
		"ID_FUNCION>ID_SUBFUNCION=DESC_SUBFUNCION, ID_SUBFUNCION>ID_AI=DESC_AI")
	equal(t, "activity", levelsOf(p.Model)[4], "activity activity: ID_MODALIDAD=DESC_MODALIDAD, ID_PP")
	equal(t, "extra", string(p.Extra["disaggregation"]) != "", true)
	line, _ := p.Model.Level("ID_CLAVE_CARTERA")
	equal(t, "budget line is listed", line.Listed, false)
}

func TestRealD5LabelsWithoutLabelforAreLevels(t *testing.T) {
	d, _ := readReal(t, "D5-costa-rica-ingresos").Model.Dimension("unknown")
	equal(t, "levels", len(d.Levels), 22)
	equal(t, "third", d.Levels[2].Ref, "ci_clase_descripcion")
	equal(t, "label", d.Levels[1].LabelRef, "")
}
