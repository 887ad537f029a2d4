package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// journalist uses a browser in a way: by mouse, by keyboard alone, or without scripts.
type journalist struct {
	*chromium
	way string
}

// errand is what a journalist looks for: words that find a part of a budget.
type errand struct{ words, cube string }

// TestExplorer_Journalist searches a part of each budget, goes down, looks at another measure and year, opens a number, and goes back to
// the start. What is downloaded is what is on the screen, and the permanent link shows it to others.
func TestExplorer_Journalist(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	seeded.onDuckDB(t).serveJournalists(t, []errand{
		{"mexico salud", "example-mexico"}, {"croatia ministarstvo", "example-croatia"}, {"uruguay ministerio", "example-uruguay"},
		{"ciudad de mexico salud", "example-ciudad-de-mexico"}, {"costa rica ministerio", "example-costa-rica-egresos"},
		{"ingresos tributarios", "example-costa-rica-ingresos"}, {"ingresos corrientes", "example-dominicana"}, {"poder ejecutivo", "example-paraguay"},
	})
}

// So it is with budgets as they were published, which have many more members.
func TestExplorer_JournalistOnRealData(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	realCubes.onDuckDB(t).serveJournalists(t, []errand{
		{"ministarstvo zdravstva", "croatia-budget-spending"}, {"educacion publica", "presupuesto-uy-desde-2011"}, {"salud", "mexico"},
	})
}

// serveJournalists lets journalists run errands in each way.
func (s *service) serveJournalists(t *testing.T, errands []errand) {
	t.Helper()
	s.settles(t)
	for _, way := range []string{"mouse", "keyboard", "without scripts"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			j := &journalist{startChromium(t), way}
			j.screen(t, 1600, false)
			if way == "without scripts" {
				j.call(t, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
			}
			for _, e := range errands {
				j.findsANumber(t, s, e)
			}
			j.staysWithin(t, s.url)
		})
	}
}

func (j *journalist) findsANumber(t *testing.T, server *service, e errand) {
	t.Helper()
	words := e.words
	j.goTo(t, server.url+"/?lang=en")
	steps := 0
	follow := func(selector string) {
		t.Helper()
		j.follow(t, selector)
		steps++
	}
	j.use(t, "#q")
	j.call(t, "Input.insertText", map[string]any{"text": words}, nil)
	j.leaves(t, "the search", func() { j.press(t, "Enter", 13, "\r") })
	steps++
	follow(`.hits a[href*="explore/` + e.cube + `?drilldown="]`)
	for range 2 {
		follow(".bars .name a")
	}
	follow(".measures a:not([aria-current])")
	follow(".years a[data-key=ArrowLeft], .years:not(:has([data-key=ArrowLeft])) a:not([aria-current])")
	var screen struct {
		Address, Page, CSV, Permanent, Picture string
		Rows                                   []string
	}
	j.run(t, `({
		address: location.href,
		page: document.documentElement.outerHTML,
		csv: document.querySelector('main a[href$="format=csv"]').href,
		picture: document.querySelector(".bars .amount a").title.replaceAll(",", ""),
		permanent: document.querySelector('main a[href*="version="]').href,
		rows: Array.from(document.querySelectorAll("table.cells:has(tfoot) tbody tr"), (row) => row.querySelector("td.number").textContent.replaceAll(",", "")),
	})`, &screen)
	isDownloaded(t, screen.Address, screen.Page, screen.CSV)
	if screen.Picture != screen.Rows[0] {
		t.Errorf("%s: the picture has %s where the table has %s", words, screen.Picture, screen.Rows[0])
	}
	follow(".bars .amount a")
	var number string
	j.run(t, `(document.querySelector("dialog[open]") || document).querySelector(".exactly b").textContent`, &number)
	if strings.ReplaceAll(number, ",", "") != screen.Rows[0] {
		t.Errorf("%s: the page of %s shows %q", words, screen.Rows[0], number)
	}
	var home []string
	j.run(t, `[document.querySelector(".brand").href, document.querySelector("form.search").action]`, &home)
	if want := server.url + "/?lang=en"; !slices.Equal(home, []string{want, want}) {
		t.Errorf("%s: the name and the search above the number lead to %s", words, home)
	}
	for range steps {
		j.leaves(t, "Back", func() { j.back(t) })
	}
	var address string
	if j.run(t, "location.href", &address); address != server.url+"/?lang=en" {
		t.Errorf("%s: Back leads to %s", words, address)
	}
	j.afresh(t, func() {
		j.goTo(t, screen.Permanent)
		var rows []string
		j.run(t, `Array.from(document.querySelectorAll("table.cells:has(tfoot) tbody tr"), (row) => row.querySelector("td.number").textContent.replaceAll(",", ""))`, &rows)
		if !slices.Equal(rows, screen.Rows) {
			t.Errorf("%s: %s shows %v, want %v", words, screen.Permanent, rows, screen.Rows)
		}
	})
}

