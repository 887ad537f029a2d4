package api

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"iter"
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// memberParameters are those of …/members/{level}.
var memberParameters = []parameter{
	{name: "q", twice: cube.CodeBadValue},
	{"cut", "|", cube.CodeBadValue},
	{name: "parent", twice: cube.CodeBadValue},
	{name: "order", twice: cube.CodeBadValue},
	{name: "page", twice: cube.CodeBadPage},
	{name: "pagesize", twice: cube.CodeBadPage},
	{name: "complete", twice: cube.CodeBadValue},
	{name: "format", twice: cube.CodeBadValue},
	{name: "excel", twice: cube.CodeBadValue},
	pin,
}

// membersAsked is a query for members and how its answer is to be written.
type membersAsked struct {
	cube.MemberQuery
	writing
	given   map[string]string // the parameters
	version int               // or servedVersion
}

// members lists the members of a level.
func (a *api) members(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderVary, "Accept")
	t := timingOf(c)
	asked, err := readMembers(c)
	if err != nil {
		return err
	}
	t.done(stageParse)
	one, err := a.asked(c, asked.version)
	if err != nil {
		return err
	}
	plan, err := one.BindMembers(asked.MemberQuery)
	if err != nil {
		return err
	}
	t.done(stagePlan)
	if a.unchanged(c, one, asked.format.media) {
		return sendUnchanged(c)
	}
	switch {
	case asked.rows():
		return a.exportMembers(c, plan, asked)
	case plan.Page() == cube.Every:
		return a.streamMembers(c, plan)
	}
	return a.pageOfMembers(c, t, plan)
}

// readMembers reads the URL, and of the headers what decides the format.
func readMembers(c echo.Context) (membersAsked, error) {
	given, err := readParameters(c.Request().URL.RawQuery, memberParameters)
	if err != nil {
		return membersAsked{}, err
	}
	query, badQuery := cube.ParseMembers(pathParameter(c, "level"), given)
	writing, badFormat := readWriting(given, c.Request().Header.Values("Accept"))
	complete, badComplete := readComplete(given)
	version, badVersion := readVersion(given)
	switch {
	case complete:
		query.Page = cube.Every
	case writing.rows():
		query.Page = pageOfExport(given, query.Page)
	}
	return membersAsked{query, writing, given, version}, cmp.Or(badQuery, badFormat, badComplete, badVersion)
}

// readComplete tells whether all members are asked for in one answer, which then has no pages.
func readComplete(given map[string]string) (bool, error) {
	complete, err := readFlag(given, "complete")
	for _, name := range []string{"page", "pagesize"} {
		if _, ok := given[name]; ok && complete && err == nil {
			err = mistake(cube.CodeBadPage, name, "an answer that is complete has no pages", "leave out "+name+" or complete")
		}
	}
	return complete, err
}

// pageOfMembers answers with a page, which is whole before it is sent.
func (a *api) pageOfMembers(c echo.Context, t *timing, plan *cube.MemberPlan) error {
	encoder, total := &membersJSON{}, int64(0)
	body, err := whole(c.Request().Context(), a, t, func(ctx context.Context) ([]byte, error) {
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
			_ = encoder.write(out, checked, row) // a buffer takes everything
		}
		encoder.end(out, checked)
		_ = out.Flush()
		return body.Bytes(), nil
	})
	if err != nil {
		return err
	}
	a.metrics.rows.Add(float64(encoder.rows))
	linkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, plan.Page(), total)
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
}

// streamMembers answers with the plan's members as they come from the store.
func (a *api) streamMembers(c echo.Context, plan *cube.MemberPlan) error {
	plan, members, err := a.checkedMembers(c, plan)
	if err != nil {
		return err
	}
	encoder := &membersJSON{}
	out := bufio.NewWriterSize(receiver{c.Response()}, exportBuffer)
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
		if err := encoder.write(out, plan, row); err != nil {
			return err
		}
	}
	encoder.end(out, plan)
	return out.Flush()
}

// checkedMembers looks for the members that the cuts of a plan name, and asks for its own as they come from the store.
func (a *api) checkedMembers(
	c echo.Context, plan *cube.MemberPlan,
) (*cube.MemberPlan, iter.Seq2[cube.MemberRow, error], error) {
	ctx := c.Request().Context()
	plan, err := checked(ctx, a, func(ctx context.Context) (*cube.MemberPlan, error) { return a.engine.CheckMembers(ctx, plan) })
	if err != nil {
		return nil, nil, err
	}
	return plan, stream(ctx, a, timingOf(c), func(ctx context.Context) iter.Seq2[cube.MemberRow, error] {
		return a.engine.Members(ctx, plan)
	}), nil
}
