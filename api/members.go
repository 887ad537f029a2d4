package api

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// memberParameters are those of …/members/{level}.
var memberParameters = []request.Parameter{
	{Name: "q", Twice: cube.CodeBadValue},
	{Name: "cut", Separator: "|"},
	{Name: "parent", Twice: cube.CodeBadValue},
	{Name: "order", Twice: cube.CodeBadValue},
	{Name: "page", Twice: cube.CodeBadPage},
	{Name: "pagesize", Twice: cube.CodeBadPage},
	{Name: "complete", Twice: cube.CodeBadValue},
	{Name: "format", Twice: cube.CodeBadValue},
	{Name: "excel", Twice: cube.CodeBadValue},
	request.Lang,
	request.Pin,
}

// memberQuestion is a query for members and how its answer is written.
type memberQuestion struct {
	query.MemberQuery
	encode.Writing
	given map[string]string // the parameters
	lang  cube.Language
}

// members lists the members of a level.
func (a *api) members(c echo.Context) error {
	reply.Vary(c.Response().Header(), echo.HeaderAccept)
	asked, err := readMembers(c)
	if err != nil {
		return err
	}
	p, err := bound(a, c, asked.given, func(cb *cube.Cube) (*plan.MemberPlan, error) { return plan.BindMembers(cb, asked.MemberQuery) })
	if err != nil {
		return err
	}
	if reply.Unchanged(c, asked.Format.Media, p.Cube().Key()) {
		return reply.SendNotModified(c)
	}
	switch {
	case asked.Format != encode.FormatJSON:
		return a.spool.Answer(c, asked.Format.Media, func() error { return a.exportMembers(c, p, asked) })
	case p.Page() == query.Every:
		return a.streamMembers(c, p, asked.lang)
	}
	return a.pageOfMembers(c, p, asked.lang)
}

// readMembers reads the URL, and of the headers what decides the format.
func readMembers(c echo.Context) (memberQuestion, error) {
	given, err := request.Read(c.Request().URL.RawQuery, memberParameters)
	if err != nil {
		return memberQuestion{}, err
	}
	q, badQuery := query.ParseMembers(request.Path(c, "level"), given)
	writing, badFormat := request.Writing(given, c.Request().Header.Values("Accept"))
	complete, badComplete := readComplete(given)
	switch {
	case complete:
		q.Page = query.Every
	case writing.Format != encode.FormatJSON:
		q.Page = pageOfExport(given, q.Page)
	}
	lang, badLang := request.Language(given)
	return memberQuestion{q, writing, given, lang}, cmp.Or(badQuery, badLang, badFormat, badComplete)
}

// readComplete reports whether all members are asked for in one answer, which then has no pages.
func readComplete(given map[string]string) (bool, error) {
	complete, err := request.Flag(given, "complete")
	for _, name := range []string{"page", "pagesize"} {
		if _, ok := given[name]; ok && complete && err == nil {
			err = request.Mistake(cube.CodeBadPage, name, "an answer that is complete has no pages", "leave out "+name+" or complete")
		}
	}
	return complete, err
}

// pageOfMembers answers with a page, which is whole before it is sent.
func (a *api) pageOfMembers(c echo.Context, p *plan.MemberPlan, lang cube.Language) error {
	found, err := a.kept.Of(c, p.Cube(), reply.CodingOf(c.Request().Header), []any{"members", lang, p}, func() (kept.Answer, error) {
		page, err := a.limiter.MemberPage(c.Request().Context(), limits.TimingOf(c), p, lang)
		if err != nil {
			return kept.Answer{}, err
		}
		w := encode.MemberWriter{Plan: p}
		body := w.Begin(nil, page.Count)
		for _, row := range page.Members {
			body = w.Append(body, row)
		}
		return kept.Answer{Body: w.End(body, page.Warnings), Total: page.Count}, nil
	})
	if err != nil {
		return err
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, p.Cube().Version, p.Page(), found.Total)
	return a.kept.Send(c, found)
}

// streamMembers answers with the plan's members as they come from the store.
func (a *api) streamMembers(c echo.Context, p *plan.MemberPlan, lang cube.Language) error {
	members, err := a.limiter.OpenMembers(c.Request().Context(), limits.TimingOf(c), p, lang)
	if err != nil {
		return err
	}
	defer members.Close()
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	if c.Request().Method == http.MethodHead {
		c.Response().WriteHeader(http.StatusOK)
		return nil
	}
	w, to := encode.MemberWriter{Plan: p}, reply.Receiver{Writer: c.Response()}
	b := w.Begin(nil, members.Head.Count)
	for row, err := range members.Rows {
		if err != nil {
			return err
		}
		if b = w.Append(b, row); len(b) < reply.BufferSize {
			continue
		}
		if _, err := to.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err = to.Write(w.End(b, members.Head.Warnings))
	return err
}

// exportMembers answers with the members of a plan as they come from the store.
func (a *api) exportMembers(c echo.Context, p *plan.MemberPlan, asked memberQuestion) error {
	members, err := a.limiter.OpenMembers(c.Request().Context(), limits.TimingOf(c), p, asked.lang)
	if err != nil {
		return err
	}
	defer members.Close()
	s := a.memberSheet(c, p, asked, members.Head.Warnings)
	reply.CountPages(c, p.Cube().Version, p.Page(), members.Head.Count)
	if err := s.Fits(encode.OnPage(members.Head.Count, p.Page())); err != nil {
		return err
	}
	var row []encode.Datum
	return reply.Export(c, s, encode.Rows(members.Rows, func(m plan.MemberRow) ([]encode.Datum, error) {
		row = encode.AppendMemberRow(row[:0], m, p.Level().LabelRef != "")
		return row, nil
	}))
}

// memberSheet describes members as a table: the path, the label where the level has any, the rows and
// the first and last fiscal year. No field has a name like those of the latter.
func (a *api) memberSheet(c echo.Context, p *plan.MemberPlan, asked memberQuestion, warnings []cube.Warning) encode.Sheet {
	counting, cb := p.Counting(), p.Cube()
	clauses := encode.ClausesOf(counting, "cut")
	for _, name := range []string{"q", "parent", "order"} {
		if text, ok := asked.given[name]; ok {
			clauses = append(clauses, [2]string{name, text})
		}
	}
	if page := p.Page(); page != query.Every {
		clauses = append(clauses, [2]string{"page", strconv.Itoa(page.Number)}, [2]string{"pagesize", strconv.Itoa(page.Size)})
	}
	words := []string{"members", p.Level().Ref}
	if p.Search() != "" {
		words = append(words, p.Search())
	}
	words = append(append(words, encode.CutWords(counting)...), encode.ClauseWords(clauses, "cut", "q")...)
	return encode.Sheet{
		Writing: asked.Writing, Cube: cb, File: encode.FileName(cb, words, clauses), Columns: encode.MemberColumns(p), Question: clauses,
		Link: request.Base(c) + reply.Permanent(cb, "members/"+url.PathEscape(request.Path(c, "level")), clauses), Warnings: encode.Warnings(cb, warnings, asked.lang), Lang: asked.lang,
	}
}
