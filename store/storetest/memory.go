package storetest

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/store/sqlgen"
)

// remembering is a store that is asked each statement once: the questions that a random one is compared with have many in
// common. It is for one test at a time.
type remembering struct {
	Store
	finding answer.Store // remembers the members that cuts name
	cells   map[string]cells
}

// cells are the answer to a statement.
type cells struct {
	count  int64
	total  []decimal.NullDecimal
	groups []plan.Group
}

func remember(s Store) *remembering {
	return &remembering{Store: s, finding: answer.Remember(s), cells: map[string]cells{}}
}

// mostRemembered is after how many answers all are forgotten.
const mostRemembered = 500

// Cells implements answer.Store.
func (r *remembering) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	query := sqlgen.Cells(s)
	id := fmt.Sprintf("%d %s %#v", len(s.Cube().Cuboids), query.Text, query.Args)
	for _, level := range s.Levels() { // some are in no query, and have labels all the same
		id += "\x00" + level.Ref
	}
	known, ok := r.cells[id]
	if !ok {
		var err error
		if known, err = r.read(ctx, s); err != nil {
			return plan.Result{}, err
		}
		if len(r.cells) >= mostRemembered {
			clear(r.cells)
		}
		r.cells[id] = known
	}
	return plan.Result{Count: known.count, Total: slices.Clone(known.total), Groups: known.each(), Close: func() {}}, nil
}

func (r *remembering) read(ctx context.Context, s *plan.Statement) (cells, error) {
	result, err := r.Store.Cells(ctx, s)
	if err != nil {
		return cells{}, err
	}
	defer result.Close()
	read := cells{count: result.Count, total: result.Total}
	for group, err := range result.Groups {
		if err != nil {
			return cells{}, err
		}
		read.groups = append(read.groups, group)
	}
	return read, nil
}

// each gives copies of the groups: who reads them may change them.
func (c cells) each() iter.Seq2[plan.Group, error] {
	return func(yield func(plan.Group, error) bool) {
		for _, g := range c.groups {
			g.Keys, g.Labels, g.Ranks, g.Parts = slices.Clone(g.Keys), slices.Clone(g.Labels), slices.Clone(g.Ranks), slices.Clone(g.Parts)
			if !yield(g, nil) {
				return
			}
		}
	}
}

// Unknown implements answer.Store.
func (r *remembering) Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error) {
	return r.finding.Unknown(ctx, c, named, near)
}
