package e2e

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/store"
)

const secret = "a-token-of-the-tests"

// serveWithToken starts a server that takes packages.
func serveWithToken(t testing.TB, db string, flags ...string) *service {
	t.Helper()
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, flags...)
	return serving(t, startIn(t, t.TempDir(), []string{"FISCUBE_TOKEN=" + secret, "TMPDIR=" + t.TempDir()}, args...))
}

// tokenFile holds the token as an editor leaves it.
func tokenFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	write(path, []byte(secret+"\n"))
	return path
}

// there completes a command line for the server.
func (s *service) there(t testing.TB, args ...string) []string {
	t.Helper()
	return append(args, "--server", s.url, "--token-file", tokenFile(t))
}

// zipped packs files into a zip outside their folder.
func zipped(t testing.TB, files map[string][]byte) (path string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range files {
		_, err := sure(w.Create(name)).Write(content)
		check(err)
	}
	check(w.Close())
	path = filepath.Join(t.TempDir(), "package.zip")
	write(path, b.Bytes())
	return path
}

// zippedFolder packs a whole folder.
func zippedFolder(t testing.TB, folder string) (path string) {
	t.Helper()
	files := map[string][]byte{}
	check(filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[filepath.ToSlash(sure(filepath.Rel(folder, path)))] = sure(os.ReadFile(path))
		}
		return err
	}))
	return zipped(t, files)
}

func TestLoadServer_LoadsAndRemoves(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serveWithToken(t, db)
		uruguay := unpacked(t, "example-uruguay")
		text := must(t, s.there(t, "load", small(), uruguay)...)
		says(t, text, "budget: version 1, ", " rows from 1 files, in ", "example-uruguay: version 1, ", "\n  RESOURCE ", "  verified  ",
			"\n  Control totals: ")
		s.agree(t, "budget", "Year", addUp(t, os.DirFS(small()), []string{"Year"})[0])
		says(t, must(t, s.there(t, "load", zippedFolder(t, small()))...), "budget: version 1 holds exactly this already; nothing to do\n")
		says(t, must(t, s.there(t, "load", filepath.Join(small(), "datapackage.json"))...), "nothing to do\n")
		says(t, must(t, s.there(t, "load", grown(t, "budget", 2))...), "budget: version 2, ")
		says(t, must(t, s.there(t, "load", small())...), "budget: version 1 holds exactly this and is served again\n")
		if got := must(t, s.there(t, "remove", "budget")...); got != "budget is removed\n" || s.version(t, "budget") != 0 {
			t.Errorf("it says %q", got)
		}
		fails(t, exitUnknown, s.there(t, "remove", "example-urugua"), `no cube "example-urugua" (did you mean example-uruguay?)`)
		s.stop(t)
		if log := s.String(); strings.Contains(log, secret) {
			t.Errorf("the token is in\n%s", log)
		}
	})
}

// A package that is refused is refused in the same words, wherever it is loaded.
func TestLoadServer_RefusesAPackageInTheSameWords(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serveWithToken(t, db)
	broken := unpacked(t, "example-croatia")
	paths := sure(filepath.Glob(filepath.Join(broken, "data", "*.csv")))
	write(paths[0], append(sure(os.ReadFile(paths[0])), "too,few,cells\n"...))
	check(os.Remove(paths[1]))
	for name, pkg := range map[string]string{"folder": broken, "zip": zippedFolder(t, broken)} {
		here := fiscube(t, "load", "--db", freshDuckDB(t), pkg)
		here.err = strings.ReplaceAll(here.err, "no such file or directory", "file does not exist") // as a zip says it
		there := fiscube(t, s.there(t, "load", pkg)...)
		if here.code != exitRefused || there.code != exitRefused || there.err != here.err || there.out != "" {
			t.Errorf("%s: here %d\n%s\nthere %d\n%s%s", name, here.code, here.err, there.code, there.out, there.err)
		}
		says(t, there.err, "[cell-count]", "[missing-file]")
	}
	fails(t, exitRefused, s.there(t, "load", t.TempDir()), "datapackage.json cannot be read")
	fails(t, exitRefused, s.there(t, "load", filepath.Join(t.TempDir(), "none")), "none cannot be read: no such file or directory")
	nonsense := t.TempDir()
	write(filepath.Join(nonsense, "datapackage.json"), []byte(`{"name": 1}`))
	fails(t, exitRefused, s.there(t, "load", nonsense), nonsense)
	if s.version(t, "example-croatia") != 0 {
		t.Error("it was loaded all the same")
	}
	s.stop(t)
}

