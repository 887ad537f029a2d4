package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// Dashboards made for OpenSpending work unchanged: these tests run the client that they share as it was published.

func TestDashboards_AskInNode(t *testing.T) {
	testrequire.Long(t)
	t.Parallel()
	folder := withModules(t)
	s := seeded.onDuckDB(t)
	session := exec.CommandContext(t.Context(), "node", "session.js", s.url)
	session.Dir = folder
	said, err := session.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "answers are right") {
		t.Errorf("%v\n%s", err, said)
	}
}

// drawing is what the page says of its own document.
type drawing struct {
	Error   string
	Treemap struct{ Nodes, Shown []string }
	Chart   struct {
		Bars       int
		Categories []string
		Values     []json.Number
	}
	Table  [][]string
	Script int
}

func TestDashboards_DrawInABrowser(t *testing.T) {
	testrequire.Long(t)
	t.Parallel()
	browser := browserOrSkip(t)
	folder := withModules(t)
	s := seeded.onDuckDB(t)
	got := draw(t, browser, folder, s.url+"/api/3", "example-croatia")
	if got.Error != "" {
		t.Fatal(got.Error)
	}
	want := s.drawn(t)
	for i, title := range got.Treemap.Nodes {
		got.Treemap.Nodes[i], _, _ = strings.Cut(title, " (") // the share of all
	}
	slices.Sort(got.Treemap.Nodes)
	for i, n := range got.Chart.Values {
		got.Chart.Values[i] = json.Number(asScriptsWrite(n))
	}
	if len(got.Treemap.Shown) == 0 || !strings.HasSuffix(got.Treemap.Shown[0], " HRK") {
		t.Errorf("the treemap shows the amounts %q", got.Treemap.Shown)
	}
	got.Treemap.Shown = nil // small ones have no room for them
	if !reflect.DeepEqual(got, want) {
		t.Errorf("drawn\n%+v\nwant\n%+v", got, want)
	}
}

// drawn is what has to be drawn, as our own route says.
func (s *service) drawn(t *testing.T) drawing {
	t.Helper()
	cells := s.ask(t, "example-croatia", "drilldown=admin1_code&cut=Year:2017&order=approved_value.sum:desc").Cells
	if len(cells) < 10 {
		t.Fatalf("%d cells are few", len(cells))
	}
	d := drawing{Table: [][]string{{"Ministry or state body", "Approved", "Spent"}}, Script: len(seeds.All())}
	d.Chart.Bars = len(cells)
	for _, cell := range cells {
		label, approved := fmt.Sprint(cell["admin1_label"]), asScriptsWrite(cell["approved_value.sum"])
		d.Treemap.Nodes = append(d.Treemap.Nodes, label+"\n"+inGroups(approved)+" HRK")
		d.Chart.Categories = append(d.Chart.Categories, label)
		d.Chart.Values = append(d.Chart.Values, json.Number(approved))
		d.Table = append(d.Table, []string{label, approved, asScriptsWrite(cell["executed_value.sum"])})
	}
	slices.Sort(d.Treemap.Nodes)
	return d
}

// asScriptsWrite gives a number without the zeros at its end, and nothing for null.
func asScriptsWrite(value any) string {
	number, ok := value.(json.Number)
	switch text := string(number); {
	case !ok:
		return ""
	case strings.Contains(text, "."):
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	default:
		return text
	}
}

// inGroups sets commas between the thousands of a whole number.
func inGroups(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// withModules gives the folder where our pages and scripts are beside the modules that they need, or skips. It has the client of
// OpenSpending dashboards and axe, whose digests are in package-lock.json. There the client has none of its dependencies, of which one
// is a repository that npm would have to reach with a key; package.json lists those that these tests need.
func withModules(t *testing.T) string {
	t.Helper()
	for _, command := range []string{"node", "npm"} {
		if _, err := exec.LookPath(command); err != nil {
			testrequire.Skip(t, "node", "there is no "+command+", which the client of dashboards and axe need")
		}
	}
	folder, err := installedModules()
	if err != nil {
		testrequire.Skip(t, "node", "the client of dashboards and axe cannot be installed: "+err.Error())
	}
	return folder
}

// modulesPatience is for some 10 MB, which come in some seconds. npm gives up before, and says which registry does not answer.
const modulesPatience = 2 * time.Minute

// installedModules installs the modules once for all tests.
var installedModules = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(scratch, "node")
	if err := os.CopyFS(folder, os.DirFS("e2e/testdata/node")); err != nil {
		return "", err
	}
	ctx, end := context.WithTimeout(context.Background(), modulesPatience)
	defer end()
	command := exec.CommandContext(ctx, "npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000")
	command.Dir = folder
	command.WaitDelay = 10 * time.Second
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", command, errors.Join(err, ctx.Err()), said)
	}
	return folder, nil
})

