package describe

import (
	"context"
	"encoding/json"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/tidy"
	"fiscube/store/load"
)

// profile is what the cells of all files show.
type profile struct {
	forms   []*form
	columns []*column // of all files by name, in the order of the first file
	rows    int64
	survey  *load.Survey
	index   [][]int // of each file: the columns of its cells
	left    int     // bytes of cells that may still be remembered
}

// column is what the cells of a column show, over all files.
type column struct {
	name    string
	words   []string // of its name
	at      int      // in profile.columns
	cells   int64    // that are not blank
	missing int64
	values  []value           // by code, from 1; nil where there are too many
	codes   map[string]uint32 // of the texts in values
	many    bool              // more than mostValues different cells
	dates   int64
	joined  int64 // cells that join a code and a label
	letters int64 // cells with a letter
	years   int64
	named   int64   // cells that name a fiscal year
	short   int64   // cells that name one if the name of the column says that it has years: 23
	totals  int64   // cells that say total and nothing else
	formats []int64 // of dates: the cells in each of dateFormats
	zeros   int64   // whole numbers that begin with a needless zero
	longest int     // characters
	numbers numbers
	nothing []string // words for a total in a column of years
	firsts  []string // the cell of the first row of each file
	made    *making  // how its cells are made; nil where files have them
}

// value is a cell of a column.
type value struct {
	text    string
	rows    int64
	inFile  int64 // of these, those of the file that is read
	unknown bool  // it says that nothing is known
}

// Bounds of the cells that are remembered.
const (
	mostValues = 20_000   // of a column
	mostBytes  = 64 << 20 // of all columns
	entryBytes = 160      // that a cell takes beside its text
)

// noRepairs switches off what a survey changes in a package: here it only has to read the rows.
const noRepairs = `snapshots: none
repairs:
  type-widened: off
  label-paired: off
  code-label-split: off
  code-padded: off
  measure-inferred: off
  not-informed: off
  resource-covers: off
  totals-row: off
`

// survey reads all files as they are, each column as text.
func survey(ctx context.Context, files fs.FS, forms []*form, o load.Options, progress load.Progress) (*load.Source, *load.Survey, error) {
	type field struct {
		Name   string  `json:"name"`
		Column *string `json:"column,omitempty"`
		Type   string  `json:"type"`
	}
	var resources []any
	for i, f := range forms {
		var fields []field
		for n, name := range f.header {
			fields = append(fields, field{name, f.column(n), "string"})
		}
		resources = append(resources, f.resource(resourceNames(forms)[i], map[string]any{"fields": fields}))
	}
	descriptor, err := json.Marshal(map[string]any{"name": "described", "model": map[string]any{}, "resources": resources})
	if err != nil {
		return nil, nil, err
	}
	o.Allow = []string{findings.NoLevels, findings.NoMeasures, findings.NoYear}
	source, err := load.OpenMade(ctx, files, descriptor, []byte(noRepairs), o)
	if err != nil {
		return nil, nil, err
	}
	taken, err := load.Take(ctx, source, progress)
	if err != nil {
		_ = source.Close()
		return nil, nil, err
	}
	return source, taken, nil
}

// resource is the entry of a file in a descriptor.
func (f *form) resource(name string, schema any) map[string]any {
	r := map[string]any{"name": name, "path": f.path, "dialect": f.dialect(), "schema": schema}
	if !f.workbook {
		r["encoding"] = f.encoding.name
	} else {
		r["format"] = "xlsx"
	}
	if f.packed != "" {
		r["compression"] = f.packed
	}
	return r
}

// dialect is how the table of a file is written (Table Dialect), and raggedRows, a key of fiscube's own.
type dialect struct {
	Delimiter   string  `json:"delimiter,omitempty"`
	Header      *bool   `json:"header,omitempty"`
	HeaderRows  []int64 `json:"headerRows,omitempty"`
	CommentRows []int64 `json:"commentRows,omitempty"`
	RaggedRows  bool    `json:"raggedRows,omitempty"`
	SheetName   string  `json:"sheetName,omitempty"`
}

func (f *form) dialect() dialect {
	d := dialect{Delimiter: f.delimiter, CommentRows: slices.Sorted(slices.Values(f.comments)), RaggedRows: f.ragged > 0, SheetName: f.sheet}
	switch {
	case len(f.headerRows) == 0:
		none := false
		d.Header = &none
	case len(f.headerRows) > 1 || f.headerRows[0] > 1:
		d.HeaderRows = f.headerRows
		d.CommentRows = slices.DeleteFunc(d.CommentRows, func(at int64) bool { return at <= f.headerRows[len(f.headerRows)-1] })
	}
	return d
}

// column gives the published name of a column whose field has another, or nil.
func (f *form) column(i int) *string {
	if len(f.headerRows) == 0 || f.columns[i] == f.header[i] {
		return nil
	}
	return &f.columns[i]
}

// resourceNames names each file by its own name, or by its path where two have one name.
func resourceNames(forms []*form) []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = path.Base(f.path)
		for j, other := range forms {
			if i != j && path.Base(other.path) == names[i] {
				names[i] = f.path
				break
			}
		}
	}
	return names
}

