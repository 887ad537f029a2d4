package cuboids

import (
	"math"
	"slices"
	"time"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// Budget is what the cuboids above the base cuboid may cost. The zero value is the default.
type Budget struct {
	Off   bool    // no cuboids, not even the base
	Share float64 // of the rows of the base cuboid that they have together; 0 for DefaultShare, below 0 for none
}

// DefaultShare is the share unless another one is set.
const DefaultShare = 0.5

// Builder says which cuboid is made next: one that was chosen, or a wide one that several of these are made of, as long as there are rows
// and time. Each is made of the smallest one that has its levels.
type Builder struct {
	lattice *lattice
	sizes   sizes
	left    []choice
	rows    int64 // of all cuboids above the base
	now     func() time.Time

	began  time.Time
	within time.Duration
	work   float64 // of the cuboids that were made
}

// NewBuilder chooses cuboids by a sample of the rows that were kept.
func (r *Rows) NewBuilder(m *cube.Model, budget Budget) *Builder {
	b := &Builder{now: time.Now}
	share := budget.Share
	if share == 0 {
		share = DefaultShare
	}
	b.rows = int64(share * float64(r.rows))
	if l, ok := newLattice(m); ok && b.rows > 0 && r.rows > fewRows { // else none would be better than the base
		e := r.sample.newEstimator()
		b.lattice, b.sizes, b.left = l, newSizes(l, e), choose(l, e, b.rows)
	}
	return b
}

// Begin begins the time within which cuboids are made.
func (b *Builder) Begin(within time.Duration) { b.began, b.within = b.now(), within }

// Next gives the cuboid to make next, by those that there are, of which the base is the first: that which is worth most of those
// for which there are rows and time. False means that there is none. How long one takes is known once the first is made. None may
// take more than half of the time that is left, since it may have more rows than were estimated.
func (b *Builder) Next(made []cube.Cuboid) (catalogue.NextCuboid, bool) {
	rows, took := b.rows, b.now().Sub(b.began)
	for _, c := range made[1:] {
		rows -= c.Rows
	}
	b.left = slices.DeleteFunc(b.left, func(c choice) bool { return c.rows > rows })
	if len(b.left) == 0 {
		return catalogue.NextCuboid{}, false
	}
	p := b.newPicker(made, rows, math.Inf(1))
	if b.work > 0 {
		p.most = float64(b.within-took) / 2 / float64(max(1, took)) * b.work
	}
	next, ok := p.best()
	if !ok {
		return catalogue.NextCuboid{}, false
	}
	if b.work > 0 {
		next = p.widen(next, b.sizes)
	}
	b.left = slices.DeleteFunc(b.left, func(c choice) bool { return c.levels == next.levels })
	from := p.from(next.levels)
	b.work += p.workOf(next)
	return catalogue.NextCuboid{Levels: b.lattice.indexes(next.levels), Rows: next.rows, From: made[from.index], MostRows: rows}, true
}
