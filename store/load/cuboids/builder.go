package cuboids

import (
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

// Builder says which cuboid is made next: one that was chosen and for which there are rows and time.
type Builder struct {
	left   []choice // the largest first
	rows   int64    // of all cuboids above the base
	within time.Duration
	now    func() time.Time

	began time.Time
	work  float64 // of the cuboids that were made
}

// NewBuilder chooses cuboids by a sample of the rows that were kept.
func (s *Spool) NewBuilder(m *cube.Model, budget Budget, within time.Duration) *Builder {
	b := &Builder{within: within, now: time.Now}
	share := budget.Share
	if share == 0 {
		share = DefaultShare
	}
	b.rows = int64(share * float64(s.rows))
	if l, ok := newLattice(m); ok && b.rows > 0 && s.rows > fewRows { // else none would be better than the base
		b.left = choose(l, s.sample, b.rows)
	}
	return b
}

// Next gives the cuboid to make next, by those that there are, of which the base is the first. False means that there is
// none, or no time. How long one takes is known once the first is made: that which saves most for what it costs to make. Of the
// others, the largest for which there is time come first, since smaller ones are made of them.
func (b *Builder) Next(made []cube.Cuboid) (catalogue.NextCuboid, bool) {
	if b.began.IsZero() {
		b.began = b.now()
	}
	rows, took := b.rows, b.now().Sub(b.began)
	for _, c := range made[1:] {
		rows -= c.Rows
	}
	b.left = slices.DeleteFunc(b.left, func(c choice) bool { return c.rows > rows })
	p := newPlan(made, b.left)
	next := 0
	if b.work == 0 {
		next = p.best()
	} else {
		p.shorten(float64(b.within-took) / float64(max(1, took)) * b.work)
		next = p.first()
	}
	if next < 0 {
		return catalogue.NextCuboid{}, false
	}
	c := b.left[next]
	b.left, b.work = slices.Delete(b.left, next, next+1), b.work+p.work(next)
	return catalogue.NextCuboid{Levels: c.levels, From: p.from(next), MostRows: rows}, true
}
