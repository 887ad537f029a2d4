package api

import (
	"cmp"
	"context"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// aggregateParameters are those of …/aggregate: the clauses of a question, then how it is answered.
var aggregateParameters = append(request.Clauses(), []request.Parameter{
	{Name: "page", Twice: cube.CodeBadPage},
	{Name: "pagesize", Twice: cube.CodeBadPage},
	{Name: "format", Twice: cube.CodeBadValue},
	{Name: "excel", Twice: cube.CodeBadValue},
	{Name: "numbers", Twice: cube.CodeBadValue},
	{Name: "links", Twice: cube.CodeBadValue},
	{Name: "cite", Twice: cube.CodeBadValue},
	request.Lang,
	request.Pin,
}...)

// question is a query and how its answer is written.
type question struct {
	query.Query
	encode.Writing
	given map[string]string // the parameters
	links bool              // every cell with its cut and the level below
	cite  bool              // with a sentence that says what the summary is
	lang  cube.Language
}

// readQuestion reads the text of a query, and of the header Accept what decides the format unless it is settled.
func readQuestion(text string, accept []string, parameters []request.Parameter, settled *encode.Format) (question, error) {
	given, err := request.Read(text, parameters)
	if err != nil {
		return question{}, err
	}
	q := question{given: given, Writing: encode.Writing{Format: settled}}
	var badFormat, badQuery, badLinks, badCite, badLang error
	if settled == nil {
		q.Writing, badFormat = request.Writing(given, accept)
	}
	if q.Query, badQuery = query.Parse(given); q.Format != encode.FormatJSON && badQuery == nil {
		q.Page = pageOfExport(given, q.Page)
	}
	q.links, badLinks = request.Flag(given, "links")
	q.cite, badCite = request.Flag(given, "cite")
	if badCite == nil && q.cite && q.Format != encode.FormatJSON && !q.Format.About {
		badCite = request.Mistake(cube.CodeBadValue, "cite", "an answer in "+q.Format.Name+" has no place for a citation",
			"ask for json, xlsx, parquet, arrow or jsonstat, or for …/package.zip")
	}
	q.lang, badLang = request.Language(given)
	return q, cmp.Or(badQuery, badLinks, badCite, badLang, badFormat)
}

// pageOfExport gives the page asked for. An export without one is of every cell.
func pageOfExport(given map[string]string, page query.Page) query.Page {
	_, paged := given["page"]
	_, sized := given["pagesize"]
	if paged || sized {
		return page
	}
	return query.Every
}

// aggregate answers a question of one cube.
func (a *api) aggregate(c echo.Context) error {
	reply.Vary(c.Response().Header(), echo.HeaderAccept)
	question, err := readQuestion(c.Request().URL.RawQuery, c.Request().Header.Values("Accept"), aggregateParameters, nil)
	if err != nil {
		return err
	}
	p, err := a.bind(c, question)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, question.Format.Media, p.Cube().Key()) {
		return reply.SendNotModified(c)
	}
	if question.Format != encode.FormatJSON {
		return a.spool.Answer(c, question.Format.Media, func() error { return a.exportCells(c, p, question) })
	}
	found, err := a.answer(c, p, question, reply.CodingOf(c.Request().Header))
	if err != nil {
		return err
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, p.Cube().Version, p.Page(), found.Total)
	return a.kept.Send(c, found)
}

// answer gives the answer to a question in JSON, in a coding.
func (a *api) answer(c echo.Context, p *plan.Plan, q question, coding string) (kept.Answer, error) {
	how := written{name: "aggregate", coding: coding, encode: encode.Aggregate, JSON: encode.JSON{Quoted: q.Quoted, Links: q.links, Lang: q.lang}}
	if q.cite {
		how.link = linkTo(c, p)
	}
	return a.answerAs(c, p, how)
}

// written is how a route writes the answers to its plans in JSON.
type written struct {
	encode.JSON
	name   string // of the route; it tells its answers from those of others that are kept
	coding string // of the body
	link   string // where the answer is found, for its citation; "" without one
	encode func(*answer.Answer, encode.JSON) []byte
}

// answerAs gives the answer to a plan as it is written.
func (a *api) answerAs(c echo.Context, p *plan.Plan, w written) (kept.Answer, error) {
	asked := []any{w.name, w.Lang, w.Quoted, w.Links, w.link, len(p.OrderAsked()), p}
	return a.kept.Of(c, p.Cube(), w.coding, asked, func() (kept.Answer, error) {
		t := limits.TimingOf(c)
		result, err := a.limiter.Aggregate(c.Request().Context(), t, p, w.Lang)
		if err != nil {
			return kept.Answer{}, err
		}
		if w.link != "" {
			if w.Citation, err = a.cite(c, t, result, w.link, w.Lang); err != nil {
				return kept.Answer{}, err
			}
		}
		body := w.encode(result, w.JSON)
		t.Done(limits.StageEncode)
		return kept.Answer{Body: body, Total: result.Summary.Count}, nil
	})
}

