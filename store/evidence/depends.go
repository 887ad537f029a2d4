package evidence

import (
	"context"
	"math/bits"
	"strings"
)

// mostPairs bounds the pairs of cells that all dependencies of a count remember together.
const mostPairs = 1_500_000

// Dependency counts in how many rows the cells of some columns decide the cell of another: those with the cell that is the most
// frequent one of their kind. Rows in which one of the cells is
// blank, or says that nothing is known, are not counted. Codes may be numbered anew each year, so
// that the cells of each fiscal year are of a kind of their own.
type Dependency struct {
	key     string
	from    []*Column
	to      *Column
	pairs   map[[2]uint64]int64
	dropped bool // too many pairs, or hardly any agree
	again   bool // there were too many, beside others
	rows    int64
	first   map[uint32]uint32 // by fiscal year: the first cell of to
	varies  bool              // a year has several
	result  Agreement
}

// Agreement is what a dependency counted.
type Agreement struct {
	Agree, Rows int64
	Kinds       int64 // different cells of the deciding columns
	Single      int64 // of these, those that decide one cell in all rows
	Varies      bool  // the decided column has several cells in a year
}

// Share tells whether at least so many of a hundred rows agree, of some.
func (a Agreement) Share(percent int64) bool { return a.Rows > 0 && a.Agree*100 >= a.Rows*percent }

// Convinces tells whether so many rows agree that it is no chance: many kinds are met again, and the decided cells differ.
func (a Agreement) Convinces() bool {
	return a.Varies && a.Rows >= 3*a.Kinds && a.Rows-a.Kinds >= 20
}

// Count reads the rows of a table once for many dependencies. Those that were counted before are known.
type Count struct {
	table *Table
	year  *Column
	asked map[string]*Dependency
	open  []*Dependency // of these, those that are not known yet
	also  []func(codes []uint32, cells []string)
	pairs int
	done  bool
}

// Count begins to count; year is the column of the fiscal year, nil for none.
func (t *Table) Count(year *Column) *Count {
	return &Count{table: t, year: year, asked: map[string]*Dependency{}}
}

// Share is in how many rows, of those in which both cells are known, two columns are as asked.
type Share struct{ Same, Rows int64 }

func (s *Share) add(same bool) {
	s.Rows++
	s.Same += RowsIf(same, 1)
}

// Nest counts the rows in which a code begins with that of another column and goes on, as 311 begins with 31, given what of each cell of the two
// columns is its code.
func (r *Count) Nest(above, below *Column, aboveCodes, belowCodes []string) *Share {
	n := &Share{}
	r.also = append(r.also, func(codes []uint32, _ []string) {
		one, other := aboveCodes[above.known(codes)], belowCodes[below.known(codes)]
		if one != "" && other != "" {
			n.add(len(other) > len(one) && strings.HasPrefix(other, one))
		}
	})
	return n
}

// Kinds counts the different cells of some columns together.
type Kinds struct {
	of   []*Column
	seen map[uint64]struct{}
	most bool // there are more than are remembered
}

// Kinds adds a count of the cells of some columns together.
func (r *Count) Kinds(of []*Column) *Kinds {
	k := &Kinds{of: of, seen: map[uint64]struct{}{}}
	r.also = append(r.also, func(codes []uint32, _ []string) {
		if kind, ok := kindOf(0, k.of, codes); ok && !k.most {
			if _, known := k.seen[kind]; !known && r.pairs == mostPairs {
				k.most = true
			} else if !known {
				r.pairs++
				k.seen[kind] = struct{}{}
			}
		}
	})
	return k
}

// Number is how many there are.
func (k *Kinds) Number() int64 { return int64(len(k.seen)) }

// Join counts the rows in which the label of a code is joined to that code.
func (r *Count) Join(code, label *Column) *Share {
	j := &Share{}
	r.also = append(r.also, func(_ []uint32, cells []string) {
		if one, other := strings.TrimSpace(cells[code.At]), cells[label.At]; one != "" && strings.TrimSpace(other) != "" {
			joined, _, ok := Joined(other)
			j.add(ok && SameCode(joined, one))
		}
	})
	return j
}

