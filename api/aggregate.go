package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// aggregate answers a question of one cube.
func (a *api) aggregate(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	t := timingOf(c)
	question, plan, err := a.plan(c, t)
	if err != nil {
		return err
	}
	if question.csv {
		if plan, err = a.checked(c.Request().Context(), plan); err != nil {
			return err
		}
		return a.streamCSV(c, plan, question.links)
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
	body := answer(result, question, citation)
	t.done(stageEncode)
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// plan reads a question and binds it to the version it asks.
func (a *api) plan(c echo.Context, t *timing) (question, *cube.Plan, error) {
	question, err := readQuestion(c.Request())
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
	return question, plan, err
}

// measuresOf lists the measures that the aggregates are of, each once.
func measuresOf(plan *cube.Plan) []cube.Measure {
	var list []cube.Measure
	seen := map[string]bool{}
	for _, a := range plan.Aggregates() {
		for _, name := range a.Measures() {
			if !seen[name] {
				measure, _ := plan.Cube().Model.Measure(name)
				list, seen[name] = append(list, measure), true
			}
		}
	}
	return list
}
