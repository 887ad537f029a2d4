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

// Builder says which cuboid is made next: one that was chosen and for which there are rows and time.
type Builder struct {
	left   []choice
	rows   int64 // of all cuboids above the base
	within time.Duration
	now    func() time.Time

	began time.Time
	work  float64 // of the cuboids that were made
}

// NewBuilder chooses cuboids by a sample of the rows that were kept.
func (r *Rows) NewBuilder(m *cube.Model, budget Budget, within time.Duration) *Builder {
	b := &Builder{within: within, now: time.Now}
	share := budget.Share
	if share == 0 {
		share = DefaultShare
	}
	b.rows = int64(share * float64(r.rows))
	if l, ok := newLattice(m); ok && b.rows > 0 && r.rows > fewRows { // else none would be better than the base
		b.left = choose(l, r.sample, b.rows)
	}
	return b
}

// Next gives the cuboid to make next, by those that there are, of which the base is the first: that which is worth most of those
// for which there are rows and time. False means that there is none. How long one takes is known once the first is made. None may
// take more than a third of the time that is left, since it may have far more rows than were estimated.
func (b *Builder) Next(made []cube.Cuboid) (catalogue.NextCuboid, bool) {
	if b.began.IsZero() {
		b.began = b.now()
	}
	rows, took := b.rows, b.now().Sub(b.began)
	for _, c := range made[1:] {
		rows -= c.Rows
	}
	most := math.Inf(1)
	if b.work > 0 {
		most = float64(b.within-took) / 3 / float64(max(1, took)) * b.work
	}
	b.left = slices.DeleteFunc(b.left, func(c choice) bool { return c.rows > rows })
	best, worth := -1, 0.0
	for i, c := range b.left {
		if work := workOf(smallest(made, c.levels), c.rows); work <= most {
			if w := b.saves(made, c) / work; best < 0 || w > worth {
				best, worth = i, w
			}
		}
	}
	if best < 0 {
		return catalogue.NextCuboid{}, false
	}
	c := b.left[best]
	from := smallest(made, c.levels)
	b.left, b.work = slices.Delete(b.left, best, best+1), b.work+workOf(from, c.rows)
	return catalogue.NextCuboid{Levels: c.levels, Rows: c.rows, From: from, MostRows: rows}, true
}

// saves is what a cuboid saves, and a share of what others save that are made of it: that of their work which it takes off.
func (b *Builder) saves(made []cube.Cuboid, c choice) float64 {
	total, from := c.saves, cube.Cuboid{Levels: c.levels, Rows: c.rows}
	for _, other := range b.left {
		if len(other.levels) >= len(c.levels) || !from.HasAll(cube.Cuboid{Levels: other.levels}) {
			continue
		}
		without := workOf(smallest(made, other.levels), other.rows)
		total += other.saves * max(0, 1-workOf(from, other.rows)/without)
	}
	return total
}

// workOf is what it takes to make a cuboid of so many rows from another one, in rows that are read.
func workOf(from cube.Cuboid, rows int64) float64 { return float64(from.Rows + writing*rows) }

// writing is how many rows are read in the time that one is written. PostgreSQL reads some 50, DuckDB some 150.
const writing = 100

// smallest gives the smallest of some cuboids that has all of the levels. The first of them has.
func smallest(cuboids []cube.Cuboid, levels []int) cube.Cuboid {
	best := cuboids[0]
	for _, c := range cuboids[1:] {
		if c.Rows < best.Rows && c.HasAll(cube.Cuboid{Levels: levels}) {
			best = c
		}
	}
	return best
}
