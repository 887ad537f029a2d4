package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

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
	above := strings.Join(cube.Texts(path[:last], Key.Literal), "/")
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
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		path = append(path, key)
		if !p.take('/') {
			return path, nil
		}
	}
}

func (p *parser) key() (Key, error) {
	quoted := p.peek() == '"'
	text, err := p.value(true)
	if err != nil || !quoted {
		return splitEdition(text), err
	}
	start := p.pos
	if p.take('@') {
		for isDigit(p.peek()) {
			p.pos++
		}
	}
	return Key{text, string(p.text[start:p.pos])}, nil
}

// splitEdition splits a bare text at its last @, if nothing but digits follows it.
func splitEdition(text string) Key {
	at := strings.LastIndexByte(text, '@')
	if at < 0 || strings.ContainsFunc(text[at+1:], func(r rune) bool { return !isDigit(r) }) {
		return Key{Text: text}
	}
	return Key{text[:at], text[at:]}
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// parseKeys reads a parameter that is a path. Keys with special characters are quoted.
func parseKeys(parameter, text string) ([]Key, error) {
	p := &parser{parameter: parameter, text: []rune(text)}
	if !utf8.ValidString(text) {
		return nil, p.fail(0, notUTF8, encodeIt)
	}
	keys, err := p.path()
	if err == nil && !p.end() {
		err = p.fail(p.pos, "expected / or the end, found "+p.found(), p.standsInQuotes())
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
