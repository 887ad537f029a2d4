// Package differencetest holds what is said of the difference between two versions (package difference) against a plain adder over their
// rows, on each store.
package differencetest

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/difference"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/store/catalogue"
	"fiscube/store/storetest"
)

// Load loads a package, which must succeed.
type Load func(t testing.TB, store catalogue.Store, files fs.FS) *cube.Cube

// Run compares versions on a store that is empty.
func Run(t *testing.T, place storetest.Place, load Load) {
	store := place.Open(t)
	t.Cleanup(func() { _ = store.Close() })
	for name, run := range map[string]func(*subject){
		"random edits":                 (*subject).addsUpRandomEdits,
		"amounts that are not alike":   (*subject).comparesLikeAmounts,
		"statements of the same money": (*subject).comparesLastStatements,
		"what rows leave out":          (*subject).comparesAllLines,
	} {
		t.Run(name, func(t *testing.T) { run(&subject{t, store, load}) })
	}
}

// subject is a store under test.
type subject struct {
	*testing.T
	store storetest.Store
	loads Load
}

func (s *subject) load(files fs.FS) *cube.Cube {
	s.Helper()
	return s.loads(s.T, s.store, files)
}

// between compares two versions.
func (s *subject) between(before, after *cube.Cube, size int) *difference.Difference {
	s.Helper()
	d, err := difference.Between(s.Context(), difference.Side{Cube: before, Store: s.store}, difference.Side{Cube: after, Store: s.store},
		query.Page{Number: 1, Size: size})
	if err != nil {
		s.Fatal(err)
	}
	if !d.AddsUp {
		s.Errorf("version %d to %d: the rows do not add up to the totals", before.Version, after.Version)
	}
	return d
}

// The columns of what is edited.
const (
	editedYear = iota
	editedMonth
	editedRegion
	editedTown
	editedName
	editedAmount
	editedPaid
)

const editedHead = "year,month,region,town,town_name,amount,paid\n"

// edited is a package of lines, with an overlay unless that is "".
func edited(lines, overlay string) fs.FS {
	files := fstest.MapFS{"a.csv": {Data: []byte(editedHead + lines)}, "datapackage.json": {Data: []byte(`{"name": "edited", "resources": [{"name": "a",
"path": "a.csv", "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "month", "type": "integer"},
{"name": "region", "type": "string"}, {"name": "town", "type": "string"}, {"name": "town_name", "type": "string"}, {"name": "amount", "type": "number"},
{"name": "paid", "type": "number"}]}}], "model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"],
"attributes": {"year": {"source": "year"}}}, "month": {"primaryKey": ["month"], "attributes": {"month": {"source": "month"}}},
"location": {"dimensionType": "location", "primaryKey": ["region", "town"], "attributes": {"region": {"source": "region"},
"town": {"source": "town", "parent": "region"}, "town_name": {"source": "town_name", "labelfor": "town"}}}},
"measures": {"amount": {"source": "amount"}, "paid": {"source": "paid"}}}}`)}}
	if overlay != "" {
		files["overlay.yaml"] = &fstest.MapFile{Data: []byte(overlay)}
	}
	return files
}

// edit changes some rows: their amounts, their places, and which there are.
func edit(r *rand.Rand, rows [][]string) (made [][]string) {
	for _, row := range rows {
		row = slices.Clone(row)
		switch r.IntN(40) {
		case 0: // it goes
			continue
		case 1:
			row[editedAmount] = fmt.Sprintf("%d.%02d", r.IntN(1_000_000)-500_000, r.IntN(100))
		case 2:
			row[editedPaid] = ""
		case 3: // it comes twice
			made = append(made, row)
		case 4:
			row[editedRegion] = fmt.Sprint(r.IntN(12))
		case 5:
			made = append(made, []string{"2021", "1", "9", "new" + fmt.Sprint(r.IntN(5)), "", "1.5", "0"})
		}
		made = append(made, row)
	}
	renamed := made[0][editedTown]
	for _, row := range made {
		if row[editedTown] == renamed {
			row[editedName] = "Upon Water"
		}
	}
	return made
}

// added is what a plain adder makes of rows with the same keys.
type added struct {
	lines int64
	sums  [2]decimal.NullDecimal
}

func addUp(rows [][]string, keys ...int) map[string]added {
	all := map[string]added{}
	for _, row := range rows {
		key := ""
		for _, k := range keys {
			key = strings.TrimPrefix(key+"|"+row[k], "|")
		}
		a := all[key]
		a.lines++
		for i, cell := range row[editedAmount:] {
			if cell != "" {
				a.sums[i] = decimal.NewNullDecimal(a.sums[i].Decimal.Add(decimal.RequireFromString(cell)))
			}
		}
		all[key] = a
	}
	return all
}

