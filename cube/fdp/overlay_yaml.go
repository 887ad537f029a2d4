package fdp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fiscube/cube"
)

// MostOverlayBytes is what an overlay may be at most; the largest that ships has 10 KB.
const MostOverlayBytes = 256 << 10

// node is one value of an overlay, its place and its line. Where yaml is nil, the value is absent.
type node struct {
	yaml   *yaml.Node
	place  string
	line   int
	report *report
}

// where names the place of n and its line.
func (n node) where() string {
	if n.place == "" {
		return fmt.Sprintf("line %d", n.line)
	}
	return fmt.Sprintf("%s (line %d)", n.place, n.line)
}

func (n node) problem(format string, args ...any) { n.report.add(n.where(), format, args...) }

func (n node) absent() bool { return n.yaml == nil }

// child gives the value y that stands in n at place.
func (n node) child(y *yaml.Node, place string) node { return node{y, place, y.Line, n.report} }

// kind names what n is.
func (n node) kind() string {
	switch {
	case n.yaml.Kind == yaml.MappingNode:
		return "a mapping"
	case n.yaml.Kind == yaml.SequenceNode:
		return "a list"
	case n.yaml.Tag == "!!null":
		return "nothing"
	}
	return "text"
}

// parseOverlay reads YAML that is safe to walk: one document, no tags, no anchors, each key once, not too deep.
func parseOverlay(text []byte, r *report) node {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch bad := invalidUTF8(text); {
	case len(text) > MostOverlayBytes:
		r.add("", "an overlay of %d bytes; at most %d are read", len(text), MostOverlayBytes)
	case bad >= 0:
		r.add(lineColumn(text, bad), "the overlay is not UTF-8 text")
	default:
		return decodeYAML(text, r)
	}
	return node{}
}

func decodeYAML(text []byte, r *report) node {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		r.add("", "the overlay is empty")
	case err != nil:
		r.addYAML(err)
	default:
		root := node{yaml: document.Content[0], line: document.Content[0].Line, report: r}
		root.check(0)
		if !errors.Is(decoder.Decode(&more), io.EOF) {
			r.add("", "more than one document")
		}
		return root
	}
	return node{}
}

// yamlError matches the errors of the YAML reader.
var yamlError = regexp.MustCompile(`^yaml: (?:(line \d+): )?(.*)$`)

func (r *report) addYAML(err error) {
	place, message := "line 1", err.Error() // the reader names the later lines only
	if match := yamlError.FindStringSubmatch(message); match != nil {
		place, message = cmp.Or(match[1], place), match[2]
	}
	r.add(place, "no YAML: %s", message)
}

// check reports what no overlay may hold, all the way down.
func (n node) check(depth int) {
	switch y := n.yaml; {
	case depth > mostNesting:
		n.problem("nested more than %d deep", mostNesting)
		return
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		n.problem("anchors and aliases are not supported")
		return
	case y.Style&yaml.TaggedStyle != 0:
		n.problem("tags are not supported")
		return
	case y.Kind == yaml.MappingNode:
		n.checkKeys(depth)
	case y.Kind == yaml.SequenceNode:
		for i, item := range y.Content {
			n.child(item, nth(n.place, i)).check(depth + 1)
		}
	}
}

func (n node) checkKeys(depth int) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		key := n.yaml.Content[i]
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			n.child(key, n.place).problem("a key must be text")
			continue
		}
		n.child(key, n.place).check(depth)
		value := n.child(n.yaml.Content[i+1], at(n.place, key.Value))
		if seen[key.Value] {
			n.child(key, value.place).problem("the key stands twice")
		}
		seen[key.Value] = true
		value.check(depth + 1)
	}
}

// mapping is a YAML mapping in its written order. Keys are taken one by one; done reports those left over.
type mapping struct {
	node
	keys   []string
	values map[string]node
	taken  []string
}

// mapping reads n as a mapping: nil where n is absent, or is something else and was reported.
func (n node) mapping() *mapping {
	if n.absent() {
		return nil
	}
	if n.yaml.Kind != yaml.MappingNode {
		n.problem("must be a mapping, not %s", n.kind())
		return nil
	}
	m := &mapping{node: n, values: map[string]node{}}
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		key := n.yaml.Content[i].Value
		m.keys = append(m.keys, key)
		m.values[key] = n.child(n.yaml.Content[i+1], at(n.place, key))
	}
	return m
}

// take gives the value of a key that overlays have; an absent one stands at the line of its mapping.
func (m *mapping) take(key string) node {
	if !slices.Contains(m.taken, key) {
		m.taken = append(m.taken, key)
	}
	if v, ok := m.values[key]; ok {
		return v
	}
	return node{place: at(m.place, key), line: m.line, report: m.report}
}

// done reports the keys that were not taken.
func (m *mapping) done() {
	for _, key := range m.keys {
		if !slices.Contains(m.taken, key) {
			m.values[key].problem("unknown key; %s", m.report.meant(key, m.taken, "write "))
		}
	}
}

// mostHints bounds what a hostile overlay can make us compare.
const mostHints = 50

// near gives the known name nearest to the one asked, or "".
func (r *report) near(asked string, known []string) string {
	if len(r.kept) >= mostHints || len(asked) > mostNameRunes {
		return ""
	}
	return cube.Nearest(asked, known)
}

// meant asks whether the nearest known name was meant; where none is near it lists them all after the words.
func (r *report) meant(asked string, known []string, words string) string {
	if name := r.near(asked, known); name != "" {
		return "did you mean " + name + "?"
	}
	return words + oneOfThem(known)
}

// oneOfThem lists words as a choice: a, b or c.
func oneOfThem(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
