package findings

import "fiscube/cube"

// Question is something that no cell of a table without a descriptor says, such as the currency of its amounts.
type Question struct {
	Key     string      `json:"key"` // names it among those of the files
	Text    cube.Titles `json:"-"`
	Choices []string    `json:"choices,omitempty"` // the answers that there are; nil where any text will do
	Default string      `json:"default,omitempty"` // what counts without an answer; "" leaves it open
	Amount  string      `json:"amount,omitempty"`  // the amount that it is about; "" for none or all
	General string      `json:"general,omitempty"` // the key of the question about all amounts, whose answer counts without one; "" for none
}

// Asked is a question in one language, with its answer.
type Asked struct {
	Question
	Text   string `json:"text"`
	Answer string `json:"answer,omitempty"`
}

// In asks a question in a language.
func (q Question) In(l cube.Language, answer string) Asked { return Asked{q, q.Text.In(l), answer} }
