package query

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/each"
)

// The grammar of questions. Each production has a function. A name is a JSON string, or bare text up to one of NameEnds. A
// value is a JSON string, or bare text up to | or ; or .. or, in a path, a slash.
//
//	drilldown  = ref { "|" ref }
//	cut        = term { "|" term }
//	term       = [ "!" ] ref ":" item { ";" item }
//	item       = path | value ".." value | value ".." | ".." value | "~" text
//	path       = key { "/" key }                              only where the ref is a dimension
//	key        = value [ "@" [ year ] ]                       only where the level has editions
//	aggregates = aggregate { "|" aggregate }
//	aggregate  = "_count" | derived | measure "." function | formula
//	formula    = name "(" aggregate { "," aggregate } ")"
//	having     = aggregate ( "<" | "<=" | "=" | ">=" | ">" | "!=" ) number { "|" … }
//	order      = ( ref | aggregate [ "." role ] ) [ ":" ( "asc" | "desc" ) ] { "," … }
//	compare    = ref ":" whole number
//	ref        = name [ "." name ]

// NameEnds are the characters that a bare name cannot contain.
const NameEnds = `|:;,.~!<>=()/"`

// ParseDrilldown reads the text of the parameter drilldown. All errors of the parsers are *cube.Error with
// a Position.
func ParseDrilldown(text string) ([]Ref, error) {
	return parseList(text, "drilldown", "|", (*parser).ref)
}

// ParseCut reads the text of the parameter cut.
func ParseCut(text string) ([]Cut, error) {
	return parseList(text, "cut", "|", (*parser).term)
}

// Messages and hints for texts without content.
const (
	notUTF8    = "the text is not UTF-8"
	encodeIt   = "encode it as UTF-8"
	hasNUL     = "a text cannot hold a NUL character"
	dropNUL    = "leave it out"
	NoText     = "expected the text to look for after ~"
	NoTextHint = "write a part of a key or a label, as ~health"
)

// maxItems bounds the items of a list; no package has more fields.
const maxItems = 1500

// leaveOut is the hint for an empty parameter.
const leaveOut = "leave the parameter out to ask without it"

// parseList reads items until the text ends. An empty text is an error: clients ask for the default by leaving the
// parameter out, and an empty one is more likely a filter that got lost.
func parseList[T any](text, parameter, separator string, item func(*parser) (T, error)) ([]T, error) {
	p := &parser{Position: cube.Position{Parameter: parameter}, text: []rune(text)}
	if !utf8.ValidString(text) {
		return nil, fail(p.Position, encodeIt, notUTF8)
	}
	if text == "" {
		return nil, fail(p.Position, leaveOut, "it is empty")
	}
	var list []T
	for {
		start := p.Position
		read, err := item(p)
		if err != nil {
			return nil, err
		}
		list = append(list, read)
		switch {
		case p.peek() == ended:
			return list, nil
		case !p.take(separator):
			return nil, fail(p.Position, p.separatorHint(start, separator), "expected %s or the end, found %s", separator, p.found())
		case len(list) == maxItems:
			return nil, cube.Errorf(cube.CodeTooLarge, "%s has more than %d parts", parameter, maxItems).At(p.Position).
				WithHint("ask several questions")
		}
	}
}

func (p *parser) ref() (Ref, error) {
	at := p.Position
	name, err := p.name()
	if err != nil || !p.take(".") {
		return Ref{Name: name, At: at}, err
	}
	field, err := p.name()
	return Ref{Dimension: name, Name: field, At: at}, err
}

func (p *parser) term() (Cut, error) {
	not := p.take("!")
	ref, err := p.ref()
	if err != nil {
		return Cut{}, err
	}
	if !p.take(":") {
		return Cut{}, fail(p.Position, p.valuesHint(ref), "expected : and the values after %s", ref.String())
	}
	cut := Cut{Ref: ref, Not: not}
	for {
		item, err := p.item()
		if err != nil {
			return Cut{}, err
		}
		cut.Items = append(cut.Items, item)
		if !p.take(";") {
			return cut, nil
		}
	}
}

