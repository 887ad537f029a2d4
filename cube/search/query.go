package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// The bounds of a query.
const (
	mostCharacters = 200
	mostWords      = 32 // a mark has a bit for each
)

// Query is a text to search for.
type Query struct {
	words    []string // each once
	typed    []string // the words as they were written, with case and accents
	sequence []int    // the indexes in words of all words, as they were written
	small    uint32   // a bit for each word that need not match
	exact    uint32   // a bit for each word that only matches whole words
	kinds    uint32   // a bit for each word that says what kind of body or programme is sought, which may be lacking
	bodies   uint32   // those of them that say a body
	ministry uint32   // those of them that say a ministry
	synonyms synonyms
	year     int64  // of the cubes and members that match; 0 for any
	asWord   int64  // the year that is a word here, and of which amounts are where there are some; 0 if none is
	dated    uint32 // a bit for each word that may be a year
	lacking  int64  // of cubes that the query names and that do not have this year; 0 for any
	isAfter  int    // 1 if what it finds comes after what the query before it finds
	level    string // whose members alone are looked for; "" for everything
	verbs    uint32 // a bit for each word that is written as a verb, with its accent (phase.go)
	isOne    bool   // it has one of several functions that are asked for, of which only names that say nothing else are sought
	by       *Query // the level to break down by, where that was left out of the query; nil if none is named
}

// Parse reads a text to search for. Its errors have a position in the parameter q.
func Parse(text string) (Query, error) {
	switch {
	case !utf8.ValidString(text):
		return Query{}, bad(cube.Errorf(cube.CodeBadValue, "the text is not UTF-8")).WithHint("encode it as UTF-8")
	case utf8.RuneCountInString(text) > mostCharacters:
		return Query{}, bad(cube.Errorf(cube.CodeBadValue, "the text has more than %d characters", mostCharacters)).WithHint("a few words are enough")
	}
	var q Query
	words := wordsOf(text)
	typed := strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) })
	if len(typed) != len(words) { // a sign is folded to several words
		typed = words
	}
	for n, word := range words {
		i := slices.Index(q.words, word)
		if i < 0 {
			i = len(q.words)
			q.words, q.typed = append(q.words, word), append(q.typed, typed[n])
		}
		if i < mostWords && isVerb(typed[n]) {
			q.verbs |= 1 << i
		}
		q.sequence = append(q.sequence, i)
	}
	switch {
	case len(q.words) == 0 && strings.TrimSpace(text) == "":
		return Query{}, bad(cube.Errorf(cube.CodeBadValue, "nothing is asked for")).WithHint("write q= and what to look for, such as q=health")
	case len(q.words) == 0:
		return Query{}, bad(cube.Errorf(cube.CodeBadValue, "the text has no letter and no digit")).WithHint("write a word or a code, such as q=health")
	case len(q.words) > mostWords:
		return Query{}, bad(cube.Errorf(cube.CodeBadValue, "the text has more than %d words", mostWords)).WithHint("a few words are enough")
	}
	return q.completed(), nil
}

// Typed gives words of the query as they were written.
func (q Query) Typed(words []string) []string {
	return each.Text(words, func(word string) string {
		if i := slices.Index(q.words, word); i >= 0 {
			return q.typed[i]
		}
		return word
	})
}

// completed finds the words that need not match, those for kinds of bodies, and the synonyms.
func (q Query) completed() Query {
	q.small, q.exact, q.kinds, q.bodies, q.ministry = 0, 0, 0, 0, 0
	var question, beforeCode uint32
	for i, word := range q.sequence[1:] {
		if isCodeAlone(q.words[word]) {
			beforeCode |= 1 << q.sequence[i]
		}
	}
	for i, word := range q.words {
		bit := uint32(1) << i
		if slices.Contains(smallWords, word) || slices.Contains(smallLetters, word) && beforeCode&bit == 0 {
			q.small |= bit
		}
		if isQuestionWord(word) {
			question |= bit
		}
		if isAsking(word) {
			q.exact |= bit
		}
	}
	if q.small|question == q.all() {
		q.exact = 0
	}
	if q.small == q.all() { // some word must match
		q.small = 0
	}
	q.exact |= q.small
	sequence := slices.DeleteFunc(slices.Clone(q.sequence), q.isSmall) // small words may stand within a phrase
	by := q.brokenDown()
	q.ministry, q.bodies = q.kindsIn(sequence, bodies[:1]), q.kindsIn(sequence, bodies)
	q.kinds = q.bodies | q.kindsIn(sequence, programmes)
	if by >= 0 { // it says no body, but how to break down
		q.ministry, q.bodies, q.kinds = q.ministry&^(1<<by), q.bodies&^(1<<by), q.kinds&^(1<<by)
	}
	if q.kinds|q.small == q.all() { // they are all that is sought
		q.kinds, q.bodies = 0, 0
	}
	q.synonyms = synonymsOf(q, sequence)
	return q
}

