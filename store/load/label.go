package load

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"fiscube/cube"
)

// tidy is a label as it is displayed: no-break spaces, doubled and outer spaces and control characters become
// single spaces or nothing. The fact keeps the cell.
func tidy(label string) string {
	return strings.Join(strings.FieldsFunc(label, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// fold is a text without case and accents, for looking things up.
func fold(text string) string {
	unaccent := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	plain, _, err := transform.String(unaccent, text)
	if err != nil {
		plain = text // these transformers fail on no text; a folded text is only a way to find things
	}
	return cases.Fold().String(plain)
}

// rank numbers members by their display text in the order of the Unicode collation's root, from 1; equal
// texts share a rank, and members that are missing and without label have none.
func rank(list []cube.Member) {
	collator, buffer := collate.New(language.Und), &collate.Buffer{}
	keys := make([][]byte, len(list))
	order := make([]int, 0, len(list))
	for i, m := range list {
		if text := display(m); text != "" {
			keys[i] = collator.KeyFromString(buffer, text)
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(keys[a], keys[b]) })
	for n, i := range order {
		if n > 0 && bytes.Equal(keys[order[n-1]], keys[i]) {
			list[i].Rank = list[order[n-1]].Rank
			continue
		}
		list[i].Rank = int64(n + 1)
	}
}
