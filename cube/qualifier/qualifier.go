// Package qualifier knows the words by which publishers say what amounts are: their phase, direction, currency and kind.
package qualifier

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/BurntSushi/toml"

	"fiscube/cube"
	"fiscube/internal/each"
)

//go:embed words.toml
var wordsFile string

// table is words.toml. Its words are in small letters.
type table struct {
	meanings map[string]map[string]string // by qualifier and word: phase, ist → executed
	names    map[string]string            // the qualifier that a column of a name has: betrag-typ → phase
}

var texts = sync.OnceValue(func() table {
	var read map[string]map[string]string
	if _, err := toml.Decode(wordsFile, &read); err != nil {
		panic(err) // it is embedded
	}
	meanings := map[string]map[string]string{}
	for qualifier, lists := range read {
		meanings[qualifier] = map[string]string{}
		for meaning, list := range lists {
			for word := range strings.SplitSeq(list, ",") {
				word = strings.TrimSpace(word)
				meanings[qualifier][strings.ToLower(word)] = cmp.Or(meaning, word)
			}
		}
	}
	return table{meanings, meanings["name"]}
})

// MeaningOf gives what a publisher's word means as a qualifier: for a phase one of the standard's four, for a direction expenditure or
// revenue, for a currency its code. It is "" for other words.
func MeaningOf(qualifier, word string) string {
	return texts().meanings[qualifier][strings.ToLower(strings.TrimSpace(word))]
}

// letterPairs are the letters that stand for both directions, or both sides of accounts, in tables of a country, in lower case, and what they mean.
var letterPairs = []struct {
	qualifier string
	pairs     []string
	meanings  [2]string
}{{"direction", []string{"ea", "ig", "rd", "re"}, [2]string{"revenue", "expenditure"}}, {"kind", []string{"dc", "da", "dh", "sh"}, [2]string{"debit", "credit"}}}

// Among gives what a publisher's word means as a qualifier beside the others of its column: single letters mean what they do in pairs (E and A
// are Einnahmen and Ausgaben, R and E revenue and expenditure).
func Among(qualifier, word string, all []string) string {
	if word = strings.ToLower(strings.TrimSpace(word)); len(word) != 1 {
		return MeaningOf(qualifier, word)
	}
	var letters []string
	for _, other := range all {
		if other = strings.ToLower(strings.TrimSpace(other)); other != "" && !slices.Contains(letters, other) {
			letters = append(letters, other)
		}
	}
	slices.Sort(letters)
	for _, l := range letterPairs {
		for _, pair := range l.pairs {
			if l.qualifier == qualifier && slices.Equal(letters, slices.Sorted(slices.Values([]string{pair[:1], pair[1:]}))) {
				return l.meanings[strings.Index(pair, word)]
			}
		}
	}
	return MeaningOf(qualifier, word)
}

// NamePart writes a publisher's word as a part of the name of a field.
func NamePart(word string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), "_")
}

// NameOf names one of the words for a qualifier, as a part of the name of a measure: by what it means, unless another word means the same.
func NameOf(qualifier, word string, all []string) string {
	meaning := Among(qualifier, word, all)
	for _, other := range all {
		if other != word && Among(qualifier, other, all) == meaning {
			meaning = ""
		}
	}
	return cmp.Or(strings.ToLower(meaning), NamePart(word), "unknown")
}

// Most is how many members a column has at most that looks like a qualifier.
const Most = 12

// LooksLike gives the qualifier that a column looks like, by its name or by its members, or "": where all members are words for one, with
// two meanings at least.
func LooksLike(name string, members []string) string {
	if len(members) < 2 || len(members) > Most {
		return ""
	}
	for _, qualifier := range cube.Qualifiers {
		var meanings []string
		known := 0
		for _, member := range members {
			if meaning := Among(qualifier, member, members); meaning != "" {
				known++
				meanings = each.Once(meanings, meaning)
			}
		}
		if known == len(members) && len(meanings) > 1 {
			return qualifier
		}
	}
	return texts().names[strings.ToLower(strings.TrimSpace(name))]
}
