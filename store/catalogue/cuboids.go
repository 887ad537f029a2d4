package catalogue

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// FillBase copies rows into the table of the base cuboid, whose columns are the measures and then the listed levels.
type FillBase func(ctx context.Context, table string, rows iter.Seq2[NumberedRow, error]) error

// BeforeCuboid sets in a store what is good for making a cuboid.
type BeforeCuboid func(ctx context.Context, next NextCuboid) error

// MakeCuboids makes the cuboids of the version, whose rows and members are known.
func (e *Entry) MakeCuboids(ctx context.Context, id int64, types sqlgen.Types, fill FillBase, before BeforeCuboid) error {
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
	defer Building(e.content)()
	if _, err := e.ask.rows(ctx, "make the base cuboid", sqlgen.CreateBase(id, model, base, members, types)); err != nil {
		return err
	}
	sums := newSums(model)
	if err := fill(ctx, sqlgen.CuboidTable(id, base.Number), sums.of(rows)); err != nil {
		return fmt.Errorf("fill the base cuboid: %w", err)
	}
	base.Rows = sums.rows
	if err := e.checkFacts(ctx, id, base); err != nil {
		return err
	}
	e.cuboids, e.empty, e.narrow = []cube.Cuboid{base}, sums.empty, sums.narrow
	for next, ok := e.content.NextCuboid(e.cuboids); ok; next, ok = e.content.NextCuboid(e.cuboids) {
		if err := before(ctx, next); err != nil {
			return err
		}
		if err := e.makeCuboid(ctx, id, next); err != nil {
			return err
		}
	}
	return nil
}

// checkFacts compares the fact table with the base cuboid, which is filled from the files in another way: how many rows they have, and of
// each measure how many amounts and their sum. Answers come from the one, the lines behind a number from the other.
func (e *Entry) checkFacts(ctx context.Context, id int64, base cube.Cuboid) error {
	model := e.content.Package().Model
	const doing = "compare the facts with the base cuboid"
	facts, err := e.ask.rows(ctx, doing, sqlgen.FactTotals(id, model))
	if err != nil {
		return err
	}
	numbered, err := e.ask.rows(ctx, doing, sqlgen.BaseTotals(id, model, base))
	if err != nil {
		return err
	}
	same := func(i int, name string, scale int) error {
		if fact, number := facts[0][i], numbered[0][i]; !isSameTotal(fact, number, scale) {
			return fmt.Errorf("the %s of the fact table is %v, and of the base cuboid %v, by 10^%d: nothing is loaded", name, fact, number, scale)
		}
		return nil
	}
	wrong := []error{same(0, "number of rows", 0)}
	for i, measure := range model.Measures() {
		scale := 0
		if c, _ := model.Column(measure.Ref); c.IsScaled() {
			scale = c.Scale
		}
		wrong = append(wrong, same(2*i+1, "number of amounts of "+measure.Ref, 0), same(2*i+2, "sum of "+measure.Ref, scale))
	}
	return errors.Join(wrong...)
}

// isSameTotal tells whether a number in text is another one that is multiplied by 10^scale; nil is the sum of nothing.
func isSameTotal(fact, number any, scale int) bool {
	f, isText := fact.(string)
	n, areTexts := number.(string)
	if !isText || !areTexts {
		return fact == nil && number == nil
	}
	of, err := decimal.NewFromString(f)
	scaled, wrong := decimal.NewFromString(n)
	return err == nil && wrong == nil && of.Shift(int32(scale)).Equal(scaled)
}

// makeCuboid makes a cuboid above the base. One that has more rows than it may is dropped again.
func (e *Entry) makeCuboid(ctx context.Context, id int64, next NextCuboid) error {
	c := cube.Cuboid{Number: len(e.cuboids), Levels: next.Levels}
	table := sqlgen.CuboidTable(id, c.Number)
	create := sqlgen.CreateCuboid(id, e.content.Package().Model, e.empty, e.narrow, c, next.From)
	if _, err := e.ask.rows(ctx, "make a cuboid", create); err != nil {
		return err
	}
	count, err := e.ask.rows(ctx, "count the rows of a cuboid", "SELECT count(*) FROM "+table)
	if err != nil {
		return err
	}
	if c.Rows = count[0][0].(int64); c.Rows > next.MostRows {
		_, err := e.ask.rows(ctx, "drop a cuboid", "DROP TABLE "+table)
		return err
	}
	e.cuboids = append(e.cuboids, c)
	return nil
}

// CuboidBytes asks for the bytes of each cuboid of a version with a statement of the store, whose argument is the name of a
// table.
func CuboidBytes(ctx context.Context, ask Ask, version *cube.Cube, statement string) ([]int64, error) {
	sizes := make([]int64, len(version.Cuboids))
	for i, c := range version.Cuboids {
		rows, err := ask.rows(ctx, "measure a cuboid", statement, sqlgen.CuboidTable(version.ID, c.Number))
		if err != nil {
			return nil, err
		}
		sizes[i] = rows[0][0].(int64)
	}
	return sizes, nil
}

// Cuboids lists the cuboids that were made.
func (e *Entry) Cuboids() []cube.Cuboid { return e.cuboids }

// mostNarrow is the greatest sum that is kept in 64 bits: so much less than fits that the differences of sums fit too.
const mostNarrow = 1e18 - 1

// sums finds which measures have amounts, and which sums fit in 64 bits, while rows go by.
type sums struct {
	rows   int64
	empty  []bool   // by measure
	totals []uint64 // by measure: of the amounts without their signs
	narrow []bool
}

func newSums(m *cube.Model) *sums {
	n := len(m.Measures())
	s := &sums{empty: make([]bool, n), totals: make([]uint64, n), narrow: make([]bool, n)}
	for i, measure := range m.Measures() {
		c, _ := m.Column(measure.Ref)
		s.empty[i], s.narrow[i] = true, c.IsScaled()
	}
	return s
}

func (s *sums) of(rows iter.Seq2[NumberedRow, error]) iter.Seq2[NumberedRow, error] {
	return func(yield func(NumberedRow, error) bool) {
		for row, err := range rows {
			if !yield(row, err) {
				return
			}
			s.add(row.Amounts)
		}
	}
}

func (s *sums) add(amounts []Amount) {
	s.rows++
	for i, a := range amounts {
		if a.Missing {
			continue
		}
		if s.empty[i] = false; !s.narrow[i] {
			continue
		}
		size := uint64(a.Scaled)
		if a.Scaled < 0 {
			size = -size
		}
		s.totals[i] += size // one is at most mostNarrow, the other at most 2^63
		s.narrow[i] = s.totals[i] <= mostNarrow
	}
}
