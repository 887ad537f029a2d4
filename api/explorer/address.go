package explorer

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube/query"
	"fiscube/internal/each"
)

// address is where a page about a question is, as a link that is relative to the page that has it. Its methods give other
// addresses and never change it.
type address struct {
	root    string // leads from the page with the link to the root of the service
	path    string // below the root
	q       query.Query
	version string // that is pinned, or ""
	lang    string // that was chosen, or ""
	view    string // how the cells are shown, or ""
	beside  string // the cuts of the selection that stands beside this one, or ""
	measure string // the measure of that selection, or "" for the same
}

// String writes the link.
func (a address) String() string {
	var pairs []string
	for _, clause := range a.clauses() {
		pairs = append(pairs, clause[0]+"="+escape(clause[1]))
	}
	link := cmp.Or(a.root+a.path, "./")
	if len(pairs) > 0 {
		link += "?" + strings.Join(pairs, "&")
	}
	return link
}

// clauses are the parameters, in the order of the API and with as few quotes as possible.
func (a address) clauses() [][2]string {
	list := a.q.Clauses()
	for i, clause := range list {
		if clause[0] == "cut" {
			list[i][1] = strings.Join(each.Text(a.q.Cuts, query.Cut.Short), "|")
		}
	}
	if page := a.q.Page; page.Number > 1 {
		list = append(list, [2]string{"page", strconv.Itoa(page.Number)})
	}
	if page := a.q.Page; page.Number > 0 && page.Size != query.DefaultPageSize {
		list = append(list, [2]string{"pagesize", strconv.Itoa(page.Size)})
	}
	for _, own := range [][2]string{{"version", a.version}, {"lang", a.lang}, {"_view", a.view}, {"_with", a.beside}, {"_measure", a.measure}} {
		if own[1] != "" {
			list = append(list, own)
		}
	}
	return list
}

// escape writes a text as a value in a query, with the signs of the grammar left readable where a URL may have them.
func escape(text string) string { return readable.Replace(url.QueryEscape(text)) }

var readable = strings.NewReplacer("%3A", ":", "%2F", "/", "%2C", ",", "%3B", ";", "%21", "!", "%28", "(", "%29", ")")

// at leads to another page with the same question.
func (a address) at(path string) address {
	a.path = path
	return a
}

// alone leads to the selection without the one beside it.
func (a address) alone() address {
	a.beside, a.measure = "", ""
	return a
}

// asking leads to another question. The page of cells is the first again.
func (a address) asking(change func(q *query.Query)) address {
	a.q.Page = query.FirstPage
	change(&a.q)
	return a
}

// drilling asks for other levels, in their own order.
func (a address) drilling(levels ...string) address {
	return a.asking(func(q *query.Query) {
		q.Drilldown, q.Order, q.Top, q.Remainder = nil, nil, 0, false
		for _, level := range levels {
			q.Drilldown = append(q.Drilldown, query.Ref{Name: level})
		}
	})
}

// cutting replaces all cuts.
func (a address) cutting(cuts []query.Cut) address {
	return a.asking(func(q *query.Query) { q.Cuts = cuts })
}

// cuttingText replaces all cuts by a text in their grammar, which the plan of an answer wrote.
func (a address) cuttingText(text string) address {
	if text == "" {
		return a.cutting(nil)
	}
	cuts, err := query.ParseCut(text)
	if err != nil {
		return a // never: a plan prints what the parser reads
	}
	return a.cutting(cuts)
}

// with replaces the cut on a field, which keeps its place, or adds one.
func (a address) with(cut query.Cut) address {
	cuts := slices.Clone(a.q.Cuts)
	if i := slices.IndexFunc(cuts, func(c query.Cut) bool { return c.Ref.Name == cut.Ref.Name && !c.Not }); i >= 0 {
		cuts[i] = cut
	} else {
		cuts = append(cuts, cut)
	}
	return a.cutting(cuts)
}

// without drops the cuts on the fields that drop names.
func (a address) without(drop func(field string) bool) address {
	return a.cutting(slices.DeleteFunc(slices.Clone(a.q.Cuts), func(c query.Cut) bool { return drop(c.Ref.Name) }))
}

// plus is the link with one more parameter.
func (a address) plus(name, text string) string {
	link := a.String()
	if strings.Contains(link, "?") {
		return link + "&" + name + "=" + escape(text)
	}
	return link + "?" + name + "=" + escape(text)
}

// toLine leads to a line of the file that the path names, and to its place in the page.
func (a address) toLine(line int64) string {
	number := strconv.FormatInt(line, 10)
	return a.plus("line", number) + "#line-" + number
}

// equal is a cut to one member of a level, by its key.
func equal(field, key string) query.Cut {
	return query.Cut{Ref: query.Ref{Name: field}, Items: []query.Item{{Op: query.OpEqual, Path: []query.Key{{Text: key}}}}}
}

// The figures of a view, which the parameter _view names. Any other value is the table.
const (
	asTable   = "table"
	asBars    = "bars"
	asTreemap = "treemap"
	asLine    = "line"
	asChange  = "change"
	asSankey  = "sankey"
)
