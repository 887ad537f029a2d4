// Package sidebyside has the page of budgets side by side by function (cube/functions): a column a budget, a row a division of COFOG. Each
// number leads to its view in its budget.
package sidebyside

import (
	"embed"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/functions"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Parameters are those of the page: the names of the budgets, with commas between them; what is compared; and the year. Without them it has all
// that can be compared, shares, and the last common year.
var Parameters = []request.Parameter{
	{Name: "cubes", Twice: cube.CodeBadValue},
	{Name: "in", Twice: cube.CodeBadValue},
	{Name: "year", Twice: cube.CodeBadValue},
}

//go:embed functions.html
var sources embed.FS

var template = site.Template(sources, "functions.html")

type page struct {
	site.Reader
	Unit           string
	Units, Years   []site.Choice
	Columns        []column
	Rows           []row
	Total          []row // one, if there are columns
	Notes, LeftOut []string
	All            string // leads to the page with all budgets that are loaded, or ""
}

// column is a budget.
type column struct{ Title, Link, Of, MadeUp, Without string }

type row struct {
	Name, Division string
	Cells          []cell
}

// cell is a number; without a text there is none.
type cell struct {
	Text, Exact, Link, Of string
	Width                 string // of its bar, of 100
	IsDown                bool
}

// visit is a request for the page.
type visit struct {
	*site.Visit
	unit  functions.Unit
	year  int64    // 0: not chosen
	names []string // of the budgets, as chosen

	countries map[string]int // how many budgets are of each
}

// Page shows budgets side by side.
func Page(of *site.Visit) (*site.Frame, error) {
	v := &visit{Visit: of, unit: functions.Shares}
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	cubes, err := v.read(catalog)
	if err != nil {
		return nil, err
	}
	var excerpts []functions.Reason // which one sees beside the budgets that they are of
	cubes = slices.DeleteFunc(cubes, func(c *cube.Cube) bool {
		if rows, _ := c.RowsOfYear(); c.Larger != nil {
			excerpts = append(excerpts, functions.Reason{Code: functions.Excerpt, Cube: c, Count: rows})
		}
		return c.Larger != nil
	})
	budgets, years, out := functions.Choose(cubes, v.year, v.names != nil)
	out = append(out, excerpts...)
	var sums []*functions.Sums
	for _, b := range budgets {
		s, err := v.ask(b)
		if err != nil {
			return nil, err
		}
		sums = append(sums, s)
	}
	columns, base, refused := functions.Compare(sums, v.unit)
	out = append(out, refused...)
	main := &page{Reader: v.Reader, Unit: v.unitOf(columns, base), Units: v.units(), Years: v.years(years)}
	for _, c := range columns {
		main.Columns = append(main.Columns, v.column(c, columns))
	}
	if len(columns) > 0 {
		main.Rows, main.Total = v.rows(columns)
	}
	main.Notes = append(main.Notes, each.Text(functions.Notes(columns), v.reason)...)
	for _, r := range out {
		if r.Code != functions.Currency {
			main.LeftOut = append(main.LeftOut, v.reason(r))
		}
		if r.Code == functions.MadeUp {
			main.All = v.to(each.Text(catalog.Served(), func(c *cube.Cube) string { return c.Name }), v.unit, v.year)
		}
	}
	main.LeftOut = append(main.LeftOut, v.otherCurrencies(out)...)
	f := v.Frame(template, v.Say("functions.title"), main)
	f.MadeUp = len(columns) > 0 && !slices.ContainsFunc(columns, func(c functions.Column) bool { return !c.Cube.Synthetic })
	return f, nil
}

// read reads the parameters.
func (v *visit) read(catalog *cube.Catalog) ([]*cube.Cube, error) {
	if text := v.Given["in"]; text != "" {
		if v.unit = functions.Unit(text); !slices.Contains(functions.Units, v.unit) {
			units := each.Text(functions.Units, func(u functions.Unit) string { return string(u) })
			return nil, request.Mistake(cube.CodeBadValue, "in", strconv.Quote(query.Clip(text))+" is nothing that is compared", "write "+strings.Join(units, " or "))
		}
	}
	if text := v.Given["year"]; text != "" {
		year, err := strconv.ParseInt(text, 10, 64)
		if err != nil || year < 1 {
			return nil, request.Mistake(cube.CodeBadValue, "year", strconv.Quote(query.Clip(text))+" is no year", "write digits alone, as 2016")
		}
		v.year = year
	}
	if v.Given["cubes"] == "" {
		return site.Listed(catalog), nil
	}
	var cubes []*cube.Cube
	for name := range strings.SplitSeq(v.Given["cubes"], ",") {
		c, err := catalog.Cube(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(cubes, c) {
			cubes, v.names = append(cubes, c), append(v.names, name)
		}
	}
	return cubes, nil
}

// ask asks for the amounts of a budget.
func (v *visit) ask(b functions.Budget) (*functions.Sums, error) {
	found, err := v.Ask(b.Cube, b.Query())
	if err != nil {
		return nil, err
	}
	rows := make([]functions.Row, len(found.Cells))
	for i, c := range found.Cells {
		rows[i] = functions.Row{Keys: c.Keys, Amount: c.Values[0]}
	}
	return b.Add(found.Plan.Keys(), rows), nil
}

// reason says why a budget is left out, or what must be known of it.
func (v *visit) reason(r functions.Reason) string {
	budget := ""
	if r.Cube != nil {
		budget = v.Quote(v.TitleOfCube(r.Cube))
	}
	return prose.Fill(v.Locale, "functions.reason-"+string(r.Code), "Budget", budget, "Years", v.Years(r.Years), "Count", r.Count, "Share", v.Share(r.Share),
		"Periods", v.LevelTitle(r.Level)+" "+words.Periods(r.Periods))
}

// otherCurrencies says in a sentence which budgets are left out since they count in another currency.
func (v *visit) otherCurrencies(out []functions.Reason) []string {
	out = slices.DeleteFunc(slices.Clone(out), func(r functions.Reason) bool { return r.Code != functions.Currency })
	if len(out) == 0 {
		return nil
	}
	budgets := v.And(each.Text(out, func(r functions.Reason) string { return v.Quote(v.TitleOfCube(r.Cube)) }))
	return []string{v.Say("functions.reason-other-currency", "Budgets", budgets, "Currency", out[0].Other)}
}

// to leads to the page with other choices.
func (v *visit) to(names []string, unit functions.Unit, year int64) string {
	given := url.Values{"in": {string(unit)}}
	if len(names) > 0 {
		given.Set("cubes", strings.Join(names, ","))
	}
	if year != 0 {
		given.Set("year", strconv.FormatInt(year, 10))
	}
	if v.Given["lang"] != "" {
		given.Set("lang", v.Given["lang"])
	}
	return v.Root + "functions?" + given.Encode()
}

func (v *visit) units() (list []site.Choice) {
	for _, unit := range functions.Units {
		list = append(list, site.Choice{Text: v.Say("functions.by-" + string(unit)), Link: v.to(v.names, unit, v.year), Taken: unit == v.unit})
	}
	return list
}

// unitOf says what the numbers are.
func (v *visit) unitOf(columns []functions.Column, base int64) string {
	switch {
	case v.unit != functions.PerPerson:
		return v.Say("functions.unit-" + string(v.unit))
	case len(columns) == 0:
		return ""
	}
	return v.Say("functions.unit-per-person", "Year", v.Year(base), "Currency", columns[0].Measure.Currency)
}

func (v *visit) years(years []int64) []site.Choice {
	list := []site.Choice{{Text: v.Say("functions.last-years"), Link: v.to(v.names, v.unit, 0), Taken: v.year == 0}}
	for _, year := range slices.Backward(years) {
		list = append(list, site.Choice{Text: strconv.FormatInt(year, 10), Link: v.to(v.names, v.unit, year), Taken: year == v.year})
	}
	return list
}

func (v *visit) column(c functions.Column, all []functions.Column) column {
	of := v.Say("functions.approved", "Year", v.Year(c.Year))
	if c.Measure.Phase == "executed" {
		of = v.Say("functions.spent", "Year", v.Year(c.Year))
	}
	made := column{Title: v.TitleOfCube(c.Cube), Link: v.Explore(c.Cube).String(), Of: of}
	if c.Cube.Synthetic {
		made.MadeUp = v.Say("page.made-up-short")
	}
	if len(all) > 1 {
		others := slices.DeleteFunc(slices.Clone(all), func(o functions.Column) bool { return o.Cube == c.Cube })
		made.Without = v.to(each.Text(others, func(o functions.Column) string { return o.Cube.Name }), v.unit, v.year)
	}
	return made
}

// rows has a row for each division, one for what is of none if any budget has it, and one for the whole.
func (v *visit) rows(columns []functions.Column) (rows, whole []row) {
	greatest := decimal.Zero
	v.countries = map[string]int{}
	for _, c := range columns {
		v.countries[c.Cube.CountryIn(v.Language)]++
		for _, value := range c.Values {
			greatest = decimal.Max(greatest, value.Decimal.Abs())
		}
	}
	for i, part := range columns[0].Parts {
		r := row{Name: v.Say("functions.not-assigned"), Division: part.Division}
		if part.Division != "" {
			r.Name = v.Say("functions.division-" + part.Division)
		}
		for _, c := range columns {
			r.Cells = append(r.Cells, v.cell(c, c.Parts[i], c.Values[i], greatest))
		}
		if part.Division != "" || slices.ContainsFunc(r.Cells, func(c cell) bool { return c.Link != "" }) {
			rows = append(rows, r)
		}
	}
	total := row{Name: v.Say("view.total")}
	for _, c := range columns {
		made := v.cell(c, c.Total, c.Whole, greatest)
		if made.Width = ""; v.unit == functions.Shares {
			made.Text = v.Brief(c.Total.Amount.Mul(decimal.NewFromInt(max(c.Measure.Unit, 1))), c.Measure.Currency)
		}
		total.Cells = append(total.Cells, made)
	}
	return rows, []row{total}
}

// cell writes a number of a part, with a bar as long as it is of the greatest.
func (v *visit) cell(c functions.Column, part functions.Part, value decimal.NullDecimal, greatest decimal.Decimal) cell {
	made := cell{Of: c.Cube.CountryIn(v.Language), Text: "–"}
	if made.Of == "" || v.countries[made.Of] > 1 {
		made.Of = v.TitleOfCube(c.Cube)
	}
	isWhole := part.Division == "" && part.Members == nil && !part.Amount.IsZero()
	if len(part.Members) == 0 && !isWhole {
		return made
	}
	made.Exact, made.Link = v.Amount(part.Amount, 0, c.Measure.Currency), v.view(c.Budget, part)
	switch {
	case v.unit == functions.Growth && (value.Valid || part.Before.IsZero()):
		made.Text = v.Change(value)
	case !value.Valid:
	case v.unit == functions.PerPerson:
		made.Text = v.Brief(value.Decimal, "")
	default:
		made.Text = v.Share(value.Decimal)
	}
	if made.IsDown = value.Decimal.IsNegative(); value.Valid && greatest.IsPositive() {
		made.Width = value.Decimal.Abs().Shift(2).DivRound(greatest, 1).String()
	}
	return made
}

// view leads to what a part adds up: its members or, of one, who spends it.
func (v *visit) view(b functions.Budget, part functions.Part) string {
	cuts, ok := b.Cuts(part.Members)
	if !ok {
		cuts, _ = b.Cuts(nil)
	}
	below := b.Level.Ref
	if len(part.Members) == 1 {
		levels := b.Cube.Model.FirstLevels(len(b.Cube.Model.Dimensions()))
		i := slices.IndexFunc(levels, func(l cube.Level) bool {
			d, _ := b.Cube.Model.Dimension(l.Dimension)
			return d.Classification == "administrative"
		})
		if i >= 0 {
			below = levels[i].Ref
		}
	}
	return v.Explore(b.Cube).Cutting(cuts).Drilling(below).Asking(func(q *query.Query) { q.Aggregates = []query.AggregateRef{b.Sum()} }).String()
}
