package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fiscube/internal/version"
)

// written writes a file of settings.
func written(t testing.TB, lines ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "fiscube.yaml")
	check(os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

// A server is set up by a file. The command line decides against it, as --addr and --db do here.
func TestConfig_SetsUpAServer(t *testing.T) {
	t.Parallel()
	s := serveCroatia(t, freshDuckDB(t), "--config", written(t, "# settings of all commands", "addr: 127.0.0.1:1", "db: duckdb:/nowhere/a.duckdb", "log: json",
		"log-questions: true", "metrics-addr: 127.0.0.1:0", "allow-origin:", "  - https://one.example", "  - https://two.example", "keep: 3"))
	s.get(t, byYear+"&token=geheimnis-geheimnis&cut="+strings.Repeat("x", 3000))
	_, body := s.get(t, byYear)
	response := sure(http.Post(s.url+"/cubes/example-croatia/batch", "application/json", strings.NewReader(`{"questions": ["drilldown=admin1_code", "aggregates=_count"]}`)))
	check(response.Body.Close())
	request := sure(http.NewRequest(http.MethodGet, s.url+"/cubes", nil))
	request.Header.Set("Origin", "https://two.example")
	if response = sure(http.DefaultClient.Do(request)); response.StatusCode != http.StatusOK {
		t.Errorf("the second origin of the file is answered %s", response.Status)
	}
	check(response.Body.Close())

	if status, _ := s.get(t, "/metrics"); status != http.StatusNotFound {
		t.Errorf("/metrics of the address of everybody answers %d", status)
	}
	inner := &service{process: s.process}
	eventually(t, "the address of the metrics is in the log", patience, func() bool {
		found := regexp.MustCompile(`metrics_address":"([^"]+)`).FindStringSubmatch(s.err.String())
		if found != nil {
			inner.url = found[1]
		}
		return found != nil
	})
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/readyz": http.StatusOK, "/metrics": http.StatusOK, "/cubes": http.StatusNotFound} {
		status, page := inner.get(t, path)
		if status != want {
			t.Errorf("%s of the address of the operator answers %d, want %d", path, status, want)
		}
		if path == "/metrics" {
			says(t, string(page), "fiscube_build_info{", `goversion="`+version.Of().Go+`"`, `fiscube_cube_version{cube="example-croatia"} 1`)
		}
	}
	s.stop(t)
	log := s.err.String()
	says(t, log, `"store":"duckdb","cubes":1,"limits":{"query_timeout":"30s"`, `"question":"drilldown=Year&token=***&cut=xxx`, `"question":"drilldown=admin1_code\naggregates=_count"`,
		`"msg":"fiscube stops","why":"terminated`, `"drained_ms":`, `"cut":0`)
	if !regexp.MustCompile(`"route":"/cubes/:cube/aggregate","status":200,"bytes":\d+,"duration_ms":[0-9.]+,"cube":"example-croatia","question":"drilldown=Year"}`).MatchString(log) || len(body) == 0 {
		t.Errorf("no line of the question in %s", log)
	}
	if strings.Contains(log, "geheimnis") || strings.Contains(log, strings.Repeat("x", 2000)) {
		t.Errorf("the log says too much: %s", log)
	}
}

func TestLog_SaysNothingOfQuestionsUnlessItShall(t *testing.T) {
	t.Parallel()
	s := serveCroatia(t, freshDuckDB(t))
	s.get(t, byYear)
	s.stop(t)
	if says(t, s.err.String(), `"cube":"example-croatia"`); strings.Contains(s.err.String(), "drilldown") {
		t.Errorf("the log says what was asked: %s", s.err.String())
	}
}

func TestConfig_SaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"addr: 127.0.0.1:1\nmetrics-adr: 127.0.0.1:2": `line 2: no flag is called "metrics-adr"; did you mean metrics-addr?`,
		"nothing-at-all-like-it: 1":                   `line 1: no flag is called "nothing-at-all-like-it"; fiscube serve --help lists them`,
		"rate: fast":                                  "line 1: invalid argument \"fast\" for \"--rate\" flag: it has to be a number",
		"adress: 127.0.0.1:1":                         `no flag is called "adress"; did you mean addr?`,
		"rate: 1\nrate: 2":                            "line 2: rate is set twice",
		"rate: {a: 1}":                                "line 1: rate has to be a value or a list of values",
		"rate":                                        "it has to have lines such as addr: :8080",
		"a: [":                                        "yaml",
		"addr: " + strings.Repeat("1", 1<<20):         "more than 1048576 bytes",
	} {
		fails(t, exitUsage, []string{"serve", "--config", written(t, strings.Split(text, "\n")...)}, want)
	}
	fails(t, exitFailed, []string{"serve", "--config", filepath.Join(t.TempDir(), "none.yaml")}, "read --config")
}

func TestConfig_AVariableDecidesAgainstIt(t *testing.T) {
	t.Setenv("FISCUBE_DB", "duckdb:/nowhere/of-the-variable.duckdb")
	fails(t, exitFailed, []string{"list", "--config", written(t, "db: duckdb:/nowhere/of-the-file.duckdb", "addr: 127.0.0.1:1")}, "/nowhere/of-the-variable.duckdb")
	t.Setenv("FISCUBE_DB", "")
	fails(t, exitFailed, []string{"list", "--config", written(t, "db: duckdb:/nowhere/of-the-file.duckdb")}, "/nowhere/of-the-file.duckdb")
}
