package e2e

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

var (
	// operationShown finds the operations on the page of the reference.
	operationShown = regexp.MustCompile(`id="operations-([a-z]+)-(\w+)"`)

	// complaint finds what a page writes on the console of the browser, where it also says what a policy forbids.
	complaint = regexp.MustCompile(`(?m)^.*:CONSOLE[:(].*$`)
)

// The reference is shown whole, with nothing but what the service has.
func TestTheReferenceIsShownInABrowser(t *testing.T) {
	browser := browserOrSkip(t)
	server := seededServer(t)
	var want []string
	for _, item := range reference(t).Paths.Map() {
		for _, operation := range item.Operations() {
			want = append(want, operation.OperationID)
		}
	}
	for _, path := range []string{"/docs", "/docs/", "/docs#/questions/aggregate"} {
		page, console := shown(t, browser, server.URL+path)
		got := map[string]bool{}
		for _, operation := range operationShown.FindAllStringSubmatch(page, -1) {
			if operation[1] != "tag" { // which is the heading of some
				got[operation[2]] = true
			}
		}
		if slices.Sort(want); !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
			t.Errorf("%s shows the operations %v, want %v", path, slices.Sorted(maps.Keys(got)), want)
		}
		says(t, page, `class="title">fiscube`)
		if said := complaint.FindAllString(console, -1); said != nil {
			t.Errorf("%s says on the console:\n%s", path, strings.Join(said, "\n"))
		}
	}
}

// What the test above looks for is there where a page does what its policy forbids.
func TestTheBrowserSaysWhatAPolicyForbids(t *testing.T) {
	browser := browserOrSkip(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		_, _ = io.WriteString(w, "<!DOCTYPE html><script>0</script>")
	}))
	t.Cleanup(server.Close)
	if _, console := shown(t, browser, server.URL); !complaint.MatchString(console) {
		t.Errorf("nothing is on the console:\n%s", console)
	}
}

// shown opens an address in a browser without a screen, and gives the document once nothing moves any more, and what
// the browser logs.
func shown(t *testing.T, browser, address string) (page, console string) {
	t.Helper()
	profile, failed := os.MkdirTemp(scratch, "browser-") // not the test's: the browser may still write as it ends
	if failed != nil {
		t.Fatal(failed)
	}
	command := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+profile, "--enable-logging=stderr", "--virtual-time-budget=30000", "--dump-dom", address)
	command.Env = append(command.Environ(), "HOME="+profile)
	var out, err output
	command.Stdout, command.Stderr = &out, &err
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return out.String(), err.String()
}

// reference reads openapi.yaml.
func reference(t testing.TB) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile(openapi)
	if err != nil {
		t.Fatal(err)
	}
	return document
}
