package cuboids

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// sample is an even choice of rows: the members that they have in some levels.
type sample struct {
	rows   int64 // that it was taken of
	levels int
	kept   []int32 // one row after the other
	random *rand.Rand
}

// sampleRows is how many rows a sample has at most.
const sampleRows = 100_000

// newSample makes a sample that is the same whenever the rows are.
func newSample(levels int) *sample {
	return &sample{levels: levels, random: rand.New(rand.NewPCG(1, 1))}
}

// add takes a row into account. Each row has the same chance to be kept (Vitter's algorithm R).
func (s *sample) add(members []int32) {
	s.rows++
	if s.rows <= sampleRows {
		s.kept = append(s.kept, members...)
		return
	}
	if i := s.random.Int64N(s.rows); i < sampleRows {
		copy(s.kept[int(i)*s.levels:], members)
	}
}

// estimator estimates by a sample into how many groups some levels divide all rows.
type estimator struct {
	rows    int64     // of all
	columns [][]int32 // by level: the members of the rows of the sample
	hashes  []uint64  // of the rows that are looked at
	seen    []uint64  // a table of hashes, whose lowest two bits say how often each was seen
}

// newEstimator takes the columns of a sample, whose rows are not in the order of the files: a part of them is a sample, too.
func (s *sample) newEstimator() *estimator {
	e := &estimator{rows: s.rows, columns: make([][]int32, s.levels)}
	order := s.random.Perm(len(s.kept) / max(1, s.levels))
	for level := range e.columns {
		e.columns[level] = make([]int32, len(order))
		for i, row := range order {
			e.columns[level][i] = s.kept[row*s.levels+level]
		}
	}
	return e
}

// groups looks at so many rows of the sample for the groups by some levels, by their indexes in a row. A group that the sample has
// once may stand for others that it has not. How many is estimated by the first-order jackknife (Haas, Naughton, Seshadri and Stokes
// 1995), which is low where groups differ much in size, by the estimator with a guaranteed error (Charikar, Chaudhuri, Motwani and
// Narasayya 2000), and by the lower bound of Chao (1984), which is close where there are many groups of a few rows: the highest of the
// three.
func (e *estimator) groups(levels []int, look int) int64 {
	if len(levels) == 0 || len(e.columns[0]) == 0 {
		return min(1, e.rows)
	}
	look = min(look, len(e.columns[0]))
	seen, once, twice := e.count(levels, look)
	share, groups := float64(look)/float64(e.rows), float64(seen)
	jackknife := groups / (1 - (1-share)*float64(once)/float64(look))
	guaranteed := groups + (math.Sqrt(1/share)-1)*float64(once)
	chao := groups + (1-share)*float64(once)*float64(once-1)/float64(2*(twice+1))
	return min(e.rows, int64(max(jackknife, guaranteed, chao)))
}

// count counts the groups of the rows that are looked at, and those of them with one row and with two.
func (e *estimator) count(levels []int, look int) (groups, once, twice int) {
	e.hash(levels, look)
	size := 1 << bits.Len(uint(2*look))
	if cap(e.seen) < size {
		e.seen = make([]uint64, size)
	}
	seen := e.seen[:size]
	clear(seen)
	for _, hash := range e.hashes {
		i := hash >> (64 - bits.Len(uint(size-1)))
		for seen[i] != 0 && seen[i]>>2 != hash>>2 {
			i = (i + 1) % uint64(size)
		}
		switch seen[i] & 3 {
		case 0:
			groups, once, seen[i] = groups+1, once+1, hash&^3
		case 1:
			once, twice = once-1, twice+1
		case 2:
			twice--
		default:
			continue
		}
		seen[i]++
	}
	return groups, once, twice
}

// hash sets the hashes of the rows that are looked at.
func (e *estimator) hash(levels []int, look int) {
	if cap(e.hashes) < look {
		e.hashes = make([]uint64, look)
	}
	e.hashes = e.hashes[:look]
	clear(e.hashes)
	for _, level := range levels {
		for i, member := range e.columns[level][:look] {
			h := (bits.RotateLeft64(e.hashes[i], 29) ^ uint64(uint32(member))) * 0x9e3779b97f4a7c15
			e.hashes[i] = h
		}
	}
}
