package e2e

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rule says which of our packages may import what. A name means the package and all below it, with a point
// at its end for the package alone; "." is the root. A rule for a package that is not there binds nobody.
type rule struct {
	name     string
	packages []string // whom the rule binds; empty: all
	except   []string // and whom it does not
	never    []string // what they never import
	only     []string // or, of what is not the standard library, all that they import
}

// The rules of the design's layout.
var rules = []rule{
	{name: "what knows texts alone imports nothing of ours", packages: []string{"internal/each", "internal/fold", "internal/suggest", "internal/tidy"},
		never: []string{"fiscube"}},
	{name: "cube imports the standard library and shopspring/decimal", packages: []string{"cube."}, only: domain()},
	{name: "cube/fdp imports cube, cube/plan and cube/query for the formulas and paths of overlays, cube/qualifier, cube/words, and a YAML reader",
		packages: []string{"cube/fdp"}, only: append(domain("fiscube/cube", "fiscube/cube/plan", "fiscube/cube/qualifier", "fiscube/cube/query", "fiscube/cube/words"), yaml...)},
	{name: "cube/query imports cube and cube/words", packages: []string{"cube/query"}, only: domain("fiscube/cube", "fiscube/cube/words")},
	{name: "cube/series imports cube", packages: []string{"cube/series"}, only: domain("fiscube/cube")},
	{name: "cube/plan imports cube, cube/query, cube/series and cube/history",
		packages: []string{"cube/plan"}, only: domain("fiscube/cube", "fiscube/cube/query", "fiscube/cube/series", "fiscube/cube/history")},
	{name: "cube/caveat knows what an answer is made of, and neither stores nor texts", packages: []string{"cube/caveat"},
		only: domain("fiscube/cube", "fiscube/cube/query", "fiscube/cube/plan", "fiscube/cube/findings", "fiscube/cube/history", "fiscube/cube/series")},
	{name: "cube/prose imports what it writes about",
		packages: []string{"cube/prose"}, only: domain("fiscube/cube", "fiscube/cube/caveat", "fiscube/cube/query", "fiscube/cube/plan", "fiscube/cube/difference", "fiscube/cube/findings", "fiscube/cube/history", "fiscube/cube/sentencecase", "fiscube/cube/words")},
	{name: "cube/difference plans questions of two versions and adds up the answers", packages: []string{"cube/difference"},
		only: domain("fiscube/cube", "fiscube/cube/query", "fiscube/cube/plan")},
	{name: "cube/qualifier knows words of publishers", packages: []string{"cube/qualifier"}, only: domain("fiscube/cube", toml)},
	{name: "cube/sentencecase knows letters and what an overlay says of names", packages: []string{"cube/sentencecase"},
		only: domain("fiscube/cube", "golang.org/x/text/cases", "golang.org/x/text/language")},
	{name: "cube/words says messages and writes numbers, and knows no more than a language", packages: []string{"cube/words"},
		only: domain("fiscube/cube", toml, messages, messages+"/template", "golang.org/x/text/language", "golang.org/x/text/message", "golang.org/x/text/number")},
	{name: "go-i18n is for cube/words", except: []string{"cube/words"}, never: []string{messages}},
	{name: "cube/functions says what to ask of budgets side by side, and asks nobody",
		packages: []string{"cube/functions"}, only: domain("fiscube/cube", "fiscube/cube/query", "fiscube/cube/plan", "fiscube/cube/series")},
	{name: "cube/answer imports what comes before it, cube/caveat and cube/prose",
		packages: []string{"cube/answer"},
		only:     domain("fiscube/cube", "fiscube/cube/caveat", "fiscube/cube/query", "fiscube/cube/plan", "fiscube/cube/prose", "fiscube/cube/words")},
	{name: "cube/search asks questions",
		packages: []string{"cube/search"}, only: domain("fiscube/cube", "fiscube/cube/query", "fiscube/cube/plan",
			"fiscube/cube/answer", toml)},
	{name: "what else is below cube imports cube and cube/fdp", packages: []string{"cube"},
		except: []string{"cube.", "cube/fdp", "cube/query", "cube/plan", "cube/caveat", "cube/prose", "cube/answer", "cube/difference", "cube/search", "cube/series", "cube/history", "cube/functions", "cube/cubetest", "cube/qualifier", "cube/sentencecase", "cube/words"},
		only:   domain("fiscube/cube", "fiscube/cube/fdp", "fiscube/cube/findings", "fiscube/cube/prose", "fiscube/cube/qualifier")},
	{name: "cube and below know no store and no interface", packages: []string{"cube"},
		never: []string{"fiscube/api", "fiscube/store", "fiscube/migrations", "fiscube/seeds", "database/sql", "net/http"}},
	{name: "api never imports store", packages: []string{"api"}, never: []string{"fiscube/store"}},
	{name: "api/limits and api/encode import nothing else of api", packages: []string{"api/limits", "api/encode"},
		never: []string{"fiscube/api"}},
	{name: "api/encode imports answers, what they are made of, their sentences and descriptors", packages: []string{"api/encode"},
		only: domain("fiscube/cube", "fiscube/cube/fdp", "fiscube/cube/query", "fiscube/cube/plan", "fiscube/cube/answer", "fiscube/cube/difference", "fiscube/cube/prose", "fiscube/cube/findings", "fiscube/cube/series",
			"fiscube/internal/version", "github.com/xuri/excelize/v2", "github.com/parquet-go/parquet-go", arrow, arrow+"/array", arrow+"/decimal128", arrow+"/ipc", arrow+"/memory",
			"golang.org/x/text/unicode/norm")},
	{name: "api/request knows how questions and formats are written, not what they mean", packages: []string{"api/request"},
		only: append([]string{"fiscube/api/encode", "fiscube/cube", "fiscube/cube/query", echo}, texts...)},
	{name: "api/reply sends any answer and makes none", packages: []string{"api/reply"},
		never: []string{"fiscube/cube/plan", "fiscube/cube/answer", "fiscube/cube/prose", "fiscube/cube/search", "fiscube/cube/findings"}},
	{name: "api/reply is for handlers and kept answers", except: []string{"api.", "api/kept", "api/assistant", "api/babbage", "api/jobs", "api/docs", "api/explorer", "api/harvest", "api/publish", "api/spool"}, never: []string{"fiscube/api/reply"}},
	{name: "api/kept keeps answers and knows none of them", packages: []string{"api/kept"},
		only: []string{"fiscube/api/limits", "fiscube/api/reply", "fiscube/api/request", "fiscube/cube", echo, "github.com/maypok86/otter/v2"}},
	{name: "api/assistant asks the handlers of the API, and no store", packages: []string{"api/assistant"},
		only: append([]string{"fiscube/api/encode", "fiscube/api/limits", "fiscube/api/reply", "fiscube/api/request", "fiscube/cube", "fiscube/cube/query",
			"fiscube/internal/version", assistants + "/jsonrpc", assistants + "/mcp", echo}, texts...)},
	{name: "the Model Context Protocol is for api/assistant", except: []string{"api/assistant"}, never: []string{assistants}},
	{name: "api/encode knows no HTTP", packages: []string{"api/encode"}, never: []string{"net/http", "github.com/labstack"}},
	{name: "api/explorer/chart draws figures and knows nothing of ours", packages: []string{"api/explorer/chart"},
		only: domain("github.com/maypok86/otter/v2", "golang.org/x/image/math/fixed", "golang.org/x/image/vector", letters+"/bidi", letters+"/di", letters+"/font", letters+"/font/opentype",
			letters+"/fontscan", letters+"/language", letters+"/segmenter", letters+"/shaping")},
	{name: "letters are shaped by api/explorer/chart", except: []string{"api/explorer/chart"}, never: []string{letters}},
	{name: "api/explorer/chart knows no HTTP", packages: []string{"api/explorer/chart"}, never: []string{"net/http"}},
	{name: "api/harvest describes cubes and asks nothing of them", packages: []string{"api/harvest"},
		never: []string{"fiscube/api/limits", "fiscube/cube/query", "fiscube/cube/answer", "fiscube/api/explorer"}},
	{name: "api/explorer/recompute writes a command and asks nobody", packages: []string{"api/explorer/recompute"},
		only: domain("fiscube/cube", "fiscube/cube/fdp", "fiscube/cube/findings", "fiscube/cube/plan", "fiscube/cube/words", "fiscube/internal/cache")},
	{name: "api/explorer/site is what the pages stand on", packages: []string{"api/explorer/site"},
		never: []string{"fiscube/api/explorer.", "fiscube/api/explorer/results", "fiscube/api/explorer/loadreport", "fiscube/api/explorer/recompute"}},
	{name: "api/explorer/results and api/explorer/loadreport do not know each other", packages: []string{"api/explorer/results", "api/explorer/loadreport"},
		never: []string{"fiscube/api/explorer.", "fiscube/api/explorer/results", "fiscube/api/explorer/loadreport"}},
	{name: "api/babbage, api/jobs, api/docs and api/explorer do not know each other",
		packages: []string{"api/babbage", "api/jobs", "api/docs", "api/explorer"},
		never:    []string{"fiscube/api.", "fiscube/api/babbage", "fiscube/api/jobs", "fiscube/api/docs", "fiscube/api/explorer."}},
	{name: "api/publish stands on what all pages have and on the queue of loads, and knows no page of a cube", packages: []string{"api/publish"},
		never: []string{"fiscube/api/explorer.", "fiscube/api/explorer/results", "fiscube/api/explorer/loadreport", "fiscube/cube/plan", "fiscube/cube/answer"}},
	{name: "what is below api never imports api", packages: []string{"api"}, except: []string{"api."}, never: []string{"fiscube/api."}},
	{name: "store never imports api", packages: []string{"store"}, never: []string{"fiscube/api"}},
	{name: "store/dictionary keeps members by their numbers and knows no SQL", packages: []string{"store/dictionary"},
		only: domain("fiscube/cube", "fiscube/cube/plan", "fiscube/internal/cache")},
	{name: "store/dictionary is for store/sqlgen and store/resident", except: []string{"store/sqlgen", "store/resident"}, never: []string{"fiscube/store/dictionary"}},
	{name: "store/resident wraps any store, and is for the command", packages: []string{"store/resident"},
		only: domain("fiscube/cube", "fiscube/cube/answer", "fiscube/cube/plan", "fiscube/cube/query", "fiscube/internal/cache", "fiscube/store/catalogue", "fiscube/store/dictionary", "fiscube/store/sqlgen")},
	{name: "store/catalogue has what the stores share, and knows none of them", packages: []string{"store/catalogue"},
		only: domain("fiscube/cube", "fiscube/cube/answer", "fiscube/cube/findings", "fiscube/store/sqlgen")},
	{name: "store/load/coded keeps rows as codes and knows no cube", packages: []string{"store/load/coded"},
		only: []string{"fiscube/store/load/temporary"}},
	{name: "store/load/base keeps rows as numbers and reads no package", packages: []string{"store/load/base"},
		only: []string{"fiscube/cube", "fiscube/store/catalogue", "fiscube/store/load/temporary"}},
	{name: "store/load/coded is for store/load", except: []string{"store/load"}, never: []string{"fiscube/store/load/coded"}},
	{name: "internal/bench asks questions of a server, as anybody does, and of a store", packages: []string{"internal/bench"},
		only: domain("fiscube/cube", "fiscube/cube/answer", "fiscube/cube/plan", "fiscube/cube/query", "fiscube/store/sqlgen")},
	{name: "internal/bench is for the command", except: []string{"internal/command"}, never: []string{"fiscube/internal/bench"}},
	{name: "cube/history knows names over time, and neither plans nor stores", packages: []string{"cube/history"},
		only: append([]string{"fiscube/cube", "fiscube/cube/findings", "golang.org/x/text/collate", "golang.org/x/text/language"}, texts...)},
	{name: "store/load/numeric reads numbers and knows neither files nor stores", packages: []string{"store/load/numeric"}, only: domain("fiscube/cube")},
	{name: "store/evidence says what cells show and knows neither files nor stores", packages: []string{"store/evidence"},
		only: domain("fiscube/cube", "fiscube/cube/qualifier", "fiscube/store/load/numeric")},
	{name: "store/describe reads files through store/load and knows no store", packages: []string{"store/describe"},
		never: []string{"fiscube/store/catalogue", "fiscube/store/postgres", "fiscube/store/duckdb", "fiscube/store."}},
	{name: "store/load/files reads files and knows no store", packages: []string{"store/load/files"},
		only: []string{"fiscube/cube", "fiscube/cube/fdp", "fiscube/cube/findings", "fiscube/cube/prose", "fiscube/store/load/temporary", "golang.org/x/text/encoding", "golang.org/x/text/encoding/charmap",
			"golang.org/x/text/encoding/japanese", "golang.org/x/text/encoding/korean", "golang.org/x/text/encoding/simplifiedchinese",
			"golang.org/x/text/encoding/traditionalchinese", "golang.org/x/text/encoding/unicode", "golang.org/x/text/transform"}},
	{name: "the root starts the command and does nothing else", packages: []string{"."}, only: []string{"fiscube/internal/command"}},
	{name: "nobody imports the root", never: []string{"fiscube."}},
	{name: "nobody imports the command but the root, and the tests of the whole", except: []string{".", "e2e"},
		never: []string{"fiscube/internal/command"}},
	{name: "nobody imports the tests of the whole", never: []string{"fiscube/e2e"}},
	{name: "echo is for api and the command", except: []string{"api", "internal/command"}, never: []string{"github.com/labstack"}},
	{name: "net/http is for api, the command and what measures it, and store/load",
		except: []string{"api", "internal/command", "internal/bench", "store/load"}, never: []string{"net/http"}},
	{name: "pgx is for store/postgres", except: []string{"store/postgres"}, never: []string{"github.com/jackc"}},
	{name: "DuckDB is for store/duckdb", except: []string{"store/duckdb"},
		never: []string{"github.com/duckdb", "github.com/marcboeker/go-duckdb"}},
	{name: "database/sql is for the stores and their migrations",
		except: []string{"store/postgres", "store/duckdb", "migrations"}, never: []string{"database/sql"}},
	{name: "logs go through log/slog", never: append([]string{"log."}, loggers...)},
}

