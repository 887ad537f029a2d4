package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"fiscube/store/catalogue"
	"fiscube/store/parts"
	"fiscube/store/sqlgen"
)

// Published files are rows of a table, a part each. Large objects would do as well where there is one server; but a dump of chosen schemas leaves
// them out, grants on schemas do not reach them, and Citus does not know them.

// Who adds files to versions holds this lock with others, and who removes files alone, so that none is removed that a load has just found.
const (
	lockFilesToAdd    = "SELECT pg_advisory_xact_lock_shared(hashtext('fiscube.files'))"
	lockFilesToRemove = "SELECT pg_try_advisory_xact_lock(hashtext('fiscube.files'))"
)

const (
	hasFile    = "SELECT EXISTS (SELECT FROM fiscube.version_file WHERE hash = $1)"
	insertPart = "INSERT INTO fiscube.file_part (hash, number, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
	selectPart = "SELECT content FROM fiscube.file_part WHERE hash = $1 AND number = $2"
	removeFile = "DELETE FROM fiscube.file_part p WHERE NOT EXISTS (SELECT FROM fiscube.version_file f WHERE f.hash = p.hash)"
)

// keepFile implements catalogue.KeepFile. Loads that add the same file wait for each other; files come in order, so that no two wait
// for each other at once.
func (l *load) keepFile(ctx context.Context, file catalogue.File) error {
	if _, err := l.tx.Exec(ctx, lockFilesToAdd); err != nil {
		return queryError(err)
	}
	var kept bool
	if err := l.tx.QueryRow(ctx, hasFile, file.Hash).Scan(&kept); err != nil || kept {
		return queryError(err)
	}
	number := 0
	for part, err := range file.Parts {
		if err == nil {
			_, err = l.tx.Exec(ctx, insertPart, file.Hash, number, part)
		}
		if err != nil {
			return fmt.Errorf("keep a published file: %w", queryError(err))
		}
		number++
	}
	return nil
}

// FilePart implements catalogue.FileKeeper.
func (s *Store) FilePart(ctx context.Context, hash string, from int64) ([]byte, error) {
	for row, err := range s.Ask(ctx, sqlgen.SQL{Text: selectPart, Args: []any{hash, from / parts.Size}}) {
		if err != nil {
			return nil, err
		}
		return parts.From(row[0].([]byte), from)
	}
	return nil, catalogue.NotKept()
}

// sweepFiles removes the files that no version has. While a load adds some it leaves that to the next sweep.
func (s *Store) sweepFiles(ctx context.Context) error {
	var forgotten bool
	if err := s.chores.QueryRow(ctx, catalogue.SelectForgotten).Scan(&forgotten); err != nil || !forgotten {
		return err
	}
	return pgx.BeginFunc(ctx, s.chores, func(tx pgx.Tx) error {
		var alone bool
		if err := tx.QueryRow(ctx, lockFilesToRemove).Scan(&alone); err != nil || !alone {
			return err
		}
		return execAll(ctx, tx, []string{catalogue.ForgetFiles, removeFile})
	})
}
