package reading

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// Member is the member of a level, with a link to what is below it.
type Member struct {
	Label, Code, Down, Hint string
	Published               string // the label as it is published, where pages show it otherwise: in sentence case, or as a purpose in the reader's language
	Missing                 bool   // the rows without a key
	Above                   []Member
}

// Shown lists the levels whose members are named: the drilled ones, and those above them of which the rows have several members.
func (r *Reading) Shown() (list []cube.Level) {
	for _, key := range r.Plan.Keys() {
		level, ok := r.Cube.Model.LevelOfKey(key.Name)
		drilled := slices.ContainsFunc(r.Plan.Steps(), func(s plan.Step) bool { return s.Ref == level.Ref })
		if ok && (drilled || !r.IsFixed(level.Ref) && !r.Cube.Model.IsEdition(level.Ref)) {
			list = append(list, level)
		}
	}
	return list
}

// MemberOf is the member of a level that a cell is of. In a subtotal, which is of several, it is empty.
func (r *Reading) MemberOf(cell answer.Cell, level cube.Level) Member {
	p := r.Plan
	index := slices.IndexFunc(p.Levels(), func(l cube.Level) bool { return l.Ref == level.Ref })
	key := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == level.Ref })
	if key < 0 || key >= len(cell.Keys) {
		return Member{}
	}
	m := Member{Label: cell.Keys[key].String(), Missing: cell.Keys[key].IsMissing()}
	if index >= 0 { // else a level whose members are not listed, which have no labels
		if label := cell.Labels[index]; !label.IsMissing() && label.String() != m.Label {
			m.Label, m.Code = prose.ShownLabel(r.Cube, label.String()), m.Label
			if m.Label != label.String() {
				m.Published = label.String()
			}
		}
	}
	m.Label = cmp.Or(m.Label, r.Say("view.missing"))
	if purpose := purposeName(r, cell, level); purpose != "" && !strings.EqualFold(purpose, m.Label) {
		m.Published = cmp.Or(m.Published, m.Label)
		m.Label, m.Code = purpose, cmp.Or(m.Code, cell.Keys[key].String())
	}
	return m
}

// Members are the members of a cell in the columns of their levels.
func (r *Reading) Members(cell answer.Cell, levels []LevelColumn) (list []Member) {
	for _, l := range levels {
		made := r.MemberOf(cell, l.Level)
		for _, above := range l.Above {
			if of := r.MemberOf(cell, above); of.Label != "" {
				made.Above = append(made.Above, of)
			}
		}
		list = append(list, made)
	}
	return list
}

// NameOf names the members of a cell on the drilled levels.
func (r *Reading) NameOf(cell answer.Cell) string {
	return namesOn(r, r.Drilled(), cell) + codeBeside(r, cell)
}

// PathOf names the members of a cell as they are published, and those above them.
func (r *Reading) PathOf(cell answer.Cell) string {
	names := each.Text(r.Shown(), func(l cube.Level) string {
		m := r.MemberOf(cell, l)
		return cmp.Or(prose.ShownLabel(r.Cube, m.Published), m.Label)
	})
	return strings.Join(slices.Compact(names), " · ") + codeBeside(r, cell)
}

// codeBeside is the code of the last member of a cell where other cells, or the sum of the others, have its name too.
func codeBeside(r *Reading, cell answer.Cell) string {
	levels := r.Drilled()
	if r.called == nil {
		r.called = map[string]int{strings.Trim(fold.Text(r.Say("view.others", "Count", selection.MostRows)), "0123456789 "): 1}
		for _, c := range r.Answer.Cells {
			r.called[fold.Text(namesOn(r, levels, c))]++
		}
	}
	if name := namesOn(r, levels, cell); name != "" && r.called[fold.Text(name)] > 1 {
		if code := r.MemberOf(cell, levels[len(levels)-1]).Code; code != "" {
			return " (" + code + ")"
		}
	}
	return ""
}

// namesOn names the members of a cell on some levels.
func namesOn(r *Reading, levels []cube.Level, cell answer.Cell) string {
	return strings.Join(slices.Compact(each.Text(levels, func(l cube.Level) string { return r.MemberOf(cell, l).Label })), " · ")
}

// Below leads to what is below a cell: the level under its last member or, under the last level, another dimension.
func (r *Reading) Below(cell answer.Cell) (link, hint string) {
	p := r.Plan
	if cell.Others > 0 || len(cell.Keys) == 0 {
		return "", ""
	}
	next := p.Below(len(cell.Keys))
	if next == "" {
		keys := each.Text(p.Keys(), func(c cube.Column) string { return c.Name })
		level, _ := r.OpenBeside(func(l cube.Level) bool { return !slices.Contains(keys, l.Ref) })
		next = level.Ref
	}
	if next == "" {
		return "", ""
	}
	level, _ := r.Cube.Model.LevelOfKey(next)
	return r.Address.CuttingText(p.CutOf(cell.Keys)).Drilling(next).String(), r.Say("view.down", "Level", r.LevelTitle(level))
}

// Opening leads to the page of the number of a cell.
func (r *Reading) Opening(cell answer.Cell) string {
	return r.NumberAt(r.Address.CuttingText(r.Plan.CutOf(cell.Keys)))
}

// AllRows leads to all members, also to those that the page adds up as others.
func (r *Reading) AllRows() site.Address {
	return r.Address.Asking(func(q *query.Query) {
		q.Page = query.Page{Number: 1, Size: query.MaxPageSize}
		if q.Remainder {
			q.Top, q.Remainder = 0, false
		}
	})
}

// PurposeOf is the division of COFOG of a cell, from 01 to 10, or "".
func (r *Reading) PurposeOf(cell answer.Cell) string {
	if path := functionOf(r, cell); path != nil {
		return r.Cube.Functions.Of(path)
	}
	return ""
}

// functionOf is the path of the member of a cell by which the cell is of a division of COFOG; nil if there is none.
func functionOf(r *Reading, cell answer.Cell) (path []string) {
	f := r.Cube.Functions
	if f == nil || cell.Others > 0 || !slices.ContainsFunc(r.Drilled(), func(l cube.Level) bool { return l.Ref == f.Level }) {
		return nil
	}
	level, _ := r.Cube.Model.Level(f.Level)
	for i, key := range r.Plan.Keys() {
		if slices.Contains(level.Path, key.Name) && i < len(cell.Keys) && !cell.Keys[i].IsMissing() {
			path = append(path, cell.Keys[i].String())
		}
	}
	if len(path) != len(level.Path) {
		return nil
	}
	return path
}

// purposeName names the member of a level that is a division of COFOG in the language of the reader; "" where it has a name of its own.
func purposeName(r *Reading, cell answer.Cell, level cube.Level) string {
	path := functionOf(r, cell)
	if path == nil || level.Ref != r.Cube.Functions.Level {
		return ""
	}
	if division := r.Cube.Functions.Is(level, path); division != "" {
		return r.Say("functions.division-" + division)
	}
	return ""
}

// String writes a member with its code.
func (m Member) String() string {
	if m.Code == "" {
		return m.Label
	}
	return m.Label + " (" + m.Code + ")"
}
