// Package explorer serves the pages for people: the start page with its search, and the pages below /explore, which lead from a
// budget to a number and to the lines it comes from.
//
// A page takes the grammar of …/aggregate: whoever replaces explore/X with cubes/X/aggregate in its address has the data.
// Parameters that only pages know begin with _, which the API passes over. A page is the whole state: each control is a link or
// a form that leads to another address, so that pages work without scripts, and Back works by itself.
//
//	address.go    where a page is, and where its links lead
//	reader.go     the language and the region of the reader
//	page.go       what is around every page, how it is sent, and the pages of mistakes
//	home.go       the start page                    overview.go   a cube, prepared.go questions about it
//	results.go    what a search finds                amounts.go    the numbers that equal an amount
//	view.go       an answer: its question           table.go      its rows
//	figure.go     which figure of the answer, and what package chart draws: parts.go of the whole
//	share.go      a figure in other pages and as a file
//	notes.go      sentences beside an answer: how the served version answers, repeated statements, execution
//	controls.go   what leads from a view to others  number.go     one number; package recompute has a command for it
//	compare.go    two selections side by side       pairs.go      their rows
//	lines.go      lines of a published file
//	report.go     how the data was loaded           quality.go    in a line, and whether control totals match
//	assets.go     styles and scripts
//
// Links are relative, so that pages also work below a path of another server.
package explorer

import (
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
		"/":                              p.page(p.home, searchParameters...),
		"/explore/:cube":                 p.page(p.cube, questionParameters...),
		"/explore/:cube/number":          p.page(p.number, questionParameters...),
		"/explore/:cube/report":          p.page(p.report, request.Pin),
		"/explore/:cube/lines/:resource": p.page(p.file, request.Line, request.Pin),
		"/embed/:cube":                   p.page(p.embed, questionParameters...),
		"/oembed":                        p.oembed,
		"/assets/:file":                  asset,
	}
}