// domain lists what a package of the domain may import: decimals, those packages of ours, and what knows texts alone.
func domain(packages ...string) []string { return slices.Concat(packages, texts, []string{decimals}) }

const (
	decimals   = "github.com/shopspring/decimal"
	toml       = "github.com/BurntSushi/toml"
	messages   = "github.com/nicksnyder/go-i18n/v2/i18n"
	assistants = "github.com/modelcontextprotocol/go-sdk"
	arrow      = "github.com/apache/arrow-go/v18/arrow"
	letters    = "github.com/go-text/typesetting"
	echo       = "github.com/labstack/echo/v4"
)

var (
	texts = []string{"fiscube/internal/each", "fiscube/internal/fold", "fiscube/internal/suggest", "fiscube/internal/tidy"}

	yaml = []string{"gopkg.in/yaml.v3", "go.yaml.in/yaml/v3", "go.yaml.in/yaml/v4", "github.com/goccy/go-yaml"}

	loggers = []string{"go.uber.org/zap", "github.com/rs/zerolog", "github.com/sirupsen/logrus", "github.com/golang/glog",
		"k8s.io/klog", "github.com/go-kit/log", "github.com/hashicorp/go-hclog", "github.com/charmbracelet/log"}
)

func TestImports(t *testing.T) {
	imports := importsOf(t)
	for _, needed := range []string{".", "api", "cube", "cube/fdp", "cube/query", "cube/series", "cube/plan", "cube/answer", "cube/caveat", "cube/prose", "cube/search", "cube/findings", "cube/history", "cube/repair",
		"api/assistant", "api/babbage", "api/encode", "api/kept", "internal/bench", "store/catalogue", "store/dictionary", "store/evidence", "store/load/coded", "store/load/base", "store/resident", "api/explorer/chart", "api/explorer/loadreport", "api/explorer/results", "api/explorer/site", "api/jobs", "api/limits", "api/reply", "api/request", "internal/command", "store/load/files", "store/load/numeric", "store/sqlgen", "store/postgres", "store/duckdb"} {
		if imports[needed] == nil {
			t.Fatalf("no package %s among %d", needed, len(imports))
		}
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for pkg, list := range imports {
				if !r.binds(pkg) {
					continue
				}
				for _, imported := range list {
					if r.forbids(imported) {
						t.Errorf("%s imports %s", pkg, imported)
					}
				}
			}
		})
	}
}

