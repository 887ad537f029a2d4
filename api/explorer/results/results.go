// Package results has the page of what a search finds: results.go members, levels and cubes by their names, amounts.go the numbers
// that equal an amount; hit.go describes a hit of either.
package results

import (
	"cmp"
	"embed"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/fold"
)

// Parameters are those of the start page.
var Parameters = []request.Parameter{
	{Name: "q", Twice: cube.CodeBadValue},
	{Name: "cube", Twice: cube.CodeBadValue},
	{Name: "page", Twice: cube.CodeBadPage},
}

// hitsOnPage is how many hits a page lists.
const hitsOnPage = 50

// resultsPage is what was found.
type resultsPage struct {
	site.Reader
	Title string
	Where []site.Choice // one cube or all
	Phase string        // what is said about the phase that was asked for
	Notes []string      // what is not searched yet, or has nothing
	Cubes []foundIn
	Pages []site.Choice
	None  *noResult

	NotInYear  string
	OtherYears []budget // the budgets that have what was looked for, but no rows of the year

	Amounts *amountsPage // of a text that may be one
}

// noResult says what was understood of a text that finds nothing, and what is near.
type noResult struct {
	Words, Unknown, Year string
	Near                 []near
	All                  []budget // first those that are named
}

// near is a link to what another text finds.
type near struct {
	site.Choice
	MadeUp string // says that it finds nothing else; or ""
}

// budget is a link to a cube, or to what is found in it.
type budget struct {
	Title, Link, Years string
	MadeUp             string // says so; "" if it is not
	Marks              []string
}

func (v *visit) budget(cb *cube.Cube, link string) budget {
	return budget{Title: v.TitleOfCube(cb), Link: link, Years: site.YearsOf(cb), Marks: v.Marks(cb), MadeUp: v.madeUp(cb.Synthetic)}
}

// madeUp says that figures are made up, or "".
func (v *visit) madeUp(is bool) string {
	if !is {
		return ""
	}
	return v.Say("page.made-up-short")
}

// foundIn is what was found in a cube.
type foundIn struct {
	budget
	Groups []foundOf
}

// foundOf is what was found of a level, or of another kind.
type foundOf struct {
	Title     string
	Divides   string // what the level divides by; or ""
	kind      search.Kind
	level     string
	dimension string
	Hits      []found
}

// hitsAtFirst is how many hits of a level are seen before one asks for all.
const hitsAtFirst = 5

// Divided tells whether members of several dimensions of a budget were found, which divide the same money each in its own way.
func (r *resultsPage) Divided() bool {
	return slices.ContainsFunc(r.Cubes, func(in foundIn) bool {
		dimensions := map[string]bool{}
		for _, of := range in.Groups {
			if of.kind == search.KindMember {
				dimensions[of.dimension] = true
			}
		}
		return len(dimensions) > 1
	})
}

// First are the hits that are seen at first, and More those that are folded away: at least two.
func (f foundOf) First() []found { return f.Hits[:len(f.Hits)-len(f.More())] }

// More are the hits after the first.
func (f foundOf) More() []found {
	if len(f.Hits) <= hitsAtFirst+1 {
		return nil
	}
	return f.Hits[hitsAtFirst:]
}

//go:embed results.html
var sources embed.FS

var template = site.Template(sources, "results.html")

