package site

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

// Larger gives a published budget with the title of a cube and more than ten times as many rows a year, of which the cube may be an
// excerpt.
func (v *Visit) Larger(cb *cube.Cube) (*cube.Cube, bool) {
	rows, _ := cb.RowsOfYear()
	others := v.TitledAlike(cb)
	i := slices.IndexFunc(others, func(other *cube.Cube) bool {
		of, _ := other.RowsOfYear()
		return !cb.Synthetic && of > 10*rows
	})
	if i < 0 {
		return nil, false
	}
	return others[i], true
}

// ExcerptMark says in a few words that a budget may be an excerpt; "" if it does not look like one.
func (v *Visit) ExcerptMark(cb *cube.Cube) string {
	if _, hasLarger := v.Larger(cb); hasLarger || cb.MayBeExcerpt() {
		return prose.Doubts(v.Language).ExcerptShort
	}
	return ""
}

// PartOfYear is which periods, such as months, the rows of some years are of, where these are not all of a year.
type PartOfYear struct {
	Level   cube.Level
	Numbers []int64
	Years   []int64
}

// PartsOf lists the years of which a budget has a part alone, together where that is the same.
func PartsOf(cb *cube.Cube, years []int64) (list []PartOfYear) {
	for _, year := range years {
		level, numbers, ok := cb.PartOfYear(year)
		if !ok {
			continue
		}
		same := slices.IndexFunc(list, func(part PartOfYear) bool { return part.Level.Ref == level.Ref && slices.Equal(part.Numbers, numbers) })
		if same < 0 {
			same = len(list)
			list = append(list, PartOfYear{Level: level, Numbers: numbers})
		}
		list[same].Years = append(list[same].Years, year)
	}
	return list
}

// Periods names the periods of a part of a year.
func (v *Visit) Periods(part PartOfYear) string {
	return v.LevelTitle(part.Level) + " " + words.Periods(part.Numbers)
}

// PartMarks say in a few words of which periods alone a budget has amounts, in those of the years of which it has a part.
func (v *Visit) PartMarks(cb *cube.Cube, years []int64) (marks []string) {
	for _, part := range PartsOf(cb, years) {
		marks = append(marks, v.Fill(prose.Doubts(v.Language).PartShort, v.Periods(part), v.Years(part.Years)))
	}
	return marks
}

// Marks say in a few words why the amounts of a budget should not be cited as they stand.
func (v *Visit) Marks(cb *cube.Cube) (marks []string) {
	if excerpt := v.ExcerptMark(cb); excerpt != "" {
		marks = append(marks, excerpt)
	}
	if cb.Coverage == nil {
		return marks
	}
	return append(marks, v.PartMarks(cb, cb.Coverage.Years)...)
}