func TestLoadServer_RefusesHostilePackages(t *testing.T) {
	t.Parallel()
	s := serveWithToken(t, freshDuckDB(t), "--max-upload", "1")
	descriptor := sure(os.ReadFile(filepath.Join(small(), "datapackage.json")))
	noise := make([]byte, 2<<20)
	_, _ = rand.Read(noise)
	large := t.TempDir()
	write(filepath.Join(large, "datapackage.json"), descriptor)
	write(filepath.Join(large, "data", "budget.csv"), noise)
	for name, test := range map[string]struct {
		code int
		path string
		want string
	}{
		"bomb": {exitRefused, zipped(t, map[string][]byte{"datapackage.json": descriptor, "data/budget.csv": make([]byte, 64<<20)}),
			"too many for its size"},
		"escape":           {exitRefused, zipped(t, map[string][]byte{"datapackage.json": descriptor, "../../evil.csv": nil}), "leads out of a folder"},
		"absolute":         {exitRefused, zipped(t, map[string][]byte{"datapackage.json": descriptor, "/etc/cron.d/evil": nil}), "is no path in it"},
		"nothing":          {exitRefused, zipped(t, map[string][]byte{"x": nil}), "it holds no datapackage.json"},
		"no zip":           {exitRefused, filepath.Join(small(), "data", "budget.csv"), "what was sent is no zip"},
		"too large":        {exitFailed, zipped(t, map[string][]byte{"datapackage.json": noise}), "more than the 1048576 bytes that this server takes"},
		"too large folder": {exitFailed, large, "more than the 1048576 bytes that this server takes"},
		"loopback":         {exitRefused, "https://127.0.0.1:1/datapackage.json", "its address is private or local"},
		"name of loopback": {exitRefused, "https://localhost/package.zip", "its address is private or local"},
		"of IPv6":          {exitRefused, "https://[::1]/datapackage.json", "its address is private or local"},
		"mapped":           {exitRefused, "https://[::ffff:10.0.0.1]/datapackage.json", "its address is private or local"},
		"of a cloud":       {exitRefused, "https://169.254.169.254/latest/meta-data", "its address is private or local"},
		"unencrypted":      {exitFailed, "http://127.0.0.1:1/datapackage.json", "url is not the https URL"},
		"of a file":        {exitFailed, "file:///etc/passwd", "url is not the https URL"},
	} {
		r := fiscube(t, s.there(t, "load", test.path)...)
		if r.code != test.code || !strings.Contains(r.err, test.want) || strings.Contains(r.err, "fiscube-upload") {
			t.Errorf("%s: exit code %d and\n%s%s", name, r.code, r.out, r.err)
		}
	}
	if status, body := s.get(t, "/cubes"); status != http.StatusOK || !strings.Contains(string(body), `"cubes":[]`) {
		t.Errorf("something was loaded: %s", body)
	}
	s.stop(t)
}

func TestLoadServer_WithoutTheToken(t *testing.T) {
	t.Parallel()
	off, on := serve(t, freshDuckDB(t)), serveWithToken(t, freshDuckDB(t))
	fails(t, exitFailed, off.there(t, "load", small()), "takes no packages and no removals: it was started without a token")
	fails(t, exitFailed, off.there(t, "remove", "budget"), "takes no packages and no removals: it was started without a token")
	wrong := []string{"--server", on.url, "--token", "wrong-token-wrong-token"}
	for _, command := range [][]string{{"load", small()}, {"remove", "budget"}} {
		r := fiscube(t, append(command, wrong...)...)
		if r.code != exitFailed || !strings.Contains(r.err, "this is not the token of the server") || strings.Contains(r.err, "wrong-token") {
			t.Errorf("%v: exit code %d: %s", command, r.code, r.err)
		}
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }))
	defer page.Close()
	fails(t, exitFailed, []string{"load", small(), "--server", page.URL, "--token", secret},
		"answers something unknown: invalid character '<' looking for beginning of value; is it a fiscube server?")
	redirecting := httptest.NewServer(http.RedirectHandler(on.url, http.StatusPermanentRedirect))
	defer redirecting.Close()
	fails(t, exitFailed, []string{"load", small(), "--server", redirecting.URL, "--token", secret}, "answers 308 Permanent Redirect; is it a fiscube server?")
	fails(t, exitFailed, []string{"load", small(), "--server", "http://127.0.0.1:1", "--token", secret}, "127.0.0.1:1 cannot be asked: ")
	on.stop(t)
	off.stop(t)
}

