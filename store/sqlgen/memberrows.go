package sqlgen

import (
	"iter"
	"slices"

	"fiscube/cube"
)

// MemberRows reads the rows of the statement that Members made for the plan: first the count, then the members. A row
// holds what Cells allows.
func MemberRows(p *cube.MemberPlan, rows iter.Seq2[[]any, error]) iter.Seq2[cube.MemberRow, error] {
	return func(yield func(cube.MemberRow, error) bool) {
		r := &memberReader{plan: p, keys: len(p.Path())}
		for row, err := range rows {
			if err != nil {
				yield(cube.MemberRow{}, err)
				return
			}
			if !r.counted {
				r.counted = true
				if !yield(cube.MemberRow{Count: row[0].(int64)}, nil) {
					return
				}
			}
			if whole, ok := r.take(row); ok && !yield(whole, nil) {
				return
			}
		}
		if r.begun {
			yield(r.member, nil)
		}
	}
}

// memberReader puts together the rows of one member, which stand one after the other.
type memberReader struct {
	plan    *cube.MemberPlan
	keys    int // how many columns the path has
	counted bool
	begun   bool
	member  cube.MemberRow
}

// take adds a row to its member. Where that is a new one it gives the one before, which is whole.
func (r *memberReader) take(row []any) (whole cube.MemberRow, ok bool) {
	if row[1] == nil {
		return cube.MemberRow{}, false
	}
	path := make([]cube.Value, r.keys)
	for i := range path {
		path[i] = value(row[2+i])
	}
	if !r.begun || !slices.Equal(path, r.member.Path) {
		whole, ok = r.member, r.begun
		r.member, r.begun = r.begin(path, row[2+r.keys:]), true
	}
	if r.plan.Level().HasLabels() {
		r.addLabel(row[2+r.keys+4:])
	}
	return whole, ok
}

// begin reads the columns label, rows, first and last.
func (r *memberReader) begin(path []cube.Value, row []any) cube.MemberRow {
	m := cube.MemberRow{Path: path, Label: cube.Text(row[0].(string)), Rows: row[1].(int64), First: value(row[2]), Last: value(row[3])}
	if m.Label.IsMissing() {
		m.Label = cube.Text(path[len(path)-1].String())
	}
	return m
}

// addLabel adds a label of a year. Years come the latest first and are listed the other way round.
func (r *memberReader) addLabel(row []any) {
	text, ok := row[0].(string)
	if !ok {
		return
	}
	i := slices.IndexFunc(r.member.Labels, func(l cube.LabelUse) bool { return l.Text == text })
	if i < 0 {
		i = len(r.member.Labels)
		r.member.Labels = append(r.member.Labels, cube.LabelUse{Text: text})
	}
	if year, ok := row[1].(int64); ok {
		r.member.Labels[i].Years = slices.Insert(r.member.Labels[i].Years, 0, year)
	}
}