// browserOrSkip gives the command of a browser. Chromium without windows and menus comes first: the pages are the same, and take half the time.
// Its command on PATH is a script, without which the browser would go on.
func browserOrSkip(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	testrequire.Skip(t, "chromium", "there is no Chromium to draw dashboards in")
	return ""
}

// draw opens the page in a browser, and waits for what it says was drawn.
func draw(t *testing.T, browser, folder, endpoint, cube string) drawing {
	t.Helper()
	drawn := make(chan drawing, 1)
	page := httptest.NewServer(dashboardPage(t, folder, drawn))
	t.Cleanup(page.Close)
	open(t, browser, page.URL+"/?"+url.Values{"endpoint": {endpoint}, "cube": {cube}}.Encode())
	select {
	case d := <-drawn:
		return d
	case <-time.After(patience):
		t.Fatalf("the page says nothing within %s", patience)
		return drawing{}
	}
}

// dashboardPage serves the page, the scripts it loads, and takes what it says.
func dashboardPage(t *testing.T, folder string, drawn chan<- drawing) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(folder, "page.html"))
	})
	mux.Handle("GET /modules/", http.StripPrefix("/modules/", http.FileServer(http.Dir(filepath.Join(folder, "node_modules")))))
	mux.HandleFunc("POST /drawn", func(_ http.ResponseWriter, r *http.Request) {
		var d drawing
		if err := json.NewDecoder(r.Body).Decode(&d); err != nil {
			t.Errorf("the page says what is no JSON: %v", err)
		}
		drawn <- d
	})
	return mux
}

// open shows an address in a browser without a screen, which has nothing of any user and ends with the test, or before: end gives
// what it logged.
func open(t *testing.T, browser, address string, flags ...string) (end func() (logged string)) {
	t.Helper()
	profile, err := os.MkdirTemp(scratch, "browser-") // not the test's: the browser may still write as it ends
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var log output
	command := exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir=" + profile, address}, flags...)...)
	command.Env = append(os.Environ(), "HOME="+profile)
	command.Stderr = &log
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceValue(func() string {
		cancel()
		_ = command.Wait()
		return log.String()
	})
	t.Cleanup(func() { end() })
	return end
}

// Charts of dashboards key cells by code: of two cells of a code they draw one. These tests draw every level so, and compare the
// money with what the published files add up to by that column alone.

// paraguay serves a package whose codes are in joined cells.
var paraguay = &shared{load: func(t testing.TB) []string { return []string{realPackage(t, "D1-paraguay")} }}

// The ordinary run draws two of the seeds on each store.
func TestDashboards_DrawTheMoneyOfTheFiles(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		for i, name := range []string{"example-croatia", "example-mexico", "example-paraguay", "example-uruguay"} {
			if !testrequire.IsLong() && (i%2 == 0) != (s == seeded.onDuckDB(t)) {
				continue
			}
			files, _ := seeds.Open(name)
			s.drawsAll(t, name, files)
		}
	})
}

// Of the two large packages the ordinary run draws one on each store.
func TestDashboards_DrawTheMoneyOfTheRealFiles(t *testing.T) {
	t.Parallel()
	paraguay.onEveryStore(t, func(t *testing.T, s *service) { s.drawsFolder(t, "D1-paraguay") })
	realCubes.onEveryStore(t, func(t *testing.T, s *service) {
		s.drawsFolder(t, "D6-uruguay")
		if longRun || s == realCubes.onDuckDB(t) {
			s.drawsFolder(t, "D2-croatia")
		}
	})
	joinedMexico.onEveryStore(t, func(t *testing.T, s *service) {
		if longRun || s != joinedMexico.onDuckDB(t) {
			s.drawsAll(t, "mexico", os.DirFS(joinedFolder(t)))
		}
	})
}

func (s *service) drawsFolder(t *testing.T, folder string) {
	t.Helper()
	files := os.DirFS(realPackage(t, folder))
	s.drawsAll(t, describe(t, files).Name, files)
}

// viewed is what a dashboard reads of a model.
type viewed struct {
	Model struct {
		Dimensions map[string]struct {
			KeyRef     string `json:"key_ref"`
			LabelRef   string `json:"label_ref"`
			Key        string `json:"key_attribute"`
			Hierarchy  string
			Attributes map[string]struct{ Column, Type string }
		}
		Measures map[string]struct{ Column string }
	}
}

