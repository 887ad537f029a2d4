package search

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// The bounds of a query.
const (
	MostCharacters = 200
	MostWords      = 32 // one bit each of a mark
)

// Query is what is looked for.
type Query struct {
	words    []string // each once
	sequence []int    // the places among words of all words as they were written
	small    uint32   // a bit for each word that need not be found
}

// Parse reads what somebody looks for. The error has its place in the parameter q.
func Parse(text string) (Query, error) {
	switch {
	case !utf8.ValidString(text):
		return Query{}, bad("the text is not UTF-8", "encode it as UTF-8")
	case utf8.RuneCountInString(text) > MostCharacters:
		return Query{}, bad("the text has more than 200 characters", "a few words are enough")
	}
	var q Query
	for _, word := range wordsOf(text) {
		i := slices.Index(q.words, word)
		if i < 0 {
			i = len(q.words)
			q.words = append(q.words, word)
		}
		q.sequence = append(q.sequence, i)
	}
	switch {
	case len(q.words) == 0 && strings.TrimSpace(text) == "":
		return Query{}, bad("nothing is asked for", "write q= and what to look for, such as q=health")
	case len(q.words) == 0:
		return Query{}, bad("the text has no letter and no digit", "write a word or a code, such as q=health")
	case len(q.words) > MostWords:
		return Query{}, bad("the text has more than 32 words", "a few words are enough")
	}
	q.small = smallOf(q.words)
	return q, nil
}

func bad(message, hint string) error {
	err := cube.Errorf(cube.CodeBadValue, "%s", message)
	err.Position = &cube.Position{Parameter: "q"}
	err.Hint = hint
	return err
}

// smallWords join others, in the languages of the packages. One letter is a code as a rule.
var smallWords = strings.Fields("al con da das de del do dos el en for in la las los of para por the to za")

// smallOf has a bit for each small word, if there are others.
func smallOf(words []string) (small uint32) {
	for i, word := range words {
		if slices.Contains(smallWords, word) {
			small |= 1 << i
		}
	}
	if bits.OnesCount32(small) == len(words) {
		return 0
	}
	return small
}

// all has a bit for each word.
func (q Query) all() uint32 { return uint32(1<<len(q.words) - 1) }
