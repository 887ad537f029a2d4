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

// naiveWords are the words of a text. Each text is read once: a scan asks for it with each word of the query.
func naiveWords(text string) []string {
	words, known := readWords[text]
	if !known {
		words = readByRule(text)
		readWords[text] = words
	}
	return words
}

var readWords = map[string][]string{}

func readByRule(text string) []string {
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
// Of a word that is known a letter may only lack at the end; one that is exact is found whole or not at all.
func naiveSlips(asked string, words []string, code, known, exact bool) (slips int, whole bool) {
	if exact {
		if slices.Contains(words, asked) {
			return 0, true
		}
		return never, false
	}
	slips = never
	most := 0
	if n := len([]rune(asked)); n >= 4 && !strings.ContainsFunc(asked, unicode.IsNumber) && !isQuestionWord(asked) {
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
		if most == 0 {
			continue
		}
		if d := naiveDistance([]rune(asked), []rune(word)); d <= most && (!known || strings.HasPrefix(asked, word)) {
			slips = min(slips, d)
		}
	}
	return slips, whole
}

// naiveName is what something is called: a member by its key and its labels, a cube by its names alone.
type naiveName struct {
	key    string
	labels []string
	isBody bool // of an administrative classification
	isTop  bool // of its first level
}

// slips says how a word of the query is found in any of the texts.
func (n naiveName) slips(word string, query naiveQuery) (slips int, whole bool) {
	slips = never
	for i, text := range append([]string{n.key}, n.labels...) {
		found, isWhole := naiveSlips(word, naiveWords(text), i == 0 && len(n.labels) > 0, query.knows(word) && !n.means(word, query), query.isExact(word))
		slips, whole = min(slips, found), whole || isWhole
	}
	return slips, whole
}

// names lists what it is called: its labels, or the key if it has none.
func (n naiveName) names() []string {
	if len(n.labels) > 0 {
		return n.labels
	}
	return []string{n.key}
}

// matches tells whether a word of a query is in any of the texts, or meant by them.
func (n naiveName) matches(word string, query naiveQuery) bool {
	return n.has(word, query) || n.heads(word, query)
}

func (n naiveName) has(word string, query naiveQuery) bool {
	slips, _ := n.slips(word, query)
	return slips != never || n.means(word, query)
}

// heads tells whether a word of a query is ministry, and the names are those of what is one, though they do not say so.
func (n naiveName) heads(word string, query naiveQuery) bool {
	isOther := func(other string) bool {
		return !slices.Contains(query.ministry, other) && !naiveSmall(query.words)(other) && n.has(other, query)
	}
	return n.isTop && slices.Contains(query.ministry, word) && !n.has(word, query) && slices.ContainsFunc(query.words, isOther)
}

// means tells whether a word of a query is meant by the names.
func (n naiveName) means(word string, query naiveQuery) bool {
	return len(query.meant(word, naiveWords(strings.Join(n.names(), " ")))) > 0
}

// missing gives the words that none of the texts has or means.
func (n naiveName) missing(asked []string, query naiveQuery) []string {
	return slices.DeleteFunc(slices.Clone(asked), func(word string) bool { return n.matches(word, query) })
}

// naiveQuery is the words of a text, with the functions of government that each is part of a phrase for.
type naiveQuery struct {
	words     []string
	functions map[string][][]phrase
	wide      map[string]bool // part of a phrase that is wider than others for the same
	names     []string        // the words of the names of the cube

	kinds, bodies, ministry []string // the words that may be lacking, of them those for bodies, and of these ministry
}

func naiveQueryOf(text, names string) naiveQuery {
	q := naiveQuery{words: naiveWords(text), functions: map[string][][]phrase{}, wide: map[string]bool{}, names: naiveWords(names)}
	words := slices.DeleteFunc(slices.Clone(q.words), naiveSmall(q.words))
	for from, word := range words {
		for _, function := range slices.Concat(functions, bodies, programmes) {
			isFor := func(p phrase) bool {
				if p[0].isNarrower {
					return false
				}
				for start := max(0, from-len(p)+1); start <= from && start+len(p) <= len(words); start++ {
					if slices.EqualFunc(p, words[start:start+len(p)], pattern.matches) {
						return true
					}
				}
				return false
			}
			if slices.ContainsFunc(function, isFor) {
				q.functions[word] = append(q.functions[word], function)
				if slices.ContainsFunc(functions, func(f []phrase) bool { return &f[0] == &function[0] }) || word == naiveBy(q.words) {
					continue
				}
				q.kinds = append(q.kinds, word)
				if !slices.ContainsFunc(programmes, func(f []phrase) bool { return &f[0] == &function[0] }) {
					q.bodies = append(q.bodies, word)
				}
				if &function[0] == &bodies[0][0] {
					q.ministry = append(q.ministry, word)
				}
			}
			if slices.ContainsFunc(function, isFor) {
				q.wide[word] = q.wide[word] || slices.ContainsFunc(function, func(p phrase) bool { return p[0].isWider && isFor(p) })
			}
		}
	}
	if !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(q.kinds, word) }) {
		q.kinds, q.bodies = nil, nil
	}
	return q
}

