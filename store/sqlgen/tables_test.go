package sqlgen_test

import (
	"fmt"
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

type types struct{}

func (types) Text() string  { return "TEXT" }
func (types) Large() string { return "" }
func (types) Decimal(c cube.Column) string {
	return fmt.Sprintf("DECIMAL(%d,%d)", c.Digits+c.Scale, c.Scale)
}

func TestCreateFacts(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{
		{Name: "Year", Type: cube.TypeInteger},
		{Name: `a"; DROP TABLE x; --`, Type: cube.TypeText},
		{Name: "amount", Type: cube.TypeDecimal, Digits: 12, Scale: 2},
	}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `CREATE TABLE fact."f7" ("Year" bigint, "a""; DROP TABLE x; --" TEXT NOT NULL, "amount" DECIMAL(14,2), ` +
		`"_resource" integer NOT NULL, "_line" bigint NOT NULL)`
	if got := sqlgen.CreateFacts(7, m, types{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCreateMembers(t *testing.T) {
	m := newModel(t)
	const rest = `label TEXT NOT NULL, _fold TEXT NOT NULL, _rank bigint, rows bigint NOT NULL, first_year bigint, last_year bigint, _number integer NOT NULL)`
	for _, tt := range []struct{ name, level, want string }{
		{"a number", "Year", `CREATE TABLE member."m7_0" (p0 bigint, ` + rest},
		{"a path of texts", "admin2_code", `CREATE TABLE member."m7_3" (p0 TEXT NOT NULL, p1 TEXT NOT NULL, ` + rest},
		{"a path through another dimension", "prog_code", `CREATE TABLE member."m7_5" (p0 bigint, p1 TEXT NOT NULL, ` + rest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			level, _ := m.Level(tt.level)
			if got := sqlgen.CreateMembers(7, m, level, types{}); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCreateLabels(t *testing.T) {
	m := newModel(t)
	level, _ := m.Level("admin2_code")
	want := `CREATE TABLE member."l7_3" (p0 TEXT NOT NULL, p1 TEXT NOT NULL, _year bigint, label TEXT NOT NULL, ` +
		`_rank bigint, rows bigint NOT NULL, _shown boolean NOT NULL, _meaning bigint NOT NULL, _fold TEXT NOT NULL, _number integer NOT NULL, ` +
		`_cell TEXT NOT NULL)`
	if got := sqlgen.CreateLabels(7, m, level, types{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCreateLabels_WhereThereAreLabels(t *testing.T) {
	m := newModel(t)
	var kept []string
	for _, l := range m.Levels() {
		if l.HasLabels() {
			kept = append(kept, l.Ref)
		}
	}
	if want := []string{"quarter", "admin1_code", "admin2_code", "prog_code", `a"; DROP TABLE x; --`}; !slices.Equal(kept, want) {
		t.Errorf("kept are %q, want %q", kept, want)
	}
}

func TestDropTables_DropsWhatWasCreated(t *testing.T) {
	m := newModel(t)
	want := []string{"DROP TABLE IF EXISTS " + sqlgen.FactTable(7)}
	for _, l := range m.Levels() {
		if l.Ref != "line_id" { // its members are not listed
			want = append(want, "DROP TABLE IF EXISTS "+sqlgen.MemberTable(7, l))
		}
		if l.HasLabels() {
			want = append(want, "DROP TABLE IF EXISTS "+sqlgen.LabelTable(7, l))
		}
	}
	want = append(want, `DROP TABLE IF EXISTS cuboid."c7_0"`, `DROP TABLE IF EXISTS cuboid."c7_3"`)
	version := &cube.Cube{ID: 7, Package: &cube.Package{Model: m, Cuboids: []cube.Cuboid{{}, {Number: 3}}}}
	if got := sqlgen.DropTables(version); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
