package explorer

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"fiscube/api/explorer/recompute"
	"fiscube/api/explorer/reference"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// numberPage is what the page of one number has.
type numberPage struct {
	site.Reader
	Title, Of, Unit, ViewLink string        // Of names the number, Unit what it is in each year
	Above                     []site.Choice // what the members are below
	CubeTitle, CubeLink       string
	Pinned                    *pinning
	InWords, Exact            string
	sentences
	Made                     string // how the measure is put together from others
	Terms                    []site.Choice
	Names                    []named
	ByYear                   []bar
	Lines                    *lineTable
	Files                    []file
	Check                    check
	Citation, Link, JSONLink string
	Report                   string // leads to how the data was loaded
	BibTeX, CSL              string
	Versions                 []versioned
	Share                    *sharing
}

// named is a name that a member of the number had.
type named struct{ Level, Name, Years string }

// file is a published file that the number comes from. Packed is the path of the compressed file that was read in its place, and Link leads to
// its rows, which are no copy of its bytes.
type file struct{ Name, Path, Packed, Hash, Size, Link string }

// versioned is the number in another version of the cube.
type versioned struct{ Version, Loaded, Exact, Link string }

// showNumber shows one number: what it is, where it comes from, and how to cite it.
func showNumber(v *visit) (*site.Frame, error) {
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	a := v.Explore(cb)
	if a.Query, err = query.Parse(v.Given); err != nil {
		return nil, err
	}
	a.Query = query.Query{Cuts: a.Query.Cuts, Aggregates: mainAggregates(cb.Model, a.Query.Aggregates)[:1], Snapshots: a.Query.Snapshots, Page: query.FirstPage}
	w := &view{visit: v, cb: cb, a: a, answers: a.Query}
	if w.answer, err = v.Ask(cb, a.Query); err != nil {
		return nil, err
	}
	if w.answer, err = v.withLines(w.answer); err != nil {
		return nil, err
	}
	if err := w.describe(); err != nil {
		return nil, err
	}
	f := v.Frame(templates["number"], w.title, nil)
	if from := w.firstAsked(); from > 1 {
		f = v.Frame(templates["numberlines"], w.title, nil)
		f.Main, err = w.linesAlone(from)
	} else {
		f.Main, err = w.numberPage()
	}
	f.MadeUp = cb.Synthetic
	return f, err
}

func (w *view) numberPage() (*numberPage, error) {
	page := &numberPage{
		Reader: w.Reader, Title: w.heading, Above: w.trail, Unit: w.unit(), Of: w.sumOf(), ViewLink: w.a.String(), CubeTitle: w.TitleOfCube(w.cb), CubeLink: w.Explore(w.cb).String(), Made: w.madeOf(w.cb, w.measureOf()),
		Report: w.reportOf(w.cb),
	}
	page.InWords, page.Exact = w.sum()
	if !w.isStopped() {
		page.Share = w.sharedNumber(page)
	}
	var err error
	if page.Names, err = w.names(); err != nil {
		return nil, err
	}
	if page.ByYear, err = w.byYear(); err != nil {
		return nil, err
	}
	if page.sentences, err = w.sentences(page.ByYear); err != nil {
		return nil, err
	}
	if page.Lines, err = w.lines(1); err != nil {
		return nil, err
	}
	if page.Versions, err = w.inVersions(); err != nil {
		return nil, err
	}
	number := *w
	number.a = w.a.At(w.a.Path + "/number")
	page.Terms = number.terms()
	if page.Pinned, err = number.pinned(); err != nil {
		return nil, err
	}
	return page, w.cite(page)
}

// names lists the names that the members of the number had, where these changed.
func (w *view) names() (list []named, err error) {
	if w.cb.LabelHistory == nil {
		return nil, nil
	}
	for _, f := range w.answer.Plan.FiltersAsked() {
		level, ok := f.Level(w.cb.Model)
		if !ok || f.Not || len(f.Any) != 1 || !w.fixed[level.Ref] {
			continue
		}
		path, err := w.onlyPath(level)
		if err != nil {
			return nil, err
		}
		breaks := w.cb.LabelHistory.OfMember(level.Ref, path)
		title := w.LevelTitle(level)
		for i, b := range breaks {
			list = append(list, named{title, b.Before, w.Say("number.up-to", "Year", strconv.FormatInt(b.Last, 10))})
			if i == len(breaks)-1 {
				list = append(list, named{title, b.After, w.Say("number.from", "Year", strconv.FormatInt(b.First, 10))})
			}
		}
	}
	return list, nil
}

