package fdp_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestApply_Editions(t *testing.T) {
	p := apply(t, `
levels: {ramo: {title: {en: Ramo, es: Ramo, fr: Ramo}}}
editions: {ramo: [2008, 2012], unit: [2012], code: [2015]}
`, read(t, budget))
	column, _ := p.Model.Column("ramo_edition")
	if !column.IsEdition() || column.Type != cube.TypeInteger || column.From.Fields[0] != "year" || len(column.From.Years) != 2 {
		t.Errorf("the column is %+v of %+v", column, column.From)
	}
	unit, _ := p.Model.Level("unit")
	if got, want := strings.Join(unit.Path, " "), "ramo_edition ramo unit"; got != want {
		t.Errorf("a level below one with the same editions has the path %s, want %s", got, want)
	}
	code, _ := p.Model.Level("code")
	if code.Edition != "code_edition" || code.Path[len(code.Path)-2] != "code_edition" {
		t.Errorf("code has the editions %q and the path %q", code.Edition, code.Path)
	}
	edition, _ := p.Model.Level("ramo_edition")
	if edition.Dimension != "editions" || titles(edition.Titles) != " [en Ramo: edition] [es Ramo: edición] [fr Ramo\u00a0: édition]" {
		t.Errorf("the level of editions is in %s, called%s", edition.Dimension, titles(edition.Titles))
	}
}

func TestApply_EditionsBelowOthers(t *testing.T) {
	p := apply(t, `editions: {ramo: [2012], unit: [2012, 2015]}`, read(t, budget))
	unit, _ := p.Model.Level("unit")
	if got, want := strings.Join(unit.Path, " "), "ramo_edition ramo unit_edition unit"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
}

func TestApply_EditionsNeedAFiscalYear(t *testing.T) {
	p := read(t, strings.Replace(budget, cube.ColumnTypeFiscalYear, "date:other", 1))
	_, err := readOverlay(t, "editions: {unit: [2012]}").Apply(p)
	want := "editions.unit (line 1): the package has no fiscal year, which would tell the editions apart"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestApply_SameAs(t *testing.T) {
	p := apply(t, `
editions: {ramo: [2012], unit: [2012, 2015]}
same_as:
  ramo: {"2@2013": "1@2008"}
  unit: {"2/7@2016": "2/4@2012", "2@2012/4@2014": "1/3@2010"}
`, read(t, budget))
	for ref, want := range map[string]string{
		"ramo": "[{[2012 2] [2011 1]}]", // the load finds out when the first edition begins
		"unit": "[{[2012 2 2015 7] [2012 2 2012 4]} {[2012 2 2012 4] [2011 1 2011 3]}]",
	} {
		level, _ := p.Model.Level(ref)
		if got := fmt.Sprint(level.SameAs); got != want {
			t.Errorf("%s is mapped as %s, want %s", ref, got, want)
		}
	}
}

func TestFunctions_OfColumnTypesAndOverlays(t *testing.T) {
	plain := read(t, budget)
	cofog := read(t, strings.Replace(budget, `"name": "code", `, `"name": "code", "columnType": "functional-classification:cofog:division:code", `, 1))
	for _, tt := range []struct {
		p             *cube.Package
		overlay, want string
	}{
		{plain, "title: {en: A}", "<nil>"},
		{plain, "functions: {level: code}", "&{code []}"},
		{plain, `{editions: {unit: [2012]}, functions: {level: unit, divisions: {"02": [1/02@2008], "10": [1/7@2015]}}}`, "&{unit [{02 [[1 2011 02]]} {10 [[1 2012 7]]}]}"},
		{cofog, "title: {en: A}", "&{code []}"},
		{cofog, "functions: none", "<nil>"},
		{cofog, "functions: {level: ramo}", "&{ramo []}"},
	} {
		if got := fmt.Sprint(apply(t, tt.overlay, tt.p).Functions); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.overlay, got, tt.want)
		}
	}
}
