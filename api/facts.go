package api

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// factParameters are those of …/facts.
var factParameters = []parameter{
	{name: "fields", separator: "|"},
	{name: "cut", separator: "|"},
	{name: "order", separator: ","},
	{name: "snapshots", twice: cube.CodeBadValue},
	{name: "after", twice: cube.CodeBadValue},
	{name: "pagesize", twice: cube.CodeBadPage},
	{name: "format", twice: cube.CodeBadValue},
	{name: "excel", twice: cube.CodeBadValue},
	{name: "numbers", twice: cube.CodeBadValue},
	pin,
}

// factQuestion is a question for facts and how its answer is to be written.
type factQuestion struct {
	cube.FactQuery
	writing
	version int // or servedVersion
}

// readFactQuestion reads the URL, and of the headers what decides the format. An export without a page is of every
// fact.
func readFactQuestion(r *http.Request) (factQuestion, error) {
	given, err := readParameters(r.URL.RawQuery, factParameters)
	if err != nil {
		return factQuestion{}, err
	}
	query, badQuery := cube.ParseFactQuery(given)
	writing, badFormat := readWriting(given, r.Header.Values("Accept"))
	if _, sized := given["pagesize"]; writing.rows() && !sized {
		query.Size = cube.EveryFact
	}
	version, badVersion := readVersion(given)
	return factQuestion{query, writing, version}, cmp.Or(badQuery, badFormat, badVersion)
}

// facts answers a question for the rows themselves.
func (a *api) facts(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	t := timingOf(c)
	question, err := readFactQuestion(c.Request())
	if err != nil {
		return err
	}
	t.done(stageParse)
	one, err := a.asked(c, question.version)
	if err != nil {
		return err
	}
	plan, err := one.BindFacts(question.FactQuery)
	if err != nil {
		return err
	}
	t.done(stagePlan)
	if a.unchanged(c, one, question.format.media) {
		return sendUnchanged(c)
	}
	if plan.Size() == cube.EveryFact {
		return a.exportFacts(c, plan, question)
	}
	return a.sendFactPage(c, plan, question)
}

// sendFactPage answers with a page and the way to the next one.
func (a *api) sendFactPage(c echo.Context, plan *cube.FactPlan, question factQuestion) error {
	t := timingOf(c)
	page, err := a.factPage(c.Request().Context(), t, plan)
	if err != nil {
		return err
	}
	if page.Next != "" {
		addLink(c.Response().Header(), nextFacts(c.Request().URL, page), "next")
	}
	if question.rows() {
		s, table := a.factSheet(c, page.Plan, question)
		return export(c, s, rowsOf(yielded(page.Facts), table.take))
	}
	body := factAnswer(page, question.quoted)
	t.done(stageEncode)
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// factPage asks for a page as a whole.
func (a *api) factPage(ctx context.Context, t *timing, plan *cube.FactPlan) (*cube.FactPage, error) {
	page, err := whole(ctx, a, t, func(ctx context.Context) (*cube.FactPage, error) {
		checked, err := a.engine.CheckFacts(ctx, plan)
		if err != nil {
			return nil, err
		}
		return a.engine.Facts(ctx, checked)
	})
	if err == nil {
		a.metrics.rows.Add(float64(len(page.Facts)))
	}
	return page, err
}

// nextFacts leads to the next page of the same version: the token of a page belongs to it.
func nextFacts(u *url.URL, page *cube.FactPage) string {
	pieces := append(without(u, "after", pin.name), "after="+page.Next, pin.name+"="+strconv.Itoa(page.Plan.Cube().Version))
	return reference(pieces)
}

// factHead is what stands before the facts of an answer.
type factHead struct {
	Status         string   `json:"status"`
	Cube           string   `json:"cube"`
	Version        int      `json:"version"`
	Synthetic      bool     `json:"synthetic"`
	TotalFactCount int64    `json:"total_fact_count"`
	Fields         []string `json:"fields"`
}

// factTail is what stands after them.
type factTail struct {
	Next     *string     `json:"next"`
	Cell     []cutJSON   `json:"cell"`
	Order    [][2]string `json:"order"`
	PageSize int         `json:"page_size"`
	Warnings []warning   `json:"warnings"`
}

// factAnswer writes a page of facts.
func factAnswer(page *cube.FactPage, quoted bool) []byte {
	plan := page.Plan
	names := factFields(plan)
	b := marshal(factHead{"ok", plan.Cube().Name, plan.Cube().Version, plan.Cube().Synthetic, page.Total, names})
	b = append(b[:len(b)-1], `,"facts":[`...)
	keys := factKeys(names)
	for i, fact := range page.Facts {
		if i > 0 {
			b = append(b, ',')
		}
		before := len(b)
		b = appendFact(b, plan, keys, fact, quoted)
		if i == 0 {
			b = slices.Grow(b, len(page.Facts)*(len(b)-before)) // the others are about as long
		}
	}
	b = append(b, `],`...)
	return append(b, marshal(factTailOf(page))[1:]...)
}

// factFields names the columns of an answer.
func factFields(plan *cube.FactPlan) []string {
	var names []string
	for _, field := range plan.Fields() {
		names = append(names, field.Name)
	}
	return append(names, cube.ResourceField, cube.LineField)
}

// factKeys writes each name once for all facts, with what stands before and behind it.
func factKeys(names []string) [][]byte {
	keys := make([][]byte, len(names))
	for i, name := range names {
		keys[i] = []byte{','}
		if i == 0 {
			keys[i] = []byte{'{'}
		}
		keys[i] = append(appendString(keys[i], name), ':')
	}
	return keys
}

// appendFact appends a fact as an object. The keys come as factKeys makes them.
func appendFact(b []byte, plan *cube.FactPlan, keys [][]byte, fact cube.Fact, quoted bool) []byte {
	fields := plan.Fields()
	for i, field := range fields {
		b = append(b, keys[i]...)
		if field.Type == cube.TypeDecimal {
			b = appendAmount(b, fact.Values[i].Amount, int32(field.Scale), quoted)
		} else {
			b = appendValue(b, fact.Values[i].Value)
		}
	}
	b = append(b, keys[len(fields)]...)
	b = appendString(b, plan.Cube().Resources[fact.Resource].Name)
	b = append(b, keys[len(fields)+1]...)
	return append(strconv.AppendInt(b, fact.Line, 10), '}')
}

func factTailOf(page *cube.FactPage) factTail {
	plan := page.Plan
	t := factTail{
		Cell:     cutsOf(plan.CountPlan()),
		Order:    [][2]string{},
		PageSize: plan.Size(),
		Warnings: append([]warning{}, plan.CountPlan().Warnings()...),
	}
	if page.Next != "" {
		t.Next = &page.Next
	}
	for _, s := range plan.OrderAsked() {
		t.Order = append(t.Order, [2]string{plan.SortName(s), s.Direction()})
	}
	return t
}
