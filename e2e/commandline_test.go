package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"fiscube/store/postgres/postgrestest"
)

func TestHelp_SaysHowToBeginAndWhatExitCodesMean(t *testing.T) {
	for _, args := range [][]string{{}, {"help"}, {"--help"}, {"-h"}} {
		says(t, must(t, args...), "fiscube serve --seed", "FISCUBE_DB", "Exit codes: 0 done", "4 no such cube or version",
			"serve ", "mcp ", "init ", "load ", "validate ", "list ", "versions ", "query ", "rollback ", "prune ", "remove ", "migrate ", "healthcheck ")
	}
	for _, command := range []string{"serve", "mcp", "init", "load", "validate", "list", "query", "versions", "rollback", "prune", "remove", "migrate", "healthcheck"} {
		says(t, must(t, command, "--help"), "Usage:\n  fiscube "+command, "--db string")
	}
}

func TestCommandLine_AMistakeHasAnExitCodeOfItsOwn(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"fly", `unknown command "fly"`},
		{"lod", `unknown command "lod"; did you mean load?`},
		{"--fly", "unknown flag: --fly"},
		{"load --fly", "unknown flag: --fly"},
		{"load --overlya=x y", "unknown flag: --overlya; did you mean --overlay?"},
		{"load", "name a package: a folder or zip that holds datapackage.json, that file itself, or the URL of one, for example: fiscube load "},
		{"init", "name the files of a package, or the folder that holds them, for example: fiscube init --name my-town data"},
		{"validate --format=sarf x", `invalid argument "sarf" for "--format" flag: it has to be text, json, sarif, junit or github; did you mean sarif?`},
		{"validate --fail-on=warnings x", `invalid argument "warnings" for "--fail-on" flag: it has to be error or warning; did you mean warning?`},
		{"load --distribute=allways x", `invalid argument "allways" for "--distribute" flag: it has to be auto, always or never; did you mean always?`},
		{"query", "name a cube, for example: fiscube query croatia-budget-spending "},
		{"validate", "name a package: a folder or zip that holds datapackage.json, that file itself, or the URL of one, for example: fiscube validate "},
		{"versions", "name a cube, for example: fiscube versions croatia-budget-spending"},
		{"remove", "name a cube, for example: fiscube remove croatia-budget-spending"},
		{"prune", "name a cube, for example: fiscube prune croatia-budget-spending --keep 3"},
		{"rollback", "name a cube and the version to serve, for example: fiscube rollback croatia-budget-spending 2"},
		{"rollback budget", "name the version to serve, for example: fiscube rollback croatia-budget-spending 2"},
		{"rollback budget 1 2", `"2" is one argument too many: it is fiscube rollback NAME VERSION`},
		{"load --allow=no-level x", `--allow: "no-level" is nothing that can be allowed (what can be is no-levels`},
		{"load --allow=no-level --server=http://127.0.0.1:1 --token=0123456789abcdef x", `--allow: "no-level" is nothing that can be allowed`},
		{"validate --allow=no-level x", `--allow: "no-level" is nothing that can be allowed (what can be is no-levels`},
		{"rollback budget v1", `"v1" is no version`},
		{"rollback budget 0", `"0" is no version`},
		{"prune budget", "say how many of the newest versions to keep: --keep N"},
		{"prune budget --keep=-1", "say how many of the newest versions to keep: --keep N"},
		{"prune budget --keep=all", "invalid argument"},
		{"remove one another", `"another" is one argument too many: it is fiscube remove NAME`},
		{"list it", `"it" is one argument too many: it is fiscube list`},
		{"serve it", `"it" is one argument too many: it is fiscube serve`},
		{"serve --seed=perhaps", "invalid argument"},
		{"list --db", "flag needs an argument"},
	} {
		fails(t, exitUsage, strings.Fields(test.line), "fiscube: "+test.want, "Try fiscube --help.")
	}
}

func TestVersion_SaysWhatTheProgramIsMadeOf(t *testing.T) {
	want := regexp.MustCompile(`^fiscube \S+\ncommit (unknown|[0-9a-f]{40} of \S+Z(, with changes)?)\nGo go1\.\d+\S*\nDuckDB (v\d+\.\d+\.\d+|none: .*)\n$`)
	text := must(t, "version")
	if flag := must(t, "--version"); !want.MatchString(text) || flag != text {
		t.Errorf("it says\n%s and with --version\n%s", text, flag)
	}
}

