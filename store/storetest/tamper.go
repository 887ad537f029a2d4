package storetest

import (
	"context"
	"iter"

	"fiscube/cube"
)

// tampering is a backend that lays hands on every content before the store gets it.
type tampering struct {
	cube.Backend
	with func(cube.Content) cube.Content
}

// Load implements cube.Backend.
func (b tampering) Load(ctx context.Context, content cube.Content) (cube.Loaded, error) {
	return b.Backend.Load(ctx, b.with(content))
}

// rowsTampered is a content with other rows.
type rowsTampered struct {
	cube.Content
	change func(iter.Seq2[cube.Row, error]) iter.Seq2[cube.Row, error]
}

// Rows implements cube.Content.
func (c rowsTampered) Rows(ctx context.Context) iter.Seq2[cube.Row, error] {
	return c.change(c.Content.Rows(ctx))
}

// watched is a content that tells when a store asks for its fingerprint.
type watched struct {
	cube.Content
	asked func()
}

// Fingerprint implements cube.Content.
func (c watched) Fingerprint() string {
	c.asked()
	return c.Content.Fingerprint()
}

// before calls what a test wants to happen before row n, counted from 0; where it gives an error, the rows end
// with it. After the last row counts as a row too.
func before(n int, happens func() error) func(iter.Seq2[cube.Row, error]) iter.Seq2[cube.Row, error] {
	return func(rows iter.Seq2[cube.Row, error]) iter.Seq2[cube.Row, error] {
		return func(yield func(cube.Row, error) bool) {
			i := 0
			for row, err := range rows {
				if i == n {
					if failed := happens(); failed != nil {
						yield(cube.Row{}, failed)
						return
					}
				}
				if i++; !yield(row, err) {
					return
				}
			}
			if i == n {
				if failed := happens(); failed != nil {
					yield(cube.Row{}, failed)
				}
			}
		}
	}
}
