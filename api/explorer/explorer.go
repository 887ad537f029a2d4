// Package explorer serves the pages for people: the start page with its search, and the pages below /explore, which lead from a
// budget to a number and to the lines it comes from.
//
// A page takes the grammar of …/aggregate: whoever replaces explore/X with cubes/X/aggregate in its address has the data.
// Parameters that only pages know begin with _, which the API passes over. A page is the whole state: each control is a link or
// a form that leads to another address, so that pages work without scripts, and Back works by itself.
//
// Calls go one way, down this list:
//
//	explorer.go   which page answers which path
//	cube.go       the page of a cube, by what is asked: an answer, or what one of the next files shows
//	overview.go   a cube without a question         compare.go    two selections side by side, pairs.go their rows
//	share.go      a figure in other pages, as a file
//	number.go     one number; package recompute has a command for it
//	home.go       the start page                    results.go    what a search finds, amounts.go the numbers that equal an amount
//	report.go     how the data was loaded           quality.go    in a line, and whether control totals match
//	lines.go      lines of a published file         prepared.go   questions about a cube to begin with
//	notes.go      sentences beside an answer: how the served version answers, repeated statements, execution
//	figure.go     which figure an answer has: parts.go of the whole, overyears.go lines and changes; drawing.go what all have
//	table.go      the rows of an answer             controls.go   what leads from a view to others, years.go to other years
//	view.go       an answer, with its filters       hit.go        a hit of a search
//	ask.go        what a page asks, beside what was asked
//	names.go      how cubes, levels and years are called
//	page.go       what is around every page, how it is sent, and the pages of mistakes
//	address.go    where a page is, and where its links lead
//	reader.go     the language and the region of the reader
//	assets.go     styles and scripts
//
// Links are relative, so that pages also work below a path of another server.
package explorer

import (
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube/search"
)

// Pages answer the routes.
type Pages struct {
	limiter *limits.Limiter
	search  *search.Index
}

// New makes the pages. They ask through the same limits as the API.
func New(limiter *limits.Limiter, index *search.Index) *Pages {
	return &Pages{limiter, index}
}

// Routes gives what answers each path.
func (p *Pages) Routes() map[string]echo.HandlerFunc {
	return map[string]echo.HandlerFunc{
		"/":                              page(p.limiter, p.home, searchParameters...),
		"/explore/:cube":                 page(p.limiter, showCube, questionParameters...),
		"/explore/:cube/number":          page(p.limiter, showNumber, questionParameters...),
		"/explore/:cube/report":          page(p.limiter, showReport, request.Pin),
		"/explore/:cube/lines/:resource": page(p.limiter, showLines, request.Line, request.Pin),
		"/embed/:cube":                   page(p.limiter, showEmbed, questionParameters...),
		"/oembed":                        oembed(p.limiter),
		"/assets/:file":                  asset,
	}
}

// home shows the start page, or what a search finds.
func (p *Pages) home(v *visit) (*frame, error) {
	if strings.TrimSpace(v.given["q"]) != "" {
		return v.results(p.search)
	}
	return v.homePage()
}
