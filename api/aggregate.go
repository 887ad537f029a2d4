package api

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// aggregateParameters are those of …/aggregate: the clauses of a question, then how it is answered.
var aggregateParameters = append(questionParameters(), []request.Parameter{
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

func questionParameters() []request.Parameter {
	var list []request.Parameter
	for _, clause := range cube.Clauses() {
		list = append(list, request.Parameter{Name: clause.Name, Separator: clause.Separator, Twice: cube.CodeBadValue})
	}
	return list
}

// question is a query and how its answer is written.
type question struct {
	cube.Query
	encode.Writing
	given map[string]string // the parameters
	links bool              // every cell with its cut and the level below
	cite  bool              // with a sentence that says what the summary is
	lang  cube.Language
}

// readQuestion reads the parameters, and of the headers what decides the format unless it is settled.
func readQuestion(c echo.Context, parameters []request.Parameter, settled *encode.Format) (question, error) {
	given, err := request.Read(c.Request().URL.RawQuery, parameters)
	if err != nil {
		return question{}, err
	}
	q := question{given: given, Writing: encode.Writing{Format: settled}}
	var badFormat, badQuery, badLinks, badCite, badLang error
	if settled == nil {
		q.Writing, badFormat = request.Writing(given, c.Request().Header.Values("Accept"))
	}
	if q.Query, badQuery = cube.ParseQuery(given); q.Rows() && badQuery == nil {
		q.Page = pageOfExport(given, q.Page)
	}
	q.links, badLinks = request.Flag(given, "links")
	q.cite, badCite = request.Flag(given, "cite")
	if badCite == nil && q.cite && q.Rows() && !q.Format.About {
		badCite = request.Mistake(cube.CodeBadValue, "cite", "an answer in "+q.Format.Name+" has no place for a citation",
			"ask for json, xlsx or parquet, or for …/package.zip")
	}
	q.lang, badLang = request.Language(given)
	return q, cmp.Or(badQuery, badLinks, badCite, badLang, badFormat)
}

// pageOfExport gives the page asked for. An export without one is of every cell.
func pageOfExport(given map[string]string, page cube.Page) cube.Page {
	_, paged := given["page"]
	_, sized := given["pagesize"]
	if paged || sized {
		return page
	}
	return cube.Every
}

// aggregate answers a question of one cube.
func (a *api) aggregate(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	t := limits.TimingOf(c)
	question, err := readQuestion(c, aggregateParameters, nil)
	if err != nil {
		return err
	}
	plan, err := a.bind(c, question)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, plan.Cube(), question.Format.Media) {
		return reply.SendNotModified(c)
	}
	if question.Rows() {
		return a.exportCells(c, plan, question)
	}
	result, err := a.engine.Aggregate(c.Request().Context(), t, plan)
	if err != nil {
		return err
	}
	var citation *encode.Citation
	if question.cite {
		if citation, err = a.cite(c, t, result, question.lang); err != nil {
			return err
		}
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, plan.Page(), result.Summary.Count)
	body := encode.Aggregate(result, encode.JSON{Quoted: question.Quoted, Links: question.links, Lang: question.lang, Citation: citation})
	t.Done(limits.StageEncode)
	return reply.Send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// bind plans a question of the version that it asks.
func (a *api) bind(c echo.Context, q question) (*cube.Plan, error) {
	t := limits.TimingOf(c)
	t.Done(limits.StageParse)
	defer t.Done(limits.StagePlan)
	cb, err := request.Cube(c, a.engine.Engine, q.given)
	if err != nil {
		return nil, err
	}
	plan, err := cb.Bind(q.Query)
	if err != nil {
		return nil, err
	}
	return plan.In(q.lang), nil
}

// exportCells answers with the cells alone.
func (a *api) exportCells(c echo.Context, plan *cube.Plan, q question) error {
	plan, result, err := a.beforeCells(c, plan)
	if err != nil {
		return err
	}
	citation, err := a.citeExport(c, plan, result, q)
	if err != nil {
		return err
	}
	table := encode.NewCellTable(plan, q.links)
	clauses, asked := plan.Question(), encode.AskedClauses(plan, q.Query)
	s := encode.Sheet{
		Writing: q.Writing, Cube: plan.Cube(), Plan: plan, File: encode.FileName(plan.Cube(), append([]string{"aggregate"}, encode.PlanWords(plan, asked)...), asked),
		Columns: table.Columns, Measures: encode.InLanguage(plan.Measures(), q.lang), Question: clauses,
		Link: request.Base(c) + reply.Permanent(plan.Cube(), "aggregate", clauses), Warnings: encode.Warnings(plan),
		Citation: citation, Lang: q.lang,
	}
	summary := true
	return reply.Export(c, s, encode.Rows(a.cellsOf(c, plan, result), func(cell cube.Cell) ([]encode.Datum, error) {
		if summary {
			summary = false
			reply.CountPages(c, plan.Cube().Version, plan.Page(), cell.Count)
			return nil, s.Fits(encode.OnPage(cell.Count, plan.Page()))
		}
		return table.Row(cell), nil
	}))
}

// beforeCells gives the plan with all warnings of its answer, which come before the cells. What is finished in
// memory is asked for as a whole, and comes along; else the result is nil.
func (a *api) beforeCells(c echo.Context, plan *cube.Plan) (*cube.Plan, *cube.Result, error) {
	ctx := c.Request().Context()
	if !plan.Finished() {
		plan, err := limits.Before(ctx, a.engine, func(ctx context.Context) (*cube.Plan, error) { return a.engine.CheckStream(ctx, plan) })
		return plan, nil, err
	}
	result, err := a.engine.Aggregate(ctx, limits.TimingOf(c), plan)
	if err != nil {
		return nil, nil, err
	}
	return result.Plan, result, nil
}

// cellsOf gives the cells of an answer, the summary first: those that are there, or as they come from the store.
func (a *api) cellsOf(c echo.Context, plan *cube.Plan, result *cube.Result) iter.Seq2[cube.Cell, error] {
	if result != nil {
		return encode.All(append([]cube.Cell{result.Summary}, result.Cells...))
	}
	return a.engine.Cells(c.Request().Context(), limits.TimingOf(c), plan)
}

// cite makes the citation of an answer.
func (a *api) cite(c echo.Context, t *limits.Timing, result *cube.Result, language cube.Language) (*encode.Citation, error) {
	cited, err := limits.Whole(c.Request().Context(), a.engine, t, func(ctx context.Context) (cube.Citation, error) {
		return a.engine.Cite(ctx, result, language)
	})
	if err != nil {
		return nil, err
	}
	link := request.Base(c) + reply.Permanent(result.Plan.Cube(), "aggregate", result.Plan.Question())
	citation := &encode.Citation{Text: cited.Text + ". " + link, Link: link, Resources: []encode.CitedFile{}}
	for _, r := range cited.Resources {
		citation.Resources = append(citation.Resources, encode.NewCitedFile(r))
	}
	return citation, nil
}

// citeExport makes the citation of a file, where one is asked for. Where the cells are streamed there is no result yet,
// and the summary is asked before them.
func (a *api) citeExport(c echo.Context, plan *cube.Plan, result *cube.Result, q question) (*encode.Citation, error) {
	if !q.cite {
		return nil, nil
	}
	t := limits.TimingOf(c)
	if result == nil {
		q.Page = cube.Page{Number: 1, Size: 0}
		totals, err := plan.Cube().Bind(q.Query)
		if err != nil {
			return nil, err
		}
		if result, err = a.engine.Aggregate(c.Request().Context(), t, totals); err != nil {
			return nil, err
		}
		result.Plan = plan
	}
	return a.cite(c, t, result, q.lang)
}

// packageParameters are those of …/package.zip: how to write the rows is no choice there.
var packageParameters = slices.DeleteFunc(slices.Clone(aggregateParameters), func(p request.Parameter) bool {
	return slices.Contains([]string{"format", "excel", "numbers"}, p.Name)
})

// datapackage answers a question of one cube with a data package, which anybody can check and ask again.
func (a *api) datapackage(c echo.Context) error {
	question, err := readQuestion(c, packageParameters, encode.FormatZip)
	if err != nil {
		return err
	}
	plan, err := a.bind(c, question)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, plan.Cube(), question.Format.Media) {
		return reply.SendNotModified(c)
	}
	return a.exportCells(c, plan, question)
}
