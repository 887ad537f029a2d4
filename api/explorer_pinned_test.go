package api_test

import (
	"context"
	"html"
	"iter"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
)

// A pinned page says how the served version answers, and leads to it.
func TestExplorer_PinnedPageSaysWhatChanged(t *testing.T) {
	store := drawn(t, someBudget...)
	old, now := *store.cubes[0], store.run
	described := *old.Package
	old.ID, old.Version, old.Served, old.Package = 9, 1, false, &described
	old.Model = newModel(t, append(slices.Clone(old.Model.Columns()), cube.Column{Name: "gone", Type: cube.TypeText}),
		append(slices.Clone(old.Model.Dimensions()), cube.Dimension{Name: "gone", Levels: []cube.Level{{Ref: "gone"}}}), old.Model.Measures())
	store.cubes = append(store.cubes, &old)
	before := runOver(cubetest.NewStore(old.Model, "2016 1 x 1 x u 1 1 90 10 g", "2016 2 x 1 x u 1 2 260.5 20 g", "2016 3 x 1 x u 2 1 30 5 g", "2017 1 x 1 x u 1 1 400 1 g"))
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		if s.Cube().Version == 1 {
			return before(ctx, s)
		}
		return now(ctx, s)
	}
	h := handler(t, store)
	const served = "Version 3, which is served now,"
	for address, want := range map[string]string{
		"?drilldown=admin1_code&cut=Year:2016&version=1":               served + " has the same total; 2 rows differ.",
		"?drilldown=admin1_code&cut=Year:2016|admin1_code:1&version=1": served + " has 10 HRK more, exactly 10.00 (+11.1%); 1 row differs.",
		"?drilldown=admin1_code&cut=Year:2016|admin1_code:3&version=1": served + " answers the same.",
		"?cut=Year:2017|admin1_code:1&version=1":                       served + " has 270 HRK less, exactly 270.00 (-67.5%).",
		"?cut=Year:2017|admin1_code:5&version=1":                       served + " has 1 quintillion HRK here, exactly 1,000,000,000,000,000,000.01.",
		"?cut=gone:g&version=1":                                        served + " cannot answer this.",
		"/number?cut=Year:2017|admin1_code:1&version=1":                served + " has 270 HRK less, exactly 270.00 (-67.5%).",
		"?cut=Year:2016|admin1_code:1&_with=admin1_code:3&version=1":   `<p class="soft">` + served + " answers the same.",
		"?cut=Year:2016|admin1_code:1&version=1&lang=hr":               "Verzija 3, koja se sada poslužuje, ima 10 HRK više, točno 10,00 (+11,1\u00a0%).",
	} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia"+address).body)
		_, pinned, _ := strings.Cut(page, `<p class="pinned">`)
		pinned, _, _ = strings.Cut(pinned, "</p>")
		if !strings.Contains(page, want) || !strings.Contains(pinned, `<a href="../`) || strings.Contains(pinned, "version=") {
			t.Errorf("%s: %s", address, page)
		}
	}
	if page := ask(t, h, "/explore/croatia?cut=Year:2016&version=3").body; strings.Contains(page, "pinned") {
		t.Errorf("the served version: %s", page)
	}
}
