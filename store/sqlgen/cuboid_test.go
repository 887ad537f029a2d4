package sqlgen_test

import (
	"testing"

	"fiscube/cube"
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

func TestCreateCuboid(t *testing.T) {
	base, byBoth := cube.Cuboid{Levels: []int{0, 1}}, cube.Cuboid{Number: 1, Levels: []int{0, 1}}
	const fromBase = `CAST(sum(m0) AS bigint) AS s0, count(m0) AS c0, min(m0) AS l0, max(m0) AS h0, ` +
		`sum(m1) AS s1, count(m1) AS c1, min(m1) AS l1, max(m1) AS h1, ` +
		`sum(m2) AS s2, count(m2) AS c2, min(m2) AS l2, max(m2) AS h2, count(*) AS rows`
	const fromOther = `CAST(sum(s0) AS bigint) AS s0, CAST(sum(c0) AS bigint) AS c0, min(l0) AS l0, max(h0) AS h0, ` +
		`sum(s1) AS s1, CAST(sum(c1) AS bigint) AS c1, min(l1) AS l1, max(h1) AS h1, ` +
		`sum(s2) AS s2, CAST(sum(c2) AS bigint) AS c2, min(l2) AS l2, max(h2) AS h2, CAST(sum(rows) AS bigint) AS rows`
	for _, tt := range []struct {
		name    string
		c, from cube.Cuboid
		want    string
	}{
		{"from the base cuboid", byBoth, base,
			`CREATE TABLE cuboid."c7_1" AS SELECT ` + fromBase + `, n0, n1 FROM cuboid."c7_0" GROUP BY n0, n1 ORDER BY n0, n1`},
		{"from another one", cube.Cuboid{Number: 2, Levels: []int{1}}, byBoth,
			`CREATE TABLE cuboid."c7_2" AS SELECT ` + fromOther + `, n1 FROM cuboid."c7_1" GROUP BY n1 ORDER BY n1`},
		{"without levels", cube.Cuboid{Number: 3}, byBoth,
			`CREATE TABLE cuboid."c7_3" AS SELECT ` + fromOther + ` FROM cuboid."c7_1"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sqlgen.CreateCuboid(7, cuboidModel(t), make([]bool, 3), []bool{true, false, false}, tt.c, tt.from); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCreateCuboid_AddsNothingWhereThereIsNoAmount(t *testing.T) {
	got := sqlgen.CreateCuboid(7, cuboidModel(t), []bool{true, true, false}, []bool{true, true, false}, cube.Cuboid{Number: 1}, cube.Cuboid{})
	want := `CREATE TABLE cuboid."c7_1" AS SELECT ` +
		`CAST(NULL AS bigint) AS s0, CAST(0 AS bigint) AS c0, CAST(NULL AS bigint) AS l0, CAST(NULL AS bigint) AS h0, ` +
		`CAST(NULL AS bigint) AS s1, CAST(0 AS bigint) AS c1, CAST(NULL AS bigint) AS l1, CAST(NULL AS bigint) AS h1, ` +
		`sum(m2) AS s2, count(m2) AS c2, min(m2) AS l2, max(m2) AS h2, count(*) AS rows FROM cuboid."c7_0"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCreateCuboid_GroupsByTheFinestLevels(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "ministry", Type: cube.TypeText}, {Name: "unit", Type: cube.TypeText},
		{Name: "paid", Type: cube.TypeDecimal, Digits: 10, Scale: 2},
	}, []cube.Dimension{
		{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
		{Name: "administrative", Levels: []cube.Level{{Ref: "ministry"}, {Ref: "unit", Parent: "ministry"}}},
	}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	levels := []int{0, 1, 2}
	got := sqlgen.CreateCuboid(7, m, []bool{false}, []bool{true}, cube.Cuboid{Number: 1, Levels: levels}, cube.Cuboid{Levels: levels})
	want := `CREATE TABLE cuboid."c7_1" AS SELECT CAST(sum(m0) AS bigint) AS s0, count(m0) AS c0, min(m0) AS l0, max(m0) AS h0, ` +
		`count(*) AS rows, n0, min(n1) AS n1, n2 FROM cuboid."c7_0" GROUP BY n0, n2 ORDER BY n0, n2`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
