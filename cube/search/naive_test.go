package search

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/fold"
)

// The rules of doc.go once more, word by word and entry by entry, without an index.

func naiveWords(text string) []string {
	return strings.FieldsFunc(fold.Text(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
}

// naiveDistance is the optimal string alignment distance by its definition.
func naiveDistance(a, b []rune) int {
	known := make([][]int, len(a)+1) // one more than the distance; 0: not known
	for i := range known {
		known[i] = make([]int, len(b)+1)
	}
	var d func(i, j int) int
	d = func(i, j int) int {
		if i == 0 || j == 0 {
			return i + j
		}
		if n := known[i][j]; n > 0 {
			return n - 1
		}
		n := min(d(i-1, j), d(i, j-1), d(i-1, j-1)) + 1
		if a[i-1] == b[j-1] {
			n = min(n, d(i-1, j-1))
		}
		if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
			n = min(n, d(i-2, j-2)+1)
		}
		known[i][j] = n + 1
		return n
	}
	return d(len(a), len(b))
}

// never is the number of slips of what does not match.
const never = 9

// naiveSlips says how a word of the query is found among words: the slips, and whether it is found whole.
func naiveSlips(asked string, words []string, code bool) (slips int, whole bool) {
	slips = never
	most := 0
	if n := len([]rune(asked)); n >= 4 && !strings.ContainsFunc(asked, unicode.IsNumber) {
		most = 1
		if n >= 8 {
			most = 2
		}
	}
	for _, word := range words {
		whole = whole || word == asked
		if strings.HasPrefix(word, asked) {
			slips = 0
		}
		if code || strings.ContainsFunc(word, unicode.IsNumber) {
			continue
		}
		if d := naiveDistance([]rune(asked), []rune(word)); d <= most {
			slips = min(slips, d)
		}
	}
	return slips, whole
}

// naiveName is what something is called: a member by its key and its labels, a cube by its names alone.
type naiveName struct {
	key    string
	labels []string
}

// slips says how a word of the query is found in any of the texts.
func (n naiveName) slips(word string) (slips int, whole bool) {
	slips = never
	for i, text := range append([]string{n.key}, n.labels...) {
		found, isWhole := naiveSlips(word, naiveWords(text), i == 0 && len(n.labels) > 0)
		slips, whole = min(slips, found), whole || isWhole
	}
	return slips, whole
}

// missing gives the words that none of the texts has.
func (n naiveName) missing(asked []string) []string {
	return slices.DeleteFunc(slices.Clone(asked), func(word string) bool { slips, _ := n.slips(word); return slips != never })
}

// naiveRank ranks a member below others, of which the first is the cube, and tells whether it is found at all. A member of a cube that
// the text names also has the rank that it has without those words.
func naiveRank(text string, own naiveName, above []naiveName) (rank int, ok bool) {
	asked := naiveWords(text)
	rank, ok = naiveRankOf(asked, own, above)
	isSmall := func(word string) bool { return slices.Contains(smallWords, word) }
	if !slices.ContainsFunc(asked, func(word string) bool { return !isSmall(word) }) {
		isSmall = func(string) bool { return false }
	}
	named := func(word string) bool { _, whole := above[0].slips(word); return whole && !isSmall(word) }
	rest := slices.DeleteFunc(slices.Clone(asked), named)
	for len(rest) > 0 && isSmall(rest[0]) {
		rest = rest[1:]
	}
	for len(rest) > 0 && isSmall(rest[len(rest)-1]) {
		rest = rest[:len(rest)-1]
	}
	if ok && len(rest) > 0 && slices.ContainsFunc(asked, named) {
		if other, ok := naiveRankOf(rest, own, nil); ok {
			rank = min(rank, other)
		}
	}
	return rank, ok
}

// naiveRankOf ranks by words alone. A word within slips of one and beginning another is no slip.
func naiveRankOf(asked []string, own naiveName, above []naiveName) (rank int, ok bool) {
	small := func(word string) bool { return slices.Contains(smallWords, word) }
	needed := slices.DeleteFunc(slices.Clone(asked), small)
	if len(needed) == 0 {
		needed = asked
	}
	slipped, borrowed, allWhole := 0, 0, true
	for _, name := range above {
		if len(name.missing(needed)) == 0 {
			above = nil
		}
	}
	for i, word := range asked {
		if slices.Contains(asked[:i], word) {
			continue
		}
		isAbove := slices.ContainsFunc(above, func(n naiveName) bool { slips, _ := n.slips(word); return slips != never })
		best, isWhole := own.slips(word)
		switch {
		case !slices.Contains(needed, word):
			allWhole = allWhole && isWhole
		case best != never:
			slipped += best
			allWhole = allWhole && isWhole
		case isAbove:
			borrowed++
		default:
			return 0, false
		}
	}
	switch {
	case borrowed > 0:
		return 1000 + 100*slipped + borrowed, len(own.missing(needed)) < len(needed)
	case slipped > 0:
		return 3 + slipped, true
	}
	return naiveCalled(asked, own, allWhole), true
}

// naiveCalled ranks what has all words without slips.
func naiveCalled(asked []string, own naiveName, allWhole bool) int {
	rank := 3
	if allWhole {
		rank = 2
	}
	phrase := strings.Join(asked, " ")
	for _, text := range append([]string{own.key}, own.labels...) {
		switch name := strings.Join(naiveWords(text), " "); {
		case name == phrase:
			rank = 0
		case strings.HasPrefix(name, phrase):
			rank = min(rank, 1)
		}
	}
	return rank
}

// Whatever a scan of all members finds is found by the index, in the same order, and nothing else.
func TestFind_FindsWhatAScanFinds(t *testing.T) {
	seeds := uint64(25)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareWithScan(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func compareWithScan(t *testing.T, r *rand.Rand) {
	m := newMade()
	c := budget(t, 1, "zzzzzz", randomName(r))
	c.Description = "educación salud obra mar ministerio"
	m.serve(c)
	labelled, plain, below := randomRows(r, true), randomRows(r, false), randomRows(r, true)
	for i := range below {
		over := cube.Text("not there")
		if r.IntN(5) > 0 {
			over = labelled[r.IntN(len(labelled))].Path[0]
		}
		below[i].Path = []cube.Value{over, below[i].Path[0]}
	}
	m.put(c, "area", labelled...)
	m.put(c, "fund", plain...)
	m.put(c, "unit", below...)
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 60 {
		text := randomName(r)
		if len(naiveWords(text)) == 0 {
			continue
		}
		var got []string
		for _, h := range ask(t, x, text, query.Page{Number: 1, Size: MostHits}).Hits {
			if h.Kind == KindMember {
				got = append(got, hitText(h))
			}
		}
		if want := scan(text, c.Title, labelled, plain, below); !slices.Equal(got, want) {
			t.Fatalf("%q finds\n%s\nand a scan\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// scan looks at every member in turn. Those of equal rank and rows stay in the order of the levels and the store. The
// first level is that of the members above others.
func scan(text, title string, levels ...[]plan.MemberRow) []string {
	type match struct {
		rank int
		row  plan.MemberRow
	}
	var found []match
	for _, rows := range levels {
		for _, row := range slices.SortedStableFunc(slices.Values(rows), func(a, b plan.MemberRow) int { return cmp.Compare(b.Rows, a.Rows) }) {
			above := []naiveName{{"zzzzzz " + title, nil}}
			for _, over := range levels[0] {
				if len(row.Path) > 1 && over.Path[0] == row.Path[0] {
					above = append(above, naiveNameOf(over))
				}
			}
			if rank, ok := naiveRank(text, naiveNameOf(row), above); ok {
				found = append(found, match{rank, row})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.row.Rows, a.row.Rows))
	})
	var list []string
	for _, f := range found {
		list = append(list, query.PathText(make([]cube.Column, len(f.row.Path)), f.row.Path)+" "+naiveShown(text, f.row))
	}
	return list
}

// naiveShown gives the name by which a member is shown: that with most words of the query, of equals with most whole words,
// of these the latest.
func naiveShown(text string, row plan.MemberRow) string {
	asked := naiveWords(text)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	shown, most := row.Label.String(), -1
	for _, label := range row.Labels {
		score := 0
		for _, word := range asked {
			slips, whole := naiveSlips(word, naiveWords(label.Text), false)
			if slips != never {
				score += 100
			}
			if whole {
				score++
			}
		}
		if score > most {
			shown, most = label.Text, score
		}
	}
	return shown
}

func naiveNameOf(row plan.MemberRow) naiveName {
	n := naiveName{key: row.Path[len(row.Path)-1].String()}
	for _, l := range row.Labels {
		n.labels = append(n.labels, l.Text)
	}
	return n
}

// randomRows makes members whose names are so much alike that slips, beginnings and equals are common.
func randomRows(r *rand.Rand, labelled bool) []plan.MemberRow {
	var rows []plan.MemberRow
	for i := range 40 {
		key := randomWord(r)
		if r.IntN(2) == 0 {
			key = fmt.Sprintf("%0*d", 2+r.IntN(3), r.IntN(30))
		}
		var labels []string
		for range r.IntN(3) {
			labels = append(labels, randomName(r))
		}
		if !labelled {
			key, labels = randomName(r), nil
		} else if len(labels) == 0 {
			labels = []string{randomName(r)}
		}
		rows = append(rows, row(int64(r.IntN(4)+1), []string{key + strings.Repeat(" ", i)}, labels...))
	}
	return rows
}

func randomName(r *rand.Rand) string {
	var words []string
	for range 1 + r.IntN(3) {
		words = append(words, randomWord(r))
	}
	return strings.Join(words, []string{" ", "-", ", "}[r.IntN(3)])
}

func randomWord(r *rand.Rand) string {
	stem := []rune([]string{"educación", "salud", "ÁREA", "obra", "mar", "ministerio", "07", "7a", "ab", "de", "para"}[r.IntN(11)])
	for range r.IntN(4) - 1 {
		at := r.IntN(len(stem))
		switch r.IntN(4) {
		case 0:
			stem = slices.Delete(stem, at, at+1)
		case 1:
			stem = slices.Insert(stem, at, rune('a'+r.IntN(4)))
		case 2:
			stem[at] = 'é'
		case 3:
			stem[at], stem[max(0, at-1)] = stem[max(0, at-1)], stem[at]
		}
		if len(stem) == 0 {
			return "x"
		}
	}
	if r.IntN(4) == 0 {
		stem = stem[:1+r.IntN(len(stem))]
	}
	return string(stem)
}
