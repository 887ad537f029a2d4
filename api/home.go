package api

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/query"
)

var (
	//go:embed home.html
	homeHTML string

	//go:embed home.css
	homeCSS string

	homePage = template.Must(template.New("home").Parse(homeHTML))

	// homePolicy lets the page use its own style, known by its hash, and nothing else.
	homePolicy = "default-src 'none'; img-src data:; style-src 'sha256-" + hashOf(homeCSS) + "'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// homeCube is a cube as the page shows it.
type homeCube struct {
	Title, Country, Years, Rows string
	Synthetic                   bool
	Link                        string
	Examples                    []example
}

// example is a question that can be asked of a cube with a click.
type example struct{ Text, Link string }

// home shows people what is loaded, each cube with three questions to begin with. Its links are relative, so
// that the page also works below a path of another server.
func (a *api) home(c echo.Context) error {
	catalog, err := a.limiter.Catalog(c.Request().Context())
	if err != nil {
		return err
	}
	view := struct {
		Style template.CSS
		Cubes []homeCube
	}{Style: template.CSS(homeCSS)}
	for _, cb := range catalog.Served() {
		view.Cubes = append(view.Cubes, newHomeCube(cb))
	}
	var page bytes.Buffer
	if err := homePage.Execute(&page, view); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, homePolicy)
	return reply.Send(c, http.StatusOK, echo.MIMETextHTMLCharsetUTF8, page.Bytes())
}

func newHomeCube(cb *cube.Cube) homeCube {
	home := homeCube{
		Title:     cmp.Or(cb.Title, cb.Name),
		Country:   cb.Country,
		Rows:      grouped(cb.Rows),
		Synthetic: cb.Synthetic,
		Link:      "cubes/" + url.PathEscape(cb.Name),
	}
	if first, last, ok := cb.Years(); ok {
		home.Years = strconv.FormatInt(first, 10)
		if last != first {
			home.Years += "–" + strconv.FormatInt(last, 10)
		}
	}
	home.Examples = examples(cb.Model, home.Link+"/aggregate")
	return home
}

// grouped writes a whole number with a comma after every third digit from the right.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// examples asks any model something: totals, the largest members at the top of a classification, and the same
// as a file.
func examples(m *cube.Model, link string) []example {
	totals := example{"Totals", link}
	year, _ := m.FiscalYear()
	if level, ok := m.LevelOfKey(year.Name); ok {
		totals = example{"Totals per fiscal year", link + "?drilldown=" + written(level.Ref)}
	}
	level, ok := topLevel(m, year.Name)
	if !ok {
		rows := example{"Number of rows", link + "?aggregates=_count"}
		return []example{totals, rows, {"Number of rows, as CSV", rows.Link + "&format=csv"}}
	}
	name, order := largest(m)
	top := example{
		"By " + level.Ref + ", largest " + name + " first",
		link + "?drilldown=" + written(level.Ref) + "&order=" + escape(order) + ":desc",
	}
	return []example{totals, top, {"The same as CSV, for a spreadsheet", top.Link + "&format=csv"}}
}

// topLevel gives the first level of the first classification, or of any other dimension that is not the year.
func topLevel(m *cube.Model, year string) (cube.Level, bool) {
	var found cube.Level
	for _, d := range m.Dimensions() {
		chains := d.Chains()
		if len(chains) == 0 || !chains[0][0].Listed || chains[0][0].Ref == year {
			continue
		}
		level := chains[0][0]
		if d.Classification != "" {
			return level, true
		}
		if found.Ref == "" {
			found = level
		}
	}
	return found, found.Ref != ""
}

// largest gives what to order by: the title and the sum of the leading measure, or the count of rows.
func largest(m *cube.Model) (name, aggregate string) {
	first, ok := m.Leading()
	if !ok {
		return "number of rows", query.AggregateRef{Func: string(cube.Rows)}.String()
	}
	return cmp.Or(first.Title, first.Ref), sumOf(first.Ref).String()
}

// written writes a field as a question names it.
func written(field string) string { return escape(query.Ref{Name: field}.String()) }

// escape writes a text as a value in a query, with colons left readable.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "%3A", ":") }