func (p *parser) item() (Item, error) {
	at := p.Position
	if p.take("~") {
		text, err := p.word(valueEnds)
		if err == nil && text == "" {
			err = fail(p.Position, NoTextHint, NoText)
		}
		return Item{Op: OpMatch, Match: text, At: at}, err
	}
	path, err := p.path()
	if err != nil {
		return Item{}, err
	}
	if !p.take(rangeSign) {
		return Item{Op: OpEqual, Path: path, At: at}, nil
	}
	to, err := p.word(valueEnds)
	from := JoinKeys(path).Literal()
	if err == nil && from == "" && to == "" {
		err = fail(at, "as 2016.. or ..2018", "a range needs a bound")
	}
	return Item{Op: OpRange, From: from, To: to, At: at}, err
}

func (p *parser) name() (string, error) {
	start := p.Position
	name, err := p.word(NameEnds)
	if p.Position == start {
		return "", fail(start, p.nameHint(), "expected a name, found %s", p.found())
	}
	return name, err
}

// word reads a JSON string, or bare text up to .. or one of the characters at which it ends. It refuses NUL, the one character that
// no store can hold.
func (p *parser) word(ends string) (word string, err error) {
	start := p.Position
	if p.peek() == '"' {
		if word, err = p.quoted(); err != nil {
			return "", err
		}
	} else {
		for p.peek() != ended && !strings.ContainsRune(ends, p.peek()) && !p.at(rangeSign) {
			p.Offset++
		}
		word = string(p.text[start.Offset:p.Offset])
	}
	if strings.ContainsRune(word, 0) {
		return "", fail(start, dropNUL, hasNUL)
	}
	return word, nil
}

// valueEnds are the characters at which a bare value ends.
const valueEnds = "|;"

// parser reads the characters of one parameter.
type parser struct {
	cube.Position // of the next character
	text          []rune
	depth         int // of nested formulas
}

func (p *parser) quoted() (string, error) {
	start := p.Position
	for p.Offset++; p.peek() != ended && p.peek() != '"'; p.Offset++ {
		if p.peek() == '\\' {
			p.Offset++
		}
	}
	if p.peek() == ended {
		p.Offset = len(p.text)
		return "", fail(start, `write " inside as \"`, "a quoted text is not closed")
	}
	p.Offset++
	var s string
	if err := json.Unmarshal([]byte(string(p.text[start.Offset:p.Offset])), &s); err != nil {
		return "", fail(start, `write \ inside as \\`, "a quoted text is no JSON string")
	}
	return s, nil
}

// ended is what comes after the last character.
const ended rune = -1

// peek gives the next character, or ended.
func (p *parser) peek() rune {
	if p.Offset >= len(p.text) {
		return ended
	}
	return p.text[p.Offset]
}

// rangeSign separates the bounds of a range.
const rangeSign = ".."

// at tells whether the rest of the text begins with a sign of ASCII characters.
func (p *parser) at(sign string) bool {
	end := p.Offset + len(sign)
	return end <= len(p.text) && string(p.text[p.Offset:end]) == sign
}

func (p *parser) take(sign string) bool {
	if !p.at(sign) {
		return false
	}
	p.Offset += len(sign)
	return true
}

// TheEnd is what mistakes call the end of a text. What somebody typed is never equal to it.
const TheEnd endOfText = "the end"

type endOfText string

// found is the next sign in quotes, or TheEnd.
func (p *parser) found() any {
	if p.peek() == ended {
		return TheEnd
	}
	return strconv.Quote(string(p.peek()))
}

func fail(at cube.Position, hint, format string, args ...any) *cube.Error {
	return cube.Errorf(cube.CodeBadSyntax, format, args...).At(at).WithHint(hint)
}

// QuoteName prints a name bare if the grammar allows it, else as a JSON string. It quotes & too, which separates clauses.
func QuoteName(name string) string {
	if name != "" && !strings.ContainsAny(name, NameEnds+"&") {
		return name
	}
	return QuoteText(name)
}

