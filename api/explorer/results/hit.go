package results

import (
	"cmp"
	"net/url"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/each"
)

// found is a hit.
type found struct {
	Label, Link  string
	Published    string // the label as it is published, where Label writes it in another way
	Rank         int    // among the hits of names on the page, whose groups have others between them: from 1
	About        string // its code, its years, and by which words it was found, if it does not have them
	by           string // which words these are
	Above        string // what is above it
	Unit, Amount string
	MadeUp       string   // says so; "" if it is not, or its budget says so above it
	Marks        []string // of the amount
	Others       string   // how many other numbers are the same sum
	Same         []found
}

// add adds to what is said about a hit.
func (f *found) add(text string) {
	if f.About != "" && text != "" {
		f.About += " · "
	}
	f.About += text
}

// member names a hit, with what is above it.
func (v *visit) member(hit search.Hit) found {
	made := found{Label: v.hitTitle(hit)}
	if len(hit.Path) > 0 {
		if key := hit.Path[len(hit.Path)-1].String(); key != hit.Label {
			made.add(v.Say("search.with-code", "Code", key))
		}
		if made.Label != hit.Label {
			made.Published = hit.Label
		}
		made.Label = cmp.Or(made.Label, v.Say("view.missing"))
	}
	above := site.Once(append(each.Text(hit.Parents, func(p search.Parent) string {
		return cmp.Or(prose.ShownLabel(hit.Cube, p.Label), v.Say("view.missing"))
	}), made.Label))
	made.Above = strings.Join(above[:len(above)-1], " › ")
	return made
}

// hitTitle names a hit in the language of the reader.
func (v *visit) hitTitle(hit search.Hit) string {
	switch hit.Kind {
	case search.KindCube:
		return v.TitleOfCube(hit.Cube)
	case search.KindLevel:
		return v.LevelTitle(hit.Level)
	case search.KindDimension:
		d, _ := hit.Cube.Model.Dimension(hit.Dimension)
		return cmp.Or(d.Titles.In(v.Language), hit.Label)
	case search.KindMeasure:
		m, _ := hit.Cube.Model.Measure(hit.Measure)
		return prose.MeasureTitle(m, v.Language)
	}
	return prose.ShownLabel(hit.Cube, hit.Label)
}

// cutToMember gives the cut that admits the member of a hit, and the level below it or "".
func cutToMember(hit search.Hit) (cut, below string) {
	bound, err := plan.Bind(hit.Cube, query.Query{Drilldown: []query.Ref{{Name: hit.Level.Ref}}})
	if err != nil {
		panic(err) // the level is one of the cube
	}
	return bound.CutOf(hit.Path), bound.Below(len(hit.Path))
}

// searchingIn leads to what a text finds in a cube, or in all.
func (v *visit) searchingIn(cube, text string) string {
	link := v.searching(text)
	if cube != "" {
		link += "&cube=" + url.QueryEscape(cube)
	}
	return link
}

// searching leads to what a text finds.
func (v *visit) searching(text string) string {
	return site.Address{Root: v.Root, Lang: v.Given["lang"]}.Plus("q", text)
}

// visit is a request for what a search finds in an index.
type visit struct {
	*site.Visit
	index *search.Index
}
