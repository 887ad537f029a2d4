package explorer

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// questionParameters are those of …/aggregate that say what is asked, and which version.
var questionParameters = append(request.Clauses(),
	request.Parameter{Name: "page", Twice: cube.CodeBadPage}, request.Parameter{Name: "pagesize", Twice: cube.CodeBadPage}, request.Pin)

// mostRows is how many members a view lists before it adds up the others.
const mostRows = 30

// view is an answer as a page shows it.
type view struct {
	*visit
	cb     *cube.Cube
	a      address // of this page
	answer *answer.Answer
	fixed  map[string]bool // the levels of which a cut admits one member
	apart  []string        // what the view beside it has other cuts on
	chips  []chip          // its filters
	title  string          // names what it is of
}

// viewPage is what the page of a view has.
type viewPage struct {
	reader
	Title, Subtitle         string
	CubeTitle, CubeLink     string
	InWords, Exact, Unit    string // the sum
	Number                  string // leads to its page
	Warnings                []string
	Measures, Levels, Years []choice
	YearBefore, YearAfter   string // links
	Chips                   []chip
	Ways                    []choice // to show the cells
	Figure                  *figure
	Share                   *sharing
	Table                   *table
	Nothing                 bool     // no row matches
	Pages                   []choice // the page before and the next one
	Downloads               []choice
	JSON, Permanent         string
	Pinned                  *pinning
	FilterLevels            []choice
	Hidden                  [][2]string // what the form of the filter keeps
	Found                   []choice
	Finding                 string
	Finder                  *finder
}

// cube shows the answer to a question or, without one, the overview. A name with the end of a picture is the figure as a file.
func (p *Pages) cube(v *visit) (*frame, error) {
	cb, end, err := p.named(v)
	if err != nil {
		return nil, err
	}
	a, err := v.asked(cb)
	if err != nil {
		return nil, err
	}
	if end != "" {
		return nil, p.picture(v, cb, a, end)
	}
	if v.pageParameter("_ask") != "" {
		return nil, v.answerPrepared(cb, a)
	}
	if a.beside, a.measure = v.pageParameter("_with"), v.pageParameter("_measure"); a.beside != "" || a.measure != "" {
		return p.compare(v, cb, a)
	}
	if len(a.q.Clauses()) == 0 {
		return p.overview(v, cb, a)
	}
	w, err := p.view(v, cb, a)
	if err != nil {
		return nil, err
	}
	main, err := p.viewPage(w)
	if err != nil {
		return nil, err
	}
	f := v.frame("view", main.Title, main)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// asked is the address of the view that the request asks for.
func (v *visit) asked(cb *cube.Cube) (address, error) {
	a := v.explore(cb)
	var err error
	a.q, err = query.Parse(v.given)
	a.view = v.pageParameter("_view")
	return a, err
}

// view asks the question of an address.
func (p *Pages) view(v *visit, cb *cube.Cube, a address) (w *view, err error) {
	w = &view{visit: v, cb: cb, a: a}
	if w.answer, err = p.answer(v, cb, a.q); err != nil {
		return nil, err
	}
	return w, p.describe(w)
}

// describe finds what the cuts of a view fix, and what they are called.
func (p *Pages) describe(w *view) (err error) {
	w.fixed = fixedBy(w.answer.Plan)
	if w.chips, err = p.chips(w); err != nil {
		return err
	}
	w.title = titleOf(w.chips, w.titleOfCube(w.cb))
	return nil
}

// cubeOf gives the cube that the path names, in the version that is asked for.
func (p *Pages) cubeOf(v *visit) (*cube.Cube, error) {
	return request.Cube(v.Context, p.limiter, request.Path(v.Context, "cube"), v.given)
}

// pageParameter gives a parameter that only pages know.
func (v *visit) pageParameter(name string) string { return parameterIn(v.Request().URL.RawQuery, name) }

// parameterIn gives a parameter of a raw query, or "".
func parameterIn(raw, name string) string {
	for pair := range strings.SplitSeq(raw, "&") {
		if key, text, _ := strings.Cut(pair, "="); key == name {
			return request.Unescape(text)
		}
	}
	return ""
}

// answer asks what the page shows beside what was asked, as far as the question allows it: shares, the year before, the derived
// measure, and the members beyond the first ones as one row.
func (p *Pages) answer(v *visit, cb *cube.Cube, asked query.Query) (*answer.Answer, error) {
	var last error
	for _, q := range enriched(cb, asked) {
		found, err := p.ask(v, cb, q)
		if err == nil && asked.Compare == nil && v.pageParameter("_view") != asChange && comparesNothing(found) {
			continue // nobody asked for what is not there
		}
		if err == nil {
			return found, nil
		}
		if reply.Statuses[cube.CodeOf(err)] < 400 || reply.Statuses[cube.CodeOf(err)] >= 500 {
			return nil, err
		}
		last = err
	}
	return nil, last
}

// comparesNothing tells whether an answer is compared with nothing, such as with a year that the budget does not have.
func comparesNothing(found *answer.Answer) bool {
	before := slices.IndexFunc(found.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RoleEarlier })
	return before >= 0 && !found.Summary.Values[before].Valid &&
		slices.ContainsFunc(found.Warnings, func(warning cube.Warning) bool { return warning.Code == cube.WarnNotCompared })
}

