package schemas

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// mostNesting bounds how deep a document may go.
const mostNesting = 64

// decodeYAML reads YAML as JSON values. Anchors and whatever else JSON cannot express are errors.
func decodeYAML(text []byte) (any, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	if document.Kind != yaml.DocumentNode {
		return nil, errors.New("the document is empty")
	}
	return valueOf(document.Content[0], 0)
}

func valueOf(n *yaml.Node, depth int) (any, error) {
	switch {
	case depth > mostNesting:
		return nil, fmt.Errorf("line %d: nested more than %d deep", n.Line, mostNesting)
	case n.Kind == yaml.AliasNode:
		return nil, fmt.Errorf("line %d: anchors and aliases are not supported", n.Line)
	case n.Kind == yaml.SequenceNode:
		return listOf(n, depth)
	case n.Kind == yaml.MappingNode:
		return objectOf(n, depth)
	}
	return scalarOf(n), nil
}

func listOf(n *yaml.Node, depth int) (any, error) {
	list := make([]any, len(n.Content))
	for i, item := range n.Content {
		value, err := valueOf(item, depth+1)
		if err != nil {
			return nil, err
		}
		list[i] = value
	}
	return list, nil
}

func objectOf(n *yaml.Node, depth int) (any, error) {
	object := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, twice := object[key.Value]; twice || key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("line %d: a key must be text, and stand once", key.Line)
		}
		value, err := valueOf(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		object[key.Value] = value
	}
	return object, nil
}

// scalarOf returns a number as it is written if that is valid JSON. Dates and other scalars become text.
func scalarOf(n *yaml.Node) any {
	number := json.Number(n.Value)
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true" || n.Value == "True" || n.Value == "TRUE"
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return number
		}
	}
	return n.Value
}
