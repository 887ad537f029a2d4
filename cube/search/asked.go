package search

import (
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// FigureAsked is an amount that a text asks for, and where.
type FigureAsked struct {
	Text    string // the part of the text that is the amount
	Figures []Figure
	Cubes   []*cube.Cube // those that its other words name, or all
	Year    int64        // the fiscal year that it names; 0 for any

	Currency   string   // the word or sign of a currency beside the amount; or ""
	Currencies []string // those that it may mean and that some of the cubes have: other amounts are not meant; nil for any
}

// Figure reads a text as an amount in some of the cubes, perhaps with words that name them by their names or countries, and a fiscal year. It is
// false for other texts. The currency may be one that any of all cubes has.
func (x *Index) Figure(text string, cubes, all []*cube.Cube) (FigureAsked, bool) {
	fields := strings.Fields(text)
	if len(fields) > mostWords {
		return FigureAsked{}, false
	}
	for from, to := range runsOf(fields) {
		asked := FigureAsked{Text: strings.Trim(strings.Join(fields[from:to], " "), ",;:?"), Cubes: cubes}
		if asked.Figures = ParseFigure(asked.Text); len(asked.Figures) == 0 {
			continue
		}
		asked.setCurrency(beside(fields, from, to), all)
		if to-from == len(fields) || x.where(&asked, strings.Join(slices.Concat(fields[:from], fields[to:]), " ")) {
			return asked, true
		}
	}
	return FigureAsked{}, false
}

// beside gives the fields of an amount, with the word before and the one after it. Between these there may be small words.
func beside(fields []string, from, to int) []string {
	isBetween := func(i int) bool { return slices.Contains(smallWords, fold.Text(fields[i])) }
	from, to = max(from-1, 0), min(to+1, len(fields))
	for from > 0 && isBetween(from) {
		from--
	}
	for to < len(fields) && isBetween(to-1) {
		to++
	}
	return fields[from:to]
}

// setCurrency restricts an amount to the currency in the fields beside it, if a cube has that.
func (asked *FigureAsked) setCurrency(fields []string, cubes []*cube.Cube) {
	var codes []string
	asked.Currency, codes = currencyIn(fields)
	for _, code := range codes {
		isIn := func(m cube.Measure) bool { return m.Currency == code }
		if slices.ContainsFunc(cubes, func(c *cube.Cube) bool { return slices.ContainsFunc(c.Model.Measures(), isIn) }) {
			asked.Currencies = append(asked.Currencies, code)
		}
	}
}

// where reads the words around an amount: each has to name a cube or be the one fiscal year, unless it is small, of a question or a currency.
func (x *Index) where(asked *FigureAsked, text string) bool {
	words := slices.DeleteFunc(wordsOf(text), func(word string) bool {
		return slices.Contains(smallWords, word) || slices.Contains(smallLetters, word) || isQuestionWord(word) || isCurrency(word)
	})
	if len(words) == 0 {
		return true
	}
	q, err := Parse(strings.Join(words, " "))
	if err != nil || q.years() > 1 {
		return false
	}
	if rest, ok := q.inYear(); ok {
		q, asked.Year = rest, rest.year
	} else if year, ok := yearOf(words[0]); ok && len(q.words) == 1 {
		q, asked.Year = Query{}, year
	}
	asked.Cubes = slices.DeleteFunc(slices.Clone(asked.Cubes), func(c *cube.Cube) bool {
		return asked.Year != 0 && !hasYear(c, asked.Year) || !x.isNamed(c, q)
	})
	return len(asked.Cubes) > 0
}

// isNamed tells whether each word of a query is one of a cube's names or of its country.
func (x *Index) isNamed(c *cube.Cube, q Query) bool {
	return x.namedIn(c, q) == q.all()
}

// namedIn gives the words of a query that are of a cube's names or of its country; none of a cube that is not read yet.
func (x *Index) namedIn(c *cube.Cube, q Query) uint32 {
	p, ok := (*x.parts.Load())[c.ID]
	if !ok {
		return 0
	}
	named := p.namedBy(q, p.marks(q)).whole
	for _, country := range append(slices.Collect(maps.Values(c.CountryNames)), c.Country) {
		for _, word := range wordsOf(country) {
			if i := slices.Index(q.words, word); i >= 0 {
				named |= 1 << i
			}
		}
	}
	return named
}

// Named gives those of some cubes that a query names: those whose names or country have words of it, other than the words of a
// question, small ones and the year, unless those of another cube have these words and more.
func (x *Index) Named(q Query, cubes []*cube.Cube) []*cube.Cube {
	return each.Of(x.naming(q, cubes), func(of naming) *cube.Cube { return of.cube })
}

// naming is a cube with the words of a query that name it.
type naming struct {
	cube  *cube.Cube
	words []string
}

func (x *Index) naming(q Query, cubes []*cube.Cube) (list []naming) {
	if rest, ok := q.withoutQuestion(); ok {
		q = rest
	}
	if rest, ok := q.inYear(); ok {
		q = rest
	}
	named := each.Of(cubes, func(c *cube.Cube) uint32 { return x.namedIn(c, q) &^ q.small })
	for i, c := range cubes {
		hasMore := func(other uint32) bool { return other != named[i] && other&named[i] == named[i] }
		if named[i] == 0 || slices.ContainsFunc(named, hasMore) {
			continue
		}
		of := naming{cube: c}
		for j, word := range q.words {
			if named[i]&(1<<j) != 0 {
				of.words = append(of.words, word)
			}
		}
		list = append(list, of)
	}
	return list
}
