// Package told has what a page says of an answer in sentences: the heading, what is below it, how much of what was approved was spent, the
// financing that is left out, and how another version answers. What has to be asked for a sentence stands beside it.
package told

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// Heading is the amount of an answer in few digits, and in plain words what it is. A total that cannot be trusted has no change.
func Heading(r *reading.Reading) layers.Sentence {
	s := layers.Sentence{
		Trail: append([]site.Choice{{Text: r.TitleOfCube(r.Cube), Link: r.Explore(r.Cube).String()}}, r.Trail...), What: r.Heading,
		Doubtful: !r.IsShared() || len(r.Zeros(0, r.Plan.Years())) > 0,
	}
	sum, main, verb := r.Answer.Summary.Values[0], r.Main(), prose.Verb(r.Measure())
	if !sum.Valid || main.Func != cube.Sum || verb == "" {
		if s.Amount, _ = r.Sum(); s.Amount != "" {
			s.What = r.Heading + " · " + r.SumOf()
		}
		return s
	}
	s.Amount = r.Brief(sum.Decimal, r.Currency())
	if main.ByYear != nil && main.ByYear.PerHead {
		s.Amount = r.Say("said.per-person", "Amount", s.Amount)
	}
	s.What, s.Original = whatIs(r.Selection, verb)
	if main.ByYear != nil && main.ByYear.PriceYear != 0 {
		s.What += ", " + r.Say("view.in-prices", "Year", strconv.FormatInt(main.ByYear.PriceYear, 10))
	}
	return s
}

// purposeOf names what the one member of a filter is for in the language of the reader, or is "".
func purposeOf(s *selection.Selection, f selection.Filter) string {
	functions := s.Cube.Functions
	if functions == nil || f.Not || f.Of.Ref != functions.Level || !s.IsFixed(f.Of.Ref) {
		return ""
	}
	path, _ := selection.PathOf(s, f.Of)
	if len(path) != len(f.Of.Path) {
		return ""
	}
	division := functions.Is(path)
	switch {
	case division == "":
		return ""
	case words.Has("functions.on-" + division):
		return s.Say("functions.on-" + division)
	}
	name := s.Say("functions.division-" + division)
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// whatIs says who spent an amount, on what and when: by the filters, of which the last of each dimension counts. A purpose is named in the language of
// the reader, with its published name beside.
func whatIs(s *selection.Selection, verb string) (text, original string) {
	var who, what, other, times []string
	for _, f := range s.Filters {
		dimension, _ := s.Cube.Model.Dimension(f.Of.Dimension)
		purpose := purposeOf(s, f)
		switch {
		case f.IsTime:
			times = append(times, cmp.Or(f.Year, f.Members))
		case f.Below != "" || selection.IsLeftOut(s.Cube, f.Cut): // which a note says
		case f.Not:
			other = append(other, f.Members)
		case dimension.Classification == "administrative":
			who = append(who, f.Members)
		case purpose != "":
			what = append(what, purpose)
			if !strings.EqualFold(f.Members, purpose) {
				original = f.Members
			}
		case dimension.Classification != "" || dimension.Type == "activity":
			what = append(what, f.Members)
		default:
			other = append(other, f.Members)
		}
	}
	years := s.Say("said.all-years")
	if len(times) > 0 {
		years = strings.Join(times, ", ")
	}
	title := s.TitleOfCube(s.Cube)
	switch {
	case len(who)+len(what)+len(other) == 0 && s.Cube.IsPart():
		text = s.Say("said."+verb+"-of", "What", s.Say("said.excerpt", "Title", title), "Years", years)
	case len(who)+len(what)+len(other) == 0:
		whole, _, _ := strings.Cut(title, ":") // such as the country
		text = s.Say("said."+verb+"-by", "Who", whole, "Years", years)
	case len(who) == 1 && len(what) == 0:
		text = s.Say("said."+verb+"-by", "Who", who[0], "Years", years)
	case len(what) == 1 && len(who) == 0:
		text = s.Say("said."+verb+"-on", "What", what[0], "Years", years)
	case len(what) == 1 && len(who) == 1:
		text = s.Say("said."+verb+"-by-on", "Who", who[0], "What", what[0], "Years", years)
	default:
		return s.Say("said."+verb+"-of", "What", strings.Join(slices.Concat(who, what, other), ", "), "Years", years), original
	}
	return strings.Join(append([]string{text}, other...), ", "), original
}

// Terms asks for the sum of a selection of one year per person and in prices of the year, as far as the series of the country are known; ok is false where
// neither is.
func Terms(s *selection.Selection) (q query.Query, ok bool) {
	year, isOfYear := s.Year()
	main := s.Main()
	if !isOfYear || main.Func != cube.Sum || main.ByYear != nil {
		return q, false
	}
	q = selection.Sum(s.Address)
	heads, prices := selection.SeriesOf(s.Cube, year)
	bare := selection.Bare(s.Asked())
	if heads {
		q.Aggregates = append(q.Aggregates, selection.PerHead(bare))
	}
	if prices && s.HasYearBefore() {
		q.Aggregates = append(q.Aggregates, selection.InPrices(bare, year))
		q.Compare = s.Compares()
	}
	return q, len(q.Aggregates) > 0
}

// Lede is what is said below the heading: the change, also in prices of one year, how much of what was approved it is, and how much for each
// person. Terms is the answer that Terms asks for, if it asks.
func Lede(r *reading.Reading, terms *answer.Answer, spent *Execution) (list []layers.Phrase) {
	year, ok := r.Year()
	main := r.Main()
	if len(r.Plan.Years()) > 1 && r.Answer.Summary.Values[0].Valid { // which nobody may take for those of one
		return []layers.Phrase{{Text: r.SumOf() + "."}}
	}
	if !ok || !r.IsShared() || len(r.Zeros(0, []int64{year})) > 0 || main.Func != cube.Sum || !r.Answer.Summary.Values[0].Valid {
		return nil
	}
	change, before := r.ValueIn(query.RolePercentage, r.Answer.Summary.Values), year+r.Offset()
	hasChange := change.Valid && len(r.Zeros(0, []int64{year, before})) == 0
	if hasChange {
		list = append(list, layers.Phrase{Text: r.Say("said.change", "Change", r.Change(change), "Year", strconv.FormatInt(before, 10)), Strong: true})
	}
	var last []layers.Phrase
	if terms != nil {
		for i, a := range terms.Plan.Aggregates() {
			value := terms.Summary.Values[i]
			switch {
			case !value.Valid || a.ByYear == nil:
			case a.Role == query.RolePercentage && a.ByYear.PriceYear != 0 && hasChange:
				list = append(list, layers.Phrase{Text: r.Say("said.real-change", "Change", r.Change(value), "Year", strconv.FormatInt(year, 10))})
			case a.Role == "" && a.ByYear.PerHead:
				last = append(last, layers.Phrase{Text: r.Say("said.each-person", "Amount", r.Brief(value.Decimal, r.Currency()))})
			}
		}
	}
	if spent != nil && spent.Short != "" {
		last = append(last, layers.Phrase{Text: spent.Short})
	}
	return append(list, last...)
}