// Ask adds a dependency, which is counted when the rows are read. It is nil where a column has too many cells, and after that where it was not asked before.
func (r *Count) Ask(to *Column, from ...*Column) *Dependency {
	names := []string{to.Name}
	for _, c := range from {
		if c.Many || to.Many || c == to {
			return nil
		}
		names = append(names, c.Name)
	}
	key := strings.Join(names, "\x00")
	d := r.asked[key]
	if d != nil || r.done {
		return d
	}
	if d = r.table.known[key]; d == nil {
		d = &Dependency{key: key, from: from, to: to, pairs: map[[2]uint64]int64{}, first: map[uint32]uint32{}}
		r.open = append(r.open, d)
	}
	r.asked[key] = d
	return d
}

// Of gives what was counted; nothing for nil.
func (d *Dependency) Of() Agreement {
	if d == nil || d.dropped {
		return Agreement{}
	}
	return d.result
}

// Run reads all rows, if something is not known yet.
func (r *Count) Run(ctx context.Context) error {
	r.done = true
	if len(r.open)+len(r.also) == 0 {
		return nil
	}
	t := r.table
	codes, cells := make([]uint32, len(t.Columns)), make([]string, len(t.Columns))
	rows, check := 0, 4096
	for file := range t.Index {
		clear(codes)
		clear(cells)
		for row, err := range t.Each(ctx, file, false) {
			if err != nil {
				return err
			}
			for i, at := range t.Index[file] {
				codes[at], cells[at] = row.Codes[i], row.Cells[i]
			}
			for _, c := range t.Columns {
				if c.Made != nil {
					codes[c.At] = c.Made.codes[codes[c.Made.Of.At]]
				}
			}
			r.add(codes, cells)
			if rows++; rows == check {
				r.drop()
				check *= 4
			}
		}
	}
	for _, d := range r.open {
		if d.settle(); !d.again {
			r.table.known[d.key] = d
		}
	}
	return nil
}

func (r *Count) add(codes []uint32, cells []string) {
	year := uint32(0)
	if r.year != nil {
		year = codes[r.year.At]
	}
	for _, d := range r.open {
		if !d.dropped {
			r.count(d, year, codes)
		}
	}
	for _, add := range r.also {
		add(codes, cells)
	}
}

func (r *Count) count(d *Dependency, year uint32, codes []uint32) {
	to := d.to.known(codes)
	kind, ok := kindOf(uint64(year), d.from, codes)
	if !ok || to == 0 {
		return
	}
	d.rows++
	if !d.varies {
		first, known := d.first[year]
		if d.varies = known && first != to; !known {
			d.first[year] = to
		}
	}
	pair := [2]uint64{kind, uint64(to)}
	if n := d.pairs[pair]; n == 0 {
		if r.pairs == mostPairs {
			r.forget(d)
			d.again = true
			return
		}
		r.pairs++
	}
	d.pairs[pair]++
}

// known gives the code of a row's cell; 0 where it is blank or says that nothing is known.
func (c *Column) known(codes []uint32) uint32 {
	code := codes[c.At]
	if int(code) < len(c.Values) && c.Values[code].Unknown {
		return 0
	}
	return code
}

// kindOf joins the cells of columns to a number that hardly others have; false if one of them is blank.
func kindOf(kind uint64, of []*Column, codes []uint32) (uint64, bool) {
	for _, c := range of {
		code := c.known(codes)
		if code == 0 {
			return 0, false
		}
		kind = Mixed(kind, code)
	}
	return kind, true
}

// Mixed adds a code to a hash.
func Mixed(hash uint64, code uint32) uint64 {
	return (bits.RotateLeft64(hash, 29) ^ uint64(code)) * 0x9e3779b97f4a7c15
}

// forget gives up a dependency.
func (r *Count) forget(d *Dependency) {
	r.pairs -= len(d.pairs)
	d.pairs, d.dropped = nil, true
}

// drop gives up what is no dependency by far, so that what remains has room.
func (r *Count) drop() {
	for _, d := range r.open {
		if !d.dropped && !d.agreement().Share(50) {
			r.forget(d)
		}
	}
}

func (d *Dependency) settle() {
	if !d.dropped {
		d.result = d.agreement()
		d.pairs, d.first = nil, nil
	}
}

func (d *Dependency) agreement() Agreement {
	most, several := make(map[uint64]int64, len(d.pairs)), map[uint64]bool{}
	for pair, n := range d.pairs {
		several[pair[0]] = most[pair[0]] > 0 || several[pair[0]]
		most[pair[0]] = max(most[pair[0]], n)
	}
	a := Agreement{Rows: d.rows, Kinds: int64(len(most)), Varies: d.varies}
	for _, has := range several {
		a.Single += RowsIf(!has, 1)
	}
	for _, n := range most {
		a.Agree += n
	}
	return a
}
