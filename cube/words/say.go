package words

import (
	"fmt"
	"maps"
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
	values, count := l.written(params)
	if testing.Testing() {
		all.english().mustHave(id, values)
	}
	own, ok := all.of[l.Language]
	if !ok {
		own = all.english
	}
	speaker := own().speaker
	said := &i18n.LocalizeConfig{MessageID: id, TemplateData: values, PluralCount: count, TemplateParser: parser{}}
	text, _ := speaker.Localize(said) // an error comes with the next best text
	if text == "" && count != nil {   // or with none, if the message has one form
		said.PluralCount = nil
		text, _ = speaker.Localize(said)
	}
	return text
}

// mustHave panics where a message does not exist or has other parameters, so that tests find what production passes over.
func (c *catalogue) mustHave(id string, values map[string]string) {
	want, ok := c.params(id), c.messages[id] != nil
	given := slices.DeleteFunc(slices.Collect(maps.Keys(values)), func(name string) bool { return name == "Count" && !slices.Contains(want, name) })
	if !ok || !sameNames(given, want) {
		panic(fmt.Sprintf("message %q has the parameters %q and is given %q", id, want, given))
	}
}

// written writes the values of parameters, and gives what chooses the plural form: nil if nothing does.
func (l Locale) written(params []any) (values map[string]string, count any) {
	values = make(map[string]string, len(params)/2)
	for i := 0; i+1 < len(params); i += 2 {
		name, _ := params[i].(string)
		number := ""
		switch value := params[i+1].(type) {
		case int:
			number, values[name] = strconv.Itoa(value), l.Whole(int64(value))
		case int64:
			number, values[name] = strconv.FormatInt(value, 10), l.Whole(value)
		case Digits:
			number = strconv.FormatInt(int64(value), 10)
			values[name] = number
		case decimal.Decimal:
			number, values[name] = value.String(), l.Decimal(value, 0)
		default:
			values[name] = fmt.Sprint(value)
		}
		if name == "Count" && number != "" {
			count = number
		}
	}
	return values, count
}
