package search

import "math/bits"

// mostLetters bounds the words that are compared with slips.
const mostLetters = 60

// sketch is what decides of most words that they are not near another: how many letters there are, and which.
type sketch struct {
	letters uint64 // a bit for each letter, several letters to a bit
	length  uint8  // 0 of a word that is never found with slips
}

func sketchOf(word string) sketch {
	if isCode(word) {
		return sketch{}
	}
	var s sketch
	for _, r := range word {
		s.letters |= 1 << (uint32(r) & 63)
		if s.length++; s.length > mostLetters {
			return sketch{}
		}
	}
	return s
}

// mayBeNear tells whether two words can be within so many slips: a slip brings in, and takes out, at most one letter.
func (s sketch) mayBeNear(t sketch, most int) bool {
	return t.length > 0 && int(s.length)-int(t.length) <= most && int(t.length)-int(s.length) <= most &&
		bits.OnesCount64(s.letters&^t.letters) <= most && bits.OnesCount64(t.letters&^s.letters) <= most
}

// distance counts the slips between two texts of at most mostLetters, or gives most+1 where they are more (the
// optimal string alignment distance).
func distance(a, b []rune, most int) int {
	var rows [3][mostLetters + 1]int
	before, row, next := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			n := min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			next[j+1], least = n, min(least, n)
		}
		if least > most {
			return most + 1 // a swap reaches back to the row before, whose least is no less than most
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], most+1)
}
