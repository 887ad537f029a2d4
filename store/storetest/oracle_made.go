package storetest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"fiscube/cube"
)

// joined matches a cell that holds a code and its label (design, section 5).
var joined = regexp.MustCompile(`^[\s\p{Z}]*(\d[\d.]*)([\s\p{Z}]*-[\s\p{Z}]*|[\s\p{Z}]+)([^\s\p{Z}]*\p{L}.*)$`)

// made gives the cell of a column: the published one of its name, unless the model says how it is made.
func made(column cube.Column, published map[string]string, resource string) string {
	cell := published[column.Name]
	if column.From != nil {
		cell = derived(column.From, published, resource)
	}
	return informed(column.Markers, cell)
}

func derived(from *cube.Derivation, published map[string]string, resource string) string {
	cell := published[append(from.Fields, "")[0]]
	switch from.Rule {
	case cube.RuleCode, cube.RuleLabel:
		return half(from.Rule, cell)
	case cube.RulePrefix:
		if code := published[from.Fields[1]]; cell == "" && len(code) == from.Length {
			return code[:from.Digits] + from.Suffix
		}
	case cube.RuleFirstOf:
		for _, field := range slices.Backward(from.Fields) {
			cell = cmp.Or(published[field], cell)
		}
	case cube.RuleResource:
		return regexp.MustCompile(from.Pattern).FindStringSubmatch(resource)[1]
	}
	return cell
}

// half is the code or the label of a joined cell; a cell that joins nothing is both.
func half(rule cube.Rule, cell string) string {
	halves := joined.FindStringSubmatch(cell)
	switch {
	case halves == nil:
		return strings.TrimSpace(cell)
	case rule == cube.RuleCode:
		return halves[1]
	}
	return halves[3]
}

// informed writes the markers of what is not informed in one way.
func informed(markers []string, cell string) string {
	if slices.ContainsFunc(markers, func(m string) bool { return plain(m) == plain(cell) }) {
		return markers[0]
	}
	return cell
}

// plain is a text without case, accents and what surrounds it.
func plain(text string) string {
	bare := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	plain, _, err := transform.String(bare, strings.ToLower(strings.Trim(tidied(text), " -")))
	if err != nil {
		panic(err) // these transformers fail on no text
	}
	return plain
}
