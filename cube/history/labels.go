package history

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"fiscube/cube"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// Settle chooses the labels of the members of a level, each of which has its labels of each year with their rows, in any
// order. It sets their rows and labels, the texts that they are found by, and the ranks by which they are sorted.
func Settle(list []cube.Member) {
	for i := range list {
		m := &list[i]
		m.Labels = choose(m.Labels)
		for _, label := range m.Labels {
			m.Rows += label.Rows
			m.Label = cmp.Or(m.Label, label.Text)
		}
		setFolds(m)
	}
	rank(list)
}

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
	lines := []string{fold.Text(tidy.Label(key))}
	for _, label := range labels {
		lines = append(lines, fold.Text(label))
	}
	slices.Sort(lines)
	return strings.TrimPrefix(strings.Join(slices.Compact(lines), "\n"), "\n")
}

// choose sorts the labels that the rows give a member: the latest year first, a missing year last. Within a
// year the label of the most rows comes first, of equals the smallest text, and no label comes last; the first
// is displayed. So the first text of all is the label without regard to years.
func choose(labels []cube.Label) []cube.Label {
	labels = merge(labels)
	slices.SortFunc(labels, compareLabels)
	for i := range labels {
		labels[i].Shown = i == 0 || labels[i-1].Year != labels[i].Year
	}
	return labels
}

// merge adds up those that are the same.
func merge(labels []cube.Label) []cube.Label {
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

// display is the text that a member is displayed by: the label or else its key.
func display(m cube.Member, label string) string {
	return cmp.Or(label, ownKey(m).String())
}
