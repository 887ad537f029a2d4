package resident

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// scan groups the rows of a table by the members of some levels.
type scan struct {
	cube   *cube.Cube
	table  *table
	levels []*dictionary.Members // to group by
	where  dictionary.Condition
	parts  []plan.Part
	only   []dictionary.Condition // by part: the rows that it is of; nil: all parts are of all
	most   int                    // groups; with more there is no answer
}

// groups are the groups of a scan, with their parts.
type groups struct {
	from  *table
	rows  []int32 // of each group one of its rows: it tells the members of all levels that theirs tell
	parts []*part
}

// block is how many rows are grouped before the context is looked at.
const block = 1024

// run gives the groups, or nil if there are more than there may be. Of many rows all processors scan a share.
func (s *scan) run(ctx context.Context, many int32) (*groups, error) {
	n := 1
	if s.table.rows >= many {
		n = runtime.GOMAXPROCS(0)
	}
	workers, errs, share := make([]*worker, n), make([]error, n), s.table.rows/int32(n)+1
	var all sync.WaitGroup
	for i := range workers {
		workers[i] = s.newWorker()
		defer blocks.Put(workers[i].rowsOfBlock)
		first := min(s.table.rows, int32(i)*share)
		read := func() { errs[i] = workers[i].read(ctx, first, min(s.table.rows, first+share)) }
		if n == 1 {
			read()
		} else {
			all.Go(read)
		}
	}
	all.Wait()
	whole := workers[0]
	for i, w := range workers {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if i > 0 && !whole.isFull() && !w.isFull() {
			whole.merge(w)
		}
		if whole.isFull() || w.isFull() {
			return nil, nil
		}
	}
	return &groups{s.table, whole.rows, whole.parts}, nil
}

// worker scans some of the rows.
type worker struct {
	*scan
	passes filter
	only   []restricted
	steps  []step
	rows   []int32 // groups.rows
	parts  []*part
	*rowsOfBlock
}

// rowsOfBlock is what a worker notes of the rows of a block.
type rowsOfBlock struct {
	marked       [block]bool
	keys         [block]uint64
	passing, in  [block]int32 // the rows that pass, and their groups
	some, someIn [block]int32 // those of some parts, and their groups
}

// blocks are used again, as a scan of few rows takes less time than to clear them.
var blocks = sync.Pool{New: func() any { return new(rowsOfBlock) }}

// restricted are parts that are of the same rows.
type restricted struct {
	to    filter // nil: all
	parts []int
}

func (s *scan) newWorker() *worker {
	w := &worker{scan: s, passes: s.table.filter(s.where), steps: s.newSteps(), rowsOfBlock: blocks.Get().(*rowsOfBlock)}
	known := map[plan.Part]int{} // parts with the same guard and year are of the same rows
	for i, p := range s.parts {
		w.parts = append(w.parts, s.newPart(i, s.isRestricted(i) || p.Measure != "" && s.table.measures[s.measureOf(p)].count != nil))
		id := plan.Part{}
		if s.isRestricted(i) {
			id = plan.Part{Guarded: p.Guarded, ByYear: p.ByYear, Year: p.Year}
		}
		at, ok := known[id]
		if !ok {
			at = len(w.only)
			known[id], w.only = at, append(w.only, restricted{})
			if s.isRestricted(i) {
				w.only[at].to = s.table.filter(s.only[i])
			}
		}
		w.only[at].parts = append(w.only[at].parts, i)
	}
	return w
}

func (s *scan) isRestricted(part int) bool {
	return s.only != nil && s.only[part].Op != dictionary.Every
}

// measureOf gives the index of the measure of a part, -1 for none.
func (s *scan) measureOf(p plan.Part) int {
	return slices.IndexFunc(s.cube.Model.Measures(), func(m cube.Measure) bool { return m.Ref == p.Measure })
}

// newPart makes a part of no groups. Some may have no amount.
func (s *scan) newPart(i int, nullable bool) *part {
	p := &part{function: s.parts[i].Func, values: values{low: []int64{}}}
	if p.counts() {
		return p
	}
	index := s.measureOf(s.parts[i])
	if nullable || p.function != cube.Sum {
		p.amounts = []int64{}
	}
	column, _ := s.cube.Model.Column(s.parts[i].Measure)
	switch {
	case !column.IsScaled():
		p.values = values{big: []decimal.Decimal{}}
		return p
	case p.function == cube.Sum && !s.cube.HasNarrowSums(index):
		p.high = []int64{}
	}
	p.scale = column.Scale
	return p
}

func (w *worker) isFull() bool { return len(w.rows) > w.most }

// read groups the rows from first to before end, unless there are too many groups.
func (w *worker) read(ctx context.Context, first, end int32) error {
	in := w.in[:]
	for ; first < end && !w.isFull(); first += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		marked := w.marked[:min(block, end-first)]
		rows := w.passing[:0]
		for i := range marked {
			marked[i] = true
		}
		if w.passes != nil {
			w.passes(int(first), marked)
		}
		for i, passes := range marked {
			if passes {
				rows = append(rows, first+int32(i))
			}
		}
		w.group(rows, in)
		for _, only := range w.only {
			if only.to == nil {
				w.add(only.parts, rows, in[:len(rows)])
				continue
			}
			for i := range marked {
				marked[i] = true
			}
			only.to(int(first), marked)
			some, someIn := w.some[:0], w.someIn[:0]
			for i, row := range rows {
				if marked[row-first] {
					some, someIn = append(some, row), append(someIn, in[i])
				}
			}
			w.add(only.parts, some, someIn)
		}
	}
	return nil
}

// add adds rows to some parts of their groups.
func (w *worker) add(parts []int, rows, in []int32) {
	for _, i := range parts {
		p := w.parts[i]
		p.grow(len(w.rows))
		if p.function == cube.Rows {
			w.count(p.low, w.table.facts, rows, in)
			continue
		}
		m := &w.table.measures[w.measureOf(w.scan.parts[i])]
		count := m.count
		if count == nil {
			count = w.table.facts
		}
		if p.function == cube.Count {
			w.count(p.low, count, rows, in)
			continue
		}
		if p.function == cube.Sum && p.amounts != nil {
			w.count(p.amounts, count, rows, in)
		}
		p.add(m.amounts(p.function), m.isMissing, rows, in)
	}
}

// count adds what a column counts to the groups of rows; without a column each row counts once.
func (w *worker) count(sums []int64, column column, rows, in []int32) {
	if column != nil {
		column.sumInto(sums, rows, in)
		return
	}
	for _, group := range in {
		sums[group]++
	}
}

// merge adds the groups of another worker.
func (w *worker) merge(other *worker) {
	in := w.in[:]
	for first := 0; first < len(other.rows); first += block {
		rows, of := other.rows[first:min(len(other.rows), first+block)], w.some[:0]
		w.group(rows, in)
		for i := range rows {
			of = append(of, int32(first+i))
		}
		for i, p := range w.parts {
			from := other.parts[i]
			from.grow(len(other.rows))
			p.grow(len(w.rows))
			if p.function != cube.Min && p.function != cube.Max && p.amounts != nil {
				numbers[int64](from.amounts).sumInto(p.amounts, of, in[:len(rows)])
			}
			p.add(from.values, from.isNull, of, in[:len(rows)])
		}
	}
}
