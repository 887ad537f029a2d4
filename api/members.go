package api

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
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
	request.Pin,
}

// memberQuestion is a query for members and how its answer is written.
type memberQuestion struct {
	cube.MemberQuery
	encode.Writing
	given map[string]string // the parameters
}

// members lists the members of a level.
func (a *api) members(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	t := limits.TimingOf(c)
	asked, err := readMembers(c)
	if err != nil {
		return err
	}
	t.Done(limits.StageParse)
	cb, err := request.Cube(c, a.engine.Engine, asked.given)
	if err != nil {
		return err
	}
	plan, err := cb.BindMembers(asked.MemberQuery)
	if err != nil {
		return err
	}
	t.Done(limits.StagePlan)
	if reply.Unchanged(c, cb, asked.Format.Media) {
		return reply.SendNotModified(c)
	}
	switch {
	case asked.Rows():
		return a.exportMembers(c, plan, asked)
	case plan.Page() == cube.Every:
		return a.streamMembers(c, plan)
	}
	return a.pageOfMembers(c, t, plan)
}

// readMembers reads the URL, and of the headers what decides the format.
func readMembers(c echo.Context) (memberQuestion, error) {
	given, err := request.Read(c.Request().URL.RawQuery, memberParameters)
	if err != nil {
		return memberQuestion{}, err
	}
	query, badQuery := cube.ParseMembers(request.Path(c, "level"), given)
	writing, badFormat := request.Writing(given, c.Request().Header.Values("Accept"))
	complete, badComplete := readComplete(given)
	switch {
	case complete:
		query.Page = cube.Every
	case writing.Rows():
		query.Page = pageOfExport(given, query.Page)
	}
	return memberQuestion{query, writing, given}, cmp.Or(badQuery, badFormat, badComplete)
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
func (a *api) pageOfMembers(c echo.Context, t *limits.Timing, plan *cube.MemberPlan) error {
	encoder, total := &encode.MemberWriter{}, int64(0)
	body, err := limits.Whole(c.Request().Context(), a.engine, t, func(ctx context.Context) ([]byte, error) {
		checked, err := a.engine.CheckMembers(ctx, plan)
		if err != nil {
			return nil, err
		}
		var body bytes.Buffer
		out := bufio.NewWriter(&body)
		for row, err := range a.engine.Members(ctx, checked) {
			if err != nil {
				return nil, err
			}
			total = max(total, row.Count)
			_ = encoder.Write(out, checked, row) // a buffer takes everything
		}
		encoder.End(out, checked)
		_ = out.Flush()
		return body.Bytes(), nil
	})
	if err != nil {
		return err
	}
	a.engine.CountRows(encoder.Rows)
	reply.LinkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, plan.Page(), total)
	return reply.Send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// streamMembers answers with the plan's members as they come from the store.
func (a *api) streamMembers(c echo.Context, plan *cube.MemberPlan) error {
	plan, members, err := a.engine.EachMember(c.Request().Context(), limits.TimingOf(c), plan)
	if err != nil {
		return err
	}
	encoder := &encode.MemberWriter{}
	out := bufio.NewWriterSize(reply.Receiver{Writer: c.Response()}, reply.BufferSize)
	for row, err := range members {
		switch {
		case err != nil:
			return err
		case row.Path == nil:
			c.Response().Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
			if c.Request().Method == http.MethodHead {
				c.Response().WriteHeader(http.StatusOK)
				return nil
			}
		}
		if err := encoder.Write(out, plan, row); err != nil {
			return err
		}
	}
	encoder.End(out, plan)
	return out.Flush()
}

// exportMembers answers with the members of a plan as they come from the store.
func (a *api) exportMembers(c echo.Context, plan *cube.MemberPlan, asked memberQuestion) error {
	plan, members, err := a.engine.EachMember(c.Request().Context(), limits.TimingOf(c), plan)
	if err != nil {
		return err
	}
	s := a.memberSheet(c, plan, asked)
	var row []encode.Datum
	return reply.Export(c, s, encode.Rows(members, func(m cube.MemberRow) ([]encode.Datum, error) {
		if m.Path == nil {
			reply.CountPages(c, plan.Cube().Version, plan.Page(), m.Count)
			return nil, s.Fits(encode.OnPage(m.Count, plan.Page()))
		}
		row = encode.AppendMemberRow(row[:0], m, plan.Level().LabelRef != "")
		return row, nil
	}))
}

// memberSheet describes members as a table: the path, the label where the level has any, the rows and
// the first and last fiscal year. No field has a name like those of the latter.
func (a *api) memberSheet(c echo.Context, plan *cube.MemberPlan, asked memberQuestion) encode.Sheet {
	question, cb := plan.Question(), plan.Cube()
	clauses := clausesOf(question, "cut")
	for _, name := range []string{"q", "parent", "order"} {
		if text, ok := asked.given[name]; ok {
			clauses = append(clauses, [2]string{name, text})
		}
	}
	if page := plan.Page(); page != cube.Every {
		clauses = append(clauses, [2]string{"page", strconv.Itoa(page.Number)}, [2]string{"pagesize", strconv.Itoa(page.Size)})
	}
	words := []string{"members", plan.Level().Ref}
	if plan.Search() != "" {
		words = append(words, plan.Search())
	}
	words = append(append(words, encode.CutWords(question)...), encode.ClauseWords(clauses, "cut", "q")...)
	return encode.Sheet{
		Writing: asked.Writing, Cube: cb, File: encode.FileName(cb, words, clauses), Columns: encode.MemberColumns(plan), Question: clauses,
		Link: request.Base(c) + reply.Permanent(cb, "members/"+url.PathEscape(request.Path(c, "level")), clauses), Warnings: encode.Warnings(question),
	}
}
