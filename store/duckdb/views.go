//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// updateViews makes the views of a package read the version that the transaction serves. They are for people who open
// the file when no fiscube does. DuckDB does not track what depends on a view and leaves that as it is.
func updateViews(ctx context.Context, conn *sql.Conn, name string) error {
	views, err := catalogue.ServedViews(ctx, askIn(conn), name)
	if err != nil {
		return err
	}
	for _, view := range views {
		for _, statement := range append([]string{view.Create(nil)}, view.Comments()...) {
			if _, err := conn.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("make the view %s: %w", view.Name, err)
			}
		}
	}
	return nil
}

func dropViews(ctx context.Context, conn *sql.Conn, name string) error {
	for _, view := range sqlgen.ViewNames(name) {
		if _, err := conn.ExecContext(ctx, "DROP VIEW IF EXISTS "+sqlgen.QualifiedView(view)); err != nil {
			return fmt.Errorf("drop the view %s: %w", view, err)
		}
	}
	return nil
}

// makeViews makes the view of the packages, and the views of packages that an earlier release loaded. A package whose views cannot be made is
// served without.
func (s *Store) makeViews(ctx context.Context) {
	err := s.inTx(ctx, func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, sqlgen.CreateCubesView)
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("SQL tools see no list of the packages", "error", err)
	}
	for _, served := range s.catalog.Load().Served() {
		err := s.inTx(ctx, func(ctx context.Context, conn *sql.Conn) error {
			has, err := hasViews(ctx, conn, served)
			if err != nil || has {
				return err
			}
			return updateViews(ctx, conn, served.Name)
		})
		if err != nil && ctx.Err() == nil {
			s.log.Warn("a package has no views for SQL tools", "package", served.Name, "error", err)
		}
	}
}

// hasViews says whether a version has all its views: those that read its facts.
func hasViews(ctx context.Context, conn *sql.Conn, version *cube.Cube) (bool, error) {
	names, count := sqlgen.ViewNames(version.Name), 0
	err := conn.QueryRowContext(ctx, `SELECT count(*) FROM duckdb_views() WHERE database_name = current_database()
		AND schema_name = 'cube' AND view_name IN ($1, $2) AND contains(sql, $3) AND contains(sql, $4)`,
		names[0], names[1], " AS "+sqlgen.PeriodColumn, "FROM fact.f"+strconv.FormatInt(version.ID, 10)+" AS f").Scan(&count)
	if err != nil {
		return false, fmt.Errorf("look for the views of %s: %w", version.Name, err)
	}
	return count == len(names), nil
}