func TestToken_IsNotGivenAway(t *testing.T) {
	short := filepath.Join(t.TempDir(), "short")
	write(short, []byte("short"))
	empty := filepath.Join(t.TempDir(), "empty")
	write(empty, nil)
	for _, test := range []struct {
		code       int
		line, want string
	}{
		{exitUsage, "load x --server http://budgets.example.org --token " + secret, "the token would be sent to budgets.example.org unencrypted"},
		{exitUsage, "remove x --server http://10.0.0.1:8080 --token " + secret, "the token would be sent to 10.0.0.1:8080 unencrypted"},
		{exitUsage, "remove x --server http://localhost.example.org --token " + secret, "unencrypted"},
		{exitUsage, "load x --server budgets.example.org --token " + secret, "--server has to be"},
		{exitUsage, "load x --server https://name:" + secret + "@example.org --token " + secret, "--server has to be"},
		{exitUsage, "load x --server ://" + secret + " --token " + secret, "--server has to be"},
		{exitUsage, "load x --server https://example.org", "--server needs the token of the server"},
		{exitUsage, "load x --server https://example.org --token " + secret + " --token-file " + short, "not both"},
		{exitUsage, "load x --server https://example.org --encoding utf-8 --token " + secret, "--encoding does not go with --server"},
		{exitUsage, "serve --token short", "can be guessed"},
		{exitUsage, "serve --token-file " + short, "can be guessed"},
		{exitUsage, "serve --token " + secret + "\n" + secret, "without spaces"},
		{exitUsage, "serve --max-upload 0 --token " + secret, "--max-upload has to be at least 1"},
		{exitFailed, "serve --token-file " + empty, "is empty"},
		{exitFailed, "serve --token-file " + filepath.Join(t.TempDir(), "none"), "no such file"},
	} {
		r := fiscube(t, strings.Split(test.line, " ")...)
		if r.code != test.code || !strings.Contains(r.err, test.want) || strings.Contains(r.err, secret) {
			t.Errorf("%s: exit code %d: %s", test.line, r.code, r.err)
		}
	}
	for _, command := range []string{"serve", "load", "remove"} {
		t.Setenv("FISCUBE_TOKEN", secret)
		if text := must(t, command, "--help"); strings.Contains(text, secret) {
			t.Errorf("the help of %s has the token", command)
		}
	}
}

