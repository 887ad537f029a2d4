package describe

import (
	"fmt"
	"slices"

	"fiscube/cube"
)

// Nowhere is in place of a level or column where a person says that there is none.
const Nowhere = "-"

// Misplaced is the error of a level that cannot be where a person puts it, or not have the names that a person says.
type Misplaced struct {
	Level string // by its field
	cause string
}

// Error implements error.
func (m *Misplaced) Error() string { return m.cause }

func misplaced(c *column, format string, args ...any) error {
	return &Misplaced{c.Name, fmt.Sprintf(format, args...)}
}

// takeLabels pairs levels with the columns that have their names, as a person says.
func (r *roles) takeLabels(p *profile, labels map[string]string) error {
	for _, code := range p.Columns {
		name, ok := labels[code.Name]
		if !ok {
			continue
		}
		if at := columnNamed(p.Columns, name); name != Nowhere {
			if at < 0 || p.Columns[at] == code || r.of[at] != isLevel || r.of[code.At] != isLevel {
				return misplaced(code, "%s cannot have the names of %s", shown(name), shown(code.Name))
			}
			r.pair(code, p.Columns[at], told())
			r.told[p.Columns[at]] = ReadLabel
		}
		r.named[code] = true
	}
	return nil
}

func columnNamed(columns []*column, name string) int {
	return slices.IndexFunc(columns, func(c *column) bool { return c.Name == name })
}

// place puts levels below others, as a person says. What lies below them goes with them, and into the dimension of those.
func place(levels []*level, parents map[string]string) error {
	for _, l := range levels {
		name, ok := parents[l.column.Name]
		if !ok || l.isFixed() {
			continue
		}
		l.placed, l.parent, l.parentWhy = true, nil, nil
		if name == Nowhere {
			continue
		}
		at := slices.IndexFunc(levels, func(above *level) bool { return above.column.Name == name && above != l && !above.isFixed() })
		if at < 0 {
			return misplaced(l.column, "%s is no level below which %s can lie", shown(name), shown(l.column.Name))
		}
		l.parent, l.parentWhy = levels[at], told()
	}
	for _, l := range levels {
		if l.placed && l.isAbove(l) {
			return misplaced(l.column, "%s cannot lie below %s, which lies below it", shown(l.column.Name), shown(l.parent.column.Name))
		}
	}
	for _, l := range levels {
		for at := l; at.parent != nil; at = at.parent {
			if top := l.top(); at.placed {
				l.group, l.concept, l.conceptWhy = top.group, top.concept, top.conceptWhy
				break
			}
		}
	}
	return nil
}

// isFixed tells whether the place of a level is not for a person to choose: that of time.
func (l *level) isFixed() bool { return l.time == fiscalYear || l.time == statement }

// Level is a level of the model with its place below another.
type Level struct {
	Field     string // of its codes
	Label     string // the field of its labels; "" for none
	Parent    string // the field of the level above; "" for the first of a dimension
	Dimension string
	Why       cube.Titles // the evidence of its place
	IsFixed   bool        // nobody can choose its place
}

// Levels lists the levels of the model in the order of their columns.
func (d *Description) Levels() []Level {
	list := make([]Level, 0, len(d.levels))
	for _, l := range d.levels {
		made := Level{Field: l.column.Name, Dimension: l.dimension, Why: l.parentWhy, IsFixed: l.isFixed()}
		if l.label != nil {
			made.Label = l.label.Name
		}
		if l.parent != nil {
			made.Parent = l.parent.column.Name
		}
		list = append(list, made)
	}
	return list
}
