package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Sums are the amounts of a package that count, added up by the cells of some columns: what an answer without a cut has.
type Sums map[string]map[string]decimal.Decimal // by SumKey, then by measure; a sum of missing amounts alone is not there

// SumKey is the key of the sums of the rows with these cells.
func SumKey(cells ...string) string { return strings.Join(cells, "\x00") }

// Sums adds up the amounts that count: of statements of the same money the last, unless the columns tell these apart.
func (s *Survey) Sums(ctx context.Context, by ...string) (Sums, error) {
	model, sums := s.pkg.Model, Sums{}
	at := map[string]int{} // by column
	for i, c := range model.Columns() {
		at[c.Name] = i
	}
	isLast := lastStatements(model.History(), at, by)
	factors := make([]decimal.Decimal, len(model.Measures()))
	for i, m := range model.Measures() {
		var err error
		if factors[i], err = m.Multiplier(); err != nil {
			return nil, err
		}
	}
	key := make([]string, len(by))
	for i := range s.pkg.Resources {
		if s.pkg.Resources[i].LeftOut != "" {
			continue
		}
		for row, err := range s.Facts(ctx, i) {
			if err != nil {
				return nil, err
			}
			counts := isLast(row.Cells)
			for j, column := range by {
				key[j] = row.Cells[at[column]]
			}
			group := SumKey(key...)
			for j, m := range model.Measures() {
				amount, err := decimal.NewFromString(row.Cells[at[m.Ref]])
				if err != nil || !counts && !m.Flow { // the cell is missing, or another row states its money later
					continue
				}
				if sums[group] == nil {
					sums[group] = map[string]decimal.Decimal{}
				}
				sums[group][m.Ref] = sums[group][m.Ref].Add(amount.Mul(factors[j]))
			}
		}
	}
	return sums, nil
}

// lastStatements tells of a row whether it is of the last statement of its period. All are where there are no others, or where the columns that
// rows are added up by tell statements apart.
func lastStatements(h *cube.History, at map[string]int, by []string) func(cells []string) bool {
	if h == nil || slices.Contains(by, h.By().Name) {
		return func([]string) bool { return true }
	}
	textOf, last := func(key []cube.Value) string { return fmt.Sprintf("%q", key) }, map[string]cube.Value{}
	for _, p := range h.Periods {
		last[textOf(p.Key)] = p.Last().Value
	}
	key := make([]cube.Value, len(h.Columns))
	return func(cells []string) bool {
		for i, c := range h.Columns {
			key[i], _ = c.Value(cells[at[c.Name]])
		}
		of := len(key) - 1
		return last[textOf(key[:of])] == key[of]
	}
}
