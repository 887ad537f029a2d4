package postgres

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"sync"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// The formats of COPY.
const (
	textFormat   = "text"
	binaryFormat = "binary"
)

// copyTable fills a table that this transaction made, and analyzes it.
func (l *load) copyTable(ctx context.Context, table, format string, rows iter.Seq2[[]byte, error]) error {
	if _, err := l.copyRows(ctx, table, format, rows); err != nil {
		return err
	}
	return l.analyze(ctx, table)
}

// copyToAllNodes is copyTable for a table of which each node of a cluster is to have all rows.
func (l *load) copyToAllNodes(ctx context.Context, table string, rows iter.Seq2[[]byte, error]) error {
	if err := l.copyTable(ctx, table, textFormat, rows); err != nil {
		return err
	}
	return l.toAllNodes(ctx, table)
}

// copyRows fills a table that this transaction made. FREEZE writes the rows as if long committed, so that
// the first readers need not mark them.
func (l *load) copyRows(ctx context.Context, table, format string, rows iter.Seq2[[]byte, error]) (int64, error) {
	r := newLineReader(rows)
	tag, err := l.tx.Conn().PgConn().CopyFrom(ctx, r, "COPY "+table+" FROM STDIN WITH (FORMAT "+format+", FREEZE)")
	r.close()
	if r.err != nil {
		return 0, r.err
	}
	if err != nil {
		return 0, fmt.Errorf("copy into %s: %w", table, queryError(err))
	}
	return tag.RowsAffected(), nil
}

// analyze tells the planner how many groups to expect. A sample of 6,000 rows serves that as well as the
// usual 30,000, which cost a third of the copy itself.
func (l *load) analyze(ctx context.Context, table string) error {
	if _, err := l.tx.Exec(ctx, "SET LOCAL default_statistics_target = 20"); err != nil {
		return fmt.Errorf("analyze %s: %w", table, queryError(err))
	}
	if _, err := l.tx.Exec(ctx, "ANALYZE "+table); err != nil {
		return fmt.Errorf("analyze %s: %w", table, queryError(err))
	}
	return nil
}

// lineReader reads lines as one stream of bytes. An error of the lines is kept: COPY would bury it. CopyFrom
// returns while its goroutine is still reading where the connection is lost, so closing waits for that.
type lineReader struct {
	mu   sync.Mutex
	next func() ([]byte, error, bool)
	stop func()
	rest []byte
	err  error
}

func newLineReader(lines iter.Seq2[[]byte, error]) *lineReader {
	next, stop := iter.Pull2(lines)
	return &lineReader{next: next, stop: stop}
}

// close lets go of the lines; what is read after it is empty.
func (r *lineReader) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop()
}

// Read implements io.Reader, filling p as far as it can.
func (r *lineReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for n < len(p) {
		if len(r.rest) == 0 {
			line, err, ok := r.next()
			if err != nil {
				r.err = err
				return n, err
			}
			if !ok {
				return n, io.EOF
			}
			r.rest = line
		}
		copied := copy(p[n:], r.rest)
		r.rest = r.rest[copied:]
		n += copied
	}
	return n, nil
}

// numberedLines writes rows of the base cuboid in COPY's text format, each with its own number at the end if that is wanted.
func numberedLines(rows iter.Seq2[catalogue.NumberedRow, error], counted bool) iter.Seq2[[]byte, error] {
	n := int64(0)
	return linesOf(rows, func(line []byte, row catalogue.NumberedRow) []byte {
		for _, a := range row.Amounts {
			switch {
			case a.Missing:
				line = append(line, `\N`...)
			case a.Decimal != nil:
				line = append(line, a.Decimal...)
			default:
				line = strconv.AppendInt(line, a.Scaled, 10)
			}
			line = append(line, '\t')
		}
		for _, number := range row.Numbers {
			line = append(strconv.AppendInt(line, int64(number), 10), '\t')
		}
		if n++; counted {
			line = append(strconv.AppendInt(line, n, 10), '\t')
		}
		line[len(line)-1] = '\n'
		return line
	})
}

// linesOf writes each row as a line, which is valid until the next one.
func linesOf[T any](rows iter.Seq2[T, error], write func(line []byte, row T) []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var line []byte
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			line = write(line[:0], row)
			if !yield(line, nil) {
				return
			}
		}
	}
}

// memberLines writes the members of a level in COPY's text format.
func memberLines(members iter.Seq[cube.Member], level cube.Level, model *cube.Model) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var line []byte
		for m := range members {
			line = appendPath(line[:0], m, level, model)
			line = append(appendCell(line, m.Label, cube.TypeText), '\t')
			line = append(appendCell(line, m.Fold, cube.TypeText), '\t')
			line = append(appendRank(line, m.Rank), '\t')
			line = append(strconv.AppendInt(line, m.Rows, 10), '\t')
			first, last := m.Years()
			line = append(appendCell(line, first.String(), cube.TypeInteger), '\t')
			line = append(appendCell(line, last.String(), cube.TypeInteger), '\t')
			line = append(strconv.AppendInt(line, int64(m.Number), 10), '\n')
			if !yield(line, nil) {
				return
			}
		}
	}
}

// labelLines writes the labels of a level's members in COPY's text format.
func labelLines(members iter.Seq[cube.Member], level cube.Level, model *cube.Model) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var line []byte
		for m := range members {
			for _, label := range m.Labels {
				line = appendPath(line[:0], m, level, model)
				line = append(appendCell(line, label.Year.String(), cube.TypeInteger), '\t')
				line = append(appendCell(line, label.Text, cube.TypeText), '\t')
				line = append(appendRank(line, label.Rank), '\t')
				line = append(strconv.AppendInt(line, label.Rows, 10), '\t')
				line = append(strconv.AppendBool(line, label.Shown), '\t')
				line = append(strconv.AppendInt(line, label.Meaning, 10), '\t')
				line = append(appendCell(line, label.Fold, cube.TypeText), '\t')
				line = append(strconv.AppendInt(line, int64(m.Number), 10), '\t')
				line = append(appendCell(line, label.Cell, cube.TypeText), '\n')
				if !yield(line, nil) {
					return
				}
			}
		}
	}
}

func appendPath(line []byte, m cube.Member, level cube.Level, model *cube.Model) []byte {
	for i, key := range m.Path {
		column, _ := model.Column(level.Path[i])
		line = append(appendCell(line, key.String(), column.Type), '\t')
	}
	return line
}

// appendRank writes the rank, NULL for a member that is missing and comes last in every order.
func appendRank(line []byte, rank int64) []byte {
	if rank == 0 {
		return append(line, `\N`...)
	}
	return strconv.AppendInt(line, rank, 10)
}

func appendCell(line []byte, cell string, kind cube.ColumnType) []byte {
	if kind != cube.TypeText {
		if cell == "" {
			return append(line, `\N`...)
		}
		return append(line, cell...)
	}
	for i := range len(cell) {
		switch c := cell[i]; c {
		case '\\':
			line = append(line, '\\', '\\')
		case '\t':
			line = append(line, '\\', 't')
		case '\n':
			line = append(line, '\\', 'n')
		case '\r':
			line = append(line, '\\', 'r')
		default:
			line = append(line, c)
		}
	}
	return line
}
