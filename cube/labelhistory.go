package cube

import "slices"

// LabelHistory says where the names of members change over the fiscal years: a government renames a ministry, or numbers
// its classification anew. The first is only another name; the second makes one code mean different things.
type LabelHistory struct {
	Breaks     []LabelBreak `json:"breaks,omitempty"`     // by level, path and year
	Renumbered []Renumbered `json:"renumbered,omitempty"` // by level and year
}

// Reuses tells whether the code of some member of a level, named by its key field, means different things.
func (h *LabelHistory) Reuses(level string) bool {
	return h != nil && slices.ContainsFunc(h.Breaks, func(b LabelBreak) bool { return b.Reused && b.Level == level })
}

// LabelBreak is a member whose rows have one label up to a year and another one from a later year on. The labels differ by
// more than case, accents, space, abbreviation and the order of words.
type LabelBreak struct {
	Level  string   `json:"level"`            // its key field
	Path   []string `json:"path"`             // one key for each of Level.Path; "" is missing
	Reused bool     `json:"reused,omitempty"` // the code means another thing from then on; else it has another name
	Before string   `json:"before"`           // the label to show for Last
	After  string   `json:"after"`            // the label to show for First
	Last   int64    `json:"last"`             // the last year before the break in which rows have the member
	First  int64    `json:"first"`            // the first year after it
}

// Renumbered is a year from which many members of a level mean another thing than before.
type Renumbered struct {
	Level   string `json:"level"` // its key field
	Year    int64  `json:"year"`  // LabelBreak.First of these members
	Members int64  `json:"members"`
	Of      int64  `json:"of"` // the members that have rows on both sides of the break
}
