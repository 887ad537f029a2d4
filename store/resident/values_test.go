package resident

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// random are amounts near the bounds of 64 bits.
func random(n int) []int64 {
	r, list := rand.New(rand.NewPCG(6, 4)), make([]int64, n)
	for i := range list {
		list[i] = []int64{math.MaxInt64, math.MinInt64, r.Int64(), -r.Int64(), 1, -1, 0}[r.IntN(7)]
	}
	return list
}

func TestPart_SumsOfAmountsOf64BitsDoNotOverflow(t *testing.T) {
	amounts := random(1000)
	p := &part{function: cube.Sum, scale: 2, values: values{low: []int64{}, high: []int64{}}}
	p.grow(1)
	want := new(big.Int)
	for i, n := range amounts {
		p.add(values{low: amounts}, nil, []int32{int32(i)}, []int32{0})
		want.Add(want, big.NewInt(n))
		if got := p.number(0).Decimal; !got.Equal(decimal.NewFromBigInt(want, -2)) {
			t.Fatalf("the sum of %d amounts is %s, want %s / 100", i+1, got, want)
		}
	}
	twice := p.regrouped([]int32{0, 0}, []int32{0, 0}, 1).number(0).Decimal
	if !twice.Equal(decimal.NewFromBigInt(want, -2).Mul(decimal.NewFromInt(2))) {
		t.Errorf("twice as much is %s", twice)
	}
}

func TestValues_CompareInAllWidths(t *testing.T) {
	amounts := random(60)
	wide := values{low: amounts, high: make([]int64, len(amounts))}
	decimals := values{}
	for i, n := range amounts {
		wide.high[i] = int64(i%3) - 1
		decimals.big = append(decimals.big, wide.decimal(int32(i), 0))
		if got := (values{low: amounts}).decimal(int32(i), 0); !got.Equal(decimal.NewFromInt(n)) {
			t.Errorf("%d is read as %s", n, got)
		}
	}
	for i := range int32(len(amounts)) {
		for j := range int32(len(amounts)) {
			if got, want := wide.compare(i, j), decimals.compare(i, j); got != want {
				t.Fatalf("%s and %s compare as %d, want %d", decimals.big[i], decimals.big[j], got, want)
			}
		}
	}
}

// numbered is a table whose rows have the numbers of two levels, each with an amount of 1.
func numbered(rows int32, size ...int32) (*table, []*dictionary.Members) {
	made := &table{rows: rows, numbers: map[int]column{}}
	var levels []*dictionary.Members
	r := rand.New(rand.NewPCG(1, 2))
	for i, n := range size {
		list := make(numbers[uint32], rows)
		for row := range list {
			list[row] = uint32(r.Int32N(min(n, 1<<20)))
		}
		made.numbers[i] = list
		levels = append(levels, &dictionary.Members{Level: cube.Level{Index: i}, Size: n})
	}
	return made, levels
}

// Groups are found by one number where there are few combinations of members, by a hash of it where there are many, and in steps where they
// do not fit in 64 bits.
func TestScan_GroupsAnyCombinations(t *testing.T) {
	for _, size := range [][]int32{{}, {3}, {7, 11}, {1 << 20, 1 << 20}, {1 << 30, 1 << 30, 1 << 30}, {5, 1 << 30, 1 << 30, 1 << 30, 2}} {
		from, levels := numbered(5000, size...)
		want := map[[5]int64]int64{}
		for row := range from.rows {
			var key [5]int64
			for i := range size {
				key[i] = from.numbers[i].at(row)
			}
			want[key]++
		}
		for _, many := range []int32{1, 100_000} { // by all processors, and by one
			s := &scan{table: from, levels: levels, where: dictionary.Condition{Op: dictionary.Every}, parts: []plan.Part{{Func: cube.Rows}}, most: 5000}
			g, err := s.run(t.Context(), many)
			if err != nil || len(g.rows) != len(want) {
				t.Fatalf("%v: %d groups, want %d (%v)", size, len(g.rows), len(want), err)
			}
			for group, row := range g.rows {
				var key [5]int64
				for i := range size {
					key[i] = from.numbers[i].at(row)
				}
				if n := g.parts[0].low[group]; n != want[key] {
					t.Fatalf("%v: a group of %d rows, want %d", size, n, want[key])
				}
			}
			if s.most = len(want) - 1; len(size) > 0 {
				if g, err := s.run(t.Context(), many); g != nil || err != nil {
					t.Errorf("%v: there are more groups than there may be, and they are given (%v)", size, err)
				}
			}
		}
	}
}

func TestScan_EndsWithItsContext(t *testing.T) {
	from, levels := numbered(5000, 7)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &scan{table: from, levels: levels, where: dictionary.Condition{Op: dictionary.Every}, most: 5000}
	if _, err := s.run(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the scan goes on: %v", err)
	}
}

// The first of many are those that sorting all gives.
func TestFirstOf(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		all := make([]int32, 1+r.IntN(60))
		for i := range all {
			all[i] = r.Int32N(20)
		}
		n, want := r.IntN(len(all)+1), slices.Sorted(slices.Values(all))
		if got := firstOf(all, n, cmp.Compare[int32]); !slices.Equal(got, want[:n]) {
			t.Fatalf("the first %d of %v are %v", n, want, got)
		}
	}
}

// The numbers of rows of no groups add up to 0, however often they were added up before; amounts of none are null.
func TestPart_CountsNothingAsZero(t *testing.T) {
	rows := &part{function: cube.Rows, values: values{low: []int64{}}}
	if total := rows.regrouped(nil, nil, 0).total(nil); !total.Valid || !total.Decimal.IsZero() {
		t.Errorf("of no groups there are %v rows", total)
	}
	sums := &part{function: cube.Sum, amounts: []int64{}, values: values{low: []int64{}}}
	if total := sums.regrouped(nil, nil, 0).total(nil); total.Valid {
		t.Errorf("the sum of no groups is %v", total)
	}
}
