package storetest

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// tellsStatements tells whether a level is cut by codes alone, since it says which statement a row is of.
func (q *questioner) tellsStatements(level cube.Level) bool {
	s := q.version.Model.Snapshots()
	return s != nil && (s.By == level.Ref || slices.Contains(s.Per, level.Ref))
}

// labelCut makes up a term of what members are called, beside codes where it stands on the key field.
func (q *questioner) labelCut(level cube.Level) string {
	ref, item := level.Ref, func() string { return q.item(level) }
	if level.LabelRef != "" && q.chance(70) {
		ref, item = level.LabelRef, func() string { return q.label(level) }
	}
	return q.name(ref) + ":" + strings.Join(q.times(1, 3, func() string {
		if part := q.part(level); part != "" && q.chance(50) {
			return "~" + quoted(part)
		}
		return item()
	}), ";")
}

// label is one that occurs, or hardly.
func (q *questioner) label(level cube.Level) string {
	column, _ := q.version.Model.Column(level.LabelRef)
	if q.chance(10) {
		return q.stranger(column)
	}
	return q.value(q.oracle.value(q.row(), column))
}

// part is a piece of a key or a label that occurs, in any case; "" where the level cannot be searched.
func (q *questioner) part(level cube.Level) string {
	if !level.Listed {
		return ""
	}
	field := level.Ref
	if level.LabelRef != "" && q.chance(70) {
		field = level.LabelRef
	}
	whole := []rune(tidied(q.row()[q.oracle.places[field]]))
	if len(whole) == 0 {
		return ""
	}
	from := q.random.IntN(len(whole))
	piece := string(whole[from:min(len(whole), from+1+q.random.IntN(6))])
	if tidied(piece) == "" {
		return ""
	}
	return pick(q, []func(string) string{strings.ToUpper, strings.ToLower, sought, tidied})(piece)
}