// naiveBy gives the first word to break down by, or "".
func naiveBy(words []string) string {
	for i, word := range words[:max(0, len(words)-1)] {
		if slices.Contains(byWords, word) && !naiveSmall(words)(words[i+1]) {
			return words[i+1]
		}
	}
	return ""
}

// isExact tells whether a word is small or one that asks, beside others.
func (q naiveQuery) isExact(word string) bool {
	isSmall := naiveSmall(q.words)
	isOther := func(word string) bool { return !isSmall(word) && !isQuestionWord(word) }
	return isSmall(word) || isAsking(word) && slices.ContainsFunc(q.words, isOther)
}

// knows tells whether a word is part of a phrase for a function, or one of the names of the cube.
func (q naiveQuery) knows(word string) bool {
	return len(q.functions[word]) > 0 || slices.Contains(q.names, word)
}

// meant gives those of words by which a word of the query is meant.
func (q naiveQuery) meant(word string, words []string) (by []string) {
	for _, p := range slices.Concat(q.functions[word]...) {
		isMissing := func(w pattern) bool { return !slices.ContainsFunc(words, w.matches) }
		if slices.ContainsFunc(p, isMissing) {
			continue
		}
		for _, word := range words {
			if slices.ContainsFunc(p, func(w pattern) bool { return w.matches(word) }) {
				by = append(by, word)
			}
		}
	}
	return by
}

// widens tells whether the names mean a word of a query by wider phrases alone, and the word is not of one itself.
func (n naiveName) widens(word string, query naiveQuery) bool {
	exact := naiveQuery{functions: map[string][][]phrase{}}
	for _, function := range query.functions[word] {
		isWider := func(p phrase) bool { return p[0].isWider && !query.wide[word] }
		exact.functions[word] = append(exact.functions[word], slices.DeleteFunc(slices.Clone(function), isWider))
	}
	return n.means(word, query) && !n.means(word, exact)
}

// naiveSmall tells which of words need not match.
func naiveSmall(words []string) func(word string) bool {
	isCode := func(word string) bool {
		for i := range words[:len(words)-1] {
			if words[i] == word && isCodeAlone(words[i+1]) {
				return true
			}
		}
		return false
	}
	isSmall := func(word string) bool {
		return slices.Contains(smallWords, word) || slices.Contains(smallLetters, word) && !isCode(word)
	}
	if !slices.ContainsFunc(words, func(word string) bool { return !isSmall(word) }) {
		return func(string) bool { return false }
	}
	return isSmall
}

