package answer_test

import (
	"context"
	"errors"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
)

// crowded is a store that has more cells than are sorted in memory, and whose first answer nobody may read.
type crowded struct {
	answer.Store
	asked int
}

func (c *crowded) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	result, err := c.Store.Cells(ctx, s)
	if c.asked++; c.asked == 1 {
		result.Groups = func(yield func(plan.Group, error) bool) { yield(plan.Group{}, errors.New("they are read")) }
	}
	result.Count = plan.MostSorted + 1
	return result, err
}

// An order of too many cells is that of the store, and the answer says so. They are not read to find out.
func TestRun_WarnsOfAnOrderOfTooManyCells(t *testing.T) {
	store, c := far(t, 3)
	c.Synthetic = true // or it would be an excerpt
	p := cubetest.Bind(t, c, "drilldown=town&aggregates=plan.avg&order=plan.avg")
	few, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil || len(few.Warnings) > 0 {
		t.Errorf("of few cells: %v, %v", err, few.Warnings)
	}
	many, err := answer.Run(t.Context(), &crowded{Store: store}, p, cube.English)
	if err != nil || len(many.Warnings) != 1 || many.Warnings[0].Code != cube.WarnOrderInexact {
		t.Errorf("of many cells: %v, %v", err, many)
	}
}
