package fdp

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"fiscube/cube"
)

// text reads a text, which may be written as a number: its digits are kept. An absent one is empty.
func (n node) text() string {
	switch {
	case n.absent():
		return ""
	case n.yaml.Kind != yaml.ScalarNode || n.yaml.Tag == "!!null":
		n.problem("must be text, not %s", n.kind())
	case strings.TrimSpace(n.yaml.Value) == "":
		n.problem("must not be empty")
	case strings.ContainsRune(n.yaml.Value, 0):
		n.problem("%s holds a NUL character", quote(n.yaml.Value))
	default:
		return n.yaml.Value
	}
	return ""
}

// ref reads a name.
func (n node) ref() ref { return ref{n.text(), n.where()} }

// items reads a list; a single text is a list of one.
func (n node) items() []node {
	if n.absent() {
		return nil
	}
	if n.yaml.Kind == yaml.ScalarNode {
		return []node{n}
	}
	if n.yaml.Kind != yaml.SequenceNode {
		n.problem("must be a list, not %s", n.kind())
		return nil
	}
	if len(n.yaml.Content) == 0 {
		n.problem("must not be empty")
	}
	if len(n.yaml.Content) > mostColumns {
		n.problem("a list of %d; at most %d are supported", len(n.yaml.Content), mostColumns)
		return nil
	}
	items := make([]node, len(n.yaml.Content))
	for i, item := range n.yaml.Content {
		items[i] = n.child(item, nth(n.place, i))
	}
	return items
}

// refs reads a list of names, each once.
func (n node) refs() []ref {
	var refs []ref
	for _, item := range n.items() {
		r := item.ref()
		if r.name != "" && slices.ContainsFunc(refs, func(other ref) bool { return other.name == r.name }) {
			item.problem("%s stands twice", quote(r.name))
		}
		refs = append(refs, r)
	}
	return refs
}

// texts reads a list of texts, each once.
func (n node) texts() []string {
	var texts []string
	for _, r := range n.refs() {
		texts = append(texts, r.name)
	}
	return texts
}

// truth reads true or false.
func (n node) truth() *bool {
	if n.absent() {
		return nil
	}
	if n.yaml.Kind != yaml.ScalarNode || n.yaml.Tag != "!!bool" {
		n.problem("must be true or false")
		return nil
	}
	truth := strings.EqualFold(n.yaml.Value, "true")
	return &truth
}

// yes tells whether n is true.
func (n node) yes() bool {
	truth := n.truth()
	return truth != nil && *truth
}

// whole reads a whole number between least and most; 0 where absent.
func (n node) whole(least, most int64) int64 {
	if n.absent() {
		return 0
	}
	number, err := strconv.ParseInt(n.yaml.Value, 10, 64)
	asWritten := n.yaml.Tag == "!!int" && strconv.FormatInt(number, 10) == n.yaml.Value
	if !asWritten || err != nil || number < least || number > most {
		n.problem("must be a whole number from %d to %d", least, most)
		return 0
	}
	return number
}

// choice reads one of the known words.
func (n node) choice(known ...string) string {
	text := n.text()
	if text != "" && !slices.Contains(known, text) {
		n.problem("%s is not known; %s", quote(text), n.report.meant(text, known, "write "))
		return ""
	}
	return text
}

// form reads a text that a pattern describes in words.
func (n node) form(pattern *regexp.Regexp, words string) string {
	text := n.text()
	if text != "" && !pattern.MatchString(text) {
		n.problem("%s is no %s", quote(text), words)
		return ""
	}
	return text
}

var (
	language     = regexp.MustCompile(`^[a-z]{2}$`)
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	factorDigits = regexp.MustCompile(`^-?[0-9]{1,12}(\.[0-9]{1,12})?$`)
	suffixText   = regexp.MustCompile(`^[^\pC]{1,20}$`)
)

// titles reads a text by language.
func (n node) titles() cube.Titles {
	m := n.mapping()
	if m == nil {
		return nil
	}
	if len(m.keys) == 0 {
		n.problem("must not be empty")
	}
	titles := cube.Titles{}
	for _, key := range m.keys {
		if v := m.take(key); !language.MatchString(key) {
			v.problem("%s is no language code of ISO 639-1, such as en or es", quote(key))
		} else {
			titles[key] = v.text()
		}
	}
	return titles
}

// factor reads a decimal other than zero.
func (n node) factor() string {
	text := n.form(factorDigits, "decimal number")
	if text != "" && !strings.ContainsAny(text, "123456789") {
		n.problem("must not be zero")
	}
	return text
}

// separator reads the character that stands between digits, or nothing where that may be: nil where absent.
func (n node) separator(optional bool) *ref {
	if n.absent() {
		return nil
	}
	text := n.yaml.Value
	if none := optional && text == ""; n.yaml.Tag != "!!str" || !none && !isSeparator(text) {
		n.problem("must be one character between digits, such as . or ,")
		return nil
	}
	return &ref{text, n.where()}
}

func isSeparator(text string) bool {
	c, size := utf8.DecodeRuneInString(text)
	return size == len(text) && size > 0 && c != '-' && c != '+' && !unicode.In(c, unicode.L, unicode.N, unicode.C)
}
