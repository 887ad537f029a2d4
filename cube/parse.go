package cube

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The grammar of questions, one function a production. A name is bare up to one of the characters that mean
// something, or a JSON string; so is a value, which ends sooner: only | ; and .. end it.
//
//	drilldown  = ref { "|" ref }
//	cut        = term { "|" term }
//	term       = [ "!" ] ref ":" item { ";" item }
//	item       = path | value ".." value | value ".." | ".." value | "~" text
//	path       = value { "/" value }                          only where the ref is a dimension
//	aggregates = aggregate { "|" aggregate }
//	aggregate  = "_count" | measure "." function
//	order      = ref [ ":" ( "asc" | "desc" ) ] { "," … }
//	ref        = name [ "." name ]

// nameEnds are the characters a bare name cannot hold.
const nameEnds = `|:;,.~!<>=()/"`

// ParseDrilldown reads the text of the parameter drilldown. All errors here are *Error with a Position.
func ParseDrilldown(text string) ([]Ref, error) {
	return parseList(text, "drilldown", '|', (*parser).ref)
}

// ParseCut reads the text of the parameter cut.
func ParseCut(text string) ([]Cut, error) {
	return parseList(text, "cut", '|', (*parser).term)
}

// ParseAggregates reads the text of the parameter aggregates.
func ParseAggregates(text string) ([]AggregateRef, error) {
	return parseList(text, "aggregates", '|', (*parser).aggregate)
}

// ParseOrder reads the text of the parameter order.
func ParseOrder(text string) ([]Order, error) {
	return parseList(text, "order", ',', (*parser).order)
}

// ParsePage reads the texts of the parameters page and pagesize; an empty text means the default.
func ParsePage(page, size string) (Page, error) {
	number, err := parseBounded("page", page, 1, 1, 1<<40)
	if err != nil {
		return Page{}, err
	}
	count, err := parseBounded("pagesize", size, DefaultPageSize, 0, MaxPageSize)
	if err != nil {
		return Page{}, err
	}
	return Page{Number: number, Size: count}, nil
}

func parseBounded(parameter, text string, absent, least, most int) (int, error) {
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, Errorf(CodeBadPage, "%s is %q, not a whole number from %d to %d", parameter, text, least, most).
			at(Position{Parameter: parameter})
	}
	return n, nil
}

// parseList reads items until the text ends. An empty text is an error: leaving a parameter out is how one
// asks for its default, and an empty one is more likely a filter that got lost.
func parseList[T any](text, parameter string, separator rune, item func(*parser) (T, error)) ([]T, error) {
	p := &parser{parameter: parameter, text: []rune(text)}
	if !utf8.ValidString(text) {
		return nil, p.fail(0, "the text is not UTF-8", "")
	}
	if text == "" {
		return nil, p.fail(0, "it is empty", "leave the parameter out to ask without it")
	}
	var list []T
	for {
		one, err := item(p)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
		if p.end() {
			return list, nil
		}
		if !p.take(separator) {
			return nil, p.fail(p.pos, "expected "+string(separator)+" or the end, found "+p.found(), "")
		}
	}
}

func (p *parser) ref() (Ref, error) {
	at := p.here()
	name, err := p.name()
	if err != nil || !p.take('.') {
		return Ref{Name: name, At: at}, err
	}
	field, err := p.name()
	return Ref{Dimension: name, Name: field, At: at}, err
}

func (p *parser) term() (Cut, error) {
	not := p.take('!')
	ref, err := p.ref()
	if err != nil {
		return Cut{}, err
	}
	if !p.take(':') {
		return Cut{}, p.fail(p.pos, "expected : and the values after "+ref.String(), "")
	}
	cut := Cut{Ref: ref, Not: not}
	for {
		item, err := p.item()
		if err != nil {
			return Cut{}, err
		}
		cut.Items = append(cut.Items, item)
		if !p.take(';') {
			return cut, nil
		}
	}
}

func (p *parser) item() (Item, error) {
	at := p.here()
	if p.take('~') {
		text, err := p.value(false)
		if err == nil && text == "" {
			err = p.fail(p.pos, "expected the text to look for after ~", "")
		}
		return Item{Op: OpMatch, Match: text, At: at}, err
	}
	path, err := p.path()
	if err != nil {
		return Item{}, err
	}
	if !p.takeRange() {
		return Item{Op: OpEqual, Path: path, At: at}, nil
	}
	to, err := p.value(false)
	from := strings.Join(path, "/")
	if err == nil && from == "" && to == "" {
		err = p.failAt(at, "a range needs a bound", "")
	}
	return Item{Op: OpRange, From: from, To: to, At: at}, err
}

// path reads values joined by slashes. Whether a slash separates or belongs to the value only the ref's kind
// tells, so Bind joins them again where the ref is a field.
func (p *parser) path() ([]string, error) {
	var path []string
	for {
		value, err := p.value(true)
		if err != nil {
			return nil, err
		}
		path = append(path, value)
		if !p.take('/') {
			return path, nil
		}
	}
}

func (p *parser) value(endsAtSlash bool) (string, error) {
	if p.peek() == '"' {
		return p.quoted()
	}
	start := p.pos
	for !p.end() && p.peek() != '|' && p.peek() != ';' && !p.atRange() && (!endsAtSlash || p.peek() != '/') {
		p.pos++
	}
	return p.checked(start, string(p.text[start:p.pos]))
}

func (p *parser) aggregate() (AggregateRef, error) {
	at := p.here()
	name, err := p.name()
	if err != nil || !p.take('.') {
		return AggregateRef{Func: name, At: at}, err
	}
	function, err := p.name()
	return AggregateRef{Measure: name, Func: function, At: at}, err
}

func (p *parser) order() (Order, error) {
	ref, err := p.ref()
	if err != nil || !p.take(':') {
		return Order{Ref: ref}, err
	}
	start := p.pos
	direction, err := p.name()
	if err == nil && direction != "asc" && direction != "desc" {
		err = p.fail(start, "expected asc or desc after "+ref.String(), "")
	}
	return Order{Ref: ref, Desc: direction == "desc"}, err
}

func (p *parser) name() (string, error) {
	if p.peek() == '"' {
		return p.quoted()
	}
	start := p.pos
	for !p.end() && !strings.ContainsRune(nameEnds, p.peek()) {
		p.pos++
	}
	if p.pos == start {
		return "", p.fail(start, "expected a name, found "+p.found(), "")
	}
	return p.checked(start, string(p.text[start:p.pos]))
}
