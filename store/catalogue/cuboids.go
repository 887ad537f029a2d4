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

// MakeBase makes the base cuboid of the version, whose rows and members are known.
func (e *Entry) MakeBase(ctx context.Context, id int64, types sqlgen.Types, fill FillBase) error {
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
	if len(base.Levels) == 0 {
		return nil
	}
	defer e.content.Building()()
	if _, err := e.ask.rows(ctx, "make the base cuboid", sqlgen.CreateBase(id, model, base, members, types)); err != nil {
		return err
	}
	sums := newSums(model)
	if err := fill(ctx, sqlgen.CuboidTable(id, base.Number), sums.of(e.content.Numbered(ctx))); err != nil {
		return fmt.Errorf("fill the base cuboid: %w", err)
	}
	base.Rows = sums.rows
	if err := e.checkFacts(ctx, id, base); err != nil {
		return err
	}
	e.cuboids, e.narrow = []cube.Cuboid{base}, sums.narrow
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

// DropCuboids drops the cuboids above the base, which earlier releases made.
func DropCuboids(ctx context.Context, ask Ask) error {
	const above = "SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = '" + sqlgen.CuboidSchema +
		"' AND table_name NOT LIKE 'c%#_0' ESCAPE '#'"
	tables, err := ask.rows(ctx, "look for cuboids of an earlier release", above)
	for _, t := range tables {
		_, failed := ask.rows(ctx, "drop a cuboid of an earlier release", "DROP TABLE IF EXISTS "+sqlgen.CuboidSchema+`."`+t[0].(string)+`"`)
		err = errors.Join(err, failed)
	}
	return err
}

// mostNarrow is the greatest sum that is kept in 64 bits: so much less than fits that the differences of sums fit too.
const mostNarrow = 1e18 - 1

// sums finds which sums fit in 64 bits, while rows go by.
type sums struct {
	rows   int64
	totals []uint64 // by measure: of the amounts without their signs
	narrow []bool
}

func newSums(m *cube.Model) *sums {
	n := len(m.Measures())
	s := &sums{totals: make([]uint64, n), narrow: make([]bool, n)}
	for i, measure := range m.Measures() {
		c, _ := m.Column(measure.Ref)
		s.narrow[i] = c.IsScaled()
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
		if a.Missing || !s.narrow[i] {
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