// enriched gives questions that include what was asked, the most telling first.
func enriched(cb *cube.Cube, asked query.Query) []query.Query {
	asked.Aggregates = mainAggregates(cb.Model, asked.Aggregates)
	plain := asked
	main := asked.Aggregates[0]
	byAggregate := len(asked.Order) == 0
	if byAggregate && len(asked.Drilldown) > 0 && !drillsTime(cb.Model, asked) {
		plain.Order = []query.Order{{Ref: query.Ref{Dimension: main.Measure, Name: main.Func}, Desc: true}}
		if main.Measure == "" {
			plain.Order[0] = query.Order{Formula: &main, Desc: true}
		}
	}
	shared := plain
	if main.Func == string(cube.Sum) || main.Func == string(cube.Rows) {
		shared.Aggregates = append(slices.Clone(plain.Aggregates), query.AggregateRef{Func: string(cube.Share), Args: []query.AggregateRef{main}})
	}
	if derived := cb.Model.Derived(); len(derived) > 0 && len(asked.Aggregates) == 1 {
		shared.Aggregates = append(slices.Clone(shared.Aggregates), query.AggregateRef{Func: derived[0].Ref})
	}
	first := asked.Page == query.FirstPage && asked.Top == 0 && !asked.Rollup
	if first && len(asked.Drilldown) == 1 && !drillsTime(cb.Model, asked) && byAggregate {
		shared.Top, shared.Remainder = mostRows, true
	}
	list := []query.Query{shared, plain}
	if year, ok := cb.Model.YearLevel(); ok && asked.Compare == nil && main.Measure != "" {
		compared := shared
		compared.Compare = &query.Compare{Ref: query.Ref{Name: year.Ref}, Offset: -1}
		list = append([]query.Query{compared}, list...)
	}
	return list
}

// mainAggregates are those asked, or the sum of the leading measure, or the number of rows.
func mainAggregates(m *cube.Model, asked []query.AggregateRef) []query.AggregateRef {
	if len(asked) > 0 {
		return asked
	}
	if leading, ok := m.Leading(); ok {
		return []query.AggregateRef{{Measure: leading.Ref, Func: string(cube.Sum)}}
	}
	return []query.AggregateRef{{Func: string(cube.Rows)}}
}

// drillsTime tells whether a level of a dimension of time is drilled: its members have an order of their own.
func drillsTime(m *cube.Model, q query.Query) bool {
	return slices.ContainsFunc(q.Drilldown, func(ref query.Ref) bool {
		level, ok := m.Level(ref.Name)
		if !ok {
			return false
		}
		dimension, _ := m.Dimension(level.Dimension)
		return dimension.Type == cube.DimensionTime
	})
}

// fixedBy names the levels of which the cuts admit one member.
func fixedBy(p *plan.Plan) map[string]bool {
	fixed := map[string]bool{}
	for _, f := range p.FiltersAsked() {
		if f.Not || len(f.Any) != 1 {
			continue
		}
		for _, test := range f.Any[0] {
			if len(test.In) == 1 {
				fixed[test.Column.Name] = true
			}
		}
	}
	return fixed
}

