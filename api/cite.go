package api

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// citationJSON says what the summary of an answer is.
type citationJSON struct {
	Text      string      `json:"text"`
	Link      string      `json:"link"` // keeps giving the same numbers
	Resources []citedJSON `json:"resources"`
}

// citedJSON is a file that the numbers rest on.
type citedJSON struct {
	Name string `json:"name"`
	Path string `json:"path"`
	URL  string `json:"url,omitempty"`
	Hash string `json:"hash"` // SHA-256, as found
}

// cite makes the citation of an answer.
func (a *api) cite(c echo.Context, t *timing, result *cube.Result, language cube.Language) (*citationJSON, error) {
	cited, err := whole(c.Request().Context(), a, t, func(ctx context.Context) (cube.Citation, error) {
		return a.engine.Cite(ctx, result, language)
	})
	if err != nil {
		return nil, err
	}
	link := a.base(c) + permanent(result.Plan.Cube(), "aggregate", result.Plan.Question())
	citation := &citationJSON{Text: cited.Text + ". " + link, Link: link, Resources: []citedJSON{}}
	for _, r := range cited.Resources {
		citation.Resources = append(citation.Resources, citedFile(r))
	}
	return citation, nil
}

// citeExport makes the citation of a file, where one is asked for. Where the cells are streamed there is no result yet,
// and the summary is asked before them.
func (a *api) citeExport(c echo.Context, plan *cube.Plan, result *cube.Result, q question) (*citationJSON, error) {
	if !q.cite {
		return nil, nil
	}
	t := timingOf(c)
	if result == nil {
		q.Page = cube.Page{Number: 1, Size: 0}
		totals, err := plan.Cube().Bind(q.Query)
		if err != nil {
			return nil, err
		}
		if result, err = a.result(c.Request().Context(), t, totals); err != nil {
			return nil, err
		}
		result.Plan = plan
	}
	return a.cite(c, t, result, q.lang)
}

// base is where callers reach the service.
func (a *api) base(c echo.Context) string {
	if a.PublicURL != "" {
		return strings.TrimSuffix(a.PublicURL, "/")
	}
	return a.scheme(c) + "://" + c.Request().Host
}

// scheme is how callers reach the service. Only a proxy that the operator has may say that it is otherwise than the
// connection is.
func (a *api) scheme(c echo.Context) string {
	if c.IsTLS() || a.Limits.TrustProxy && c.Request().Header.Get(echo.HeaderXForwardedProto) == "https" {
		return "https"
	}
	return "http"
}

// permanent gives the path of a question of a cube, pinned to the version.
func permanent(one *cube.Cube, route string, clauses [][2]string) string {
	clauses = append(clauses, [2]string{pin.name, strconv.Itoa(one.Version)})
	pairs := make([]string, len(clauses))
	for i, clause := range clauses {
		pairs[i] = clause[0] + "=" + url.QueryEscape(clause[1])
	}
	return "/cubes/" + url.PathEscape(one.Name) + "/" + route + "?" + strings.Join(pairs, "&")
}
