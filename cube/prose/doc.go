// Package prose writes what fiscube says to people in every language that it speaks: the warnings of an answer, the citation
// that says what its numbers are, the texts in files and pages. Their messages are those of cube/words: "warning" has what programs
// get, and "caveat" what people are told.
package prose
