package prose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/words"
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

// TellFinding tells what a finding says to people who have not seen the files: fields by what title calls them, amounts as the locale writes them,
// in a sentence. Findings that Finding leaves in English stay so.
func TellFinding(l Locale, f findings.Finding, title func(field string) string) string {
	text := f.Message
	if english, ok := sentenceOf(f, cube.English); ok && english == f.Message {
		name := findingName(f.Code, f.Sentence)
		s := findingTexts[name]
		if plain, ok := plainTexts[name]; ok {
			s = plain
		}
		if told, ok := s.tell(name, f.Params, manner{l, title}); ok {
			text = told
		}
	}
	first, size := utf8.DecodeRuneInString(text)
	return asSentence(string(unicode.ToUpper(first)) + text[size:])
}

// manner is how a sentence of a finding is written. Without a title, fields have their own names and amounts are as in the files.
type manner struct {
	Locale
	title func(field string) string
}

// fieldParams are the parameters that name fields.
var fieldParams = []string{"measure", "level", "parent", "field", "fields", "periods"}

// named writes a parameter that may be the name of a field.
func (t manner) named(param, text string) string {
	if t.title == nil || !slices.Contains(fieldParams, param) {
		return text
	}
	return t.title(text)
}

// amount writes a parameter that may be an amount.
func (t manner) amount(param, text string) string {
	if d, err := decimal.NewFromString(text); t.title != nil && err == nil && (param == "sum" || param == "amount") {
		return t.Decimal(d, 0)
	}
	return text
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
	code = findingName(code, name)
	return findingTexts[code].tell(code, params, manner{Locale: Locale{Language: l}})
}

// findingName names a sentence of a code.
func findingName(code, sentence string) string {
	if sentence == "" {
		return code
	}
	return code + "." + sentence
}

// tell writes a sentence with the name of its texts. It gives false if there is none, or a parameter is not there.
func (s sentence) tell(code string, params findings.Params, t manner) (string, bool) {
	if s.texts == nil {
		return code, false
	}
	var args []any
	for field := range strings.FieldsSeq(s.params) {
		arg, ok := s.argument(code, field, params, t)
		if !ok {
			return code, false
		}
		args = append(args, arg)
	}
	return words.Fill(in(s.texts, t.Language), args...), true
}

// argument writes a parameter: as it is, or as a list.
func (s sentence) argument(code, field string, params findings.Params, t manner) (any, bool) {
	name, form, _ := strings.Cut(field, ":")
	words := in(listTexts, t.Language)
	switch value := params[name].(type) {
	case int64:
		return value, true
	case string:
		if value == "" && form == "sum" {
			return words.noSum, true
		}
		if value == "" {
			return in(warningTexts, t.Language).missing, true
		}
		return t.amount(name, t.named(name, value)), true
	case []string:
		if t.title != nil {
			value = each.Text(value, func(text string) string { return t.named(name, text) })
		}
		if years, ok := yearsIn(value); ok && t.title != nil {
			return t.Years(years), true
		}
		if form == "quoted" {
			value = each.Text(value, func(text string) string { return fmt.Sprintf(words.quoted, text) })
		}
		return words.list(value, form, params), true
	case []findings.Params:
		items := make([]string, len(value))
		for i, item := range value {
			of := findingName(code, name)
			text, ok := findingTexts[of].tell(of, item, t)
			if !ok {
				return nil, false
			}
			items[i] = text
		}
		return words.list(items, form, params), true
	}
	return nil, false
}

// yearsIn reads texts that are all years.
func yearsIn(texts []string) (years []int64, ok bool) {
	for _, text := range texts {
		year, err := strconv.ParseInt(text, 10, 32)
		if err != nil || len(text) != len("2018") {
			return nil, false
		}
		years = append(years, year)
	}
	return years, len(years) > 0
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
func Kind(k findings.Kind, l cube.Language) string {
	return words.Locale{Language: l}.Say("finding-kind." + string(k))
}
