package load

import (
	"iter"

	"fiscube/store/load/files"
)

// batch is a run of rows whose cells are its own, so that reading can go on while others take them.
type batch struct {
	rows  []files.Row
	cells []string
	err   error
}

// batchRows is how many rows a batch holds, batches how many there are: memory stays flat.
const (
	batchRows = 512
	batches   = 4
)

// readAhead reads rows in a goroutine of its own, so that reading keeps one core busy and what is done with the rows another.
// An error ends the rows. Ending the range ends the goroutine before it returns.
func readAhead(rows iter.Seq2[files.Row, error]) iter.Seq2[files.Row, error] {
	return func(yield func(files.Row, error) bool) {
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
				yield(files.Row{}, b.err)
				return
			}
			free <- b
		}
	}
}

// fill copies rows into free batches and hands them over, until the rows end or stop is closed.
func fill(rows iter.Seq2[files.Row, error], free <-chan *batch, full chan<- *batch, stop <-chan struct{}) {
	defer close(full)
	b := <-free
	for row, err := range rows {
		if err != nil {
			b.err = err
			break
		}
		b.add(row)
		if len(b.rows) < batchRows {
			continue
		}
		full <- b // never waits: it has room for all batches
		select {
		case <-stop:
			return
		case b = <-free:
			b.rows, b.cells = b.rows[:0], b.cells[:0]
		}
	}
	full <- b
}

// add copies the cells of a row. Those that were copied before stay valid when the batch grows.
func (b *batch) add(row files.Row) {
	from := len(b.cells)
	b.cells = append(b.cells, row.Cells...)
	row.Cells = b.cells[from:len(b.cells):len(b.cells)]
	b.rows = append(b.rows, row)
}
