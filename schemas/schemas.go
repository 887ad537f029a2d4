// Package schemas holds the published JSON Schemas (draft 2020-12) of what fiscube reads: the descriptor of a
// package and its overlay. They are for editors and other tools, and validate checks them too. The readers in
// cube/fdp say more, such as which field was meant. The schemas accept everything that the readers accept.
package schemas

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"fiscube/cube/fdp"
)

//go:embed *.json
var files embed.FS

// Kind names a schema.
type Kind string

// The kinds of documents that have a schema.
const (
	Descriptor Kind = "descriptor" // JSON
	Overlay    Kind = "overlay"    // YAML, so JSON too
)

// Text returns the published schema.
func Text(kind Kind) ([]byte, error) { return files.ReadFile(string(kind) + ".schema.json") }

// Check validates a document by the schema of its kind and returns the problems sorted by place, or nil.
func Check(kind Kind, document []byte) fdp.Problems {
	compile, ok := compiled[kind]
	if !ok {
		return fdp.Problems{{Message: fmt.Sprintf("no schema of kind %q", kind)}}
	}
	schema, err := compile()
	if err != nil {
		return fdp.Problems{{Message: err.Error()}}
	}
	value, err := decode(kind, document)
	var unread fdp.Problems
	if errors.As(err, &unread) {
		return unread
	}
	if err != nil {
		return fdp.Problems{{Message: err.Error()}}
	}
	var invalid *jsonschema.ValidationError
	switch err := schema.Validate(value); {
	case err == nil:
		return nil
	case errors.As(err, &invalid):
		return problemsOf(invalid)
	default:
		return fdp.Problems{{Message: err.Error()}}
	}
}

// compiled holds each schema, compiled when first used.
var compiled = map[Kind]func() (*jsonschema.Schema, error){
	Descriptor: sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(Descriptor) }),
	Overlay:    sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(Overlay) }),
}

func compile(kind Kind) (*jsonschema.Schema, error) {
	text, err := Text(kind)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", kind, err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", kind, err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(string(kind), document); err != nil {
		return nil, fmt.Errorf("schema %s: %w", kind, err)
	}
	return compiler.Compile(string(kind))
}

func decode(kind Kind, document []byte) (any, error) {
	if kind == Overlay {
		return fdp.OverlayValues(document)
	}
	document = bytes.TrimPrefix(document, []byte("\ufeff"))
	if len(document) > fdp.MostDescriptorBytes {
		return nil, fmt.Errorf("a document of %d bytes; at most %d are read", len(document), fdp.MostDescriptorBytes)
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(document))
}

// problemsOf lists the leaves of an error: the errors that contain them say nothing more.
func problemsOf(e *jsonschema.ValidationError) fdp.Problems {
	var problems fdp.Problems
	printer := message.NewPrinter(language.English)
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			problems = append(problems, fdp.Problem{Place: place(e.InstanceLocation), Message: e.ErrorKind.LocalizedString(printer)})
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(e)
	slices.SortFunc(problems, func(a, b fdp.Problem) int {
		return strings.Compare(a.Place+"\x00"+a.Message, b.Place+"\x00"+b.Message)
	})
	return slices.Compact(problems)
}

// place writes the path of a value as the readers do: resources[1].schema.
func place(location []string) string {
	var b strings.Builder
	for _, token := range location {
		if _, err := strconv.Atoi(token); err == nil {
			fmt.Fprintf(&b, "[%s]", token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}
