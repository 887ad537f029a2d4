package encode

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go" // writes row groups as they fill, decimals among them
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/internal/version"
)

// The sizes of a Parquet file. What is in memory is a row group, packed, and a batch.
const (
	parquetGroup      = 1 << 16 // rows of a group
	parquetBatch      = 256     // rows that are handed over at once
	parquetDictionary = 1 << 20 // bytes of the different texts of a column; with more they are written one by one
)

// The digits of a decimal: those of 32 and of 64 bits, and the most that readers of Parquet know.
const (
	digits32   = 9
	digits64   = maxDigits
	digitsWide = 38
	wideBytes  = 16
)

// parquetEncoder writes Parquet: amounts as decimals, whole numbers in 64 bits, all else as text, and null for what is
// missing or absent.
type parquetEncoder struct {
	columns []Column
	writer  *parquet.GenericWriter[any]
	batch   []parquet.Row
	bytes   []byte // of the texts and wide decimals in the batch
}

func newParquet(out io.Writer, s *Sheet) (Encoder, error) {
	build := version.Of()
	options := []parquet.WriterOption{
		parquet.NewSchema("rows", orderedGroup(s.Columns)),
		parquet.Compression(&parquet.Snappy),
		parquet.MaxRowsPerRowGroup(parquetGroup),
		parquet.DictionaryMaxBytes(parquetDictionary),
		parquet.CreatedBy("fiscube", build.Version+" ", build.Commit), // the library writes no space before (build …)
	}
	for name, text := range s.about() {
		options = append(options, parquet.KeyValueMetadata(name, text))
	}
	return &parquetEncoder{columns: s.Columns, writer: parquet.NewGenericWriter[any](out, options...)}, nil
}

// group is the schema of the rows with the columns in their order, which a parquet.Group has by name.
type group struct {
	parquet.Group
	fields []parquet.Field
}

// Fields implements parquet.Node.
func (g group) Fields() []parquet.Field { return g.fields }

func orderedGroup(columns []Column) group {
	g := group{Group: parquet.Group{}}
	for _, col := range columns {
		field := parquet.Group{col.Name: parquet.Optional(col.parquetNode())}
		g.Group[col.Name] = field[col.Name]
		g.fields = append(g.fields, field.Fields()...)
	}
	return g
}

func (col Column) parquetNode() parquet.Node {
	switch col.kind {
	case kindWhole:
		return parquet.Leaf(parquet.Int64Type)
	case kindAmount:
		return parquet.Decimal(int(col.scale), col.precision(), col.parquetType())
	}
	return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
}

// precision is how many digits the amounts of a column have at most; the most that readers know where that is unknown.
func (col Column) precision() int {
	if col.digits == 0 {
		return digitsWide
	}
	return min(int(col.digits+col.scale), digitsWide)
}

func (col Column) parquetType() parquet.Type {
	switch precision := col.precision(); {
	case precision <= digits32:
		return parquet.Int32Type
	case precision <= digits64:
		return parquet.Int64Type
	}
	return parquet.FixedLenByteArrayType(wideBytes)
}

func (e *parquetEncoder) Row(row []Datum) error {
	n := len(e.batch)
	if n == parquetBatch {
		if err := e.write(); err != nil {
			return err
		}
		n = 0
	}
	if cap(e.batch) == 0 {
		e.batch = make([]parquet.Row, 0, parquetBatch)
	}
	e.batch = e.batch[:n+1]
	values := e.batch[n][:0]
	for i, d := range row {
		value, err := e.value(e.columns[i], d)
		if err != nil {
			return err
		}
		there := 1
		if value.IsNull() {
			there = 0
		}
		values = append(values, value.Level(0, there, i))
	}
	e.batch[n] = values
	return nil
}

func (e *parquetEncoder) write() error {
	_, err := e.writer.WriteRows(e.batch)
	e.batch, e.bytes = e.batch[:0], e.bytes[:0]
	return err
}

func (e *parquetEncoder) value(col Column, d Datum) (parquet.Value, error) {
	switch {
	case d.Absent:
		return parquet.NullValue(), nil
	case col.kind == kindAmount:
		return e.amount(col, d.Amount)
	case d.Value.IsMissing():
		return parquet.NullValue(), nil
	case col.kind == kindWhole:
		n, _ := d.Value.Int()
		return parquet.Int64Value(n), nil
	}
	text := d.Value.String()
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	first := len(e.bytes)
	e.bytes = append(e.bytes, text...)
	return parquet.ByteArrayValue(e.bytes[first:]), nil
}

func (e *parquetEncoder) amount(col Column, amount decimal.NullDecimal) (parquet.Value, error) {
	if !amount.Valid {
		return parquet.NullValue(), nil
	}
	n, small := unscaled(amount.Decimal, col.scale)
	switch precision := col.precision(); {
	case !small || precision <= digits64 && (n >= powers[precision] || n <= -powers[precision]):
		return e.wide(col, amount.Decimal)
	case precision <= digits32:
		return parquet.Int32Value(int32(n)), nil
	case precision <= digits64:
		return parquet.Int64Value(n), nil
	default:
		first := len(e.bytes)
		e.bytes = binary.BigEndian.AppendUint64(e.bytes, uint64(n>>63)) // the sign, in every bit
		e.bytes = binary.BigEndian.AppendUint64(e.bytes, uint64(n))
		return parquet.FixedLenByteArrayValue(e.bytes[first:]), nil
	}
}

// wide writes an amount that does not fit into 64 bits, in two's complement.
func (e *parquetEncoder) wide(col Column, amount decimal.Decimal) (parquet.Value, error) {
	n, err := col.wide(amount)
	if err != nil {
		return parquet.Value{}, err
	}
	if n.Sign() < 0 {
		n.Add(n, wideModulus)
	}
	first := len(e.bytes)
	e.bytes = append(e.bytes, make([]byte, wideBytes)...)
	n.FillBytes(e.bytes[first:])
	return parquet.FixedLenByteArrayValue(e.bytes[first:]), nil
}

// wide gives an amount without its point, unless it has more digits than its column.
func (col Column) wide(amount decimal.Decimal) (*big.Int, error) {
	n := amount.Round(col.scale).Shift(col.scale).BigInt()
	if col.precision() <= digits64 || new(big.Int).Abs(n).Cmp(wideBound) >= 0 {
		return nil, cube.Errorf(cube.CodeTooLarge, "%s has more than the %d digits of its column", col.Name, col.precision())
	}
	return n, nil
}

var (
	wideBound   = new(big.Int).Exp(big.NewInt(10), big.NewInt(digitsWide), nil)
	wideModulus = new(big.Int).Lsh(big.NewInt(1), 8*wideBytes)
)

// End writes the last group and the footer, without which no reader takes the file.
func (e *parquetEncoder) End() error {
	if err := e.write(); err != nil {
		return err
	}
	if err := e.writer.Close(); err != nil {
		return fmt.Errorf("end a Parquet file: %w", err)
	}
	return nil
}

func (e *parquetEncoder) Close() {}