// kindsIn gives the words of a sequence of the query that are of some lines.
func (q Query) kindsIn(sequence []int, lines [][]phrase) (words uint32) {
	for _, line := range lines {
		for _, p := range line {
			words |= q.has(sequence, p)
		}
	}
	return words
}

// The years that a number of four digits may be.
const (
	earliestYear = 1900
	latestYear   = 2100
)

// inYear is the query without the numbers in it that may be years, of the latest of them; or false.
func (q Query) inYear() (Query, bool) {
	rest := Query{level: q.level}
	for _, word := range q.words {
		if year, ok := yearOf(word); ok {
			rest.year = max(rest.year, year)
		} else {
			rest.words = append(rest.words, word)
		}
	}
	if rest.year == 0 || len(rest.words) == 0 {
		return Query{}, false
	}
	for _, i := range q.sequence {
		if left := slices.Index(rest.words, q.words[i]); left >= 0 {
			rest.sequence = append(rest.sequence, left)
		}
	}
	rest = rest.completed()
	rest.sequence = rest.trimmed(rest.sequence)
	return rest, true
}

// yearOf reads a number that may be a year.
func yearOf(word string) (year int64, ok bool) {
	year, err := strconv.ParseInt(word, 10, 64)
	return year, err == nil && len(word) == 4 && year >= earliestYear && year <= latestYear
}

// years counts the words that may be years.
func (q Query) years() (n int) {
	for _, word := range q.words {
		if _, ok := yearOf(word); ok {
			n++
		}
	}
	return n
}

// bad is a mistake in the text that is searched for.
func bad(mistake *cube.Error) *cube.Error { return mistake.At(cube.Position{Parameter: "q"}) }

// smallWords are articles, pronouns, prepositions and conjunctions in the languages of the packages.
var smallWords = strings.Fields("al an and as at by con da das de del desde do dos el en entre for from ga hasta ih ili in it its iz la las le les lo los na " +
	"od of on or para po por sa se sin sobre su sus te than that the their them they this to u un una unas unos with za")

// smallLetters are such words of one letter. Before a code they are codes too.
var smallLetters = strings.Fields("a e i o s u y")

// isCodeAlone tells whether a word is a code that cannot be a year.
func isCodeAlone(word string) bool {
	_, isYear := yearOf(word)
	return isCode(word) && !isYear
}

// budgetWords are what a question about a budget calls it: "the total of …".
var budgetWords = strings.Fields(vocabulary.Budget)

// interrogatives begin a question, or the end of one: "… and which ministry spends it".
var interrogatives = strings.Fields(vocabulary.Interrogatives)

// askingVerbs are verbs of such questions.
var askingVerbs = readLines(vocabulary.Asking)[0]

// isAsking tells whether a word says a phase (phase.go), begins a question or is a verb of one.
func isAsking(word string) bool {
	_, isPhase := phaseOf(word)
	return isPhase || slices.Contains(interrogatives, word) || isOneOf(askingVerbs, word)
}

func isQuestionWord(word string) bool { return isAsking(word) || slices.Contains(budgetWords, word) }

// withoutQuestion is the query without the words of a question; false if it has none, or no others.
func (q Query) withoutQuestion() (Query, bool) {
	return q.without(func(word int) bool { return isQuestionWord(q.words[word]) || q.isAskedFor(word) })
}

