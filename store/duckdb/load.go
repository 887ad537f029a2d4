//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Load implements cube.Backend. Loads and removals take turns.
func (s *Store) Load(ctx context.Context, content cube.Content) (cube.Loaded, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return cube.Loaded{}, err
	}
	defer unlock()
	l := &load{content: content, name: content.Package().Name, database: s.path(ctx)}
	outcome, err := s.inTx(ctx, l.run)
	if err != nil {
		return cube.Loaded{}, err
	}
	if err := s.refresh(context.WithoutCancel(ctx)); err != nil { // the load is committed: it has to be seen
		return cube.Loaded{}, err
	}
	served, err := s.catalog.Load().Cube(l.name)
	return cube.Loaded{Cube: served, Outcome: outcome}, err
}

// lock waits for the turn to write.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case s.writing <- struct{}{}:
		return func() { <-s.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inTx runs work in a transaction of one connection, which the Appender needs to share.
func (s *Store) inTx(ctx context.Context, work func(context.Context, *sql.Conn) (cube.Outcome, error)) (cube.Outcome, error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return "", fmt.Errorf("open a connection: %w", err)
	}
	defer func() { _ = conn.Close() }()
	// Whether a transaction has begun and ended must be known, so these are not cut off when ctx ends.
	settled := context.WithoutCancel(ctx)
	if _, err := conn.ExecContext(settled, "BEGIN"); err != nil {
		return "", fmt.Errorf("begin: %w", err)
	}
	outcome, err := work(ctx, conn)
	if err != nil {
		_, undone := conn.ExecContext(settled, "ROLLBACK")
		return "", errors.Join(err, undone)
	}
	if _, err := conn.ExecContext(settled, "COMMIT"); err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	return outcome, nil
}

// load is one load in its transaction.
type load struct {
	conn     *sql.Conn
	content  cube.Content
	database string // the file, "" where it is in memory
	name     string
	id       int64
	rows     int64
}

func (l *load) run(ctx context.Context, conn *sql.Conn) (cube.Outcome, error) {
	l.conn = conn
	if outcome, err := l.reuse(ctx); outcome != "" || err != nil {
		return outcome, err
	}
	for _, step := range []func(context.Context) error{l.checkName, l.makeFacts, l.appendMembers, l.publish} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	return cube.OutcomeLoaded, nil
}

// reuse serves a kept version of the same fingerprint, where there is one.
func (l *load) reuse(ctx context.Context) (cube.Outcome, error) {
	var number int32
	var served bool
	err := l.conn.QueryRowContext(ctx, catalogue.SelectKept, l.name, l.content.Fingerprint()).Scan(&number, &served)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("look for a kept version: %w", err)
	case served:
		return cube.OutcomeUnchanged, nil
	}
	if _, err := l.conn.ExecContext(ctx, catalogue.Serve, l.name, number); err != nil {
		return "", fmt.Errorf("serve version %d of %s: %w", number, l.name, err)
	}
	return cube.OutcomeRestored, showServed(ctx, l.conn, l.name)
}

// checkName compares the name with those of the packages beside it.
func (l *load) checkName(ctx context.Context) error {
	rows, err := l.conn.QueryContext(ctx, catalogue.SelectNames, l.name)
	if err != nil {
		return fmt.Errorf("list the packages: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var others []string
	for rows.Next() {
		var other string
		if err := rows.Scan(&other); err != nil {
			return fmt.Errorf("list the packages: %w", err)
		}
		others = append(others, other)
	}
	return errors.Join(rows.Err(), catalogue.CheckName(l.name, others))
}

func (l *load) makeFacts(ctx context.Context) error {
	if err := l.conn.QueryRowContext(ctx, catalogue.NextID).Scan(&l.id); err != nil {
		return fmt.Errorf("number the version: %w", err)
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
		if _, err := appendRows(l.conn, sqlgen.MemberTable(l.id, level), values); err != nil {
			return err
		}
		if err := l.appendLabels(ctx, level, model); err != nil {
			return err
		}
	}
	return nil
}

// appendLabels fills the table of what a level's members are called year by year, where it has one.
func (l *load) appendLabels(ctx context.Context, level cube.Level, model *cube.Model) error {
	if !sqlgen.KeepsLabels(level) {
		return nil
	}
	if _, err := l.conn.ExecContext(ctx, sqlgen.CreateLabels(l.id, model, level, types{})); err != nil {
		return fmt.Errorf("make the label table of %s: %w", level.Ref, err)
	}
	values := labelValues(l.content.Members(level), level, model)
	_, err := appendRows(l.conn, sqlgen.LabelTable(l.id, level), values)
	return err
}

// publish writes the version into the catalogue and shows it in the views.
func (l *load) publish(ctx context.Context) error {
	last, err := l.last(ctx)
	if err != nil {
		return err
	}
	row, err := catalogue.NewRow(l.id, last+1, l.content, l.rows)
	if err != nil {
		return err
	}
	if _, err := l.conn.ExecContext(ctx, catalogue.InsertVersion, row.Args(l.name)...); err != nil {
		return fmt.Errorf("enter the version: %w", err)
	}
	if _, err := l.conn.ExecContext(ctx, catalogue.Publish, l.name, row.Number); err != nil {
		return fmt.Errorf("publish the version: %w", err)
	}
	return showServed(ctx, l.conn, l.name)
}

// last gives the last number ever used for the package, entering the package where it is new.
func (l *load) last(ctx context.Context) (int32, error) {
	var last int32
	err := l.conn.QueryRowContext(ctx, catalogue.SelectLast, l.name).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = l.conn.ExecContext(ctx, catalogue.InsertPackage, l.name)
	}
	if err != nil {
		return 0, fmt.Errorf("enter the package: %w", err)
	}
	return last, nil
}
