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

// words are those of qualifiers.txt by what they mean: "phase" → "ist" → executed.
var words = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for line := range strings.Lines(qualifierWords) {
		head, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		qualifier, meaning, _ := strings.Cut(head, " ")
		if all[qualifier] == nil {
			all[qualifier] = map[string]string{}
		}
		for word := range strings.SplitSeq(list, ",") {
			word = strings.TrimSpace(word)
			if meaning == "" {
				all[qualifier][strings.ToLower(word)] = word
			} else {
				all[qualifier][word] = meaning
			}
		}
	}
	return all
})

// MeaningOf gives what a publisher's word means as a qualifier: for a phase one of the standard's four, for a direction expenditure or
// revenue, for a currency its code. It is "" for other words.
func MeaningOf(qualifier, word string) string {
	if qualifier == "name" {
		return ""
	}
	return words()[qualifier][strings.ToLower(strings.TrimSpace(word))]
}

// NamePart writes a publisher's word as a part of the name of a field.
func NamePart(word string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), "_")
}

// NameOfQualifier names one of the words for a qualifier, as a part of the name of a measure: by what it means, unless another word means the same.
func NameOfQualifier(qualifier, word string, all []string) string {
	meaning := MeaningOf(qualifier, word)
	for _, other := range all {
		if other != word && MeaningOf(qualifier, other) == meaning {
			meaning = ""
		}
	}
	return cmp.Or(strings.ToLower(meaning), NamePart(word), "unknown")
}

// mostQualifying is how many members a column has at most that looks like a qualifier.
const mostQualifying = 12

// LooksLike gives the qualifier that a column looks like, by its name or by its members, or "": where all members are words for one, with
// two meanings at least.
func LooksLike(name string, members []string) string {
	if len(members) < 2 || len(members) > mostQualifying {
		return ""
	}
	for _, qualifier := range []string{"phase", "direction", "currency"} {
		var meanings []string
		known := 0
		for _, member := range members {
			if meaning := MeaningOf(qualifier, member); meaning != "" {
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
	return words()["name"][strings.ToLower(strings.TrimSpace(name))]
}

// NoQualifier says in Package.Qualifiers that no field is the qualifier.
const NoQualifier = "none"

// Undeclared is a level that looks like a qualifier of amounts and that nobody has declared, so that answers may add up over it.
type Undeclared struct {
	Level     string   `json:"level"`
	Qualifier string   `json:"qualifier"`
	Members   []string `json:"members"`
}
