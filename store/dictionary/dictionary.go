package dictionary

import (
	"context"
	"iter"

	"fiscube/cube"
	"fiscube/internal/cache"
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
	parts  *cache.Cache[partID, any] // *Members and *Labels
}

// Version names a version: after a database was put back to an earlier state, an id may name another content.
type Version struct {
	ID          int64
	Fingerprint string
}

// VersionOf names the version of a cube.
func VersionOf(c *cube.Cube) Version { return Version{c.ID, c.Fingerprint} }

// partID names what is read and dropped as a whole.
type partID struct {
	version Version
	level   int
	labels  bool
}

// New makes an empty dictionary that takes at most so many bytes.
func New(tables Tables, limit int64) *Dictionary {
	return &Dictionary{tables, cache.New[partID, any](limit)}
}

// Limit sets how many bytes the dictionary takes at most.
func (d *Dictionary) Limit(bytes int64) { d.parts.Limit(bytes) }

// Bytes is about how much memory the dictionary takes.
func (d *Dictionary) Bytes() int64 { return d.parts.Bytes() }

// Keep drops all versions but some.
func (d *Dictionary) Keep(versions map[Version]bool) {
	d.parts.Keep(func(id partID) bool { return versions[id.version] })
}

// Members gives the members of a level.
func (d *Dictionary) Members(ctx context.Context, c *cube.Cube, l cube.Level) (*Members, error) {
	value, err := d.parts.Get(ctx, partID{VersionOf(c), l.Index, false}, func() (any, int64, error) {
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
	value, err := d.parts.Get(ctx, partID{VersionOf(c), l.Index, true}, func() (any, int64, error) {
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
