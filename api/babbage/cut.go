package babbage

import (
	"regexp"
	"unicode/utf8"

	"fiscube/cube"
)

// missing is how a value outside quotes says that there is none; answers have null there.
const missing = "__null__"

// between are two whole numbers joined by a hyphen, which is a sign too.
var between = regexp.MustCompile(`^(-?[0-9]+)-(-?[0-9]+)$`)

// Cuts reads the parameter cut.
func (n *Names) Cuts(text string) ([]cube.Cut, error) {
	text = n.prepared(text, ofCuts)
	list, err := cube.ParseCut(text)
	if err != nil {
		return nil, err
	}
	written := []rune(text)
	for i, cut := range list {
		found, ok := n.resolve(cut.Ref)
		if !ok {
			return nil, n.refuse(cut.Ref, anAttribute)
		}
		list[i].Ref = cube.Ref{Name: found.fields[0], At: cut.Ref.At}
		column, alone := n.column(found.fields[0])
		for j, item := range cut.Items {
			if item.Op == cube.OpEqual && (len(item.Path) == 1 || !alone) {
				cut.Items[j] = meant(item, written[item.At.Offset:], column.Type == cube.TypeInteger)
			}
		}
	}
	return list, nil
}

// column gives the column whose values a cut on a field names alone, or on a dimension of one level. The values of
// others are paths. A label is compared as text.
func (n *Names) column(name string) (cube.Column, bool) {
	column, ok := n.model.Column(name)
	if d, _ := n.model.Dimension(name); !ok && len(d.Levels) == 1 && len(d.Levels[0].Path) == 1 {
		column, ok = n.model.Column(d.Levels[0].Ref)
	}
	if level, isLevel := n.model.Level(name); isLevel && level.LabelRef == name {
		column.Type = cube.TypeText
	}
	return column, ok
}

// meant reads what means something of its own outside quotes. A hyphen does between whole numbers alone: codes have
// hyphens too, and are not always quoted.
func meant(item cube.Item, written []rune, numbers bool) cube.Item {
	for i, key := range item.Path {
		length := utf8.RuneCountInString(key)
		bounds := between.FindStringSubmatch(key)
		switch {
		case len(written) > 0 && written[0] == '"':
			length = quotedLength(written)
		case key == missing:
			item.Path[i] = ""
		case numbers && bounds != nil:
			return cube.Item{Op: cube.OpRange, From: bounds[1], To: bounds[2], At: item.At}
		}
		written = written[min(length+1, len(written)):]
	}
	return item
}

// quotedLength counts the characters of the JSON string that a text begins with.
func quotedLength(text []rune) int {
	i := 1
	for ; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}
