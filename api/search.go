package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
	"fiscube/search"
)

// searchParameters are those of /search.
var searchParameters = []parameter{
	{name: "q", twice: cube.CodeBadValue},
	{"cube", "|", cube.CodeBadValue},
	{name: "page", twice: cube.CodeBadPage},
	{name: "pagesize", twice: cube.CodeBadPage},
}

// The bounds of a page of hits.
const (
	defaultHits = 20
	mostHits    = 100
)

// searched is what is looked for, and where.
type searched struct {
	search.Query
	cubes []*cube.Cube
	page  cube.Page
}

// search finds members of all cubes, and the cubes, dimensions, levels and measures themselves. All of it is in memory:
// it asks nothing of the store, and waits for no turn there.
func (a *api) search(c echo.Context) error {
	t := timingOf(c)
	asked, err := a.readSearch(c)
	if err != nil {
		return err
	}
	t.done(stageParse)
	answer, err := a.Search.Find(c.Request().Context(), asked.Query, asked.cubes, asked.page)
	if err != nil {
		return err
	}
	t.done(stagePlan)
	hits := []hitJSON{}
	for _, hit := range answer.Hits {
		one, err := newHit(hit, upwards(c))
		if err != nil {
			return err
		}
		hits = append(hits, one)
	}
	linkPages(c.Response().Header(), c.Request().URL, 0, asked.page, within(asked.page, answer.Total))
	return sendJSON(c, http.StatusOK, searchJSON{
		"ok", answer.Total, len(answer.Pending) > 0 || len(answer.Partial) > 0, hits,
		asked.page.Number, asked.page.Size, searchWarnings(answer),
	})
}

// readSearch reads the URL.
func (a *api) readSearch(c echo.Context) (searched, error) {
	given, err := readParameters(c.Request().URL.RawQuery, searchParameters)
	if err != nil {
		return searched{}, err
	}
	query, badQuery := search.Parse(given["q"])
	page, badPage := readHits(given)
	if err := cmp.Or(badQuery, badPage); err != nil {
		return searched{}, err
	}
	cubes, err := a.searchedCubes(c.Request().Context(), given)
	return searched{query, cubes, page}, err
}

// readHits reads which hits are asked for.
func readHits(given map[string]string) (cube.Page, error) {
	_, sized := given["pagesize"]
	if !sized {
		given["pagesize"] = strconv.Itoa(defaultHits)
	}
	if size, err := strconv.Atoi(given["pagesize"]); err == nil && size > mostHits {
		return cube.Page{}, mistake(cube.CodeBadPage, "pagesize", fmt.Sprintf("a page has at most %d hits", mostHits),
			"write pagesize="+strconv.Itoa(mostHits))
	}
	page, err := cube.ParsePage(given["page"], given["pagesize"])
	switch {
	case err != nil:
		return page, err
	case page.Number*page.Size > search.MostHits:
		return page, mistake(cube.CodeBadPage, "page", fmt.Sprintf("pages end at %d hits", search.MostHits), "look for more words")
	}
	return page, nil
}

// within counts the hits that are on some page: no page reaches beyond the end.
func within(page cube.Page, total int) int64 {
	if page.Size <= 0 {
		return 0
	}
	return int64(min(total, search.MostHits/page.Size*page.Size))
}

// searchedCubes gives the cubes named, each once, or all that are served.
func (a *api) searchedCubes(ctx context.Context, given map[string]string) ([]*cube.Cube, error) {
	catalog, err := a.engine.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	text, named := given["cube"]
	if !named {
		return catalog.Served(), nil
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(text, "|") {
		one, err := catalog.Cube(name)
		if err != nil {
			return nil, placed(err, "cube")
		}
		names[one.Name] = true
	}
	var cubes []*cube.Cube
	for _, one := range catalog.Served() {
		if names[one.Name] {
			cubes = append(cubes, one)
		}
	}
	return cubes, nil
}

// placed makes the error about a name in the path one about a parameter.
func placed(err error, parameter string) error {
	known := explain(err)
	return mistake(cube.CodeBadValue, parameter, known.Message, cmp.Or(known.Hint, "/cubes lists them"))
}

// searchWarnings says what is not found, though it may be there.
func searchWarnings(answer search.Answer) []warning {
	list := []warning{}
	for _, one := range answer.Pending {
		list = append(list, warning{Code: "search-pending", Message: one.Name + " is still being read for the search: ask again in a moment"})
	}
	for _, p := range answer.Partial {
		list = append(list, warning{Code: "search-partial", Message: fmt.Sprintf(
			"%s has too many members for the search: %d with the fewest rows are not found", p.Cube.Name, p.Count)})
	}
	return list
}
