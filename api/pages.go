package api

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// An address of the API that has a page for people leads to it: the answer by a link, and a browser, whose header Accept weighs a page
// more than data, by a redirect. Whoever names a format gets that format.

// withPage lets the answers of a route lead to a page, which pageOf gives relative to the start page; ok is false where there is none.
func withPage(handle echo.HandlerFunc, pageOf func(echo.Context) (page string, ok bool)) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		page, ok := pageOf(c)
		if !ok {
			return handle(c)
		}
		page = cmp.Or(strings.Repeat("../", strings.Count(r.URL.EscapedPath(), "/")-1), "./") + page
		header := c.Response().Header()
		reply.Vary(header, echo.HeaderAccept)
		switch asked := valueOf(r.URL, "format"); {
		case asked == "" && request.PrefersPage(r.Header.Values(echo.HeaderAccept)):
			header.Set(echo.HeaderCacheControl, "no-store")
			return c.Redirect(http.StatusSeeOther, page)
		case asked == "" || asked == "json":
			reply.SetPage(c, page)
		}
		return handle(c)
	}
}

// jsonAlone lets a route that answers in JSON alone be asked for that, by those whom their browser leads to a page.
func jsonAlone(handle echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if u := c.Request().URL; valueOf(u, "format") == "json" {
			u.RawQuery = strings.Join(slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(piece string) bool { return piece == "format=json" }), "&")
		}
		return handle(c)
	}
}

// valueOf gives the first text of a parameter; "" where there is none.
func valueOf(u *url.URL, name string) string {
	for piece := range strings.SplitSeq(u.RawQuery, "&") {
		if n, text, _ := strings.Cut(piece, "="); request.Unescape(n) == name {
			return request.Unescape(text)
		}
	}
	return ""
}

// keeping writes the parameters of a request that a page takes too.
func keeping(u *url.URL, names ...string) string {
	var others [][2]string
	for piece := range strings.SplitSeq(u.RawQuery, "&") {
		name, _, _ := strings.Cut(piece, "=")
		if name = request.Unescape(name); !slices.Contains(names, name) {
			others = append(others, [2]string{name, ""})
		}
	}
	return strings.TrimSuffix(reply.Reference(u, others...), "?")
}

// explored is the page of the cube of a request, at a path below it.
func explored(c echo.Context, below string) string {
	return "explore/" + url.PathEscape(request.Path(c, "cube")) + below
}

// Which parameters the pages take.
var (
	ofNumber = []string{"cut", "aggregates", "snapshots", request.Lang.Name, request.Pin.Name}
	ofCell   = append([]string{"order", "page", "pagesize"}, ofNumber...) // none of these changes an answer that is one number
	ofView   = slices.Concat(names(request.Clauses()), []string{"page", "pagesize", request.Lang.Name, request.Pin.Name})
)

func names(parameters []request.Parameter) []string {
	return each.Text(parameters, func(p request.Parameter) string { return p.Name })
}

// pageOfAnswer is the page of a number where the question has one, else that of its cells.
func pageOfAnswer(c echo.Context) (string, bool) {
	u := c.Request().URL
	for _, name := range ofView {
		if several := name == "aggregates" && strings.Count(request.Unescape(u.RawQuery), "aggregates=")+strings.Count(valueOf(u, name), "|") > 1; several ||
			!slices.Contains(ofCell, name) && valueOf(u, name) != "" {
			return explored(c, keeping(u, ofView...)), true
		}
	}
	return explored(c, "/number"+keeping(u, ofNumber...)), true
}

// pageOfFacts is the page of the number that the rows add up to.
func pageOfFacts(c echo.Context) (string, bool) {
	return explored(c, "/number"+keeping(c.Request().URL, "cut", "snapshots", request.Lang.Name, request.Pin.Name)), true
}

// pageOfLevel is the page of the amounts of all members of a level or a dimension. Those below one member have none.
func pageOfLevel(parameter string) func(echo.Context) (string, bool) {
	return func(c echo.Context) (string, bool) {
		u := *c.Request().URL
		if valueOf(&u, "path")+valueOf(&u, "parent")+valueOf(&u, "q") != "" {
			return "", false
		}
		u.RawQuery = "drilldown=" + url.QueryEscape(refText(request.Path(c, parameter))) + "&" + u.RawQuery
		return explored(c, keeping(&u, "drilldown", "cut", "aggregates", "snapshots", request.Lang.Name, request.Pin.Name)), true
	}
}

// pageOfCube is the page of a cube, or one below it.
func pageOfCube(below string) func(echo.Context) (string, bool) {
	return func(c echo.Context) (string, bool) {
		return explored(c, below+keeping(c.Request().URL, request.Lang.Name, request.Pin.Name)), true
	}
}

// pageOfSearch is the start page, with what is found.
func pageOfSearch(c echo.Context) (string, bool) {
	return keeping(c.Request().URL, "q", "cube", request.Lang.Name), true
}

// pageOfLines is the page of the lines around one.
func pageOfLines(c echo.Context) (string, bool) {
	u := c.Request().URL
	return explored(c, "/lines/"+url.PathEscape(request.Path(c, "resource"))+keeping(u, request.Line.Name, request.Pin.Name)), valueOf(u, request.Line.Name) != ""
}

// pageOfPlan is the path of the page of what a plan adds up, pinned to the version: of the number, where the page of a number can show it.
func pageOfPlan(p *plan.Plan) string {
	asked := map[string]string{}
	for _, clause := range p.Question() {
		asked[clause[0]] = clause[1]
	}
	below, shown := "/number", []string{"cut", "aggregates", "snapshots"}
	if asked["having"] != "" || asked["compare"] != "" {
		below, shown = "", names(request.Clauses())
	} else if i := slices.IndexFunc(p.Aggregates(), func(a plan.Aggregate) bool { return !a.CountsRows() }); i >= 0 {
		asked["aggregates"] = p.Aggregates()[i].Name
	}
	var pairs []string
	for _, name := range shown {
		if asked[name] != "" {
			pairs = append(pairs, name+"="+url.QueryEscape(asked[name]))
		}
	}
	pairs = append(pairs, request.Pin.Name+"="+strconv.Itoa(p.Cube().Version))
	if len(p.Financing()) > 0 { // which pages leave out
		pairs = append(pairs, "_financing=in")
	}
	return "/explore/" + url.PathEscape(p.Cube().Name) + below + "?" + strings.Join(pairs, "&")
}
