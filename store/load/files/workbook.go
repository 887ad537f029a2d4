package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/store/load/temporary"
)

// CodeBadWorkbook is the finding of a workbook that cannot be read, or that has no such sheet.
const CodeBadWorkbook = "bad-workbook"

func badWorkbook(format string, args ...any) *Mistake {
	return &Mistake{Code: CodeBadWorkbook, Message: fmt.Sprintf(format, args...)}
}

// What a workbook may be at most. Sheets have as many rows and columns as Excel has.
const (
	mostSheets       = 10_000
	mostStyles       = 65_536
	mostTexts        = 8_000_000
	mostSheetRows    = 1_048_576
	mostSheetColumns = 16_384
	mostDepth        = 64
	textsInMemory    = 16 << 20
)

// oldMark begins what Excel wrote before XLSX, and what it writes for a workbook with a password.
const oldMark = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

const (
	zipMark      = "PK\x03\x04"
	saidOld      = "the file is an old workbook (XLS), or has a password: save it as XLSX without one, or its sheet as CSV"
	saidWorkbook = "the file is a workbook or another zip, no text: name it .xlsx, or declare the format xlsx, if it is XLSX; else save its sheet as CSV"
)

// workbook is an open workbook (ECMA-376, Office Open XML): a zip with a part for each sheet, one for the texts of all of them, and one for
// how numbers are shown.
//
// It is read without excelize, with which fiscube writes workbooks. The rows of excelize end without an error where a sheet is cut
// off or has a character that XML forbids; they do not tell a text such as 1E5 from a number, nor true from 1; and it holds all other parts
// in memory.
type workbook struct {
	ctx      context.Context
	spool    *temporary.File
	parts    *archive
	names    map[string]string // of the parts, by their names in small letters: case does not matter
	sheets   []sheetPart
	texts    *texts
	formats  []numberFormat // by style
	from1904 bool
}

// sheetPart is where a sheet is.
type sheetPart struct {
	name, part string
	hidden     bool
}

// openWorkbook reads all of a file, which is kept in a temporary file, and what its sheets have in common.
func openWorkbook(ctx context.Context, data io.Reader, most int64) (_ *workbook, err error) {
	b := &workbook{ctx: ctx, texts: &texts{}}
	if b.spool, err = temporary.New(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = b.Close()
		}
	}()
	size, err := io.Copy(b.spool, io.LimitReader(data, most+1))
	switch {
	case err != nil:
		return nil, err
	case size > most:
		return nil, badWorkbook("the workbook has more than %d bytes", most)
	}
	if err := b.unpack(size, most); err != nil {
		return nil, err
	}
	if err := b.readSheets(); err != nil {
		return nil, err
	}
	if err := b.readFormats(); err != nil {
		return nil, err
	}
	return b, b.readTexts()
}

// Close implements io.Closer.
func (b *workbook) Close() error { return errors.Join(b.texts.close(), b.spool.Close()) }

// unpack reads the list of parts.
func (b *workbook) unpack(size, most int64) error {
	data := b.spool.Whole()
	start := make([]byte, len(oldMark))
	if n, _ := data.ReadAt(start, 0); string(start[:n]) == oldMark {
		return badWorkbook(saidOld)
	}
	var err error
	if b.parts, err = readZip(data, size, most); err != nil {
		var said *cube.Error
		if errors.As(err, &said) {
			return badWorkbook("the workbook cannot be opened: %s", strings.TrimPrefix(said.Message, "the zip is refused: "))
		}
		return err
	}
	b.names = map[string]string{}
	for name := range b.parts.entries {
		b.names[strings.ToLower(name)] = name
	}
	switch {
	case b.names["content.xml"] != "" && b.names["mimetype"] != "":
		return badWorkbook("the file is an ODS workbook: save it as XLSX, or its sheet as CSV")
	case b.names[mainPart] == "":
		return badWorkbook("the file is no XLSX workbook: it lacks %s", mainPart)
	}
	return nil
}

const mainPart = "xl/workbook.xml"

// part opens a part; fs.ErrNotExist where there is none.
func (b *workbook) part(name string) (*part, error) {
	data, err := b.parts.Open(b.names[strings.ToLower(name)])
	if err != nil {
		return nil, err
	}
	p := &part{ctx: b.ctx, name: name, data: data}
	p.xml = xml.NewDecoder(bufio.NewReaderSize(p, 1<<16))
	return p, nil
}

