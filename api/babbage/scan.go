package babbage

import (
	"strings"
	"unicode"
)

// grammar is how the text of a parameter falls into refs and what stands behind them.
type grammar struct {
	separators string // a comma may belong to a value

	// follows tells whether a word may stand behind the colon of a ref.
	follows func(word string) bool
}

func nothing(string) bool { return false }

func anything(string) bool { return true }

func direction(word string) bool { return word == "asc" || word == "desc" }

var (
	ofRefs       = grammar{"|", nothing}
	ofCuts       = grammar{"|;", anything}
	ofAggregates = grammar{"|,", nothing} // formulas have no refs with colons
	ofOrder      = grammar{",", direction}
)

// tidy leaves out the white space in front of names and values, as the dialect does. Inside quotes and values it
// stays.
func (g grammar) tidy(text string) string {
	var b strings.Builder
	s := g.scan()
	for _, r := range text {
		if s.front && !s.quoted && unicode.IsSpace(r) {
			continue
		}
		s.next(r)
		b.WriteRune(r)
	}
	return b.String()
}

// scanner knows of each place in the text of a parameter whether it is inside quotes or a value.
type scanner struct {
	grammar
	front   bool // nothing but white space is between a separator and the place
	inValue bool
	quoted  bool
	escaped bool
	before  rune
}

func (g grammar) scan() scanner { return scanner{grammar: g, front: true, before: ' '} }

func (s *scanner) next(r rune) {
	if s.quoted {
		s.quoted = r != '"' || s.escaped
		s.escaped = r == '\\' && !s.escaped
	} else {
		s.quoted = r == '"' && (s.front || strings.ContainsRune(".!/(~", s.before))
		s.front = strings.ContainsRune(s.separators, r) || r == ':' && !s.inValue
		s.inValue = r == ':' || s.inValue && (!s.front || r == ';')
	}
	s.before = r
}
