package encode

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/series"
)

// wholeEncoder writes a whole package: a zip of a CSV file for each loaded resource, and behind them the overlay, the series, a
// README, and the descriptor, which has the hashes of the files.
type wholeEncoder struct {
	*Sheet
	zip     zipFiles
	paths   []string // of the files, in the zip
	written []writtenFile
	open    *fileWriter // the last of written; nil before the first
	cells   []Datum     // of a row, in the order of its file
}

// writtenFile is what is known of a file at its end.
type writtenFile struct {
	rows, bytes    int64
	hash, hashCopy string
}

// fileWriter writes a CSV file into a zip.
type fileWriter struct {
	csv    Encoder
	buffer *bufio.Writer // in front of entry and hashes, which take long pieces better
	whole  hash.Hash
	body   *bodyHash
	bytes  Counter
	rows   int64
}

// bodyHash hashes what comes after the first line.
type bodyHash struct {
	hash.Hash
	begun bool
}

// Write implements io.Writer.
func (b *bodyHash) Write(text []byte) (int, error) {
	body := text
	if !b.begun {
		end := bytes.IndexByte(text, '\n')
		if b.begun = end >= 0; !b.begun {
			return len(text), nil
		}
		body = text[end+1:]
	}
	_, err := b.Hash.Write(body)
	return len(text), err
}

func newWhole(out io.Writer, s *Sheet) (Encoder, error) {
	return &wholeEncoder{Sheet: s, zip: newZip(out, s.Cube), paths: pathsOf(s.Cube, s.Files)}, nil
}

// WholeRow makes a row of a whole package: the cells of the plan, and behind them the index of the resource.
func WholeRow(row []Datum, p *plan.FactPlan, fact plan.Fact) []Datum {
	return append(AppendFields(row, p, fact), Datum{Value: cube.Integer(int64(fact.Resource))})
}

func (e *wholeEncoder) Row(row []Datum) error {
	resource, _ := row[len(row)-1].Value.Int()
	for len(e.written) == 0 || e.Files[len(e.written)-1].Resource != int(resource) {
		if err := e.next(); err != nil {
			return err
		}
	}
	e.cells = e.cells[:0]
	for _, cell := range e.Files[len(e.written)-1].Cells {
		e.cells = append(e.cells, row[cell])
	}
	e.open.rows++
	return e.open.csv.Row(e.cells)
}

// next ends a file and begins the next one.
func (e *wholeEncoder) next() error {
	if err := e.end(); err != nil {
		return err
	}
	file := e.Files[len(e.written)]
	entry, err := e.zip.file(e.paths[len(e.written)])
	if err != nil {
		return err
	}
	f := &fileWriter{whole: sha256.New(), body: &bodyHash{Hash: sha256.New()}}
	f.buffer = bufio.NewWriterSize(io.MultiWriter(entry, f.whole, f.body, &f.bytes), encodeBuffer)
	columns := make([]Column, len(file.Cells))
	for i, cell := range file.Cells {
		columns[i] = e.Columns[cell]
		columns[i].Name = file.Header[i]
	}
	e.written, e.open = append(e.written, writtenFile{}), f
	f.csv, err = newCSV(f.buffer, &Sheet{Columns: columns})
	return err
}

// end ends the file that is open.
func (e *wholeEncoder) end() error {
	f := e.open
	if f == nil {
		return nil
	}
	e.open = nil
	err := f.buffer.Flush()
	e.written[len(e.written)-1] = writtenFile{f.rows, int64(f.bytes), hex.EncodeToString(f.whole.Sum(nil)), hex.EncodeToString(f.body.Sum(nil))}
	return err
}

func (e *wholeEncoder) End() error {
	for len(e.written) < len(e.Files) { // without rows
		if err := e.next(); err != nil {
			return err
		}
	}
	if err := e.end(); err != nil {
		return err
	}
	overlay, errOverlay := fdp.PlainOverlay(e.Cube.Overlay)
	descriptor, errDescriptor := fdp.PlainDescriptor(e.Cube.Descriptor, e.Cube.Resources, e.Cube.Model, e.plainFiles())
	if err := cmp.Or(errOverlay, errDescriptor); err != nil {
		return err
	}
	if len(overlay) > 0 {
		if err := e.zip.text("overlay.yaml", overlay); err != nil {
			return err
		}
	}
	for _, list := range series.ByName(e.Cube.Series) {
		if err := e.zip.text("series/"+list[0].Name+".csv", series.Write(list)); err != nil {
			return err
		}
	}
	readme := prose.PackageReadme(e.Cube, e.readmeFiles(), e.Link, e.Lang)
	if err := cmp.Or(e.zip.text("README.txt", []byte(readme)), e.zip.text("datapackage.json", descriptor)); err != nil {
		return err
	}
	return e.zip.Close()
}

func (e *wholeEncoder) Close() {}

// loadedAs says what the cells of a column were loaded as.
var loadedAs = map[kind]cube.ColumnType{kindText: cube.TypeText, kindWhole: cube.TypeInteger, kindAmount: cube.TypeDecimal}

func (e *wholeEncoder) plainFiles() []fdp.PlainFile {
	files := make([]fdp.PlainFile, len(e.Files))
	for i, f := range e.Files {
		w := e.written[i]
		files[i] = fdp.PlainFile{Resource: e.Cube.Resources[f.Resource].Name, Path: e.paths[i], Bytes: w.bytes, Hash: w.hash, HashCopy: w.hashCopy}
		for j, name := range f.Header {
			files[i].Fields = append(files[i].Fields, fdp.PlainField{Name: name, Type: loadedAs[e.Columns[f.Cells[j]].kind]})
		}
	}
	return files
}

func (e *wholeEncoder) readmeFiles() []prose.PackageFile {
	files := make([]prose.PackageFile, len(e.Files))
	for i, f := range e.Files {
		r := e.Cube.Resources[f.Resource]
		files[i] = prose.PackageFile{Path: e.paths[i], Resource: r.Name, Rows: e.written[i].rows, Published: cmp.Or(r.URL, r.Path),
			Hash: r.Found.Hash, Totals: r.SkipLines}
	}
	return files
}

// pathsOf names the files of a whole package after their resources, with characters that every system takes: the name of a
// resource may be any text. No two names are equal where case does not matter.
func pathsOf(c *cube.Cube, files []plan.File) []string {
	paths, taken, last := make([]string, len(files)), map[string]bool{}, map[string]int{}
	for i, f := range files {
		name := strings.TrimSuffix(strings.TrimSuffix(c.Resources[f.Resource].Name, ".gz"), ".csv")
		name = cmp.Or(strings.Trim(slug(name), "-._"), "data")
		name = name[:min(len(name), maxFileName)]
		if reserved.MatchString(name + ".") {
			name = "_" + name
		}
		unique, folded := name, strings.ToLower(name)
		for taken[strings.ToLower(unique)] {
			last[folded]++
			unique = name + "-" + strconv.Itoa(last[folded]+1)
		}
		taken[strings.ToLower(unique)] = true
		paths[i] = "data/" + unique + ".csv"
	}
	return paths
}
