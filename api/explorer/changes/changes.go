// Package changes has the page of what changed from one version of a budget to another.
package changes

import (
	"embed"
	"strconv"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/difference"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

//go:embed changes.html
var sources embed.FS

var template = site.Template(sources, "changes.html")

// changesPage shows two versions side by side. Amounts of rows lead to their lines.
type changesPage struct {
	*site.Guest
	of                               *difference.Difference
	Title, CubeTitle, CubeLink, Said string
	Versions                         []site.Choice
	Tables                           []prose.DifferenceTable
	JSON                             string
}

// mostRows is how many rows the page has.
const mostRows = 100

// Page compares the two versions that the path names.
func Page(v *site.Visit) (*site.Frame, error) {
	before, after, err := request.Versions(v.Context, v.Limiter)
	if err != nil {
		return nil, err
	}
	d, err := v.Limiter.Difference(v.Request().Context(), limits.TimingOf(v.Context), before, after, query.Page{Number: 1, Size: mostRows})
	if err != nil {
		return nil, err
	}
	numbers := [2]string{strconv.Itoa(before.Version), strconv.Itoa(after.Version)}
	data := v.Changes(after.Name, numbers[0], numbers[1])
	data.Path = "cubes" + strings.TrimPrefix(data.Path, "explore")
	page := &changesPage{
		Guest: v.Guest, of: d, CubeTitle: v.TitleOfCube(after), CubeLink: v.Explore(after).String(), Said: prose.Difference(d, v.Locale),
		Title: v.Say("changes.title", "Before", numbers[0], "After", numbers[1]),
		JSON:  data.Plus("format", "json"),
	}
	var names [2]string
	for i, cb := range []*cube.Cube{before, after} {
		to := v.Explore(cb)
		to.Version = numbers[i]
		names[i] = v.Say("changes.version", "Number", numbers[i])
		page.Versions = append(page.Versions, site.Choice{Text: names[i], Link: to.String(), Hint: site.DateOf(cb)})
	}
	page.Tables = prose.DifferenceTables(d, names, v.Locale)
	f := v.Frame(template, page.Title+" · "+page.CubeTitle, page)
	f.MadeUp = after.Synthetic
	return f, nil
}

// Link leads from an amount of a row to the number that its lines add up to in a version, with the financing that pages leave out; "" from other cells.
func (p *changesPage) Link(cell prose.DifferenceCell) string {
	if cell.Of == nil || cell.Of.Lines[cell.Side] == 0 {
		return ""
	}
	cb := []*cube.Cube{p.of.Before, p.of.After}[cell.Side]
	to := p.Explore(cb)
	to.Version, to.Financing = strconv.Itoa(cb.Version), "in"
	to.Query.Aggregates = []query.AggregateRef{{Measure: p.of.Amounts[0].Ref, Func: string(cube.Sum)}}
	for i, f := range p.of.Rows.Fields {
		if !f.IsEdition() {
			to.Query.Cuts = append(to.Query.Cuts, query.CutTo(f.Name, cell.Of.Keys[i].String()))
		}
	}
	return to.At(to.Path + "/number").String()
}
