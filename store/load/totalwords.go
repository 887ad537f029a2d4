package load

import (
	"slices"
	"strings"
	"unicode"

	"fiscube/internal/fold"
)

// keySet says which keys and labels a row has: fieldStats.bit of each, for the first 63 of them.
type keySet uint64

// ofNamed is the set of all rows with a word for a total. No field has its bit.
const ofNamed = keySet(1) << 63

// has tells whether all of the other keys are in the set.
func (k keySet) has(other keySet) bool { return k&other == other }

// totalWords name a total, without case and accents, in languages of published budgets.
var totalWords = wordSet(`total totals totales totais totaal totale totaux totalt totalsum subtotal subtotals subtotales suma sumas summa
	summe somme sumarum ukupno sveukupno sveukupan medusuma insgesamt gesamt gesamtsumme gesamtergebnis razem ogolem celkem spolu skupaj
	toplam osszesen yhteensa kokku kopa viso συνολο 合計 合计 総計 小計 소계 합계 المجموع סהכ lacznie итого всего всього укупно вкупно`)

// besideTotal are words that do not say what is added up.
var besideTotal = wordSet(`general generales geral global overall grand gran sub de del la el los las of the and y i e ano year godina
	gasto gastos ingreso ingresos importe presupuesto gobierno rashodi prihodi izdaci expenditure expenses revenue spending budget
	ii iii iv v vi`)

func wordSet(words string) map[string]struct{} {
	set := map[string]struct{}{}
	for _, word := range strings.Fields(words) {
		set[word] = struct{}{}
	}
	return set
}

func isTotalWord(word string) bool {
	_, ok := totalWords[word]
	return ok
}

// totalName says whether a cell names a total, and whether it says nothing else.
type totalName struct{ names, alone bool }

// nameOfTotal tells whether a cell begins or ends with a word for a total, and whether it says nothing else, as "Sub-total
// (I+II)" and "T O T A L" do.
func nameOfTotal(cell string) (names, alone bool) {
	const longest = 80
	if len(cell) < len("suma") || len(cell) > longest {
		return false, false
	}
	words := strings.FieldsFunc(fold.Text(cell), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 {
		return false, false
	}
	alone = strings.Join(words, "") == "total" || slices.ContainsFunc(words, isTotalWord) && !slices.ContainsFunc(words, func(word string) bool {
		_, beside := besideTotal[word]
		return !beside && !isTotalWord(word)
	})
	return alone || isTotalWord(words[0]) || isTotalWord(words[len(words)-1]), alone
}

// IsTotal tells whether a cell names a total and says nothing else.
func IsTotal(cell string) bool {
	_, alone := nameOfTotal(cell)
	return alone
}

// namedTotal is a row with a word for a total.
type namedTotal struct {
	line  int64
	cells []string
	keys  [2]keySet // that it has without the word, and without the code or label beside the word
	alone bool      // the word is all that a cell says

	member     []string // its cells with the member that it is the total of: Police for Police Total; nil where it names none
	memberKeys keySet
}

// groups gives the keys, with their cells, of the rows that the total may be the sum of.
func (t namedTotal) groups(yield func(keySet, []string) bool) {
	for _, keys := range t.keys {
		if !yield(keys, t.cells) {
			return
		}
	}
	if t.member != nil {
		yield(t.memberKeys, t.member)
	}
}

// withoutTotal takes the words for a total off the beginning and the end of a name.
func withoutTotal(name string) string {
	words := strings.Fields(name)
	isTotal := func(word string) bool {
		return isTotalWord(strings.TrimFunc(fold.Text(word), func(r rune) bool { return !unicode.IsLetter(r) }))
	}
	for len(words) > 0 && isTotal(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && isTotal(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Trim(strings.Join(words, " "), " -–:()")
}
