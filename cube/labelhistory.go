package cube

import (
	"slices"
	"strings"
	"sync"
)

// LabelHistory says where the names of members change over the fiscal years: a government renames a ministry, or numbers
// its classification anew. The first is only another name; the second makes one code mean different things.
type LabelHistory struct {
	Breaks     []LabelBreak `json:"breaks,omitempty"`     // by level, path and year
	Renumbered []Renumbered `json:"renumbered,omitempty"` // by level and year
	Yearly     []string     `json:"yearly,omitempty"`     // the key fields of levels whose label cell follows from the member and the year

	Words map[string]string `json:"words,omitempty"` // in small letters, and as most names in sentences write them; where Package.Names asks

	indexed sync.Once
	byPath  map[string][]*LabelBreak // of Breaks, by level and path
	byKey   map[string][]*LabelBreak // by level and own key
	byLevel map[string][]*LabelBreak
}

// Reuses tells whether the code of some member of a level, named by its key field, means different things.
func (h *LabelHistory) Reuses(level string) bool {
	return h != nil && slices.ContainsFunc(h.OfLevel(level), func(b *LabelBreak) bool { return b.Reused })
}

// IsYearly tells whether all rows of a member of a level and a fiscal year have the same label cell (Label.Cell), which is a text.
func (h *LabelHistory) IsYearly(level string) bool {
	return h != nil && slices.Contains(h.Yearly, level)
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

// Divides tells whether one of two years is before the break, and the other after it.
func (b LabelBreak) Divides(year, other int64) bool {
	return min(year, other) <= b.Last && max(year, other) >= b.First
}

// OfMember gives the breaks of the member with an id (history.ID): its level and the keys of its path, a NUL before each, which no cell holds.
func (h *LabelHistory) OfMember(id []byte) []*LabelBreak {
	h.index()
	return h.byPath[string(id)]
}

// OfKey gives the breaks of the members of a level with a key, under any parent.
func (h *LabelHistory) OfKey(level, key string) []*LabelBreak {
	h.index()
	return h.byKey[level+"\x00"+key]
}

// OfLevel gives the breaks of all members of a level.
func (h *LabelHistory) OfLevel(level string) []*LabelBreak {
	h.index()
	return h.byLevel[level]
}

// index is made once, since a version never changes.
func (h *LabelHistory) index() {
	h.indexed.Do(func() {
		h.byPath, h.byKey, h.byLevel = map[string][]*LabelBreak{}, map[string][]*LabelBreak{}, map[string][]*LabelBreak{}
		for i := range h.Breaks {
			b := &h.Breaks[i]
			path, key := b.Level+"\x00"+strings.Join(b.Path, "\x00"), b.Level+"\x00"
			if len(b.Path) > 0 {
				key += b.Path[len(b.Path)-1]
			}
			h.byPath[path], h.byKey[key] = append(h.byPath[path], b), append(h.byKey[key], b)
			h.byLevel[b.Level] = append(h.byLevel[b.Level], b)
		}
	})
}
