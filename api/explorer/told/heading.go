// Package told has what a page says of an answer in sentences: the heading, what is below it, how much of what was approved was spent, the
// financing that is left out, and how another version answers. What has to be asked for a sentence stands beside it.
package told

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
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
	s.What, s.Original = whatIs(r.Selection, verb, false)
	return s
}

// Cited says what the amount of an answer is as its heading does, with the codes of its members and with all its years, for citations; "" where no verb says
// that.
func Cited(r *reading.Reading) (text string) {
	if verb := prose.Verb(r.Measure()); verb != "" && r.Main().Func == cube.Sum {
		text, _ = whatIs(r.Selection, verb, true)
	}
	return text
}

// whatIs says who spent an amount, on what and when: by the filters, of which the last of each dimension counts. A purpose is named in the language of
// the reader, with its published name beside. A citation has codes, and what is left out.
func whatIs(s *selection.Selection, verb string, isCited bool) (text, original string) {
	var who, what, other, without, times []string
	codes := map[string]string{} // of what is above, by the dimension
	hasYear := false
	for _, f := range s.Filters {
		dimension, _ := s.Cube.Model.Dimension(f.Of.Dimension)
		purpose, isWhat := f.Purpose, dimension.Classification != "" || dimension.Type == "activity"
		hasYear = hasYear || f.Of.Ref == selection.YearColumn(s.Cube.Model).Name
		code := strings.TrimPrefix(codes[f.Of.Dimension]+"/"+f.Code, "/")
		if f.Below != "" {
			codes[f.Of.Dimension] = code
		}
		name, beside := f.Members, []string{code}
		switch {
		case purpose != "":
			name, beside = purpose, []string{f.Named, code}
		case isWhat && dimension.Classification != "administrative" && !f.Not:
			name = s.Say("said.named", "Name", name)
		}
		isTold := func(text string) bool {
			return text == "" || strings.EqualFold(text, purpose) || strings.HasSuffix(" "+f.Members, " "+text) && purpose == ""
		}
		if beside = slices.Compact(slices.DeleteFunc(beside, isTold)); isCited && len(beside) > 0 {
			name += " (" + strings.Join(beside, ", ") + ")"
		}
		switch {
		case f.IsTime && f.Of.Ref != selection.YearColumn(s.Cube.Model).Name:
			times = append(times, f.Level+" "+f.Members)
		case f.IsTime && f.Year == "" && len(s.Plan.Years()) > 0:
			times = append(times, s.Years(s.Plan.Years()))
		case f.IsTime:
			times = append(times, cmp.Or(f.Year, f.Members))
		case f.Below != "" || !isCited && selection.IsLeftOut(s.Cube, f.Cut): // which a note says
		case f.Not:
			without = append(without, name)
		case !isWhat:
			other = append(other, name)
		case dimension.Classification == "administrative":
			who = append(who, name)
		default:
			what = append(what, name)
			if purpose != "" && !strings.EqualFold(f.Named, purpose) {
				original = f.Named
			}
		}
	}
	years := s.Say("said.all-years")
	switch {
	case isCited && !hasYear && len(s.Plan.Years()) > 0:
		years = strings.Join(append([]string{s.Years(s.Plan.Years())}, times...), ", ")
	case len(times) > 0:
		years = strings.Join(times, ", ")
	}
	if part := selection.PartOf(s.Guest, s.Plan); part != "" && !isCited { // a citation has the conditions of its number
		years += " (" + part + ")"
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
		text = s.Say("said."+verb+"-of", "What", strings.Join(slices.Concat(who, what, other), ", "), "Years", years)
		other = nil
	}
	if by := s.Main().ByYear; by != nil && by.PriceYear != 0 {
		without = append(without, s.Say("view.in-prices", "Year", strconv.FormatInt(by.PriceYear, 10)))
	}
	return strings.Join(slices.Concat([]string{text}, other, without), ", "), original
}

// Terms asks for the sum of a selection of one year per person and in prices of the year, as far as the series of the country are known, and for its
// change, where the selection is not compared; ok is false where there is nothing to ask.
func Terms(s *selection.Selection) (q query.Query, ok bool) {
	year, isOfYear := s.Year()
	main := s.Main()
	if !isOfYear || main.Func != cube.Sum || main.ByYear != nil && main.ByYear.PriceYear != 0 {
		return q, false
	}
	q = selection.Sum(s.Address)
	heads, prices := selection.SeriesOf(s.Cube, year)
	bare := selection.Bare(s.Asked())
	if heads && main.ByYear == nil {
		q.Aggregates = append(q.Aggregates, selection.PerHead(bare))
	}
	if s.HasYearBefore() {
		if prices {
			q.Compare = s.Compares()
			q.Aggregates = append(q.Aggregates, selection.InTermsOf(s.Asked(), selection.InPrices(bare, year)))
		}
		if s.Plan.Comparison() == nil {
			q.Compare = s.Compares()
			q.Aggregates = append(q.Aggregates, s.Asked())
		}
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
	if terms != nil && r.Plan.Comparison() == nil {
		at := slices.IndexFunc(terms.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Name == main.Name+"."+string(query.RolePercentage) })
		if at >= 0 {
			change = terms.Summary.Values[at]
		}
	}
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
			case a.Role == "" && a.ByYear.PerHead && main.ByYear == nil: // else the heading says so
				last = append(last, layers.Phrase{Text: r.Say("said.each-person", "Amount", r.Brief(value.Decimal, r.Currency()))})
			}
		}
	}
	if spent != nil && spent.Short != "" {
		last = append(last, layers.Phrase{Text: spent.Short})
	}
	return append(list, last...)
}
