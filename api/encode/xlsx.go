package encode

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2" // writes the rows of a sheet one by one, past a few megabytes into a temporary file

	"fiscube/cube"
	"fiscube/cube/prose"
)

// The bounds of a sheet, as the programs that open it have them; the last is ours.
const (
	maxSheetRows  = 1<<20 - headRows
	maxSheetText  = 32_767  // characters of a cell, counted in UTF-16
	maxSheetCells = 1 << 24 // of a sheet: about a gigabyte before it is packed
	maxSheetExact = 15      // digits of a number that are kept
)

// The sheets of a workbook.
const (
	sheetOfRows  = "Data"
	sheetOfAbout = "About"
)

// xlsxEncoder writes a workbook. Nothing of it is sent before it is whole. Texts are typed as such, so that none is
// ever run as a formula.
type xlsxEncoder struct {
	*Sheet
	out    io.Writer
	file   *excelize.File
	stream *excelize.StreamWriter
	styles []int // of the columns
	marked int   // the style of a number that is text
	title  int   // and of a title
	line   int   // the last one written
	cells  []any
	text   []byte
	bytes  int64 // of the rows, about
	held   int64 // of these, in memory

	asText, shortened []int // for each column, how many of its cells are
}

func newXLSX(out io.Writer, s *Sheet) (Encoder, error) {
	e := &xlsxEncoder{
		Sheet: s, out: out, file: excelize.NewFile(), asText: make([]int, len(s.Columns)), shortened: make([]int, len(s.Columns)),
	}
	if err := e.begin(); err != nil {
		e.Close()
		return nil, fmt.Errorf("begin a workbook: %w", err)
	}
	return e, nil
}

func (e *xlsxEncoder) begin() (err error) {
	if err := e.file.SetSheetName("Sheet1", sheetOfRows); err != nil {
		return err
	}
	if err := cmp.Or(e.setProperties(), e.setStyles()); err != nil {
		return err
	}
	if e.stream, err = e.newStream(sheetOfRows); err != nil {
		return err
	}
	frozen := &excelize.Panes{Freeze: true, YSplit: headRows, TopLeftCell: "A" + strconv.Itoa(headRows+1), ActivePane: "bottomLeft"}
	if err := e.stream.SetPanes(frozen); err != nil {
		return err
	}
	return e.head()
}

// headRows are the rows above the answer: the titles of the columns, for people, and their names, for programs and formulas.
const headRows = 2

// head writes the titles and the names of the columns, which are as wide as their cells may be.
func (e *xlsxEncoder) head() error {
	titles := e.titles()
	for i, col := range e.Columns {
		if err := e.stream.SetColWidth(i+1, i+1, col.width(titles[i])); err != nil {
			return err
		}
	}
	for _, title := range titles {
		e.cells = append(e.cells, excelize.Cell{StyleID: e.title, Value: title})
	}
	if err := e.write(); err != nil {
		return err
	}
	e.cells = e.cells[:0]
	for _, name := range names(e.Columns) {
		e.cells = append(e.cells, name)
	}
	return e.write()
}

// The widths of columns, in characters. A longer title is wrapped.
const (
	leastWidth  = 10
	amountWidth = 20 // fifteen digits in groups
	labelWidth  = 40
	mostWidth   = 50
)

func (col Column) width(title string) float64 {
	width := max(leastWidth, utf8.RuneCountInString(col.Name)+3) // and the sign of the filter
	switch {
	case col.kind == kindAmount:
		width = max(width, amountWidth)
	case col.long:
		width = max(width, labelWidth)
	case utf8.RuneCountInString(title) > 2*width:
		width *= 2
	}
	return float64(min(width, mostWidth))
}

// filter lets readers choose rows by the cells below the names of the columns.
func (e *xlsxEncoder) filter() error {
	last, err := excelize.CoordinatesToCellName(len(e.Columns), max(e.line, headRows))
	if err != nil {
		return err
	}
	return e.file.AutoFilter(sheetOfRows, "A"+strconv.Itoa(headRows)+":"+last, nil)
}

// newStream begins the rows of a sheet. How far they reach is not known yet, and readers go by what a sheet says of
// it, so it says nothing.
func (e *xlsxEncoder) newStream(sheet string) (*excelize.StreamWriter, error) {
	if err := e.file.SetSheetDimension(sheet, ""); err != nil {
		return nil, err
	}
	return e.file.NewStreamWriter(sheet)
}

// textMark shows that a number is text: it is aligned as numbers are, on a colour of its own.
var textMark = &excelize.Style{
	Alignment: &excelize.Alignment{Horizontal: "right"},
	Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF2CC"}},
}

// titleLook sets titles off from the names below them.
var titleLook = &excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}}

// setProperties says what the workbook is, whose and of which day, as programs and catalogues of files show it. The day is that of the load:
// the same answer is the same bytes.
func (e *xlsxEncoder) setProperties() error {
	cb := e.Cube
	day := cb.LoadedAt.UTC().Format(time.RFC3339)
	return e.file.SetDocProps(&excelize.DocProperties{
		Title: clippedText(e.heading(), mostTitle), Subject: clippedText(e.Link, maxSheetText), Creator: cmp.Or(cb.Publisher, "fiscube"), LastModifiedBy: "fiscube",
		Description: cb.DescriptionIn(e.Lang), Keywords: strings.Join(cb.Tags, ", "), Language: string(e.Lang),
		Identifier: cb.Fingerprint, Version: strconv.Itoa(cb.Version), Created: day, Modified: day,
	})
}

// mostTitle is how many bytes of a title programs show.
const mostTitle = 255

