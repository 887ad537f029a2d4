package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// form is one form of a message, taken apart: text, the name of a parameter, text, and so on.
type form []string

// formOf takes a form of a message apart. Between the braces stands the name of a parameter and nothing else: a message calls no functions.
func formOf(text string) (form, error) {
	var f form
	for rest := text; ; {
		plain, more, isMore := strings.Cut(rest, "{{")
		f = append(f, plain)
		if strings.Contains(plain, "}}") {
			return nil, fmt.Errorf("%q: a parameter is written {{.Name}}", text)
		}
		if !isMore {
			return f, nil
		}
		inside, after, isClosed := strings.Cut(more, "}}")
		name, isName := strings.CutPrefix(strings.TrimSpace(inside), ".")
		if !isClosed || !isName || name == "" || strings.ContainsFunc(name, isNoLetter) {
			return nil, fmt.Errorf("%q: a parameter is written {{.Name}}", text)
		}
		f, rest = append(f, name), after
	}
}

func isNoLetter(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }

// paramsOf lists the parameters of one form of a message, each once.
func paramsOf(text string) ([]string, error) {
	f, err := formOf(text)
	var names []string
	for i := 1; i < len(f); i += 2 {
		if !slices.Contains(names, f[i]) {
			names = append(names, f[i])
		}
	}
	return names, err
}

// parser reads messages for go-i18n.
type parser struct{}

// Cacheable says that a message is read once.
func (parser) Cacheable() bool { return true }

// Parse reads a form of a message.
func (parser) Parse(text, _, _ string) (template.ParsedTemplate, error) { return formOf(text) }

// Execute writes a message with its parameters.
func (f form) Execute(data any) (string, error) {
	values, _ := data.(map[string]string)
	return f.write(func(name string) string { return values[name] }), nil
}

// write writes a form with the values of its parameters.
func (f form) write(valueOf func(name string) string) string {
	var b strings.Builder
	for i, piece := range f {
		if i%2 == 1 {
			piece = valueOf(piece)
		}
		b.WriteString(piece)
	}
	return b.String()
}
