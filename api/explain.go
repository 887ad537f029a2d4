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
	Purpose string        `json:"purpose"`
	Cuboid  *cuboidJSON   `json:"cuboid"`          // null: the facts are asked
	Others  []refusedJSON `json:"others"`          // why the other cuboids are not asked
	Tasks   int           `json:"tasks,omitempty"` // of the nodes of a cluster
	SQL     string        `json:"sql"`             // "" if nothing is asked, since no row passes
	Args    []any         `json:"args"`
}

// cuboidJSON is a cuboid that a statement asks.
type cuboidJSON struct {
	Number int      `json:"number"` // 0: the base cuboid, which has a row for each fact
	Levels []string `json:"levels"`
	Rows   int64    `json:"rows"`
}

// refusedJSON is a cuboid that a statement does not ask. Without a number the reason is that of all.
type refusedJSON struct {
	Number *int        `json:"number,omitempty"`
	Rows   int64       `json:"rows,omitempty"`
	Why    plan.Reason `json:"why"`
	Field  string      `json:"field,omitempty"`
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
			s.Purpose, chosenCuboid(cb, s.Choice), otherCuboids(s.Choice), s.Tasks, s.Text, append([]any{}, s.Args...)})
	}
	for _, m := range x.Cuts {
		body.Cuts = append(body.Cuts, matchedJSON{m.Filter, m.Default, m.Members, m.Rows})
	}
	return body
}

func chosenCuboid(c *cube.Cube, chosen plan.Choice) *cuboidJSON {
	if chosen.Cuboid == nil {
		return nil
	}
	levels := make([]string, len(chosen.Cuboid.Levels))
	for i, level := range chosen.Cuboid.Levels {
		levels[i] = c.Model.Levels()[level].Ref
	}
	return &cuboidJSON{chosen.Cuboid.Number, levels, chosen.Cuboid.Rows}
}

func otherCuboids(chosen plan.Choice) []refusedJSON {
	list := make([]refusedJSON, len(chosen.Others))
	for i, o := range chosen.Others {
		list[i] = refusedJSON{Why: o.Why, Field: o.Field}
		if o.Cuboid != nil {
			list[i].Number, list[i].Rows = &o.Cuboid.Number, o.Cuboid.Rows
		}
	}
	return list
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
