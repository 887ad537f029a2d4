package search

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/cube"
)

// Phase is the phase of a budget that a word of a query says: what was spent is executed.
type Phase struct {
	Word string // "" if none is said
	Name string // as that of a measure

	first int // the line of phases that has the word
}

// phases are lines of words for phases. Those of a phase are in the order in which its measures are taken.
var phases = func() (list []phaseWords) {
	for _, p := range vocabulary.Phase {
		list = append(list, phaseWords{p.Name, readLines(p.Words)[0]})
	}
	return list
}()

type phaseWords struct {
	name  string
	words []phrase
}

// phaseOf gives the phase that a word says.
func phaseOf(word string) (Phase, bool) {
	for i, line := range phases {
		if isOneOf(line.words, word) {
			return Phase{word, line.name, i}, true
		}
	}
	return Phase{}, false
}

func isOneOf(list []phrase, word string) bool {
	return slices.ContainsFunc(list, func(p phrase) bool { return p[0].matches(word) })
}

// verbs are nouns once they are folded, such as gasto (expenditure), which say no phase. They are verbs if they are written so, or after
// "cuanto", "que" and "se".
var verbs = []struct{ written, folded, said string }{
	{"gastó", "gasto", "gastado"},
	{"presupuestó", "presupuesto", "presupuestado"},
}

// isVerb tells whether a word is written as one of the verbs, with its accent.
func isVerb(written string) bool {
	for _, verb := range verbs {
		if strings.EqualFold(verb.written, written) {
			return true
		}
	}
	return false
}

// phase gives the first phase that the words of a query say.
func (q Query) phase() Phase {
	for i, word := range q.sequence {
		if p, ok := phaseOf(q.words[word]); ok {
			return p
		}
		isAfter := i > 0 && slices.Contains([]string{"cuanto", "que", "se"}, q.words[q.sequence[i-1]])
		if q.verbs&(1<<word) == 0 && !isAfter {
			continue
		}
		for _, verb := range verbs {
			if q.words[word] == verb.folded {
				p, _ := phaseOf(verb.said)
				p.Word = verb.written
				return p
			}
		}
	}
	return Phase{}
}

// MeasureOf gives the measure of a phase that has amounts in a year: the one that is called as the phase was said, or else the next.
func (p Phase) MeasureOf(c *cube.Cube, year int64) (cube.Measure, bool) {
	if p.Word == "" {
		return cube.Measure{}, false
	}
	list := slices.DeleteFunc(slices.Clone(c.Model.Measures()), func(m cube.Measure) bool {
		return m.Phase != p.Name || c.Coverage != nil && len(c.Coverage.Gap(m.Ref, []int64{year})) > 0
	})
	place := func(m cube.Measure) int { // what is put together from fields comes first: each of them has a part of its years
		if len(c.Model.FirstOf(m.Ref)) > 0 {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b cube.Measure) int { return cmp.Compare(place(a), place(b)) })
	for i := range phases {
		line := phases[(p.first+i)%len(phases)]
		isCalled := func(m cube.Measure) bool {
			called := wordsOf(strings.Join(named(m.Title, m.Titles), " "))
			return slices.ContainsFunc(called, func(word string) bool { return isOneOf(line.words, word) })
		}
		if at := slices.IndexFunc(list, isCalled); at >= 0 && line.name == p.Name {
			return list[at], true
		}
	}
	if len(list) == 0 {
		return cube.Measure{}, false
	}
	return list[0], true
}