// Page shows what a search finds: in one cube, where one is named that has any of it, or else in all.
func Page(of *site.Visit, index *search.Index) (*site.Frame, error) {
	v := &visit{of, index}
	q, err := search.Parse(v.Given["q"])
	if err != nil {
		return nil, err
	}
	page, err := v.pageOfHits()
	if err != nil {
		return nil, err
	}
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	cubes, in := catalog.Served(), v.Given["cube"]
	var one *cube.Cube // that is looked in; nil for all
	if in != "" {
		if one, err = catalog.Cube(in); err != nil {
			return nil, err
		}
		cubes = []*cube.Cube{one}
	}
	amounts := v.amounts(v.Given["q"], one, catalog.Served())
	answer, err := v.index.Find(v.Request().Context(), q, cubes, page)
	var alone string // the cube that has nothing of it
	if err == nil && answer.Total == 0 && in != "" && (amounts == nil || !amounts.In) {
		alone = v.TitleOfCube(cubes[0])
		cubes, in = catalog.Served(), ""
		answer, err = v.index.Find(v.Request().Context(), q, cubes, page)
	}
	if err != nil {
		return nil, err
	}
	main := &resultsPage{Reader: v.Reader, Title: v.Say("search.results", "Count", answer.Total, "Text", v.Given["q"])}
	if asked := answer.Phase; asked.Word != "" {
		main.Phase = v.Say("search.phase-asked", "Word", q.Typed([]string{asked.Word})[0], "Phase", prose.Phase(asked.Name, "", v.Locale))
	}
	if in != "" {
		main.Where = []site.Choice{
			{Text: v.TitleOfCube(cubes[0]), Link: v.searchingIn(in, v.Given["q"]), Taken: true}, {Text: v.Say("page.all-budgets"), Link: v.searching(v.Given["q"])},
		}
	}
	if alone != "" && answer.Total > 0 {
		main.Notes = append(main.Notes, v.Say("search.nothing-in", "Text", v.Given["q"], "Budget", alone))
	}
	for _, cb := range answer.Pending {
		main.Notes = append(main.Notes, prose.SearchPending(v.TitleOfCube(cb), v.Language).Message)
	}
	for _, some := range answer.Partial {
		main.Notes = append(main.Notes, prose.SearchPartial(v.TitleOfCube(some.Cube), some.Count, v.Language).Message)
	}
	if err := v.fillAmounts(answer); err != nil {
		return nil, err
	}
	for i, hit := range answer.Hits {
		main.add(v, q, hit, i+1, sameIn(answer.Hits, hit))
	}
	if err := main.addOtherYears(v, q, answer); err != nil {
		return nil, err
	}
	main.Pages = v.hitPages(in, page, answer.Total)
	main.Amounts = amounts
	if answer.Total == 0 && main.Amounts == nil {
		if main.None, err = v.noResult(q, site.Listed(catalog)); err != nil {
			return nil, err
		}
	}
	f := v.Frame(template, v.Given["q"], main)
	f.Query, f.SearchIn = v.Given["q"], in
	f.MadeUp = main.Amounts != nil && main.Amounts.MadeUp
	return f, nil
}

// addOtherYears leads to what a search finds in cubes without its year, by what they have of it and when, or says that it is of other years
// where it is shown.
func (r *resultsPage) addOtherYears(v *visit, q search.Query, answer search.Answer) error {
	_, number := q.Words()
	year := strconv.FormatInt(number, 10)
	r.NotInYear = v.Say("search.not-in-year", "Year", year)
	for _, cb := range answer.OtherYears {
		if answer.IsLatest {
			r.Notes = append(r.Notes, v.Say("search.year-lacking", "Year", year, "Budget", v.titleMarked(cb), "Years", v.yearsOfCube(cb)))
			continue
		}
		made := v.budget(cb, v.searchingIn(cb.Name, q.WithoutYear()))
		rest, _ := search.Parse(q.WithoutYear()) // which is shorter than what was read before
		found, err := v.index.Find(v.Request().Context(), rest, []*cube.Cube{cb}, query.Page{Number: 1, Size: 1})
		if err != nil {
			return err
		}
		if len(found.Hits) > 0 && found.Hits[0].Kind == search.KindMember {
			made.Title, made.Years = v.hitTitle(found.Hits[0])+" – "+made.Title, v.yearsOf(found.Hits[0])
		}
		r.OtherYears = append(r.OtherYears, made)
	}
	return nil
}

// yearsOfCube writes the fiscal years of a cube in a sentence.
func (v *visit) yearsOfCube(cb *cube.Cube) string {
	if cb.Coverage == nil || len(cb.Coverage.Years) == 0 {
		return site.YearsOf(cb)
	}
	return v.Years(cb.Coverage.Years)
}

