package fdp

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// saidLine matches the line in a place that says it.
var saidLine = regexp.MustCompile(`(?:^|\()line (\d+)`)

// Locate finds the lines of the places in the document that the problems are of. What is not there has the line of what lacks it.
func (p Problems) Locate(text []byte) {
	lines, root := map[string]int{}, yaml.Node{}
	// JSON is YAML but for tabs, which stand nowhere in a text of JSON. Where it is no YAML for another reason, the lines stay unknown.
	if yaml.Unmarshal(bytes.ReplaceAll(text, []byte{'\t'}, []byte{' '}), &root) == nil && len(root.Content) > 0 {
		linesOf(root.Content[0], "", lines)
	}
	for i := range p {
		if said := saidLine.FindStringSubmatch(p[i].Place); said != nil {
			p[i].Line, _ = strconv.Atoi(said[1])
			continue
		}
		place := p[i].Place
		for p[i].Line = lines[place]; place != "" && p[i].Line == 0; p[i].Line = lines[place] {
			place = place[:max(0, strings.LastIndexAny(place, ".["))]
		}
	}
}

// linesOf writes down at which lines a value and those in it begin, by their places.
func linesOf(n *yaml.Node, place string, lines map[string]int) {
	lines[place] = n.Line
	for i, inner := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			linesOf(inner, nth(place, i), lines)
		case i%2 == 1:
			linesOf(inner, at(place, n.Content[i-1].Value), lines)
		}
	}
}