// QuoteText prints s as a JSON string, with < > & left readable.
func QuoteText(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// ValueText prints a value with text quoted, so that the text "1" differs from the number 1.
func ValueText(v cube.Value, missing string) string {
	if v.IsMissing() {
		return missing
	}
	if _, ok := v.Int(); ok {
		return v.String()
	}
	return QuoteText(v.String())
}

// Key is a key of a path. Outside quotes an @ and a year after it name an edition (cube.Level.Edition): 3@2012 is code 3 of
// the numbering that begins in 2012, 3@ is that of rows without a fiscal year. The parser does not know which levels have
// editions, so plan.Bind joins the two again for others.
type Key struct {
	Text    string
	Edition string // with its @; "" if there is none
}

// Literal is the key of a level without editions.
func (k Key) Literal() string { return k.Text + k.Edition }

// JoinKeys gives the key of a field that is written with slashes. Only the last @ can name an edition.
func JoinKeys(path []Key) Key {
	last := len(path) - 1
	above := strings.Join(each.Text(path[:last], Key.Literal), "/")
	if last > 0 {
		above += "/"
	}
	return Key{above + path[last].Text, path[last].Edition}
}

// String prints the key with the value quoted.
func (k Key) String() string { return QuoteText(k.Text) + k.Edition }

// path reads keys joined by slashes. A slash separates keys only if the ref is a dimension. The parser does not know that,
// so plan.Bind joins the keys again if the ref is a field.
func (p *parser) path() ([]Key, error) {
	var path []Key
	for {
		quoted := p.peek() == '"'
		text, err := p.word(valueEnds + "/")
		if err != nil {
			return nil, err
		}
		key := Key{Text: text}
		if quoted {
			key.Edition = p.edition()
		} else if above := strings.TrimRight(text, digits); strings.HasSuffix(above, "@") { // the last @, if only digits follow it
			end := len(above) - 1
			key = Key{text[:end], text[end:]}
		}
		path = append(path, key)
		if !p.take("/") {
			return path, nil
		}
	}
}

// edition reads the edition after a key in quotes, if there is one.
func (p *parser) edition() string {
	start := p.Position
	if p.take("@") {
		for p.peek() != ended && strings.ContainsRune(digits, p.peek()) {
			p.Offset++
		}
	}
	return string(p.text[start.Offset:p.Offset])
}

const digits = "0123456789"

// parseKeys reads a parameter that is a path. Keys with special characters are quoted.
func parseKeys(parameter, text string) ([]Key, error) {
	p := &parser{Position: cube.Position{Parameter: parameter}, text: []rune(text)}
	if !utf8.ValidString(text) {
		return nil, fail(p.Position, encodeIt, notUTF8)
	}
	keys, err := p.path()
	if err == nil && p.peek() != ended {
		err = fail(p.Position, p.standsInQuotes(), "expected %s or the end, found %s", "/", p.found())
	}
	return keys, err
}

// PathText prints the keys of a path, one for each column, as ParsePath reads them, bare if the grammar allows it.
func PathText(path []cube.Column, keys []cube.Value) string {
	return pathText(path, keys, func(v cube.Value) string {
		if s := v.String(); !strings.ContainsAny(s, `|;/"@`) && !strings.Contains(s, "..") {
			return s
		}
		return QuoteText(v.String())
	})
}

// KeysText prints the keys of a path with every text quoted.
func KeysText(path []cube.Column, keys []cube.Value) string {
	return pathText(path, keys, func(v cube.Value) string { return ValueText(v, `""`) })
}

// pathText joins the keys. An edition follows the key that it belongs to, after an @.
func pathText(path []cube.Column, keys []cube.Value, text func(cube.Value) string) string {
	var texts []string
	edition := ""
	for i, key := range keys {
		if path[i].IsEdition() && i < len(keys)-1 {
			edition = "@" + key.String()
			continue
		}
		texts = append(texts, text(key)+edition)
		edition = ""
	}
	return strings.Join(texts, "/")
}

// KeyColumns gives the columns of a path that its keys belong to in text, without those of editions.
func KeyColumns(path []cube.Column) []cube.Column {
	last := len(path) - 1
	own := path[:last:last]
	return append(slices.DeleteFunc(slices.Clone(own), cube.Column.IsEdition), path[last])
}
