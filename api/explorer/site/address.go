package site

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Address is where a page about a question is, as a link that is relative to the page that has it. Its methods give other
// addresses and never change it.
type Address struct {
	Root    string // leads from the page with the link to the root of the service
	Path    string // below the root
	Query   query.Query
	Version string // that is pinned, or ""
	Lang    string // that was chosen, or ""
	View    string // how the cells are shown, or ""
	Beside  string // the cuts of the selection that stands beside this one, or ""
	Measure string // the measure of that selection, or "" for the same
	Number  string // the question of the number that led here, or ""
	// Financing is "in" where sums are to have the financing that pages leave out of them, or "".
	Financing string
}

// String writes the link.
func (a Address) String() string {
	link := cmp.Or(a.Root+a.Path, "./")
	if question := a.Question(); question != "" {
		link += "?" + question
	}
	return link
}

// Question writes the parameters as they stand in the link.
func (a Address) Question() string {
	pairs := each.Text(a.Clauses(), func(clause [2]string) string { return clause[0] + "=" + escape(clause[1]) })
	return strings.Join(pairs, "&")
}

// Clauses are the parameters, in the order of the API and with as few quotes as possible.
func (a Address) Clauses() [][2]string {
	list := a.Query.Clauses()
	for i, clause := range list {
		if clause[0] == "cut" {
			list[i][1] = strings.Join(each.Text(a.Query.Cuts, query.Cut.Short), "|")
		}
	}
	if page := a.Query.Page; page.Number > 1 {
		list = append(list, [2]string{"page", strconv.Itoa(page.Number)})
	}
	if page := a.Query.Page; page.Number > 0 && page.Size != query.DefaultPageSize {
		list = append(list, [2]string{"pagesize", strconv.Itoa(page.Size)})
	}
	for _, own := range [][2]string{{"version", a.Version}, {"lang", a.Lang}, {"_view", a.View}, {"_with", a.Beside}, {"_measure", a.Measure}, {"_number", a.Number}, {"_financing", a.Financing}} {
		if own[1] != "" {
			list = append(list, own)
		}
	}
	return list
}

// escape writes a text as a value in a query, with the signs of the grammar left readable where a URL may have them.
func escape(text string) string { return readable.Replace(url.QueryEscape(text)) }

var readable = strings.NewReplacer("%3A", ":", "%2F", "/", "%2C", ",", "%3B", ";", "%21", "!", "%28", "(", "%29", ")")

// At leads to another page with the same question.
func (a Address) At(path string) Address {
	a.Path = path
	return a
}

// Alone leads to the selection without the one beside it.
func (a Address) Alone() Address {
	a.Beside, a.Measure = "", ""
	return a
}

// Asking leads to another question. The page of cells is the first again. A comparison ends with the cut or the drilldown along which it
// moved, and so does an order by it.
func (a Address) Asking(change func(q *query.Query)) Address {
	before := a.Query
	a.Query.Page = query.FirstPage
	change(&a.Query)
	if c := a.Query.Compare; c != nil && names(before, c.Ref.Name) && !names(a.Query, c.Ref.Name) {
		a.Query.Compare = nil
		a.Query.Order = slices.DeleteFunc(slices.Clone(a.Query.Order), func(o query.Order) bool { return o.Role != "" })
	}
	return a
}

// names tells whether a question cuts or drills a field by its name.
func names(q query.Query, field string) bool {
	return slices.ContainsFunc(q.Cuts, func(c query.Cut) bool { return c.Ref.Name == field }) ||
		slices.ContainsFunc(q.Drilldown, func(r query.Ref) bool { return r.Name == field })
}

// Drilling asks for other levels, in their own order.
func (a Address) Drilling(levels ...string) Address {
	return a.Asking(func(q *query.Query) {
		q.Drilldown, q.Order, q.Top, q.Remainder = nil, nil, 0, false
		q.Drilldown = append(q.Drilldown, each.Of(levels, func(level string) query.Ref { return query.Ref{Name: level} })...)
	})
}

// Cutting replaces all cuts.
func (a Address) Cutting(cuts []query.Cut) Address {
	return a.Asking(func(q *query.Query) { q.Cuts = cuts })
}

// CuttingText replaces all cuts by a text in their grammar, which the plan of an answer wrote.
func (a Address) CuttingText(text string) Address {
	if text == "" {
		return a.Cutting(nil)
	}
	cuts, err := query.ParseCut(text)
	if err != nil {
		return a // never: a plan prints what the parser reads
	}
	return a.Cutting(cuts)
}

// With replaces the cut on a field, which keeps its place, or adds one.
func (a Address) With(cut query.Cut) Address {
	cuts := slices.Clone(a.Query.Cuts)
	if i := slices.IndexFunc(cuts, func(c query.Cut) bool { return c.Ref.Name == cut.Ref.Name && !c.Not }); i >= 0 {
		cuts[i] = cut
	} else {
		cuts = append(cuts, cut)
	}
	return a.Cutting(cuts)
}

// Or adds members to what the cut on their field admits, or a cut to them alone.
func (a Address) Or(cut query.Cut) Address {
	i := slices.IndexFunc(a.Query.Cuts, func(c query.Cut) bool { return c.Ref.Name == cut.Ref.Name && !c.Not })
	if i < 0 {
		return a.With(cut)
	}
	both := a.Query.Cuts[i]
	both.Items = slices.Clone(both.Items)
	for _, item := range cut.Items {
		text := query.Cut{Ref: cut.Ref, Items: []query.Item{item}}.String()
		isThere := func(other query.Item) bool {
			return query.Cut{Ref: cut.Ref, Items: []query.Item{other}}.String() == text
		}
		if !slices.ContainsFunc(both.Items, isThere) {
			both.Items = append(both.Items, item)
		}
	}
	return a.With(both)
}

// Without drops the cuts on the fields that drop names.
func (a Address) Without(drop func(field string) bool) Address {
	return a.Cutting(slices.DeleteFunc(slices.Clone(a.Query.Cuts), func(c query.Cut) bool { return drop(c.Ref.Name) }))
}

// Plus is the link with one more parameter.
func (a Address) Plus(name, text string) string {
	link := a.String()
	if strings.Contains(link, "?") {
		return link + "&" + name + "=" + escape(text)
	}
	return link + "?" + name + "=" + escape(text)
}

// ToLine leads to a line of the file that the path names.
func (a Address) ToLine(line int64) string { return a.Plus("line", strconv.FormatInt(line, 10)) }
