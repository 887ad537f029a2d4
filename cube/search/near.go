package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Suggestion is a query that is near another one and finds something.
type Suggestion struct {
	Text   string
	Total  int  // hits
	MadeUp bool // all of them are of made-up cubes
}

// The bounds of suggestions, since each is a search.
const (
	mostSuggested = 6
	mostDropped   = 8 // words
	mostNear      = 3 // words for another
)

// Words gives the words of the query, folded, each once, and the latest number among them that may also be a year, or 0.
func (q Query) Words() (words []string, year int64) {
	rest, _ := q.inYear()
	return q.words, rest.year
}

// WithoutYear writes the words of the query without the numbers that may be years.
func (q Query) WithoutYear() string {
	rest, _ := q.inYear()
	return rest.replaced(-1, "")
}

// needed gives the indexes of the words to explain: the first ones that have to match.
func (q Query) needed() (words []int) {
	for i := range q.words {
		if !q.isSmall(i) && len(words) < mostDropped {
			words = append(words, i)
		}
	}
	return words
}

// Understood splits the words of a query that have to match, of the first ones as many as suggestions leave out, into those that find
// something by themselves and those that find nothing. The years are none of them, nor are the words of a question.
func (x *Index) Understood(ctx context.Context, q Query, cubes []*cube.Cube) (words, unknown []string, err error) {
	if rest, ok := q.withoutQuestion(); ok {
		q = rest
	}
	inYear, _ := q.inYear()
	for _, i := range q.needed() {
		word := q.words[i]
		if _, isYear := yearOf(word); isYear && inYear.year != 0 {
			continue
		}
		alone, err := Parse(word)
		if err != nil {
			return nil, nil, err
		}
		answer, err := x.Find(ctx, alone, cubes, query.Page{Number: 1, Size: 0})
		switch {
		case err != nil:
			return nil, nil, err
		case answer.Total > 0:
			words = append(words, word)
		default:
			unknown = append(unknown, word)
		}
	}
	return words, unknown, nil
}

// Suggest gives queries for one that finds nothing: with a word that no text has replaced by the nearest ones, or with a word left out. The
// words of a question are left out of all, and so are small words but those before what to break down by. First come those that keep the words for a cube that
// is named, and last those that find only what is made up.
func (x *Index) Suggest(ctx context.Context, q Query, cubes []*cube.Cube) ([]Suggestion, error) {
	if rest, ok := q.withoutQuestion(); ok {
		q = rest
	}
	isBy := func(word int) bool { return slices.Contains(byWords, q.words[word]) }
	if rest, ok := q.without(func(word int) bool { return q.isSmall(word) && !isBy(word) }); ok {
		q = rest
	}
	var published, madeUp []Suggestion
	texts, err := x.near(ctx, q, cubes)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		other, err := Parse(text)
		if err != nil || len(published) == mostSuggested {
			continue
		}
		answer, err := x.Find(ctx, other, cubes, query.Page{Number: 1, Size: 1})
		switch {
		case err != nil:
			return nil, err
		case answer.Total == 0:
		case answer.Hits[0].Cube.Synthetic: // what is published would come before it
			madeUp = append(madeUp, Suggestion{text, answer.Total, true})
		default:
			published = append(published, Suggestion{text, answer.Total, false})
		}
	}
	list := slices.Concat(published, madeUp)
	return list[:min(len(list), mostSuggested)], nil
}

// near gives the texts near a query, each once: first those that keep all words for one of the cubes that it names.
func (x *Index) near(ctx context.Context, q Query, cubes []*cube.Cube) ([]string, error) {
	named := x.naming(q, cubes)
	isOfSeveral := func(word string) bool { // alone, rica names nothing
		return slices.ContainsFunc(named, func(of naming) bool { return len(of.words) > 1 && slices.Contains(of.words, word) })
	}
	var replaced, nearest, dropped, kept, alone []string
	for _, i := range q.needed() {
		word := q.words[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, near := range x.nearWords(word, cubes) {
			replaced, nearest = append(replaced, q.replaced(i, near)), append(nearest, near)
		}
		dropped = append(dropped, q.replaced(i, ""))
		for _, of := range named {
			kept = append(kept, q.only(append([]string{word}, of.words...)))
		}
		if !isOfSeveral(word) {
			alone = append(alone, word)
		}
	}
	var first, others []string
	for _, text := range slices.Concat(replaced, nearest, dropped, kept, alone) {
		words := wordsOf(text)
		isMissing := func(word string) bool { return !slices.Contains(words, word) }
		switch {
		case slices.Contains(first, text) || slices.Contains(others, text):
		case slices.ContainsFunc(named, func(of naming) bool { return !slices.ContainsFunc(of.words, isMissing) }):
			first = append(first, text)
		default:
			others = append(others, text)
		}
	}
	return slices.Concat(first, others), nil
}

// only writes some words of the query, as they follow each other there.
func (q Query) only(words []string) string {
	isOther := func(i int) bool { return !slices.Contains(words, q.words[i]) }
	return strings.Join(each.Text(slices.DeleteFunc(slices.Clone(q.sequence), isOther), func(i int) string { return q.words[i] }), " ")
}

// replaced writes the query with another word, or without, and then without small words that are first or last.
func (q Query) replaced(index int, other string) string {
	sequence := q.sequence
	if other == "" {
		sequence = q.trimmed(slices.DeleteFunc(slices.Clone(sequence), func(i int) bool { return i == index }))
	}
	return strings.Join(each.Text(sequence, func(i int) string {
		if i == index {
			return other
		}
		return q.words[i]
	}), " ")
}

// fewestLetters is how many letters a word must have to be near another one, which has no more errors than a third of its letters: of
// shorter words any is near any other.
const fewestLetters = 4

// nearWords gives the words of the cubes, and those of the dictionary, that are nearest to one that none of the cubes has. A word of the
// dictionary is written as it is meant.
func (x *Index) nearWords(word string, cubes []*cube.Cube) []string {
	letters := []rune(word)
	most := min(3, len(letters)/3)
	if isCode(word) || len(letters) < fewestLetters || len(letters) > mostLetters || isKnown(word) {
		return nil
	}
	type near struct {
		word     string
		distance int
	}
	var list []near
	asked, parts := sketchOf(word), *x.parts.Load()
	var other [mostLetters]rune
	for _, c := range cubes {
		p, ok := parts[c.ID]
		if !ok {
			continue
		}
		for i, s := range p.sketch {
			if s.length < fewestLetters || !asked.mayBeNear(s, most) {
				continue
			}
			d := distance(letters, appendRunes(other[:0], p.words[i]), most)
			switch {
			case d <= errorsAllowed(word):
				return nil // it is found
			case d <= most:
				list = append(list, near{p.words[i], d})
			}
		}
	}
	for _, p := range slices.Concat(slices.Concat(functions...)...) {
		if d := distance(letters, []rune(p.text), most); !p.isStart && d <= most && utf8.RuneCountInString(p.text) >= fewestLetters {
			list = append(list, near{p.text, d})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.word, b.word)) })
	list = slices.Compact(list)
	return each.Text(list[:min(len(list), mostNear)], func(n near) string { return n.word })
}

// isKnown tells whether the dictionary has a word, or it is a small one or one of a question.
func isKnown(word string) bool {
	isPart := func(p pattern) bool { return p.matches(word) }
	return slices.Contains(smallWords, word) || isQuestionWord(word) ||
		slices.ContainsFunc(slices.Concat(slices.Concat(functions...)...), isPart)
}