// use puts the focus on an element: with Tab, or by a click, which follows a link too.
func (j *journalist) use(t *testing.T, selector string) {
	t.Helper()
	name := string(sure(json.Marshal(selector)))
	if j.way == "keyboard" {
		for range 300 {
			j.press(t, "Tab", 9, "")
			var there bool
			if j.run(t, "document.activeElement === document.querySelector("+name+")", &there); there {
				return
			}
		}
		t.Fatalf("Tab never comes to %s", selector)
	}
	var at *struct{ X, Y float64 }
	j.run(t, `((e) => {
		if (!e) return null;
		e.scrollIntoView({ block: "center", behavior: "instant" });
		const { x, y, width, height } = e.getClientRects()[0];
		return { x: x + width / 2, y: y + height / 2 };
	})(document.querySelector(`+name+`))`, &at)
	if at == nil {
		t.Fatalf("there is no %s", selector)
	}
	for _, event := range []string{"mousePressed", "mouseReleased"} {
		j.call(t, "Input.dispatchMouseEvent", map[string]any{"type": event, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}, nil)
	}
}

// follow follows a link to another page.
func (j *journalist) follow(t *testing.T, selector string) {
	t.Helper()
	j.leaves(t, selector, func() {
		j.use(t, selector)
		if j.way == "keyboard" {
			j.press(t, "Enter", 13, "\r")
		}
	})
}

// leaves does what leads to another address, and waits until its page is there, with its heading.
func (j *journalist) leaves(t *testing.T, what string, do func()) {
	t.Helper()
	const page = `[location.href, document.readyState, document.querySelector("h1") ? document.title + ": " + document.querySelector("h1").textContent : ""].join("\n")`
	var before, after string
	j.run(t, page, &before)
	do()
	address, _, _ := strings.Cut(before, "\n")
	_, title, _ := strings.Cut(before, "\ncomplete\n")
	eventually(t, what+" leaves "+address, patience, func() bool {
		if j.evaluate(t, page, &after) != nil {
			return false
		}
		there, _, _ := strings.Cut(after, "\n")
		_, now, complete := strings.Cut(after, "\ncomplete\n")
		return there != address && complete && now != "" && now != title
	})
}

// press presses a key.
func (j *journalist) press(t *testing.T, key string, code int, text string) {
	t.Helper()
	for _, event := range []string{"keyDown", "keyUp"} {
		p := map[string]any{"type": event, "key": key, "code": key, "windowsVirtualKeyCode": code}
		if event == "keyDown" && text != "" {
			p["text"] = text
		}
		j.call(t, "Input.dispatchKeyEvent", p, nil)
	}
}

// back goes back in the history of the browser, as its button does.
func (j *journalist) back(t *testing.T) {
	t.Helper()
	var history struct {
		CurrentIndex int
		Entries      []struct{ ID int }
	}
	j.call(t, "Page.getNavigationHistory", nil, &history)
	j.call(t, "Page.navigateToHistoryEntry", map[string]any{"entryId": history.Entries[history.CurrentIndex-1].ID}, nil)
}
