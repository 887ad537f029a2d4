//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Load implements catalogue.Loader. One load or removal writes at a time.
func (s *Store) Load(ctx context.Context, content catalogue.Content) (findings.Loaded, error) {
	unlock, err := s.lockLoad(ctx, content)
	if err != nil {
		return findings.Loaded{}, err
	}
	defer unlock()
	l := &load{chunk: &s.chunk, files: s.files, content: content, name: content.Package().Name, database: s.path(ctx)}
	if err := s.inTx(ctx, l.run); err != nil {
		s.sweepFiles(context.WithoutCancel(ctx)) // those that it has written
		return findings.Loaded{}, err
	}
	if err := s.refresh(context.WithoutCancel(ctx)); err != nil { // the load is committed: it has to be seen
		return findings.Loaded{}, err
	}
	served, err := s.catalog.Load().Cube(l.name)
	return findings.Loaded{Cube: served, Outcome: l.outcome}, err
}

// lockLoad is lock for a load, which says that it waits.
func (s *Store) lockLoad(ctx context.Context, content catalogue.Content) (unlock func(), err error) {
	if len(s.writing) > 0 {
		defer content.Waiting(catalogue.AnotherLoad)()
	}
	return s.lock(ctx)
}

// lock waits until nobody else writes.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if s.readOnly != nil {
		return nil, cube.Wrap(cube.CodeUnavailable, "the store can only be read: "+s.readOnly.Error(), s.readOnly)
	}
	select {
	case s.writing <- struct{}{}:
		return func() { <-s.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inTx runs work in a transaction of one connection, which the Appender needs to share.
func (s *Store) inTx(ctx context.Context, work func(context.Context, *sql.Conn) error) error {
	err := s.tryInTx(ctx, work)
	s.reopenIfFatal(context.WithoutCancel(ctx), err)
	if isNoSpace(err) {
		err = cube.Wrap(cube.CodeNoSpace, "there is no space left on the disk of the database", err).
			WithHint("fiscube prune drops old versions")
	}
	return err
}

// isNoSpace tells whether the disk is full, which DuckDB says only in words.
func isNoSpace(err error) bool {
	return err != nil && cube.CodeOf(err) != cube.CodeNoSpace && strings.Contains(err.Error(), "No space left on device")
}

func (s *Store) tryInTx(ctx context.Context, work func(context.Context, *sql.Conn) error) error {
	conn, err := s.db.Load().Conn(ctx)
	if err != nil {
		return fmt.Errorf("open a connection: %w", err)
	}
	defer func() { _ = conn.Close() }()
	// Whether a transaction has begun and ended must be known, so these are not cut off when ctx ends.
	settled := context.WithoutCancel(ctx)
	if _, err := conn.ExecContext(settled, "BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := work(ctx, conn); err != nil {
		_, undone := conn.ExecContext(settled, "ROLLBACK")
		return errors.Join(err, undone)
	}
	if _, err := conn.ExecContext(settled, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// load is one load in its transaction.
type load struct {
	conn     *sql.Conn              // in which the transaction is
	chunk    *atomic.Pointer[chunk] // where chunk_rows and chunk_texts find the chunk
	files    files
	entry    *catalogue.Entry
	content  catalogue.Content
	database string // the file, "" where it is in memory
	name     string
	id       int64
	rows     int64
	outcome  findings.Outcome
}

func (l *load) run(ctx context.Context, conn *sql.Conn) (err error) {
	l.conn, l.entry = conn, catalogue.NewEntry(l.content, askIn(conn), l.files.keep)
	if l.outcome, err = l.entry.Reuse(ctx); err == nil && l.outcome == findings.OutcomeRestored {
		err = updateViews(ctx, conn, l.name)
	}
	if l.outcome != "" || err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{l.entry.CheckName, l.makeFacts, l.appendMembers, l.makeBase, l.publish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	l.outcome = findings.OutcomeLoaded
	return nil
}

// askIn asks in the transaction of a connection.
func askIn(conn *sql.Conn) catalogue.Ask {
	return func(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error] {
		return rowsOf(ctx, conn, statement)
	}
}

func (l *load) makeFacts(ctx context.Context) (err error) {
	if l.id, err = l.entry.NextID(ctx); err != nil {
		return err
	}
	model := l.content.Package().Model
	if _, err := l.conn.ExecContext(ctx, sqlgen.CreateFacts(l.id, model, types{})); err != nil {
		return fmt.Errorf("make the fact table: %w", err)
	}
	return l.copyFacts(ctx, model.Columns())
}

func (l *load) appendMembers(ctx context.Context) error {
	model := l.content.Package().Model
	for _, level := range model.Levels() {
		if !level.Listed {
			continue
		}
		if _, err := l.conn.ExecContext(ctx, sqlgen.CreateMembers(l.id, model, level, types{})); err != nil {
			return fmt.Errorf("make the member table of %s: %w", level.Ref, err)
		}
		values := memberValues(l.content.Members(level), level, model)
		if err := appendRows(l.conn, sqlgen.MemberTable(l.id, level), values); err != nil {
			return err
		}
		if err := l.appendLabels(ctx, level, model); err != nil {
			return err
		}
	}
	return nil
}

// appendLabels fills the table of the labels that a level's members have year by year, where it has one.
func (l *load) appendLabels(ctx context.Context, level cube.Level, model *cube.Model) error {
	if !level.HasLabels() {
		return nil
	}
	if _, err := l.conn.ExecContext(ctx, sqlgen.CreateLabels(l.id, model, level, types{})); err != nil {
		return fmt.Errorf("make the label table of %s: %w", level.Ref, err)
	}
	values := labelValues(l.content.Members(level), level, model)
	return appendRows(l.conn, sqlgen.LabelTable(l.id, level), values)
}

// makeBase makes the base cuboid of the version.
func (l *load) makeBase(ctx context.Context) error {
	return l.entry.MakeBase(ctx, l.id, types{}, l.copyBase)
}

// publish writes the version into the catalogue and updates the views.
func (l *load) publish(ctx context.Context) error {
	if err := l.entry.Publish(ctx, l.id, l.rows); err != nil {
		return err
	}
	return updateViews(ctx, l.conn, l.name)
}
