package catalogue

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// Entry enters the version of one load into the catalogue, in the transaction of the load.
type Entry struct {
	content cube.Content
	name    string
	ask     Ask
}

// Ask runs a statement in a transaction and gives the rows it answers with. Its errors are fit for a caller.
type Ask func(ctx context.Context, statement sqlgen.Statement) iter.Seq2[[]any, error]

// NewEntry begins the entry of a content.
func NewEntry(content cube.Content, ask Ask) *Entry {
	return &Entry{content: content, name: content.Package().Name, ask: ask}
}

// Reuse serves a kept version of the same fingerprint; the outcome is empty where there is none.
func (e *Entry) Reuse(ctx context.Context) (cube.Outcome, error) {
	kept, err := e.rows(ctx, "look for a kept version", SelectKept, e.name, e.content.Fingerprint())
	switch {
	case err != nil || len(kept) == 0:
		return "", err
	case kept[0][1] == true:
		return cube.OutcomeUnchanged, nil
	}
	_, err = e.rows(ctx, "serve a kept version", Serve, e.name, kept[0][0])
	return cube.OutcomeRestored, err
}

// CheckName compares the name with those of the packages beside it.
func (e *Entry) CheckName(ctx context.Context) error {
	rows, err := e.rows(ctx, "list the packages", SelectNames, e.name)
	if err != nil {
		return err
	}
	others := make([]string, len(rows))
	for i, row := range rows {
		others[i] = row[0].(string)
	}
	return CheckName(e.name, others)
}

// NextID gives the number of the version's tables.
func (e *Entry) NextID(ctx context.Context) (int64, error) {
	rows, err := e.rows(ctx, "number the version's tables", NextID)
	if err != nil {
		return 0, err
	}
	return rows[0][0].(int64), nil
}

// Publish writes the version, of so many rows, into the catalogue and serves it.
func (e *Entry) Publish(ctx context.Context, id, rows int64) error {
	last, err := e.last(ctx)
	if err != nil {
		return err
	}
	row, err := NewRow(id, last+1, e.content, rows)
	if err != nil {
		return err
	}
	if _, err := e.rows(ctx, "enter the version", InsertVersion, row.Args(e.name)...); err != nil {
		return err
	}
	_, err = e.rows(ctx, "publish the version", Publish, e.name, row.Number)
	return err
}

// last gives the last number ever used for the package, entering the package where it is new.
func (e *Entry) last(ctx context.Context) (int32, error) {
	rows, err := e.rows(ctx, "look for the last version", SelectLast, e.name)
	if err != nil {
		return 0, err
	}
	if len(rows) == 0 {
		_, err := e.rows(ctx, "enter the package", InsertPackage, e.name)
		return 0, err
	}
	return rows[0][0].(int32), nil
}

// rows asks a statement that does something and holds what it answers.
func (e *Entry) rows(ctx context.Context, something, statement string, args ...any) ([][]any, error) {
	var rows [][]any
	for row, err := range e.ask(ctx, sqlgen.Statement{Text: statement, Args: args}) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", something, err)
		}
		rows = append(rows, slices.Clone(row))
	}
	return rows, nil
}
