// Package reading writes an answer for people: the names of its cells, its numbers and their changes, its rows, its years, and what is doubtful about
// them. It asks the store nothing.
package reading

import (
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// Reading is an answer to a selection, or to what a page asks beside it.
type Reading struct {
	*selection.Selection
	Answer   *answer.Answer
	Question query.Query    // what it answers
	There    int64          // how many members have rows, of an answer whose others also count those that are gone; 0 of any other
	called   map[string]int // how often its cells have a name; nil until that is asked
}

// New is the answer to a question of a selection.
func New(s *selection.Selection, asked query.Query, found *answer.Answer) *Reading {
	return &Reading{Selection: s, Answer: found, Question: asked}
}

// With is the same selection with the answer to another question.
func (r *Reading) With(asked query.Query, found *answer.Answer) *Reading {
	return New(r.Selection.With(r.Address, found.Plan), asked, found)
}

// Elsewhere is the same answer at another address.
func (r *Reading) Elsewhere(at site.Address) *Reading {
	return New(r.Selection.With(at, r.Plan), r.Question, r.Answer)
}
