package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/each"
)

// searchParameters are those of /search.
var searchParameters = []request.Parameter{
	{Name: "q", Twice: cube.CodeBadValue},
	{Name: "cube", Separator: "|"},
	{Name: "page", Twice: cube.CodeBadPage},
	{Name: "pagesize", Twice: cube.CodeBadPage},
	{Name: "numbers", Twice: cube.CodeBadValue},
	request.Lang,
}

// The bounds of a page of hits.
const (
	defaultHits = 20
	maxHits     = 100
)

// searchQuestion is what is looked for, and where.
type searchQuestion struct {
	search.Query
	cubes  []*cube.Cube
	page   query.Page
	quoted bool          // amounts are JSON strings
	lang   cube.Language // of warnings
}

// search finds members of all cubes, and the cubes, dimensions, levels and measures themselves. All of it is in memory:
// it asks nothing of the store, and needs no slot there.
func (a *api) search(c echo.Context) error {
	t := limits.TimingOf(c)
	asked, err := a.readSearch(c)
	if err != nil {
		return err
	}
	t.Done(limits.StageParse)
	found, err := a.Search.Find(c.Request().Context(), asked.Query, asked.cubes, asked.page)
	if err != nil {
		return err
	}
	t.Done(limits.StagePlan)
	err = found.FillAmounts(func(p *plan.Plan) (*answer.Answer, error) {
		return a.limiter.Aggregate(c.Request().Context(), t, p, asked.lang)
	}, nil)
	if err != nil {
		return err
	}
	hits := []hitJSON{}
	for _, hit := range found.Hits {
		made, err := newHit(hit, reply.Upwards(c), asked.quoted)
		if err != nil {
			return err
		}
		hits = append(hits, made)
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, 0, asked.page, within(asked.page, found.Total))
	return reply.SendJSON(c, http.StatusOK, searchJSON{
		"ok", found.Total, len(found.Pending) > 0 || len(found.Partial) > 0, hits,
		asked.page.Number, asked.page.Size, searchWarnings(found, asked.Query, asked.lang),
	})
}

// readSearch reads the URL.
func (a *api) readSearch(c echo.Context) (searchQuestion, error) {
	given, err := request.Read(c.Request().URL.RawQuery, searchParameters)
	if err != nil {
		return searchQuestion{}, err
	}
	q, badQuery := search.Parse(given["q"])
	page, badPage := readHits(given)
	writing, badNumbers := request.Writing(given, nil)
	lang, badLang := request.Language(given)
	if err := cmp.Or(badQuery, badPage, badNumbers, badLang); err != nil {
		return searchQuestion{}, err
	}
	cubes, err := a.searchedCubes(c.Request().Context(), given)
	return searchQuestion{q, cubes, page, writing.Quoted, lang}, err
}

// readHits reads which hits are asked for.
func readHits(given map[string]string) (query.Page, error) {
	sized := given["pagesize"] != ""
	if !sized {
		given["pagesize"] = strconv.Itoa(defaultHits)
	}
	if given["page"] == "" {
		delete(given, "page")
	}
	if size, err := strconv.Atoi(given["pagesize"]); err == nil && size > maxHits {
		return query.Page{}, request.Mistake(cube.CodeBadPage, "pagesize", fmt.Sprintf("a page has at most %d hits", maxHits),
			"write pagesize="+strconv.Itoa(maxHits))
	}
	page, err := query.ParsePage(given)
	switch {
	case err != nil:
		return page, err
	case page.Number*page.Size > search.MostHits:
		return page, request.Mistake(cube.CodeBadPage, "page", fmt.Sprintf("pages end at %d hits", search.MostHits), "look for more words")
	}
	return page, nil
}

// within counts the hits that are on some page: no page reaches beyond the end.
func within(page query.Page, total int) int64 {
	if page.Size <= 0 {
		return 0
	}
	return int64(min(total, search.MostHits/page.Size*page.Size))
}

// searchedCubes gives the cubes named, each once, or all that are served.
func (a *api) searchedCubes(ctx context.Context, given map[string]string) ([]*cube.Cube, error) {
	catalog, err := a.limiter.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	text, named := given["cube"]
	if !named {
		return catalog.Served(), nil
	}
	var cubes []*cube.Cube
	for name := range strings.SplitSeq(text, "|") {
		cb, err := catalog.Cube(name)
		if err != nil {
			return nil, inParameter(err, "cube")
		}
		cubes = each.Once(cubes, cb)
	}
	slices.SortFunc(cubes, func(a, b *cube.Cube) int { return cmp.Compare(a.Name, b.Name) })
	return cubes, nil
}

// inParameter makes the error about a name in the path one about a parameter.
func inParameter(err error, parameter string) error {
	known := reply.Explain(err)
	return request.Mistake(cube.CodeBadValue, parameter, known.Message, cmp.Or(known.Hint, "/cubes lists them"))
}

// searchWarnings says what is not found: what has no rows of the year that was asked for, and what may be there.
func searchWarnings(found search.Answer, q search.Query, lang cube.Language) []cube.Warning {
	list := []cube.Warning{}
	for _, cb := range found.OtherYears {
		_, year := q.Words()
		list = append(list, prose.YearNotCovered(cb.Name, year, cb.FiscalYears(), lang))
	}
	for _, cb := range found.Pending {
		list = append(list, prose.SearchPending(cb.Name, lang))
	}
	for _, p := range found.Partial {
		list = append(list, prose.SearchPartial(p.Cube.Name, p.Count, lang))
	}
	return list
}

// searchJSON is the answer of /search.
type searchJSON struct {
	Status     string         `json:"status"`
	Total      int            `json:"total_hit_count"`
	Incomplete bool           `json:"incomplete"`
	Hits       []hitJSON      `json:"hits"`
	Page       int            `json:"page"`
	PageSize   int            `json:"page_size"`
	Warnings   []cube.Warning `json:"warnings"`
}

