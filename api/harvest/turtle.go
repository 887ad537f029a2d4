package harvest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"fiscube/api/encode"
)

// turtle writes a catalogue in Turtle (W3C): what its JSON-LD says. What is said of a thing with an address is a block of
// its own; a thing without one stands in brackets where it is named.
func turtle(c dcatCatalogue) []byte {
	w := turtleWriter{}
	for _, prefix := range slices.Sorted(maps.Keys(c.Context)) {
		w.WriteString("@prefix " + prefix + ": <" + c.Context[prefix] + "> .\n")
	}
	c.Context = nil
	var root map[string]any
	if err := json.Unmarshal(encode.Marshal(c), &root); err != nil {
		panic(err) // it was just written
	}
	delete(root, "@context")
	w.later = append(w.later, root)
	written := map[string]bool{}
	for i := 0; i < len(w.later); i++ {
		node := w.later[i]
		said := string(encode.Marshal(node))
		if written[said] {
			continue // things of lists are named again and again
		}
		written[said] = true
		w.WriteString("\n<" + node["@id"].(string) + ">")
		w.properties(node)
		w.WriteString(" .\n")
	}
	return w.Bytes()
}

type turtleWriter struct {
	bytes.Buffer
	later []map[string]any // the things with addresses, in the order in which they are named
}

// properties writes what a thing says of itself.
func (w *turtleWriter) properties(node map[string]any) {
	separator := " "
	for _, name := range slices.Sorted(maps.Keys(node)) {
		if name == "@id" {
			continue
		}
		w.WriteString(separator)
		separator = " ;\n  "
		if name == "@type" {
			w.WriteString("a " + node[name].(string))
			continue
		}
		w.WriteString(name)
		list, ok := node[name].([]any)
		if !ok {
			list = []any{node[name]}
		}
		for i, value := range list {
			if i > 0 {
				w.WriteString(",")
			}
			w.value(value)
		}
	}
}

// value writes a literal or names a thing. JSON escapes the characters of a string as Turtle does.
func (w *turtleWriter) value(value any) {
	w.WriteByte(' ')
	node, ok := value.(map[string]any)
	if !ok {
		w.Write(encode.Marshal(value))
		return
	}
	literal, isLiteral := node["@value"]
	id, named := node["@id"].(string)
	switch {
	case isLiteral:
		w.Write(encode.Marshal(literal))
		if language, ok := node["@language"].(string); ok {
			w.WriteString("@" + language)
		} else if kind, ok := node["@type"].(string); ok {
			w.WriteString("^^" + kind)
		}
	case named:
		w.WriteString("<" + id + ">")
		if len(node) > 1 {
			w.later = append(w.later, node)
		}
	default:
		w.WriteString("[")
		w.properties(node)
		w.WriteString(" ]")
	}
}
