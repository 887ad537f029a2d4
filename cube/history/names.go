package history

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/fold"
)

// name is a label as it is compared with another one: without case, accents, space and punctuation.
type name struct {
	words   []string // in their order, without articles and prepositions
	letters string   // all words together, with articles and prepositions
	garbled int      // how many letters look like those of a text that was read in a wrong encoding
}

// mostLetters is how many bytes of a label are compared.
const mostLetters = 400

// nameOf reads a label. A label without a letter, such as "-" or "000", has no words.
func nameOf(label string) name {
	if len(label) > mostLetters {
		label = strings.ToValidUTF8(label[:mostLetters], "")
	}
	n := name{garbled: strings.Count(label, "\ufffd") + strings.Count(label, "Ã") + strings.Count(label, "Â")}
	words := strings.FieldsFunc(fold.Text(label), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	named := false
	for i, word := range words {
		n.letters += word
		named = named || strings.ContainsFunc(word, unicode.IsLetter)
		_, passed := connecting[word]
		if !passed || len(word) == 1 && i == len(words)-1 { // the last letter of "Zona A" is no preposition
			n.words = append(n.words, word)
		}
	}
	if !named {
		return name{}
	}
	return n
}

// isName tells whether a label says anything.
func (n name) isName() bool { return n.letters != "" }

// key is the same for names of the same words in any order.
func (n name) key() string {
	if len(n.words) == 0 {
		return n.letters
	}
	return strings.Join(slices.Sorted(slices.Values(n.words)), " ")
}

// connecting are articles, prepositions and conjunctions in the languages of the packages that are published.
var connecting = wordSet("a al con da das de del do dos e el em en entre la las lo los na o os para pela pelo por que se sin sobre su sus u un una uno y " +
	"an and as at by for from in of on or the to with " +
	"au aux avec dans des du et la le les ou par pour une " +
	"i iz ka kod kroz na od po pri s sa te uz za")

func wordSet(words string) map[string]struct{} {
	set := map[string]struct{}{}
	for _, word := range strings.Fields(words) {
		set[word] = struct{}{}
	}
	return set
}

// sameName tells whether two names differ in spelling only:
//
//  1. in punctuation and space, also inside a word
//  2. in the order of words and in those that only connect others
//  3. by abbreviated words (Sec., Admon.) and by initials for several words (IMSS)
//  4. by an ending, such as a plural, or a letter of a long word
//  5. as one is cut off at some number of characters
//  6. by letters that a wrong encoding has spoilt
func sameName(a, b name) bool {
	return a.letters == b.letters || truncated(a.letters, b.letters) || truncated(b.letters, a.letters) ||
		garbled(a, b) || sameWords(a.words, b.words) || sameWords(withInitials(a.words, b.words), b.words) ||
		sameWords(a.words, withInitials(b.words, a.words))
}

// sharesWord tells whether two names have a word in common that carries meaning, as it is or with another ending.
func sharesWord(a, b name) bool {
	return slices.ContainsFunc(a.words, func(x string) bool {
		return meaningful(x) && slices.ContainsFunc(b.words, func(y string) bool { return meaningful(y) && related(x, y) })
	})
}

// sameButForNumbers tells whether two names have the same words that carry meaning, as "Census" and "Census 2016" do.
func sameButForNumbers(a, b name) bool {
	meaning := func(n name) []string {
		return slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(n.words), func(word string) bool { return !meaningful(word) })))
	}
	return slices.Equal(meaning(a), meaning(b))
}

// meaningful tells whether a word is no number and no single letter.
func meaningful(word string) bool { return utf8.RuneCountInString(word) > 1 && !isNumber(word) }

// isNumber tells whether a word has a digit or is a Roman numeral, so that a letter more makes it another one.
func isNumber(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) || strings.Trim(word, "ivxlcdm") == ""
}

// sameWords tells whether each word of a name is, in any order, a word of the other one, or stands for it.
func sameWords(a, b []string) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	a, b = without(a, b), without(b, a)
	for _, word := range a {
		i := slices.IndexFunc(b, func(other string) bool { return sameWord(word, other) })
		if i < 0 {
			return false
		}
		b = slices.Delete(b, i, i+1)
	}
	return len(b) == 0
}

// without gives the words of a that are not among those of b, as often as b does not have them.
func without(a, b []string) []string {
	rest, b := []string{}, slices.Clone(b)
	for _, word := range a {
		if i := slices.Index(b, word); i >= 0 {
			b = slices.Delete(b, i, i+1)
			continue
		}
		rest = append(rest, word)
	}
	return rest
}

// sameWord tells whether a word is another one in short, with another ending or mistyped.
func sameWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if isNumber(a) || isNumber(b) {
		return a == b
	}
	const shortest, long = 3, 6
	switch longer := len(b) - len(a); {
	case len(a) < shortest:
		return a == b
	case strings.HasPrefix(b, a): // sec, admin, nacional and nacionales, but not inter and interna
		return longer <= 2 || len(a) <= 4 || !strings.ContainsAny(a[len(a)-1:], "aeiou")
	case longer > 2: // admon, gral, depto
		return a[0] == b[0] && a[len(a)-1] == b[len(b)-1] && isWithin(a, b)
	}
	return len(a) >= long && a[0] == b[0] && distance(a, b, 1) <= 1
}

// isWithin tells whether the letters of a are in b in their order.
func isWithin(a, b string) bool {
	for i := range len(b) {
		if a != "" && b[i] == a[0] {
			a = a[1:]
		}
	}
	return a == ""
}

// related tells whether two words have a stem in common, as far as their beginnings show it.
func related(a, b string) bool {
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	ending := len(a) == len(b) && common >= 3 && common == len(a)-1 // alta and alto
	return ending || common >= 5 && 2*common >= max(len(a), len(b)) || sameWord(a, b)
}

// withInitials puts the initials that the other name has in place of the words that they stand for.
func withInitials(words, other []string) []string {
	for _, initials := range other {
		n := utf8.RuneCountInString(initials)
		if n < 3 || n > len(words) || slices.Contains(words, initials) {
			continue
		}
		for from := range len(words) - n + 1 {
			if beginnings(words[from:from+n]) == initials {
				return slices.Concat(words[:from], []string{initials}, words[from+n:])
			}
		}
	}
	return words
}

func beginnings(words []string) string {
	var b strings.Builder
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(word)
		b.WriteRune(r)
	}
	return b.String()
}

// truncated tells whether a is b cut off at some number of characters. That a word ends where it was cut off is no
// surprise only if the text is long.
func truncated(a, b string) bool {
	const longEnough, long = 15, 60
	return len(a) >= longEnough && len(a) < len(b) && strings.HasPrefix(b, a) && (len(b)-len(a) <= 2 || len(a) >= long)
}

// garbled tells whether names with letters of a wrong encoding are otherwise the same.
func garbled(a, b name) bool {
	most := 2 * max(a.garbled, b.garbled)
	return most > 0 && 4*most <= len(a.letters) && distance(a.letters, b.letters, most) <= most
}

// distance counts the bytes to add, to remove or to replace to make a text another one; it gives up beyond most.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// nameOfMember reads a label of a member; one that repeats the key is no name.
func nameOfMember(m cube.Member, label string) name {
	if label == ownKey(m).String() {
		return name{}
	}
	return nameOf(label)
}
