package search

import (
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// mark says how a word of a part matches the words of the query. Each word of the query has a bit.
type mark struct {
	whole uint32 // the words are equal
	begin uint32 // the word begins with it; includes whole
	one   uint32 // with at most one typing error
	two   uint32 // with at most two
	short uint32 // of those: the word only lacks letters at the end, as the singular of a word does
	meant uint32 // by a synonym; of the texts of an entry, not of a word
	wider uint32 // of those: only by synonyms that are wider

	patterns uint64 // of the synonyms
}

// matches gives the words that match in any way.
func (m mark) matches() uint32 { return m.begin | m.two | m.meant }

// marks gives for each word of the part how it matches the words of the query.
func (p *part) marks(q Query) []mark {
	marks := make([]mark, len(p.words))
	for i, word := range q.words {
		bit := uint32(1) << i
		if q.exact&bit != 0 {
			if at, ok := slices.BinarySearch(p.words, word); ok {
				marks[at].begin, marks[at].whole = marks[at].begin|bit, marks[at].whole|bit
			}
			continue
		}
		for i := sort.SearchStrings(p.words, word); i < len(p.words) && strings.HasPrefix(p.words[i], word); i++ {
			marks[i].begin |= bit
			if len(p.words[i]) == len(word) {
				marks[i].whole |= bit
			}
		}
		if most := errorsAllowed(word); most > 0 {
			p.markNear(marks, word, bit, most)
		}
	}
	for i, pattern := range q.synonyms.patterns {
		for at := sort.SearchStrings(p.words, pattern.text); at < len(p.words) && pattern.matches(p.words[at]); at++ {
			marks[at].patterns |= 1 << i
		}
	}
	return marks
}

// granted is the mark with words added that need not match.
func (m mark) granted(words uint32) mark {
	m.begin, m.one, m.two = m.begin|words, m.one|words, m.two|words
	return m
}

// markNear marks the words that match with at most so many typing errors.
func (p *part) markNear(marks []mark, word string, bit uint32, most int) {
	letters, asked := []rune(word), sketchOf(word)
	var other [mostLetters]rune
	for i, s := range p.sketch {
		if !asked.mayBeNear(s, most) {
			continue
		}
		switch errors := distance(letters, appendRunes(other[:0], p.words[i]), most); {
		case errors > most:
			continue
		case errors < 2:
			marks[i].one |= bit
		}
		marks[i].two |= bit
		if strings.HasPrefix(word, p.words[i]) {
			marks[i].short |= bit
		}
	}
}

// appendRunes appends the letters of a word. Unlike a conversion it needs no memory of its own.
func appendRunes(into []rune, word string) []rune {
	for _, r := range word {
		into = append(into, r)
	}
	return into
}

// matched joins the marks of all words of an entry.
func (p *part) matched(i int, q *Query, marks []mark) mark {
	return joined(p.textsOf(i), p.groups[p.entries[i].group].codes, q, marks)
}

// joined joins the marks of texts, of which the first may be a code.
func joined(texts []uint32, code bool, q *Query, marks []mark) mark {
	var m mark
	begin := true // of a text
	for i, id := range texts {
		w := &marks[id]
		m.whole |= w.whole
		m.begin |= w.begin
		if !code {
			m.one |= w.one
			m.two |= w.two
			m.short |= w.short
			patterns := w.patterns
			if patterns&q.synonyms.alone != 0 && (!begin || i+1 < len(texts) && texts[i+1] != 0) {
				patterns &^= q.synonyms.alone
			}
			m.patterns |= patterns
		}
		begin = id == 0
		code = code && !begin
	}
	if m.patterns != 0 {
		m.meant, m.wider = q.synonyms.meant(m.patterns)
	}
	other := q.synonyms.known &^ (m.begin | m.short | m.meant) // words that are known, and nearly written like others
	m.one, m.two = m.one&^other, m.two&^other
	return m
}

// rank says how well an entry matches: the least is the best.
type rank uint32

// The ranks. What is not called by every word, or has words of the dictionary among others, is ranked by its errors, then by whether each of
// its names has other words, then by how many of the words are only meant, then by whether it is wider than one of them. What
// matches words from above comes last: by its errors, then by the number of words that are only meant or from above.
const (
	equalText rank = iota
	textBegins
	wholeWords
	beginnings
	otherwise
	withAbove = otherwise + (2*mostWords+1)*ofErrors
	unranked  = math.MaxUint32

	ofErrors = 2 * ofOther
	ofOther  = (mostWords + 1) * ofMeant
	ofMeant  = 2 // wider, or not
)

// lastAlone is the last rank of a name that matches every word without errors and has no others.
const lastAlone = otherwise + ofOther - 1

// isNameAlone tells whether a rank is that of such a name.
func (r rank) isNameAlone() bool { return r == equalText || r >= otherwise && r <= lastAlone }

// errorsOf counts the typing errors, and the words that are meant and not even nearly there, and tells whether the entry is wider
// than one of these: 1 or 0. A word that is meant has no errors.
func (m mark) errorsOf(words uint32) (errors, meant, wider int) {
	wrong := words &^ (m.begin | m.meant)
	only := words & m.meant &^ (m.begin | m.two)
	if only&m.wider != 0 {
		wider = 1
	}
	return bits.OnesCount32(wrong) + bits.OnesCount32(wrong&^m.one), bits.OnesCount32(only), wider
}

// rankOf ranks an entry that matches every word itself. The free words need not match. Words of the dictionary may stand in any form: police
// in a long name is no better than policing in a short one.
func (p *part) rankOf(i int, m mark, free uint32, q Query, marks []mark) rank {
	all := q.all()
	m = m.granted(free)
	if m.begin == all {
		best := p.rankAsWritten(i, m, q, marks)
		if best <= textBegins || q.synonyms.named|free != all {
			return best
		}
	}
	errors, meant, wider := m.errorsOf(all)
	best := otherwise + rank(errors)*ofErrors + rank(meant)*ofMeant + rank(wider)
	if !p.isNamedOnly(i, free, q, marks) {
		best += ofOther
	}
	return best
}

// rankAsWritten ranks an entry that has every word, or what begins with it.
func (p *part) rankAsWritten(i int, m mark, q Query, marks []mark) rank {
	best := beginnings
	if m.whole|q.small == q.all() {
		best = wholeWords
	}
	start := true
	texts := p.textsOf(i)
	for at, id := range texts {
		if start && id != 0 {
			best = min(best, q.begins(texts[at:], marks))
		}
		start = id == 0
	}
	return best
}

// isNamedOnly tells whether a name of an entry matches every word and has no others, but for kinds of bodies, articles and prepositions.
func (p *part) isNamedOnly(i int, free uint32, q Query, marks []mark) bool {
	code := p.groups[p.entries[i].group].codes
	for texts := p.textsOf(i); len(texts) > 0; code = false {
		end := slices.Index(texts, 0)
		text := texts[:end]
		texts = texts[end+1:]
		m := joined(text, false, &q, marks)
		if code || m.granted(free).matches() != q.all() {
			continue
		}
		patterns := q.synonyms.complete(m.patterns)
		isOther := func(id uint32) bool {
			return marks[id].matches() == 0 && marks[id].patterns&patterns == 0 && !p.slight[id]
		}
		if !slices.ContainsFunc(text, isOther) {
			return true
		}
	}
	return false
}

// begins ranks the first of texts: it equals the query, begins with it, or neither.
func (q Query) begins(texts []uint32, marks []mark) rank {
	for i, word := range q.sequence {
		bit, id := uint32(1)<<word, texts[i]
		last := i == len(q.sequence)-1
		switch {
		case id == 0:
			return beginnings
		case marks[id].whole&bit != 0 && last && texts[i+1] == 0:
			return equalText
		case marks[id].whole&bit != 0 || last && marks[id].begin&bit != 0:
		default:
			return beginnings
		}
	}
	return textBegins
}

// mostLetters bounds the letters of words that may match with typing errors.
const mostLetters = 60

// sketch has the length and the set of letters of a word. For most pairs of words this shows that they do not match with
// typing errors.
type sketch struct {
	letters uint64 // a bit for each letter, several letters to a bit
	length  uint8  // 0: the word never matches with errors
}

func sketchOf(word string) sketch {
	if isCode(word) {
		return sketch{}
	}
	var s sketch
	for _, r := range word {
		s.letters |= 1 << (uint32(r) & 63)
		if s.length++; s.length > mostLetters {
			return sketch{}
		}
	}
	return s
}

// mayBeNear tells whether the distance of two words may be at most most: an error adds, and removes, at most one letter.
func (s sketch) mayBeNear(t sketch, most int) bool {
	return t.length > 0 && int(s.length)-int(t.length) <= most && int(t.length)-int(s.length) <= most &&
		bits.OnesCount64(s.letters&^t.letters) <= most && bits.OnesCount64(t.letters&^s.letters) <= most
}

// distance counts the typing errors between two words of at most mostLetters, or gives most+1 if there are more (the optimal
// string alignment distance).
func distance(a, b []rune, most int) int {
	var rows [3][mostLetters + 1]int
	before, row, next := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			n := min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			next[j+1], least = n, min(least, n)
		}
		if least > most {
			return most + 1 // a swap uses the row before, whose least is at least most
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], most+1)
}
