package search

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed words.toml
var wordsFile string

// vocabulary is words.toml, which says what it has.
var vocabulary = func() (v struct {
	Functions, Bodies, Programmes, Asking, Budget, Interrogatives string
	Phase                                                         []struct{ Name, Words string }
}) {
	if read, err := toml.Decode(wordsFile, &v); err != nil || len(read.Undecoded()) > 0 {
		panic(fmt.Sprint(err, read.Undecoded())) // it is embedded
	}
	return v
}()

var functions, bodies, programmes = readLines(vocabulary.Functions), readLines(vocabulary.Bodies), readLines(vocabulary.Programmes)

// isSlight tells whether a word says a kind of body, or is an article, a preposition or a conjunction: a name is no longer for it.
func isSlight(word string) bool {
	return slices.Contains(smallWords, word) || slices.Contains(smallLetters, word) || slices.ContainsFunc(bodies, func(line []phrase) bool {
		return slices.ContainsFunc(line, func(p phrase) bool { return len(p) == 1 && p[0].matches(word) })
	})
}

// phrase is a sequence of words.
type phrase []pattern

// pattern is a word, or the beginning of one.
type pattern struct {
	text       string
	isStart    bool
	isAlone    bool // it matches a name that has no other words
	isWider    bool // the phrase is wider than the others of its line
	isNarrower bool // the phrase is narrower than the others of its line
}

func (p pattern) matches(word string) bool {
	return word == p.text || p.isStart && strings.HasPrefix(word, p.text)
}

// readLines reads lines of words for one thing each.
func readLines(text string) (list [][]phrase) {
	for line := range strings.Lines(text) {
		var phrases []phrase
		for written := range strings.SplitSeq(line, ",") {
			var made phrase
			written, isWider := strings.CutPrefix(strings.TrimSpace(written), ">")
			written, isNarrower := strings.CutPrefix(written, "<")
			for _, word := range strings.Fields(written) {
				if slices.Contains(smallWords, word) {
					continue
				}
				word, isAlone := strings.CutPrefix(word, "=")
				start, isStart := strings.CutSuffix(word, "*")
				made = append(made, pattern{start, isStart, isAlone, isWider, isNarrower})
			}
			phrases = append(phrases, made)
		}
		list = append(list, phrases)
	}
	return list
}

// synonyms are what words of a query may be called otherwise.
type synonyms struct {
	patterns []pattern // at most 64: a mark has a bit for each
	phrases  []synonym
	alone    uint64 // a bit for each pattern that matches a whole name
	named    uint32 // a bit for each word of the query that is of a phrase
	known    uint32 // those, and the words of names of cubes: words that are not written wrongly
}

// synonym is what a text with all of some patterns matches.
type synonym struct {
	patterns uint64 // a bit for each pattern
	words    uint32 // a bit for each word of the query
	wider    uint32 // those of them that it is wider than
}

const mostPatterns = 64

// synonymsOf finds the functions of government and the kinds of bodies that a sequence of a query names.
func synonymsOf(q Query, sequence []int) synonyms {
	var s synonyms
	for _, function := range slices.Concat(functions, bodies, programmes) {
		var named, wide uint32
		for _, p := range function {
			if p[0].isNarrower {
				continue
			}
			words := q.has(sequence, p)
			if named |= words; p[0].isWider {
				wide |= words
			}
		}
		if named == 0 {
			continue
		}
		s.named |= named
		for _, p := range function {
			s.add(p, named, wide)
		}
	}
	s.known = s.named
	return s
}

// conjunctions are between several functions that are asked for at once.
var conjunctions = strings.Fields("and as e i ili o or te u y")

// eachFunction gives, of a query of several functions with a conjunction between two of them, one for each: without the words of the others.
func (q Query) eachFunction() (list []Query) {
	if q.kinds != 0 {
		return nil
	}
	sequence := slices.DeleteFunc(slices.Clone(q.sequence), q.isSmall)
	var named []uint32 // the words of each function
	for _, line := range functions {
		words := q.kindsIn(sequence, [][]phrase{slices.DeleteFunc(slices.Clone(line), func(p phrase) bool { return p[0].isNarrower })})
		if words == 0 {
			continue
		}
		named = slices.DeleteFunc(named, func(other uint32) bool {
			isSame := other&words != 0
			if isSame {
				words |= other
			}
			return isSame
		})
		named = append(named, words)
	}
	if len(named) < 2 || !q.isJoined(named) {
		return nil
	}
	for _, words := range named {
		one, ok := q.without(func(word int) bool {
			return slices.ContainsFunc(named, func(other uint32) bool { return other != words && other&(1<<word) != 0 })
		})
		if ok {
			list = append(list, one)
		}
	}
	return list
}

// isJoined tells whether a conjunction is between words of two of the lists.
func (q Query) isJoined(lists []uint32) bool {
	before, isAfter := -1, false // the list of the word before, and whether a conjunction came after it
	for _, word := range q.sequence {
		if q.isSmall(word) {
			isAfter = isAfter || slices.Contains(conjunctions, q.words[word])
			continue
		}
		in := slices.IndexFunc(lists, func(words uint32) bool { return words&(1<<word) != 0 })
		if isAfter && before >= 0 && in >= 0 && in != before {
			return true
		}
		before, isAfter = in, false
	}
	return false
}

// has gives the words of a sequence of the query that are a phrase.
func (q Query) has(sequence []int, p phrase) (words uint32) {
	for from := 0; from+len(p) <= len(sequence); from++ {
		var these uint32
		for i, pattern := range p {
			word := sequence[from+i]
			if !pattern.matches(q.words[word]) {
				these = 0
				break
			}
			these |= 1 << word
		}
		words |= these
	}
	return words
}

// add adds a phrase for words of which some are wide themselves, unless there are too many.
func (s *synonyms) add(p phrase, words, wide uint32) {
	if len(s.patterns)+len(p) > mostPatterns {
		return
	}
	var bits uint64
	for range p {
		bits = bits<<1 | 1
	}
	made := synonym{patterns: bits << len(s.patterns), words: words}
	if p[0].isWider {
		made.wider = words &^ wide
	}
	if p[0].isAlone {
		s.alone |= made.patterns
	}
	s.phrases = append(s.phrases, made)
	s.patterns = append(s.patterns, p...)
}

// meant gives the words of the query that patterns match, and those of them that only wider phrases do.
func (s synonyms) meant(patterns uint64) (words, wider uint32) {
	var exact uint32
	for _, p := range s.phrases {
		if p.patterns&^patterns == 0 {
			words |= p.words
			exact |= p.words &^ p.wider
		}
	}
	return words, words &^ exact
}

// complete gives those of patterns that are of a phrase of which no word is missing.
func (s synonyms) complete(patterns uint64) (complete uint64) {
	for _, p := range s.phrases {
		if p.patterns&^patterns == 0 {
			complete |= p.patterns
		}
	}
	return complete
}

// partly gives the words of the query that patterns match with others.
func (s synonyms) partly(patterns uint64) (words uint32) {
	for _, p := range s.phrases {
		if p.patterns&patterns != 0 {
			words |= p.words
		}
	}
	return words
}