// onlyPath gives the path of the member of a level that the cuts admit, also where they do not name all that is above it; nil if they
// admit several.
func (w *view) onlyPath(level cube.Level) (path []string, err error) {
	for _, field := range level.Path {
		for _, f := range w.answer.Plan.FiltersAsked() {
			for _, test := range slices.Concat(f.Any...) {
				if test.Column.Name == field && len(test.In) == 1 && !f.Not {
					path = append(path, test.In[0].String())
				}
			}
		}
	}
	if len(path) == len(level.Path) || !level.Listed {
		return path, nil
	}
	q := query.MemberQuery{Level: level.Ref, Page: query.Page{Number: 1, Size: 2}}
	for _, f := range w.answer.Plan.FiltersAsked() {
		if of, ok := f.Level(w.cb.Model); ok && (of.Dimension == level.Dimension || of.Ref == yearOf(w.cb.Model).Name) {
			q.Cuts = append(q.Cuts, cutOf(f))
		}
	}
	bound, err := plan.BindMembers(w.cb, q)
	if err != nil {
		return nil, nil // a filter that members cannot have
	}
	page, err := w.Limiter.MemberPage(w.Request().Context(), limits.TimingOf(w.Context), bound, w.Language)
	if err != nil || len(page.Members) != 1 {
		return nil, err
	}
	return each.Text(page.Members[0].Path, cube.Value.String), nil
}

// byYear is the number in each fiscal year, if it is of some of them.
func (w *view) byYear() ([]bar, error) {
	level, ok := w.cb.Model.YearLevel()
	if !ok {
		return nil, nil
	}
	all := w.a.Without(func(field string) bool { return field == level.Ref })
	q := all.Query
	q.Drilldown, q.Aggregates = []query.Ref{{Name: level.Ref}}, mainAggregates(w.cb.Model, q.Aggregates)[:1]
	years, err := w.Ask(w.cb, q)
	switch {
	case reply.Statuses[cube.CodeOf(err)] == http.StatusBadRequest: // such as a cut on a month of a year
		return nil, nil
	case err != nil:
		return nil, err
	case len(years.Cells) < 2:
		return nil, nil
	}
	list := w.withAnswer(years).yearBars()
	for i := range list {
		cut := query.CutTo(level.Ref, list[i].key)
		list[i].Taken = slices.ContainsFunc(w.a.Query.Cuts, func(c query.Cut) bool { return c.String() == cut.String() })
		if list[i].Amount != "" {
			list[i].Link = all.With(cut).At(w.a.Path + "/number").String()
		}
	}
	return list, nil
}

// inVersions is the number in the other versions that are kept.
func (w *view) inVersions() ([]versioned, error) {
	catalog, err := w.Limiter.Catalog(w.Request().Context())
	if err != nil {
		return nil, err
	}
	var list []versioned
	for _, cb := range catalog.Versions(w.cb.Name) {
		if cb.ID == w.cb.ID {
			continue
		}
		a := w.a.At(w.a.Path + "/number")
		a.Version = strconv.Itoa(cb.Version)
		other := versioned{Version: a.Version, Loaded: site.DateOf(cb), Link: a.String()}
		if found, err := w.Ask(cb, w.a.Query); err == nil && found.Summary.Values[0].Valid {
			other.Exact = w.Decimal(found.Summary.Values[0].Decimal, found.Plan.Aggregates()[0].Scale)
		}
		list = append(list, other)
	}
	return list, nil
}

