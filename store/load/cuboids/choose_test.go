package cuboids

import (
	"fmt"
	"math"
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

func TestLattice_FinestLevelsTellTheOthers(t *testing.T) {
	l, _ := newLattice(latticeModel(t, nil))
	if got, want := l.finest(set{}.with(0).with(2).with(3)), []int{0, 3}; !slices.Equal(got, want) {
		t.Errorf("the finest of year, ministry and unit are %v, want %v", got, want)
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
			if got := sampleOf(tt.rows, tt.members...).newEstimator().groups(tt.levels, sampleRows); got < tt.least || got > tt.most {
				t.Errorf("got %d, want %d to %d", got, tt.least, tt.most)
			}
		})
	}
}

func TestChoose_StaysWithinItsRows(t *testing.T) {
	l, _ := newLattice(latticeModel(t, nil))
	s := sampleOf(100_000, 4, 12, 20, 400, 30).newEstimator()
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
	if chosen := choose(l, sampleOf(fewRows, 4, 12, 20, 400, 30).newEstimator(), fewRows); len(chosen) > 0 {
		t.Errorf("chosen are %v", chosen)
	}
}

// newBuilder makes a builder of so many choices for a model of six levels, each of ten members, and a million rows.
func newBuilder(t *testing.T, rows int64, within time.Duration, choices ...choice) *Builder {
	t.Helper()
	var draft cube.Draft
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		draft.Columns = append(draft.Columns, cube.Column{Name: name, Type: cube.TypeText})
		draft.Dimensions = append(draft.Dimensions, cube.Dimension{Name: name, Levels: []cube.Level{{Ref: name}}})
	}
	m, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	l, _ := newLattice(m)
	e := sampleOf(1_000_000, 10, 10, 10, 10, 10, 10).newEstimator()
	return &Builder{lattice: l, sizes: newSizes(l, e), left: slices.Clone(choices), rows: rows, within: within}
}

// build makes what a builder says, as if each row that is read took a microsecond, and gives the levels of what was made.
func build(b *Builder) []string {
	now := time.Unix(0, 0)
	b.now = func() time.Time { return now }
	b.Begin(b.within)
	made, levels := []cube.Cuboid{{Levels: []int{0, 1, 2, 3, 4, 5}, Rows: 1_000_000}}, []string(nil)
	for next, ok := b.Next(made); ok; next, ok = b.Next(made) {
		rows := int64(math.Pow10(len(next.Levels)))
		now = now.Add(time.Duration(workOf(next.From.Rows, rows)) * time.Microsecond)
		if rows <= next.MostRows {
			made, levels = append(made, cube.Cuboid{Number: len(made), Levels: next.Levels, Rows: rows}), append(levels, fmt.Sprint(next.Levels))
		}
	}
	return levels
}

func setWith(levels ...int) set {
	var s set
	for _, level := range levels {
		s = s.with(level)
	}
	return s
}

func TestBuilder_StopsInTime(t *testing.T) {
	large, other := choice{setWith(0, 1, 2, 3, 4), 100_000, 500_000}, choice{setWith(0, 1, 2, 5), 10_000, 90_000}
	small, tiny := choice{setWith(0, 1, 2), 1000, 50_000}, choice{setWith(0), 10, 200_000}
	for _, tt := range []struct {
		name   string
		rows   int64
		within time.Duration
		want   string
	}{
		{"enough of both", 200_000, time.Minute, "[[0 1 2] [0] [0 1 2 5] [0 1 2 3 4]]"},
		{"no time for the largest", 200_000, 8 * time.Second, "[[0 1 2] [0] [0 1 2 5]]"},
		{"time for the first alone", 200_000, time.Second, "[[0 1 2]]"},
		{"no rows for the largest", 20_000, time.Minute, "[[0 1 2] [0] [0 1 2 5]]"},
		{"no rows but for the least", 50, time.Minute, "[[0]]"},
		{"no rows", 0, time.Minute, "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(build(newBuilder(t, tt.rows, tt.within, large, other, small, tiny))); got != tt.want {
				t.Errorf("made are %s, want %s", got, tt.want)
			}
		})
	}
}

func TestBuilder_MakesFirstWhatOthersAreMadeOf(t *testing.T) {
	b := newBuilder(t, 50_000, time.Minute, choice{setWith(1), 10, 1000}, choice{setWith(0), 10, 1000}, choice{setWith(0, 1), 100, 100})
	if got, want := fmt.Sprint(build(b)), "[[0 1] [1] [0]]"; got != want {
		t.Errorf("made are %s, want %s", got, want)
	}
}

func TestBuilder_MakesAWideCuboidForSeveral(t *testing.T) {
	choices := []choice{
		{setWith(5), 10, 1_000_000}, {setWith(0, 1), 100, 1000}, {setWith(1, 2), 100, 900}, {setWith(3, 4), 100, 800},
	}
	b := newBuilder(t, 50_000, time.Minute, choices...)
	if got, want := fmt.Sprint(build(b)), "[[5] [0 1 2] [0 1] [1 2] [3 4]]"; got != want {
		t.Errorf("made are %s, want %s", got, want)
	}
	b = newBuilder(t, 500, time.Minute, choices...)
	if got, want := fmt.Sprint(build(b)), "[[5] [0 1] [1 2] [3 4]]"; got != want {
		t.Errorf("without rows for a wide one, made are %s, want %s", got, want)
	}
}

func TestBuilder_MakesAWideCuboidOnce(t *testing.T) {
	b := newBuilder(t, 50_000, time.Minute, choice{setWith(5), 10, 1_000_000}, choice{setWith(0, 1), 100, 1000}, choice{setWith(1, 2), 100, 900})
	b.now = func() time.Time { return time.Unix(0, 0) }
	b.Begin(b.within)
	made, wide := []cube.Cuboid{{Levels: []int{0, 1, 2, 3, 4, 5}, Rows: 1_000_000}}, 0
	for next, ok := b.Next(made); ok; next, ok = b.Next(made) { // as if each had too many rows, and were dropped
		if slices.Equal(next.Levels, []int{0, 1, 2}) {
			wide++
		}
	}
	if wide != 1 {
		t.Errorf("the wide cuboid is made %d times", wide)
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