// titleMarked is the title of a cube, with a mark if it is made up.
func (v *visit) titleMarked(cb *cube.Cube) string {
	return strings.TrimSuffix(v.TitleOfCube(cb)+" · "+v.madeUp(cb.Synthetic), " · ")
}

// noResult describes a search that finds nothing.
func (v *visit) noResult(q search.Query, cubes []*cube.Cube) (*noResult, error) {
	words, unknown, err := v.index.Understood(v.Request().Context(), q, cubes)
	if err != nil {
		return nil, err
	}
	none := &noResult{Words: strings.Join(q.Typed(words), ", "), Unknown: strings.Join(q.Typed(unknown), ", ")}
	if _, year := q.Words(); year != 0 {
		none.Year = strconv.FormatInt(year, 10)
	}
	if amount := search.FigureAmong(v.Given["q"]); amount != "" {
		none.Near = append(none.Near, near{site.Choice{Text: v.Say("search.amount-alone", "Amount", amount), Link: v.searching(amount)}, ""})
	}
	suggested, err := v.index.Suggest(v.Request().Context(), q, cubes)
	for _, other := range suggested {
		found := site.Choice{Text: v.Say("search.results", "Count", other.Total, "Text", other.Text), Link: v.searching(other.Text)}
		none.Near = append(none.Near, near{found, v.madeUp(other.MadeUp)})
	}
	named := v.index.Named(q, cubes)
	isNamed := func(cb *cube.Cube) bool { return slices.Contains(named, cb) }
	for _, cb := range slices.Concat(named, slices.DeleteFunc(slices.Clone(cubes), isNamed)) {
		none.All = append(none.All, v.budget(cb, v.Explore(cb).String()))
	}
	return none, err
}

// pageOfHits reads which hits to show.
func (v *visit) pageOfHits() (query.Page, error) {
	page, err := query.ParsePage(map[string]string{"pagesize": strconv.Itoa(hitsOnPage), "page": cmp.Or(v.Given["page"], "1")})
	if err == nil && page.Number*page.Size > search.MostHits {
		return page, request.Mistake(cube.CodeBadPage, "page", "pages end at "+strconv.Itoa(search.MostHits)+" hits", "look for more words")
	}
	return page, err
}

// hitPages leads to the page of hits in a cube, or in all, before and to the next one.
func (v *visit) hitPages(in string, page query.Page, total int) (list []site.Choice) {
	link := func(number int) string {
		return v.searchingIn(in, v.Given["q"]) + "&page=" + strconv.Itoa(number)
	}
	if page.Number > 1 {
		list = append(list, site.Choice{Text: v.Say("view.previous"), Link: link(page.Number - 1)})
	}
	if page.Number*page.Size < min(total, search.MostHits) {
		list = append(list, site.Choice{Text: v.Say("view.next"), Link: link(page.Number + 1)})
	}
	return list
}

// add adds a hit to those of its cube and level. Cubes and levels are in the order of their best hits. A measure whose amount is that
// of another one, which is put together from it and others, leaves it to that.
func (r *resultsPage) add(v *visit, q search.Query, hit search.Hit, rank int, sameIn cube.Measure) {
	a := v.Explore(hit.Cube)
	link := a.String()
	i := slices.IndexFunc(r.Cubes, func(in foundIn) bool { return in.Link == link })
	if i < 0 {
		i = len(r.Cubes)
		r.Cubes = append(r.Cubes, foundIn{budget: v.budget(hit.Cube, link)})
	}
	groups := &r.Cubes[i].Groups
	group := foundOf{Title: v.groupTitle(hit), kind: hit.Kind, dimension: hit.Dimension}
	if hit.Kind == search.KindMember {
		group.level, group.Divides = hit.Level.Ref, v.divides(hit)
	}
	j := slices.IndexFunc(*groups, func(of foundOf) bool { return of.kind == group.kind && of.level == group.level })
	if j < 0 {
		j = len(*groups)
		*groups = append(*groups, group)
	}
	made := v.found(q, hit)
	made.Rank = rank
	if sameIn.Ref != "" {
		made.Amount, made.Unit = "", ""
		made.add(v.Say("view.same-in", "Measure", prose.MeasureTitle(sameIn, v.Language)))
	}
	if hits := (*groups)[j].Hits; len(hits) == 0 || hits[len(hits)-1].by != made.by { // else the one above says so
		made.add(made.by)
	}
	(*groups)[j].Hits = append((*groups)[j].Hits, made)
}

