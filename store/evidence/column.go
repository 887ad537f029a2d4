// Package evidence says what the cells of columns are, and which columns decide which: the figures that guesses, findings and repairs read. It is
// given rows, and knows no file, no model and no store.
//
// What a cell is, is said by one rule for all: whether it joins a code and a label (column.go), is a date (dates.go) or an amount (number.go). A table
// counts it for the columns of several files, and in how many rows columns decide others (depends.go); a rise, how amounts go from one statement to the
// next (rise.go).
//
// Memory does not grow with the rows. It grows with the different cells of a column up to MostValues, and with the pairs of cells that
// are compared up to mostPairs.
package evidence

import (
	"context"
	"iter"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// Column is what the cells of a column show, over all files.
type Column struct {
	Name    string
	Words   []string // of its name
	Dated   bool     // its name is one of dates, so that numbers may be dates, too
	At      int      // in Table.Columns
	Cells   int64    // that are not blank
	Missing int64
	Values  []Value           // by code, from 1; nil where there are too many
	codes   map[string]uint32 // of the texts in values
	Many    bool              // more than MostValues different cells
	Dates   int64
	Joined  int64 // cells that join a code and a label
	Letters int64 // cells with a letter
	Years   int64
	Named   int64   // cells that name a fiscal year
	Short   int64   // cells that name one if the name of the column says that it has years: 23
	Totals  int64   // cells that say total and nothing else
	formats []int64 // of dates: the cells in each of DateFormats
	Zeros   int64   // whole numbers that begin with a needless zero
	Longest int     // characters
	Numbers Numbers
	Nothing []string // words for a total in a column of years
	isTotal func(cell string) bool
	Made    *Making // how its cells are made; nil where files have them
}

// Value is a cell of a column.
type Value struct {
	Text    string
	Rows    int64
	inFile  int64 // of these, those of the file that is read
	Unknown bool  // it says that nothing is known
}

// forget examines the cells that are remembered, and remembers none from then on.
func (c *Column) forget() {
	c.endFile()
	c.Many, c.Values, c.codes = true, nil, nil
}

// endFile examines the cells of a file that are remembered.
func (c *Column) endFile() {
	for i := range c.Values {
		if v := &c.Values[i]; v.inFile > 0 {
			c.examine(v.Text, v.inFile)
			v.inFile = 0
		}
	}
}

// examine counts what a cell is, which stands in so many rows.
func (c *Column) examine(cell string, rows int64) {
	cell = strings.TrimSpace(cell)
	c.Longest = max(c.Longest, len([]rune(cell)))
	if IsYear(cell) {
		c.Years += rows
	}
	if IsYearText(cell) {
		c.Named += rows
	}
	if _, ok := cube.FiscalYearInColumn(cell, false); ok && !IsYearText(cell) {
		c.Short += rows
	}
	c.Totals += RowsIf(c.isTotal(cell), rows)
	c.examineDate(cell, rows)
	if _, _, ok := Joined(cell); ok {
		c.Joined += rows
	}
	if HasLetter(cell) {
		c.Letters += rows
	}
	if len(cell) > 1 && cell[0] == '0' && IsDigits(cell) {
		c.Zeros += rows
	}
	c.Numbers.add(cell, rows)
}

// examineDate counts a cell that is a date, by its forms.
func (c *Column) examineDate(cell string, rows int64) {
	if len(cell) < len("1/1/99") || !strings.ContainsAny(cell, "-/. ") && !c.Dated || !HasDigit(cell) {
		return
	}
	isDate := IsDate(cell)
	for i, form := range dateForms() {
		if _, ok := form.Read(cell); ok {
			if isDate = true; c.formats == nil {
				c.formats = make([]int64, len(DateFormats))
			}
			c.formats[i] += rows
		}
	}
	c.Dates += RowsIf(isDate, rows)
}

// Different is how many different cells the column has, as far as they are remembered.
func (c *Column) Different() int { return max(0, len(c.Values)-1) }

// IsEmpty tells whether all cells are blank.
func (c *Column) IsEmpty() bool { return c.Cells == 0 }

// HoldsNumbers tells whether the cells are numbers, but for a few texts that stand for none.
func (c *Column) HoldsNumbers() bool {
	n := c.Numbers.Readable()
	return n > 0 && c.Zeros == 0 && (n == c.Cells || c.MarksOfNothing() != nil && !c.Numbers.ManyOther)
}

// HoldsWords tells whether most cells have a letter.
func (c *Column) HoldsWords() bool { return c.Cells > 0 && c.Letters*2 > c.Cells }

// IsIndented tells whether some cells begin with space and others do not.
func (c *Column) IsIndented() bool {
	cells, indented := 0, 0
	for _, v := range c.Values {
		if strings.TrimSpace(v.Text) != "" {
			cells++
			indented += int(RowsIf(strings.HasPrefix(v.Text, "  ") || strings.HasPrefix(v.Text, "\t"), 1))
		}
	}
	return indented*5 >= cells && indented < cells && cells > 2
}

// Making says how the cells of a column that no file has are made: of the beginnings of the codes of another.
type Making struct {
	Of    *Column
	Rule  cube.Derivation
	codes []uint32 // by the code of a cell of that column
}

// Derived makes a column whose cells are made of those of another. Cell gives the text of a cell, "" for none.
func Derived(name string, of *Column, rule cube.Derivation, cell func(string) string) *Column {
	c := &Column{Name: name, Values: make([]Value, 1), codes: map[string]uint32{}, Made: &Making{Of: of, Rule: rule, codes: []uint32{0}}}
	for _, v := range of.Values[1:] {
		text := cell(v.Text)
		if text == "" || v.Unknown {
			c.Made.codes = append(c.Made.codes, 0)
			continue
		}
		code, known := c.codes[text]
		if !known {
			code = uint32(len(c.Values))
			c.codes[text] = code
			c.Values = append(c.Values, Value{Text: text})
		}
		c.Values[code].Rows += v.Rows
		c.Cells += v.Rows
		c.Letters += RowsIf(HasLetter(text), v.Rows)
		c.Longest = max(c.Longest, len(text))
		c.Made.codes = append(c.Made.codes, code)
	}
	return c
}

// Joined takes a cell apart that joins a code and a label. A date with a time, as 2017-05-10T00:00:00, is none.
func Joined(cell string) (code, label string, ok bool) {
	code, label, ok = tidy.Split(cell)
	return code, label, ok && !isTimestamp(cell)
}

// SameCode tells whether a code of a joined cell is that of a column beside it. Whole numbers are compared as such: 03 is 3.
func SameCode(joined, code string) bool {
	return joined == code || strings.TrimLeft(joined, "0") == strings.TrimLeft(code, "0")
}

// IsMarker tells whether a cell is one of some texts but for case, accents, spaces and a trailing hyphen.
func IsMarker(markers []string, cell string) bool {
	plain := plainText(cell)
	return slices.ContainsFunc(markers, func(m string) bool { return fold.Text(tidy.Label(m)) == plain })
}

func plainText(cell string) string {
	return fold.Text(tidy.Label(strings.TrimRight(strings.TrimSpace(cell), " -")))
}

// Table is what the cells of files show, and how their rows are read again.
type Table struct {
	Columns []*Column // of all files by name, in the order of the first file
	Rows    int64
	Index   [][]int // of each file: the columns of its cells
	read    Rows
	left    int // bytes of cells that may still be remembered
	known   map[string]*Dependency
}

// Rows reads the rows of a file, with codes that stand for equal cells of one of its columns; 0 is none.
type Rows func(ctx context.Context, file int) iter.Seq2[Row, error]

// Bounds of the cells that are remembered.
const (
	MostValues = 20_000   // of a column
	mostBytes  = 64 << 20 // of all columns
	entryBytes = 160      // that a cell takes beside its text
)

// Read reads the cells of all columns of files, given the names of the columns of each. Tell says more of a column by its name, before its cells
// are read, and isTotal which of these say total and nothing else.
func Read(ctx context.Context, files [][]string, tell func(*Column), isTotal func(cell string) bool, read Rows) (*Table, error) {
	t := &Table{read: read, left: mostBytes, known: map[string]*Dependency{}}
	byName := map[string]int{}
	for _, names := range files {
		index := make([]int, len(names))
		for i, name := range names {
			at, known := byName[name]
			if !known {
				at = len(t.Columns)
				byName[name] = at
				c := &Column{Name: name, At: at, codes: map[string]uint32{}, isTotal: isTotal, Values: make([]Value, 1)}
				tell(c)
				t.Columns = append(t.Columns, c)
			}
			index[i] = at
		}
		t.Index = append(t.Index, index)
	}
	for file := range files {
		if err := t.readFile(ctx, file); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *Table) readFile(ctx context.Context, file int) error {
	for _, c := range t.Columns {
		c.Numbers.Files = append(c.Numbers.Files, FormCounts{})
	}
	before := t.Rows
	for row, err := range t.Each(ctx, file, true) {
		if err != nil {
			return err
		}
		t.Rows++
		for i, at := range t.Index[file] {
			c, cell := t.Columns[at], row.Cells[i]
			switch code := row.Codes[i]; {
			case strings.TrimSpace(cell) == "":
				c.Missing++
			case code > 0:
				c.Cells++
				c.Values[code].Rows++
				c.Values[code].inFile++
			default:
				c.Cells++
				c.examine(cell, 1)
			}
		}
	}
	for i, c := range t.Columns {
		if !slices.Contains(t.Index[file], i) {
			c.Missing += t.Rows - before
		}
		c.endFile()
	}
	return nil
}

// Row is a row of a file. Codes are those of the columns, the same in all files; 0 where a column has too many cells, and for
// blank cells.
type Row struct {
	Line  int64
	Cells []string
	Codes []uint32
}

// Each gives the rows of a file with the codes of its columns, which are valid until the next one. Learn gives codes to cells that have none yet.
func (t *Table) Each(ctx context.Context, file int, learn bool) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		index := t.Index[file]
		known := make([][]uint32, len(index)) // by the code of the cell in the file: that of the column, plus 1
		out := Row{Codes: make([]uint32, len(index))}
		for kept, err := range t.read(ctx, file) {
			if err != nil {
				yield(Row{}, err)
				return
			}
			out.Line, out.Cells = kept.Line, kept.Cells
			for i, at := range index {
				own := int(kept.Codes[i])
				if own > 0 && own < len(known[i]) && known[i][own] > 0 && (!learn || !t.Columns[at].Many) {
					out.Codes[i] = known[i][own] - 1
					continue
				}
				out.Codes[i] = t.code(t.Columns[at], kept.Cells[i], learn)
				if own > 0 {
					if own >= len(known[i]) {
						known[i] = append(known[i], make([]uint32, own+1-len(known[i]))...)
					}
					known[i][own] = out.Codes[i] + 1
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// code gives the code of a cell.
func (t *Table) code(c *Column, cell string, learn bool) uint32 {
	if c.Many || strings.TrimSpace(cell) == "" {
		return 0
	}
	code, known := c.codes[cell]
	if known || !learn {
		return code
	}
	if len(c.Values) > MostValues || t.left < len(cell)+entryBytes {
		c.forget()
		return 0
	}
	t.left -= len(cell) + entryBytes
	code = uint32(len(c.Values))
	cell = strings.Clone(cell)
	c.codes[cell] = code
	c.Values = append(c.Values, Value{Text: cell, Unknown: isNotInformed(cell)})
	return code
}
