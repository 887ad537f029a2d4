package catalogue

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store/sqlgen"
)

// Ask runs a statement on a database or in a transaction and gives the rows it answers with. A row is valid until the
// next. Its errors are fit for a caller.
type Ask func(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error]

// rows runs a statement for the purpose named and gives its rows.
func (a Ask) rows(ctx context.Context, purpose, statement string, args ...any) ([][]any, error) {
	var rows [][]any
	for row, err := range a(ctx, sqlgen.SQL{Text: statement, Args: args}) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", purpose, err)
		}
		rows = append(rows, slices.Clone(row))
	}
	return rows, nil
}

// Reader reads the versions of a store. It holds what it has read of them, so that the catalogue can be read every few
// seconds: of a version that is known only what can change is read again. A version never changes but for being served,
// and a number is never used twice; yet after a database was put back to an earlier state the same id may name another
// content, so that a version is known by its fingerprint too.
type Reader struct {
	Ask Ask
	Log *slog.Logger

	known map[string]*cube.Cube
}

// Catalog reads the versions that are not gone. Calls take turns.
func (r *Reader) Catalog(ctx context.Context) (*cube.Catalog, error) {
	keys := make([]string, 0, len(r.known))
	for key := range r.known {
		keys = append(keys, key)
	}
	cubes, err := r.versions(ctx, r.known, selectVersions, keys)
	if err != nil {
		return nil, err
	}
	added, err := readSeries(ctx, r.Ask)
	if err != nil {
		return nil, err
	}
	r.known = make(map[string]*cube.Cube, len(cubes))
	for _, c := range cubes {
		c.Added = added
		r.known[key(c.ID, c.Fingerprint)] = c
	}
	return cube.NewCatalog(cubes), nil
}

// Series reads the series that were added for all packages; nil if there are none.
func (r *Reader) Series(ctx context.Context) (*cube.Added, error) { return readSeries(ctx, r.Ask) }

// Gone lists the versions that wait for their tables to be dropped.
func (r *Reader) Gone(ctx context.Context) ([]*cube.Cube, error) {
	return r.versions(ctx, nil, selectGone)
}

// versions makes versions of the rows of a statement, with what is known of them already. A version whose content this
// program cannot read is left out and logged: one package loaded by a later program must not stop the others.
func (r *Reader) versions(ctx context.Context, known map[string]*cube.Cube, statement string, args ...any) ([]*cube.Cube, error) {
	var cubes []*cube.Cube
	for values, err := range r.Ask(ctx, sqlgen.SQL{Text: statement, Args: args}) {
		if err != nil {
			return nil, fmt.Errorf("read the catalogue: %w", err)
		}
		row := newRow(values)
		if c, ok := known[key(row.id, row.fingerprint)]; ok {
			cubes = append(cubes, row.with(c.Package, c.Report))
		} else if c, err := row.cube(); err == nil {
			cubes = append(cubes, c)
		} else {
			r.Log.Error("a version is left out", "error", err)
		}
	}
	return cubes, nil
}

func key(id int64, fingerprint string) string { return strconv.FormatInt(id, 10) + " " + fingerprint }

// ServedViews defines the views of a package by the version that is served in the transaction.
func ServedViews(ctx context.Context, transaction Ask, name string) ([]sqlgen.View, error) {
	rows, err := transaction.rows(ctx, "look for the served version of "+name, selectServed, name)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no version of %s is served", name)
	}
	version, err := newRow(rows[0]).cube()
	if err != nil {
		return nil, err
	}
	views, err := sqlgen.Views(version)
	if err != nil {
		return nil, fmt.Errorf("define the views of %s: %w", name, err)
	}
	return views, nil
}

// Prune gives up the versions of a package but for the newest and the served one, and gives their numbers in order.
func Prune(ctx context.Context, transaction Ask, name string, keep int) ([]int, error) {
	rows, err := transaction.rows(ctx, "prune "+name, prune, name, keep)
	if err != nil {
		return nil, err
	}
	numbers := each.Of(rows, func(row []any) int { return int(row[0].(int32)) })
	slices.Sort(numbers)
	return numbers, nil
}
