// Package apitest asks the service over HTTP in tests of other packages, which may not know HTTP themselves.
package apitest

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/api/limits"
)

// Serve serves a store as the program does by default, and gives what asks it for a path: over one connection,
// which is kept, with an answer that is read to its end and not compressed.
func Serve(t testing.TB, store api.Store) (get func(path string) ([]byte, error)) {
	t.Helper()
	server := httptest.NewServer(api.New(store, api.Options{
		Log:    slog.New(slog.NewJSONHandler(io.Discard, nil)),
		Limits: limits.Options{Query: 30 * time.Second, Queries: 16, Queue: 64},
	}))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	t.Cleanup(client.CloseIdleConnections)
	return func(path string) ([]byte, error) { return read(client, server.URL+path) }
}

func read(client *http.Client, url string) ([]byte, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %s", url, response.Status, body)
	}
	return body, err
}
