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

// groups estimates into how many groups some levels, by their indexes in a row, divide all rows. It looks at so many rows of
// the sample. A group that the sample has once may stand for others that it has not. How many is estimated by the first-order
// jackknife (Haas, Naughton, Seshadri and Stokes 1995), which is low where groups differ much in size, by the estimator with a
// guaranteed error (Charikar, Chaudhuri, Motwani and Narasayya 2000), and by the lower bound of Chao (1984), which is close where
// there are many groups of a few rows: the highest of the three.
func (s *sample) groups(levels []int, look int) int64 {
	look = min(look, len(s.kept)/max(1, s.levels))
	if look == 0 || len(levels) == 0 {
		return min(1, s.rows)
	}
	seen := make(map[uint64]uint8, look/4) // by hash: how often a group was seen, up to three times
	once, twice := 0, 0
	for i := range look {
		hash := uint64(0)
		for _, level := range levels {
			hash = (bits.RotateLeft64(hash, 29) ^ uint64(s.kept[i*s.levels+level])) * 0x9e3779b97f4a7c15
		}
		switch seen[hash] {
		case 0:
			once++
		case 1:
			once, twice = once-1, twice+1
		case 2:
			twice--
		default:
			continue
		}
		seen[hash]++
	}
	share, groups := float64(look)/float64(s.rows), float64(len(seen))
	jackknife := groups / (1 - (1-share)*float64(once)/float64(look))
	guaranteed := groups + (math.Sqrt(1/share)-1)*float64(once)
	chao := groups + (1-share)*float64(once)*float64(once-1)/float64(2*(twice+1))
	return min(s.rows, int64(max(jackknife, guaranteed, chao)))
}
