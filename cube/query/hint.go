package query

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fiscube/cube"
)

// Hints say what to write instead of a text outside the grammar, if possible with the names and values of the text. They
// do not decide what is wrong.

// otherSeparators separate lists in other clauses and languages.
const otherSeparators = "|,;/"

func (p *parser) standsInQuotes() string {
	return fmt.Sprintf("what holds %s stands in quotes", p.found())
}

// separatorHint corrects what follows the item that begins at start: an item after a wrong separator, or a text that
// belongs into another parameter.
func (p *parser) separatorHint(start cube.Position, separator string) string {
	item, found := string(p.text[start.Offset:p.Offset]), p.peek()
	between := "write " + separator + " between them"
	switch {
	case found == ')':
		return "leave it out: no bracket is open"
	case p.Parameter == "cut" && p.at(rangeSign):
		return "a range is FROM..TO; what holds .. stands in quotes"
	case p.Parameter == "cut":
		return "write ; between values and | between fields"
	case p.Parameter == "aggregates" && found == ':':
		return "write a point before the function, as " + Clip(item+"."+p.following())
	case p.Parameter == "aggregates" && strings.ContainsRune("=<>!", found):
		return "conditions go into having, as " + Clip("having="+item+p.untilBar())
	case strings.ContainsRune(":=<>!~", found) && (p.Parameter == "drilldown" || p.Parameter == "fields"):
		return "values go into cut, as " + Clip("cut="+cmp.Or(p.cutInstead(item), item+":VALUE"))
	case strings.ContainsRune(NameEnds, found) && !strings.ContainsRune(otherSeparators, found):
		return between + "; " + p.standsInQuotes()
	}
	return between + ", as " + Clip(item+separator+p.following())
}

// following gives the item after a wrong separator, or … if there is none.
func (p *parser) following() string {
	rest := strings.TrimLeft(string(p.text[p.Offset:]), otherSeparators+":&+ ")
	if end := strings.IndexAny(rest, otherSeparators+" "); end >= 0 {
		rest = rest[:end]
	}
	return cmp.Or(rest, "…")
}

// nameHint corrects a missing name.
func (p *parser) nameHint() string {
	before := rune(0)
	if p.Offset > 0 {
		before = p.text[p.Offset-1]
	}
	switch found := p.peek(); {
	case before == '.':
		return "write a name after the point, or leave the point out"
	case before == '(':
		return "write aggregates inside the brackets, as ratio(a.sum,b.sum)"
	case before == '!' && found != ':' && found != '!':
		return "write what it is to leave out, as !FIELD:VALUE"
	case strings.ContainsRune(otherSeparators, before):
		return "leave out this " + string(before)
	case strings.ContainsRune(otherSeparators, found):
		return "leave out this " + string(found)
	case found == '.':
		return "write a name before the point, or leave the point out"
	case found == ':' && p.Parameter == "cut":
		return "write the field before it, as " + Clip("FIELD"+p.untilBar())
	case found == '!' && p.Parameter == "cut":
		return "one ! is enough, and stands before the field"
	}
	return p.standsInQuotes()
}

func (p *parser) untilBar() string {
	text, _, _ := strings.Cut(string(p.text[p.Offset:]), "|")
	return text
}

// valuesHint corrects a field in a cut without a colon after it.
func (p *parser) valuesHint(ref Ref) string {
	name := ref.String()
	if instead := p.cutInstead(name); instead != "" {
		return "write " + Clip(instead)
	}
	hint := "write " + Clip(name+":VALUE")
	if _, err := strconv.Atoi(name); err == nil {
		hint = "write the field before it, as FIELD:" + Clip(name)
	}
	before := strings.TrimRight(string(p.text[:ref.At.Offset]), "|!")
	if before != "" && (p.peek() == ended || p.peek() == '|') { // it may be a value of the field before
		hint += ", or several values of one field as " + Clip(before[strings.LastIndex(before, "|")+1:]+";"+name)
	}
	return hint
}

// comparisonSigns are the operators of other languages, the longer ones first, each with the cut that means the same.
var comparisonSigns = []struct{ sign, cut string }{
	{"==", "NAME:VALUE"}, {":=", "NAME:VALUE"}, {"!=", "!NAME:VALUE"}, {"!:", "!NAME:VALUE"}, {"<>", "!NAME:VALUE"},
	{"<=", "NAME:..VALUE"}, {"=<", "NAME:..VALUE"}, {">=", "NAME:VALUE.."}, {"=>", "NAME:VALUE.."},
	{"=", "NAME:VALUE"}, {":", "NAME:VALUE"}, {"!", "!NAME:VALUE"}, {"~", "NAME:~VALUE"},
	{"<", "NAME:..BELOW"}, {">", "NAME:ABOVE.."},
}

// cutInstead writes the comparison at the current position as a cut, or gives "" if there is none.
func (p *parser) cutInstead(name string) string {
	for _, s := range comparisonSigns {
		value, ok := strings.CutPrefix(p.untilBar(), s.sign)
		value = strings.TrimSpace(value)
		if ok && value != "" {
			return strings.NewReplacer("NAME", name, "VALUE", value, "ABOVE", nextTo(value, 1), "BELOW", nextTo(value, -1)).Replace(s.cut)
		}
	}
	return ""
}

// nextTo moves a whole number by a step, since a range includes its bounds: <5 is ..4. It does not change another value.
func nextTo(value string, step int64) string {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || strconv.FormatInt(n, 10) != value {
		return value
	}
	return strconv.FormatInt(n+step, 10)
}

// boundsHint corrects a number that is out of bounds or cannot be read.
func boundsHint(parameter string, n, usual, most int) string {
	if n > most {
		return "at most " + parameter + "=" + strconv.Itoa(most)
	}
	return "write " + parameter + "=" + strconv.Itoa(usual)
}

// mostRepeated is how many characters of a text a message repeats.
const mostRepeated = 60

// Clip shortens a text that a message repeats.
func Clip(text string) string {
	if runes := []rune(text); len(runes) > mostRepeated {
		return string(runes[:mostRepeated]) + "…"
	}
	return text
}
