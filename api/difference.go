package api

import (
	"cmp"
	"net/url"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/difference"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// differencePath is where two versions are compared.
const differencePath = "/cubes/:cube/versions/:before/diff/:after"

var differenceParameters = []request.Parameter{
	{Name: "page", Twice: cube.CodeBadPage},
	{Name: "pagesize", Twice: cube.CodeBadPage},
	{Name: "numbers", Twice: cube.CodeBadValue},
	request.Lang,
}

// difference compares two versions.
func (a *api) difference(c echo.Context) error {
	given, err := request.Read(c.Request().URL.RawQuery, differenceParameters)
	if err != nil {
		return err
	}
	page, badPage := query.ParsePage(given)
	writing, badNumbers := request.Writing(given, nil)
	lang, badLang := request.Language(given)
	if err := cmp.Or(badPage, badNumbers, badLang); err != nil {
		return err
	}
	before, after, err := request.Versions(c, a.limiter)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, encode.FormatJSON.Media, before.Key()+" "+after.Key()) {
		return reply.SendNotModified(c)
	}
	question := []any{"difference", before.Key(), page, writing.Quoted, lang}
	found, err := a.kept.Of(c, after, reply.CodingOf(c.Request().Header), question, func() (kept.Answer, error) {
		d, err := a.limiter.Difference(c.Request().Context(), limits.TimingOf(c), before, after, page)
		if err != nil {
			return kept.Answer{}, err
		}
		said := prose.Difference(d, words.Locale{Language: lang})
		return kept.Answer{Body: encode.Difference(d, said, page, writing.Quoted, encode.Warnings(after, nil, lang)), Total: d.Rows.Differ()}, nil
	})
	if err != nil {
		return err
	}
	reply.LinkPages(c.Response().Header(), c.Request().URL, 0, page, min(found.Total, difference.MostListed))
	return a.kept.Send(c, found)
}

// pageOfDifference is the page of two versions that are compared.
func pageOfDifference(c echo.Context) (string, bool) {
	below := "/versions/" + url.PathEscape(request.Path(c, "before")) + "/diff/" + url.PathEscape(request.Path(c, "after"))
	return explored(c, below+keeping(c.Request().URL, request.Lang.Name)), true
}