// A network that comes back is waited for; a server that forgot the job is not.
func TestLoadServer_ForgetsTheJob(t *testing.T) {
	t.Parallel()
	misses := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch misses++; {
		case r.Method == http.MethodPost:
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, `{"id": "one", "state": "waiting"}`)
		case misses < 4:
			w.WriteHeader(http.StatusBadGateway)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"code": "unknown-job", "message": "no job \"one\""}`)
		}
	}))
	defer server.Close()
	began := time.Now()
	fails(t, exitFailed, []string{"load", small(), "--server", server.URL, "--token", secret}, `no job "one"`, "what came of the load, job one, is not known")
	if misses != 4 || time.Since(began) > patience {
		t.Errorf("it asked %d times in %s", misses, time.Since(began))
	}
}

// job is what these tests read of a job of a server.
type job struct {
	ID, State string
	Progress  *struct {
		Stage string
		Bytes int64
		Total int64 `json:"total_bytes"`
	}
}

// hasEnded says whether the job is over.
func (j job) hasEnded() bool { return j.State != "waiting" && j.State != "running" }

// job asks for a job as it is now.
func (s *service) job(t testing.TB, id string) (now job) {
	t.Helper()
	request := sure(http.NewRequest(http.MethodGet, s.url+"/jobs/"+id, nil))
	request.Header.Set("Authorization", "Bearer "+secret)
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	defer func() { _ = response.Body.Close() }()
	check(json.NewDecoder(response.Body).Decode(&now))
	return now
}

// submit sends a zip and gives its job.
func (s *service) submit(t testing.TB, path string) (made job) {
	t.Helper()
	request := sure(http.NewRequest(http.MethodPost, s.url+"/cubes", sure(os.Open(path))))
	request.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/zip"}}
	response := sure(client.Do(request))
	defer func() { _ = response.Body.Close() }()
	check(json.NewDecoder(response.Body).Decode(&made))
	if response.StatusCode != http.StatusAccepted {
		t.Fatalf("%s: %+v", response.Status, made)
	}
	return made
}

// A server that is stopped in the middle of a load leaves nothing of it.
func TestServe_StoppingUndoesTheLoadUnderWay(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		before := tables(t, db)
		s := serveWithToken(t, db)
		sent := zippedFolder(t, big())
		job, waiting := s.submit(t, sent), s.submit(t, sent)
		seen := map[string]bool{}
		eventually(t, "the rows are being loaded", patience, func() bool {
			now := s.job(t, job.ID)
			if now.hasEnded() {
				t.Fatalf("the load ended too early: %+v", now)
			}
			if now.Progress != nil {
				seen[now.Progress.Stage] = seen[now.Progress.Stage] || now.Progress.Bytes > 0 && now.Progress.Total > 0
			}
			return seen["Loading"]
		})
		if now := s.job(t, waiting.ID); now.State != "waiting" {
			t.Errorf("the second is %s beside the first", now.State)
		}
		s.stop(t)
		for _, id := range []string{job.ID, waiting.ID} {
			if !regexp.MustCompile(`\b` + id + `\b.*\bstate\b.*\bcancelled\b`).MatchString(s.err.String()) {
				t.Errorf("the log does not say that %s was cancelled:\n%s", id, s)
			}
		}
		if after := tables(t, db); len(after) != len(before) {
			t.Errorf("tables %q became %q", before, after)
		}
		if list := must(t, "versions", "--db", db, "budget"); strings.Count(list, "\n") != 2 {
			t.Errorf("the versions are\n%s", list)
		}
	})
}

// A user who stops the command reads that the load goes on.
func TestLoadServer_CtrlCLeavesTheLoadToTheServer(t *testing.T) {
	t.Parallel()
	s := serveWithToken(t, freshDuckDB(t))
	load := start(t, s.there(t, "load", big())...)
	accepted := regexp.MustCompile(`status"?[=:]202`)
	eventually(t, "the server has the package", patience, func() bool { return accepted.MatchString(s.err.String()) })
	load.send(t, os.Interrupt)
	if code := load.exit(t); code != exitFailed {
		t.Errorf("exit code %d: %s", code, load)
	}
	job := regexp.MustCompile(`stopped; the server goes on with the load, as job (\w+)`).FindStringSubmatch(load.err.String())
	if job == nil {
		t.Fatalf("it says %s", load)
	}
	s.servesWithin(t, patience, "budget", 1)
	s.stop(t)
}

// A user who stops the command while the server has the package, and has not answered yet, reads the answer all the same.
func TestLoadServer_CtrlCBetweenThePackageAndItsJob(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{small(), zippedFolder(t, small())} {
		received, stopped := make(chan struct{}), make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if r.Method == http.MethodPost { // whoever has not heard of the signal after the answer follows the job
				close(received)
				<-stopped
				time.Sleep(300 * time.Millisecond) // for the signal to arrive
				w.WriteHeader(http.StatusAccepted)
			}
			_, _ = io.WriteString(w, `{"id": "one", "state": "waiting"}`)
		}))
		load := start(t, "load", sent, "--server", server.URL, "--token", secret)
		select {
		case <-received:
		case <-load.ended:
			t.Fatalf("it ended before it had sent anything: %s", load)
		}
		load.send(t, os.Interrupt)
		close(stopped)
		if code := load.exit(t); code != exitFailed {
			t.Errorf("exit code %d: %s", code, load)
		}
		says(t, load.err.String(), "stopped; the server goes on with the load, as job one")
		server.Close()
	}
}

func TestLoadServer_TheSameCubeAtOnceIsOneVersion(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serveWithToken(t, db)
		loads := []*process{
			start(t, s.there(t, "load", small())...), start(t, s.there(t, "load", small())...),
			start(t, "load", "--db", db, small()), // by another process, or handed over
		}
		loaded := 0
		for _, load := range loads {
			text := load.succeed(t)
			loaded += strings.Count(text, "budget: version 1, ")
			says(t, text, "budget: version 1")
		}
		if loaded != 1 || s.version(t, "budget") != 1 {
			t.Errorf("it was loaded %d times, and version %d is served", loaded, s.version(t, "budget"))
		}
		s.stop(t)
	})
}

