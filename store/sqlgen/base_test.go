package sqlgen_test

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
	"fiscube/store/sqlgen"
)

// cuboidModel has a measure that fits in 64 bits, one whose sums do not, and one that does not.
func cuboidModel(t *testing.T) *cube.Model {
	t.Helper()
	m, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "ministry", Type: cube.TypeText},
		{Name: "paid", Type: cube.TypeDecimal, Digits: 10, Scale: 2},
		{Name: "due", Type: cube.TypeDecimal, Digits: 16, Scale: 2},
		{Name: "debt", Type: cube.TypeDecimal, Digits: 17, Scale: 2},
	}, []cube.Dimension{
		{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
		{Name: "administrative", Levels: []cube.Level{{Ref: "ministry"}}},
	}, []cube.Measure{{Ref: "paid"}, {Ref: "due"}, {Ref: "debt"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCreateBase(t *testing.T) {
	for _, tt := range []struct {
		name    string
		members int64
		want    string
	}{
		{"numbers of 16 bits", 32_767, "smallint"},
		{"numbers of 32 bits", 32_768, "integer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := `CREATE TABLE cuboid."c7_0" (m0 bigint, m1 bigint, m2 DECIMAL(19,2), n0 smallint NOT NULL, n1 ` + tt.want + ` NOT NULL)`
			base := cube.Cuboid{Levels: []int{0, 1}}
			if got := sqlgen.CreateBase(7, cuboidModel(t), base, []int64{3, tt.members}, types{}); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestBaseGroups(t *testing.T) {
	m := cuboidModel(t)
	c := &cube.Cube{ID: 7, Package: &cube.Package{Model: m, NarrowSums: []bool{true, false, false}}}
	every := dictionary.Condition{Op: dictionary.Every}
	first := dictionary.Condition{Op: dictionary.Member, Level: m.Levels()[0], Size: 3, Set: dictionary.Set{{First: 1, Last: 1}}}
	parts := []plan.Part{{Func: cube.Rows}, {Func: cube.Sum, Measure: "paid"}, {Func: cube.Sum, Measure: "due"}, {Func: cube.Max, Measure: "debt"}}
	for _, tt := range []struct {
		name   string
		levels []cube.Level
		where  dictionary.Condition
		only   []dictionary.Condition
		want   string
	}{
		{"all rows", m.Levels(), every, nil, `SELECT f.n0, f.n1, count(*), CAST(sum(f.m0) AS bigint), sum(f.m1), max(f.m2) FROM cuboid."c7_0" AS f GROUP BY f.n0, f.n1 LIMIT 9`},
		{"some rows", nil, first, nil, `SELECT count(*), CAST(sum(f.m0) AS bigint), sum(f.m1), max(f.m2) FROM cuboid."c7_0" AS f WHERE f.n0 = 1 LIMIT 9`},
		{"some rows of a part", m.Levels()[1:], every, []dictionary.Condition{every, first, every, every},
			`SELECT f.n1, count(*), CAST(sum(f.m0) FILTER (WHERE f.n0 = 1) AS bigint), sum(f.m1), max(f.m2) FROM cuboid."c7_0" AS f GROUP BY f.n1 LIMIT 9`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sqlgen.BaseGroups(c, tt.levels, parts, tt.where, tt.only, 9).Text; got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Levels that others tell are not grouped by: a store would expect far more groups than there are.
func TestBaseGroups_GroupsByTheFinestLevels(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{{Name: "region", Type: cube.TypeText}, {Name: "town", Type: cube.TypeText}, {Name: "paid", Type: cube.TypeDecimal}},
		[]cube.Dimension{{Name: "place", Levels: []cube.Level{{Ref: "region"}, {Ref: "town", Parent: "region"}}}}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	c := &cube.Cube{ID: 7, Package: &cube.Package{Model: m}}
	got := sqlgen.BaseGroups(c, m.Levels(), []plan.Part{{Func: cube.Rows}}, dictionary.Condition{Op: dictionary.Every}, nil, 9).Text
	if want := `SELECT min(f.n0), f.n1, count(*) FROM cuboid."c7_0" AS f GROUP BY f.n1 LIMIT 9`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