// clippedText cuts a text that has too many bytes; the rest would go without a word.
func clippedText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// setStyles shows amounts with their decimals.
func (e *xlsxEncoder) setStyles() (err error) {
	if e.marked, err = e.file.NewStyle(textMark); err != nil {
		return err
	}
	if e.title, err = e.file.NewStyle(titleLook); err != nil {
		return err
	}
	e.styles = make([]int, len(e.Columns))
	made := map[int32]int{}
	for i, col := range e.Columns {
		if col.kind != kindAmount {
			continue
		}
		if _, ok := made[col.scale]; !ok {
			format := "#,##" + string(appendFixed(nil, decimal.Zero, col.scale))
			style, err := e.file.NewStyle(&excelize.Style{CustomNumFmt: &format})
			if err != nil {
				return err
			}
			made[col.scale] = style
		}
		e.styles[i] = made[col.scale]
	}
	return nil
}

func (e *xlsxEncoder) Row(row []Datum) error {
	if err := e.Fits(int64(e.line - headRows + 1)); err != nil {
		return err
	}
	e.cells = e.cells[:0]
	for i, d := range row {
		cell := e.cell(i, d)
		e.bytes += sheetCellBytes
		if text, ok := cell.(string); ok && len(text) > maxSheetText && len(utf16.Encode([]rune(text))) > maxSheetText {
			return tooLong(fmt.Sprintf("a text of %s is longer than the %d characters that a cell of a spreadsheet holds",
				e.Columns[i].Name, maxSheetText))
		}
		if text, ok := cell.(string); ok {
			e.bytes += int64(len(text))
		}
		e.cells = append(e.cells, cell)
	}
	if err := e.hold(min(e.bytes, excelize.StreamChunkSize), sheetStretch); err != nil {
		return err
	}
	return e.write()
}

// What a cell takes in a sheet beside its text, about; how many bytes are counted at once; and how much shorter a workbook is, at least, than its rows.
const (
	sheetCellBytes = 48
	sheetStretch   = 256 << 10
	packedBy       = 4
)

// hold counts that so many bytes are in memory, if they are a stretch more than before. Rows that have no room there are in a file.
func (e *xlsxEncoder) hold(bytes, stretch int64) error {
	more := bytes - e.held
	if e.Hold == nil || more < stretch {
		return nil
	}
	e.held = bytes
	return e.Hold(more)
}

// cell gives a datum as the workbook types it. A spreadsheet's number is a float, which keeps 15 digits: what has
// more stays text, unless it is rounded anyway.
func (e *xlsxEncoder) cell(i int, d Datum) any {
	col := e.Columns[i]
	switch {
	case d.Absent || col.kind == kindAmount && !d.Amount.Valid || col.kind != kindAmount && d.Value.IsMissing():
		return nil
	case col.kind == kindText:
		return d.Value.String()
	case col.kind == kindWhole:
		e.text = d.Value.AppendTo(e.text[:0])
	default:
		e.text = appendFixed(e.text[:0], d.Amount.Decimal, col.scale)
	}
	text := string(e.text)
	if significant(text) > maxSheetExact {
		if !col.rounded {
			e.asText[i]++
			return excelize.Cell{StyleID: e.marked, Value: text}
		}
		e.shortened[i]++
		text = shortened(d.Amount.Decimal, maxSheetExact)
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return excelize.Cell{StyleID: e.styles[i], Value: number}
}

func (e *xlsxEncoder) write() error {
	e.line++
	return e.stream.SetRow("A"+strconv.Itoa(e.line), e.cells)
}

// End writes the second sheet, and then the workbook as a whole.
func (e *xlsxEncoder) End() error {
	if err := cmp.Or(e.filter(), e.stream.Flush()); err != nil {
		return fmt.Errorf("end a sheet: %w", err)
	}
	e.Warnings = append(e.Warnings, e.found()...)
	if err := e.about(); err != nil {
		return fmt.Errorf("write the sheet %s: %w", sheetOfAbout, err)
	}
	if err := e.hold(min(e.bytes, excelize.StreamChunkSize)+e.bytes/packedBy, 1); err != nil { // it is packed in memory
		return err
	}
	return e.file.Write(e.out)
}

// about writes what the rows do not say, a name and a text in each line. It is no stream: a workbook with two has them in any order, and is
// to be the same bytes again.
func (e *xlsxEncoder) about() error {
	if _, err := e.file.NewSheet(sheetOfAbout); err != nil {
		return err
	}
	list := append(e.metadata(), e.Question...)
	for _, w := range e.Warnings {
		list = append(list, [2]string{"warning", w.Code + ": " + w.Message})
	}
	for i, pair := range list {
		row := []string{pair[0], clippedText(pair[1], maxSheetText)} // a cut may have thousands of values
		if err := e.file.SetSheetRow(sheetOfAbout, "A"+strconv.Itoa(i+1), &row); err != nil {
			return err
		}
	}
	return e.file.SetSheetDimension(sheetOfAbout, "") // programs believe what is said, and one cell is
}

// Close removes the temporary files.
func (e *xlsxEncoder) Close() { _ = e.file.Close() }

// found warns of cells that are not exact numbers, which is known after the last row.
func (e *xlsxEncoder) found() []cube.Warning {
	var list []cube.Warning
	if columns := e.counted(e.asText); len(columns) > 0 {
		list = append(list, prose.AmountsAsText(columns, e.Lang))
	}
	if columns := e.counted(e.shortened); len(columns) > 0 {
		list = append(list, prose.QuotientsRounded(columns, e.Lang))
	}
	return list
}

// counted lists the columns that have such cells.
func (e *xlsxEncoder) counted(counts []int) []prose.CellCount {
	var list []prose.CellCount
	for i, n := range counts {
		if n > 0 {
			list = append(list, prose.CellCount{Column: e.Columns[i].Name, Cells: n, Of: e.line - headRows})
		}
	}
	return list
}
