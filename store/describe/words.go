package describe

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"fiscube/internal/fold"
	"fiscube/store/evidence"
)

// wordsOf splits the name of a column where its case changes, between letters and digits, and at everything else: codigoNivel is
// codigo nivel, admin1_code is admin 1 code. Words are without case and accents.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, fold.Text(string(word)))
			word = nil
		}
	}
	var last rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end()
		case unicode.IsDigit(r) != unicode.IsDigit(last) && len(word) > 0, unicode.IsUpper(r) && unicode.IsLower(last):
			end()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		last = r
	}
	end()
	if len(words) == 0 {
		return []string{name} // of signs alone
	}
	return words
}

//go:embed words.toml
var wordsFile string

// set is words without case and accents.
type set map[string]bool

func setOf(words string) set {
	all := set{}
	for word := range strings.FieldsSeq(words) {
		all[fold.Text(word)] = true
	}
	return all
}

// UnmarshalText reads words with spaces between them.
func (s *set) UnmarshalText(text []byte) error {
	*s = setOf(string(text))
	return nil
}

// vocabulary is words.toml.
var vocabulary = func() (v struct {
	Code, Label, Year, Publication, Month, Date, Money, Amount, Rate, Count, Sum, Level, Document, Contact, OtherDate, FirstReport, LastReport, Finance, Generic set

	Phrases          []struct{ Of, Words string }
	Concept          []meant
	Phase, Direction []meant
	Rank             map[string]set
}) {
	if read, err := toml.Decode(wordsFile, &v); err != nil || len(read.Undecoded()) > 0 {
		panic(fmt.Sprint(err, read.Undecoded())) // it is embedded
	}
	return v
}()

// meant is what words mean.
type meant struct {
	Of    string
	Words set
}

// isOfParties tells whether a name is that of suppliers or recipients, who may be as many as there are rows.
func isOfParties(words []string) bool {
	c, _, _ := conceptOf(words)
	return c == supplier || c == recipient
}

// has gives the first of the words that is in a set, or "".
func has(words []string, in set) string {
	for _, word := range words {
		if in[word] {
			return word
		}
	}
	return ""
}

// concept is what a level is about. Its name is that of the dimension.
type concept struct {
	name, kind, classification string
}

// The concepts of the published format, and object, which is economic too.
var (
	fact           = concept{"budget-line-id", "fact", ""}
	expenditure    = concept{"expenditure-type", "other", ""}
	finSource      = concept{"fin-source", "other", ""}
	geo            = concept{"geo-source", "location", ""}
	functional     = concept{"functional-classification", "classification", "functional"}
	object         = concept{"object-of-expenditure", "classification", "economic"}
	economic       = concept{"economic-classification", "classification", "economic"}
	activity       = concept{"activity", "activity", ""}
	administrative = concept{"administrative-classification", "classification", "administrative"}
	supplier       = concept{"supplier", "other", ""}
	recipient      = concept{"recipient", "other", ""}
)

// concepts are all of them, by the dimension that their words name.
var concepts = []concept{fact, expenditure, finSource, geo, functional, object, economic, activity, administrative, supplier, recipient}

// conceptNamed gives the concept of a dimension.
func conceptNamed(name string) concept {
	return concepts[slices.IndexFunc(concepts, func(c concept) bool { return c.name == name })]
}

// conceptOf gives what a name is about, and the words that say so.
func conceptOf(words []string) (c concept, why string, ok bool) {
	for _, p := range vocabulary.Phrases {
		phrase := strings.Fields(p.Words)
		all := !slices.ContainsFunc(phrase, func(word string) bool { return !slices.Contains(words, word) })
		if all {
			return conceptNamed(p.Of), p.Words, true
		}
	}
	for _, c := range vocabulary.Concept {
		if word := has(words, c.Words); word != "" {
			return conceptNamed(c.Of), word, true
		}
	}
	return concept{}, "", false
}

// rankOf gives the rank of a level by the first word of its name that has one; 0 where none has.
func rankOf(words []string) int {
	for _, word := range words {
		for rank, of := range vocabulary.Rank {
			if of[word] {
				return int(rank[0] - '0')
			}
		}
	}
	return 0
}

// numberIn gives the number of a level in its name, as in admin1_code; 0 where there is none.
func numberIn(words []string) int {
	for _, word := range words {
		if evidence.IsDigits(word) && len(word) == 1 {
			return int(word[0] - '0')
		}
	}
	return 0
}
