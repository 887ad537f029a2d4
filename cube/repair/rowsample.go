package repair

import "slices"

// RowSample is a sample of the rows of a resource in a fiscal year: the smallest hashes of its rows. The rows of two resources
// whose hashes are small enough for both samples tell which share of their rows is the same, however long the files are
// (Broder 1997, On the resemblance and containment of documents).
type RowSample struct {
	hashes []uint64 // those beyond sampleSize are taken away now and then
	most   uint64   // no hash above it is added; 0: all are
}

const sampleSize = 4096

// Add adds the hash of a row.
func (s *RowSample) Add(hash uint64) {
	if s.most > 0 && hash > s.most {
		return
	}
	if s.hashes = append(s.hashes, hash); len(s.hashes) >= 2*sampleSize {
		s.settle()
	}
}

// settle leaves the smallest hashes, in order, each once.
func (s *RowSample) settle() {
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	if len(s.hashes) > sampleSize {
		s.hashes = s.hashes[:sampleSize]
		s.most = s.hashes[sampleSize-1]
	}
}

// repeats tells whether at least half of the rows of the smaller resource are rows of the other too, and more than one.
func (s *RowSample) repeats(other *RowSample) bool {
	if s == nil || other == nil {
		return false
	}
	s.settle()
	other.settle()
	a, b := s.upTo(other.most), other.upTo(s.most)
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for _, hash := range a {
		if _, found := slices.BinarySearch(b, hash); found {
			same++
		}
	}
	return same > 1 && 2*same >= len(a)
}

// upTo gives the hashes that are small enough for another sample.
func (s *RowSample) upTo(most uint64) []uint64 {
	if most == 0 {
		return s.hashes
	}
	end, found := slices.BinarySearch(s.hashes, most)
	if found {
		end++
	}
	return s.hashes[:end]
}
