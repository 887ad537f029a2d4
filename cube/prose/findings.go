package prose

import (
	"fmt"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
)

// sentence is a sentence of a finding. Params names what its verbs stand for, in their order; a name may say how it is written.
type sentence struct {
	params string
	texts  map[cube.Language]string
}

// Describe gives a finding a sentence of its code: its parameters, and the message in English. The name of the sentence is "" for
// the only one.
func Describe(f findings.Finding, name string, params findings.Params) findings.Finding {
	f.Sentence, f.Params = name, params
	f.Message, _ = sentenceOf(f, cube.English)
	return f
}

// Finding tells what a finding says in a language. One that was stored without parameters, or with another sentence than this
// program has, stays in English.
func Finding(f findings.Finding, l cube.Language) string {
	if english, ok := sentenceOf(f, cube.English); ok && english == f.Message {
		if text, ok := sentenceOf(f, l); ok {
			return text
		}
	}
	return f.Message
}

// Case is a case of a finding in a sentence of its code: its parameters, and the text in English.
func Case(code, name string, params findings.Params) findings.Place {
	text, _ := tell(code, name, params, cube.English)
	return findings.Place{Cell: text, Sentence: name, Params: params}
}

// CaseOf tells what a case of a finding is in a language, as Finding tells what the finding says.
func CaseOf(f findings.Finding, at findings.Place, l cube.Language) string {
	if english, ok := tell(f.Code, at.Sentence, at.Params, cube.English); ok && english == at.Cell {
		if text, ok := tell(f.Code, at.Sentence, at.Params, l); ok {
			return text
		}
	}
	return at.Cell
}

// sentenceOf writes the sentence of a finding. It gives false if a parameter is not there, or is of another kind.
func sentenceOf(f findings.Finding, l cube.Language) (string, bool) {
	return tell(f.Code, f.Sentence, f.Params, l)
}

func tell(code, name string, params findings.Params, l cube.Language) (string, bool) {
	if name != "" {
		code += "." + name
	}
	s, ok := findingTexts[code]
	if !ok {
		return code, false
	}
	var args []any
	for field := range strings.FieldsSeq(s.params) {
		arg, ok := s.argument(code, field, params, l)
		if !ok {
			return code, false
		}
		args = append(args, arg)
	}
	return fill(in(s.texts, l), args...), true
}

// argument writes a parameter: as it is, or as a list.
func (s sentence) argument(code, field string, params findings.Params, l cube.Language) (any, bool) {
	name, form, _ := strings.Cut(field, ":")
	words := in(listTexts, l)
	switch value := params[name].(type) {
	case int64:
		return value, true
	case string:
		if value == "" && form == "sum" {
			return words.noSum, true
		}
		if value == "" {
			return in(warningTexts, l).missing, true
		}
		return value, true
	case []string:
		if form == "quoted" {
			value = each.Text(value, func(text string) string { return fmt.Sprintf(words.quoted, text) })
		}
		return words.list(value, form, params), true
	case []findings.Params:
		items := make([]string, len(value))
		for i, item := range value {
			text, ok := tell(code, name, item, l)
			if !ok {
				return nil, false
			}
			items[i] = text
		}
		return words.list(items, form, params), true
	}
	return nil, false
}

// list joins the items of a list, of which more may not be named.
func (w listWords) list(items []string, form string, params findings.Params) string {
	if len(items) == 0 && form == "sums" {
		return w.noSums
	}
	if more, _ := params[findings.More].(int64); more > 0 {
		items = append(items[:len(items):len(items)], fmt.Sprintf(w.more, more))
	}
	if form == "and" {
		return strings.Join(items, w.and)
	}
	return strings.Join(items, ", ")
}

// Kind says in words what a finding means for its reader.
func Kind(k findings.Kind, l cube.Language) string { return in(kindTexts, l)[k] }
