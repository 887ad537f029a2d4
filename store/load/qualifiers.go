package load

import (
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/internal/tidy"
)

// combinations counts the rows of a file by their qualifiers of amounts.
type combinations struct {
	names  []string
	fields []int // of the file's cells, -1 where it lacks one
	rows   map[string]int64
	key    []byte
}

// mostSeen bounds the combinations that are counted, of which a package may have fewer.
const mostSeen = repair.MostCombinations * 4

// qualifiersOf lists the fields that hold qualifiers of amounts: those of the overlay, else those of a column type. Labels come first: they are words.
func qualifiersOf(p *cube.Package, d *cube.Draft) []repair.Qualifier {
	var list []repair.Qualifier
	for _, qualifier := range cube.Qualifiers {
		field, declared := p.Qualifiers[qualifier]
		if !declared {
			field = fieldOfType(p, qualifier)
		}
		if c := d.Column(field); c != nil && c.From == nil && field != cube.NoQualifier {
			list = append(list, repair.Qualifier{Qualifier: qualifier, Field: field})
		}
	}
	return list
}

// fieldOfType gives the field whose column type is that of a qualifier, and that all resources have which have such fields; "" for none.
func fieldOfType(p *cube.Package, qualifier string) string {
	is := func(f cube.Field) bool { return cube.QualifierOfType(f.ColumnType) == qualifier }
	for _, kind := range []string{"label", "id", "code", ""} { // the last is a column type of one part, such as direction
		for _, r := range p.Resources {
			for _, f := range r.Schema.Fields {
				_, of, _ := strings.Cut(f.ColumnType, ":")
				lacks := func(r cube.Resource) bool { return slices.ContainsFunc(r.Schema.Fields, is) && r.Field(f.Name) < 0 }
				if is(f) && of[strings.LastIndexByte(of, ':')+1:] == kind && !slices.ContainsFunc(p.Resources, lacks) {
					return f.Name
				}
			}
		}
	}
	return ""
}

func newCombinations(r *cube.Resource, qualifiers []repair.Qualifier) *combinations {
	if len(qualifiers) == 0 {
		return nil
	}
	c := &combinations{rows: map[string]int64{}}
	for _, q := range qualifiers {
		c.names, c.fields = append(c.names, q.Field), append(c.fields, r.Field(q.Field))
	}
	return c
}

// add counts a row, and gives its combination; "" beyond the most that are counted.
func (c *combinations) add(cells []string, missing func(string) bool) string {
	c.key = c.key[:0]
	for _, i := range c.fields {
		if i >= 0 && !missing(cells[i]) {
			c.key = append(c.key, tidy.Key(cells[i])...)
		}
		c.key = append(c.key, 0)
	}
	if _, known := c.rows[string(c.key)]; !known && len(c.rows) >= mostSeen {
		return ""
	}
	c.rows[string(c.key)]++
	return string(c.key)
}

// isOf tells whether a combination has the values of the qualifiers of a measure.
func (c *combinations) isOf(combination string, where *cube.Derivation) bool {
	cells := strings.Split(combination, "\x00")
	if len(cells) <= len(c.names) { // rows beyond those that are counted
		return false
	}
	for i, field := range where.Fields[1:] {
		if at := slices.Index(c.names, field); at < 0 || !slices.Contains(where.CellsOf(i), cells[at]) {
			return false
		}
	}
	return true
}

// combined lists the combinations of all files.
func (s *surveyor) combined() (list []repair.Combination) {
	for i, r := range s.surveys {
		if r.combinations == nil {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(r.combinations.rows)) {
			list = append(list, repair.Combination{Cells: strings.Split(strings.TrimSuffix(key, "\x00"), "\x00"), Rows: r.combinations.rows[key], Resource: i})
		}
	}
	slices.SortStableFunc(list, func(a, b repair.Combination) int { return slices.Compare(a.Cells, b.Cells) })
	return list
}