// text writes what was added, with all decimals alike.
func (a added) text() string {
	return fmt.Sprint(a.lines, each.Text(a.sums[:], func(sum decimal.NullDecimal) string { return fmt.Sprint(sum.Valid, sum.Decimal.StringFixed(2)) }))
}

// addsUpRandomEdits edits rows at random, loads them again, and holds what is said of that against a plain adder over the rows.
func (s *subject) addsUpRandomEdits() {
	for number := range uint64(4) {
		r := rand.New(rand.NewPCG(number, 31))
		var before [][]string
		for range 400 {
			town := fmt.Sprint(r.IntN(30))
			before = append(before, []string{fmt.Sprint(2018 + r.IntN(3)), "1", fmt.Sprint(r.IntN(11)), town, "Town " + town,
				fmt.Sprintf("%d.%02d", r.IntN(9000), r.IntN(100)), fmt.Sprint(r.IntN(9000))})
		}
		after := edit(r, before)
		var versions [2]*cube.Cube
		for i, rows := range [][][]string{before, after} {
			var lines strings.Builder
			for _, row := range rows {
				lines.WriteString(strings.Join(row, ",") + "\n")
			}
			versions[i] = s.load(edited(lines.String(), ""))
		}
		d := s.between(versions[0], versions[1], difference.MostListed)
		s.rowsAre(d, before, after)
		s.totalsAddUp(d, before, after)
		keys := func(g difference.Group) string { return fmt.Sprint(g.Keys) }
		top := s.between(versions[0], versions[1], 5).Rows.List
		if !slices.EqualFunc(top, d.Rows.List[:5], func(a, b difference.Group) bool { return keys(a) == keys(b) }) {
			s.Errorf("edit %d: the first five are %v", number, top)
		}
	}
}

// kinds counts what came, went, changed and is the same.
func kinds(was, is map[string]added) map[difference.Kind]int64 {
	count := map[difference.Kind]int64{}
	for key, a := range was {
		if b := is[key]; b.lines == 0 {
			count[difference.Went]++
		} else if a.text() == b.text() {
			count[difference.Same]++
		} else {
			count[difference.Changed]++
		}
	}
	if came := int64(len(is)) - count[difference.Same] - count[difference.Changed]; came > 0 {
		count[difference.Came] = came
	}
	return count
}

// rowsAre holds the rows that differ, and the towns, against what the adder finds.
func (s *subject) rowsAre(d *difference.Difference, before, after [][]string) {
	s.Helper()
	keys := []int{editedYear, editedMonth, editedRegion, editedTown}
	was, is := addUp(before, keys...), addUp(after, keys...)
	size := func(g difference.Group) decimal.Decimal { return g.Amounts[0].Difference().Decimal.Abs() }
	for i, g := range d.Rows.List {
		key := strings.Join(each.Text(g.Keys, cube.Value.String), "|")
		for j, want := range []added{was[key], is[key]} {
			if got := (added{g.Lines[j], [2]decimal.NullDecimal{g.Amounts[0][j], g.Amounts[1][j]}}); got.text() != want.text() {
				s.Errorf("%s: %s, want %s", key, got.text(), want.text())
			}
		}
		if (g.Kind == difference.Came) != (g.Lines[0] == 0) || (g.Kind == difference.Went) != (g.Lines[1] == 0) || i > 0 && size(g).GreaterThan(size(d.Rows.List[i-1])) {
			s.Errorf("row %v %s stands behind one that differs less, or is of another kind", g.Keys, g.Kind)
		}
	}
	if want := kinds(was, is); !maps.Equal(d.Rows.Count, want) || int64(len(d.Rows.List)) != d.Rows.Differ() || d.Rows.Lines != [2]int64{int64(len(before)), int64(len(after))} {
		s.Errorf("%v rows of %v lines, want %v", d.Rows.Count, d.Rows.Lines, want)
	}
	towns := kinds(addUp(before, editedRegion, editedTown), addUp(after, editedRegion, editedTown))
	renamed := kinds(addUp(before, editedRegion, editedTown, editedName), addUp(after, editedRegion, editedTown, editedName))
	for _, l := range d.Members {
		want := map[difference.Kind]int64{difference.Came: towns[difference.Came], difference.Went: towns[difference.Went]}
		want[difference.Changed] = renamed[difference.Came] - towns[difference.Came]
		want[difference.Same] = towns[difference.Changed] + towns[difference.Same] - want[difference.Changed]
		if l.Fields[len(l.Fields)-1].Name == "town" && !maps.Equal(l.Count, want) {
			s.Errorf("towns %v, want %v", l.Count, want)
		}
	}
}

