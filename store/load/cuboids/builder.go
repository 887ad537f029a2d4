package cuboids

import (
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
// none, or no time. One that would take more than half of the time that is left is given up, so that there is time for
// smaller ones.
func (b *Builder) Next(made []cube.Cuboid) (catalogue.NextCuboid, bool) {
	if b.began.IsZero() {
		b.began = b.now()
	}
	rows, took := b.rows, b.now().Sub(b.began)
	for _, c := range made[1:] {
		rows -= c.Rows
	}
	for i, c := range b.left {
		from := smallest(made, c.levels)
		work := float64(from.Rows + writing*c.rows)
		takes := time.Duration(work * float64(took) / max(1, b.work)) // 0 before the first
		if c.rows > rows || takes > (b.within-took)/2 {
			continue
		}
		b.left, b.work = b.left[i+1:], b.work+work
		return catalogue.NextCuboid{Levels: c.levels, From: from, MostRows: rows}, true
	}
	return catalogue.NextCuboid{}, false
}

// writing is how many rows are read in the time that one is written.
const writing = 4

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
