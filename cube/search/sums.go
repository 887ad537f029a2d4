package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
)

// The bounds of the sums in memory, which take 24 bytes each.
const (
	mostSums        = 3_000_000
	mostSumsOfCube  = 1_000_000
	mostSumsMembers = 10_000 // of a level
)

// sums are those of a cube under the default filters: of each measure in each fiscal year, of all rows and of the members of each
// level. They never change.
type sums struct {
	part     *part
	measures []cube.Measure
	scales   []int32 // of the measures
	lists    [][]sum // of each measure, ascending
	left     []cube.Level
	size     int
}

// sum is an amount of an entry in a year.
type sum struct {
	amount wide
	entry  uint32
	year   uint32 // index in part.values
}

// wide is a whole number of 128 bits: an amount in the last decimals of its measure.
type wide struct {
	high int64
	low  uint64
}

func (w wide) compare(other wide) int {
	return cmp.Or(cmp.Compare(w.high, other.high), cmp.Compare(w.low, other.low))
}

var lowBits = new(big.Int).SetUint64(^uint64(0))

// newWide makes a number, or the least or the largest if it has too many digits.
func newWide(n *big.Int) wide {
	switch {
	case n.BitLen() < 127:
		return wide{new(big.Int).Rsh(n, 64).Int64(), new(big.Int).And(n, lowBits).Uint64()}
	case n.Sign() < 0:
		return wide{high: -1 << 63}
	}
	return wide{1<<63 - 1, ^uint64(0)}
}

// decimal is the number with so many decimals.
func (w wide) decimal(scale int32) decimal.Decimal {
	n := new(big.Int).Lsh(big.NewInt(w.high), 64)
	return decimal.NewFromBigInt(n.Add(n, new(big.Int).SetUint64(w.low)), -scale)
}

// want asks for the sums of a cube, which are added up in the background.
func (x *Index) want(c *cube.Cube) {
	x.wanting.Lock()
	defer x.wanting.Unlock()
	x.wanted[c.ID] = true
}

func (x *Index) isWanted(c *cube.Cube) bool {
	x.wanting.Lock()
	defer x.wanting.Unlock()
	return x.wanted[c.ID]
}