// naiveTrimmed leaves out the small words that are first or last.
func naiveTrimmed(words []string, isSmall func(word string) bool) []string {
	for len(words) > 0 && isSmall(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && isSmall(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return words
}

// naiveWithoutQuestion leaves out the words of a question.
func naiveWithoutQuestion(text string) string {
	words := naiveWords(text)
	isSmall := naiveSmall(words)
	rest := slices.DeleteFunc(slices.Clone(words), isQuestionWord)
	if trimmed := naiveTrimmed(rest, isSmall); len(rest) < len(words) && len(trimmed) > 0 {
		return strings.Join(trimmed, " ")
	}
	return text
}

// naiveWithoutBy leaves out the word to break down by.
func naiveWithoutBy(text string) string {
	words := naiveWords(text)
	isBy := func(word string) bool { return word == naiveBy(words) }
	if rest := naiveTrimmed(slices.DeleteFunc(slices.Clone(words), isBy), naiveSmall(words)); len(rest) > 0 {
		return strings.Join(rest, " ")
	}
	return text
}

// naivePlace ranks a member as naiveRank does. If the query says a kind of body, bodies that match it come first, then bodies below the first
// level if it is a ministry, then everything else, which may lack the word. If it says a kind of programme, what matches it comes first.
func naivePlace(query naiveQuery, own naiveName, above []naiveName) (rank []int, ok bool) {
	rank, ok = naiveRank(query, query.words, own, above)
	switch {
	case len(query.kinds) == 0 || ok && len(query.bodies) == 0, ok && own.isBody && (own.isTop || len(query.ministry) == 0):
		return slices.Concat([]int{0}, rank), ok
	case ok && own.isBody:
		return slices.Concat([]int{1}, rank), true
	}
	isKind := func(word string) bool { return slices.Contains(query.kinds, word) }
	rest := naiveTrimmed(slices.DeleteFunc(slices.Clone(query.words), isKind), naiveSmall(query.words))
	other, isOther := naiveRank(query, rest, own, above)
	switch {
	case !ok:
		return slices.Concat([]int{2}, other, []int{1}), isOther
	case isOther && slices.Compare(other, rank) < 0:
		rank = other
	}
	return slices.Concat([]int{2}, rank, []int{0}), true
}

// naiveRank ranks a member below others, of which the first is the cube, and tells whether it is found at all: the least rank is the
// best. A member of a cube that the text names also has the rank that it has without those words.
func naiveRank(query naiveQuery, asked []string, own naiveName, above []naiveName) (rank []int, ok bool) {
	rank, ok = naiveRankOf(asked, query, own, above)
	isSmall := naiveSmall(query.words)
	named := func(word string) bool { _, whole := above[0].slips(word, query); return whole && !isSmall(word) }
	rest := naiveTrimmed(slices.DeleteFunc(slices.Clone(asked), named), isSmall)
	if ok && len(rest) > 0 && slices.ContainsFunc(asked, named) {
		if other, ok := naiveRankOf(rest, query, own, nil); ok && slices.Compare(other, rank) < 0 {
			rank = other
		}
	}
	return rank, ok
}

// naiveRankOf ranks by words of a query alone. A word within slips of one and beginning another is no slip.
func naiveRankOf(asked []string, query naiveQuery, own naiveName, above []naiveName) (rank []int, ok bool) {
	needed := slices.DeleteFunc(slices.Clone(asked), naiveSmall(query.words))
	if len(needed) == 0 {
		needed = asked
	}
	slipped, near, meant, wider, borrowed, allWhole := 0, 0, 0, 0, 0, true
	for _, name := range above {
		if len(name.missing(needed, query)) == 0 {
			above = nil
		}
	}
	if own.isOnlyMinistry(needed, query) {
		above = above[:min(len(above), 1)]
	}
	for i, word := range asked {
		if slices.Contains(asked[:i], word) {
			continue
		}
		best, isWhole := own.slips(word, query)
		switch {
		case !slices.Contains(needed, word):
		case best == 0:
			allWhole = allWhole && isWhole
		case best != never:
			if !own.means(word, query) {
				slipped += best
			}
			near++
		case own.matches(word, query):
			meant++
			if own.widens(word, query) || own.heads(word, query) {
				wider = 1
			}
		case slices.ContainsFunc(above, func(n naiveName) bool { return n.matches(word, query) }):
			borrowed++
		default:
			return nil, false
		}
	}
	switch {
	case borrowed > 0:
		return []int{5, slipped, meant + borrowed, wider}, len(own.missing(needed, query)) < len(needed)
	case near+meant > 0:
		return []int{4, slipped, own.hasOthers(needed, query), meant, wider}, true
	}
	called := naiveCalled(asked, query, own, allWhole)
	if isKnown := func(word string) bool { return len(query.functions[word]) > 0 }; called < 2 || slices.ContainsFunc(needed, func(word string) bool { return !isKnown(word) }) {
		return []int{called}, true
	}
	return []int{4, 0, own.hasOthers(needed, query), 0, 0}, true
}

// hasOthers is 1 if each name has other words, or else 0.
func (n naiveName) hasOthers(needed []string, query naiveQuery) int {
	if n.isNamedOnly(needed, query) {
		return 0
	}
	return 1
}

// isOnlyMinistry tells whether the only words that a name has say that it is a ministry.
func (n naiveName) isOnlyMinistry(needed []string, query naiveQuery) bool {
	return !slices.ContainsFunc(needed, func(word string) bool {
		return n.matches(word, query) && !slices.ContainsFunc(bodies[0], func(p phrase) bool { return p[0].matches(word) })
	})
}

// isNamedOnly looks for a name that has all words and no others, but for kinds of bodies, articles and prepositions.
func (n naiveName) isNamedOnly(needed []string, query naiveQuery) bool {
	return slices.ContainsFunc(n.names(), func(name string) bool {
		words, alone := naiveWords(name), naiveName{labels: []string{name}}
		isOther := func(word string) bool {
			if slices.Contains(slices.Concat(smallWords, smallLetters), word) || slices.ContainsFunc(slices.Concat(bodies...), func(p phrase) bool { return p[0].matches(word) }) {
				return false
			}
			return !slices.ContainsFunc(query.words, func(asked string) bool {
				slips, _ := naiveSlips(asked, []string{word}, false, query.knows(asked) && !alone.means(asked, query), query.isExact(asked))
				return slips != never || slices.Contains(query.meant(asked, words), word)
			})
		}
		return len(alone.missing(needed, query)) == 0 && !slices.ContainsFunc(words, isOther)
	})
}

// naiveCalled ranks what has all words without slips.
func naiveCalled(asked []string, query naiveQuery, own naiveName, allWhole bool) int {
	rank := 3
	if allWhole {
		rank = 2
	}
	phrase, begins := strings.Join(asked, " "), strings.Join(asked, " ")
	if query.isExact(asked[len(asked)-1]) {
		begins += " "
	}
	for _, text := range append([]string{own.key}, own.labels...) {
		switch name := strings.Join(naiveWords(text), " "); {
		case name == phrase:
			rank = 0
		case strings.HasPrefix(name, begins):
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
			parent := labelled[r.IntN(len(labelled))]
			if over = parent.Path[0]; r.IntN(3) == 0 {
				below[i].Rows, below[i].Label, below[i].Labels = parent.Rows, parent.Label, parent.Labels
			}
		}
		below[i].Path = []cube.Value{over, below[i].Path[0]}
	}
	var years []plan.MemberRow
	for n := range int64(2) {
		years = append(years, plan.MemberRow{Path: []cube.Value{cube.Integer(2014 + n)}, Label: cube.Integer(2014 + n), Rows: int64(1 + r.IntN(2))})
	}
	m.pay(c, "year", paid("", cube.Integer(2014)), paid("", cube.Integer(2015)))
	alike := row(int64(1+r.IntN(2)), []string{"2014"}) // perhaps the year
	of := cube.Integer(2014 + int64(r.IntN(2)))
	m.pay(c, "fund|year", paid("", alike.Path[0], of))
	plain = append(plain, alike)
	m.put(c, "year", years...)
	m.put(c, "area", labelled...)
	m.put(c, "fund", plain...)
	m.put(c, "unit", below...)
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		text := randomName(r)
		if i == 0 {
			text = "2014"
		}
		if len(naiveWords(text)) == 0 {
			continue
		}
		var got []string
		for _, h := range ask(t, x, text, query.Page{Number: 1, Size: MostHits}).Hits {
			if h.Kind == KindMember {
				got = append(got, hitText(h))
			}
		}
		unasked := naiveWithoutQuestion(text)
		var asked string
		for _, asked = range []string{text, naiveWithoutBy(text), unasked, naiveWithoutBy(unasked)} {
			q, _ := Parse(asked)
			if answer, err := x.find(t.Context(), q.steps()[:1], []*cube.Cube{c}, query.FirstPage); err != nil || answer.Total > 0 {
				break
			}
		}
		isYear := func(row plan.MemberRow) bool { // the member called 2014
			return row.Label == alike.Label && len(row.Path) == 1 && of == years[0].Path[0] && row.Rows == years[0].Rows
		}
		want := scan(asked, c.Title, years, isYear, labelled, plain, below)
		if !slices.Equal(got, want) {
			t.Fatalf("%q finds\n%s\nand a scan\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// scan looks at every member in turn, those that are a year aside. Those of equal rank and rows stay in the order of the levels and the
// store: first the years. The first level is that of the members above others.
func scan(text, title string, years []plan.MemberRow, isYear func(plan.MemberRow) bool, levels ...[]plan.MemberRow) []string {
	type match struct {
		rank []int
		row  plan.MemberRow
	}
	var found []match
	asked := naiveQueryOf(text, "zzzzzz "+title)
	isFound := func(like plan.MemberRow) bool { // in the first level
		return slices.ContainsFunc(found, func(f match) bool {
			return len(f.row.Path) == 1 && f.row.Path[0] == like.Path[0] && f.row.Rows == like.Rows && f.row.Label == like.Label
		})
	}
	for level, rows := range slices.Concat([][]plan.MemberRow{years}, levels) {
		for _, row := range slices.SortedStableFunc(slices.Values(rows), func(a, b plan.MemberRow) int { return cmp.Compare(b.Rows, a.Rows) }) {
			above := []naiveName{{key: "zzzzzz " + title}}
			for _, over := range levels[0] {
				if len(row.Path) > 1 && over.Path[0] == row.Path[0] {
					upper := naiveNameOf(over)
					upper.isBody, upper.isTop = true, true
					above = append(above, upper)
				}
			}
			own := naiveNameOf(row)
			own.isBody, own.isTop = level == 1 || level == 3, level == 1
			if rank, ok := naivePlace(asked, own, above); ok && (len(row.Path) == 1 || !isFound(row)) && !isYear(row) {
				found = append(found, match{rank, row})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(slices.Compare(a.rank, b.rank), cmp.Compare(b.row.Rows, a.row.Rows))
	})
	var list []string
	for _, f := range found {
		list = append(list, query.PathText(make([]cube.Column, len(f.row.Path)), f.row.Path)+" "+naiveShown(asked, f.row))
	}
	return list
}

// naiveShown gives the name by which a member is shown: that with most words of the query, of equals with most whole words,
// of these the latest.
func naiveShown(query naiveQuery, row plan.MemberRow) string {
	asked := slices.Compact(slices.Sorted(slices.Values(query.words)))
	shown, most := row.Label.String(), -1
	for _, label := range row.Labels {
		score, name := 0, naiveName{labels: []string{label.Text}}
		for _, word := range asked {
			if name.matches(word, query) {
				score += 100
			}
			if _, whole := name.slips(word, query); whole {
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
	stem := []rune([]string{"educación", "salud", "ÁREA", "obra", "mar", "ministerio", "07", "7a", "ab", "de", "para", "health", "enseñanza", "medio", "ambiente", "okoliš", "gasto", "por", "iva", "impuesto bienes servicios", "valor agregado", "y", "lo", "quién"}[r.IntN(24)])
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