// A shell completes the names of cubes, also while a server has the file open.
func TestCompletion_OffersTheCubes(t *testing.T) {
	db := freshDuckDB(t)
	commands := []string{"versions", "diff", "rollback", "prune", "remove", "query"}
	for _, command := range commands {
		if text := must(t, "__complete", command, "--db", db, ""); !strings.HasPrefix(text, ":4\n") {
			t.Errorf("%s offers %q", command, text)
		}
	}
	if _, err := os.Stat(fileOf(db)); err == nil {
		t.Error("it made a store")
	}
	must(t, "load", "--db", db, small())
	offers := func() {
		t.Helper()
		for _, command := range commands {
			for begun, want := range map[string]string{"": "budget\n:4\n", "bu": "budget\n:4\n", "x": ":4\n"} {
				if text := must(t, "__complete", command, "--db", db, begun); !strings.HasPrefix(text, want) {
					t.Errorf("%s %s offers %q", command, begun, text)
				}
			}
		}
	}
	offers()
	s := serve(t, db)
	offers()
	s.stop(t)
	for line, want := range map[string]string{"validate --format ju": "text\njson\nsarif\njunit\ngithub\n:4\n", "load --allow ": "no-levels\n", "validate --fail": "--fail-on\t"} {
		if text := must(t, append([]string{"__complete"}, strings.Split(line, " ")...)...); !strings.HasPrefix(text, want) {
			t.Errorf("%s offers %q", line, text)
		}
	}
	t.Setenv("FISCUBE_DB", db)
	if text := must(t, "__complete", "remove", ""); !strings.HasPrefix(text, "budget\n") {
		t.Errorf("with the variable it offers %q", text)
	}
}

func TestStoreAddress_AnUnknownOneListsTheStores(t *testing.T) {
	fails(t, exitFailed, []string{"list", "--db", "nonsense"}, `"nonsense" names no store`, "use duckdb:PATH, duckdb::memory: or postgres://host/database")
	fails(t, exitFailed, []string{"list", "--db", "mysql://host"}, `names no store`)
	file := filepath.Join(t.TempDir(), "budgets.duckdb")
	for _, setting := range []string{"?threads=0", "?threads=two", "?threads=1025", "?memory=1", "?memory=0MB", "?threads=", "?threads=1&threads=2", "?threads=2&disk=1GB"} {
		fails(t, exitFailed, []string{"list", "--db", "duckdb:" + file + setting}, setting, "no setting of an embedded store", "?threads=N")
	}
	must(t, "list", "--db", "duckdb:"+file+"?threads=2")
	must(t, "load", "--db", "duckdb:"+file+"?threads=1&memory=64MB", small())
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func TestStore_SaysWhyItCannotBeOpened(t *testing.T) {
	freshDuckDB(t)
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	write(text, []byte("no database"))
	for _, path := range []string{folder, text, filepath.Join(folder, "none", "x.duckdb")} {
		fails(t, exitFailed, []string{"list", "--db", "duckdb:" + path}, path+" cannot be opened as a DuckDB file")
	}
	server := "postgres://somebody:secret@127.0.0.1:1/nothing"
	r := fiscube(t, "list", "--db", server)
	says(t, r.err, "PostgreSQL cannot be reached", "127.0.0.1:1")
	if r.code != exitFailed || strings.Contains(r.err, "secret") {
		t.Errorf("exit code %d, and it says %q", r.code, r.err)
	}
	fails(t, exitFailed, []string{"list", "--db", "postgres://host:port/"}, "the PostgreSQL address cannot be read")
}

func TestCommandLine_PrintsNoPassword(t *testing.T) {
	folder := t.TempDir()
	descriptor := strings.Replace(handDescriptor, `"path": "early.csv"`, `"path": "http://user:secret@example.org/early.csv"`, 1)
	write(filepath.Join(folder, "datapackage.json"), []byte(descriptor))
	asked := t.TempDir()
	write(filepath.Join(asked, "datapackage.json"), []byte(strings.Replace(descriptor, "user:secret@example.org/early.csv", "example.org/early.csv?password=se secret", 1)))
	spaced := t.TempDir()
	write(filepath.Join(spaced, "datapackage.json"), []byte(strings.Replace(descriptor, "http://user:secret", "https://user:sec secret", 1)))
	for _, line := range []string{
		"list --db mysql://user:secret@host/base",
		"list --db user:secret@host/base",
		"list --db host=h\tpassword=secret",
		"list --db duckdb:postgres://user:secret@host/base",
		"list --db postgres://user:secret@host:port/base",
		"list --db postgres://user@host/base?port=x&password=secret",
		"validate http://user:secret@host/x.zip",
		"validate http://user:secret@host:port/x.zip",
		"validate ftp://user:secret@host/x.zip",
		"validate --allow-private http://127.0.0.1:1/x.zip?password=se\tsecret",
		"healthcheck --url http://127.0.0.1:1/x?password=se\tsecret",
		"validate http://user:se\tsecret@127.0.0.1/x.zip",
		"validate " + folder,
		"validate " + spaced,
		"validate " + asked,
		"load --db duckdb::memory: http://user:secret@host/x.zip",
		"load --server http://user:secret@host x",
		"serve --public-url http://user:secret@host",
		"healthcheck --url http://user:secret@host:port",
	} {
		r := fiscube(t, strings.Split(line, " ")...)
		if r.code == exitDone || r.err == "" || strings.Contains(r.out+r.err, "secret") {
			t.Errorf("fiscube %s: exit code %d, and it says %s%s", line, r.code, r.out, r.err)
		}
	}
	db := freshDuckDB(t)
	s := serveWithToken(t, db)
	r := fiscube(t, s.there(t, "load", zippedFolder(t, folder))...)
	if r.code != exitRefused || strings.Contains(r.err+s.err.String(), "secret") {
		t.Errorf("exit code %d, and they say %s%s", r.code, r.err, s.err.String())
	}
	s.stop(t)
}

func TestCommandLine_AnUnknownCubeHasAHint(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		for _, command := range []string{"versions", "remove"} {
			fails(t, exitUnknown, []string{command, "--db", db, "nope"}, `no cube "nope"`)
			fails(t, exitUnknown, []string{command, "--db", db, "budgets"}, `no cube "budgets"`, "did you mean budget?")
		}
	})
}

