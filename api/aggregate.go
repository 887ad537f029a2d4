package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// aggregate answers a question of one cube.
func (a *api) aggregate(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	question, err := readQuestion(c.Request())
	if err != nil {
		return err
	}
	one, err := a.asked(c, question.version)
	if err != nil {
		return err
	}
	plan, err := one.Bind(question.Query)
	if err != nil {
		return err
	}
	if question.csv {
		return a.streamCSV(c, plan)
	}
	result, err := a.engine.Aggregate(c.Request().Context(), plan)
	if err != nil {
		return err
	}
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, answer(result, question.quoted))
}

// column is one column of an answer, and where a cell holds it.
type column struct {
	name  string
	of    source
	index int
	scale int32 // of an amount or a count: its decimals
	money bool  // an amount rather than a count
}

// source is the part of a cell that holds a column.
type source uint8

const (
	ofKeys source = iota
	ofLabels
	ofValues
)

// columns lists the columns of the plan's answer, as Plan.Columns names them.
func columns(plan *cube.Plan) []column {
	var list []column
	for i, key := range plan.Keys() {
		list = append(list, column{name: key.Name, of: ofKeys, index: i})
		if l := plan.LabelOf(key); l >= 0 {
			list = append(list, column{name: plan.Levels()[l].LabelRef, of: ofLabels, index: l})
		}
	}
	return append(list, valueColumns(plan)...)
}

// valueColumns lists those of the aggregates, which a summary has too.
func valueColumns(plan *cube.Plan) []column {
	list := make([]column, len(plan.Aggregates()))
	for i, a := range plan.Aggregates() {
		money := a.Func != cube.Rows && a.Func != cube.Count
		list[i] = column{name: a.Name, of: ofValues, index: i, scale: a.Scale, money: money}
	}
	return list
}

// measuresOf lists the measures that the aggregates are of, each once.
func measuresOf(plan *cube.Plan) []cube.Measure {
	var list []cube.Measure
	seen := map[string]bool{"": true} // _count has none
	for _, a := range plan.Aggregates() {
		if !seen[a.Measure] {
			measure, _ := plan.Cube().Model.Measure(a.Measure)
			list = append(list, measure)
			seen[a.Measure] = true
		}
	}
	return list
}
