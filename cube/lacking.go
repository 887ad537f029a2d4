package cube

import (
	"fmt"
	"slices"
	"strings"
)

// lack says of a place that it has no counterpart, and why.
type lack struct {
	kind lackKind
	args []any // of its words
}

type lackKind int

// What is lacking.
const (
	lackYear      lackKind = iota // rows of another year
	lackLevel                     // a level, in one of two years alone
	lackStatement                 // a statement of the same money, in a package that is one period
	lackOfPeriod                  // a statement of another period
	lackCells                     // rows elsewhere on the axis, as far as the cuts let any pass
	lackOwn                       // rows of the place itself, as far as they do
	lackPlace                     // a place to begin with: the rows have none on the axis
	lackNumber                    // a number so far away
)

// comparedWords are what is said of comparisons in a language.
type comparedWords struct {
	nothing string // the axis, and the places without a counterpart
	more    string // how many places are not named
	uneven  string // the axis, and the measures that one side has in years which the other has not
	sums    string // what that means for sums
	lacks   [8]string
}

var comparedTexts = map[Language]comparedWords{
	English: {
		nothing: "%s: nothing is there to compare with for %s", more: " and %d more",
		uneven: "%s: the years that are compared do not all have amounts in %s", sums: "; sums over several years are not compared",
		lacks: [...]string{lackYear: "%d (no rows of %d)", lackLevel: "%d (%s is empty in %d)", lackStatement: "%s (no %s %s)",
			lackOfPeriod: "%s (no %s %s of %s)", lackCells: "%s (no such rows of %s)", lackOwn: "%s (no such rows of its own)",
			lackPlace: "rows without %s", lackNumber: "%s"},
	},
	Spanish: {
		nothing: "%s: no hay con qué comparar %s", more: " y %d más",
		uneven: "%s: los años que se comparan no tienen todos montos en %s", sums: "; las sumas de varios años no se comparan",
		lacks: [...]string{lackYear: "%d (no hay filas de %d)", lackLevel: "%d (%s está vacío en %d)", lackStatement: "%s (no hay %s %s)",
			lackOfPeriod: "%s (no hay %s %s de %s)", lackCells: "%s (no hay tales filas de %s)", lackOwn: "%s (no hay tales filas suyas)",
			lackPlace: "las filas sin %s", lackNumber: "%s"},
	},
}

// lack says that a statement is not there. Where only one of a period counts, the period says which is meant.
func (s *statements) lack(pair statementPair, only bool) lack {
	end := len(s.columns) - 1
	here := pair.here
	if only {
		here = here[:end]
	}
	args := []any{periodText(here), s.by().Name, shownValue(pair.there[end])}
	if end == 0 {
		return lack{lackStatement, args}
	}
	return lack{lackOfPeriod, append(args, periodText(pair.there[:end]))}
}

func periodText(key []Value) string { return strings.Join(texts(key, shownValue), "/") }

// withAbsent gives the plan with the places that turned out to have no counterpart, where nothing was known before the
// cells of both sides were there.
func (p *Plan) withAbsent(entries []*entry) *Plan {
	c := p.finish.compare
	if c.facing != nil || len(c.absent) > 0 {
		return p
	}
	places := c.incomparable(entries)
	if len(places) == 0 {
		return p
	}
	plan, f, compared := *p, *p.finish, *c
	for _, at := range places {
		compared.absent = append(compared.absent, c.lackAt(at, c.isEmpty(entries)))
	}
	f.compare, plan.finish = &compared, &f
	return &plan
}

// incomparable lists the places of the axis at which cells stand that are not compared.
func (c *comparison) incomparable(entries []*entry) []Value {
	var places []Value
	for _, e := range entries {
		switch {
		case !e.incomparable && !e.isApart(): // it is compared
		case c.key >= 0:
			places = append(places, e.Keys[c.key])
		default:
			places = append(places, c.cut...)
		}
	}
	slices.SortFunc(places, func(x, y Value) int { return compareValues(false, x, y) })
	return slices.Compact(places)
}

// isEmpty tells whether the one cell that is there though no row is has none.
func (c *comparison) isEmpty(entries []*entry) bool {
	return c.rows >= 0 && entries[0].own[c.rows].Decimal.IsZero()
}

// lackAt says of a place of the axis that there are no cells to compare its own with, or that it has none itself.
func (c *comparison) lackAt(at Value, empty bool) lack {
	there, ok := at.shifted(c.offset)
	switch {
	case empty:
		return lack{lackOwn, []any{shownValue(at)}}
	case at.IsMissing():
		return lack{lackPlace, []any{c.ref}}
	case !ok:
		return lack{lackNumber, []any{shownValue(at)}}
	}
	return lack{lackCells, []any{shownValue(at), shownValue(there)}}
}

// warnCompared says what could not be compared.
func (p *Plan) warnCompared() []Warning {
	if !p.Compared() {
		return nil
	}
	c, words := p.finish.compare, in(comparedTexts, p.language)
	var list []Warning
	if len(c.absent) > 0 {
		shown := c.absent[:min(len(c.absent), shownPeriods)]
		text := strings.Join(texts(shown, func(l lack) string { return fmt.Sprintf(words.lacks[l.kind], l.args...) }), ", ")
		if more := len(c.absent) - len(shown); more > 0 {
			text += fmt.Sprintf(words.more, more)
		}
		list = warning(WarnNotCompared, words.nothing, c.ref, text)
	}
	return append(list, p.warnUneven()...)
}