// An upload may go on while the server stops, but its package is not taken any more.
func TestServe_StoppingDuringAnUpload(t *testing.T) {
	t.Parallel()
	s := serveWithToken(t, freshDuckDB(t))
	body, feed := io.Pipe()
	request := sure(http.NewRequest(http.MethodPost, s.url+"/cubes", body))
	request.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/zip"}}
	status := make(chan int, 1)
	go func() {
		response, err := client.Do(request)
		if err != nil {
			status <- 0
			return
		}
		_ = response.Body.Close()
		status <- response.StatusCode
	}()
	_, err := feed.Write([]byte("PK\x03\x04"))
	check(err)
	eventually(t, "the server takes the package", patience, func() bool {
		_, metrics := s.get(t, "/metrics")
		return strings.Contains(string(metrics), "fiscube_loads_waiting 1\n")
	})
	s.send(t, syscall.SIGTERM)
	eventually(t, "the server takes no more requests", patience, func() bool {
		response, err := http.Get(s.url + "/healthz")
		if err == nil {
			_ = response.Body.Close()
		}
		return err != nil
	})
	check(feed.Close())
	if got := <-status; got != http.StatusServiceUnavailable {
		t.Errorf("a package that comes when the server stops is answered with %d", got)
	}
	s.succeed(t)
}

// fileOf gives the path of an embedded store's file.
func fileOf(db string) string {
	path, _ := store.EmbeddedPath(db)
	return path
}

// server is the content of FILE.server, which a server leaves beside its embedded file.
type server struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// leave writes FILE.server.
func leave(db string, s server) { write(fileOf(db)+".server", sure(json.Marshal(s))) }

// leftBy reads FILE.server.
func leftBy(t *testing.T, db string) (left server) {
	t.Helper()
	data, err := os.ReadFile(fileOf(db) + ".server")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &left); err != nil {
		t.Fatal(err)
	}
	return left
}

func TestHandOver_RunsTheCommandsOfOthers(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	says(t, must(t, "load", "--db", db, small(), unpacked(t, "example-uruguay")), "budget: version 1, ", "example-uruguay: version 1, ")
	says(t, must(t, "load", "--db", db, small()), "nothing to do")
	says(t, must(t, "list", "--db", db), " IN MEMORY ", "\nbudget ", "\nexample-uruguay ")
	says(t, must(t, "versions", "--db", db, "budget"), "\nbudget ")
	says(t, must(t, "migrate", "--db", db), "the store is up to date")
	says(t, must(t, "remove", "--db", db, "budget"), "budget is removed")
	fails(t, exitUnknown, []string{"remove", "--db", db, "budget"}, `no cube "budget"`)
	fails(t, exitRefused, []string{"load", "--db", db, t.TempDir()}, "datapackage.json cannot be read")
	if s.version(t, "budget") != 0 || s.version(t, "example-uruguay") != 1 {
		t.Error("the server does not serve what the commands left")
	}
	s.stop(t)
}

