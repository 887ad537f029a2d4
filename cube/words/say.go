package words

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/shopspring/decimal"
)

// Digits is a whole number that is written without marks, such as a year or the number of a line.
type Digits int64

// Say says a message, with pairs of the name of a parameter and its value. Numbers are written as the locale does; that named Count
// chooses the plural form, whether the message has it or not. In English it says what the language has no words for.
func (l Locale) Say(id string, params ...any) string {
	all := spoken.Load()
	if testing.Testing() {
		all.english().mustHave(id, params)
	}
	own, ok := all.of[l.Language]
	if !ok {
		own = all.english
	}
	speaks := own()
	if only, ok := speaks.onlyForm[id]; ok {
		return only.write(func(name string) string { return l.valueOf(name, params) })
	}
	values, count := l.written(params)
	said := &i18n.LocalizeConfig{MessageID: id, TemplateData: values, PluralCount: count, TemplateParser: parser{}}
	text, _ := speaks.speaker.Localize(said) // an error comes with the next best text
	if text == "" && count != nil {          // or with none, if the message has one form
		said.PluralCount = nil
		text, _ = speaks.speaker.Localize(said)
	}
	return text
}

// mustHave panics where a message does not exist or has other parameters, so that tests find what production passes over.
func (c *catalogue) mustHave(id string, params []any) {
	want, ok := c.params(id), c.messages[id] != nil
	var given []string
	for i := 0; i+1 < len(params); i += 2 {
		if name, _ := params[i].(string); name != "Count" || slices.Contains(want, name) {
			given = append(given, name)
		}
	}
	if !ok || !sameNames(given, want) {
		panic(fmt.Sprintf("message %q has the parameters %q and is given %q", id, want, given))
	}
}

// valueOf writes the value of a parameter; "" where there is none.
func (l Locale) valueOf(name string, params []any) string {
	for i := 0; i+1 < len(params); i += 2 {
		if params[i] == name {
			return l.write(params[i+1])
		}
	}
	return ""
}

// written writes the values of parameters, and gives what chooses the plural form: nil if nothing does.
func (l Locale) written(params []any) (values map[string]string, count any) {
	values = make(map[string]string, len(params)/2)
	for i := 0; i+1 < len(params); i += 2 {
		name, _ := params[i].(string)
		values[name] = l.write(params[i+1])
		if name != "Count" {
			continue
		}
		switch number := params[i+1].(type) {
		case int, int64, Digits, decimal.Decimal:
			count = fmt.Sprint(number)
		}
	}
	return values, count
}

// write writes a value as the locale does.
func (l Locale) write(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case int:
		return l.Whole(int64(value))
	case int64:
		return l.Whole(value)
	case Digits:
		return strconv.FormatInt(int64(value), 10)
	case decimal.Decimal:
		return l.Decimal(value, 0)
	}
	return fmt.Sprint(value)
}
