package e2e

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func TestLoadAndRemoveOverHTTP(t *testing.T) {
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
func TestAPackageIsRefusedThereAsHere(t *testing.T) {
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

func TestHostilePackagesOverHTTP(t *testing.T) {
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

func TestAServerThatTakesNothing(t *testing.T) {
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
	stranger := httptest.NewServer(http.RedirectHandler(on.url, http.StatusPermanentRedirect))
	defer stranger.Close()
	fails(t, exitFailed, []string{"load", small(), "--server", stranger.URL, "--token", secret}, "answers 308 Permanent Redirect; is it a fiscube server?")
	fails(t, exitFailed, []string{"load", small(), "--server", "http://127.0.0.1:1", "--token", secret}, "127.0.0.1:1 cannot be asked: ")
	on.stop(t)
	off.stop(t)
}