// readProfile reads the cells of all columns.
func readProfile(ctx context.Context, forms []*form, taken *load.Survey) (*profile, error) {
	p := &profile{forms: forms, survey: taken, left: mostBytes}
	byName := map[string]int{}
	for _, f := range forms {
		index := make([]int, len(f.header))
		for i, name := range f.header {
			at, known := byName[name]
			if !known {
				at = len(p.columns)
				byName[name] = at
				p.columns = append(p.columns, &column{name: name, words: wordsOf(name), at: at, codes: map[string]uint32{}, values: make([]value, 1)})
			}
			index[i] = at
		}
		p.index = append(p.index, index)
	}
	for file := range forms {
		if err := p.readFile(ctx, file); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *profile) readFile(ctx context.Context, file int) error {
	for _, c := range p.columns {
		c.numbers.begin()
		c.firsts = append(c.firsts, "")
	}
	first, before := true, p.rows
	for row, err := range p.read(ctx, file, true) {
		if err != nil {
			return err
		}
		p.rows++
		for i, at := range p.index[file] {
			c, cell := p.columns[at], row.cells[i]
			if first {
				c.firsts[file] = strings.Clone(cell)
			}
			switch code := row.codes[i]; {
			case strings.TrimSpace(cell) == "":
				c.missing++
			case code > 0:
				c.cells++
				c.values[code].rows++
				c.values[code].inFile++
			default:
				c.cells++
				c.examine(cell, 1)
			}
		}
		first = false
	}
	for i, c := range p.columns {
		if !slices.Contains(p.index[file], i) {
			c.missing += p.rows - before
		}
		c.endFile()
	}
	return nil
}

// row is a row of a file. Codes are those of the columns, the same in all files; 0 where a column has too many cells, and for
// blank cells.
type row struct {
	line  int64
	cells []string
	codes []uint32
}

// read gives the rows of a file, which are valid until the next one. Learn gives codes to cells that have none yet.
func (p *profile) read(ctx context.Context, file int, learn bool) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		index := p.index[file]
		known := make([][]uint32, len(index)) // by the code of the cell in the file: that of the column, plus 1
		out := row{codes: make([]uint32, len(index))}
		for kept, err := range p.survey.Rows(ctx, file) {
			if err != nil {
				yield(row{}, err)
				return
			}
			out.line, out.cells = kept.Line, kept.Cells
			for i, at := range index {
				own := int(kept.Codes[i])
				if own > 0 && own < len(known[i]) && known[i][own] > 0 && (!learn || !p.columns[at].many) {
					out.codes[i] = known[i][own] - 1
					continue
				}
				out.codes[i] = p.code(p.columns[at], kept.Cells[i], learn)
				if own > 0 {
					if own >= len(known[i]) {
						known[i] = append(known[i], make([]uint32, own+1-len(known[i]))...)
					}
					known[i][own] = out.codes[i] + 1
				}
			}
			if !yield(out, nil) {
				return
			}
		}
	}
}

// code gives the code of a cell.
func (p *profile) code(c *column, cell string, learn bool) uint32 {
	if c.many || strings.TrimSpace(cell) == "" {
		return 0
	}
	code, known := c.codes[cell]
	if known || !learn {
		return code
	}
	if len(c.values) > mostValues || p.left < len(cell)+entryBytes {
		c.forget()
		return 0
	}
	p.left -= len(cell) + entryBytes
	code = uint32(len(c.values))
	cell = strings.Clone(cell)
	c.codes[cell] = code
	c.values = append(c.values, value{text: cell, unknown: isNotInformed(cell)})
	return code
}

// forget examines the cells that are remembered, and remembers none from then on.
func (c *column) forget() {
	c.endFile()
	c.many, c.values, c.codes = true, nil, nil
}

// endFile examines the cells of a file that are remembered.
func (c *column) endFile() {
	for i := range c.values {
		if v := &c.values[i]; v.inFile > 0 {
			c.examine(v.text, v.inFile)
			v.inFile = 0
		}
	}
}

// examine counts what a cell is, which stands in so many rows.
func (c *column) examine(cell string, rows int64) {
	cell = strings.TrimSpace(cell)
	c.longest = max(c.longest, len([]rune(cell)))
	if isYear(cell) {
		c.years += rows
	}
	if isYearText(cell) {
		c.named += rows
	}
	if _, ok := cube.FiscalYearInColumn(cell, false); ok && !isYearText(cell) {
		c.short += rows
	}
	c.totals += boolRows(load.IsTotal(cell), rows)
	c.examineDate(cell, rows)
	if _, _, ok := tidy.Split(cell); ok && !load.IsDate(cell) {
		c.joined += rows
	}
	if hasLetter(cell) {
		c.letters += rows
	}
	if len(cell) > 1 && cell[0] == '0' && isDigits(cell) {
		c.zeros += rows
	}
	c.numbers.add(cell, rows)
}

// examineDate counts a cell that is a date, by its forms.
func (c *column) examineDate(cell string, rows int64) {
	named := has(c.words, dateWords) != "" || has(c.words, monthWords) != ""
	if len(cell) < len("1/1/99") || !strings.ContainsAny(cell, "-/. ") && !named || !hasDigit(cell) {
		return
	}
	isDate := load.IsDate(cell)
	for i, format := range dateFormats {
		if fitsDate(cell, format) {
			if isDate = true; c.formats == nil {
				c.formats = make([]int64, len(dateFormats))
			}
			c.formats[i] += rows
		}
	}
	c.dates += boolRows(isDate, rows)
}

// different is how many different cells the column has, as far as they are remembered.
func (c *column) different() int { return max(0, len(c.values)-1) }

// isEmpty tells whether all cells are blank.
func (c *column) isEmpty() bool { return c.cells == 0 }