// eachElement reads a part to its end, if there is one. It gives each element with the one that it is in.
func (b *workbook) eachElement(name string, see func(e xml.StartElement, in string) error) error {
	p, err := b.part(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.close()
	var within []string
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			in := ""
			if len(within) > 0 {
				in = within[len(within)-1]
			}
			if err := see(e, in); err != nil {
				return err
			}
			within = append(within, e.Name.Local)
		case xml.EndElement:
			within = within[:len(within)-1]
		}
	}
}

// readSheets reads which sheets there are, in order.
func (b *workbook) readSheets() error {
	targets := map[string]string{}
	err := b.eachElement("xl/_rels/workbook.xml.rels", func(e xml.StartElement, _ string) error {
		if target := attribute(e, "Target"); strings.HasPrefix(target, "/") {
			targets[attribute(e, "Id")] = path.Clean(target[1:])
		} else {
			targets[attribute(e, "Id")] = path.Join("xl", target)
		}
		if len(targets) > mostSheets {
			return badWorkbook("the workbook has more than %d parts", mostSheets)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.eachElement(mainPart, func(e xml.StartElement, in string) error {
		switch {
		case e.Name.Local == "workbookPr":
			date := attribute(e, "date1904")
			b.from1904 = date == "1" || date == "true"
		case e.Name.Local == "sheet" && in == "sheets":
			state, id := attribute(e, "state"), ""
			for _, a := range e.Attr { // sheetId is another
				if a.Name.Local == "id" {
					id = a.Value
				}
			}
			b.sheets = append(b.sheets, sheetPart{attribute(e, "name"), targets[id], state == "hidden" || state == "veryHidden"})
			if len(b.sheets) > mostSheets {
				return badWorkbook("the workbook has more than %d sheets", mostSheets)
			}
		}
		return nil
	})
}

// readFormats reads for each style what its numbers are.
func (b *workbook) readFormats() error {
	own := map[string]numberFormat{}
	return b.eachElement("xl/styles.xml", func(e xml.StartElement, in string) error {
		switch {
		case e.Name.Local == "numFmt" && in == "numFmts":
			own[attribute(e, "numFmtId")] = formatOf(attribute(e, "formatCode"))
		case e.Name.Local == "xf" && in == "cellXfs":
			id := attribute(e, "numFmtId")
			format, ok := own[id]
			if n, err := strconv.Atoi(id); !ok && err == nil {
				format = builtInFormat(n)
			}
			b.formats = append(b.formats, format)
		}
		if len(own) > mostStyles || len(b.formats) > mostStyles {
			return badWorkbook("the workbook has more than %d styles", mostStyles)
		}
		return nil
	})
}

// readTexts reads the texts of all sheets, which cells name by numbers.
func (b *workbook) readTexts() error {
	p, err := b.part("xl/sharedStrings.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.close()
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return b.texts.end()
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "si" {
			text, err := p.text("si")
			if err != nil {
				return err
			}
			if err := b.texts.add(unescaped(text)); err != nil {
				return err
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// part reads a part of a workbook, token by token. What a token or the nesting may take is bounded.
type part struct {
	ctx   context.Context
	name  string
	data  fs.File
	xml   *xml.Decoder
	left  int // bytes that the token may still have
	depth int
	buf   []byte // of a text
}

func (p *part) close() { _ = p.data.Close() }

// Read implements io.Reader.
func (p *part) Read(to []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.data.Read(to)
	if p.left -= n; p.left < 0 {
		return 0, badWorkbook("%s has a text of more than %d MB", p.name, mostCell>>20)
	}
	return n, err
}

// next gives the next token; io.EOF after the last.
func (p *part) next() (xml.Token, error) {
	p.left = mostCell
	token, err := p.xml.Token()
	switch token.(type) {
	case xml.StartElement:
		p.depth++
	case xml.EndElement:
		p.depth--
	}
	var known *Mistake
	switch {
	case p.depth > mostDepth:
		return nil, badWorkbook("%s is nested more than %d deep", p.name, mostDepth)
	case err == nil || errors.Is(err, io.EOF) || errors.As(err, &known) || p.ctx.Err() != nil:
		return token, err
	}
	return nil, badWorkbook("%s of the workbook cannot be read: %v", p.name, err)
}

// text reads the texts of an element to its end: those of <v> and <t>, without how they are pronounced.
func (p *part) text(end string) (string, error) {
	p.buf = p.buf[:0]
	taken, phonetic := false, false
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "rPh":
				phonetic = true
			case "v", "t":
				taken = !phonetic
			}
		case xml.EndElement:
			switch e.Name.Local {
			case end:
				return string(p.buf), nil
			case "rPh":
				phonetic = false
			case "v", "t":
				taken = false
			}
		case xml.CharData:
			if taken {
				p.buf = append(p.buf, e...)
			}
			if len(p.buf) > mostCell {
				return "", badWorkbook("%s has a text of more than %d MB", p.name, mostCell>>20)
			}
		}
	}
}

// escape is how workbooks write a character that XML has not, or a text that looks like that.
var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped gives a text as people see it. Line breaks are line feeds, as in CSV.
func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	text = escape.ReplaceAllStringFunc(text, func(found string) string {
		code, err := strconv.ParseUint(found[2:6], 16, 16)
		if r := rune(code); err == nil && r > 0 && utf8.ValidRune(r) {
			return string(r)
		}
		return found // NUL, which no store can hold, or half a character
	})
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// texts are the texts that the cells of all sheets name by numbers: the first in memory, the others in a temporary file.
type texts struct {
	ends  []int64 // where each ends, if they stand one after the other
	near  []byte
	far   *temporary.File
	write *bufio.Writer
	read  *io.SectionReader
}

func (t *texts) add(text string) (err error) {
	if len(t.ends) >= mostTexts {
		return badWorkbook("the workbook has more than %d texts: save its sheet as CSV", mostTexts)
	}
	from := t.start(len(t.ends))
	t.ends = append(t.ends, from+int64(len(text)))
	if t.far == nil && len(t.near)+len(text) <= textsInMemory {
		t.near = append(t.near, text...)
		return nil
	}
	if t.far == nil {
		if t.far, err = temporary.New(); err != nil {
			return err
		}
		t.write = bufio.NewWriterSize(t.far, 1<<16)
	}
	_, err = t.write.WriteString(text)
	return err
}

func (t *texts) start(i int) int64 {
	if i == 0 {
		return 0
	}
	return t.ends[i-1]
}

// end makes the texts ready to be read.
func (t *texts) end() error {
	if t.far == nil {
		return nil
	}
	err := t.write.Flush()
	t.read = t.far.Whole()
	return err
}

// at gives a text by its number; false where there is none.
func (t *texts) at(i int) (text string, ok bool, err error) {
	if i < 0 || i >= len(t.ends) {
		return "", false, nil
	}
	start, end, near := t.start(i), t.ends[i], int64(len(t.near))
	if end <= near {
		return string(t.near[start:end]), true, nil
	}
	buf := make([]byte, end-start)
	_, err = t.read.ReadAt(buf, start-near)
	return string(buf), true, err
}

func (t *texts) close() error {
	if t.far == nil {
		return nil
	}
	return t.far.Close()
}

// mergedIn finds the cells of a sheet that are merged across columns, in some rows. They stand behind the rows of the sheet, so all
// of it is looked through, without parsing it.
func (b *workbook) mergedIn(sheet string, rows []int) (map[int][]span, error) {
	data, err := b.parts.Open(b.names[strings.ToLower(sheet)])
	if err != nil {
		return nil, err
	}
	defer func() { _ = data.Close() }()
	merged := map[int][]span{}
	text := bufio.NewReaderSize(data, 1<<16)
	for {
		tag, err := text.ReadSlice('>')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			break // what is wrong is told when rows are read
		}
		tag = tag[max(0, bytes.LastIndexByte(tag, '<')):]
		found := mergeTag.FindSubmatch(tag)
		if !bytes.Contains(tag, []byte("mergeCell ")) || found == nil {
			continue
		}
		row, err := strconv.Atoi(string(found[2]))
		first, last := columnOf(string(found[1])), columnOf(string(found[3]))
		if err == nil && slices.Contains(rows, row) && first >= 0 && last > first && len(merged[row]) < mostSheetColumns {
			merged[row] = append(merged[row], span{first, last})
		}
	}
	return merged, nil
}

var mergeTag = regexp.MustCompile(`ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})[0-9]{1,7}"`)

// span is a range of columns, both of which it has.
type span struct{ first, last int }

// columnOf gives the index of a column by its letters, which digits may follow; -1 for none.
func columnOf(reference string) int {
	column := 0
	for _, c := range []byte(reference) {
		if c < 'A' || c > 'Z' || column > mostSheetColumns {
			break
		}
		column = column*26 + int(c-'A') + 1
	}
	if column > mostSheetColumns {
		return -1
	}
	return column - 1
}
