package cube

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Qualifiers are what an amount is beside its number, in the order in which the names of measures have them. Amounts that differ in one
// are never added: a measure is one combination of them.
var Qualifiers = []string{"phase", "direction", "currency", "kind"}

// QualifierOfType gives the qualifier that the cells of a column type of Fiscal Data Package are, or "".
func QualifierOfType(columnType string) string {
	switch first, _, _ := strings.Cut(columnType, ":"); first {
	case "phase", "direction":
		return first
	case "value-currency":
		return "currency"
	case "value-kind":
		return "kind"
	}
	return ""
}

//go:embed qualifiers.txt
var qualifierWords string

// qualifierTable is qualifiers.txt. Its words are in lower case.
type qualifierTable struct {
	meanings map[string]map[string]string // by qualifier and word: phase, ist → executed
	names    map[string]string            // the qualifier that a column of a name has: betrag-typ → phase
}

var qualifierTexts = sync.OnceValue(func() qualifierTable {
	table := qualifierTable{map[string]map[string]string{}, map[string]string{}}
	for line := range strings.Lines(qualifierWords) {
		head, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		qualifier, meaning, _ := strings.Cut(head, " ")
		words := table.names
		if qualifier != "name" {
			if table.meanings[qualifier] == nil {
				table.meanings[qualifier] = map[string]string{}
			}
			words = table.meanings[qualifier]
		}
		for word := range strings.SplitSeq(list, ",") {
			word = strings.TrimSpace(word)
			words[strings.ToLower(word)] = cmp.Or(meaning, word) // a currency is its code
		}
	}
	return table
})

// MeaningOf gives what a publisher's word means as a qualifier: for a phase one of the standard's four, for a direction expenditure or
// revenue, for a currency its code. It is "" for other words.
func MeaningOf(qualifier, word string) string {
	return qualifierTexts().meanings[qualifier][strings.ToLower(strings.TrimSpace(word))]
}

// letterPairs are the letters that stand for both directions, or both sides of accounts, in tables of a country, in lower case, and what they mean.
var letterPairs = []struct {
	qualifier string
	pairs     []string
	meanings  [2]string
}{{"direction", []string{"ea", "ig", "rd", "re"}, [2]string{"revenue", "expenditure"}}, {"kind", []string{"dc", "da", "dh", "sh"}, [2]string{"debit", "credit"}}}

// MeaningAmong gives what a publisher's word means as a qualifier beside the others of its column: single letters mean what they do in pairs (E and A
// are Einnahmen and Ausgaben, R and E revenue and expenditure).
func MeaningAmong(qualifier, word string, all []string) string {
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

// NameOfQualifier names one of the words for a qualifier, as a part of the name of a measure: by what it means, unless another word means the same.
func NameOfQualifier(qualifier, word string, all []string) string {
	meaning := MeaningAmong(qualifier, word, all)
	for _, other := range all {
		if other != word && MeaningAmong(qualifier, other, all) == meaning {
			meaning = ""
		}
	}
	return cmp.Or(strings.ToLower(meaning), NamePart(word), "unknown")
}

// MostQualifying is how many members a column has at most that looks like a qualifier.
const MostQualifying = 12

// LooksLike gives the qualifier that a column looks like, by its name or by its members, or "": where all members are words for one, with
// two meanings at least.
func LooksLike(name string, members []string) string {
	if len(members) < 2 || len(members) > MostQualifying {
		return ""
	}
	for _, qualifier := range Qualifiers {
		var meanings []string
		known := 0
		for _, member := range members {
			if meaning := MeaningAmong(qualifier, member, members); meaning != "" {
				known++
				if !slices.Contains(meanings, meaning) {
					meanings = append(meanings, meaning)
				}
			}
		}
		if known == len(members) && len(meanings) > 1 {
			return qualifier
		}
	}
	return qualifierTexts().names[strings.ToLower(strings.TrimSpace(name))]
}

// NoQualifier says in Package.Qualifiers that no field is the qualifier.
const NoQualifier = "none"

// Undeclared is a level that looks like a qualifier of amounts and that nobody has declared, so that answers may add up over it.
type Undeclared struct {
	Level     string   `json:"level"`
	Qualifier string   `json:"qualifier"`
	Members   []string `json:"members"`
}
