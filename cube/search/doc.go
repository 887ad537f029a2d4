// Package search finds what people know by name: the members of all cubes, and the cubes, dimensions, levels and
// measures themselves. The stores have no folding, no trigrams and no ranking in common, so the index is in memory:
// one immutable part for each served version, read in the background from what the store says of its members and of what
// they come to. To search asks nothing of the store.
//
// The rules, in the order they are applied:
//
//  1. A text is its words: runs of letters and digits, without case and accents.
//  2. Something is found when each word of the query is found in it: whole, or as the beginning of a word, or with
//     slips of the finger, which are a letter left out, put in, replaced, or swapped with the next: one where the word
//     has at least four letters, two where it has at least eight.
//     Articles and prepositions need not be found beside other words.
//  3. A word with a digit in it is a code, and so is the key of a member that has a label: codes are found whole or by
//     their beginning, never with slips.
//  4. Something is also found by some words of its own and the others of what stands above it, which are the names of its
//     cube and, of a member, those of its path: unless one of these has all words, for then that one is looked for.
//  5. First comes what is called exactly so, then what begins so, then what has the words whole, then what has their
//     beginnings, then what has them with slips, the fewest first, then what has some from above, again by its
//     slips, then by how many are from above; of equals what has most rows.
//
// A query goes over every entry once: its work is bounded by the size of the index and not by how many entries it
// finds. (2026-11: posting lists would be faster for rare words and no faster for the frequent ones, which decide.)
package search