// A rule that can forbid nothing would always pass.
func TestImports_TheRulesForbid(t *testing.T) {
	for _, tt := range []struct {
		pkg, imported string
		forbidden     bool
	}{
		{"cube", "slices", false},
		{"cube", decimals, false},
		{"cube", "github.com/shopspring/decimal/v2", true},
		{"cube", "gopkg.in/yaml.v3", true},
		{"cube", "golang.org/x/text/cases", true},
		{"cube", "fiscube/cube/fdp", true},
		{"cube", "net/http", true},
		{"cube/fdp", "fiscube/cube", false},
		{"cube/fdp", "go.yaml.in/yaml/v3", false},
		{"cube/fdp", "fiscube/store/load", true},
		{"cube/fdp", "database/sql/driver", true},
		{"cube/repair", "fiscube/cube", false},
		{"cube/repair", "golang.org/x/text/cases", true},
		{"api", "fiscube/cube", false},
		{"api", "github.com/labstack/echo/v4", false},
		{"api", assistants + "/mcp", true},
		{"api/assistant", assistants + "/mcp", false},
		{"api/assistant", "fiscube/cube/plan", true},
		{"api/explorer", "net/http", false},
		{"cube/query", "fiscube/cube", false},
		{"cube/query", "fiscube/cube/plan", true},
		{"cube/plan", "fiscube/cube/query", false},
		{"cube/plan", "fiscube/cube/answer", true},
		{"cube/plan", "fiscube/cube/series", false},
		{"cube/series", "fiscube/cube/query", true},
		{"cube/caveat", "fiscube/cube/plan", false},
		{"cube/caveat", "fiscube/cube/prose", true},
		{"cube/caveat", "fiscube/cube/answer", true},
		{"cube/prose", "fiscube/cube/caveat", false},
		{"cube/prose", "fiscube/cube/answer", true},
		{"cube/answer", "fiscube/cube/plan", false},
		{"cube/answer", "fiscube/cube/prose", false},
		{"cube/answer", "fiscube/cube/fdp", true},
		{"cube/answer", "fiscube/store", true},
		{"cube/search", "fiscube/internal/fold", false},
		{"cube/search", "fiscube/cube/fdp", true},
		{"api/babbage", "fiscube/cube", false},
		{"api/babbage", "fiscube/api/encode", false},
		{"api/babbage", "fiscube/api/jobs", true},
		{"api/jobs", "fiscube/api", true},
		{"api/explorer/chart", "golang.org/x/image/vector", false},
		{"api/explorer/chart", letters + "/shaping", false},
		{"api/explorer/site", letters + "/shaping", true},
		{"api/explorer/chart", "fiscube/cube", true},
		{"api/explorer/chart", "net/http", true},
		{"api/explorer", "fiscube/api/explorer/site", false},
		{"api/explorer/site", "fiscube/api/explorer/chart", false},
		{"api/explorer/site", "fiscube/api/explorer/results", true},
		{"api/explorer/results", "fiscube/api/explorer/site", false},
		{"api/explorer/results", "fiscube/api/explorer/loadreport", true},
		{"api/explorer/loadreport", "fiscube/api/explorer", true},
		{"api/encode", "fiscube/api/reply", true},
		{"api/encode", "net/http", true},
		{"api/encode", "github.com/labstack/echo/v4", true},
		{"api/encode", "fiscube/cube/prose", false},
		{"api/encode", "fiscube/cube/repair", true},
		{"api/request", "fiscube/api/encode", false},
		{"api/request", "fiscube/cube/plan", true},
		{"api/request", "fiscube/api/reply", true},
		{"api/reply", "fiscube/api/request", false},
		{"api/reply", "fiscube/cube/answer", true},
		{"api/limits", "fiscube/api/reply", true},
		{"api/kept", "fiscube/api/limits", false},
		{"api/kept", "fiscube/cube/answer", true},
		{"store/dictionary", "fiscube/cube/plan", false},
		{"store/dictionary", "fiscube/store/sqlgen", true},
		{"store/load", "fiscube/store/dictionary", true},
		{"store/catalogue", "fiscube/store/sqlgen", false},
		{"store/catalogue", "fiscube/store/load", true},
		{"store/load/coded", "fiscube/cube", true},
		{"store/load/coded", "fiscube/store/load/temporary", false},
		{"store/describe", "fiscube/store/load/coded", true},
		{"store/resident", "fiscube/store/duckdb", true},
		{"store/load/base", "fiscube/store/catalogue", false},
		{"store/load/base", "fiscube/store/load", true},
		{"internal/bench", "net/http", false},
		{"internal/bench", "fiscube/store/duckdb", true},
		{"e2e", "fiscube/internal/bench", true},
		{"api/limits", "github.com/labstack/echo/v4", false},
		{"api/babbage", "github.com/labstack/echo/v4", false},
		{"api/babbage", "fiscube/api", true},
		{"api/encode", "fiscube/api/babbage", true},
		{"api/encode", "fiscube/api", true},
		{"api/jobs", "github.com/labstack/echo/v4", false},
		{"api/limits", "fiscube/store", true},
		{"api", "fiscube/store", true},
		{"api/explorer", "fiscube/store/sqlgen", true},
		{"store", "fiscube/store/duckdb", false},
		{"cube/search", "fiscube/internal/fold", false},
		{"cube/search", "fiscube/store", true},
		{"store", "fiscube/api", true},
		{"store/sqlgen", "fiscube/api/explorer", true},
		{"store/load", "net/http", false},
		{"store/describe", "fiscube/store/load", false},
		{"store/describe", "fiscube/store/catalogue", true},
		{"store/evidence", "fiscube/store/load/numeric", false},
		{"store/evidence", "fiscube/store/load", true},
		{"store/load", "fiscube/cube/history", false},
		{"cube/history", "fiscube/cube/findings", false},
		{"cube/history", "fiscube/cube/plan", true},
		{"store/load/files", "net/http", false},
		{"store/load/files", "fiscube/store/load/temporary", false},
		{"store/load/files", "fiscube/store/load", true},
		{"store/load/numeric", "github.com/shopspring/decimal", false},
		{"store/load/numeric", "fiscube/store/load", true},
		{"store/load", "github.com/labstack/echo/v4", true},
		{"store", "net/http", true},
		{"store", "net/url", false},
		{"store/postgres/postgrestest", "github.com/jackc/pgx/v5", false},
		{"store/duckdb", "github.com/jackc/pgx/v5/pgconn", true},
		{"store/duckdb", "github.com/duckdb/duckdb-go/v2", false},
		{"store/postgres", "github.com/duckdb/duckdb-go/v2", true},
		{"store/load", "database/sql", true},
		{"internal/command", "github.com/labstack/echo/v4/middleware", false},
		{"internal/command", "net/http", false},
		{"internal/command", "github.com/jackc/pgx/v5", true},
		{".", "fiscube/internal/command", false},
		{".", "fiscube/store", true},
		{".", "net/http", true},
		{"api", "fiscube/internal/command", true},
		{"store", "fiscube/internal/command", true},
		{"store", "fiscube/e2e", true},
		{"store", "fiscube", true},
		{"api", "log/slog", false},
		{"api", "log", true},
		{"seeds", "log", true},
		{"api", "go.uber.org/zap/zapcore", true},
	} {
		broken := slices.ContainsFunc(rules, func(r rule) bool { return r.binds(tt.pkg) && r.forbids(tt.imported) })
		if broken != tt.forbidden {
			t.Errorf("%s imports %s: forbidden %v, want %v", tt.pkg, tt.imported, broken, tt.forbidden)
		}
	}
}