// cite says where the number comes from, and how to name it, also in lists of references.
func (w *view) cite(page *numberPage) error {
	ctx, t := w.Request().Context(), limits.TimingOf(w.Context)
	var doubts []string
	if f := page.Financing; f != nil {
		doubts = append(doubts, w.Say("caveat.financing-cited", "Amount", f.exact))
	}
	named := prose.Named{Title: w.TitleOfCube(w.cb), Doubts: doubts}
	cited, err := limits.Whole(ctx, w.Limiter, t, w.answer.Plan.Reads(), func(ctx context.Context) (answer.Citation, error) {
		return answer.Cite(ctx, w.Limiter, w.answer, w.Locale, named)
	})
	if err != nil {
		return err
	}
	permanent := w.a.At("explore/" + url.PathEscape(w.cb.Name) + "/number")
	permanent.Root, permanent.Version = request.Base(w.Context)+"/", strconv.Itoa(w.cb.Version)
	page.Link = permanent.String()
	page.Citation = cited.Text + ". " + page.Link
	page.JSONLink = w.asJSON()
	work := w.referenceTo(cited.Text, page.Link)
	page.BibTeX, page.CSL = work.BibTeX(), work.CSL()
	report, err := findings.Of(w.cb)
	if err != nil {
		return err
	}
	packed := recompute.ReadFrom(report)
	var published []cube.Resource
	for _, r := range cited.Resources {
		published = append(published, r.Resource)
		link := site.Address{Root: w.Root, Path: "cubes/" + url.PathEscape(w.cb.Name) + "/resources/" + url.PathEscape(r.Name), Version: w.Given["version"]}
		page.Files = append(page.Files, file{r.Name, r.Path, packed[r.Name], r.Found.Hash, w.Bytes(r.Found.Bytes), link.String()})
	}
	page.Check = w.check(published)
	page.Check.Packed = slices.ContainsFunc(page.Files, func(f file) bool { return f.Packed != "" })
	return nil
}

// check is how a reader recomputes a number from the published files: a command, or the reason why there is none. Packed tells whether some file
// was read compressed.
type check struct {
	Command, Without string
	Packed           bool
}

func (w *view) check(files []cube.Resource) check {
	command, err := recompute.Command(w.answer.Plan, files, w.Locale)
	if err != nil {
		return check{Without: err.Error()}
	}
	return check{Command: command}
}

// referenceTo is what lists of references have of the number. It was published when the package last was, as it says, else when it was
// loaded, which is when it was accessed.
func (w *view) referenceTo(text, link string) reference.Work {
	budget := w.TitleOfCube(w.cb)
	return reference.Work{
		Key: w.referenceKey(), Author: cmp.Or(w.cb.Publisher, budget), Title: w.unit() + " – " + w.title, Budget: budget, Version: w.cb.Version,
		Published: publishedOn(w.cb), Accessed: w.cb.LoadedAt, Link: link, Note: text,
	}
}

// referenceKey names the number in a list of references: by the budget, the measure, the times, the codes of the members, and the
// version.
func (w *view) referenceKey() string {
	var times, members []string
	for _, f := range w.answer.Plan.FiltersAsked() {
		var codes []string
		for i := range f.Echo {
			codes = append(codes, prose.Codes(f, i, cube.English)...)
		}
		if f.Not {
			codes = append([]string{"not"}, codes...)
		}
		level, _ := f.Level(w.cb.Model)
		if dimension, _ := w.cb.Model.Dimension(level.Dimension); dimension.Type == cube.DimensionTime {
			times = append(times, codes...)
		} else {
			members = append(members, codes...)
		}
	}
	parts := slices.Concat([]string{w.cb.Name, w.answer.Plan.Aggregates()[0].Name}, times, members, []string{"v" + strconv.Itoa(w.cb.Version)})
	return reference.Key(parts...)
}

// publishedOn is the day on which a package was last published, as far as it says so, else that on which it was loaded.
func publishedOn(cb *cube.Cube) time.Time {
	for _, said := range []string{cb.UpdatedAt, cb.CreatedAt} {
		if day, err := time.Parse(time.DateOnly, said[:min(len(said), len(time.DateOnly))]); err == nil {
			return day
		}
	}
	return cb.LoadedAt
}
