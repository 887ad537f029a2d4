package describe

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"fiscube/cube"
	"fiscube/internal/tidy"
)

// mostPairs bounds the pairs of cells that all dependencies of a reading remember together.
const mostPairs = 1_500_000

// dependency counts in how many rows the cells of some columns decide the cell of another: those with the cell that is the most
// frequent one of their kind. Rows in which one of the cells is
// blank, or says that nothing is known, are not counted. Codes may be numbered anew each year, so
// that the cells of each fiscal year are of a kind of their own.
type dependency struct {
	from    []*column
	to      *column
	pairs   map[[2]uint64]int64
	dropped bool // too many pairs, or hardly any agree
	rows    int64
	first   map[uint32]uint32 // by fiscal year: the first cell of to
	varies  bool              // a year has several
	result  agreement
}

// agreement is what a dependency counted.
type agreement struct {
	agree, rows int64
	kinds       int64 // different cells of the deciding columns
	single      int64 // of these, those that decide one cell in all rows
	varies      bool  // the decided column has several cells in a year
}

// share tells whether at least so many of a hundred rows agree, of some.
func (a agreement) share(percent int64) bool { return a.rows > 0 && a.agree*100 >= a.rows*percent }

// convinces tells whether so many rows agree that it is no chance: many kinds are met again, and the decided cells differ.
func (a agreement) convinces() bool {
	return a.varies && a.rows >= 3*a.kinds && a.rows-a.kinds >= 20
}

// told gives its figures.
func (a agreement) told() cube.Titles { return say("rows", "Agree", a.agree, "Rows", a.rows) }

// reading reads the rows once for many dependencies.
type reading struct {
	profile *profile
	year    *column
	all     []*dependency
	byName  map[string]*dependency
	joins   []*joining
	members []*memberCount
	nested  []*nesting
	pairs   int
}

// nesting counts the rows in which the code of a level begins with that of another and goes on, as 311 begins with 31.
type nesting struct {
	above, below *level
	same, rows   int64
}

func (n *nesting) add(codes []uint32) {
	above, below := n.above.code(n.above.column.known(codes)), n.below.code(n.below.column.known(codes))
	if above == "" || below == "" {
		return
	}
	n.rows++
	if len(below) > len(above) && strings.HasPrefix(below, above) {
		n.same++
	}
}

// memberCount counts the different cells of some columns together.
type memberCount struct {
	of   []*column
	seen map[uint64]struct{}
	most bool // there are more than are remembered
}

// kinds is how many there are.
func (m *memberCount) kinds() int64 { return int64(len(m.seen)) }

func newReading(p *profile, year *column) *reading {
	return &reading{profile: p, year: year, byName: map[string]*dependency{}}
}

// joining counts the rows in which the label of a code is joined to that code.
type joining struct {
	code, label *column
	same, rows  int64
}

// ask adds a dependency, which is counted when the rows are read. It is nil where a column has too many cells.
func (r *reading) ask(to *column, from ...*column) *dependency {
	at := []int{to.at}
	for _, c := range from {
		if c.many || to.many || c == to {
			return nil
		}
		at = append(at, c.at)
	}
	key := fmt.Sprint(at)
	d, known := r.byName[key]
	if !known {
		d = &dependency{from: from, to: to, pairs: map[[2]uint64]int64{}, first: map[uint32]uint32{}}
		r.byName[key] = d
		r.all = append(r.all, d)
	}
	return d
}

// of gives what was counted; nothing for nil.
func (d *dependency) of() agreement {
	if d == nil || d.dropped {
		return agreement{}
	}
	return d.result
}