// drawsAll draws all levels of a cube, as charts ask for them: by code, by code and name, and as a whole.
func (s *service) drawsAll(t *testing.T, cube string, files fs.FS) {
	t.Helper()
	var v viewed
	s.read(t, "/api/3/cubes/"+cube+"/model/", &v)
	published := describe(t, files).fields()
	var ids, columns []string
	for id, m := range v.Model.Measures {
		if slices.Contains(published, m.Column) { // others are made of several
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		columns = append(columns, v.Model.Measures[id].Column)
	}
	names, refs, wanted := []string{}, map[string]string{}, map[string]map[string]*group{}
	for name, d := range v.Model.Dimensions {
		if column := d.Attributes[d.Key].Column; slices.Contains(published, column) {
			names, refs[name], wanted[name] = append(names, name), column, map[string]*group{}
		}
	}
	slices.Sort(names)
	var whole group
	eachRow(t, files, func(_ string, _ int, cell func(string) string) {
		amounts := make([]decimal.NullDecimal, len(columns))
		for i, column := range columns {
			amounts[i] = amountOf(t, strings.TrimSpace(cell(column)))
		}
		whole.add(amounts)
		for _, name := range names {
			d := v.Model.Dimensions[name]
			code := codeOf(refs[name], cell, d.Attributes[d.Key].Type == "integer")
			if wanted[name][code] == nil {
				wanted[name][code] = &group{}
			}
			wanted[name][code].add(amounts)
		}
	})
	if len(names) < 5 || len(ids) == 0 || whole.rows == 0 {
		t.Fatalf("%s: %d levels, %d measures and %d rows are few", cube, len(names), len(ids), whole.rows)
	}
	for _, name := range names {
		d := v.Model.Dimensions[name]
		for _, drilldown := range []string{d.KeyRef, name} {
			cells := s.dashboardCells(t, cube, drilldown)
			chart := map[string]map[string]any{}
			for _, cell := range cells {
				chart[text(cell[d.KeyRef])] = cell
			}
			if len(chart) != len(wanted[name]) || len(cells) != len(chart) {
				t.Errorf("%s by %s: %d cells of %d codes, want %d", cube, drilldown, len(cells), len(chart), len(wanted[name]))
				continue
			}
			for code, want := range wanted[name] {
				for i, id := range ids {
					if got := chart[code][id+".sum"]; chart[code] == nil || !equal(got, want.amounts[i]) {
						t.Errorf("%s by %s: %s of %q is %v, want %s", cube, drilldown, id, code, got, show(want.amounts[i]))
					}
				}
			}
		}
		s.addsUp(t, cube, name, d.KeyRef+"|"+d.LabelRef, ids, &whole)
		var members struct {
			Total int `json:"total_member_count"`
		}
		if s.read(t, "/api/3/cubes/"+cube+"/members/"+name, &members); members.Total != len(wanted[name]) {
			t.Errorf("%s: %d members of %s, want %d", cube, members.Total, name, len(wanted[name]))
		}
	}
}

// addsUp checks that the cells of a drilldown add up to all the money.
func (s *service) addsUp(t *testing.T, cube, name, drilldown string, ids []string, whole *group) {
	t.Helper()
	cells := s.dashboardCells(t, cube, drilldown)
	for i, id := range ids {
		var sum decimal.NullDecimal
		for _, cell := range cells {
			if amount := cell[id+".sum"]; amount != nil {
				sum = decimal.NewNullDecimal(sum.Decimal.Add(decimal.RequireFromString(fmt.Sprint(amount))))
			}
		}
		if sum.Valid != whole.amounts[i].Valid || !sum.Decimal.Equal(whole.amounts[i].Decimal) {
			t.Errorf("%s by code and name of %s: %s is %s in all, want %s", cube, name, id, show(sum), show(whole.amounts[i]))
		}
	}
}

// dashboardCells reads all pages of a drilldown.
func (s *service) dashboardCells(t *testing.T, cube, drilldown string) (cells []map[string]any) {
	t.Helper()
	for page := 1; ; page++ {
		var answer struct {
			Total int `json:"total_cell_count"`
			Cells []map[string]any
		}
		s.read(t, "/api/3/cubes/"+cube+"/aggregate/?drilldown="+url.QueryEscape(drilldown)+"&pagesize=10000&page="+strconv.Itoa(page), &answer)
		cells = append(cells, answer.Cells...)
		if len(cells) >= answer.Total || len(answer.Cells) == 0 {
			return cells
		}
	}
}

// The models that OpenSpending made of descriptors have a dimension for each key: the slug of the published dimension with the key
// behind it or, where it is the only one, with 2. Dashboards write its attributes after a point.
func TestDashboards_RefsOfOpenSpendingAreAccepted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"example-croatia", "example-mexico", "example-paraguay", "example-uruguay"} {
		files, _ := seeds.Open(name)
		seeded.onDuckDB(t).acceptsGenerated(t, name, files)
	}
}

