package e2e

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fiscube/seeds"
)

// firstStart is what the first "fiscube serve --seed" made: a store with the example packages, which nobody has open, and what is
// in the folder that was empty.
type firstStart struct{ db, folder string }

// firstStarts are made once for each kind of store.
var firstStarts = struct {
	mu sync.Mutex
	of map[string]firstStart
}{of: map[string]firstStart{}}

// firstStart starts a server that has nothing configured or, on PostgreSQL, what docker-compose.yml configures.
func (k kind) firstStart(t testing.TB) firstStart {
	t.Helper()
	firstStarts.mu.Lock()
	defer firstStarts.mu.Unlock()
	if made, ok := firstStarts.of[k.name]; ok {
		return made
	}
	made := firstStart{folder: lasting{t}.TempDir()}
	var variables []string
	command := []string{"serve", "--seed", "--addr", "127.0.0.1:0"}
	if made.db = k.fresh(lasting{t}); isDuckDB(made.db) {
		made.db = "duckdb:" + filepath.Join(made.folder, "fiscube.duckdb")
	} else {
		c := readCompose(t, "docker-compose.yml")
		command, variables = c.command, c.onThisMachine(t, made.db)
	}
	s := serving(t, startIn(t, made.folder, variables, command...))
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := s.get(t, path); status != 200 {
			t.Errorf("GET %s: %d\n%s", path, status, body)
		}
	}
	servesTheSeeds(t, s)
	s.stop(t)
	firstStarts.of[k.name] = made
	return made
}

// withExamples gives the address of a store that has the example packages, and goes with t.
func (k kind) withExamples(t testing.TB) (db string) {
	t.Helper()
	return k.copied(t, k.firstStart(t).db)
}

// The first thing anybody does: "fiscube serve --seed" in an empty folder, with nothing configured; then the same again.
func TestServe_SeedsInAnEmptyFolder(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, second *service) {
		servesTheSeeds(t, second)
		if strings.Contains(second.err.String(), "loaded an example") {
			t.Errorf("the examples were loaded again: %s", second)
		}
	})
	t.Run("leaves its file and the published ones alone", func(t *testing.T) {
		made, _ := filepath.Glob(filepath.Join(kinds[0].firstStart(t).folder, "*"))
		if len(made) != 2 || filepath.Base(made[0]) != "fiscube.duckdb" || filepath.Base(made[1]) != "fiscube.duckdb.files" {
			t.Errorf("the first start left %q", made)
		}
	})
}

// servesTheSeeds checks that the first version of every seed is served, and says that it is made up.
func servesTheSeeds(t testing.TB, s *service) {
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
func (s *service) agreeOnTheExample(t testing.TB) {
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
			says(t, must(t, "load", "--db", db, handFolder(t)), "version 1")
			says(t, must(t, "list", "--db", db), "hand")
		})
	}
}

// aPath puts names of a package that has an image into the paths of openapi.yaml.
var aPath = strings.NewReplacer("/assets/{file}", "/assets/icon.svg", "{cube}", "example-mexico", "{level}", "ID_RAMO", "{dimension}", "ID_UR",
	"{resource}", "example-mexico__2008.csv", "{file}", "start.js", "{before}", "1", "{after}", "1")

func TestServe_EveryRouteAnswers(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		asked := 0
		for path, item := range reference(t).Paths.Map() {
			if item.Get == nil || strings.Contains(path, "{job}") || strings.HasPrefix(path, "/publish") || path == "/.well-known/security.txt" {
				continue // there is none without a token (client_test.go, publish_test.go) or a contact (api/conventions_test.go)
			}
			asked++
			path, query := aPath.Replace(path), ""
			switch path { // these parameters have no default
			case "/search":
				query = "?q=salud"
			case "/oembed":
				query = "?url=" + url.QueryEscape(s.url+"/explore/example-mexico?drilldown=ID_RAMO")
			}
			for _, p := range []string{path + query, strings.TrimSuffix(path, "/") + "/" + query} {
				if status, body := s.get(t, p); status != http.StatusOK || len(body) == 0 {
					t.Errorf("GET %s: %d\n%s", p, status, body)
				}
			}
		}
		if asked < 30 {
			t.Errorf("only %d paths were asked", asked)
		}
		if status, _ := s.get(t, "/cubes/nope"); status != http.StatusNotFound {
			t.Errorf("GET /cubes/nope: %d", status)
		}
	})
}
