package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fiscube/seeds"
)

// The first thing anybody does: "fiscube serve --seed" in an empty folder, with nothing configured.
func TestServe_SeedsInAnEmptyFolder(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder, variables := t.TempDir(), []string(nil)
		if !isDuckDB(db) {
			variables = []string{"FISCUBE_DB=" + db}
		}
		start := func() *service {
			return serving(t, startIn(t, folder, variables, "serve", "--seed", "--addr", "127.0.0.1:0"))
		}
		first := start()
		servesTheSeeds(t, first)
		first.stop(t)
		if left, _ := filepath.Glob(filepath.Join(folder, "*.server")); left != nil {
			t.Errorf("%q were left behind", left)
		}
		second := start()
		servesTheSeeds(t, second)
		if strings.Contains(second.err.String(), "loaded an example") {
			t.Errorf("the examples were loaded again: %s", second)
		}
		second.stop(t)
	})
}

// servesTheSeeds checks that the first version of every seed is served, and says that it is made up.
func servesTheSeeds(t *testing.T, s *service) {
	t.Helper()
	var list struct {
		Cubes []struct {
			Name      string
			Version   int
			Synthetic bool
		}
	}
	s.read(t, "/cubes", &list)
	if len(list.Cubes) != len(seeds.All()) {
		t.Errorf("%d cubes are served, want %d", len(list.Cubes), len(seeds.All()))
	}
	for _, cube := range list.Cubes {
		if cube.Version != 1 || !cube.Synthetic {
			t.Errorf("%s: version %d, synthetic %v", cube.Name, cube.Version, cube.Synthetic)
		}
	}
	croatia, _ := seeds.Open("example-croatia")
	s.agree(t, "example-croatia", "admin1_code", addUp(t, croatia, []string{"admin1_code"})[0])
	s.agreeOnTheExample(t)
}

// agreeOnTheExample asks the question that the documentation opens with.
func (s *service) agreeOnTheExample(t *testing.T) {
	t.Helper()
	croatia, _ := seeds.Open("example-croatia")
	want := addUp(t, croatia, []string{"admin1_code"})[0]
	approved := slices.Index(want.measures, "approved_value")
	a := s.ask(t, "example-croatia", "drilldown=admin1_code&aggregates=approved_value.sum")
	if !equal(a.Summary["approved_value.sum"], want.whole.amounts[approved]) {
		t.Errorf("approved are %v, want %v", a.Summary["approved_value.sum"], show(want.whole.amounts[approved]))
	}
}

func TestServe_StopsWhenRequestsUnderWayAreDone(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := serve(t, db)
		export := s.export(t, "budget")
		s.send(t, syscall.SIGTERM)
		eventually(t, "the server takes no more requests", patience, func() bool {
			response, err := http.Get(s.url + "/healthz")
			if err == nil {
				_ = response.Body.Close()
			}
			return err != nil
		})
		if rows, err := export.rest(t); err != nil || rows != export.rows {
			t.Errorf("%d rows of %d came, and %v", rows, export.rows, err)
		}
		s.succeed(t)
	})
}

func TestStore_TheDefaultIsAFileInTheWorkingFolder(t *testing.T) {
	t.Parallel()
	freshDuckDB(t) // or skip
	folder := t.TempDir()
	startIn(t, folder, nil, "migrate").succeed(t)
	if _, err := os.Stat(filepath.Join(folder, "fiscube.duckdb")); err != nil {
		t.Error(err)
	}
}

// A name of a file is a name in DuckDB too, where it may meet the schemas of ours.
func TestStore_AnEmbeddedFileMayHaveAnyName(t *testing.T) {
	for _, name := range []string{"fiscube", "fact", "member", "main", "memory", "temp", "Fiscube.DB", "año 2020", `it's "one"`} {
		t.Run(name, func(t *testing.T) {
			db := "duckdb:" + filepath.Join(filepath.Dir(strings.TrimPrefix(freshDuckDB(t), "duckdb:")), name)
			says(t, must(t, "load", "--db", db, small()), "version 1")
			says(t, must(t, "list", "--db", db), "budget")
		})
	}
}

// aPath puts names of a package that has an image into the paths of openapi.yaml.
var aPath = strings.NewReplacer("{cube}", "example-mexico", "{level}", "ID_RAMO", "{dimension}", "ID_UR",
	"{resource}", "example-mexico__2008.csv", "{file}", "start.js")

func TestServe_EveryRouteAnswers(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		paths := regexp.MustCompile(`(?m)^  (/\S*):$`).FindAllStringSubmatch(string(sure(os.ReadFile(openapi))), -1)
		if len(paths) < 8 {
			t.Fatalf("openapi.yaml has the paths %q only", paths)
		}
		for _, match := range paths {
			if strings.Contains(match[1], "{job}") {
				continue // there is none without a token (client_test.go)
			}
			path, query := aPath.Replace(match[1]), ""
			if path == "/search" {
				query = "?q=salud" // which has no default
			}
			for _, p := range []string{path + query, strings.TrimSuffix(path, "/") + "/" + query} {
				if status, body := s.get(t, p); status != http.StatusOK || len(body) == 0 {
					t.Errorf("GET %s: %d\n%s", p, status, body)
				}
			}
		}
		if status, _ := s.get(t, "/cubes/nope"); status != http.StatusNotFound {
			t.Errorf("GET /cubes/nope: %d", status)
		}
	})
}
