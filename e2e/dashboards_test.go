package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

// Dashboards made for OpenSpending work unchanged: these tests run the client that they share as it was published.

func TestDashboardsAskInNode(t *testing.T) {
	folder := dashboardClient(t)
	s := serve(t, freshDuckDB(t), "--seed")
	session := exec.CommandContext(t.Context(), "node", "session.js", s.url)
	session.Dir = folder
	said, err := session.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "answers are right") {
		t.Errorf("%v\n%s", err, said)
	}
	s.stop(t)
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

func TestDashboardsDrawInABrowser(t *testing.T) {
	browser := browserOrSkip(t)
	folder := dashboardClient(t)
	s := serve(t, freshDuckDB(t), "--seed")
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
	s.stop(t)
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
