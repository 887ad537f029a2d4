// Package explorer serves the pages for people: the start page with its search, and the pages below /explore, which lead from a
// budget to a number and to the lines it comes from.
//
// A page takes the grammar of …/aggregate: whoever replaces explore/X with cubes/X/aggregate in its address has the data.
// Parameters that only pages know begin with _, which the API passes over. A page is the whole state: each control is a link or
// a form that leads to another address, so that pages work without scripts, and Back works by itself.
//
// What all pages have is in package site; packages results, loadreport and sidebyside have pages of their own, of what a search finds, of how
// the data was loaded, and of budgets side by side by function. The others are here, and call one another down this list alone:
//
//	explorer.go   which page answers which path
//	cube.go       the page of a cube, by what is asked: an answer, or what one of the next three files shows
//	overview.go   a cube without a question         compare.go    two selections side by side, pairs.go their rows
//	share.go      a figure in other pages, as a file
//	number.go     one number; package recompute has a command for it, package reference entries for lists of references
//	numberlines.go  the lines that make it up       linefields.go   what tells them apart
//	home.go       the start page                    prepared.go   questions about a cube to begin with
//	lines.go      lines of a published file
//	notes.go      sentences beside an answer: how the served version answers, repeated statements, execution
//	doubts.go     what makes a number doubtful: an excerpt, a jump, zeros that are not known, a rate above 100 % or below 10 %
//	figure.go     which figure an answer has: parts.go of the whole, overyears.go lines and changes; drawing.go what all have
//	table.go      the rows of an answer, gone.go    those that are gone; controls.go   what leads from a view to others, years.go to other years
//	view.go       an answer, with its filters       ask.go        what is asked beside a question
//	page.go       what the pages of this package have in common
//
// Links are relative, so that pages also work below a path of another server.
package explorer

import (
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/loadreport"
	"fiscube/api/explorer/published"
	"fiscube/api/explorer/results"
	"fiscube/api/explorer/sidebyside"
	"fiscube/api/explorer/site"
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

// Problems shows the mistakes of requests for pages as pages, also those that never come to a handler. It is outside of what may
// refuse a request.
func (p *Pages) Problems(next echo.HandlerFunc) echo.HandlerFunc { return site.Problems(next) }

// Routes gives what answers each path.
func (p *Pages) Routes() map[string]echo.HandlerFunc {
	return map[string]echo.HandlerFunc{
		"/":                              site.Handler(p.limiter, p.home, results.Parameters...),
		"/functions":                     site.Handler(p.limiter, sidebyside.Page, sidebyside.Parameters...),
		"/explore/:cube":                 p.page(showCube, questionParameters...),
		"/explore/:cube/number":          p.page(showNumber, questionParameters...),
		"/explore/:cube/report":          site.Handler(p.limiter, loadreport.Page, request.Pin),
		"/explore/:cube/lines/:resource": site.Handler(p.limiter, published.Page, request.Line, request.Pin),
		"/embed/:cube":                   p.page(showEmbed, questionParameters...),
		"/oembed":                        oembed(p.limiter),
		"/assets/:file":                  site.Asset,
	}
}

// page makes a handler of what gives a page of this package.
func (p *Pages) page(answer func(*visit) (*site.Frame, error), known ...request.Parameter) echo.HandlerFunc {
	return site.Handler(p.limiter, func(v *site.Visit) (*site.Frame, error) {
		return answer(&visit{&asks.Visit{Visit: v, Search: p.search}})
	}, known...)
}

// home shows the start page, or what a search finds.
func (p *Pages) home(v *site.Visit) (*site.Frame, error) {
	if strings.TrimSpace(v.Given["q"]) != "" {
		return results.Page(v, p.search)
	}
	return showHome(&visit{&asks.Visit{Visit: v, Search: p.search}})
}
