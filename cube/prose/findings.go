package prose

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Describe gives a finding a sentence of its code: its parameters, and the message in English. The name of the sentence is "" for
// the only one.
func Describe(f findings.Finding, name string, params findings.Params) findings.Finding {
	f.Sentence, f.Params = name, params
	f.Message, _ = tell(messageOf("finding", f.Code, name), params, inLanguage(cube.English))
	return f
}

// Finding tells what a finding says in a language. One that was stored without parameters, or with another sentence than this
// program has, stays in English.
func Finding(f findings.Finding, l cube.Language) string {
	return retold(f.Message, f.Code, f.Sentence, f.Params, inLanguage(l))
}

// TellFinding tells what a finding says to people who have not seen the files: fields by what title calls them, amounts as the locale writes them,
// in a sentence. Findings that Finding leaves in English stay so.
func TellFinding(l words.Locale, f findings.Finding, title func(field string) string) string {
	return asSentence(Begin(retold(f.Message, f.Code, f.Sentence, f.Params, manner{l, title})))
}

// retold tells a text, which is stored in English, in a manner. One that is another than its sentence stays as it is.
func retold(english, code, sentence string, params findings.Params, t manner) string {
	message := messageOf("finding", code, sentence)
	if known, ok := tell(message, params, inLanguage(cube.English)); !ok || known != english {
		return english
	}
	if plain := messageOf("told", code, sentence); t.title != nil && words.Has(plain) {
		message = plain
	}
	if text, ok := tell(message, params, t); ok {
		return text
	}
	return english
}

// manner is how a sentence of a finding is written. Without a title, fields have their own names and amounts are as in the files.
type manner struct {
	words.Locale
	title func(field string) string
}

// inLanguage is the manner of those who have the files.
func inLanguage(l cube.Language) manner { return manner{Locale: words.Locale{Language: l}} }

// fieldParams are the parameters that name fields.
var fieldParams = []string{"measure", "level", "parent", "field", "fields", "periods"}

// named writes a parameter that may be the name of a field.
func (t manner) named(param, text string) string {
	if t.title == nil || !slices.Contains(fieldParams, param) {
		return text
	}
	return t.title(text)
}

// Case is a case of a finding in a sentence of its code: its parameters, and the text in English.
func Case(code, name string, params findings.Params) findings.Place {
	text, _ := tell(messageOf("finding", code, name), params, inLanguage(cube.English))
	return findings.Place{Cell: text, Sentence: name, Params: params}
}

// CaseOf tells what a case of a finding is in a language, as Finding tells what the finding says.
func CaseOf(f findings.Finding, at findings.Place, l cube.Language) string {
	return retold(at.Cell, f.Code, at.Sentence, at.Params, inLanguage(l))
}

// messageOf names the message of a sentence of a code, which is "" for the only one.
func messageOf(group, code, sentence string) string {
	return strings.TrimSuffix(group+"."+code+"-"+sentence, "-")
}

// tell says a message with the parameters of a finding that it names. It gives false if there is none, or a parameter is not there or of another kind.
func tell(message string, params findings.Params, t manner) (string, bool) {
	if !words.Has(message) {
		return "", false
	}
	var said []any
	for _, name := range words.Parameters(message) {
		value, ok := argument(message, paramOf(name, params), params, t)
		if !ok {
			return "", false
		}
		said = append(said, name, value)
	}
	return t.Say(message, said...), true
}

// countedParams are the parameters by which a message chooses its form as Count: the first that a finding has.
var countedParams = []string{"of", "rows", "keys", "members", "cells", "columns", "values"}

// paramOf gives the parameter of a finding that a message names: ColumnType is column_type.
func paramOf(name string, params findings.Params) string {
	if name == "Count" {
		i := slices.IndexFunc(countedParams, func(param string) bool { _, ok := params[param].(int64); return ok })
		if i >= 0 {
			return countedParams[i]
		}
	}
	var snake strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			snake.WriteByte('_')
		}
		snake.WriteRune(unicode.ToLower(r))
	}
	return snake.String()
}

// escaped are the parameters that may have signs which nobody sees.
var escaped = []string{"first", "marker", "column_type", "type"}

// argument writes a parameter: as it is, or as a list.
func argument(message, name string, params findings.Params, t manner) (any, bool) {
	switch value := params[name].(type) {
	case int64:
		return words.Digits(value), true
	case string:
		switch {
		case value == "" && name == "sum":
			return t.Say("finding.no-sum"), true
		case value == "":
			return t.Say("finding.missing"), true
		case slices.Contains(escaped, name):
			value = strings.Trim(strconv.Quote(value), `"`)
		}
		if amount, err := decimal.NewFromString(value); t.title != nil && err == nil && (name == "sum" || name == "amount") {
			return t.Decimal(amount, 0), true
		}
		return t.named(name, value), true
	case []string:
		if t.title != nil {
			value = each.Text(value, func(text string) string { return t.named(name, text) })
		}
		if years, ok := yearsIn(value); ok && t.title != nil {
			return t.Years(years), true
		}
		if name == "labels" || name == "spellings" {
			value = each.Text(value, func(text string) string { return t.Say("finding.quoted", "Text", text) })
		}
		return t.list(message, name, value, params), true
	case []findings.Params:
		items := make([]string, len(value))
		for i, item := range value {
			text, ok := tell(message+"-"+name, item, t)
			if !ok {
				return nil, false
			}
			items[i] = text
		}
		return t.list(message, name, items, params), true
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
func (t manner) list(message, name string, items []string, params findings.Params) string {
	if len(items) == 0 && name == "sums" {
		return t.Say("finding.no-sums")
	}
	if more, _ := params[findings.More].(int64); more > 0 {
		items = append(items[:len(items):len(items)], t.Say("finding.more", "More", words.Digits(more)))
	}
	if name != "periods" && !(name == "resources" && strings.HasSuffix(message, "-same")) {
		return strings.Join(items, ", ")
	}
	joined := ""
	for i, item := range items {
		if i > 0 {
			item = t.And([]string{joined, item})
		}
		joined = item
	}
	return joined
}

// Kind says in words what a finding means for its reader.
func Kind(k findings.Kind, l cube.Language) string {
	return words.Locale{Language: l}.Say("finding-kind." + string(k))
}
