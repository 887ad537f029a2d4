//go:build cgo

package duckdb

import (
	"container/list"
	"context"
	"database/sql"
	"sync"
)

// DuckDB takes longer to plan a question to a small cuboid than to answer it. So the statements of the last questions stay
// prepared; it plans them anew by itself when tables come or go.

// mostPrepared is how many statements stay prepared; each takes some tens of kilobytes for each connection.
const mostPrepared = 256

// prepared keeps statements by their text.
type prepared struct {
	db   *sql.DB
	mu   sync.Mutex
	all  map[string]*list.Element // of *kept
	last *list.List               // the last used first
}

type kept struct {
	text      string
	statement *sql.Stmt
	users     int  // who are about to ask it
	dropped   bool // the last user closes it
}

func newPrepared(db *sql.DB) *prepared {
	return &prepared{db: db, all: map[string]*list.Element{}, last: list.New()}
}

// QueryContext implements querier for a text without arguments.
func (p *prepared) QueryContext(ctx context.Context, text string, _ ...any) (*sql.Rows, error) {
	k := p.begin(text)
	if k == nil {
		statement, err := p.db.PrepareContext(ctx, text)
		if err != nil {
			return nil, err
		}
		k = p.keep(text, statement)
	}
	defer p.end(k)
	return k.statement.QueryContext(ctx) //nolint:sqlclosecheck // end closes it, when nobody needs it
}

// begin gives a statement that is prepared, or nil.
func (p *prepared) begin(text string) *kept {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.all[text]
	if !ok {
		return nil
	}
	p.last.MoveToFront(e)
	k := e.Value.(*kept)
	k.users++
	return k
}

// keep keeps a statement in the place of the one that was used longest ago. If another caller has prepared it meanwhile, that is
// used.
func (p *prepared) keep(text string, statement *sql.Stmt) *kept {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e, ok := p.all[text]; ok {
		_ = statement.Close()
		k := e.Value.(*kept)
		k.users++
		return k
	}
	k := &kept{text: text, statement: statement, users: 1}
	p.all[text] = p.last.PushFront(k)
	if p.last.Len() > mostPrepared {
		oldest := p.last.Remove(p.last.Back()).(*kept)
		delete(p.all, oldest.text)
		oldest.dropped = true
		oldest.close()
	}
	return k
}

func (p *prepared) end(k *kept) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k.users--
	k.close()
}

// close closes a statement that nobody needs any more. Its rows may still be read.
func (k *kept) close() {
	if k.dropped && k.users == 0 {
		_ = k.statement.Close()
	}
}
