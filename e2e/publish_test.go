package e2e

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"fiscube/internal/testrequire"
)

// townWorkbook is a budget as a town has it: a title above the table, and amounts of two years in rows.
func townWorkbook(t testing.TB) (path string) {
	t.Helper()
	book := excelize.NewFile()
	for i, row := range [][]any{
		{"Budget of the town"},
		{"year", "office", "office_name", "programme", "programme_name", "amount"},
		{2023, "01", "Mayor", "0101", "Town hall", 1200000.5},
		{2023, "02", "Schools", "0201", "Primary schools", 9500000},
		{2023, "02", "Schools", "0202", "School meals", 850000},
		{2024, "01", "Mayor", "0101", "Town hall", 1260000.25},
		{2024, "02", "Schools", "0201", "Primary schools", 9900000},
		{2024, "02", "Schools", "0202", "School meals", 910000},
	} {
		check(book.SetSheetRow("Sheet1", sure(excelize.CoordinatesToCellName(1, i+1)), &row))
	}
	path = filepath.Join(t.TempDir(), "my-town.xlsx")
	check(book.SaveAs(path))
	return path
}

// publisher uses the pages of publishers in a browser.
type publisher struct {
	*journalist
	server *service
}

// becomes waits for what an expression says of the page that follows.
func (p *publisher) becomes(t *testing.T, expression string) {
	t.Helper()
	eventually(t, expression, patience, func() (so bool) {
		return p.evaluate(t, "document.readyState === 'complete' && !!("+expression+")", &so) == nil && so
	})
}

// types writes a text into a field in place of what is there.
func (p *publisher) types(t *testing.T, id, text string) {
	t.Helper()
	p.use(t, `[id="`+id+`"]`)
	p.run(t, "document.activeElement.select()", nil)
	p.call(t, "Input.insertText", map[string]any{"text": text}, nil)
}

// chooses takes the next choice of a field, as the arrow key does.
func (p *publisher) chooses(t *testing.T, id, value string) {
	t.Helper()
	p.use(t, `[id="`+id+`"]`)
	if p.way != "keyboard" {
		p.press(t, "Escape", 27, "") // the list that the click opened
	}
	for range 10 {
		var now string
		if p.run(t, "document.activeElement.value", &now); now == value {
			return
		}
		p.press(t, "ArrowDown", 40, "")
	}
	t.Fatalf("%s never is %s", id, value)
}

// presses activates a button.
func (p *publisher) presses(t *testing.T, selector string) {
	t.Helper()
	p.use(t, selector)
	if p.way == "keyboard" {
		p.press(t, "Enter", 13, "\r")
	}
}

// sends chooses a file and sends it.
func (p *publisher) sends(t *testing.T, path string) {
	t.Helper()
	var document struct{ Root struct{ NodeID int } }
	p.call(t, "DOM.getDocument", nil, &document)
	var input struct{ NodeID int }
	p.call(t, "DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": "#files"}, &input)
	p.call(t, "DOM.setFileInputFiles", map[string]any{"nodeId": input.NodeID, "files": []string{path}}, nil)
	p.presses(t, `form[enctype="multipart/form-data"] button`)
}

// field is the name of a field about something.
func field(kind, about string) string {
	return kind + "." + base64.RawURLEncoding.EncodeToString([]byte(about))
}

// entersWithAFile shows the token and sends a file.
func (p *publisher) entersWithAFile(t *testing.T, path string) {
	t.Helper()
	p.goTo(t, p.server.url+"/publish?lang=en")
	p.types(t, "token", "not the token at all")
	p.press(t, "Enter", 13, "\r")
	p.becomes(t, `document.getElementById("wrong")`)
	p.types(t, "token", secret)
	p.press(t, "Enter", 13, "\r")
	p.becomes(t, `document.getElementById("files")`)
	p.sends(t, path)
	p.becomes(t, `document.querySelector('button[value="publish"]')`)
}

// A publisher makes a cube of a workbook with the pages alone, and sees that its totals are the printed ones.
func TestPublish_FromAWorkbookToACube(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"keyboard", "without scripts"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			server := serveWithToken(t, freshDuckDB(t))
			p := &publisher{&journalist{startChromium(t), way}, server}
			p.screen(t, 1200, false)
			if way == "without scripts" {
				p.call(t, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
			}
			p.entersWithAFile(t, townWorkbook(t))
			p.types(t, field("answer", "title"), "Budget of my town")
			p.types(t, field("answer", "currency"), "EUR")
			p.chooses(t, field("answer", "direction"), "expenditure")
			p.presses(t, `details:has([id="`+field("parent", "programme")+`"]) > summary`)
			p.chooses(t, field("parent", "programme"), "office")
			p.types(t, field("printed", "2023\namount"), "11,550,000.50")
			p.types(t, field("printed", "2024\namount"), "12,070,000")
			p.press(t, "Enter", 13, "\r")
			p.becomes(t, `document.querySelector(".good") && document.querySelector("h1").textContent === "Budget of my town"`)
			var below string
			if p.run(t, `document.querySelector(".levels ul strong").textContent`, &below); below != "programme" {
				t.Errorf("below another level is %s", below)
			}
			var verdicts []string
			p.run(t, `Array.from(document.querySelectorAll(".good, .bad"), (e) => e.textContent)`, &verdicts)
			if got := strings.Join(verdicts, "; "); got != "✓ agrees; ✗ differs by −0.25" {
				t.Errorf("the totals say %s", got)
			}
			p.presses(t, `button[value="publish"]`)
			p.becomes(t, `document.querySelector('.load a[href*="explore/my-town"]')`)
			sum := server.ask(t, "my-town", "cut=year:2024&numbers=string").Summary["amount.sum"]
			if text, _ := sum.(string); text != "12070000.25" {
				t.Errorf("the cube has %v", sum)
			}
			p.presses(t, `.load a[href*="explore/my-town"]`)
			p.becomes(t, `location.pathname.endsWith("/explore/my-town") && document.querySelector("h1")`)
			p.staysWithinButFor(t, server.url, "401")
		})
	}
}

