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
	"runtime"
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

// loadMemory is what DuckDB takes at most while its process does nothing but load: it would keep all that it has written as long as there is
// memory.
const loadMemory = "128MB"

// ForLoads gives the address of a store for a process that does nothing but load. An embedded one in a file takes little memory, and leaves a
// processor to what reads the files: DuckDB's threads wait for each other without a pause, and so would take it for nothing. What the address
// says itself applies.
func ForLoads(address string) string {
	path, ok := EmbeddedPath(address)
	if !ok || path == duckdb.Memory {
		return address
	}
	for _, option := range []string{"memory=" + loadMemory, "threads=" + strconv.Itoa(max(1, runtime.GOMAXPROCS(0)-1))} {
		name, _, _ := strings.Cut(option, "=")
		switch given := setting.FindString(address); {
		case given == "":
			address += "?" + option
		case !strings.Contains(given, name+"="):
			address += "&" + option
		}
	}
	return address
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
