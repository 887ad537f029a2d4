package encode

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow" // the format is Arrow's own, with decimals
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/shopspring/decimal"
)

// arrowBatch is how many rows are in memory, and in a record batch.
const arrowBatch = 1 << 13

// arrowEncoder writes a stream of Arrow (IPC) with the types of Parquet: amounts as decimals, whole numbers in 64 bits, all else as text,
// and null for what is missing or absent. Decimals have 128 bits however few their digits are: not all readers know shorter ones.
type arrowEncoder struct {
	columns []Column
	writer  *ipc.Writer
	batch   *array.RecordBuilder
	rows    int
}

func newArrow(out io.Writer, s *Sheet) (Encoder, error) {
	fields := make([]arrow.Field, len(s.Columns))
	for i, col := range s.Columns {
		fields[i] = arrow.Field{Name: col.Name, Type: col.arrowType(), Nullable: true}
	}
	about := arrow.MetadataFrom(s.about())
	schema := arrow.NewSchema(fields, &about)
	return &arrowEncoder{
		columns: s.Columns, writer: ipc.NewWriter(out, ipc.WithSchema(schema)), batch: array.NewRecordBuilder(memory.NewGoAllocator(), schema),
	}, nil
}

func (col Column) arrowType() arrow.DataType {
	switch col.kind {
	case kindWhole:
		return arrow.PrimitiveTypes.Int64
	case kindAmount:
		return &arrow.Decimal128Type{Precision: int32(col.precision()), Scale: col.scale}
	}
	return arrow.BinaryTypes.String
}

func (e *arrowEncoder) Row(row []Datum) error {
	for i, d := range row {
		if err := e.append(e.batch.Field(i), e.columns[i], d); err != nil {
			return err
		}
	}
	if e.rows++; e.rows == arrowBatch {
		return e.write()
	}
	return nil
}

func (e *arrowEncoder) append(column array.Builder, col Column, d Datum) error {
	switch {
	case d.Absent, col.kind == kindAmount && !d.Amount.Valid, col.kind != kindAmount && d.Value.IsMissing():
		column.AppendNull()
	case col.kind == kindAmount:
		n, err := col.decimal128(d.Amount.Decimal)
		if err != nil {
			return err
		}
		column.(*array.Decimal128Builder).Append(n)
	case col.kind == kindWhole:
		n, _ := d.Value.Int()
		column.(*array.Int64Builder).Append(n)
	default:
		text := d.Value.String()
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd")
		}
		column.(*array.StringBuilder).Append(text)
	}
	return nil
}

// decimal128 refuses an amount of more digits than its column has.
func (col Column) decimal128(amount decimal.Decimal) (decimal128.Num, error) {
	if n, small := unscaled(amount, col.scale); small && (col.precision() > digits64 || n < powers[col.precision()] && n > -powers[col.precision()]) {
		return decimal128.FromI64(n), nil
	}
	n, err := col.wide(amount)
	if err != nil {
		return decimal128.Num{}, err
	}
	return decimal128.FromBigInt(n), nil
}

func (e *arrowEncoder) write() error {
	if e.rows == 0 {
		return nil
	}
	batch := e.batch.NewRecordBatch()
	defer batch.Release()
	e.rows = 0
	return e.writer.Write(batch)
}

// End writes the last batch and the mark that no more follow.
func (e *arrowEncoder) End() error {
	if err := e.write(); err != nil {
		return err
	}
	if err := e.writer.Close(); err != nil {
		return fmt.Errorf("end a stream of Arrow: %w", err)
	}
	return nil
}

func (e *arrowEncoder) Close() { e.batch.Release() }