// isAskedFor tells whether a word is that for the body that the end of a question asks for: "health, and which ministry spends it".
func (q Query) isAskedFor(word int) bool {
	isSought, isAsked := false, false
	for i, at := range q.sequence {
		isFirst := i == 0 || !slices.Contains(interrogatives, q.words[q.sequence[i-1]])
		switch {
		case at == word && (isFirst || !isSought):
			return false
		case at == word:
			isAsked = true
		case !q.isSmall(at) && !isQuestionWord(q.words[at]):
			isSought = true
		}
	}
	return isAsked && q.kindsIn([]int{word}, bodies) != 0
}

// without is the query without some words, and without the small words that are then first or last; false if it has none, or no others.
func (q Query) without(isOut func(word int) bool) (Query, bool) {
	left := q.trimmed(slices.DeleteFunc(slices.Clone(q.sequence), isOut))
	if len(left) == 0 || !slices.ContainsFunc(q.sequence, isOut) {
		return Query{}, false
	}
	rest, err := Parse(strings.Join(each.Text(left, func(word int) string { return q.words[word] }), " "))
	rest.level = q.level
	return rest, err == nil
}

// steps are the queries to try in a cube, until those of a step find something: the query, then without the level to break down by; of each first that in which a number is a year, then those with one of its functions, and then that in which the number is a word.
func (q Query) steps() (steps [][]Query) {
	steps = [][]Query{{q}}
	by := q.brokenDown()
	if rest, ok := q.without(func(word int) bool { return word == by }); ok {
		steps = append(steps, []Query{rest})
	}
	for i, step := range steps {
		var parts []Query
		for _, of := range step[0].eachFunction() {
			if rest, ok := of.inYear(); ok {
				of = rest
			}
			of.isOne = true
			parts = append(parts, of)
		}
		if rest, ok := step[0].inYear(); ok {
			word := step[0]
			word.isAfter, word.asWord = 1, rest.year
			for i, w := range word.words {
				if _, ok := yearOf(w); ok {
					word.dated |= 1 << i
				}
			}
			steps[i] = []Query{rest, word}
		}
		steps[i] = slices.Insert(steps[i], 1, parts...)
		if i > 0 && by >= 0 {
			level := Query{words: []string{q.words[by]}, sequence: []int{0}}.completed()
			for j := range steps[i] {
				steps[i][j].by = &level
			}
		}
	}
	return steps
}

// latest are steps whose queries of a year are tried in any year, in cubes that do not have it.
func latest(steps [][]Query) (list [][]Query) {
	for _, step := range steps {
		last := len(step) - 1
		var queries []Query
		for _, rest := range step[:max(last, 1)] {
			rest.year, rest.lacking = 0, rest.year
			queries = append(queries, rest)
		}
		word := step[last]
		word.isAfter = 1
		list = append(list, append(queries, word))
	}
	return list
}

// byWords come before what to break down by: "by function".
var byWords = strings.Fields("by por po")

// brokenDown is the word that says what to break down by, or -1.
func (q Query) brokenDown() int {
	for i, word := range q.sequence[:len(q.sequence)-1] {
		next := q.sequence[i+1]
		if slices.Contains(byWords, q.words[word]) && !q.isSmall(next) && !isAsking(q.words[next]) {
			return next
		}
	}
	return -1
}

// isSmall tells whether a word need not match.
func (q Query) isSmall(word int) bool { return q.small&(1<<word) != 0 }

// all has a bit for each word.
func (q Query) all() uint32 { return uint32(1<<len(q.words) - 1) }

// mostText bounds the characters of a text that are indexed. Labels are short, and descriptions begin with the subject.
const mostText = 500

// wordsOf gives the words of a text, folded.
func wordsOf(text string) []string {
	return strings.FieldsFunc(fold.Text(clipped(text, mostText)), func(r rune) bool { return !isWordRune(r) })
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// clipped gives at most the first characters of a text.
func clipped(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i]
		}
	}
	return text
}

// errorsAllowed is how many typing errors a word may have. A word of a question has none.
func errorsAllowed(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case isCode(word), isQuestionWord(word), n < 4, n > mostLetters:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

func isCode(word string) bool { return strings.ContainsFunc(word, unicode.IsNumber) }
