package postgres

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Load implements catalogue.Loader. Loads of one package wait for each other, so that the later one sees what
// the earlier one published.
func (s *Store) Load(ctx context.Context, content catalogue.Content) (findings.Loaded, error) {
	var loaded findings.Loaded
	err := s.inTxNaming(ctx, "the load of "+content.Package().Name, content.Waiting, func(tx pgx.Tx) error {
		l := &load{store: s, tx: tx, content: content, name: content.Package().Name}
		l.entry = catalogue.NewEntry(content, askIn(tx), l.keepFile)
		outcome, err := l.run(ctx)
		loaded.Outcome = outcome
		return err
	})
	if err != nil {
		return findings.Loaded{}, err
	}
	if err := s.refreshAfterChange(ctx); err != nil {
		return findings.Loaded{}, err
	}
	loaded.Cube, err = s.catalog.Load().Cube(content.Package().Name)
	return loaded, err
}

// inTx runs work in a transaction. The errors of work stay what they are; those of beginning and committing become
// errors for callers.
func (s *Store) inTx(ctx context.Context, work func(pgx.Tx) error) error {
	var failed error
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		failed = work(tx)
		return failed
	})
	return cmp.Or(failed, queryError(err))
}

// load is one load in its transaction.
type load struct {
	store   *Store
	tx      pgx.Tx
	content catalogue.Content
	entry   *catalogue.Entry
	name    string
	id      int64
	rows    int64

	distributed bool // over the nodes of a cluster
}

func (l *load) run(ctx context.Context) (findings.Outcome, error) {
	if err := l.lock(ctx); err != nil {
		return "", err
	}
	outcome, err := l.entry.Reuse(ctx)
	if err == nil && (outcome == findings.OutcomeRestored || outcome != "" && l.content.Visibility() != "") {
		err = l.announce(ctx)
	}
	if err == nil && outcome == findings.OutcomeUnchanged && l.entry.FilesAdded {
		err = notify(ctx, l.tx, l.name)
	}
	if outcome != "" || err != nil {
		return outcome, err
	}
	for _, step := range []func(context.Context) error{l.entry.CheckName, l.copyFacts, l.copyMembers, l.makeBase, l.publish} {
		if err := step(ctx); err != nil {
			return "", err
		}
	}
	return findings.OutcomeLoaded, nil
}

// lock is lockPackage for a load, which says that it waits.
func (l *load) lock(ctx context.Context) error {
	var locked bool
	const try = "SELECT pg_try_advisory_xact_lock(hashtext('fiscube.package'), hashtext($1))"
	err := l.tx.QueryRow(ctx, try, strings.ToLower(l.name)).Scan(&locked)
	if err != nil || locked {
		return queryError(err)
	}
	defer l.content.Waiting(catalogue.AnotherLoad)()
	return lockPackage(ctx, l.tx, l.name)
}

// lockPackage lets one load or removal of a package run at a time, until the transaction ends. It has no regard for case,
// so that of two packages whose names differ in case alone one sees the other.
func lockPackage(ctx context.Context, tx pgx.Tx, name string) error {
	const lock = "SELECT pg_advisory_xact_lock(hashtext('fiscube.package'), hashtext($1))"
	_, err := tx.Exec(ctx, lock, strings.ToLower(name))
	return queryError(err)
}

// askIn asks in a transaction.
func askIn(tx pgx.Tx) catalogue.Ask {
	return func(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error] {
		return rowsOf(ctx, tx, statement)
	}
}

func (l *load) copyFacts(ctx context.Context) (err error) {
	if l.id, err = l.entry.NextID(ctx); err != nil {
		return err
	}
	if l.distributed, err = l.store.distributes(ctx, l.tx, l.content.RowCount()); err != nil {
		return err
	}
	model := l.content.Package().Model
	if _, err := l.tx.Exec(ctx, sqlgen.CreateFacts(l.id, model, l.types())); err != nil {
		return fmt.Errorf("make the fact table: %w", queryError(err))
	}
	table := sqlgen.FactTable(l.id)
	if err := l.distribute(ctx, table, lineColumn, ""); err != nil {
		return err
	}
	if l.rows, err = l.copyRows(ctx, table, binaryFormat, factRows(l.content.Rows(ctx), model.Columns())); err != nil {
		return err
	}
	// All rows are read, so that the members can be listed while the server is busy.
	var listing sync.WaitGroup
	listing.Go(func() { l.content.LabelHistory() })
	defer listing.Wait()
	if err := l.analyze(ctx, table); err != nil {
		return err
	}
	return l.indexFacts(ctx)
}

