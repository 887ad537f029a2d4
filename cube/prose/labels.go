package prose

import (
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/sentencecase"
)

// mostCode is how many letters a label has at most that may be a code.
const mostCode = 3

// ShownLabel gives the label of a member as pages show it: a name in capitals as a sentence writes it, if the overlay asks for that. Where it
// differs, a page has the published label as its title. Data, files, links and searches have the published one.
func ShownLabel(cb *cube.Cube, label string) string {
	if cb.Names == nil || utf8.RuneCountInString(label) <= mostCode {
		return label
	}
	return sentencecase.Write(label, cb.Names, cb.LabelHistory.Words)
}