// Series that are added beside a server are used at once, and no answer from before is given again.
func TestHandOver_AddsSeries(t *testing.T) {
	t.Parallel()
	db, folder := freshDuckDB(t), t.TempDir()
	s := serve(t, db)
	must(t, "load", "--db", db, unpacked(t, "example-uruguay"))
	const comments = "# title: Prices\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\n"
	write(filepath.Join(folder, "prices.csv"), []byte(comments+"country,year,index\nURY,2018,50\nURY,2019,100\n"))
	write(filepath.Join(folder, "wrong.csv"), []byte(comments+"country,year,index\nURY,18,50\n"))
	const question = "/cubes/example-uruguay/aggregate?cut=ANO:2018&numbers=string&cite=1&aggregates="
	real := func() (sum, source string) {
		var plain, answer struct {
			Summary map[string]decimal.Decimal
			Series  []struct{ Name, Source string }
		}
		s.read(t, question+"MONTO_APROBADO.sum", &plain)
		s.read(t, question+"real(MONTO_APROBADO.sum,2019)", &answer)
		return answer.Summary["real(MONTO_APROBADO.sum,2019)"].Div(plain.Summary["MONTO_APROBADO.sum"]).Round(2).String(), answer.Series[0].Source
	}
	if rise, source := real(); rise != "1.08" || !strings.HasPrefix(source, "World Bank") {
		t.Errorf("prices rose by %s, as %s says", rise, source)
	}
	says(t, startIn(t, folder, nil, "series", "add", "--db", db, "prices.csv").succeed(t), "prices URY: index, 2018 to 2019, us, 2025-07-01, CC0-1.0 (added)")
	if rise, source := real(); rise != "2" || source != "us" {
		t.Errorf("prices rose by %s, as %s says", rise, source)
	}
	says(t, must(t, "series", "--db", db), "prices URY: ", "inflation HRV: annual_percent, 2000 to 2023, World Bank")
	fails(t, exitRefused, []string{"series", "add", "--db", db, filepath.Join(folder, "wrong.csv")}, `wrong: line 6: "18" is no year`)
	fails(t, exitRefused, []string{"series", "add", "--db", db, filepath.Join(folder, "none.csv")}, "none.csv cannot be read")
	says(t, must(t, "series", "remove", "--db", db, "prices"), "prices is removed")
	if rise, _ := real(); rise != "1.08" {
		t.Errorf("without the series prices rose by %s", rise)
	}
	s.stop(t)
}

// The server runs in a folder of its own.
func TestHandOver_APathIsThatOfTheCommand(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	folder, name := filepath.Split(small())
	load := startIn(t, folder, nil, "load", "--db", db, name)
	says(t, load.succeed(t), "budget: version 1, ")
	s.stop(t)
}

func TestHandOver_TheServerFileIsForItsUserAlone(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	path := fileOf(db) + ".server"
	if err := os.WriteFile(path, []byte("of a server long gone"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, db)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	left := leftBy(t, db)
	if !strings.HasPrefix(left.Address, "127.0.0.1:") || len(left.Token) < 26 {
		t.Errorf("it says %+v", left)
	}
	s.stop(t)
}

func TestHandOver_RefusesAWrongToken(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	left := leftBy(t, db)
	for _, token := range []string{"", "Bearer", "Bearer ", "Bearer wrong", left.Token, "Bearer " + left.Token + "x"} {
		if status := left.post(t, token, `{"args": ["load", "x"]}`); status != http.StatusForbidden {
			t.Errorf("the token %q is answered with %d", token, status)
		}
	}
	for _, body := range []string{"", "{}", `{"args": ["serve"]}`, `{"args": ["validate", "/etc"]}`, `{"args": ["--help"]}`} {
		if status := left.post(t, "Bearer "+left.Token, body); status != http.StatusBadRequest {
			t.Errorf("%s is answered with %d", body, status)
		}
	}
	leave(db, server{left.Address, "wrong"})
	fails(t, exitFailed, []string{"load", "--db", db, small()}, "the server that has "+fileOf(db)+" open refused the command: 403")
	if s.version(t, "budget") != 0 {
		t.Error("it was loaded all the same")
	}
	s.stop(t)
}

// post sends an order with a header Authorization.
func (s server) post(t *testing.T, authorization, body string) (status int) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, "http://"+s.Address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", authorization)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func TestHandOver_TheServerFileOfAKilledServerDoesNoHarm(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	must(t, "load", "--db", db, small())
	old := leftBy(t, db)
	s.kill(t)
	if leftBy(t, db) != old {
		t.Fatal("the killed server left nothing")
	}
	says(t, must(t, "list", "--db", db), "\nbudget ")
	must(t, "load", "--db", db, grown(t, "another", 1))
	next := serve(t, db)
	if leftBy(t, db).Token == old.Token {
		t.Error("the next server has the token of the last")
	}
	must(t, "remove", "--db", db, "another")
	if next.version(t, "budget") != 1 || next.version(t, "another") != 0 {
		t.Error("the next server does not serve what the commands left")
	}
	next.stop(t)
}

func TestServe_ASecondServerSaysThatTheFileIsInUse(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	left := leftBy(t, db)
	fails(t, exitFailed, []string{"serve", "--db", db, "--addr", "127.0.0.1:0"}, "another process has "+fileOf(db)+" open")
	if leftBy(t, db) != left {
		t.Error("the second server took the file of the first")
	}
	must(t, "list", "--db", db)
	s.stop(t)
}
