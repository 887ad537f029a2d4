// Package cache keeps what takes long to make, bounded in bytes: what was asked least recently goes first. What several need at once is made once.
package cache

import (
	"container/list"
	"context"
	"sync"
)

// Cache keeps values by their keys. Several goroutines may use it at once.
type Cache[K comparable, V any] struct {
	mu      sync.Mutex
	limit   int64
	used    int64
	entries map[K]*list.Element // of *entry
	order   *list.List          // the last asked first
}

// entry is made by the first who asks; the others wait.
type entry[K comparable, V any] struct {
	key   K
	made  chan struct{} // closed when what follows is known
	value V
	bytes int64
	err   error
}

func (e *entry[K, V]) isMade() bool {
	select {
	case <-e.made:
		return e.err == nil
	default:
		return false
	}
}

// New makes an empty cache that takes at most so many bytes.
func New[K comparable, V any](limit int64) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, entries: map[K]*list.Element{}, order: list.New()}
}

// Limit sets how many bytes the cache takes at most.
func (c *Cache[K, V]) Limit(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = bytes
	c.shrink()
}

// Bytes is about how much memory the cache takes.
func (c *Cache[K, V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

// Keep drops all keys but some.
func (c *Cache[K, V]) Keep(kept func(K) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.entries {
		if !kept(key) {
			c.drop(e)
		}
	}
}

// Known gives a value that was made. It counts as asked.
func (c *Cache[K, V]) Known(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || !e.Value.(*entry[K, V]).isMade() {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Has tells whether a value is there or being made.
func (c *Cache[K, V]) Has(key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.entries[key]
	return ok
}

// Each calls a function with all values that were made, and their bytes.
func (c *Cache[K, V]) Each(do func(key K, value V, bytes int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, e := range c.entries {
		if of := e.Value.(*entry[K, V]); of.isMade() {
			do(key, of.value, of.bytes)
		}
	}
}

// Get gives a value, which it makes if nobody has. Who waits for another to make it makes it himself if that one fails, since that one may
// only have gone away.
func (c *Cache[K, V]) Get(ctx context.Context, key K, make func() (value V, bytes int64, err error)) (V, error) {
	for {
		e, mine := c.begin(key)
		if mine {
			e.value, e.bytes, e.err = make()
			c.end(e)
			return e.value, e.err
		}
		select {
		case <-e.made:
		case <-ctx.Done():
			var none V
			return none, ctx.Err()
		}
		if e.err == nil {
			return e.value, nil
		}
	}
}

// begin gives an entry, and whether the caller is to make its value.
func (c *Cache[K, V]) begin(key K) (e *entry[K, V], mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.entries[key]; ok {
		c.order.MoveToFront(known)
		return known.Value.(*entry[K, V]), false
	}
	e = &entry[K, V]{key: key, made: make(chan struct{})}
	c.entries[key] = c.order.PushFront(e)
	return e, true
}

// end keeps a value that was made, or forgets it after an error.
func (c *Cache[K, V]) end(e *entry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(e.made)
	known, ok := c.entries[e.key]
	switch {
	case !ok || known.Value != any(e): // dropped while it was made
	case e.err != nil:
		c.drop(known)
	default:
		c.used += e.bytes
		c.shrink()
	}
}

// shrink drops what was asked least recently, as long as there is too much. What is being made takes no bytes yet.
func (c *Cache[K, V]) shrink() {
	for e := c.order.Back(); e != nil && c.used > c.limit; {
		before := e.Prev()
		if of := e.Value.(*entry[K, V]); of.isMade() && of.bytes > 0 {
			c.drop(e)
		}
		e = before
	}
}

func (c *Cache[K, V]) drop(e *list.Element) {
	of := e.Value.(*entry[K, V])
	if of.isMade() {
		c.used -= of.bytes
	}
	delete(c.entries, of.key)
	c.order.Remove(e)
}