// sameIn gives the measure among hits that is put together from that of a hit, and has the same amount.
func sameIn(hits []search.Hit, hit search.Hit) (whole cube.Measure) {
	if hit.Kind != search.KindMeasure || hit.Amount.Text == "" {
		return whole
	}
	for _, other := range hits {
		isWhole := other.Kind == search.KindMeasure && other.Cube == hit.Cube && slices.Contains(hit.Cube.Model.FirstOf(other.Measure), hit.Measure)
		if isWhole && other.Amount.Text == hit.Amount.Text && other.Amount.Year.Compare(hit.Amount.Year) == 0 {
			whole, _ = hit.Cube.Model.Measure(other.Measure)
		}
	}
	return whole
}

// groupTitle names what hits of a kind are.
func (v *visit) groupTitle(hit search.Hit) string {
	switch hit.Kind {
	case search.KindMember:
		return v.LevelTitle(hit.Level)
	case search.KindMeasure:
		return v.Say("view.measure")
	case search.KindCube:
		return v.Say("search.budget")
	}
	return v.Say("view.break-down")
}

// divides says what the level of a member divides by, where its classification tells.
func (v *visit) divides(hit search.Hit) string {
	d, _ := hit.Cube.Model.Dimension(hit.Dimension)
	leading, _ := hit.Cube.Model.Leading()
	isRevenue := leading.Direction == "revenue"
	switch {
	case d.Classification == "administrative" && isRevenue:
		return v.Say("search.who-collects")
	case d.Classification == "administrative":
		return v.Say("search.who-spends")
	case d.Classification == "functional":
		return v.Say("search.what-for")
	case d.Classification == "economic" && isRevenue:
		return v.Say("search.from-what")
	case d.Classification == "economic":
		return v.Say("search.on-what")
	}
	return ""
}

// partOf names what stands above a member under the same name; or "".
func (v *visit) partOf(hit search.Hit) string {
	for _, parent := range slices.Backward(hit.Parents) {
		if fold.Text(parent.Label) == fold.Text(hit.Label) {
			return v.Say("search.part-of", "Name", v.LevelTitle(parent.Level)+" "+prose.ShownLabel(hit.Cube, parent.Label))
		}
	}
	return ""
}

// found describes a hit of a query.
func (v *visit) found(q search.Query, hit search.Hit) found {
	made := v.member(hit)
	made.add(v.partOf(hit))
	made.add(v.yearsOf(hit))
	isBroader := func(word string) bool { return slices.Contains(hit.Broader, word) }
	if exact := slices.DeleteFunc(slices.Clone(hit.Meant), isBroader); len(exact) > 0 {
		made.by = v.Say("search.found-by", "Text", strings.Join(q.Typed(exact), " "))
	}
	if len(hit.Broader) > 0 {
		made.add(v.Say("search.wider-than", "Text", strings.Join(q.Typed(hit.Broader), " ")))
	}
	measure, ok := hit.Cube.Model.Measure(hit.Amount.Measure)
	describes := hit.Kind == search.KindLevel || hit.Kind == search.KindDimension // the amount is that of the whole cube
	if ok && hit.Amount.Text != "" && !describes {
		made.Unit = prose.MeasureTitle(measure, v.Language)
		if !hit.Amount.Year.IsMissing() {
			made.Unit += " " + hit.Amount.Year.String()
		}
		made.Amount = v.Decimal(decimal.RequireFromString(hit.Amount.Text), 0)
		made.Marks = v.doubtsOf(hit)
	}
	made.Link = v.hitAddress(hit).String()
	return made
}

