package front_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/front"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/internal/golden"
	"fiscube/internal/testfolder"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/duckdb"
	"fiscube/store/load"
)

// The page of the examples and of real budgets, in languages with other plurals and marks.
func TestBuild(t *testing.T) {
	var examples, real []fs.FS
	for _, name := range []string{"example-croatia", "example-mexico", "example-costa-rica-ingresos", "example-paraguay"} {
		files, _ := seeds.Open(name)
		examples = append(examples, files)
	}
	isBuilt(t, "examples", examples, "en", "hr", "es")
	testrequire.Long(t)
	for _, name := range []string{"D2-croatia", "D6-uruguay", "D7-mexico"} {
		real = append(real, os.DirFS(testfolder.Real(t, name)))
	}
	isBuilt(t, "real", real, "en", "fr", "pt")
}

// isBuilt builds the page of some packages, and compares it with that in a file for each language.
func isBuilt(t *testing.T, name string, packages []fs.FS, langs ...string) {
	t.Helper()
	store, err := duckdb.Open(t.Context(), duckdb.Memory, duckdb.Options{}, slog.New(slog.DiscardHandler))
	for i := 0; i < len(packages) && err == nil; i++ {
		var source *load.Source
		if source, err = load.OpenFS(t.Context(), packages[i], load.Options{Shipped: seeds.OverlayFor}); err == nil {
			_, err = load.Run(t.Context(), store, source, load.Silent{})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	for _, lang := range langs {
		var built bytes.Buffer
		page := site.Handler(limits.New(store, limits.Options{}), func(v *site.Visit) (*site.Frame, error) {
			budgets, err := front.Ask(v)
			written := json.NewEncoder(&built)
			written.SetEscapeHTML(false)
			written.SetIndent("", " ")
			return nil, errors.Join(err, written.Encode(front.Build(v.Guest, budgets)))
		})
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/?lang="+lang, nil), httptest.NewRecorder())
		c.SetPath("/")
		request.SetBase(c, "", false)
		ask := func(c echo.Context) error { limits.NewTiming(c); return page(c) }
		if err := limits.Pausing(site.Problems(ask))(c); err != nil {
			t.Fatal(err)
		}
		golden.File(t, "testdata/"+name+"-"+lang+".json", built.String())
	}
}
