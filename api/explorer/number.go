package explorer

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/cards"
	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/recompute"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/explorer/told"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/history"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/internal/each"
)

// numberAsked is all that the page of one number is made of.
type numberAsked struct {
	*reading.Reading
	years     *reading.Reading // the same in each year
	financing told.Apart
	executed  *answer.Answer
	terms     *answer.Answer
	served    *asks.Now
	paths     map[string][]string // of the members that the cuts admit, by level
	lines     *linesAsked
	versions  []versioned
	citation  answer.Citation
	report    *findings.Report
}

// numberPage is what the page of one number has.
type numberPage struct {
	site.Reader
	layers.Body
	Cite      *citation
	Execution *told.Execution
	Made      string // how the measure is put together from others
	Names     []named
	Lines     *lineTable
	Files     []file
	Check     check
	Report    string // leads to how the data was loaded
	Versions  []versioned
	Share     *sharing
}

// named is a name that a member of the number had.
type named struct{ Level, Name, Years string }

// file is a published file that the number comes from. Packed is the path of the compressed file that was read in its place, Link leads to its
// bytes, where they are kept, and Rows to its rows, which are no copy of them.
type file struct{ Name, Path, Packed, Hash, Size, Link, Rows string }

// versioned is the number in another version of the cube.
type versioned struct{ Version, Loaded, Exact, Link string }

// showNumber shows one number: what it is, where it comes from, and how to cite it.
func showNumber(v *visit) (*site.Frame, error) {
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	r, err := v.readNumber(cb)
	if err != nil {
		return nil, err
	}
	f := v.Frame(templates["number"], r.Title, nil)
	f.MadeUp = cb.Synthetic
	if from := v.firstLine(); from > 1 {
		f = v.Frame(templates["numberlines"], r.Title, nil)
		f.MadeUp = cb.Synthetic
		f.Main, err = v.linesAlone(r, from)
		return f, err
	}
	w, err := v.askNumber(r)
	if err == nil {
		f.Main = v.numberPage(w)
	}
	return f, err
}

// readNumber answers the question of a number, whose page is at the address of the reading. It leaves financing out where the view does.
func (v *visit) readNumber(cb *cube.Cube) (*reading.Reading, error) {
	a, err := v.Address(cb)
	if err != nil {
		return nil, err
	}
	a.View = ""
	a = selection.WithoutFinancing(cb, selection.OfUsualMeasure(cb, a.At(a.Path+"/number")))
	a.Query = selection.Sum(a, selection.MainAggregates(cb.Model, a.Query.Aggregates)[0])
	found, err := v.Ask(cb, a.Query)
	if err == nil {
		found, err = v.WithLines(found)
	}
	if err != nil {
		return nil, err
	}
	names, err := v.Names(found.Plan)
	if err != nil {
		return nil, err
	}
	return reading.New(selection.New(v.Guest, a, found.Plan, names), a.Query, found), nil
}

// askNumber asks all that the page of a number needs beside the number, all at once.
func (v *visit) askNumber(r *reading.Reading) (*numberAsked, error) {
	w := &numberAsked{Reading: r, lines: &linesAsked{}}
	executed, isExecuted := told.Executed(r.Selection)
	terms, hasTerms := told.Terms(r.Selection)
	err := site.Together(
		v.ByYear(&w.years, r, true),
		v.Financing(&w.financing, r),
		v.Beside(&w.executed, r.Cube, executed, isExecuted),
		v.Beside(&w.terms, r.Cube, terms, hasTerms),
		v.Served(&w.served, r),
		v.paths(&w.paths, r.Selection),
		v.askLines(w.lines, r, 1),
		v.inVersions(&w.versions, r),
	)
	if err != nil {
		return nil, err
	}
	if w.report, err = findings.Of(r.Cube); err != nil {
		return nil, err
	}
	return w, v.cite(w)
}

// inVersions asks for the number in the other versions that are kept.
func (v *visit) inVersions(to *[]versioned, r *reading.Reading) func() error {
	return func() error {
		catalog, err := v.Limiter.Catalog(v.Request().Context())
		if err != nil {
			return err
		}
		for _, cb := range catalog.Versions(r.Cube.Name) {
			if cb.ID == r.Cube.ID {
				continue
			}
			a := r.Address
			a.Version = strconv.Itoa(cb.Version)
			other := versioned{Version: a.Version, Loaded: site.DateOf(cb), Link: a.String()}
			if found, err := v.Ask(cb, a.Query); err == nil && found.Summary.Values[0].Valid {
				other.Exact = v.Decimal(found.Summary.Values[0].Decimal, found.Plan.Aggregates()[0].Scale)
			}
			*to = append(*to, other)
		}
		return nil
	}
}

// paths asks for the paths of the members that cuts admit, by their level. Levels of which the cuts admit several members have none.
func (v *visit) paths(to *map[string][]string, s *selection.Selection) func() error {
	return func() error {
		*to = map[string][]string{}
		for _, f := range s.Plan.FiltersAsked() {
			level, ok := f.Level(s.Cube.Model)
			if s.Cube.LabelHistory == nil || !ok || f.Not || len(f.Any) != 1 || !s.IsFixed(level.Ref) {
				continue
			}
			path, members := selection.PathOf(s, level)
			if members != nil {
				page, err := v.Limiter.MemberPage(v.Request().Context(), limits.TimingOf(v.Context), members, v.Language)
				switch {
				case err != nil:
					return err
				case len(page.Members) != 1:
					continue
				}
				path = each.Text(page.Members[0].Path, cube.Value.String)
			}
			(*to)[level.Ref] = path
		}
		return nil
	}
}

