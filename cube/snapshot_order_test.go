package cube_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestSnapshotsInOrder(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*cube.Draft)
		want   string
	}{
		{"whole numbers as numbers", statements("2017/9", "2017/10", "2017/1"), "mes: mes = 10"},
		{"with zeros before them", statements("2017/09", "2017/10", "2017/011"), "mes: mes = 011"},
		{"in the order declared", func(d *cube.Draft) {
			statements("2016/septiembre", "2016/abril", "2017/abril")(d)
			d.Snapshots.Order = []string{"abril", "septiembre"}
		}, "ejercicio/mes: ejercicio = 2016 and mes = septiembre or ejercicio = 2017 and mes = abril"},
		{"which may have the missing one last", func(d *cube.Draft) {
			statements("2016/1", "2016/")(d)
			d.Snapshots.Order = []string{"1", ""}
		}, "mes: mes = missing"},
		{"a missing period is one", statements("2016/1", "2016/2", "/1", "/3"),
			"ejercicio/mes: ejercicio = 2016 and mes = 2 or ejercicio = missing and mes = 3"},
		{"one snapshot per period needs no filter", statements("2016/1", "2017/2", "/12"), ""},
		{"no rows at all", statements(), ""},
		{"a level of whole numbers", func(d *cube.Draft) {
			statements("2016/9", "2016/10")(d)
			d.Column("mes").Type = cube.TypeInteger
		}, "mes: mes = 10"},
		{"made of the names of resources", func(d *cube.Draft) {
			statements("2016/septiembre", "2016/abril")(d)
			d.Columns = append(d.Columns, cube.Column{Name: "corte", Type: cube.TypeText,
				From: &cube.Derivation{Rule: cube.RuleResource, Pattern: "(abril|septiembre)"}})
			d.Dimensions = append(d.Dimensions, cube.Dimension{Name: "corte", Levels: []cube.Level{{Ref: "corte"}}})
			d.Snapshots.By, d.Snapshots.Order = "corte", []string{"abril", "septiembre"}
		}, "corte: corte = septiembre"},
		{"a package that is one period", func(d *cube.Draft) {
			statements("1", "2")(d)
			d.Snapshots.Per = nil
		}, "mes: mes = 2"},
		{"a period of several levels", func(d *cube.Draft) {
			statements("2016/a/1", "2016/a/2", "2016/b/1", "2017/a/2", "2017/b/2", "2017/c/1")(d)
			d.Snapshots.Per = []string{"ejercicio", "titulo"}
		}, "ejercicio/titulo/mes: ejercicio = 2016 and titulo = a and mes = 2 or ejercicio = 2016 and titulo = b and mes = 1 or " +
			"ejercicio = 2017 and titulo = a,b and mes = 2 or ejercicio = 2017 and titulo = c and mes = 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := defaults(bindTo(t, stated(t, tt.change), "")); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestStatementsThatDoNotFit(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*cube.Draft)
		want   string
	}{
		"a period of too few values": {statements("1"), "snapshots: a statement names its period by 0 values, not 1"},
		"a year that is none":        {statements("x/1"), "ejercicio holds whole numbers"},
	} {
		d := stated(t, nil).Model.Draft()
		tt.change(d)
		if _, err := d.Model(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStatementsSurviveJSON(t *testing.T) {
	c := stated(t, nil)
	text, err := json.Marshal(c.Package)
	if err != nil {
		t.Fatal(err)
	}
	var read cube.Package
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if got, want := bindTo(t, &cube.Cube{Package: &read}, "").String(), bindTo(t, c, "").String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
