// Package suggest has the hints of messages about a name that there is not.
package suggest

import (
	"slices"
	"strings"
)

// DidYouMean gives a hint with the known name that is nearest to the one asked, or "" if none is near.
func DidYouMean(asked string, known []string) string {
	if name := Nearest(asked, known); name != "" {
		return "did you mean " + name + "?"
	}
	return ""
}

// mostNames bounds how many names a hint lists.
const mostNames = 12

// FirstOf lists the first of the known names, and says how many more there are.
func FirstOf(names []string) (listed string, more int) {
	first := names[:min(len(names), mostNames)]
	return strings.Join(first, ", "), len(names) - len(first)
}

// Nearest gives the known name that was probably meant, ignoring case: the one with the fewest typing errors, at most
// one for every three letters; else one that begins with what was asked, or contains it. Of equals the first is given.
func Nearest(asked string, known []string) string {
	want := []rune(strings.ToLower(asked))
	best, least := "", max(1, len(want)/3)+1
	for _, name := range known {
		letters := []rune(strings.ToLower(name))
		if apart := len(want) - len(letters); max(apart, -apart) >= least { // each letter more is an error
			continue
		}
		if d := distance(want, letters); d < least {
			best, least = name, d
		}
	}
	if best != "" || len(want) < leastPart {
		return best
	}
	return containing(string(want), known)
}

// leastPart is the least number of letters by which a longer name is recognized.
const leastPart = 3

// containing gives the first name that begins with the part, else the first that contains it.
func containing(part string, known []string) string {
	for _, matches := range []func(s, part string) bool{strings.HasPrefix, strings.Contains} {
		i := slices.IndexFunc(known, func(name string) bool { return matches(strings.ToLower(name), part) })
		if i >= 0 {
			return known[i]
		}
	}
	return ""
}

// distance counts the typing errors between two texts: a letter left out, put in, replaced, or swapped with the next
// (the optimal string alignment distance).
func distance(a, b []rune) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			next[j+1] = min(row[j]+unequal(a[i], b[j]), row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

func unequal(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