// totalsAddUp holds, by year and measure, the total before and what came, less what went, and what changed, against the total after.
func (s *subject) totalsAddUp(d *difference.Difference, before, after [][]string) {
	s.Helper()
	was, is := addUp(before, editedYear), addUp(after, editedYear)
	if len(d.Totals) != len(is) || len(d.Amounts) != 2 {
		s.Errorf("%d totals of %d years", len(d.Totals), len(is))
	}
	for _, t := range d.Totals {
		for i, amount := range d.Amounts {
			at := slices.Index([]string{"amount", "paid"}, amount.Ref)
			a, b := was[t.Keys[0].String()].sums[at].Decimal, is[t.Keys[0].String()].sums[at].Decimal
			sum := a
			for _, g := range d.Rows.List {
				switch pair := g.Amounts[i]; {
				case g.Keys[0] != t.Keys[0]:
				case g.Kind == difference.Came:
					sum = sum.Add(pair[1].Decimal)
				case g.Kind == difference.Went:
					sum = sum.Sub(pair[0].Decimal)
				default:
					sum = sum.Add(pair.Difference().Decimal)
				}
			}
			if !t.Amounts[i][0].Decimal.Equal(a) || !t.Amounts[i][1].Decimal.Equal(b) || !sum.Equal(b) {
				s.Errorf("%v %s: %v, the rows make %v of %v, want %v", t.Keys, amount.Ref, t.Amounts[i], sum, a, b)
			}
		}
	}
}

// differs holds what is said of two versions against a text.
func (s *subject) differs(d *difference.Difference, want string) {
	s.Helper()
	got := each.Text(append(slices.Clone(d.Measures), d.Levels...), func(p difference.Part) string { return fmt.Sprint(p) })
	for _, t := range d.Totals {
		for i, a := range d.Amounts {
			got = append(got, fmt.Sprintf("%v %s %v %v %t", t.Keys, a.Ref, t.Amounts[i][0].Decimal, t.Amounts[i][1].Decimal, i < d.Compared))
		}
	}
	for _, g := range d.Rows.List {
		got = append(got, fmt.Sprintf("%s %v %v", g.Kind, g.Keys, g.Lines))
	}
	if said := strings.Join(got, "; "); said != want {
		s.Errorf("%s\nwant %s", said, want)
	}
}

// comparesLikeAmounts does not subtract kuna from euros.
func (s *subject) comparesLikeAmounts() {
	const lines = "2022,1,r,a,A,10,1\n2022,1,r,b,B,20,2\n"
	first := s.load(edited(lines, "measures: {amount: {currency: HRK}, paid: {phase: executed}}\n"))
	second := s.load(edited(strings.Replace(lines, "20,2", "21,2", 1), "measures: {amount: {currency: EUR}, paid: {phase: executed, title: {en: Paid}}}\n"))
	s.differs(s.between(first, second, 10), "{amount changed currency HRK EUR}; {paid changed title paid Paid}; [2022] paid 3 3 true; [2022] amount 30 31 false")
}

// comparesLastStatements counts of each year the last statement, whatever months a version has.
func (s *subject) comparesLastStatements() {
	const overlay = "snapshots: {by: month, per: [year]}\n"
	first := s.load(edited("2022,1,r,a,,10,1\n2022,2,r,a,,20,2\n2022,2,r,b,,5,5\n", overlay))
	second := s.load(edited("2022,1,r,a,,10,1\n2022,2,r,a,,20,2\n2022,3,r,a,,30,2\n2022,3,r,c,,1,1\n", overlay))
	s.differs(s.between(first, second, 10), "[2022] amount 25 31 true; [2022] paid 7 3 true; changed [2022 r a] [1 1]; went [2022 r b] [1 0]; came [2022 r c] [0 1]")
}

// comparesAllLines finds amounts of earlier statements, in whatever order these are, and texts that are no level.
func (s *subject) comparesAllLines() {
	const lines = "2022,9,r,a,A,10,1\n2022,10,r,a,A,20,2\n2022,8,r,a,A,5,1\n"
	for _, test := range []struct{ overlay, old, new, want string }{
		{"snapshots: {by: month, per: [year]}\n", "9,r,a,A,10", "9,r,a,A,11", "map[changed:1 same:2]"},
		{"snapshots: {by: month, per: [year], order: [9, 8, 10]}\n", "8,r,a,A,5", "8,r,b,A,5", "map[came:1 changed:1]"},
		{"", "9,r,a,A", "9,r,a,B", "map[came:1 same:2 went:1]"},
	} {
		d := s.between(s.load(edited(lines, test.overlay)), s.load(edited(strings.Replace(lines, test.old, test.new, 1), test.overlay)), 10)
		if d.IsNothing() || d.Rows.Differ() != 0 || d.Lines == nil || fmt.Sprint(d.Lines.Count) != test.want || d.Lines.Lines != [2]int64{3, 3} {
			s.Errorf("%s: the rows %v, the lines %+v, want %s", test.overlay, d.Rows.Count, d.Lines, test.want)
		}
	}
}