// A file as a city publishes it becomes a cube, and by clicks alone a number with its citation.
func TestPublish_AFileAsItIsPublished(t *testing.T) {
	t.Parallel()
	path := sure(filepath.Abs(filepath.Join(filepath.Dir(realData), "wild", "boston-operating.csv")))
	if _, err := os.Stat(path); err != nil {
		testrequire.Skip(t, "data", "there are no published files")
	}
	axe := string(sure(os.ReadFile(filepath.Join(withModules(t), "node_modules/axe-core/axe.min.js"))))
	p := &publisher{&journalist{startChromium(t), "mouse"}, serveWithToken(t, freshDuckDB(t))}
	p.screen(t, 390, false)
	p.entersWithAFile(t, path)
	p.types(t, field("answer", "currency"), "USD")
	p.chooses(t, field("answer", "unit:amount_approved"), "1000")
	p.types(t, field("printed", "2025\namount_approved"), "4,636,924,670.23")
	p.presses(t, `button[value="save"]`)
	p.becomes(t, `document.querySelector(".good")`)
	var draft string
	p.run(t, "location.origin + location.pathname", &draft)
	p.hasNoObstacles(t, withLanguage(draft, "es"), axe, 390, false)
	var english []string
	p.run(t, `Array.from(document.querySelectorAll("form.publish details p, form.publish label"), (e) => e.textContent).filter((text) => /cells|rows|amounts/.test(text))`, &english)
	if len(english) > 0 {
		t.Errorf("the page in Spanish says %q", english)
	}
	p.presses(t, `button[value="publish"]`)
	p.becomes(t, `document.querySelector('.load a[href*="explore/"]')`)
	p.presses(t, `.load a[href*="explore/"]`)
	p.becomes(t, `location.pathname.endsWith("/explore/boston-operating") && document.querySelector(".bars")`)
	p.follow(t, ".bars .name a")
	p.follow(t, ".bars .amount a")
	var cited string
	p.run(t, `document.body.textContent`, &cited)
	says(t, cited, "Citar esta cifra", "1.526.629.446,00 × 1000 USD – Cabinet: Education Cabinet", "boston-operating.csv:")
}

// staysWithinButFor is staysWithin where the console says that a page was refused with a status, as that which asks for the token is.
func (p *publisher) staysWithinButFor(t *testing.T, host, status string) {
	t.Helper()
	p.mu.Lock()
	var others []string
	for _, text := range p.said {
		if !strings.Contains(text, status) {
			others = append(others, text)
		}
	}
	p.said = others
	p.mu.Unlock()
	p.staysWithin(t, host)
}

// Publishers meet no obstacle, whatever is in the way of what they do.
func TestPublish_HasNoObstacles(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	axe := string(sure(os.ReadFile(filepath.Join(withModules(t), "node_modules/axe-core/axe.min.js"))))
	server := serveWithToken(t, freshDuckDB(t))
	p := &publisher{&journalist{startChromium(t), "mouse"}, server}
	p.screen(t, 320, false)
	p.hasNoObstacles(t, server.url+"/publish?lang=en", axe, 320, false)
	p.entersWithAFile(t, townWorkbook(t))
	var draft string
	p.run(t, "location.origin + location.pathname", &draft)
	p.types(t, field("printed", "2023\namount"), "11,550,000.50")
	p.types(t, field("printed", "2024\namount"), "as before")
	p.types(t, "country", "Uruguay")
	p.chooses(t, field("reading", "office_name"), "amount")
	p.presses(t, `button[value="save"]`)
	p.becomes(t, `document.querySelectorAll("#problems li").length >= 2`)
	for _, dark := range []bool{false, true} {
		for _, width := range []int{320, 1200} {
			p.screen(t, width, dark)
			for _, page := range []string{server.url + "/publish", draft} {
				for _, lang := range []string{"en", "es", "hr"} {
					p.hasNoObstacles(t, withLanguage(page, lang), axe, width, dark)
				}
			}
		}
	}
}

// Nobody comes in without the token, and no other site sends forms in the name of who has come in.
func TestPublish_IsBehindTheToken(t *testing.T) {
	t.Parallel()
	server := serveWithToken(t, freshDuckDB(t))
	for _, tt := range []struct {
		method, path string
		headers      []string
		status       int
	}{
		{"GET", "/publish", nil, http.StatusUnauthorized},
		{"GET", "/publish", []string{"Accept", "text/html"}, http.StatusUnauthorized},
		{"GET", "/publish", []string{"Authorization", "Bearer " + secret}, http.StatusOK},
		{"POST", "/publish", nil, http.StatusUnauthorized},
		{"POST", "/publish/AAAAAAAAAAAAAAAAAAAAAAAAAA", nil, http.StatusUnauthorized},
		{"POST", "/publish", []string{"Authorization", "Bearer " + secret, "Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"POST", "/publish/session", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
	} {
		request := sure(http.NewRequest(tt.method, server.url+tt.path, nil))
		for i := 0; i < len(tt.headers); i += 2 {
			request.Header.Set(tt.headers[i], tt.headers[i+1])
		}
		response := sure(http.DefaultClient.Do(request))
		check(response.Body.Close())
		if response.StatusCode != tt.status || response.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s %v: %d", tt.method, tt.path, tt.headers, response.StatusCode)
		}
	}
	if status, _ := serve(t, freshDuckDB(t)).get(t, "/publish"); status != http.StatusNotFound {
		t.Errorf("without a token: %d", status)
	}
}
