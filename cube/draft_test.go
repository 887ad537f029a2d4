package cube_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
)

func TestDraft_CanBeChanged(t *testing.T) {
	m := cubetest.Model(t)
	before := cubetest.Model(t)
	d := m.Draft()
	d.Column("ID_PP").Type = cube.TypeInteger
	*d.Column("approved_value") = cube.Column{Name: "approved_value", Digits: 15, Scale: 4, Missing: 2}
	d.Level("ID_RAMO").LabelRef = ""
	d.LevelOfLabel("DESC_UR").Parent = ""
	d.Dimension("linea").Type = "other"
	d.Measure("executed.value").Title = "Executed"
	d.RemoveLevel("econ1_code")
	changed, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	if l, _ := changed.Level("ID_PP"); l.Type != cube.TypeInteger {
		t.Errorf("the type of a level is %s", l.Type)
	}
	if c, _ := changed.Column("approved_value"); c.Scale != 4 || c.Type != cube.TypeDecimal {
		t.Errorf("the column of a measure is %+v", c)
	}
	if _, ok := changed.Level("DESC_RAMO"); ok {
		t.Error("a label that was taken away is one still")
	}
	if l, _ := changed.Level("ID_UR"); len(l.Path) != 1 {
		t.Errorf("a level without its parent has the path %v", l.Path)
	}
	if l, _ := changed.Level("line_id"); !l.Listed {
		t.Error("the members of a dimension of type other are not listed")
	}
	if x, _ := changed.Measure("executed.value"); x.Title != "Executed" {
		t.Errorf("the measure is %+v", x)
	}
	if !reflect.DeepEqual(m, before) {
		t.Error("changing a draft changed its model")
	}
}

func TestDraft_HasItsOwnSnapshots(t *testing.T) {
	d := cubetest.Model(t).Draft()
	d.Snapshots = &cube.Snapshots{By: "quarter", Per: []string{"Year"}}
	m, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	d.Snapshots.By = "Year"
	m.Draft().Snapshots.Statements = []cube.PeriodSnapshot{{Snapshot: "1"}}
	if want := (&cube.Snapshots{By: "quarter", Per: []string{"Year"}}); !reflect.DeepEqual(m.Snapshots(), want) {
		t.Errorf("changing drafts changed the snapshots of the model to %+v", m.Snapshots())
	}
}

func TestDraft_FindsWhatItHolds(t *testing.T) {
	d := cubetest.Model(t).Draft()
	for _, name := range []string{"", "planet", "DATE", "date.Year"} {
		if d.Column(name) != nil || d.Dimension(name) != nil || d.Level(name) != nil || d.Measure(name) != nil {
			t.Errorf("there is something named %q", name)
		}
	}
	if d.Level("admin1_label") != nil || d.LevelOfLabel("admin1_code") != nil {
		t.Error("a label field is a key, or a key a label field")
	}
}

func TestDraft_RemoveLevel(t *testing.T) {
	for _, tt := range []struct{ name, remove, want string }{
		{"the top", "admin1_code", "middle>admin2_code"},
		{"the leaf", "admin2_code", "admin1_code>middle"},
		{"in the middle", "middle", "admin1_code>admin2_code"},
		{"all, and the dimension goes too", "admin1_code middle admin2_code", ""},
		{"one that is none", "Year.", "admin1_code>middle>admin2_code"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &cube.Draft{Columns: text("admin1_code", "middle", "admin2_code"), Dimensions: []cube.Dimension{dimension("d",
				cube.Level{Ref: "admin1_code"}, cube.Level{Ref: "middle", Parent: "admin1_code"},
				cube.Level{Ref: "admin2_code", Parent: "middle"})}}
			for ref := range strings.FieldsSeq(tt.remove) {
				d.RemoveLevel(ref)
			}
			m, err := d.Model()
			if err != nil {
				t.Fatal(err)
			}
			left, ok := m.Dimension("d")
			if ok != (tt.want != "") || ok && chainsOf(left) != tt.want {
				t.Errorf("left %q, %v, want %q", chainsOf(left), ok, tt.want)
			}
		})
	}
}

func TestDraft_SnapshotsNameLevels(t *testing.T) {
	for _, tt := range []struct {
		name      string
		snapshots cube.Snapshots
		want      string
	}{
		{"levels", cube.Snapshots{By: "quarter", Per: []string{"Year"}}, ""},
		{"by what is no level", cube.Snapshots{By: "remark", Per: []string{"Year"}}, `snapshots: "remark" is no level`},
		{"by a label", cube.Snapshots{By: "quarter_label", Per: []string{"Year"}}, `snapshots: "quarter_label" is no level`},
		{"per what is no level", cube.Snapshots{By: "quarter", Per: []string{"Year", "x"}}, `snapshots: "x" is no level`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := cubetest.Model(t).Draft()
			d.Snapshots = &tt.snapshots
			m, err := d.Model()
			if tt.want == "" && err == nil {
				if !reflect.DeepEqual(m.Snapshots(), &tt.snapshots) {
					t.Errorf("the model has %+v", m.Snapshots())
				}
				return
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestModel_SurvivesJSON(t *testing.T) {
	d := cubetest.Model(t).Draft()
	d.Snapshots = &cube.Snapshots{By: "quarter", Per: []string{"Year"}, Order: []string{"1", "2"},
		Statements: []cube.PeriodSnapshot{{Period: []string{"2016"}, Snapshot: "2", Rows: 5}}}
	d.Column("ID_UR").From = &cube.Derivation{Rule: cube.RulePrefix, Fields: []string{"ID_RAMO"}, Length: 5, Digits: 2}
	d.Column("ID_PP").Markers = []string{"No Informado"}
	d.Level("ID_UR").Titles = cube.Titles{"es": "Unidad"}
	d.Measure("approved_value").Factor = "0.001"
	want, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got cube.Model
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("got  %+v\nwant %+v", &got, want)
	}
	for _, bad := range []string{`{"columns":[{"name":""}]}`, `{"columns":5}`} {
		if json.Unmarshal([]byte(bad), &got) == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	if !reflect.DeepEqual(&got, want) {
		t.Error("a refused text changed the model")
	}
}
