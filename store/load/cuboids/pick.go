package cuboids

import (
	"math"

	"fiscube/cube"
)

// picker picks the next cuboid to make, by what is known when it is looked for.
type picker struct {
	made    []source
	left    []choice
	without []float64 // by left: the work to make it of what is made
	rows    int64     // that there is room for
	most    float64   // work that there is time for
}

// source is a cuboid that others can be made of.
type source struct {
	levels set
	rows   int64
	index  int // among those that are made
}

func (b *Builder) newPicker(made []cube.Cuboid, rows int64, most float64) *picker {
	p := &picker{left: b.left, rows: rows, most: most}
	for i, c := range made {
		p.made = append(p.made, source{b.lattice.setOf(c.Levels), c.Rows, i})
	}
	for _, c := range b.left {
		p.without = append(p.without, p.workOf(c))
	}
	return p
}

// from gives the smallest cuboid that has some levels. The first has all.
func (p *picker) from(levels set) source {
	best := p.made[0]
	for _, s := range p.made[1:] {
		if s.rows < best.rows && s.levels.hasAll(levels) {
			best = s
		}
	}
	return best
}

func (p *picker) workOf(c choice) float64 { return workOf(p.from(c.levels).rows, c.rows) }

// workOf is what it takes to make a cuboid of so many rows from one of so many, in rows that are read.
func workOf(from, rows int64) float64 { return float64(aStatement + from + writing*rows) }

// How many rows are read in the time of other things.
const (
	writing    = 100    // that a row is written. PostgreSQL reads some 50, DuckDB some 150
	aStatement = 30_000 // that a statement takes that reads none
)

// fits tells whether there are rows and time for a cuboid.
func (p *picker) fits(c choice) bool { return c.rows <= p.rows && p.workOf(c) <= p.most }

// best gives the choice that is worth most of those for which there are rows and time.
func (p *picker) best() (best choice, ok bool) {
	most := 0.0
	for _, c := range p.left {
		if worth := p.worth(c); p.fits(c) && (!ok || worth > most) {
			best, most, ok = c, worth, true
		}
	}
	return best, ok
}

// worth is what a cuboid saves for its work: what it saves itself, if it is a choice, and of what those save that are made of it,
// the share that it takes off their work. Of the rows that are saved it takes the root: the first choices save far more than all
// others together, and yet each question is to be answered soon.
func (p *picker) worth(c choice) float64 {
	total := 0.0
	for i, other := range p.left {
		switch saves := math.Sqrt(other.saves); {
		case other.levels == c.levels:
			total += saves
		case c.levels.hasAll(other.levels):
			total += saves * max(0, 1-workOf(c.rows, other.rows)/p.without[i])
		}
	}
	return total / p.workOf(c)
}

// widen adds to a choice the levels of others, as long as the cuboid gets worth more. Reading the base cuboid takes most of the time,
// and one that is wide enough for several others may still have few rows ("smallest parent" and "amortize scans" of Agarwal and
// others, "On the computation of multidimensional aggregates", 1996).
func (p *picker) widen(c choice, s sizes) choice {
	wide, most := c, p.worth(c)
	for wider, ok := wide, true; ok; wide = wider {
		ok = false
		for i, other := range p.left {
			if wide.levels.hasAll(other.levels) || p.without[i] <= workOf(wide.rows, other.rows) {
				continue
			}
			union := choice{levels: wide.levels.or(other.levels)}
			union.rows = s.about(union.levels)
			if worth := p.worth(union); worth > most && p.fits(union) {
				wider, most, ok = union, worth, true
			}
		}
	}
	if wide.levels != c.levels {
		wide.rows = s.close(wide.levels)
	}
	if s.tried[wide.levels] || !p.fits(wide) || p.worth(wide) < p.worth(c) {
		return c
	}
	s.tried[wide.levels] = true
	return wide
}

// sizes estimates how many rows cuboids have.
type sizes struct {
	lattice   *lattice
	estimator *estimator
	known     map[set]int64
	tried     map[set]bool // by widen: one that had too many rows after all is not made again
}

func newSizes(l *lattice, e *estimator) sizes {
	return sizes{l, e, map[set]int64{}, map[set]bool{}}
}

// A rough estimate looks at one row in so many, and at so many rows.
const (
	oneIn       = 200
	leastLooked = 1000
	mostLooked  = 10_000
)

// about estimates roughly.
func (s sizes) about(levels set) int64 {
	rows, ok := s.known[levels]
	if !ok {
		look := min(max(s.estimator.rows/oneIn, leastLooked), mostLooked)
		rows = s.estimator.groups(s.lattice.finest(levels), int(look))
		s.known[levels] = rows
	}
	return rows
}

// close looks at all rows of the sample.
func (s sizes) close(levels set) int64 {
	s.known[levels] = s.estimator.groups(s.lattice.finest(levels), sampleRows)
	return s.known[levels]
}
