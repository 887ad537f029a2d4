package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
)

func TestModel_PathsHaveEditions(t *testing.T) {
	m := cubetest.Renumbered(t).Model
	for ref, want := range map[string]string{
		"group": "group", "function": "group function_edition function", "activity": "group function_edition function activity",
	} {
		level, _ := m.Level(ref)
		if got := strings.Join(level.Path, " "); got != want {
			t.Errorf("the path of %s is %s, want %s", ref, got, want)
		}
	}
	draft := m.Draft()
	draft.Columns = append(draft.Columns, cube.Column{Name: "unit"})
	draft.Dimensions = append(draft.Dimensions, dimension("units", cube.Level{Ref: "unit", Within: []string{"function"}}))
	m, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	unit, _ := m.Level("unit")
	if got, want := strings.Join(unit.Path, " "), "function_edition function unit"; got != want {
		t.Errorf("within a level with editions the path is %s, want %s", got, want)
	}
}

func TestNewModel_RefusesEditions(t *testing.T) {
	columns := append(text("a", "b"), cube.Column{Name: "e", From: &cube.Derivation{Rule: cube.RuleEdition}})
	for edition, levels := range map[string][]cube.Level{
		"b": {{Ref: "a", Edition: "b"}, {Ref: "b"}},
		"e": {{Ref: "a", Edition: "e"}},
	} {
		_, err := cube.NewModel(columns, []cube.Dimension{dimension("d", levels...)}, nil)
		if want := `"` + edition + `" is no level of editions`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestDerivation_Edition(t *testing.T) {
	d := &cube.Derivation{Years: []int64{2008, 2012}}
	for year, want := range map[int64]int64{2008: 2008, 2011: 2008, 2012: 2012, 2020: 2012, 2007: 0} {
		if got, ok := d.Edition(year); got != want || ok != (want != 0) {
			t.Errorf("%d is of %d, %v; want %d", year, got, ok, want)
		}
	}
}
