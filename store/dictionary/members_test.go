package dictionary

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// levels are the two levels of a region with a town, whose numbers are whole and may be missing, and a declared order of statements.
func levels(t *testing.T) (*cube.Model, []cube.Level) {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "region", Type: cube.TypeText},
			{Name: "town", Type: cube.TypeInteger, Missing: 1}, {Name: "street", Type: cube.TypeText}, {Name: "name", Type: cube.TypeText},
			{Name: "paid", Digits: 12}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}}, {Name: "place", Levels: []cube.Level{{Ref: "region"},
			{Ref: "town", Parent: "region"}, {Ref: "street", Parent: "town", LabelRef: "name"}}}},
		Measures: []cube.Measure{{Ref: "paid"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return m, m.Levels()
}

func entries(paths [][]cube.Value) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, path := range paths {
			if !yield(Entry{Path: path, Label: "", Rank: 1}, nil) {
				return
			}
		}
	}
}

// randomPaths gives paths of a street in the order of their numbers.
func randomPaths(r *rand.Rand, m *cube.Model, l cube.Level) [][]cube.Value {
	var paths [][]cube.Value
	for range r.IntN(60) {
		paths = append(paths, []cube.Value{text(r), whole(r), text(r)})
	}
	order := m.ComparePaths(l)
	slices.SortFunc(paths, order)
	return slices.CompactFunc(paths, func(a, b []cube.Value) bool { return order(a, b) == 0 })
}

func text(r *rand.Rand) cube.Value {
	return cube.Text([]string{"", "1", "2", "10", "é", "a"}[r.IntN(6)])
}

func whole(r *rand.Rand) cube.Value {
	if n := r.Int64N(5); n > 0 {
		return cube.Integer(n)
	}
	return cube.Missing
}

func TestMembers_AdmittedAreThoseThatPassTheTests(t *testing.T) {
	m, all := levels(t)
	street := all[3]
	r := rand.New(rand.NewPCG(3, 4))
	some := 0
	for range 2000 {
		paths := randomPaths(r, m, street)
		members, err := readMembers(m, street, entries(paths))
		if err != nil {
			t.Fatal(err)
		}
		var tests []plan.Test
		for range 1 + r.IntN(3) {
			tests = append(tests, randomTest(r, members))
		}
		admitted := members.admitted(tests)
		for n, path := range paths {
			want := !slices.ContainsFunc(tests, func(test plan.Test) bool {
				return !test.Admits(path[slices.Index(street.Path, test.Column.Name)])
			})
			if got := admitted.Has(int32(n)); got != want {
				t.Fatalf("%v passes %+v: %v, want %v", path, tests, got, want)
			}
			if want {
				some++
			}
		}
	}
	if some < 1000 {
		t.Errorf("only %d members passed", some)
	}
}

func randomTest(r *rand.Rand, m *Members) plan.Test {
	at := r.IntN(len(m.path))
	random := text
	if at == 1 {
		random = whole
	}
	t := plan.Test{Column: m.path[at]}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(3) {
			t.In = append(t.In, random(r))
		}
		slices.SortFunc(t.In, cube.Value.Compare)
		t.In = slices.Compact(t.In)
		return t
	}
	if t.From, t.To = random(r), random(r); at != 1 {
		t.To = t.From // bounds of text have one length
	}
	return t
}

func TestMembers_Above(t *testing.T) {
	m, all := levels(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		streets := randomPaths(r, m, all[3])
		var towns [][]cube.Value
		for _, path := range streets {
			towns = append(towns, path[:2])
		}
		towns = slices.CompactFunc(towns, slices.Equal[[]cube.Value])
		street, _ := readMembers(m, all[3], entries(streets))
		town, _ := readMembers(m, all[2], entries(towns))
		for n, number := range street.Above(town) {
			if !slices.Equal(town.Path(number), streets[n][:2]) {
				t.Fatalf("above %v is %v", streets[n], town.Path(number))
			}
		}
	}
}

// The label of the latest of the years in which a member has one counts, and one that is not to be shown never.
func TestLabels_Label(t *testing.T) {
	m, all := levels(t)
	path := []cube.Value{cube.Text("r"), cube.Integer(1), cube.Text("s")}
	members, err := readMembers(m, all[3], entries([][]cube.Value{path}))
	if err != nil {
		t.Fatal(err)
	}
	var given []LabelEntry
	for year := range int64(80) { // more years than a block has
		given = append(given, LabelEntry{Year: cube.Integer(1950 + year), Text: fmt.Sprint("from ", (1950+year)/10*10), Rank: year/10 + 1, Shown: true})
	}
	given[79].Text = "" // 2029
	given = append(given, LabelEntry{Text: "without a year", Rank: 99, Shown: true},
		LabelEntry{Year: cube.Integer(2015), Text: "seldom", Rank: 98, Shown: false})
	rand.New(rand.NewPCG(7, 8)).Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
	labels, err := readLabels(members, func(yield func(LabelEntry, error) bool) {
		for _, e := range given {
			if !yield(e, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(labels.uses); n > 14 { // eight decades, one of them in two blocks, and the others
		t.Errorf("%d uses", n)
	}
	for _, tt := range []struct {
		name        string
		from, to    int64
		missing     bool
		label, rank string
	}{
		{"all", 1900, 2100, true, "from 2020", "8"},
		{"one year", 1955, 1955, false, "from 1950", "1"},
		{"across blocks", 1985, 2014, false, "from 2010", "7"},
		{"a year without a label", 2029, 2029, false, "s", "8"},
		{"rows without a year", 0, 0, true, "without a year", "99"},
		{"no rows", 1900, 1901, false, "s", ""},
		{"the label that most rows have", 2015, 2015, false, "from 2010", "7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			label, rank := labels.Label(0, labels.Admitted(func(year cube.Value) bool {
				n, ok := year.Int()
				return !ok && tt.missing || ok && n >= tt.from && n <= tt.to
			}))
			if label.String() != tt.label || rank.String() != tt.rank {
				t.Errorf("%q of rank %s, want %q of rank %s", label, rank, tt.label, tt.rank)
			}
		})
	}
}

// A member that is missing comes last in every order, as NULL does in a store.
func TestMembers_RankOfAMissingMemberIsMissing(t *testing.T) {
	m := &Members{ranks: []int64{3, 0}}
	if rank, ok := m.Rank(0).Int(); !ok || rank != 3 || !m.Rank(1).IsMissing() {
		t.Errorf("the ranks are %v and %v", m.Rank(0), m.Rank(1))
	}
}