// indexFacts makes the index by which pages of facts are found, after the rows: one sort of what is in order already.
func (l *load) indexFacts(ctx context.Context) error {
	if _, err := l.tx.Exec(ctx, sqlgen.IndexFacts(l.id)); err != nil {
		return fmt.Errorf("index the facts: %w", queryError(err))
	}
	return nil
}

func (l *load) copyMembers(ctx context.Context) error {
	model := l.content.Package().Model
	for _, level := range model.Levels() {
		if !level.Listed {
			continue
		}
		if _, err := l.tx.Exec(ctx, sqlgen.CreateMembers(l.id, model, level, l.types())); err != nil {
			return fmt.Errorf("make the member table of %s: %w", level.Ref, queryError(err))
		}
		lines := memberLines(l.content.Members(level), level, model)
		if err := l.copyToAllNodes(ctx, sqlgen.MemberTable(l.id, level), lines); err != nil {
			return err
		}
		if err := l.copyLabels(ctx, level, model); err != nil {
			return err
		}
	}
	return nil
}

// copyLabels fills the table of the labels that a level's members have year by year, where it has one.
func (l *load) copyLabels(ctx context.Context, level cube.Level, model *cube.Model) error {
	if !level.HasLabels() {
		return nil
	}
	if _, err := l.tx.Exec(ctx, sqlgen.CreateLabels(l.id, model, level, l.types())); err != nil {
		return fmt.Errorf("make the label table of %s: %w", level.Ref, queryError(err))
	}
	lines := labelLines(l.content.Members(level), level, model)
	return l.copyToAllNodes(ctx, sqlgen.LabelTable(l.id, level), lines)
}

func (l *load) makeBase(ctx context.Context) error {
	return l.entry.MakeBase(ctx, l.id, l.types(), l.fillBase)
}

// fillBase copies the rows of the base cuboid, and numbers them where they are distributed by their numbers.
func (l *load) fillBase(ctx context.Context, table string, rows iter.Seq2[catalogue.NumberedRow, error]) error {
	if l.distributed {
		if _, err := l.tx.Exec(ctx, "ALTER TABLE "+table+" ADD COLUMN "+numberColumn+" bigint NOT NULL"); err != nil {
			return fmt.Errorf("number the rows of the base cuboid: %w", queryError(err))
		}
		if err := l.distribute(ctx, table, numberColumn, sqlgen.FactTable(l.id)); err != nil {
			return err
		}
	}
	return l.copyTable(ctx, table, textFormat, numberedLines(rows, l.distributed))
}

// publish writes the version into the catalogue and announces it, all when the transaction commits.
func (l *load) publish(ctx context.Context) error {
	if err := l.entry.Publish(ctx, l.id, l.rows); err != nil {
		return err
	}
	return l.announce(ctx)
}

// announce updates the views and notifies the other processes.
func (l *load) announce(ctx context.Context) error {
	if err := l.store.updateViews(ctx, l.tx, l.name); err != nil {
		return err
	}
	return notify(ctx, l.tx, l.name)
}

func notify(ctx context.Context, tx pgx.Tx, name string) error {
	_, err := tx.Exec(ctx, "SELECT pg_notify($1, $2)", channel, name)
	return queryError(err)
}

// types are PostgreSQL's. Text is compared by bytes whatever the database's locale.
type types struct {
	accessMethod string // of tables that have a row for each fact; "" for the database's own
}

func (l *load) types() types { return types{l.store.options.AccessMethod} }

// Large implements sqlgen.Types.
func (t types) Large() string {
	if t.accessMethod == "" {
		return ""
	}
	return " USING " + pgx.Identifier{t.accessMethod}.Sanitize()
}

func (types) Text() string               { return `text COLLATE "C"` }
func (types) Decimal(cube.Column) string { return "numeric" }
