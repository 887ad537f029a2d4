package e2e

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// Dashboards made for OpenSpending work unchanged: these tests run the client that they share as it was published.

func TestDashboards_AskInNode(t *testing.T) {
	t.Parallel()
	folder := dashboardClient(t)
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
	t.Parallel()
	browser := browserOrSkip(t)
	folder := dashboardClient(t)
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
	d := drawing{Table: [][]string{{"Section", "Approved", "Executed"}}, Script: len(seeds.All())}
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

// The client of OpenSpending dashboards. It cannot be installed by name, because it depends on a repository that npm
// would have to reach with a key; package.json lists what these tests need of the rest.
const (
	clientPackage = "babbage.ui@1.7.0"
	clientArchive = "babbage.ui-1.7.0.tgz"
	clientSum     = "vMtrTehDpIN+OSLtMWPnvWL3JCQd10GXSEfYCa1Djd9EBDLwAUlKyrlFxDtm2Oacu4KrtjJkWdzjDKuZBrwlfA==" // SHA-512
)

// dashboardClient gives the folder where the client is installed beside our page and session, or skips.
func dashboardClient(t *testing.T) string {
	t.Helper()
	for _, command := range []string{"node", "npm"} {
		if _, err := exec.LookPath(command); err != nil {
			testrequire.Skip(t, "node", "there is no "+command+", which the client of dashboards needs")
		}
	}
	folder, err := installedClient()
	if err != nil {
		testrequire.Skip(t, "node", "the client of dashboards cannot be installed: "+err.Error())
	}
	return folder
}

// installedClient installs the client once for all tests.
var installedClient = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(scratch, "client")
	if err := os.CopyFS(folder, os.DirFS("api/babbage/testdata/client")); err != nil {
		return "", err
	}
	if err := fetchClient(folder); err != nil {
		return "", err
	}
	if err := checkClient(filepath.Join(folder, clientArchive)); err != nil {
		return "", err
	}
	return folder, os.Rename(filepath.Join(folder, "package"), filepath.Join(folder, "node_modules", "babbage.ui"))
})

// clientPatience is for the 10 MB of the client and what it needs, which come in some seconds. npm gives up before, and says
// which registry does not answer.
const clientPatience = 2 * time.Minute

func fetchClient(folder string) error {
	ctx, end := context.WithTimeout(context.Background(), clientPatience)
	defer end()
	for _, line := range [][]string{
		{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"},
		{"npm", "pack", clientPackage, "--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=30000"},
		{"tar", "-xzf", clientArchive},
	} {
		command := exec.CommandContext(ctx, line[0], line[1:]...)
		command.Dir = folder
		command.WaitDelay = 10 * time.Second
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", command, errors.Join(err, ctx.Err()), said)
		}
	}
	return nil
}

// checkClient makes sure that the client is unchanged.
func checkClient(archive string) error {
	data, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	if sum := sha512.Sum512(data); base64.StdEncoding.EncodeToString(sum[:]) != clientSum {
		return fmt.Errorf("%s is not what was published", clientPackage)
	}
	return nil
}

// browserOrSkip gives the command of a browser.
func browserOrSkip(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
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

// open shows an address in a browser without a screen, which has nothing of any user and ends with the test.
func open(t *testing.T, browser, address string, flags ...string) {
	t.Helper()
	profile, err := os.MkdirTemp(scratch, "browser-") // not the test's: the browser may still write as it ends
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir=" + profile, address}, flags...)...)
	command.Env = append(os.Environ(), "HOME="+profile)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = 10 * time.Second
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end()
		_ = command.Wait()
	})
}
