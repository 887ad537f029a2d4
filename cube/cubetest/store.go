package cubetest

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Store is a store of a few rows. It filters, groups and adds up as a statement says, in the order of the keys. Values of
// text and numbers are as published; members are called by their keys in capitals. It takes every member that a cut names
// for one that is there.
type Store struct {
	model *cube.Model
	rows  [][]string // a cell for each of the model's columns
}

// NewStore makes a store of lines of cells, of which spaces stand for commas and - for nothing.
func NewStore(m *cube.Model, lines ...string) Store {
	s := Store{model: m}
	for _, line := range lines {
		s.rows = append(s.rows, strings.Fields(line))
	}
	return s
}

// Cells implements answer.Store.
func (s Store) Cells(_ context.Context, q *plan.Statement) (plan.Result, error) {
	groups := s.groups(q)
	result := plan.Result{Count: int64(len(groups)), Total: make([]decimal.NullDecimal, len(q.Parts())), Close: func() {}}
	for _, g := range groups {
		for i, part := range q.Parts() {
			result.Total[i] = merged(part.Func, result.Total[i], g.Parts[i])
		}
	}
	if size := q.Page().Size; size >= 0 { // else it is query.Every
		groups = groups[:min(len(groups), size)]
	}
	result.Groups = func(yield func(plan.Group, error) bool) {
		for _, g := range groups {
			if !yield(g, nil) {
				return
			}
		}
	}
	return result, nil
}

// Facts implements answer.Store: there are none.
func (s Store) Facts(context.Context, *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	return func(func(plan.Fact, error) bool) {}
}

// Members implements answer.Store: there are none.
func (s Store) Members(context.Context, *plan.MemberStatement) (plan.MemberRows, error) {
	return plan.MemberRows{Members: func(func(plan.MemberRow, error) bool) {}, Close: func() {}}, nil
}

// Unknown implements answer.Store: every member exists.
func (s Store) Unknown(context.Context, *cube.Cube, []plan.NamedMember, int) ([]plan.UnknownMember, error) {
	return nil, nil
}

// groups gives all groups of a statement in the order of their keys.
func (s Store) groups(q *plan.Statement) []plan.Group {
	var groups []plan.Group
	for _, row := range s.rows {
		if slices.ContainsFunc(q.Filters(), func(f plan.Filter) bool { return s.admits(f, row) == f.Not }) {
			continue
		}
		keys := each.Of(q.Keys(), func(c cube.Column) cube.Value { return s.cell(row, c) })
		i := slices.IndexFunc(groups, func(g plan.Group) bool { return slices.Equal(g.Keys, keys) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, empty(q, keys))
		}
		for j, part := range q.Parts() {
			if (!part.Guarded || s.admits(*q.Guard(), row)) && (!part.ByYear || s.admits(q.YearOf(part), row)) {
				groups[i].Parts[j] = merged(part.Func, groups[i].Parts[j], s.part(part, row))
			}
		}
	}
	groups = slices.DeleteFunc(groups, func(g plan.Group) bool {
		return slices.ContainsFunc(q.Having(), func(h plan.Having) bool { return h.AlwaysNull || !meets(h, g.Parts) })
	})
	slices.SortFunc(groups, func(a, b plan.Group) int { return slices.CompareFunc(a.Keys, b.Keys, cube.Value.Compare) })
	return groups
}

func (s Store) cell(row []string, c cube.Column) cube.Value {
	i := slices.IndexFunc(s.model.Columns(), func(x cube.Column) bool { return x.Name == c.Name })
	switch {
	case c.Name == plan.ResourceField: // there is one file
		return cube.Integer(0)
	case row[i] == "-":
		return cube.Missing
	case c.Type == cube.TypeInteger:
		return cube.Integer(decimal.RequireFromString(row[i]).IntPart())
	}
	return cube.Text(row[i])
}

// empty is a group of no rows.
func empty(q *plan.Statement, keys []cube.Value) plan.Group {
	g := plan.Group{Keys: keys, Labels: make([]cube.Value, len(q.Levels())), Ranks: make([]cube.Value, len(q.Levels())),
		Parts: make([]decimal.NullDecimal, len(q.Parts()))}
	for i, level := range q.Levels() {
		if level.LabelRef != "" {
			key := slices.IndexFunc(q.Keys(), func(c cube.Column) bool { return c.Name == level.Ref })
			g.Labels[i] = cube.Text(strings.ToUpper(keys[key].String()))
		}
	}
	for i, part := range q.Parts() {
		if part.Func == cube.Rows || part.Func == cube.Count {
			g.Parts[i] = decimal.NewNullDecimal(decimal.Zero)
		}
	}
	return g
}

func (s Store) admits(f plan.Filter, row []string) bool {
	return slices.ContainsFunc(f.Any, func(tests []plan.Test) bool {
		return !slices.ContainsFunc(tests, func(t plan.Test) bool {
			v := s.cell(row, t.Column)
			if len(t.In) > 0 {
				return !slices.Contains(t.In, v)
			}
			return v.IsMissing() || !t.From.IsMissing() && v.Compare(t.From) < 0 || !t.To.IsMissing() && v.Compare(t.To) > 0
		})
	})
}

// part is what one row adds to a part.
func (s Store) part(p plan.Part, row []string) decimal.NullDecimal {
	one := decimal.NewNullDecimal(decimal.NewFromInt(1))
	if p.Func == cube.Rows {
		return one
	}
	amount := s.cell(row, cube.Column{Name: p.Measure})
	switch {
	case amount.IsMissing():
		return decimal.NullDecimal{}
	case p.Func == cube.Count:
		return one
	}
	return decimal.NewNullDecimal(decimal.RequireFromString(amount.String()))
}

func merged(f cube.Func, a, b decimal.NullDecimal) decimal.NullDecimal {
	switch {
	case !a.Valid:
		return b
	case !b.Valid:
		return a
	case f == cube.Min:
		return decimal.NewNullDecimal(decimal.Min(a.Decimal, b.Decimal))
	case f == cube.Max:
		return decimal.NewNullDecimal(decimal.Max(a.Decimal, b.Decimal))
	}
	return decimal.NewNullDecimal(a.Decimal.Add(b.Decimal))
}

// meets divides, which stores do not.
func meets(h plan.Having, parts []decimal.NullDecimal) bool {
	value, ok := linear(h.Num, parts)
	if len(h.Den) > 0 && ok {
		var den decimal.Decimal
		if den, ok = linear(h.Den, parts); den.IsZero() {
			return false
		}
		value = value.Div(den)
	}
	order := value.Cmp(h.Number)
	return ok && map[query.Operator]bool{query.Less: order < 0, query.LessOrEqual: order <= 0, query.Equal: order == 0,
		query.GreaterOrEqual: order >= 0, query.Greater: order > 0, query.Unequal: order != 0}[h.Op]
}

func linear(terms []plan.Term, parts []decimal.NullDecimal) (sum decimal.Decimal, ok bool) {
	for _, t := range terms {
		if !parts[t.Part].Valid {
			return sum, false
		}
		sum = sum.Add(parts[t.Part].Decimal.Mul(t.Factor))
	}
	return sum, true
}