// cite asks how the number is cited: from which files it comes.
func (v *visit) cite(w *numberAsked) (err error) {
	named := prose.Named{Title: v.TitleOfCube(w.Cube), Said: told.Cited(w.Reading)}
	if f := told.FinancingOf(w.Reading, w.financing, ""); f.In != "" {
		named.Doubts = append(named.Doubts, v.Say("caveat.financing-cited", "Amount", f.In))
	}
	w.citation, err = limits.Whole(v.Request().Context(), v.Limiter, limits.TimingOf(v.Context), w.Plan.Reads(), func(ctx context.Context) (answer.Citation, error) {
		return answer.Cite(ctx, v.Limiter, w.Answer, v.Locale, named)
	})
	return err
}

// numberPage builds the page of a number.
func (v *visit) numberPage(w *numberAsked) *numberPage {
	financing := told.FinancingOf(w.Reading, w.financing, "")
	page := &numberPage{Reader: w.Reader, Made: controls.MadeOf(w.Guest, w.Cube, w.Measure()), Names: w.names(), Versions: w.versions, Report: v.Report(w.Cube)}
	page.Execution = told.ExecutionOf(w.Selection, w.executed, financing.In != "")
	view := v.viewOf(w.Reading)
	page.Said = headingOfNumber(view)
	page.Said.Lede = told.Lede(w.Reading, w.terms, page.Execution)
	page.Pinned = w.served.Told(w.Reading)
	var years []reading.Bar
	if w.years != nil {
		years = reading.YearBars(w.years, func(in site.Address) (link, open string) { return in.String(), "" })
	}
	page.Noted = w.Noted(financing.Note, reading.NotComparedIn(w.Reading, years))
	page.Execution.Beside(page.Noted)
	page.Controls = controls.Counted(w.Selection)
	if card := cards.Years(w.Reading, years); card != nil {
		page.Cards = []layers.Card{*card}
	}
	page.Cite = v.citationOf(w)
	page.Lines = w.lines.table(w.Reading, 1)
	page.addFiles(v, w)
	_, exact := w.Sum()
	page.Proof = &layers.Proof{
		Exact: exact, Unit: w.Currency(), ExactlyText: w.Say("view.exactly"), Version: site.Choice{Text: w.Say("view.permanent-link"), Link: page.Cite.Link},
		Links: []site.Choice{
			{Text: w.Say("number.lines-alone", "Count", w.lines.facts.Total), Link: "#lines"}, {Text: w.Say("number.cite-as"), Link: "#cite"}, {Text: w.Say("view.as-json"), Link: asJSON(view)}, {Text: w.Say("report.report"), Link: page.Report},
		},
	}
	if !w.IsStopped() {
		page.Share = v.sharing(w.Cube, view.Address, w.Title, w.Unit())
		page.Share.Page = v.whole(w.Address).String()
		if inWords, exact := w.Sum(); exact != "" {
			page.Share.About += ": " + inWords + ", " + w.Say("view.exactly") + " " + exact
		}
	}
	return page
}

// viewOf is a number as the answer of the view that it is of.
func (v *visit) viewOf(number *reading.Reading) *reading.Reading {
	return number.Elsewhere(number.Address.At(v.Explore(number.Cube).Path))
}

// headingOfNumber is the heading of the page of a number, whose trail leads to its view.
func headingOfNumber(view *reading.Reading) layers.Sentence {
	said := told.Heading(view)
	said.Trail = append(said.Trail, site.Choice{Text: view.Say("number.back-to-view"), Link: view.Address.String()})
	return said
}

// names lists the names that the members of the number had, where these changed.
func (w *numberAsked) names() (list []named) {
	for _, f := range w.Filters {
		path, ok := w.paths[f.Of.Ref]
		if !ok {
			continue
		}
		breaks := w.Cube.LabelHistory.OfMember([]byte(history.ID(f.Of.Ref, path)))
		for i, b := range breaks {
			list = append(list, named{f.Level, b.Before, w.Say("number.up-to", "Year", strconv.FormatInt(b.Last, 10))})
			if i == len(breaks)-1 {
				list = append(list, named{f.Level, b.After, w.Say("number.from", "Year", strconv.FormatInt(b.First, 10))})
			}
		}
	}
	return list
}

// addFiles lists the published files that the number comes from, and how a reader recomputes it from them.
func (page *numberPage) addFiles(v *visit, w *numberAsked) {
	packed := recompute.ReadFrom(w.report)
	var published []cube.Resource
	for _, r := range w.citation.Resources {
		published = append(published, r.Resource)
		rows := site.Address{Root: v.Root, Path: "cubes/" + url.PathEscape(w.Cube.Name) + "/resources/" + url.PathEscape(r.Name) + "/rows.csv", Version: v.Given["version"]}
		page.Files = append(page.Files, file{r.Name, r.Path, packed[r.Name], r.Found.Hash, w.Bytes(r.Found.Bytes), v.FileOf(w.Cube, r.Resource), rows.String()})
	}
	page.Check = checkOf(w.Plan, published, w.Reader)
	page.Check.Packed = slices.ContainsFunc(page.Files, func(f file) bool { return f.Packed != "" })
}

// check is how a reader recomputes a number from the published files: a command, or the reason why there is none. Packed tells whether some file
// was read compressed.
type check struct {
	Command, Without string
	Packed           bool
}

func checkOf(p *plan.Plan, files []cube.Resource, reader site.Reader) check {
	command, err := recompute.Command(p, files, reader.Locale)
	if err != nil {
		return check{Without: err.Error()}
	}
	return check{Command: command}
}
