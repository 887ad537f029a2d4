package load

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
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

// chooseLabels sorts what the rows of a member call it: the latest year first, a missing year last. Within a
// year the label of the most rows comes first, of equals the smallest text, and no label comes last; the first
// is shown. So the first text of all is the one to show of any year.
func chooseLabels(uses []use) []cube.Label {
	labels := make([]cube.Label, len(uses))
	for i, u := range uses {
		labels[i] = cube.Label{Year: keyOf(u.year, cube.TypeInteger), Text: tidy(u.text), Rows: u.rows}
	}
	labels = mergeLabels(labels)
	slices.SortFunc(labels, compareLabels)
	for i := range labels {
		labels[i].Shown = i == 0 || labels[i-1].Year != labels[i].Year
	}
	return labels
}

// mergeLabels adds up those that are the same once tidied.
func mergeLabels(labels []cube.Label) []cube.Label {
	slices.SortFunc(labels, func(a, b cube.Label) int {
		return cmp.Or(a.Year.Compare(b.Year), cmp.Compare(a.Text, b.Text))
	})
	merged := labels[:0]
	for _, l := range labels {
		if last := len(merged) - 1; last >= 0 && merged[last].Year == l.Year && merged[last].Text == l.Text {
			merged[last].Rows += l.Rows
			continue
		}
		merged = append(merged, l)
	}
	return merged
}

func compareLabels(a, b cube.Label) int {
	yearA, datedA := a.Year.Int()
	yearB, datedB := b.Year.Int()
	return cmp.Or(compareBools(datedA, datedB), cmp.Compare(yearB, yearA), compareBools(a.Text != "", b.Text != ""),
		cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Text, b.Text))
}

// compareBools puts true before false.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// rank numbers members and their labels by their display texts. Both share one numbering, so that an order
// may go by either.
func rank(list []cube.Member) {
	ranks := map[string]int64{}
	for _, m := range list {
		for _, l := range m.Labels {
			ranks[display(m, l.Text)] = 0
		}
	}
	numberTexts(ranks)
	for i := range list {
		m := &list[i]
		m.Rank = ranks[display(*m, m.Label)]
		for j := range m.Labels {
			m.Labels[j].Rank = ranks[display(*m, m.Labels[j].Text)]
		}
	}
}

// numberTexts gives each text its place from 1 in the order of the Unicode collation's root. Texts that it
// takes for equal share a place; no text has none.
func numberTexts(ranks map[string]int64) {
	delete(ranks, "")
	collator, buffer := collate.New(language.Und), &collate.Buffer{}
	keys := make(map[string][]byte, len(ranks))
	for text := range ranks {
		keys[text] = collator.KeyFromString(buffer, text)
	}
	order := slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return bytes.Compare(keys[a], keys[b]) })
	for i, text := range order {
		ranks[text] = int64(i + 1)
		if i > 0 && bytes.Equal(keys[order[i-1]], keys[text]) {
			ranks[text] = ranks[order[i-1]]
		}
	}
}

// CodeLabelAmbiguous is the finding of members with several labels in one year.
const CodeLabelAmbiguous = "label-ambiguous"

// ambiguous tells of the members that have labels in one year which differ by more than case, accents or
// space, once for each member and year.
func ambiguous(level cube.Level, list []cube.Member) (cube.Finding, bool) {
	f := cube.Finding{
		Code: CodeLabelAmbiguous, Severity: cube.SeverityWarning, Field: level.Ref,
		Message: "members have several labels in one year; that of the most rows is shown",
	}
	for _, m := range list {
		for first := 0; first < len(m.Labels); {
			year := ofYear(m.Labels[first:])
			if labels := different(year); len(labels) > 1 {
				f.Count++
				if len(f.Places) < shown {
					f.Places = append(f.Places, cube.Place{Cell: ambiguityText(m, year[0].Year, labels)})
				}
			}
			first += len(year)
		}
	}
	return f, f.Count > 0
}

// ofYear gives the labels that stand at the front and are of one year.
func ofYear(labels []cube.Label) []cube.Label {
	end := slices.IndexFunc(labels, func(l cube.Label) bool { return l.Year != labels[0].Year })
	if end < 0 {
		return labels
	}
	return labels[:end]
}

// different quotes the labels that are not the same as an earlier one but for case and accents.
func different(labels []cube.Label) []string {
	if len(labels) == 1 {
		return nil
	}
	var texts, folds []string
	for _, l := range labels {
		if folded := fold(l.Text); l.Text != "" && !slices.Contains(folds, folded) {
			folds = append(folds, folded)
			texts = append(texts, `"`+clip(l.Text)+`"`)
		}
	}
	return texts
}

func ambiguityText(m cube.Member, year cube.Value, labels []string) string {
	keys := make([]string, len(m.Path))
	for i, key := range m.Path {
		keys[i] = key.String()
	}
	return fmt.Sprintf("%s in %s: %s", strings.Join(keys, "/"), cmp.Or(year.String(), "no year"), strings.Join(labels, ", "))
}
