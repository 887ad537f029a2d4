// Package store opens the store that an address names. PostgreSQL is the system of record of a deployment;
// the embedded DuckDB needs no setup.
package store

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/duckdb"
	"fiscube/store/postgres"
	"fiscube/store/sqlgen"
)

// Default is the address used when none is given: a file in the working folder.
const Default = "duckdb:fiscube.duckdb"

// Store is a store that is closed when done.
type Store interface {
	catalogue.Store
	io.Closer

	// Ask gives the rows of a query in SQL as they are read.
	Ask(ctx context.Context, query sqlgen.SQL) iter.Seq2[[]any, error]
}

// Open opens the store at an address: duckdb:PATH or duckdb::memory:, both perhaps with ?threads=N&memory=SIZE, or postgres://….
// Options are those of a store of PostgreSQL; the embedded store has all of its settings in its address.
func Open(ctx context.Context, address string, options postgres.Options, log *slog.Logger) (Store, error) {
	if path, ok := EmbeddedPath(address); ok && path != "" && !strings.Contains(path, "://") {
		options, err := embeddedOptions(address)
		if err != nil {
			return nil, err
		}
		return opened(duckdb.Open(ctx, path, options, log))
	}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return opened(postgres.Open(ctx, address, options, log))
	}
	return nil, cube.Errorf(cube.CodeBadValue,
		"%q names no store: use duckdb:PATH, duckdb::memory: or postgres://host/database", named(address))
}

// Temporary makes an empty store of the kind that an address names, with its settings, and gives its address and what drops it.
func Temporary(ctx context.Context, address string) (made string, drop func() error, err error) {
	if _, embedded := EmbeddedPath(address); !embedded {
		return postgres.Temporary(ctx, address)
	}
	folder, err := os.MkdirTemp("", "fiscube-")
	_, settings, _ := strings.Cut(address, "?")
	return strings.TrimSuffix("duckdb:"+filepath.Join(folder, "temporary.duckdb")+"?"+settings, "?"), func() error { return os.RemoveAll(folder) }, err
}

// named is as much of an address as a message may repeat: no name, password or parameter.
func named(address string) string {
	scheme, rest, isURL := strings.Cut(address, ":")
	switch {
	case isURL && strings.HasPrefix(rest, "//"):
		return scheme + "://…"
	case strings.ContainsAny(address, "@=?"):
		return "…"
	}
	return address
}

// opened keeps a nil pointer from becoming a Store that looks open.
func opened[S Store](s S, err error) (Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// EmbeddedPath gives the path of the file that an address of the embedded store names.
func EmbeddedPath(address string) (path string, ok bool) {
	path, ok = strings.CutPrefix(address, "duckdb:")
	return strings.TrimSuffix(path, setting.FindString(path)), ok
}

// setting is what may be behind the path in an address of the embedded store.
var setting = regexp.MustCompile(`\?[a-z_]+=[^?/]*$`)

// Bounded gives an address by which an embedded store in a file takes at most so much memory, unless the address says how much.
func Bounded(address, size string) string {
	path, ok := EmbeddedPath(address)
	given := setting.FindString(address)
	switch {
	case !ok || path == duckdb.Memory || strings.Contains(given, "memory="):
		return address
	case given == "":
		return address + "?memory=" + size
	}
	return address + "&memory=" + size
}

// mostThreads is more than any machine has use for.
const mostThreads = 1024

// size is how much memory a setting may name.
var size = regexp.MustCompile(`^[1-9][0-9]{0,5}(MB|GB)$`)

func embeddedOptions(address string) (options duckdb.Options, err error) {
	text := setting.FindString(address)
	if text == "" {
		return options, nil
	}
	given, err := url.ParseQuery(text[1:])
	for name, values := range given {
		switch {
		case name == "threads":
			options.Threads, err = strconv.Atoi(values[0])
			if options.Threads < 1 || options.Threads > mostThreads {
				err = strconv.ErrRange
			}
		case name == "memory" && size.MatchString(values[0]):
			options.Memory = values[0]
		default:
			err = strconv.ErrSyntax
		}
		if err != nil || len(values) > 1 {
			return options, cube.Errorf(cube.CodeBadValue, "%q is no setting of an embedded store: write ?threads=N, with N from 1 to %d, "+
				"?memory=SIZE, as 256MB, or both with & between them", text, mostThreads)
		}
	}
	return options, err
}
