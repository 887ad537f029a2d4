// Package explorer serves the pages for people: the start page with its search, and the pages below /explore, which lead from a
// budget to a number and to the lines it comes from.
//
// A page takes the grammar of …/aggregate: whoever replaces explore/X with cubes/X/aggregate in its address has the data.
// Parameters that only pages know begin with _, which the API passes over. A page is the whole state: each control is a link or
// a form that leads to another address, so that pages work without scripts, and Back works by itself.
//
// A page is made in three steps: it asks (package asks), builds a model of plain values, and draws it with a template. What it is made of has a
// package for each subject, which asks nothing, and which those below know nothing of:
//
//	site        what all pages have: the visit, the frame, addresses, names    layers    what all pages about amounts are made of, and how it is drawn
//	selection   what a page is of: its question, filters, years and unit       controls  what leads from it to others
//	reading     an answer for people: names, numbers, changes, rows            told      what is said of it in sentences
//	figures     the drawings of answers; chart draws them                      cards     pictures with all that must not part from them
//	pairs       two answers side by side
//
// Packages front, results, loadreport, changes, sidebyside and published have pages of their own: the start page, what a search finds, how the data was
// loaded, what changed between two versions, budgets side by side by function, and the lines of a file. The pages here are:
//
//	explorer.go   which page answers which path     cubes.go      the page of a budget, by what is asked of it
//	overview.go   a budget without a question       view.go       an answer
//	compare.go    two selections                    share.go      a figure in other pages, and as a file
//	number.go     one number, citation.go how it is cited, numberlines.go and linefields.go its lines; packages recompute and reference help
//	prepared.go   questions about a budget to begin with
//
// Links are relative, so that pages also work below a path of another server.
package explorer

import (
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/changes"
	"fiscube/api/explorer/front"
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
		"/explore/:cube":                 p.page(showCube, asks.QuestionParameters...),
		"/explore/:cube/number":          p.page(showNumber, asks.QuestionParameters...),
		"/explore/:cube/report":          site.Handler(p.limiter, loadreport.Page, request.Pin),
		"/explore/:cube/lines/:resource": site.Handler(p.limiter, published.Page, request.Line, request.Pin),
		"/explore/:cube/versions/:before/diff/:after": site.Handler(p.limiter, changes.Page),
		"/embed/:cube":  p.page(showEmbed, asks.QuestionParameters...),
		"/oembed":       oembed(p.limiter),
		"/assets/:file": site.Asset,
		"/favicon.ico":  request.Bare(site.Favicon),
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
	return front.Page(v)
}
