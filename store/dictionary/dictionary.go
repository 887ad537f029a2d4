package dictionary

import (
	"container/list"
	"context"
	"iter"
	"sync"

	"fiscube/cube"
)

// Tables reads the tables of a level of a version.
type Tables interface {
	// Entries gives the members of a level in the order of their numbers.
	Entries(ctx context.Context, c *cube.Cube, l cube.Level) iter.Seq2[Entry, error]

	// Labels gives the labels of the members of a level by year, in any order. The level has labels.
	Labels(ctx context.Context, c *cube.Cube, l cube.Level) iter.Seq2[LabelEntry, error]
}

// DefaultBytes is how much memory a dictionary takes at most unless another bound is set.
const DefaultBytes = 256 << 20

// Dictionary has the members of levels of versions, as far as they are needed and fit. Several goroutines may use it at once;
// what several need is read once.
type Dictionary struct {
	tables Tables

	mu    sync.Mutex
	limit int64
	used  int64
	parts map[partID]*list.Element // of *part
	order *list.List               // the last used first
}

// partID names what is read and dropped as a whole.
type partID struct {
	cube   int64
	level  int
	labels bool
}

// part is read by the first who needs it; the others wait for read.
type part struct {
	id    partID
	read  chan struct{} // closed when what follows is known
	value any           // *Members or *Labels
	bytes int64
	err   error
}

// New makes an empty dictionary that takes at most so many bytes.
func New(tables Tables, limit int64) *Dictionary {
	return &Dictionary{tables: tables, limit: limit, parts: map[partID]*list.Element{}, order: list.New()}
}

// Limit sets how many bytes the dictionary takes at most.
func (d *Dictionary) Limit(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = bytes
	d.shrink()
}

// Bytes is about how much memory the dictionary takes.
func (d *Dictionary) Bytes() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.used
}

// Keep drops all versions but some.
func (d *Dictionary) Keep(versions map[int64]bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, e := range d.parts {
		if !versions[id.cube] {
			d.drop(e)
		}
	}
}

// Members gives the members of a level.
func (d *Dictionary) Members(ctx context.Context, c *cube.Cube, l cube.Level) (*Members, error) {
	value, err := d.part(ctx, partID{c.ID, l.Index, false}, func() (any, int64, error) {
		m, err := readMembers(c.Model, l, d.tables.Entries(ctx, c, l))
		if err != nil {
			return nil, 0, err
		}
		return m, m.bytes(), nil
	})
	if err != nil {
		return nil, err
	}
	return value.(*Members), nil
}

// Labels gives the labels by year of a level that has labels.
func (d *Dictionary) Labels(ctx context.Context, c *cube.Cube, l cube.Level) (*Labels, error) {
	members, err := d.Members(ctx, c, l)
	if err != nil {
		return nil, err
	}
	value, err := d.part(ctx, partID{c.ID, l.Index, true}, func() (any, int64, error) {
		labels, err := readLabels(members, d.tables.Labels(ctx, c, l))
		if err != nil {
			return nil, 0, err
		}
		return labels, labels.bytes(), nil
	})
	if err != nil {
		return nil, err
	}
	return value.(*Labels), nil
}

// part gives a part, which it reads if nobody has. Who waits for another to read it reads it himself if that one fails, since that
// one may only have gone away.
func (d *Dictionary) part(ctx context.Context, id partID, read func() (any, int64, error)) (any, error) {
	for {
		p, mine := d.begin(id)
		if mine {
			p.value, p.bytes, p.err = read()
			d.end(p)
			return p.value, p.err
		}
		select {
		case <-p.read:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if p.err == nil {
			return p.value, nil
		}
	}
}

// begin gives a part, and whether the caller is to read it.
func (d *Dictionary) begin(id partID) (p *part, mine bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.parts[id]; ok {
		d.order.MoveToFront(e)
		return e.Value.(*part), false
	}
	p = &part{id: id, read: make(chan struct{})}
	d.parts[id] = d.order.PushFront(p)
	return p, true
}

// end keeps a part that was read, or drops it after an error.
func (d *Dictionary) end(p *part) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(p.read)
	e, ok := d.parts[p.id]
	switch {
	case !ok || e.Value != p: // dropped while it was read
	case p.err != nil:
		d.drop(e)
	default:
		d.used += p.bytes
		d.shrink()
	}
}

// shrink drops what was not used for the longest time. A part that is being read takes no bytes yet.
func (d *Dictionary) shrink() {
	for e := d.order.Back(); e != nil && d.used > d.limit; {
		before := e.Prev()
		if e.Value.(*part).isRead() {
			d.drop(e)
		}
		e = before
	}
}

func (p *part) isRead() bool {
	select {
	case <-p.read:
		return true
	default:
		return false
	}
}

func (d *Dictionary) drop(e *list.Element) {
	p := e.Value.(*part)
	if p.isRead() && p.err == nil {
		d.used -= p.bytes
	}
	delete(d.parts, p.id)
	d.order.Remove(e)
}
