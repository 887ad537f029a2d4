// Package sentencecase writes names that are published in capitals as a sentence writes them: MINISTARSTVO FINANCIJA is Ministarstvo
// financija. What capitals hide, such as proper nouns and initialisms, is learned from the names of the same package that are not in
// capitals, or told by an overlay.
package sentencecase

import (
	"cmp"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"fiscube/cube"
	"fiscube/internal/fold"
)

var (
	aWord     = regexp.MustCompile(`[\pL\pM\pN]+(?:[.'’][\pL\pM\pN]+|-\pN+)*`)
	aSentence = regexp.MustCompile(`^\PL*\pL\p{Ll}.*\PL\p{Ll}{5}`)                         // has a word in small letters that is no mere preposition
	aSound    = regexp.MustCompile(`[aeiouy]|[^\x00-\x7F]|.r.`)                            // vowels, letters of other scripts, and r between consonants, of a folded word
	inCapital = regexp.MustCompile(`[\pN.]|^(?:X{0,3}(?:IX|IV|VI{0,3}|I{2,3})|X{1,3}I?)$`) // codes, initials with points and Roman numerals
)

// mostInitials is how many letters an initialism has at most.
const mostInitials = 6

// Learn gives words as names in sentences write most of them, by the word in small letters: those that are not in small letters, and those
// that may look like initialisms. What is told in texts goes before.
func Learn(names iter.Seq[string], told ...string) map[string]string {
	forms := map[string]map[string]int{}
	for name := range names {
		if !aSentence.MatchString(name) {
			continue
		}
		for _, word := range aWord.FindAllString(name, -1)[1:] { // the first has a capital in any case
			key := strings.ToLower(word)
			if forms[key] == nil {
				forms[key] = map[string]int{}
			}
			forms[key][word]++
		}
	}
	words := map[string]string{}
	for key, counts := range forms {
		most := slices.MaxFunc(slices.Sorted(maps.Keys(counts)), func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
		if counts[most] == counts[key] {
			most = key
		}
		if most != key || utf8.RuneCountInString(key) <= mostInitials {
			words[key] = most
		}
	}
	for _, word := range aWord.FindAllString(strings.Join(told, " "), -1) {
		words[strings.ToLower(word)] = word
	}
	return words
}

// Write writes a name in capitals as a sentence, with the words that were learned. Another name stays as it is.
func Write(name string, n *cube.Names, learned map[string]string) string {
	if strings.ContainsFunc(name, unicode.IsLower) {
		return name
	}
	l := language.Make(n.Language)
	capital := func(word string) string { return cases.Title(l, cases.NoLower).String(word) }
	written, end, begun, isProper := "", 0, false, false
	for _, at := range aWord.FindAllStringIndex(name, -1) {
		word := name[at[0]:at[1]]
		text, known := learned[strings.ToLower(word)]
		if !known || word == "I" && at[1] == len(name) { // at the end it is a number
			if text = word; !stays(word, name[:at[0]], name[at[1]:]) {
				text = cases.Lower(l).String(word)
				if isProper {
					text = capital(text)
				}
			}
		}
		if !begun && strings.ContainsFunc(word, unicode.IsLetter) {
			begun, isProper = true, slices.ContainsFunc(n.Before, func(before string) bool { return strings.EqualFold(before, word) })
			if !strings.ContainsFunc(text, unicode.IsUpper) {
				text = capital(text)
			}
		}
		written, end = written+name[end:at[0]]+text, at[1]
	}
	return written + name[end:]
}

// stays tells whether a word in capitals, of which nothing is known, is in capitals in a sentence too.
func stays(word, before, after string) bool {
	letters, sound := utf8.RuneCountInString(word), aSound.MatchString(fold.Text(word))
	if letters == 1 && sound { // may be a word such as and; at the end it is a number or a mark
		return !strings.ContainsFunc(after, unicode.IsLetter) || word == "I" && after[0] == '.'
	}
	inBrackets := letters <= mostInitials && strings.HasSuffix(before, "(") && strings.HasPrefix(after, ")")
	return inBrackets || !sound || inCapital.MatchString(word)
}