func TestLoad_TwiceThenListAndVersions(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		says(t, must(t, "load", "--db", db, small()), "budget: version 1 holds exactly this already; nothing to do\n")
		must(t, "load", "--db", db, grown(t, "budget", 2))
		list := regexp.MustCompile(`^NAME +VERSION +SERVED +YEARS +ROWS +LOADED +FINGERPRINT +TITLE\n` +
			`budget +2 +yes +2016-2019 +\d+ +\S+Z +[0-9a-f]{12} +Croatia: .*\[synthetic\]\n$`)
		if text := must(t, "list", "--db", db); !list.MatchString(text) {
			t.Errorf("list says\n%s", text)
		}
		versions := regexp.MustCompile(`\nbudget +1 +no .*\nbudget +2 +yes .*\n$`)
		if text := must(t, "versions", "--db", db, "budget"); !versions.MatchString(text) {
			t.Errorf("versions says\n%s", text)
		}
		says(t, must(t, "load", "--db", db, small()), "budget: version 1 holds exactly this and is served again\n")
		says(t, must(t, "migrate", "--db", db), "the store is up to date\n")
	})
}

func TestValidate_PrintsTheModelAndLoadsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	text := must(t, "validate", unpacked(t, "example-croatia"))
	says(t, text, "example-croatia: Croatia: budget and spending of the central government [synthetic]\n",
		"  dimension administrative-classification (classification administrative)\n",
		"    admin1_code (admin1_label) [14] → admin2_code (admin2_label) [23]\n",
		"  measure approved_value: ", " decimals, ", "\n  example-croatia__2016.csv  ", "  verified  2016\n", "\n  2016  ")
	if made, _ := os.ReadDir("."); len(made) != 0 {
		t.Errorf("it made %v", made)
	}
}

func TestVariables_AreFlagsAndFlagsWin(t *testing.T) {
	one, other := freshDuckDB(t), freshDuckDB(t)
	t.Setenv("FISCUBE_DB", one)
	must(t, "load", small())
	says(t, must(t, "list"), "budget")
	if text := must(t, "list", "--db", other); strings.Contains(text, "budget") {
		t.Errorf("the variable wins over the flag:\n%s", text)
	}
	t.Setenv("FISCUBE_SEED", "perhaps")
	fails(t, exitUsage, []string{"serve"}, "the variable FISCUBE_SEED", "perhaps")
	must(t, "list") // which has no flag --seed
}

func TestVariables_AreFlagsOfServe(t *testing.T) {
	t.Parallel()
	db := kinds[0].withExamples(t)
	must(t, "remove", "--db", db, "example-croatia") // which is missing then, and loaded
	variables := []string{"FISCUBE_DB=" + db, "FISCUBE_ADDR=127.0.0.1:0", "FISCUBE_SEED=true"}
	s := serving(t, startIn(t, t.TempDir(), variables, "serve"))
	s.servesWithin(t, patience, "example-croatia", 2)
	s.stop(t)
}

func TestMaxDownload_BoundsWhatAURLBrings(t *testing.T) {
	site := httptest.NewServer(http.FileServer(http.Dir(medium()))) // some 10 MB
	defer site.Close()
	path := site.URL + "/datapackage.json"
	want := "the package has more than the 1 MB that may be downloaded; --max-download allows more"
	fails(t, exitRefused, []string{"load", "--db", "duckdb::memory:", "--allow-private", "--max-download", "1", path}, want)
	fails(t, exitUsage, []string{"validate", "--max-download", "0", path}, "it has to be a number of MB, at least 1")
	says(t, must(t, "validate", "--allow-private", path), "budget: ")
	t.Setenv("FISCUBE_MAX_DOWNLOAD", "1")
	r := fiscube(t, "validate", "--allow-private", path)
	says(t, r.err, want)
	says(t, must(t, "serve", "--help"), "--max-download MB", "(default 2048)")
}

