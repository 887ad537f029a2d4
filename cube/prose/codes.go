package prose

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// People read codes as they are published. The key of a member with an edition (cube.Level.Edition), such as 1@2008, is one that
// nobody published: people read its code and, in words, the years in which it means what is told of.

// Codes writes the values of an item of a filter for people: for a path one text.
func Codes(f plan.Filter, item int, l cube.Language) []string {
	codes, years := codesOf(words.Locale{Language: l}, f, item, cube.Value.String, func(edition) bool { return true })
	if f.Echo[item].Path {
		return []string{joinCodes(codes, years)}
	}
	for i := range codes {
		codes[i] += years[i]
	}
	return codes
}

// codesOf writes the values of an item of a filter, and behind each the years in which it holds, if these matter.
func codesOf(l words.Locale, f plan.Filter, item int, text func(cube.Value) string, matter func(edition) bool) (codes, years []string) {
	for i, v := range f.Echo[item].Values {
		holds := ""
		if text := f.Echo[item].Edition(i); text != "" { // there is none of texts to search for, which are one alternative together
			if e := editionAt(columnsOf(f.Any[item]), i, text); e.years != nil && matter(e) {
				holds = " " + editionYears(l, e)
			}
		}
		codes, years = append(codes, text(v)), append(years, holds)
	}
	return codes, years
}

// joinCodes writes the codes of a path: 2/3/7 from 2012.
func joinCodes(codes, years []string) string {
	return strings.Join(codes, "/") + strings.Join(years, "")
}

// edition is one of the editions of a level: the first years of all, and its own.
type edition struct {
	years []int64
	first int64
}

func columnsOf(tests []plan.Test) []cube.Column {
	return each.Of(tests, func(test plan.Test) cube.Column { return test.Column })
}

// editionAt gives the edition of a key of a path, which a text names with an @; without years if it is "".
func editionAt(columns []cube.Column, key int, text string) edition {
	first, err := strconv.ParseInt(strings.TrimPrefix(text, "@"), 10, 64)
	if err != nil {
		return edition{}
	}
	for _, column := range columns {
		switch {
		case !column.IsEdition():
			key--
		case key == 0:
			return edition{column.From.Years, first}
		}
	}
	return edition{}
}

// editionYears says in which years the codes of an edition hold: up to 2011, 2012 to 2015, from 2016.
func editionYears(l words.Locale, e edition) string {
	switch i := slices.Index(e.years, e.first); {
	case i == len(e.years)-1:
		return l.Say("citation.from", "First", l.Year(e.first))
	case i <= 0:
		return l.Say("citation.up-to", "Last", l.Year(e.years[i+1]-1))
	default:
		return l.Say("citation.to", "First", l.Year(e.first), "Last", l.Year(e.years[i+1]-1))
	}
}

// holds tells whether the codes of an edition hold in all of some years.
func (e edition) holds(years []int64) bool {
	d := cube.Derivation{Years: e.years}
	return !slices.ContainsFunc(years, func(year int64) bool {
		first, _ := d.Edition(year)
		return first != e.first
	})
}

// CodesOfPath writes the keys of a member for people.
func CodesOfPath(columns []cube.Column, path []cube.Value, l cube.Language) string {
	return pathForPeople(words.Locale{Language: l}, columns, query.PathText(columns, path))
}

// pathForPeople writes a path that names editions with an @ for people: 2/3 from 2012.
func pathForPeople(l words.Locale, columns []cube.Column, path string) string {
	keys, err := query.ParsePath(path)
	if err != nil {
		return path
	}
	codes, years := make([]string, len(keys)), make([]string, len(keys))
	for i, key := range keys {
		codes[i] = key.Text
		if e := editionAt(columns, i, key.Edition); e.years != nil {
			years[i] = " " + editionYears(l, e)
		}
	}
	return joinCodes(codes, years)
}
