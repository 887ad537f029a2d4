package catalogue

import (
	"context"
	"fmt"
	"iter"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// FillBase copies rows into the table of the base cuboid, whose columns are the measures and then the listed levels.
type FillBase func(ctx context.Context, table string, rows iter.Seq2[NumberedRow, error]) error

// MakeCuboids makes the cuboids of the version, whose rows and members are known.
func (e *Entry) MakeCuboids(ctx context.Context, id int64, types sqlgen.Types, fill FillBase) error {
	rows, wanted := e.content.Numbered(ctx)
	model := e.content.Package().Model
	base, members := cube.Cuboid{}, make([]int64, len(model.Levels()))
	for _, l := range model.Levels() {
		if !l.Listed {
			continue
		}
		base.Levels = append(base.Levels, l.Index)
		for range e.content.Members(l) {
			members[l.Index]++
		}
	}
	if !wanted || len(base.Levels) == 0 {
		return nil
	}
	if _, err := e.ask.rows(ctx, "make the base cuboid", sqlgen.CreateBase(id, model, base, members, types)); err != nil {
		return err
	}
	if err := fill(ctx, sqlgen.CuboidTable(id, base.Number), counted(rows, &base.Rows)); err != nil {
		return fmt.Errorf("fill the base cuboid: %w", err)
	}
	e.cuboids = []cube.Cuboid{base}
	return nil
}

func counted[T any](rows iter.Seq2[T, error], n *int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range rows {
			if !yield(row, err) {
				return
			}
			*n++
		}
	}
}
