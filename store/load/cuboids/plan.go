package cuboids

import (
	"math"
	"slices"

	"fiscube/cube"
)

// plan is in which order cuboids are made, the largest first, each of the smallest that there is by then and that has its levels.
type plan struct {
	made    []cube.Cuboid // the base first
	left    []choice
	dropped []bool
	parents [][]int // of each choice: what may be its parent, the smallest first. Choices come before, at len(made) and above
}

// writing is how many rows are read in the time that one is written.
const writing = 4

func newPlan(made []cube.Cuboid, left []choice) *plan {
	p := &plan{made: made, left: left, dropped: make([]bool, len(left)), parents: make([][]int, len(left))}
	for i, c := range left {
		child := cube.Cuboid{Levels: c.levels}
		for parent := range len(made) + i {
			if p.cuboid(parent).HasAll(child) {
				p.parents[i] = append(p.parents[i], parent)
			}
		}
		slices.SortStableFunc(p.parents[i], func(a, b int) int { return int(p.cuboid(a).Rows - p.cuboid(b).Rows) })
	}
	return p
}

// cuboid gives one that is made or, with the rows that were estimated, one of the choices.
func (p *plan) cuboid(parent int) cube.Cuboid {
	if parent < len(p.made) {
		return p.made[parent]
	}
	c := p.left[parent-len(p.made)]
	return cube.Cuboid{Levels: c.levels, Rows: c.rows}
}

// parent gives the smallest parent of a choice but for one other choice.
func (p *plan) parent(choice, without int) int {
	for _, parent := range p.parents[choice] {
		if other := parent - len(p.made); other < 0 || !p.dropped[other] && other != without {
			return parent
		}
	}
	return 0 // the base has all levels
}

// from gives the smallest cuboid that is made and has the levels of a choice.
func (p *plan) from(choice int) cube.Cuboid {
	for _, parent := range p.parents[choice] {
		if parent < len(p.made) {
			return p.made[parent]
		}
	}
	return p.made[0]
}

// work is what it takes to make a choice now, in rows that are read.
func (p *plan) work(choice int) float64 {
	return float64(p.from(choice).Rows + writing*p.left[choice].rows)
}

// first gives the first choice that is not dropped, -1 if there is none.
func (p *plan) first() int { return slices.Index(p.dropped, false) }

// best gives the choice that saves most for its work, -1 if there is none.
func (p *plan) best() int {
	best := -1
	for i, c := range p.left {
		if best < 0 || c.saves*p.work(best) > p.left[best].saves*p.work(i) {
			best = i
		}
	}
	return best
}

// shorten drops choices until the work is at most so much: each time that which saves least for the work that is less without it.
func (p *plan) shorten(most float64) {
	for {
		total, without := p.costs()
		if total <= most {
			return
		}
		drop, least := -1, math.Inf(1)
		for i, less := range without {
			if p.dropped[i] || less <= 0 {
				continue
			}
			if worth := p.left[i].saves / less; worth < least {
				drop, least = i, worth
			}
		}
		if drop < 0 {
			return
		}
		p.dropped[drop] = true
	}
}

// costs gives the work of all choices, and how much less it is without each. It may be more, since others are made of it.
func (p *plan) costs() (total float64, without []float64) {
	without = make([]float64, len(p.left))
	for i, c := range p.left {
		if p.dropped[i] {
			continue
		}
		parent := p.parent(i, -1)
		work := float64(p.cuboid(parent).Rows + writing*c.rows)
		total += work
		without[i] += work
		if other := parent - len(p.made); other >= 0 {
			without[other] -= float64(p.cuboid(p.parent(i, other)).Rows - p.cuboid(parent).Rows)
		}
	}
	return total, without
}