func (r rule) binds(pkg string) bool {
	return (len(r.packages) == 0 || within(pkg, r.packages)) && !within(pkg, r.except)
}

func (r rule) forbids(imported string) bool {
	return within(imported, r.never) || r.only != nil && !standard(imported) && !slices.Contains(r.only, imported)
}

// within says whether pkg is one of the trees or below one.
func within(pkg string, trees []string) bool {
	return slices.ContainsFunc(trees, func(tree string) bool {
		if only, ok := strings.CutSuffix(tree, "."); ok {
			return pkg == only || tree == pkg
		}
		return pkg == tree || strings.HasPrefix(pkg, tree+"/")
	})
}

// standard says whether a package is of the standard library: only there the first element has no point.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && first != "fiscube"
}

// importsOf lists what each package of the module imports, tests not counted, by its folder; the root is ".".
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	lookAtFolders(t)
	list := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "./...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		pkg, imported, _ := strings.Cut(line, ":")
		folder, ok := strings.CutPrefix(pkg, "fiscube/")
		if !ok {
			folder = "."
		}
		imports[folder] = strings.Fields(imported)
	}
	return imports
}

// lookAtFolders reads the folders of the module, so that go test runs this test again when a file in one of
// them has changed: what go list reads, go test does not see.
func lookAtFolders(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
