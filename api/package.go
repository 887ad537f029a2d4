package api

import (
	"slices"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube/plan"
)

// packageParameters are those of …/package.zip: how to write the rows is no choice there.
var packageParameters = slices.DeleteFunc(slices.Clone(aggregateParameters), func(p request.Parameter) bool {
	return slices.Contains([]string{"format", "excel", "numbers"}, p.Name)
})

// datapackage answers a question of one cube with a data package, which anybody can check and ask again. Without a question
// it is the whole package.
func (a *api) datapackage(c echo.Context) error {
	question, err := readQuestion(c.Request().URL.RawQuery, nil, packageParameters, encode.FormatZip)
	if err != nil {
		return err
	}
	if question.isNone() {
		return a.wholePackage(c, question)
	}
	p, err := a.bind(c, question)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, question.Format.Media, p.Cube().Key()) {
		return reply.SendNotModified(c)
	}
	return a.spool.Answer(c, question.Format.Media, func() error { return a.exportCells(c, p, question) })
}

// isNone tells whether nothing is asked: the version and the language are no question.
func (q question) isNone() bool {
	for name := range q.given {
		if name != request.Pin.Name && name != request.Lang.Name {
			return false
		}
	}
	return true
}

// wholePackage gives the loaded rows of all files as a package that can be loaded again.
func (a *api) wholePackage(c echo.Context, q question) error {
	cb, err := request.Cube(c, a.limiter, request.Path(c, "cube"), q.given)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, encode.FormatWhole.Media, cb.Key()) {
		return reply.SendNotModified(c)
	}
	p, files := plan.OfPackage(cb)
	s := encode.Sheet{
		Writing: encode.Writing{Format: encode.FormatWhole}, Cube: cb, Files: files, File: encode.FileName(cb, nil, nil),
		Link: request.Base(c) + reply.Permanent(cb, "package.zip", nil), Warnings: encode.Warnings(cb, nil, q.lang), Lang: q.lang,
	}
	for _, field := range p.Fields() {
		s.Columns = append(s.Columns, encode.FieldColumn(field))
	}
	return a.spool.Answer(c, encode.FormatWhole.Media, func() error { return a.sendFacts(c, s, p, encode.WholeRow) })
}
