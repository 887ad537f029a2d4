package api_test

import (
	"context"
	"iter"

	"fiscube/cube"
)

func (f *fake) Members(context.Context, *cube.MemberPlan) iter.Seq2[cube.MemberRow, error] {
	return func(yield func(cube.MemberRow, error) bool) {
		if !yield(cube.MemberRow{Count: int64(len(f.members))}, nil) {
			return
		}
		for _, row := range f.members {
			if !yield(row, nil) {
				return
			}
		}
		if f.membersErr != nil {
			yield(cube.MemberRow{}, f.membersErr)
		}
	}
}

func (f *fake) Find(_ context.Context, _ *cube.Cube, wanted []cube.Wanted) ([]bool, error) {
	there := make([]bool, len(wanted))
	for i, w := range wanted {
		_, absent := f.absent[w.Asked()]
		there[i] = !absent
	}
	return there, nil
}

func (f *fake) Near(_ context.Context, _ *cube.Cube, wanted []cube.Wanted) ([][]string, error) {
	near := make([][]string, len(wanted))
	for i, w := range wanted {
		near[i] = f.absent[w.Asked()]
	}
	return near, nil
}
