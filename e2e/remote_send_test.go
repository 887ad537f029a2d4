package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
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