// bind plans a question of the version that it asks.
func (a *api) bind(c echo.Context, q question) (*plan.Plan, error) {
	return bound(a, c, q.given, func(cb *cube.Cube) (*plan.Plan, error) { return plan.Bind(cb, q.Query) })
}

// bound plans a question, which was just read, of the version that its parameters ask.
func bound[P any](a *api, c echo.Context, given map[string]string, bind func(*cube.Cube) (P, error)) (P, error) {
	t := limits.TimingOf(c)
	t.Done(limits.StageParse)
	defer t.Done(limits.StagePlan)
	cb, err := request.Cube(c, a.limiter, request.Path(c, "cube"), given)
	if err != nil {
		var none P
		return none, err
	}
	return bind(cb)
}

// exportCells answers with the cells alone: those that passes made of all of them, or as they come from the store.
func (a *api) exportCells(c echo.Context, p *plan.Plan, q question) error {
	ctx, t := c.Request().Context(), limits.TimingOf(c)
	cells := limits.Stream[*answer.Answer, answer.Cell]{}
	if p.NeedsAllCells() {
		whole, err := a.limiter.Aggregate(ctx, t, p, q.lang)
		if err != nil {
			return err
		}
		cells = limits.Held(whole, whole.Cells)
	}
	citation, err := a.citeExport(c, p, cells.Head, q)
	if err != nil {
		return err
	}
	if cells.Head == nil {
		if cells, err = a.limiter.OpenCells(ctx, t, p, q.lang); err != nil {
			return err
		}
	}
	defer cells.Close()
	table := encode.NewCellTable(p, q.links)
	clauses, asked := p.Question(), encode.AskedClauses(p, q.Query)
	s := encode.Sheet{
		Writing: q.Writing, Cube: p.Cube(), Plan: p, File: encode.FileName(p.Cube(), append([]string{"aggregate"}, encode.PlanWords(p, asked)...), asked),
		Columns: table.Columns, Measures: p.Measures(), Question: clauses,
		Link: request.Base(c) + reply.Permanent(p.Cube(), "aggregate", clauses), Warnings: encode.Warnings(p.Cube(), cells.Head.Warnings, q.lang),
		Citation: citation, Lang: q.lang,
	}
	count := cells.Head.Summary.Count
	reply.CountPages(c, p.Cube().Version, p.Page(), count)
	if err := s.Fits(encode.OnPage(count, p.Page())); err != nil {
		return err
	}
	return reply.Export(c, s, encode.Rows(cells.Rows, func(cell answer.Cell) ([]encode.Datum, error) { return table.Row(&cell), nil }))
}

// linkTo is the address of a question, pinned to the version.
func linkTo(c echo.Context, p *plan.Plan) string {
	return request.Base(c) + reply.Permanent(p.Cube(), "aggregate", p.Question())
}

// cite makes the citation of an answer that is found at an address.
func (a *api) cite(c echo.Context, t *limits.Timing, result *answer.Answer, link string, language cube.Language) (*encode.Citation, error) {
	cited, err := limits.Whole(c.Request().Context(), a.limiter, t, result.Plan.Reads(), func(ctx context.Context) (answer.Citation, error) {
		return answer.Cite(ctx, a.limiter, result, words.Locale{Language: language}, prose.Named{})
	})
	if err != nil {
		return nil, err
	}
	citation := &encode.Citation{Text: cited.Text + ". " + link, Link: link, Page: request.Base(c) + pageOfPlan(result.Plan), Resources: []encode.CitedFile{}}
	for _, r := range cited.Resources {
		file := encode.NewCitedFile(request.Base(c), result.Plan.Cube(), r.Resource)
		file.Columns = r.Columns
		citation.Resources = append(citation.Resources, file)
	}
	return citation, nil
}

// citeExport makes the citation of a file, where one is asked for. Where the cells are streamed there is no result yet,
// and the summary is asked before them.
func (a *api) citeExport(c echo.Context, p *plan.Plan, result *answer.Answer, q question) (*encode.Citation, error) {
	if !q.cite {
		return nil, nil
	}
	t := limits.TimingOf(c)
	if result == nil {
		q.Page = query.Page{Number: 1, Size: 0}
		totals, err := plan.Bind(p.Cube(), q.Query)
		if err != nil {
			return nil, err
		}
		if result, err = a.limiter.Aggregate(c.Request().Context(), t, totals, q.lang); err != nil {
			return nil, err
		}
		ofCells := *result
		ofCells.Plan = p
		result = &ofCells
	}
	return a.cite(c, t, result, linkTo(c, p), q.lang)
}
