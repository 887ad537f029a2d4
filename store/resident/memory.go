package resident

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/internal/cache"
	"fiscube/internal/each"
	"fiscube/store/dictionary"
)

// memory keeps the tables of versions. That of levels that would have too many rows is nil, and so is a base that has no room.
type memory struct{ *cache.Cache[tableID, *table] }

// tableID names a table.
type tableID struct {
	version  dictionary.Version
	levels   string // "" for the base
	extremes bool
}

func levelsID(levels []int) string { return strings.Join(each.Text(levels, strconv.Itoa), " ") + "." }

// best gives the table with the fewest rows that has some levels, nil if there is none, and whether it would be in vain to make one of them
// alone: there is one, or it would have too many rows.
func (m memory) best(of dictionary.Version, levels []int, extremes bool) (best *table, inVain bool) {
	for _, also := range []bool{extremes, true} {
		t, known := m.Known(tableID{of, levelsID(levels), also})
		if t != nil {
			return t, true
		}
		inVain = inVain || known
	}
	var asked tableID
	m.Each(func(id tableID, t *table, _ int64) {
		switch {
		case id.version != of:
		case t == nil:
			inVain = inVain || id.levels != "" && isPart(id.levels, levels)
		case (t.extremes || !extremes) && t.hasAll(levels) && (best == nil || t.rows < best.rows):
			best, asked = t, id
		}
	})
	m.Known(asked)
	return best, inVain
}

// isPart tells whether all of the levels that an id names are among some.
func isPart(id string, levels []int) bool {
	for name := range strings.FieldsSeq(strings.TrimSuffix(id, ".")) {
		if level, _ := strconv.Atoi(name); !slices.Contains(levels, level) {
			return false
		}
	}
	return true
}

// bytesOf adds up what the tables of a version take.
func (m memory) bytesOf(of dictionary.Version) (sum int64) {
	m.Each(func(id tableID, _ *table, bytes int64) {
		if id.version == of {
			sum += bytes
		}
	})
	return sum
}

// count counts the tables, and the bases among them.
func (m memory) count() (tables, bases int) {
	m.Each(func(id tableID, t *table, _ int64) {
		if t == nil {
			return
		}
		if tables++; id.levels == "" {
			bases++
		}
	})
	return tables, bases
}
