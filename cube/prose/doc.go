// Package prose writes the sentences of an answer in every language of fiscube: the warnings, and the citation that says
// what the numbers are. The texts are templates in words.go and citation_words.go.
package prose
