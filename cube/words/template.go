package words

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n/template"
)

// parameter is where a message names one of its parameters. Nothing else stands between the braces: a message calls no functions.
var parameter = regexp.MustCompile(`\{\{\s*\.([A-Z][A-Za-z]*)\s*\}\}`)

// paramsOf lists the parameters of one form of a message, each once.
func paramsOf(form string) ([]string, error) {
	if rest := parameter.ReplaceAllString(form, ""); strings.Contains(rest, "{{") || strings.Contains(rest, "}}") {
		return nil, fmt.Errorf("%q: a parameter is written {{.Name}}", form)
	}
	var names []string
	for _, found := range parameter.FindAllStringSubmatch(form, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names, nil
}

// parser reads messages for go-i18n.
type parser struct{}

// Cacheable says that a message is read once.
func (parser) Cacheable() bool { return true }

// Parse reads a form of a message.
func (parser) Parse(text, _, _ string) (template.ParsedTemplate, error) { return form(text), nil }

// form is one form of a message.
type form string

// Execute writes a message with its parameters.
func (f form) Execute(data any) (string, error) {
	values, _ := data.(map[string]string)
	return parameter.ReplaceAllStringFunc(string(f), func(found string) string {
		return values[parameter.FindStringSubmatch(found)[1]]
	}), nil
}
