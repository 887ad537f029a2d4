package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// The views that SQL tools read (sqlgen.View) read the version that is served, and move to another in the
// transaction that serves it:
//
//  1. A view is made anew in place where its columns allow it: nothing that depends on it notices. Columns that are
//     new come last then.
//  2. Where a column has gone or has another type it is dropped and made. It keeps exactly the grants it had.
//  3. What depends on it is never dropped: then nothing is served anew, and the error names it. A view of its name
//     that fiscube did not make is not touched.
//  4. Making or dropping waits until nobody reads the view, and later readers wait behind it. So it is tried for a
//     moment at a time, and between these moments readers can come and go.
const (
	viewPatience = time.Minute            // how long a load waits for readers of the views
	viewMoment   = 500 * time.Millisecond // how long readers wait for a load; PostgreSQL looks for deadlocks after a second
)

// updateViews makes the views of a package read the version that the transaction serves.
func (s *Store) updateViews(ctx context.Context, tx pgx.Tx, name string) error {
	views, err := catalogue.ServedViews(ctx, askIn(tx), name)
	if err != nil {
		return err
	}
	return s.whenUnread(ctx, tx, name, func(tx pgx.Tx) error { return replaceViews(ctx, tx, name, views) })
}

// dropViews drops the views of a package.
func (s *Store) dropViews(ctx context.Context, tx pgx.Tx, name string) error {
	return s.whenUnread(ctx, tx, name, func(tx pgx.Tx) error {
		existing, err := existingViews(ctx, tx, name)
		existing = slices.DeleteFunc(existing, func(v existingView) bool { return v.version == 0 })
		if err != nil || len(existing) == 0 {
			return err
		}
		return dropExisting(ctx, tx, name, existing)
	})
}

// onCoordinatorAlone keeps Citus from making views on its workers too, where nobody reads them: it does so in no transaction that has
// copied rows. A database without Citus has no use for the setting, and takes it.
const onCoordinatorAlone = "SET LOCAL citus.enable_ddl_propagation = off"

// whenUnread changes the views of a package as soon as nobody reads them.
func (s *Store) whenUnread(ctx context.Context, tx pgx.Tx, name string, do func(pgx.Tx) error) error {
	for start := time.Now(); ; sleep(ctx, viewMoment) {
		err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
			timeout := fmt.Sprintf("SET LOCAL lock_timeout = %d", viewMoment.Milliseconds())
			for _, setting := range []string{timeout, onCoordinatorAlone} {
				if _, err := tx.Exec(ctx, setting); err != nil {
					return err
				}
			}
			return do(tx)
		})
		switch {
		case cube.CodeOf(err) != "":
			return err
		case !hasCode(err, lockUnavailable):
			return queryError(err)
		case time.Since(start) > s.viewPatience:
			return cube.Wrap(cube.CodeUnavailable, fmt.Sprintf("a view of the package %q is being read, for longer than %v", name, s.viewPatience), err)
		}
	}
}

// replaceViews makes the views of a package.
func replaceViews(ctx context.Context, tx pgx.Tx, name string, views []sqlgen.View) error {
	existing, err := existingViews(ctx, tx, name)
	if err != nil {
		return err
	}
	for _, v := range existing {
		if v.version == 0 {
			return nameTaken(name, v.name)
		}
	}
	err = pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return create(ctx, tx, views, existing) })
	if hasCode(err, badViewColumns) {
		err = createAnew(ctx, tx, name, views, existing)
	}
	return err
}

// create makes views, in place where they exist.
func create(ctx context.Context, tx pgx.Tx, views []sqlgen.View, existing []existingView) error {
	var statements []string
	for _, view := range views {
		var former []string
		if i := slices.IndexFunc(existing, func(v existingView) bool { return v.name == view.Name }); i >= 0 {
			former = existing[i].columns
		}
		statements = append(append(statements, view.Create(former)), view.Comments()...)
	}
	return execAll(ctx, tx, statements)
}

// createAnew drops the views and makes them with the grants they had.
func createAnew(ctx context.Context, tx pgx.Tx, name string, views []sqlgen.View, existing []existingView) error {
	had, err := grants(ctx, tx, existing)
	if err != nil {
		return err
	}
	if err := dropExisting(ctx, tx, name, existing); err != nil {
		return err
	}
	if err := create(ctx, tx, views, nil); err != nil {
		return err
	}
	return regrant(ctx, tx, views, existing, had)
}

