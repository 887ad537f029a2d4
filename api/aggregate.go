package api

import (
	"context"
	"iter"
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// aggregate answers a question of one cube.
func (a *api) aggregate(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	t := timingOf(c)
	question, plan, err := a.plan(c, t, readQuestion)
	if err != nil {
		return err
	}
	if a.unchanged(c, plan.Cube(), question.format.media) {
		return sendUnchanged(c)
	}
	if question.rows() {
		return a.exportCells(c, plan, question)
	}
	result, err := a.result(c.Request().Context(), t, plan)
	if err != nil {
		return err
	}
	var citation *citationJSON
	if question.cite {
		if citation, err = a.cite(c, t, result, question.lang); err != nil {
			return err
		}
	}
	linkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, plan.Page(), result.Summary.Count)
	body := answer(result, question, citation)
	t.done(stageEncode)
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// plan reads a question and binds it to the version it asks.
func (a *api) plan(c echo.Context, t *timing, read func(*http.Request) (question, error)) (question, *cube.Plan, error) {
	question, err := read(c.Request())
	if err != nil {
		return question, nil, err
	}
	t.done(stageParse)
	one, err := a.asked(c, question.version)
	if err != nil {
		return question, nil, err
	}
	plan, err := one.Bind(question.Query)
	t.done(stagePlan)
	if err != nil {
		return question, nil, err
	}
	return question, plan.In(question.lang), nil
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
	table := newCellTable(plan, q.links)
	clauses, asked := plan.Question(), settled(plan, q.Query)
	s := sheet{
		writing: q.writing, one: plan.Cube(), plan: plan, file: fileName(plan.Cube(), append([]string{"aggregate"}, subject(plan, asked)...), asked),
		columns: table.columns, measures: inLanguage(plan.Measures(), q.lang), question: clauses,
		link: a.base(c) + permanent(plan.Cube(), "aggregate", clauses), warnings: carried(plan),
		citation: citation, lang: q.lang,
	}
	summary, row := true, []datum{}
	return export(c, s, rowsOf(a.cellsOf(c, plan, result), func(cell cube.Cell) ([]datum, error) {
		if summary {
			summary = false
			countPages(c, plan.Cube().Version, plan.Page(), cell.Count)
			return nil, s.fits(onPage(cell.Count, plan.Page()))
		}
		row = table.row(cell, row)
		return row, nil
	}))
}

// beforeCells gives the plan with all that its answer warns of, which stands before the cells. What is finished in
// memory is asked for as a whole, and comes along; else the result is nil.
func (a *api) beforeCells(c echo.Context, plan *cube.Plan) (*cube.Plan, *cube.Result, error) {
	ctx := c.Request().Context()
	if !plan.Finished() {
		plan, err := checked(ctx, a, func(ctx context.Context) (*cube.Plan, error) { return a.engine.CheckStream(ctx, plan) })
		return plan, nil, err
	}
	result, err := a.result(ctx, timingOf(c), plan)
	if err != nil {
		return nil, nil, err
	}
	return result.Plan, result, nil
}

// cellsOf gives the cells of an answer, the summary first: those that are there, or as they come from the store.
func (a *api) cellsOf(c echo.Context, plan *cube.Plan, result *cube.Result) iter.Seq2[cube.Cell, error] {
	if result != nil {
		return yielded(append([]cube.Cell{result.Summary}, result.Cells...))
	}
	return a.cells(c.Request().Context(), timingOf(c), plan)
}
