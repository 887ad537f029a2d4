// Package prose has the sentences of an answer, in every language that fiscube speaks: its warnings, and the citation
// that says what its numbers are. The texts are templates in words.go and citation_words.go.
package prose
