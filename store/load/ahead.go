package load

import (
	"iter"

	"fiscube/cube"
)

// batch is a run of rows whose cells are its own, so that reading can go on while a store takes them.
type batch struct {
	rows  []cube.Row
	cells []string
	err   error
}

// batchRows is how many rows a batch holds, batches how many there are: memory stays flat.
const (
	batchRows = 512
	batches   = 4
)

// readAhead reads rows in a goroutine of its own: parsing keeps one core busy while storing keeps another.
// Ending the range ends the goroutine before it returns.
func readAhead(rows iter.Seq2[cube.Row, error]) iter.Seq2[cube.Row, error] {
	return func(yield func(cube.Row, error) bool) {
		free, full := make(chan *batch, batches), make(chan *batch, batches)
		for range batches {
			free <- &batch{}
		}
		stop := make(chan struct{})
		go fill(rows, free, full, stop)
		defer func() {
			close(stop)
			for range full { //nolint:revive // waits until fill has ended
			}
		}()
		for b := range full {
			for _, row := range b.rows {
				if !yield(row, nil) {
					return
				}
			}
			if b.err != nil {
				yield(cube.Row{}, b.err)
				return
			}
			free <- b
		}
	}
}

// fill copies rows into free batches and hands them over, until the rows end or stop is closed.
func fill(rows iter.Seq2[cube.Row, error], free <-chan *batch, full chan<- *batch, stop <-chan struct{}) {
	defer close(full)
	b := <-free
	b.reset()
	for row, err := range rows {
		if err != nil {
			b.err = err
			break
		}
		b.add(row)
		if len(b.rows) < batchRows {
			continue
		}
		full <- b // never waits: there are as many places as batches
		select {
		case <-stop:
			return
		case b = <-free:
			b.reset()
		}
	}
	full <- b
}

func (b *batch) reset() { b.rows, b.cells = b.rows[:0], b.cells[:0] }

// add keeps a row. Cells that were appended before stay valid when the slice grows.
func (b *batch) add(row cube.Row) {
	from := len(b.cells)
	b.cells = append(b.cells, row.Cells...)
	row.Cells = b.cells[from:len(b.cells):len(b.cells)]
	b.rows = append(b.rows, row)
}
