package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"fiscube/api"
	"fiscube/cube"
)

func TestDocumentIsValid(t *testing.T) {
	if err := document(t).Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Every path of the document answers GET and HEAD, with and without a slash at its end, and nothing else does.
func TestRoutesAndDocumentAgree(t *testing.T) {
	want := map[string]bool{}
	for path := range document(t).Paths.Map() {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			want[method+" "+path] = true
			want[method+" "+strings.TrimSuffix(path, "/")+"/"] = true
		}
	}
	got := map[string]bool{}
	for _, r := range handler(t, newFake(t)).(*echo.Echo).Routes() {
		got[r.Method+" "+strings.ReplaceAll(r.Path, ":cube", "{cube}")] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("routes\n%v\ndocument\n%v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestParametersAndDocumentAgree(t *testing.T) {
	var documented []string
	for _, p := range document(t).Paths.Value("/cubes/{cube}/aggregate").Get.Parameters {
		documented = append(documented, p.Value.Name)
		if p.Value.Description == "" || p.Value.Example == nil && len(p.Value.Examples) == 0 {
			t.Errorf("%s has no description or no example", p.Value.Name)
		}
	}
	if !slices.Equal(documented, api.AggregateParameters()) {
		t.Errorf("document %v, routes %v", documented, api.AggregateParameters())
	}
}

// The examples that the document gives for the parameters are questions of a kind that parse.
func TestParameterExamplesParse(t *testing.T) {
	parse := map[string]func(string) error{
		"drilldown":  func(s string) error { _, err := cube.ParseDrilldown(s); return err },
		"cut":        func(s string) error { _, err := cube.ParseCut(s); return err },
		"aggregates": func(s string) error { _, err := cube.ParseAggregates(s); return err },
		"order":      func(s string) error { _, err := cube.ParseOrder(s); return err },
	}
	for name, parse := range parse {
		for _, example := range document(t).Components.Parameters[name].Value.Examples {
			if err := parse(fmt.Sprint(example.Value.Value)); err != nil {
				t.Errorf("%s=%v: %v", name, example.Value.Value, err)
			}
		}
	}
}

func TestCodesAndDocumentAgree(t *testing.T) {
	schema := document(t).Components.Schemas["Error"].Value
	statuses := api.Statuses()
	var codes []string
	for _, code := range schema.Properties["code"].Value.Enum {
		codes = append(codes, fmt.Sprint(code))
		row := fmt.Sprintf("| `%s` | %d | ", code, statuses[cube.Code(fmt.Sprint(code))])
		if !strings.Contains(schema.Description, row) {
			t.Errorf("the document does not say %q", row)
		}
	}
	var ours []string
	for code := range statuses {
		ours = append(ours, string(code))
	}
	slices.Sort(codes)
	slices.Sort(ours)
	if !slices.Equal(codes, ours) {
		t.Errorf("document %v, api %v", codes, ours)
	}
}

func TestEveryRouteAnswers(t *testing.T) {
	h := handler(t, newFake(t))
	for path := range document(t).Paths.Map() {
		path = strings.ReplaceAll(path, "{cube}", "croatia")
		plain := ask(t, h, path)
		slashed := ask(t, h, strings.TrimSuffix(path, "/")+"/")
		head := send(t, h, http.MethodHead, path)
		for name, r := range map[string]reply{"plain": plain, "slash": slashed, "HEAD": head} {
			if r.status != http.StatusOK {
				t.Errorf("%s, %s: status %d: %s", path, name, r.status, r.body)
			}
		}
		if slashed.body != plain.body {
			t.Errorf("%s: the slash makes another answer", path)
		}
		if head.body != "" || head.header.Get("Content-Length") != strconv.Itoa(len(plain.body)) {
			t.Errorf("%s: HEAD sends %q and length %s", path, head.body, head.header.Get("Content-Length"))
		}
	}
}
