// Package prose writes what fiscube says to people in every language that it speaks: the warnings of an answer, the citation
// that says what its numbers are, the texts in files and pages. The texts are templates, in tables by language. A Locale writes
// numbers and amounts as a region does.
package prose
