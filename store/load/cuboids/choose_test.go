package cuboids

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fiscube/cube"
)

// latticeModel has a year, a chain of two levels, a level of its own, and one whose members are not listed.
func latticeModel(t *testing.T, snapshots *cube.Snapshots) *cube.Model {
	t.Helper()
	draft := cube.Draft{
		Columns: []cube.Column{
			{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "month", Type: cube.TypeInteger}, {Name: "ministry", Type: cube.TypeText},
			{Name: "unit", Type: cube.TypeText}, {Name: "object", Type: cube.TypeText}, {Name: "line", Type: cube.TypeText},
		},
		Dimensions: []cube.Dimension{
			{Name: "date", Levels: []cube.Level{{Ref: "year"}, {Ref: "month"}}},
			{Name: "administrative", Levels: []cube.Level{{Ref: "ministry"}, {Ref: "unit", Parent: "ministry"}}},
			{Name: "economic", Levels: []cube.Level{{Ref: "object"}}},
			{Name: "line", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line"}}},
		},
		Snapshots: snapshots,
	}
	m, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLattice_ALevelComesWithWhatItNeeds(t *testing.T) {
	for _, tt := range []struct {
		name      string
		snapshots *cube.Snapshots
		level     int
		want      []int // year, month, ministry, unit, object
	}{
		{"a level comes without the year", nil, 4, []int{4}},
		{"a level comes with its ancestors", nil, 3, []int{2, 3}},
		{"the snapshot comes with all", &cube.Snapshots{By: "month", Per: []string{"year"}}, 2, []int{0, 1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, ok := newLattice(latticeModel(t, tt.snapshots))
			if !ok {
				t.Fatal("there is no lattice")
			}
			if got := l.alone[tt.level].levels(); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if _, ok := newLattice(latticeModel(t, &cube.Snapshots{By: "line", Per: []string{"year"}})); ok {
		t.Error("there is a lattice although no cuboid can tell which snapshot a fact is of")
	}
}

func TestLattice_CombinesLevelsOfDifferentDimensions(t *testing.T) {
	l, _ := newLattice(latticeModel(t, nil))
	all := slices.Concat(l.combinations()...)
	for i, s := range all {
		if slices.Contains(all[:i], s) {
			t.Errorf("%v is listed twice", s.levels())
		}
	}
	for _, want := range [][]int{nil, {0}, {4}, {2, 3, 4}, {0, 2, 3, 4}, {0, 1, 2, 3, 4}} {
		if !slices.ContainsFunc(all, func(s set) bool { return slices.Equal(s.levels(), want) }) {
			t.Errorf("the levels %v are not combined: %v", want, all)
		}
	}
}

// sampleOf makes a sample of so many rows of random members; the levels have so many.
func sampleOf(rows int, members ...int32) *sample {
	s, random := newSample(len(members)), rand.New(rand.NewPCG(2, 3))
	row := make([]int32, len(members))
	for range rows {
		for i, n := range members {
			row[i] = random.Int32N(n)
		}
		s.add(row)
	}
	return s
}

func TestSample_EstimatesGroups(t *testing.T) {
	for _, tt := range []struct {
		name        string
		rows        int
		members     []int32
		levels      []int
		least, most int64
	}{
		{"rows that are all kept are counted", 5000, []int32{7, 3}, []int{0, 1}, 21, 21},
		{"no levels are one group", 5000, []int32{7}, nil, 1, 1},
		{"few groups of many rows", 200_000, []int32{50, 20}, []int{0, 1}, 1000, 1000},
		{"more groups than the sample has rows", 200_000, []int32{300, 300}, []int{0, 1}, 40_000, 160_000},
		{"a group for nearly each row", 200_000, []int32{1 << 30}, []int{0}, 180_000, 220_000},
		{"groups of five rows", 2_500_000, []int32{500_000}, []int{0}, 350_000, 700_000},
		{"no rows", 0, []int32{1}, []int{0}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sampleOf(tt.rows, tt.members...).groups(tt.levels, sampleRows); got < tt.least || got > tt.most {
				t.Errorf("got %d, want %d to %d", got, tt.least, tt.most)
			}
		})
	}
}

func TestChoose_StaysWithinItsRows(t *testing.T) {
	l, _ := newLattice(latticeModel(t, nil))
	s := sampleOf(100_000, 4, 12, 20, 400, 30)
	for _, most := range []int64{0, 100, 10_000, 50_000} {
		chosen := choose(l, s, most)
		rows := int64(0)
		for _, c := range chosen {
			rows += c.rows
		}
		if rows > most || (len(chosen) > 0) != (most > 10) {
			t.Errorf("of %d rows: %v", most, chosen)
		}
	}
}

func TestChoose_ChoosesNothingForAFewRows(t *testing.T) {
	l, _ := newLattice(latticeModel(t, nil))
	if chosen := choose(l, sampleOf(fewRows, 4, 12, 20, 400, 30), fewRows); len(chosen) > 0 {
		t.Errorf("chosen are %v", chosen)
	}
}

// building makes what a builder says, as if each row that is read took a microsecond, and gives the rows of what was made.
func building(b *Builder, base cube.Cuboid) (rows []int64) {
	now := time.Unix(0, 0)
	b.now = func() time.Time { return now }
	made := []cube.Cuboid{base}
	for next, ok := b.Next(made); ok; next, ok = b.Next(made) {
		n := chosenRows(next.Levels)
		now = now.Add(time.Duration(next.From.Rows+writing*n) * time.Microsecond)
		if n <= next.MostRows {
			made, rows = append(made, cube.Cuboid{Number: len(made), Levels: next.Levels, Rows: n}), append(rows, n)
		}
	}
	return rows
}

// chosenRows is how many rows the cuboids of the tests have: 10 to the power of their levels.
func chosenRows(levels []int) int64 {
	n := int64(1)
	for range levels {
		n *= 10
	}
	return n
}

func TestBuilder_StopsInTime(t *testing.T) {
	base := cube.Cuboid{Levels: []int{0, 1, 2, 3, 4, 5}, Rows: 1_000_000}
	choices := []choice{
		{[]int{0, 1, 2, 3, 4}, 100_000, 500_000}, {[]int{0, 1, 2, 5}, 10_000, 90_000}, {[]int{0, 1, 2}, 1000, 50_000}, {[]int{0}, 10, 200_000},
	}
	for _, tt := range []struct {
		name   string
		rows   int64
		within time.Duration
		want   []int64
	}{
		{"enough of both", 200_000, time.Minute, []int64{1000, 10, 100_000, 10_000}},
		{"no time for the largest", 200_000, 8 * time.Second, []int64{1000, 10, 10_000}},
		{"time for the first alone", 200_000, time.Second, []int64{1000}},
		{"no rows for the largest", 20_000, time.Minute, []int64{1000, 10, 10_000}},
		{"no rows but for the least", 50, time.Minute, []int64{10}},
		{"no rows", 0, time.Minute, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &Builder{left: slices.Clone(choices), rows: tt.rows, within: tt.within}
			if got := building(b, base); !slices.Equal(got, tt.want) {
				t.Errorf("made are %v, want %v", got, tt.want)
			}
		})
	}
}

func TestBuilder_MakesFirstWhatOthersAreMadeOf(t *testing.T) {
	base := cube.Cuboid{Levels: []int{0, 1, 2, 3, 4}, Rows: 1_000_000}
	choices := []choice{{[]int{1}, 10, 1000}, {[]int{0}, 10, 1000}, {[]int{0, 1}, 100, 100}}
	b := &Builder{left: choices, rows: 50_000, within: time.Minute}
	if got, want := building(b, base), []int64{100, 10, 10}; !slices.Equal(got, want) {
		t.Errorf("made are %v, want %v", got, want)
	}
}

func TestBest_PassesOverWhatSavesLittle(t *testing.T) {
	questions := []question{{weight: 0.01, rows: 2000}, {weight: 0.3, rows: 1_000_000}}
	candidates := []candidate{{rows: 10, answers: []int{0}}, {rows: 999_000, answers: []int{1}}} // they save 10 and 300
	for _, tt := range []struct {
		least float64
		most  int64
		want  int
	}{{1, 1_000_000, 0}, {100, 1_000_000, 1}, {100, 100_000, -1}, {1000, 1_000_000, -1}} {
		if got, _ := best(candidates, questions, tt.most, tt.least); got != tt.want {
			t.Errorf("of those that save %v and have at most %d rows the best is %d, want %d", tt.least, tt.most, got, tt.want)
		}
	}
}
