package prose

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// Mistake is an error as a page tells it: the message and the hint, each with its language. What has no translation is in English.
type Mistake struct {
	Message, Hint     string
	MessageIn, HintIn cube.Language
}

// TellMistake tells an error in a language.
func TellMistake(e *cube.Error, l cube.Language) (m Mistake) {
	m.Message, m.MessageIn = tellPhrase(e.Said, e.Message, l)
	m.Hint, m.HintIn = tellPhrase(e.Advised, e.Hint, l)
	m.Message, m.Hint = asSentence(m.Message), asSentence(m.Hint)
	return m
}

// tellPhrase tells a phrase, of which the text in English is given. If that is another than the phrase gives, somebody changed it since.
func tellPhrase(p cube.Phrase, english string, l cube.Language) (string, cube.Language) {
	message := mistakeOf(p.Format)
	names, verbs := words.Parameters(message), verb.FindAllString(p.Format, -1)
	switch {
	case p.Format == "" || !words.Has(message) || len(names) != len(p.Args) || len(names) != len(verbs):
		return english, cube.English
	case len(p.Args) == 0 && p.Format != english, len(p.Args) > 0 && fmt.Sprintf(p.Format, p.Args...) != english:
		return english, cube.English
	}
	locale := words.Locale{Language: l}
	var said []any
	for i, arg := range p.Args {
		said = append(said, names[i], filling(locale, verbs[i], arg))
	}
	return locale.Say(message, said...), l
}

// filling writes what fills a message.
func filling(l words.Locale, verb string, arg any) any {
	switch arg := arg.(type) {
	case int:
		return words.Digits(arg)
	case int64:
		return words.Digits(arg)
	case string:
		if verb == "%q" { // the marks of the language stand in place of the quotes
			quoted := strconv.Quote(arg)
			return quoted[1 : len(quoted)-1]
		}
	}
	if arg == query.TheEnd {
		return l.Say("mistake.the-end")
	}
	return fmt.Sprintf(verb, arg)
}

var (
	verb    = regexp.MustCompile(`%[a-z]`) // of a format, in the order of its arguments
	between = regexp.MustCompile(`[^a-z0-9]+`)
)

// mistakeOf names the message of a mistake by its words in English: “no cube %q” is mistake.no-cube.
func mistakeOf(format string) string {
	text := verb.ReplaceAllString(strings.ReplaceAll(format, "%%", ""), " ")
	return "mistake." + strings.Trim(between.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