func TestDashboards_RefsOfOpenSpendingToRealPackagesAreAccepted(t *testing.T) {
	t.Parallel()
	for served, folders := range map[*shared][]string{
		paraguay: {realPackage(t, "D1-paraguay")}, joinedMexico: {joinedFolder(t)},
		realCubes: {realPackage(t, "D2-croatia"), realPackage(t, "D5-costa-rica-ingresos"), realPackage(t, "D6-uruguay"), realPackage(t, "D8-costa-rica-egresos")},
	} {
		for _, folder := range folders {
			files := os.DirFS(folder)
			served.onDuckDB(t).acceptsGenerated(t, describe(t, files).Name, files)
		}
	}
}

// acceptsGenerated asks a cube for every such ref to an attribute that its model has. The columns have to be called so.
func (s *service) acceptsGenerated(t *testing.T, cube string, files fs.FS) {
	t.Helper()
	var v viewed
	s.read(t, "/api/3/cubes/"+cube+"/model/", &v)
	attributes := map[string]bool{}
	for _, d := range v.Model.Dimensions {
		for name := range d.Attributes {
			attributes[name] = true
		}
	}
	asked := 0
	for _, ref := range generatedRefs(t, files) {
		if _, attribute, _ := strings.Cut(ref, "."); !attributes[attribute] {
			continue // an amount, or what no level has
		}
		asked++
		var answer struct{ Cells []map[string]any }
		s.read(t, "/api/3/cubes/"+cube+"/aggregate/?pagesize=1&drilldown="+url.QueryEscape(ref), &answer)
		if len(answer.Cells) != 1 {
			t.Errorf("%s by %s: no cell", cube, ref)
			continue
		}
		if _, called := answer.Cells[0][ref]; !called {
			t.Errorf("%s by %s: the cell is %v", cube, ref, answer.Cells[0])
		}
	}
	if t.Logf("%s: %d refs", cube, asked); asked < 5 {
		t.Errorf("%s: %d refs are few", cube, asked)
	}
}

func generatedRefs(t *testing.T, files fs.FS) (refs []string) {
	t.Helper()
	data, err := fs.ReadFile(files, "datapackage.json")
	if err != nil {
		t.Fatal(err)
	}
	type modelled struct {
		Model struct {
			Dimensions map[string]struct {
				PrimaryKey []string
				Attributes map[string]struct{ Source, LabelFor string }
			}
		}
	}
	var p struct {
		modelled
		Resources []modelled
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	dimensions := p.Model.Dimensions
	if len(dimensions) == 0 && len(p.Resources) > 0 {
		dimensions = p.Resources[0].Model.Dimensions
	}
	for name, d := range dimensions {
		slug := strings.ReplaceAll(name, "-", "_")
		for attribute := range d.Attributes {
			if len(d.PrimaryKey) == 1 {
				refs = append(refs, slug+"_2."+attribute)
				continue
			}
			key := attribute
			if label := d.Attributes[attribute].LabelFor; label != "" {
				key = label
			}
			refs = append(refs, slug+"_"+key+"."+attribute)
		}
	}
	slices.Sort(refs)
	return refs
}

// joinedFields are those of Paraguay that have a code and its name in one cell.
var joinedFields = []string{"funcion", "subfuncion", "grupoEconomico", "subgrupoEconomico", "categoriaEconomica", "grupoObjetoGasto", "subgrupoObjetoGasto"}

var leadingCode = regexp.MustCompile(`^\s*\d+`)

// codeOf gives the code that a row has in a field. Mexico's chapters are the first digit of an item where they are not published.
func codeOf(field string, cell func(string) string, whole bool) string {
	code := cell(field)
	switch {
	case slices.Contains(joinedFields, field):
		code = strings.TrimSpace(leadingCode.FindString(code))
	case field == "ID_CAPITULO" && code == "":
		code = cell("ID_CONCEPTO")[:1] + "000"
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(code), 10, 64); whole && err == nil {
		return strconv.FormatInt(n, 10)
	}
	return code
}

// text writes the key of a cell; null is the empty cell.
func text(key any) string {
	if key == nil {
		return ""
	}
	return fmt.Sprint(key)
}

// fields lists the names of the fields.
func (p published) fields() []string {
	var names []string
	for _, field := range p.Resources[0].Schema.Fields {
		names = append(names, field.Name)
	}
	return names
}