func dropExisting(ctx context.Context, tx pgx.Tx, name string, existing []existingView) error {
	names := each.Text(existing, func(v existingView) string { return sqlgen.QualifiedView(v.name) })
	_, err := tx.Exec(ctx, "DROP VIEW "+strings.Join(names, ", "))
	if hasCode(err, dependentObjects) {
		return dependentError(name, serverError(err))
	}
	return err
}

// dependentError is the error of views that others depend on. PostgreSQL names those, one a line.
func dependentError(name string, server *pgconn.PgError) error {
	err := cube.Wrap(cube.CodeConflict, fmt.Sprintf("the views of the package %q have to be dropped, because their columns change "+
		"or the package is removed, but others are built on them: %s", name, strings.ReplaceAll(server.Detail, "\n", "; ")), server)
	err.Hint = "drop those, and make them again afterwards"
	return err
}

// nameTaken is the error of a name that is used for another table or view.
func nameTaken(name, view string) error {
	err := cube.Errorf(cube.CodeConflict, "the package %q needs a view %s, and there is something of that name that fiscube did not make",
		name, sqlgen.QualifiedView(view))
	err.Hint = "rename it, or move it to another schema"
	return err
}

// existingView is what has the name of a view of a package.
type existingView struct {
	name    string
	version int64 // that it reads; 0 where fiscube did not make it
	columns []string
}

// existingViews looks for the views of a package.
func existingViews(ctx context.Context, tx pgx.Tx, name string) ([]existingView, error) {
	rows, err := tx.Query(ctx, selectExisting, sqlgen.ViewNames(name), name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (existingView, error) {
		var v existingView
		return v, row.Scan(&v.name, &v.version, &v.columns)
	})
}

// selectExisting gives the names among $1 that are used in the schema of the views, with the version of package $2
// whose facts a view reads.
const selectExisting = `SELECT c.relname::text, coalesce((SELECT max(v.id) FROM pg_rewrite r
	JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
	JOIN pg_class f ON f.oid = d.refobjid AND f.relnamespace = 'fact'::regnamespace
	JOIN fiscube.version v ON f.relname = 'f' || v.id
	WHERE r.ev_class = c.oid AND v.package = $2), 0),
	ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 ORDER BY a.attnum)
	FROM pg_class c WHERE c.relnamespace = 'cube'::regnamespace AND c.relname = ANY($1)`

// execAll runs statements in one round trip.
func execAll(ctx context.Context, tx pgx.Tx, statements []string) error {
	if len(statements) == 0 {
		return nil
	}
	_, err := tx.Conn().PgConn().Exec(ctx, strings.Join(statements, ";\n")).ReadAll()
	return err
}

// makeViews makes the view of the packages, and the views of packages that an earlier release loaded. A package whose views cannot be made is
// served without.
func (s *Store) makeViews(ctx context.Context) {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		if err := lockPackage(ctx, tx, sqlgen.CubesView); err != nil {
			return err
		}
		existing, err := existingViews(ctx, tx, sqlgen.CubesView)
		if err != nil || len(existing) > 0 {
			return err
		}
		return execAll(ctx, tx, []string{onCoordinatorAlone, sqlgen.CreateCubesView})
	})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("SQL tools see no list of the packages", "error", err)
	}
	for _, served := range s.catalog.Load().Served() {
		err := s.inTx(ctx, func(tx pgx.Tx) error {
			if err := lockPackage(ctx, tx, served.Name); err != nil {
				return err
			}
			existing, err := existingViews(ctx, tx, served.Name)
			if err != nil || hasViews(existing, served.ID) {
				return err
			}
			return s.updateViews(ctx, tx, served.Name)
		})
		if err != nil && ctx.Err() == nil {
			s.log.Warn("a package has no views for SQL tools", "package", served.Name, "error", err)
		}
	}
}

// hasViews says whether a version has all its views.
func hasViews(existing []existingView, id int64) bool {
	own := slices.DeleteFunc(slices.Clone(existing), func(v existingView) bool {
		return v.version != id || !slices.Contains(v.columns, sqlgen.PeriodColumn)
	})
	return len(own) == len(sqlgen.ViewNames(""))
}