func TestServe_APortInUseSaysWhichAndWhatToDo(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	taken := listener.Addr().String()
	onEveryStore(t, func(t *testing.T, db string) {
		fails(t, exitFailed, []string{"serve", "--db", db, "--addr", taken}, taken, "address already in use", "--addr")
	})
}

func TestServe_OutlivesItsPostgres(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.Server(t)
	db := cluster.DSN(t)
	must(t, "load", "--db", db, small())
	s := serve(t, db, "--resident", "0") // answers from memory go on
	cluster.Stop(t)
	for _, path := range []string{"/readyz", "/cubes/budget/aggregate"} {
		if status, body := s.get(t, path); status != 503 {
			t.Errorf("GET %s without PostgreSQL: %d\n%s", path, status, body)
		}
	}
	fails(t, exitFailed, []string{"list", "--db", db}, "PostgreSQL cannot be reached")
	cluster.Start(t)
	s.servesWithin(t, patience, "budget", 1)
	eventually(t, "the server answers again", patience, func() bool {
		status, _ := s.get(t, "/readyz")
		return status == 200
	})
	s.agree(t, "budget", "Year", addUp(t, os.DirFS(small()), []string{"Year"})[0])
	s.stop(t)
}

// A server that is started before its database waits for it; one that the database refuses ends at once.
func TestServe_WaitsForItsPostgres(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.Server(t)
	db := cluster.DSN(t)
	must(t, "load", "--db", db, small())
	nowhere := strings.Replace(db, "fiscube_test_", "nowhere_", 1)
	fails(t, exitFailed, []string{"serve", "--db", nowhere, "--addr", "127.0.0.1:0"}, "PostgreSQL cannot be reached", "nowhere_", "does not exist")
	cluster.Stop(t)
	early := start(t, "serve", "--db", db, "--addr", "127.0.0.1:0")
	eventually(t, "the server waits for its database", patience, func() bool {
		return strings.Contains(early.err.String(), "waiting for the database")
	})
	stopped := start(t, "serve", "--db", db, "--addr", "127.0.0.1:0")
	eventually(t, "another waits", patience, func() bool {
		return strings.Contains(stopped.err.String(), "waiting for the database")
	})
	stopped.send(t, syscall.SIGTERM)
	stopped.succeed(t)
	cluster.Start(t)
	s := serving(t, early)
	s.servesWithin(t, patience, "budget", 1)
	s.stop(t)
}

// Packages and versions are compared alike, also by a server that has the file open, and no store keeps what was only compared.
func TestDiff_ComparesPackagesAndVersions(t *testing.T) {
	db, before, after := freshDuckDB(t), handFolder(t), handFolder(t)
	write(filepath.Join(after, "late.csv"), []byte(strings.Replace(handLate, "90.00,45.00\r\n2022,3,Parks", "91.50,45.00\r\n2022,2,Parks", 1)))
	told := func(a, b string) string {
		t.Helper()
		text := must(t, "diff", "--db", db, a, b)
		return strings.Join(strings.Fields(strings.NewReplacer(a, "A", b, "B").Replace(text)), " ")
	}
	want := told(before, after)
	says(t, want, "A: 6 of 6 lines count B: 6 of 6 lines count 1 row is new, 1 row is gone and 1 row has another amount.", "Rows: 1 new, 1 gone, 1 changed, 4 the same", "2022 approved (EUR) 95.00 96.50 +1.50",
		"The differences of all rows add up exactly", "90.00 91.50 +1.50", "gone 2022 Trees 3/01/– 5.00 – −5.00", "new 2022 Trees 2/01/– – 5.00 +5.00")
	if _, err := os.Stat(fileOf(db)); err == nil {
		t.Error("it made a store")
	}
	must(t, "load", "--db", db, before)
	must(t, "load", "--db", db, after)
	compare := func() {
		t.Helper()
		for _, sides := range [][2]string{{"hand@1", "hand"}, {"hand@1", after}, {before, "hand@2"}} {
			if got := told(sides[0], sides[1]); got != want {
				t.Errorf("%v: %s\nwant %s", sides, got, want)
			}
		}
	}
	compare()
	serve(t, db)
	compare()
	says(t, must(t, "diff", "--db", db, "--format", "json", "--rows", "1", "hand@2", "hand@1"), `"approved.difference":-1.50`, `"adds_up":true`)
	fails(t, exitUnknown, []string{"diff", "--db", db, "hand@7", "hand"}, "hand has no version 7")
}
