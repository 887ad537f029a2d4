package cube

import (
	"encoding/json"
	"strconv"
	"strings"
)

// parser walks the characters of one parameter.
type parser struct {
	parameter string
	text      []rune
	pos       int
	depth     int // of formulas inside each other
}

func (p *parser) quoted() (string, error) {
	start := p.pos
	for p.pos++; !p.end() && p.peek() != '"'; p.pos++ {
		if p.peek() == '\\' {
			p.pos++
		}
	}
	if p.end() {
		p.pos = len(p.text)
		return "", p.fail(start, "a quoted text is not closed", `write " inside as \"`)
	}
	p.pos++
	var s string
	if err := json.Unmarshal([]byte(string(p.text[start:p.pos])), &s); err != nil {
		return "", p.fail(start, "a quoted text is no JSON string", `write \ inside as \\`)
	}
	return p.checked(start, s)
}

// checked refuses the one character that no store can hold.
func (p *parser) checked(start int, s string) (string, error) {
	if strings.ContainsRune(s, 0) {
		return "", p.fail(start, "a text cannot hold a NUL character", "leave it out")
	}
	return s, nil
}

func (p *parser) end() bool { return p.pos >= len(p.text) }

// peek gives the character ahead, or 0 at the end.
func (p *parser) peek() rune {
	if p.end() {
		return 0
	}
	return p.text[p.pos]
}

func (p *parser) take(r rune) bool {
	if p.end() || p.text[p.pos] != r {
		return false
	}
	p.pos++
	return true
}

func (p *parser) atRange() bool { return p.at("..") }

func (p *parser) takeRange() bool { return p.takeText("..") }

// at tells whether the text ahead begins with a sign of ASCII characters.
func (p *parser) at(sign string) bool {
	end := p.pos + len(sign)
	return end <= len(p.text) && string(p.text[p.pos:end]) == sign
}

func (p *parser) takeText(sign string) bool {
	if !p.at(sign) {
		return false
	}
	p.pos += len(sign)
	return true
}

func (p *parser) here() Position { return Position{Parameter: p.parameter, Offset: p.pos} }

func (p *parser) found() string {
	if p.end() {
		return "the end"
	}
	return strconv.Quote(string(p.peek()))
}

// shownRunes is how much of a text that is wrong a message repeats.
const shownRunes = 60

func shortened(text string) string {
	if runes := []rune(text); len(runes) > shownRunes {
		text = string(runes[:shownRunes]) + "…"
	}
	return strconv.Quote(text)
}

func (p *parser) fail(offset int, message, hint string) *Error {
	return p.failAt(Position{Parameter: p.parameter, Offset: offset}, message, hint)
}

func (p *parser) failAt(at Position, message, hint string) *Error {
	return Errorf(CodeBadSyntax, "%s", message).at(at).or(hint)
}

// quoteName prints a name bare where the grammar allows it, else as a JSON string: also where it holds the character
// between two clauses.
func quoteName(name string) string {
	if name != "" && !strings.ContainsAny(name, NameEnds+"&") {
		return name
	}
	return quoteText(name)
}

// quoteText prints s as a JSON string, with < > & left readable.
func quoteText(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
