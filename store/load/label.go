package load

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/fold"
)

// setFolds sets the texts that a member is found by, in all years and in the year of each label.
func setFolds(m *cube.Member) {
	key := m.Path[len(m.Path)-1].String()
	var texts []string
	for i := range m.Labels {
		if l := &m.Labels[i]; i > 0 && l.Text == m.Labels[i-1].Text { // labels stay the same from year to year
			l.Fold = m.Labels[i-1].Fold
		} else {
			l.Fold = folded(key, l.Text)
			texts = append(texts, l.Text)
		}
	}
	m.Fold = folded(key, texts...)
}

// folded joins a key and labels, tidied and without case and accents, each once on a line of its own. So no text without a
// line end is found across two of them.
func folded(key string, labels ...string) string {
	lines := []string{fold.Text(cube.Tidy(key))}
	for _, label := range labels {
		lines = append(lines, fold.Text(label))
	}
	slices.Sort(lines)
	return strings.TrimPrefix(strings.Join(slices.Compact(lines), "\n"), "\n")
}

// chooseLabels sorts the labels that the rows give a member: the latest year first, a missing year last. Within a
// year the label of the most rows comes first, of equals the smallest text, and no label comes last; the first
// is displayed. So the first text of all is the label without regard to years.
func chooseLabels(uses []use) []cube.Label {
	labels := make([]cube.Label, len(uses))
	for i, u := range uses {
		labels[i] = cube.Label{Year: keyOf(u.year, cube.TypeInteger), Text: cube.Tidy(u.text), Rows: u.rows}
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

// numberTexts numbers the texts from 1 in the order of the Unicode collation's root. Texts that it takes for equal
// share a number; the empty text has none.
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

// shownPath writes the path of a member: 2/3@2012, if the level of the 3 has editions.
func shownPath(m *cube.Model, level cube.Level, path []string) string {
	var keys []string
	edition := ""
	for i, key := range path {
		if m.IsEdition(level.Path[i]) && i < len(path)-1 {
			edition = "@" + key
			continue
		}
		keys = append(keys, key+edition)
		edition = ""
	}
	return strings.Join(keys, "/")
}

// CodeLabelAmbiguous is the finding of members with several labels in one year.
const CodeLabelAmbiguous = "label-ambiguous"

// ambiguous reports the members that have labels in one year which differ by more than case, accents or
// space, once for each member and year.
func ambiguous(model *cube.Model, level cube.Level, list []cube.Member) (findings.Finding, bool) {
	f := findings.Finding{
		Code: CodeLabelAmbiguous, Severity: findings.SeverityWarning, Field: level.Ref,
		Message: "members have several labels in one year; that of the most rows is shown",
	}
	for _, m := range list {
		for first := 0; first < len(m.Labels); {
			year := m.Labels[first:]
			if end := slices.IndexFunc(year, func(l cube.Label) bool { return l.Year != year[0].Year }); end >= 0 {
				year = year[:end]
			}
			if labels := different(year); len(labels) > 1 {
				f.Count++
				if len(f.Places) < mostPlaces {
					f.Places = append(f.Places, findings.Place{Cell: fmt.Sprintf("%s in %s: %s",
						shownPath(model, level, pathText(m)), cmp.Or(year[0].Year.String(), "no year"), strings.Join(labels, ", "))})
				}
			}
			first += len(year)
		}
	}
	return f, f.Count > 0
}

// different quotes the labels that are not the same as an earlier one but for case and accents.
func different(labels []cube.Label) []string {
	if len(labels) == 1 {
		return nil
	}
	var texts, folds []string
	for _, l := range labels {
		if plain := fold.Text(l.Text); l.Text != "" && !slices.Contains(folds, plain) {
			folds = append(folds, plain)
			texts = append(texts, `"`+clip(l.Text)+`"`)
		}
	}
	return texts
}
