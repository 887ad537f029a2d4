package explorer

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"fiscube/api/explorer/reference"
	"fiscube/api/explorer/selection"
	"fiscube/cube"
	"fiscube/cube/prose"
)

// citation names a number, in a sentence and in lists of references.
type citation struct {
	Text        string
	Link        string // to the page of the number, for ever
	BibTeX, CSL string
}

// citationOf is how the number is cited. It was published when the package last was, as it says, else when it was loaded, which is when it was accessed.
func (v *visit) citationOf(w *numberAsked) *citation {
	permanent := w.Address
	permanent.Root, permanent.Version = v.Base+"/", strconv.Itoa(w.Cube.Version)
	link, budget := permanent.String(), v.TitleOfCube(w.Cube)
	work := reference.Work{
		Key: referenceKey(w.Selection), Author: cmp.Or(w.Cube.Publisher, budget), Title: w.Unit() + " – " + selection.TitleOf(w.Filters, budget), Budget: budget, Version: w.Cube.Version,
		Published: publishedOn(w.Cube), Accessed: w.Cube.LoadedAt, Link: link, Note: w.citation.Text,
	}
	return &citation{Text: cmp.Or(w.citation.Said, w.citation.Text) + ". " + link, Link: link, BibTeX: work.BibTeX(), CSL: work.CSL()}
}

// referenceKey names the number in a list of references: by the budget, the measure, the times, the codes of the members, and the
// version.
func referenceKey(s *selection.Selection) string {
	var times, members []string
	for _, f := range s.Plan.FiltersAsked() {
		var codes []string
		for i := range f.Echo {
			codes = append(codes, prose.Codes(f, i, cube.English)...)
		}
		if f.Not {
			codes = append([]string{"not"}, codes...)
		}
		if level, _ := f.Level(s.Cube.Model); selection.IsOfTime(s.Cube.Model, level) {
			times = append(times, codes...)
		} else {
			members = append(members, codes...)
		}
	}
	return reference.Key(slices.Concat([]string{s.Cube.Name, s.Main().Name}, times, members, []string{"v" + strconv.Itoa(s.Cube.Version)})...)
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
