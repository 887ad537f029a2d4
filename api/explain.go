package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

type explanationJSON struct {
	Status     string          `json:"status"`
	Cube       string          `json:"cube"`
	Version    int             `json:"version"`
	Plan       string          `json:"plan"` // the canonical question
	Statements []statementJSON `json:"statements"`
	Cuts       []matchedJSON   `json:"cuts"`
	Rows       int64           `json:"rows"` // facts that all cuts together admit
	Cells      int64           `json:"cells"`
	Timings    timingsJSON     `json:"timings"`
	Warnings   []cube.Warning  `json:"warnings"`
}

type statementJSON struct {
	Purpose string      `json:"purpose"`
	Cuboid  *cuboidJSON `json:"cuboid"` // null: the facts are asked
	Why     plan.Reason `json:"why,omitempty"`
	Field   string      `json:"field,omitempty"` // that Why is about
	Tasks   int         `json:"tasks,omitempty"` // of the nodes of a cluster
	SQL     string      `json:"sql"`             // "" if the store is not asked
	Args    []any       `json:"args"`
}

// cuboidJSON is a cuboid that a statement asks.
type cuboidJSON struct {
	Levels   []string `json:"levels"`
	Rows     int64    `json:"rows"`
	Resident bool     `json:"resident"` // in memory
}

// matchedJSON is what one term of the cut selects alone.
type matchedJSON struct {
	Cut     string `json:"cut"`
	Default bool   `json:"default,omitempty"`
	Members int64  `json:"members"`
	Rows    int64  `json:"rows"`
}

// timingsJSON has the stages of the answer in milliseconds.
type timingsJSON struct {
	Parse float64 `json:"parse"`
	Plan  float64 `json:"plan"`
	Store float64 `json:"store"`
}

// explain shows how a question is answered.
func (a *api) explain(c echo.Context) error {
	t := limits.TimingOf(c)
	question, err := readQuestion(c.Request().URL.RawQuery, c.Request().Header.Values("Accept"), aggregateParameters, nil)
	if err != nil {
		return err
	}
	p, err := a.bind(c, question)
	if err != nil {
		return err
	}
	if question.Format != encode.FormatJSON {
		return request.Mistake(cube.CodeBadValue, "format", "an explanation is JSON", "leave format out")
	}
	if question.cite {
		return request.Mistake(cube.CodeBadValue, "cite", "an explanation has no citation", "ask …/aggregate for it")
	}
	x, err := limits.Whole(c.Request().Context(), a.limiter, t, p.Reads(), func(ctx context.Context) (*answer.Explanation, error) {
		return answer.Explain(ctx, a.limiter, p, question.lang)
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store") // of a pinned version too: the timings are of this time
	return reply.SendJSON(c, http.StatusOK, explained(x, t))
}

func explained(x *answer.Explanation, t *limits.Timing) explanationJSON {
	p := x.Answer.Plan
	cb := p.Cube()
	body := explanationJSON{
		Status: "ok", Cube: cb.Name, Version: cb.Version, Plan: p.String(),
		Statements: []statementJSON{}, Cuts: []matchedJSON{}, Rows: x.Rows, Cells: x.Answer.Summary.Count,
		Timings:  timingsJSON{milliseconds(t.Of(limits.StageParse)), milliseconds(t.Of(limits.StagePlan)), milliseconds(x.Took)},
		Warnings: append([]cube.Warning{}, x.Answer.Warnings...),
	}
	for _, s := range x.Queries {
		body.Statements = append(body.Statements, statementJSON{
			s.Purpose, cuboidOf(cb, s.Source), s.Why.Why, s.Why.Field, s.Tasks, s.Text, append([]any{}, s.Args...)})
	}
	for _, m := range x.Cuts {
		body.Cuts = append(body.Cuts, matchedJSON{m.Filter, m.Default, m.Members, m.Rows})
	}
	return body
}

func cuboidOf(c *cube.Cube, s answer.Source) *cuboidJSON {
	if s.Levels == nil {
		return nil
	}
	return &cuboidJSON{each.Text(s.Levels, func(level int) string { return c.Model.Levels()[level].Ref }), s.Rows, s.Resident}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
