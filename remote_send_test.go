package main

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCommandLinesThatWouldGiveTheTokenAway(t *testing.T) {
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

// A command that is handed over does not take the token of its user along.
func TestTheTokenIsNotHandedOver(t *testing.T) {
	command := (&program{}).loadCommand()
	check(command.ParseFlags([]string{"--token", secret, "--token-file", "x", "--insecure", "--verbose"}))
	if given := strings.Join(givenFlags(command.Flags()), " "); given != "--verbose=true" {
		t.Errorf("it hands over %s", given)
	}
}

// Whatever the folder of a package holds beside it stays there.
func TestOnlyThePackageIsSent(t *testing.T) {
	folder := unpacked(t, "example-croatia")
	write(filepath.Join(folder, "overlay.yaml"), []byte("applies: {name: [example-croatia]}\n"))
	write(filepath.Join(folder, ".git", "config"), []byte("secret"))
	write(filepath.Join(folder, "data", "private.csv"), []byte("secret"))
	paths := sure(filepath.Glob(filepath.Join(folder, "data", "example*.csv")))
	check(os.Rename(paths[0], paths[0]+".gz"))
	check(os.Remove(paths[1]))
	names := entriesOf(t, folder, "")
	for name, want := range map[string]bool{
		"datapackage.json": true, "overlay.yaml": true, "data/private.csv": false, ".git/config": false,
		"data/" + filepath.Base(paths[0]) + ".gz": true, "data/" + filepath.Base(paths[1]): false, "data/" + filepath.Base(paths[2]): true,
	} {
		if _, sent := names[name]; sent != want {
			t.Errorf("%s: sent %v, want %v", name, sent, want)
		}
	}
	other := filepath.Join(t.TempDir(), "other.yaml")
	write(other, []byte("other"))
	if got := entriesOf(t, folder, other)["overlay.yaml"]; got != "other" {
		t.Errorf("the overlay is %q", got)
	}
	check(os.Symlink("/etc/passwd", paths[1]))
	fails(t, exitRefused, []string{"load", folder, "--server", "http://127.0.0.1:1", "--token", secret}, "cannot be read: ")
}

// entriesOf packs a folder and reads the zip again.
func entriesOf(t *testing.T, folder, overlay string) map[string]string {
	t.Helper()
	z, err := pack(folder, true, overlay)
	if err != nil {
		t.Fatal(err)
	}
	defer z.close()
	told := &told{}
	content := sure(io.ReadAll(z.stream(told)))
	entries := map[string]string{}
	for _, f := range sure(zip.NewReader(bytes.NewReader(content), int64(len(content)))).File {
		entries[f.Name] = string(sure(io.ReadAll(sure(f.Open()))))
	}
	if told.bytes != z.total() {
		t.Errorf("%d bytes are told of, and %d read", told.bytes, z.total())
	}
	return entries
}

// told is a progress that writes down what it is told.
type told struct {
	lines       []string
	bytes, rows int64
}

// Begin implements load.Progress.
func (p *told) Begin(stage string, _ int64) { p.lines, p.bytes, p.rows = append(p.lines, stage), 0, 0 }

// Add implements load.Progress.
func (p *told) Add(bytes, rows int64) { p.bytes += bytes; p.rows += rows }

// End implements load.Progress.
func (p *told) End() { p.lines = append(p.lines, "end") }

// What a server tells now and then is shown as if it happened here.
func TestTheProgressOfAServerIsShown(t *testing.T) {
	p := &told{}
	shown := &shownProgress{progress: p}
	for _, now := range []*remoteProgress{
		nil, {"Checking", 10, 100, 1}, {"Checking", 100, 100, 9}, {"Loading", 30, 100, 3}, {"Loading", 60, 100, 6},
	} {
		shown.show(now)
	}
	if p.bytes != 60 || p.rows != 6 {
		t.Errorf("it shows %d bytes and %d rows", p.bytes, p.rows)
	}
	shown.end()
	shown.end()
	if got := strings.Join(p.lines, " "); got != "Checking end Loading end" {
		t.Errorf("it shows %s", got)
	}
}

// A network that comes back is waited for; a server that forgot the job is not.
func TestAServerThatForgotTheJob(t *testing.T) {
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