// hitJSON is something that was found.
type hitJSON struct {
	Kind      search.Kind `json:"kind"`
	Cube      string      `json:"cube"`
	Version   int         `json:"version"`
	Synthetic bool        `json:"synthetic"`
	Dimension *string     `json:"dimension"`
	Level     *string     `json:"level"`
	Measure   *string     `json:"measure"`
	Path      *string     `json:"path"`
	Parents   []aboveJSON `json:"parents"`
	Label     *string     `json:"label"`
	LabelNow  *string     `json:"label_now"`
	Years     []any       `json:"years"`
	Rows      int64       `json:"rows"`
	Amount    *amountJSON `json:"amount"`
	Year      *int64      `json:"year"`
	Meant     []string    `json:"meant"`
	Broader   []string    `json:"broader"`
	Href      string      `json:"href"`
}

// aboveJSON is a member above one that was found.
type aboveJSON struct {
	Level string `json:"level"`
	Key   string `json:"key"`
	Label string `json:"label"`
}

// amountJSON is the sum of a measure in a year; null where there is none in any.
type amountJSON struct {
	Measure string          `json:"measure"`
	Year    any             `json:"year"`
	Value   json.RawMessage `json:"value"`
}

// pathOrNull gives the path of a member; what is no member has none.
func pathOrNull(h search.Hit) *string {
	if len(h.Path) == 0 {
		return nil
	}
	text := query.PathText(h.Cube.Model.PathOf(h.Level), h.Path)
	return &text
}

// newAmount gives the amount of a hit; nil where the cube has no measure.
func newAmount(amount search.Amount, quoted bool) *amountJSON {
	if amount.Measure == "" {
		return nil
	}
	value := cmp.Or(amount.Text, "null")
	if quoted && amount.Text != "" {
		value = strconv.Quote(amount.Text)
	}
	return &amountJSON{amount.Measure, encode.Plain([]cube.Value{amount.Year})[0], json.RawMessage(value)}
}

// newHit makes a hit whose link begins with the way to the folder of the cubes, and whose amount is perhaps a text.
func newHit(h search.Hit, way string, quoted bool) (hitJSON, error) {
	cb := h.Cube
	hit := hitJSON{
		Kind: h.Kind, Cube: cb.Name, Version: cb.Version, Synthetic: cb.Synthetic, Dimension: orNull(h.Dimension),
		Level: orNull(h.Level.Ref), Measure: orNull(h.Measure), Path: pathOrNull(h), Label: orNull(h.Label), LabelNow: orNull(h.LabelNow), Rows: h.Rows,
		Amount: newAmount(h.Amount, quoted), Parents: []aboveJSON{}, Meant: append([]string{}, h.Meant...), Broader: append([]string{}, h.Broader...),
	}
	if h.Year != 0 {
		hit.Year = &h.Year
	}
	for _, parent := range h.Parents {
		hit.Parents = append(hit.Parents, aboveJSON{parent.Level.Ref, parent.Key.String(), parent.Label})
	}
	if !h.First.IsMissing() {
		hit.Years = encode.Plain([]cube.Value{h.First, h.Last})
	}
	clauses, err := clausesTo(h)
	hit.Href = way + "cubes/" + url.PathEscape(cb.Name) + "/aggregate" + clauses
	return hit, err
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// clausesTo writes the question that shows a hit: of a member its own amounts by what is below it, in the year that was asked for or
// in the years of the name that is shown if it has several, of anything else the amounts by its members.
func clausesTo(h search.Hit) (string, error) {
	cut := yearsTo(h)
	switch h.Kind {
	case search.KindMember:
		p, err := plan.Bind(h.Cube, query.Query{Drilldown: []query.Ref{{Name: h.Level.Ref}}})
		if err != nil {
			return "", err
		}
		if cut != "" {
			cut = "|" + cut
		}
		return queryOf("cut", p.CutOf(h.Path)+cut, "drilldown", refText(p.Below(len(h.Path)))), nil
	case search.KindLevel:
		return queryOf("cut", cut, "drilldown", refText(h.Level.Ref)), nil
	case search.KindDimension:
		d, _ := h.Cube.Model.Dimension(h.Dimension)
		return queryOf("cut", cut, "drilldown", refText(d.Chains()[0][0].Ref)), nil
	case search.KindMeasure:
		year, _ := h.Cube.Model.YearLevel()
		return queryOf("cut", cut, "drilldown", refText(year.Ref), "aggregates", sumOf(h.Measure).String()), nil
	}
	if cut != "" {
		return queryOf("cut", cut), nil
	}
	return "", nil
}

// yearsTo writes the cut to the years of a hit, or "".
func yearsTo(h search.Hit) string {
	years := h.LabelYears // in others a member has other names
	if h.Year != 0 {
		years = []int64{h.Year}
	}
	year, ok := h.Cube.Model.YearLevel()
	if !ok || len(years) == 0 {
		return ""
	}
	return refText(year.Ref) + ":" + strings.Join(each.Text(years, func(y int64) string { return strconv.FormatInt(y, 10) }), ";")
}

// queryOf writes names with their values, leaving out those whose value is empty.
func queryOf(pairs ...string) string {
	var list []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			list = append(list, pair[0]+"="+url.QueryEscape(pair[1]))
		}
	}
	return "?" + strings.Join(list, "&")
}

// refText writes a field as a question names it.
func refText(field string) string {
	if field == "" {
		return ""
	}
	return query.Ref{Name: field}.String()
}

func sumOf(measure string) query.AggregateRef {
	return query.AggregateRef{Measure: measure, Func: string(cube.Sum)}
}
