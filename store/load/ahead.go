package load

import "iter"

// batch is a run of rows whose cells are its own, so that reading can go on while others take them.
type batch[T any] struct {
	rows  []T
	cells []string
	codes []uint32
	err   error
}

// batchRows is how many rows a batch holds, batches how many there are: memory stays flat.
const (
	batchRows = 512
	batches   = 4
)

// readAhead reads rows in a goroutine of its own, so that reading keeps one core busy and what is done with the rows another.
// Keep gives a row with cells of the batch. An error ends the rows. Ending the range ends the goroutine before it returns.
func readAhead[T any](keep func(*batch[T], T) T, rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		free, full := make(chan *batch[T], batches), make(chan *batch[T], batches)
		for range batches {
			free <- &batch[T]{}
		}
		stop := make(chan struct{})
		go fill(keep, rows, free, full, stop)
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
				var none T
				yield(none, b.err)
				return
			}
			free <- b
		}
	}
}

// fill copies rows into free batches and hands them over, until the rows end or stop is closed.
func fill[T any](keep func(*batch[T], T) T, rows iter.Seq2[T, error], free <-chan *batch[T], full chan<- *batch[T], stop <-chan struct{}) {
	defer close(full)
	b := (<-free).emptied()
	for row, err := range rows {
		if err != nil {
			b.err = err
			break
		}
		b.rows = append(b.rows, keep(b, row))
		if len(b.rows) < batchRows {
			continue
		}
		full <- b // never waits: it has room for all batches
		select {
		case <-stop:
			return
		case b = <-free:
			b.emptied()
		}
	}
	full <- b
}

func (b *batch[T]) emptied() *batch[T] {
	b.rows, b.cells, b.codes = b.rows[:0], b.cells[:0], b.codes[:0]
	return b
}

// kept copies cells. Those that were copied before stay valid when the batch grows.
func (b *batch[T]) kept(cells []string) []string {
	from := len(b.cells)
	b.cells = append(b.cells, cells...)
	return b.cells[from:len(b.cells):len(b.cells)]
}