// followSums adds up what is wanted, until ctx ends.
func (x *Index) followSums(ctx context.Context) {
	for ctx.Err() == nil {
		wait := lookInterval
		if err := x.RefreshSums(ctx); err != nil && ctx.Err() == nil {
			x.log.Warn("the sums of a cube cannot be added up for the search", "error", err)
			wait = retryInterval
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// RefreshSums adds up the sums of the cubes that are wanted, and drops those of versions that are no longer served.
func (x *Index) RefreshSums(ctx context.Context) error {
	x.adding.Lock()
	defer x.adding.Unlock()
	catalog, err := x.store.Catalog(ctx)
	if err != nil {
		return err
	}
	served := catalog.Served()
	known := maps.Clone(*x.sums.Load())
	maps.DeleteFunc(known, func(id int64, _ *sums) bool {
		return !slices.ContainsFunc(served, func(c *cube.Cube) bool { return c.ID == id })
	})
	x.sums.Store(&known)
	var failed []error
	for _, c := range served {
		if p := (*x.parts.Load())[c.ID]; p != nil && known[c.ID] == nil && x.isWanted(c) {
			failed = append(failed, x.addSums(ctx, c, p))
		}
	}
	return errors.Join(failed...)
}

func (x *Index) addSums(ctx context.Context, c *cube.Cube, p *part) error {
	room, start := mostSums, time.Now()
	for _, s := range *x.sums.Load() {
		room -= s.size
	}
	r := sumsReader{reader: &reader{store: x.store, cube: c, builder: p.builder()}, room: min(room, mostSumsOfCube)}
	made, err := r.read(ctx)
	if err != nil {
		return fmt.Errorf("%s, version %d: %w", c.Name, c.Version, err)
	}
	known := maps.Clone(*x.sums.Load())
	known[c.ID] = made
	x.sums.Store(&known)
	x.log.Debug("amounts of a cube can be found", "cube", c.Name, "version", c.Version, "sums", made.size, "took", time.Since(start))
	return nil
}

// builder gives what finds entries of a part by their keys.
func (p *part) builder() *builder {
	values := make(map[cube.Value]uint32, len(p.values))
	for i, v := range p.values {
		values[v] = uint32(i)
	}
	return &builder{part: p, values: values}
}

// sumsReader reads the sums of one cube.
type sumsReader struct {
	*reader
	made *sums
	room int
}

// read asks one question for the cube, and one for each level, from the top down.
func (r *sumsReader) read(ctx context.Context) (*sums, error) {
	p, m := r.builder.part, r.cube.Model
	r.made = &sums{part: p, measures: m.Measures(), lists: make([][]sum, len(m.Measures()))}
	if len(r.made.measures) == 0 {
		return r.made, nil
	}
	if err := r.add(ctx, nil, func([]cube.Value, []int) (int, bool) { return 0, true }); err != nil {
		return nil, err
	}
	year, _ := m.YearLevel()
	for i, g := range p.groups {
		count := p.end(i) - g.from
		switch {
		case g.kind != KindMember || count == 0 || g.level.Ref == year.Ref:
		case count > mostSumsMembers || r.room <= 0:
			r.made.left = append(r.made.left, g.level)
		default:
			entryOf := r.builder.byPath(g.from, p.end(i), len(g.level.Path))
			if err := r.add(ctx, &g.level, r.entryBy(entryOf)); err != nil {
				return nil, err
			}
		}
	}
	for _, list := range r.made.lists {
		slices.SortFunc(list, func(a, b sum) int {
			return cmp.Or(a.amount.compare(b.amount), cmp.Compare(a.entry, b.entry), cmp.Compare(a.year, b.year))
		})
		r.made.size += len(list)
	}
	return r.made, nil
}

// entryBy finds entries by the keys of cells at some indexes.
func (r *sumsReader) entryBy(entryOf func([]uint32) (int, bool)) func([]cube.Value, []int) (int, bool) {
	return func(keys []cube.Value, indexes []int) (int, bool) {
		path := make([]uint32, len(indexes))
		for i, key := range indexes {
			value, ok := r.builder.values[keys[key]]
			if !ok {
				return 0, false
			}
			path[i] = value
		}
		return entryOf(path)
	}
}

// add adds the sums of a level, or none if there is no room for all of them.
func (r *sumsReader) add(ctx context.Context, level *cube.Level, entryOf func(keys []cube.Value, indexes []int) (int, bool)) error {
	var levels []cube.Level
	if level != nil {
		levels = []cube.Level{*level}
	}
	p, err := r.sums(r.made.measures, levels)
	if err != nil {
		return err
	}
	cells, err := answer.Open(ctx, r.store, p, cube.English)
	if err != nil {
		return err
	}
	defer cells.Close()
	var indexes []int
	if level != nil {
		indexes = keyIndexes(*level, p)
	}
	r.made.scales = nil
	for _, a := range p.Aggregates() {
		r.made.scales = append(r.made.scales, a.Scale)
	}
	before := slices.Clone(r.made.lists)
	year, room := r.yearKey(p), r.room
	for cell, err := range cells.All {
		if err != nil {
			return err
		}
		entry, ok := entryOf(cell.Keys, indexes)
		at, known := r.builder.values[year(cell)]
		if !ok || !known {
			continue
		}
		for i, v := range cell.Values[:len(r.made.measures)] {
			if v.Valid {
				amount := newWide(v.Decimal.Shift(r.made.scales[i]).BigInt())
				r.made.lists[i] = append(r.made.lists[i], sum{amount, uint32(entry), at})
				room--
			}
		}
		if room < 0 && level != nil {
			r.made.lists, r.made.left = before, append(r.made.left, *level)
			return nil
		}
	}
	r.room = room
	return nil
}
