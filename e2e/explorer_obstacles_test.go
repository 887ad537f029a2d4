package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// explorerPages are pages of each kind.
var explorerPages = []string{
	"/", "/?q=salud", "/?q=salud+2011", "/?q=no+such+thing", "/explore/example-mexico", "/explore/example-costa-rica-egresos", "/explore/example-mexico/report", "/explore/example-dominicana/report",
	"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017",
	"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=treemap", "/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=bars",
	"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=line", "/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=change",
	"/explore/example-croatia?drilldown=admin1_code|func1_code&cut=Year:2017&_view=sankey", "/explore/example-croatia/number?cut=Year:2017",
	"/explore/example-croatia?drilldown=econ1_code&cut=Year:2018|admin1_code:010&_with=admin1_code:020&_beside=admin1_code",
	"/explore/example-croatia?cut=Year:1900", "/explore/nowhere",
}

// Readers who see little or nothing, or use no mouse, meet no obstacle on the pages, on narrow and wide screens, light and dark.
func TestExplorer_HasNoObstacles(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	axe := sure(os.ReadFile(filepath.Join(withModules(t), "node_modules/axe-core/axe.min.js")))
	server := seeded.onDuckDB(t)
	server.settles(t)
	b := startChromium(t)
	pages := append([]string{server.linesPage(t)}, explorerPages...)
	for _, width := range []int{320, 1600} {
		for _, dark := range []bool{false, true} {
			b.screen(t, width, dark)
			for _, page := range pages {
				for _, lang := range []string{"en", "es", "hr"} {
					if lang != "en" && page != explorerPages[5] { // a view with all that may be on it is enough
						continue
					}
					b.goTo(t, server.url+withLanguage(page, lang))
					b.run(t, string(axe)+";0", nil)
					var found struct {
						Address    string
						Dark       bool
						Wide       int
						Passes     int
						Violations []string
					}
					b.run(t, lookForObstacles, &found)
					if rules := map[bool]int{false: 15, true: 1}[dark]; found.Dark != dark || found.Passes < rules || !strings.HasSuffix(found.Address, withLanguage(page, lang)) {
						t.Errorf("%s: at %s dark is %v, %d rules are kept", page, found.Address, found.Dark, found.Passes)
					}
					if found.Wide > width {
						t.Errorf("%s in %s: %d px wide on a screen of %d", page, lang, found.Wide, width)
					}
					if len(found.Violations) > 0 {
						t.Errorf("%s in %s, %d px, dark: %v:\n%s", page, lang, width, dark, strings.Join(found.Violations, "\n"))
					}
				}
			}
		}
	}
}

// lookForObstacles opens what is folded and runs axe, with targets of 24 px too.
const lookForObstacles = `(async () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches; // which differs in its colours alone
  const { violations, passes } = await axe.run(dark ? { runOnly: ["color-contrast"] } : { rules: { "target-size": { enabled: true } } });
  return {
    address: location.href,
    dark,
    wide: document.documentElement.scrollWidth,
    passes: passes.length,
    violations: violations.map(({ id, nodes }) => id + " " + nodes.length + ": " +
      nodes.slice(0, 3).map((n) => n.target.join() + ": " + [...n.any, ...n.all, ...n.none].map((c) => c.message).join("; ")).join("\n  ")),
  };
})()`

// On a phone the first amount of each row is whole without moving the table sideways, and no short cell is broken in two.
func TestExplorer_AmountsAreWholeOnPhones(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	b := startChromium(t)
	b.screen(t, 320, false)
	for _, page := range []string{
		"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017", "/explore/example-costa-rica-ingresos?drilldown=titulo_codigo&cut=ejercicio:2019",
		"/explore/example-croatia/number?cut=Year:2017", server.linesPage(t),
	} {
		b.goTo(t, server.url+page)
		var found struct{ Rows, Cut, Broken int }
		b.run(t, `(() => {
  const rows = Array.from(document.querySelectorAll(".scroll tbody tr"));
  const right = document.querySelector(".scroll").getBoundingClientRect().right;
  return {
    rows: rows.length,
    cut: rows.filter((row) => row.querySelector("td.number")?.getBoundingClientRect().right > right + 1).length,
    broken: Array.from(document.querySelectorAll(".lines td, .lines tbody th")).filter((cell) => /^\S{1,8}$/.test(cell.textContent) &&
      Array.from(cell.childNodes).some((text) => { const range = document.createRange(); range.selectNode(text); return range.getClientRects().length > 1; })).length,
  };
})()`, &found)
		if found.Rows == 0 || found.Cut > 0 || found.Broken > 0 {
			t.Errorf("%s: of %d rows %d have an amount that is cut off; %d short cells are broken", page, found.Rows, found.Cut, found.Broken)
		}
	}
}

// linesPage is a page of lines of a published file.
func (s *service) linesPage(t *testing.T) string {
	t.Helper()
	_, links := readPage(t, s.url+"/explore/example-croatia/number?cut=Year:2017")
	for _, link := range links {
		if strings.Contains(link, "/lines/") {
			return strings.TrimPrefix(link, s.url)
		}
	}
	t.Fatal("the number has no lines")
	return ""
}

// withLanguage asks for a page in a language.
func withLanguage(page, lang string) string {
	if strings.Contains(page, "?") {
		return page + "&lang=" + lang
	}
	return page + "?lang=" + lang
}