// run reads all rows.
func (r *reading) run(ctx context.Context) error {
	p := r.profile
	codes, cells := make([]uint32, len(p.columns)), make([]string, len(p.columns))
	rows, check := 0, 4096
	for file := range p.forms {
		clear(codes)
		clear(cells)
		for row, err := range p.read(ctx, file, false) {
			if err != nil {
				return err
			}
			for i, at := range p.index[file] {
				codes[at], cells[at] = row.codes[i], row.cells[i]
			}
			for _, c := range p.columns {
				if c.made != nil {
					codes[c.at] = c.made.codes[codes[c.made.of.at]]
				}
			}
			r.add(codes, cells)
			if rows++; rows == check {
				r.drop()
				check *= 4
			}
		}
	}
	for _, d := range r.all {
		d.settle()
	}
	return nil
}

func (r *reading) add(codes []uint32, cells []string) {
	year := uint32(0)
	if r.year != nil {
		year = codes[r.year.at]
	}
	for _, d := range r.all {
		if !d.dropped {
			r.count(d, year, codes)
		}
	}
	for _, m := range r.members {
		if kind, ok := kindOf(0, m.of, codes); ok && !m.most {
			if _, known := m.seen[kind]; !known && r.pairs == mostPairs {
				m.most = true
			} else if !known {
				r.pairs++
				m.seen[kind] = struct{}{}
			}
		}
	}
	for _, n := range r.nested {
		n.add(codes)
	}
	for _, j := range r.joins {
		code, label := strings.TrimSpace(cells[j.code.at]), cells[j.label.at]
		if code == "" || strings.TrimSpace(label) == "" {
			continue
		}
		j.rows++
		joined, _, ok := tidy.Split(label)
		if ok && strings.TrimLeft(joined, "0") == strings.TrimLeft(code, "0") {
			j.same++
		}
	}
}

func (r *reading) count(d *dependency, year uint32, codes []uint32) {
	to := d.to.known(codes)
	kind, ok := kindOf(uint64(year), d.from, codes)
	if !ok || to == 0 {
		return
	}
	d.rows++
	if first, known := d.first[year]; !known {
		d.first[year] = to
	} else if first != to {
		d.varies = true
	}
	pair := [2]uint64{kind, uint64(to)}
	if n := d.pairs[pair]; n == 0 {
		if r.pairs == mostPairs {
			r.forget(d)
			return
		}
		r.pairs++
	}
	d.pairs[pair]++
}

// known gives the code of a row's cell; 0 where it is blank or says that nothing is known.
func (c *column) known(codes []uint32) uint32 {
	code := codes[c.at]
	if int(code) < len(c.values) && c.values[code].unknown {
		return 0
	}
	return code
}

// kindOf joins the cells of columns to a number that hardly others have; false if one of them is blank.
func kindOf(kind uint64, of []*column, codes []uint32) (uint64, bool) {
	for _, c := range of {
		code := c.known(codes)
		if code == 0 {
			return 0, false
		}
		kind = mixed(kind, code)
	}
	return kind, true
}

// mixed adds a code to a hash.
func mixed(hash uint64, code uint32) uint64 {
	return (bits.RotateLeft64(hash, 29) ^ uint64(code)) * 0x9e3779b97f4a7c15
}

// forget gives up a dependency.
func (r *reading) forget(d *dependency) {
	r.pairs -= len(d.pairs)
	d.pairs, d.dropped = nil, true
}

// drop gives up what is no dependency by far, so that what remains has room.
func (r *reading) drop() {
	for _, d := range r.all {
		if !d.dropped && !d.agreement().share(50) {
			r.forget(d)
		}
	}
}

func (d *dependency) settle() {
	if !d.dropped {
		d.result = d.agreement()
		d.pairs = nil
	}
}

func (d *dependency) agreement() agreement {
	most, several := make(map[uint64]int64, len(d.pairs)), map[uint64]bool{}
	for pair, n := range d.pairs {
		several[pair[0]] = most[pair[0]] > 0 || several[pair[0]]
		most[pair[0]] = max(most[pair[0]], n)
	}
	a := agreement{rows: d.rows, kinds: int64(len(most)), varies: d.varies}
	for _, has := range several {
		a.single += boolRows(!has, 1)
	}
	for _, n := range most {
		a.agree += n
	}
	return a
}