func (p *Pages) viewPage(w *view) (*viewPage, error) {
	cb, data := w.cb, w.data("aggregate")
	page := &viewPage{
		reader: w.reader, Title: w.title, Subtitle: w.subtitle(), CubeTitle: w.titleOfCube(cb), CubeLink: w.explore(cb).String(),
		Unit: w.unit(), Number: w.numberOf(w.a), Chips: w.chips, Measures: w.measures(), Levels: w.levels(), Ways: w.ways(), Share: w.shared(),
		JSON: data.String(), Permanent: w.permanent(),
	}
	page.InWords, page.Exact = w.sum()
	var err error
	if page.Figure, err = p.figure(w); err != nil {
		return nil, err
	}
	page.Years, page.YearBefore, page.YearAfter = w.years()
	page.Downloads = []choice{
		{Text: w.Words.CSV, Link: data.plus("format", "csv")},
		{Text: w.Words.ExcelCSV, Link: data.plus("format", "csv") + "&excel=1"},
		{Text: w.Words.Workbook, Link: data.plus("format", "xlsx")},
		{Text: w.Words.Parquet, Link: data.plus("format", "parquet")},
		{Text: w.Words.Package, Link: w.data("package.zip").String()},
	}
	page.Table = w.table()
	page.Nothing = page.Table != nil && len(page.Table.Rows) == 0 || page.Table == nil && w.matchesNothing()
	page.Pages = w.pages()
	if page.Pinned, err = p.pinned(w); err != nil {
		return nil, err
	}
	if page.Warnings, err = p.notes(w); err != nil {
		return nil, err
	}
	if page.Finder, err = p.finder(w); err != nil {
		return nil, err
	}
	return page, p.find(w, page)
}

// titleOf names what a view is of: the members of its filters or else the whole, the time last.
func titleOf(chips []chip, whole string) string {
	var names, times []string
	for _, c := range chips {
		if c.IsTime {
			times = append(times, c.Members)
		} else {
			names = append(names, c.Members)
		}
	}
	if len(names) == 0 && whole != "" {
		names = []string{whole}
	}
	return strings.Join(append(names, times...), ", ")
}

// sum writes what all cells add up to, in words and with all its digits; "" if there is nothing to add up.
func (w *view) sum() (inWords, exact string) {
	sum, main := w.answer.Summary.Values[0], w.answer.Plan.Aggregates()[0]
	if !sum.Valid {
		return "", ""
	}
	return w.InWords(sum.Decimal, currencyOf(w.cb.Model, main)), w.Decimal(sum.Decimal, main.Scale)
}

// warnings are the sentences of the warnings.
func (w *view) warnings() []string {
	return each.Text(w.answer.Warnings, func(warning cube.Warning) string { return warning.Message })
}

// matchesNothing tells whether no row of the budget is in the answer.
func (w *view) matchesNothing() bool {
	return slices.ContainsFunc(w.answer.Warnings, func(warning cube.Warning) bool {
		return warning.Code == cube.WarnNothingMatches || warning.Code == cube.WarnNoSuchMember
	}) && !w.answer.Summary.Values[0].Valid
}

// data leads to what a route of the API answers to the question of the view. The measure is named: without it the API answers with
// all.
func (w *view) data(route string) address {
	a := w.a.alone().at("cubes/" + url.PathEscape(w.cb.Name) + "/" + route)
	a.view = ""
	w.nameMeasure(&a.q)
	return a
}

// permanent leads to this view of this version, for ever.
func (w *view) permanent() string {
	a := w.a
	a.version = strconv.Itoa(w.cb.Version)
	return a.String()
}

// drilled lists the levels of the drilldown.
func (w *view) drilled() []cube.Level {
	var list []cube.Level
	for _, step := range w.answer.Plan.Steps() {
		if level, ok := w.cb.Model.LevelOfKey(step.Ref); ok {
			list = append(list, level)
		}
	}
	return list
}

// pages leads to the page of cells before and the next one.
func (w *view) pages() []choice {
	page, total := w.answer.Plan.Page(), w.answer.Summary.Count
	if page.Size <= 0 {
		return nil
	}
	var list []choice
	for _, other := range []struct {
		text   string
		number int
	}{{w.Words.Previous, page.Number - 1}, {w.Words.Next, page.Number + 1}} {
		if other.number >= 1 && int64(other.number-1)*int64(page.Size) < total && (other.number < page.Number || int64(page.Number)*int64(page.Size) < total) {
			a := w.a
			a.q.Page = query.Page{Number: other.number, Size: page.Size}
			list = append(list, choice{Text: other.text, Link: a.String()})
		}
	}
	return list
}
