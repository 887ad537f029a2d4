package api

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// factParameters are those of …/facts.
var factParameters = []request.Parameter{
	{Name: "fields", Separator: "|"},
	{Name: "cut", Separator: "|"},
	{Name: "order", Separator: ","},
	{Name: "snapshots", Twice: cube.CodeBadValue},
	{Name: "after", Twice: cube.CodeBadValue},
	{Name: "pagesize", Twice: cube.CodeBadPage},
	{Name: "format", Twice: cube.CodeBadValue},
	{Name: "excel", Twice: cube.CodeBadValue},
	{Name: "numbers", Twice: cube.CodeBadValue},
	request.Lang,
	request.Pin,
}

// factQuestion is a question for facts and how its answer is written.
type factQuestion struct {
	query.FactQuery
	encode.Writing
	given map[string]string // the parameters
	lang  cube.Language
}

// readFactQuestion reads the URL, and of the headers what decides the format. An export without a page is of every
// fact.
func readFactQuestion(r *http.Request) (factQuestion, error) {
	given, err := request.Read(r.URL.RawQuery, factParameters)
	if err != nil {
		return factQuestion{}, err
	}
	q, badQuery := query.ParseFactQuery(given)
	writing, badFormat := request.Writing(given, r.Header.Values("Accept"))
	if _, sized := given["pagesize"]; writing.Format != encode.FormatJSON && !sized {
		q.Size = query.EveryFact
	}
	lang, badLang := request.Language(given)
	return factQuestion{q, writing, given, lang}, cmp.Or(badQuery, badLang, badFormat)
}

// facts answers a question for the rows themselves.
func (a *api) facts(c echo.Context) error {
	reply.Vary(c.Response().Header(), echo.HeaderAccept)
	question, err := readFactQuestion(c.Request())
	if err != nil {
		return err
	}
	p, err := bound(a, c, question.given, func(cb *cube.Cube) (*plan.FactPlan, error) { return plan.BindFacts(cb, question.FactQuery) })
	if err != nil {
		return err
	}
	if reply.Unchanged(c, question.Format.Media, p.Cube().Key()) {
		return reply.SendNotModified(c)
	}
	if p.Size() == query.EveryFact {
		return a.spool.Answer(c, question.Format.Media, func() error { return a.exportFacts(c, p, question) })
	}
	return a.sendFactPage(c, p, question)
}

// sendFactPage answers with a page and the way to the next one.
func (a *api) sendFactPage(c echo.Context, p *plan.FactPlan, question factQuestion) error {
	t := limits.TimingOf(c)
	if question.Format != encode.FormatJSON {
		page, err := a.limiter.FactPage(c.Request().Context(), t, p, question.lang)
		if err != nil {
			return err
		}
		linkNext(c, p, page.Next)
		s, table := a.factSheet(c, page, question)
		return reply.Export(c, s, encode.Rows(encode.All(page.Facts), func(f plan.Fact) ([]encode.Datum, error) { return table.Row(f), nil }))
	}
	asked := []any{"facts", question.lang, question.Quoted, len(p.OrderAsked()), p}
	found, err := a.kept.Of(c, p.Cube(), reply.CodingOf(c.Request().Header), asked, func() (kept.Answer, error) {
		page, err := a.limiter.FactPage(c.Request().Context(), t, p, question.lang)
		if err != nil {
			return kept.Answer{}, err
		}
		body := encode.Facts(page, question.Quoted)
		t.Done(limits.StageEncode)
		return kept.Answer{Body: body, Total: page.Total, Next: page.Next}, nil
	})
	if err != nil {
		return err
	}
	linkNext(c, p, found.Next)
	return a.kept.Send(c, found)
}

// linkNext leads to the page of a token. It is pinned: the token belongs to its version.
func linkNext(c echo.Context, p *plan.FactPlan, token string) {
	if token != "" {
		next := reply.Reference(c.Request().URL, [2]string{"after", token}, [2]string{request.Pin.Name, strconv.Itoa(p.Cube().Version)})
		reply.AddLink(c.Response().Header(), next, "next")
	}
}

// exportFacts answers with every fact of a plan as they come from the store.
func (a *api) exportFacts(c echo.Context, p *plan.FactPlan, q factQuestion) error {
	facts, err := a.limiter.OpenFacts(c.Request().Context(), limits.TimingOf(c), p, q.lang)
	if err != nil {
		return err
	}
	defer facts.Close()
	s, table := a.factSheet(c, facts.Head, q)
	if err := s.Fits(facts.Head.Total); err != nil {
		return err
	}
	return reply.Export(c, s, encode.Rows(facts.Rows, func(f plan.Fact) ([]encode.Datum, error) { return table.Row(f), nil }))
}

// factSheet describes the facts of a plan as a table.
func (a *api) factSheet(c echo.Context, page *answer.FactPage, q factQuestion) (encode.Sheet, *encode.FactTable) {
	p := page.Plan
	table := encode.NewFactTable(p)
	clauses := encode.FactClauses(p, q.FactQuery)
	cb := p.Cube()
	words := append(append([]string{"facts"}, encode.CutWords(p.Counting())...), encode.ClauseWords(clauses, "cut", "after")...)
	return encode.Sheet{
		Writing: q.Writing, Cube: cb, File: encode.FileName(cb, words, clauses),
		Columns: table.Columns, Measures: cb.Model.Measures(), Question: clauses,
		Link: request.Base(c) + reply.Permanent(cb, "facts", clauses), Warnings: encode.Warnings(cb, page.Warnings, q.lang), Lang: q.lang,
	}, table
}

// rowsOfFile gives the loaded rows of a file, written anew as CSV, with the columns that were published.
func (a *api) rowsOfFile(c echo.Context, cb *cube.Cube) error {
	name := request.Path(c, "resource")
	p, header, err := plan.OfResource(cb, name)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, encode.FormatFile.Media, cb.Key()) {
		return reply.SendNotModified(c)
	}
	s := encode.Sheet{
		Writing: encode.Writing{Format: encode.FormatFile}, Cube: cb, File: encode.FileName(cb, []string{"resource", strings.TrimSuffix(name, ".csv")}, nil),
		Link:     request.Base(c) + reply.Permanent(cb, "resources/"+url.PathEscape(name)+"/rows.csv", nil),
		Warnings: encode.Warnings(cb, nil, cube.English),
	}
	for i, field := range p.Fields() {
		col := encode.FieldColumn(field)
		col.Name = header[i]
		s.Columns = append(s.Columns, col)
	}
	return a.spool.Answer(c, encode.FormatCSV.Media, func() error { return a.sendFacts(c, s, p, encode.AppendFields) })
}

// sendFacts sends the facts of files as they come from the store. appendRow appends the cells of a fact to a row.
func (a *api) sendFacts(
	c echo.Context, s encode.Sheet, p *plan.FactPlan, appendRow func([]encode.Datum, *plan.FactPlan, plan.Fact) []encode.Datum,
) error {
	facts, err := a.limiter.OpenFacts(c.Request().Context(), limits.TimingOf(c), p, cube.English)
	if err != nil {
		return err
	}
	defer facts.Close()
	var row []encode.Datum
	return reply.Export(c, s, encode.Rows(facts.Rows, func(fact plan.Fact) ([]encode.Datum, error) {
		row = appendRow(row[:0], p, fact)
		return row, nil
	}))
}