// yearsOf says in which years a hit has rows; of a member with several names, in which it has the one that is shown, and what it is now or
// was called otherwise.
func (v *visit) yearsOf(hit search.Hit) string {
	year, _ := hit.Cube.Model.YearLevel()
	switch {
	case hit.Kind == search.KindMember && hit.Level.Ref == year.Ref:
		return ""
	case len(hit.LabelYears) > 0 && hit.LabelNow != "":
		return v.Say("search.called-in", "Years", v.Years(hit.LabelYears)) + "; " + v.Say("search.called-now", "Name", prose.ShownLabel(hit.Cube, hit.LabelNow))
	case len(hit.LabelYears) > 0 && len(hit.Other.Years) > 0:
		return site.Spans(hit.LabelYears) + "; " + v.Say("search.called-then", "Years", v.Years(hit.Other.Years), "Name", prose.ShownLabel(hit.Cube, hit.Other.Label))
	case len(hit.LabelYears) > 0:
		return site.Spans(hit.LabelYears)
	case len(hit.Years) > 0:
		return site.Spans(hit.Years)
	}
	return site.Span(hit.First, hit.Last)
}

// hitAddress leads to the view that shows a hit: of a member what is below it, of anything else its members or years. It is of the
// year that was asked for, or else of the year of the amount, or of the last one; of the measure of the amount; and of a member by the level
// that was asked for.
func (v *visit) hitAddress(hit search.Hit) site.Address {
	a, m := v.Explore(hit.Cube), hit.Cube.Model
	yearLevel, hasYears := m.YearLevel()
	year := hit.Last
	if hit.Year != 0 {
		year = cube.Integer(hit.Year)
	} else if hit.Amount.Text != "" && !hit.Amount.Year.IsMissing() {
		year = hit.Amount.Year
	}
	switch hit.Kind {
	case search.KindMember:
		cut, below := cutToMember(hit)
		if by := hit.By.Ref; by != "" && !slices.Contains(hit.Level.Path, by) {
			below = by
		}
		if a = a.CuttingText(cut); below != "" {
			a = a.Drilling(below)
		}
		hasYears = hasYears && !slices.Contains(hit.Level.Path, yearLevel.Ref)
	case search.KindLevel:
		a = a.Drilling(hit.Level.Ref)
		hasYears = hasYears && hit.Level.Ref != yearLevel.Ref
	case search.KindDimension:
		d, _ := m.Dimension(hit.Dimension)
		a = a.Drilling(d.Chains()[0][0].Ref)
		hasYears = hasYears && d.Type != cube.DimensionTime
	case search.KindMeasure:
		a = summing(a, hit.Measure)
		if hasYears && hit.Year == 0 {
			a = a.Drilling(yearLevel.Ref)
		}
		hasYears = hasYears && hit.Year != 0
	default:
		hasYears = hasYears && hit.Year != 0
		if first := m.FirstLevels(1); hasYears && len(first) > 0 {
			a = a.Drilling(first[0].Ref)
		}
	}
	if hasYears && !year.IsMissing() {
		a = a.With(query.CutTo(yearLevel.Ref, year.String()))
	}
	shown, _ := year.Int()
	if usual, _ := selection.UsualMeasure(hit.Cube, shown); hit.Kind != search.KindMeasure && hit.Amount.Text != "" && hit.Amount.Measure != usual.Ref {
		a = summing(a, hit.Amount.Measure)
	}
	return a
}

// summing is an address with the sum of one measure.
func summing(a site.Address, measure string) site.Address {
	sum := query.AggregateRef{Measure: measure, Func: string(cube.Sum)}
	return a.Asking(func(q *query.Query) { q.Aggregates = []query.AggregateRef{sum} })
}
