package api

import (
	"cmp"
	"io"
	"mime"
	"strconv"
	"strings"

	"fiscube/cube"
)

// format is a way to write the rows of an answer. JSON, which is written around them, has no encoder.
type format struct {
	name      string // as the parameter format has it
	media     string // as the header Accept has it
	content   string // the media type with its parameters
	extension string
	most      int64 // rows that one answer can hold; 0: any number
	about     bool  // it has a place for what the rows do not say of themselves
	encode    func(out io.Writer, s *sheet) (encoder, error)
}

// encoder writes one answer row by row.
type encoder interface {
	row(row []datum) error
	end() error // writes what stands behind the last row: without it a part is not taken for the whole
	close()     // gives back what the encoder holds, also where the answer has no end
}

var (
	formatJSON = &format{name: "json", media: "application/json"}
	formatCSV  = &format{name: "csv", media: "text/csv", content: "text/csv; charset=utf-8", extension: "csv", encode: newCSV}
	formatZip  = &format{media: "application/zip", content: "application/zip", extension: "zip", about: true, encode: newPackage} // has a path of its own

	formatXLSX = &format{name: "xlsx", media: mediaXLSX, content: mediaXLSX, extension: "xlsx", most: mostSheetRows, about: true, encode: newXLSX}
)

const (
	mediaNDJSON  = "application/x-ndjson"
	mediaXLSX    = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	mediaParquet = "application/vnd.apache.parquet"
)

// formats are those that can be asked for, the first of equals winning.
var formats = []*format{
	formatJSON,
	formatCSV,
	{name: "ndjson", media: mediaNDJSON, content: mediaNDJSON, extension: "ndjson", encode: newNDJSON},
	formatXLSX,
	{name: "parquet", media: mediaParquet, content: mediaParquet, extension: "parquet", about: true, encode: newParquet},
}

// writing is how the rows of an answer are to be written.
type writing struct {
	format *format
	quoted bool // amounts as strings, in JSON
	excel  bool // for a spreadsheet program, in CSV
}

// rows tells whether the answer is its rows alone.
func (w writing) rows() bool { return w.format.encode != nil }

// readWriting reads the parameters that say how to write an answer, and of the headers Accept.
func readWriting(given map[string]string, accept []string) (writing, error) {
	format, badFormat := readFormat(given, accept)
	quoted, badNumbers := readQuoted(given)
	excel, badExcel := readFlag(given, "excel")
	err := cmp.Or(badFormat, badNumbers, badExcel)
	if err == nil && excel && format != formatCSV {
		err = mistake(cube.CodeBadValue, "excel", "excel says how CSV is written, and the answer is "+format.name, "add format=csv")
	}
	return writing{format, quoted, excel}, err
}

// readFormat gives the format that the parameter says, or else the header Accept.
func readFormat(given map[string]string, accept []string) (*format, error) {
	text, ok := given["format"]
	if !ok {
		return preferred(accept), nil
	}
	var names []string
	for _, f := range formats {
		if f.name == text {
			return f, nil
		}
		names = append(names, f.name)
	}
	return formatJSON, mistake(cube.CodeBadValue, "format", "no format "+strconv.Quote(text), "the formats are "+strings.Join(names, ", "))
}

// preferred weighs the formats by the most exact range that admits each. Of those that weigh the same one that is
// named wins, and JSON where none is: what a browser sends means JSON.
func preferred(accept []string) *format {
	best, most := formatJSON, preference{}
	for _, f := range formats {
		p := preferenceOf(f, accept)
		if p.weight > most.weight || p.weight == most.weight && p.weight > 0 && p.named() && !most.named() {
			best, most = f, p
		}
	}
	return best
}

// preference is how much a format is wanted, from 0 to 1, and how exactly that was said: 3 by its name.
type preference struct {
	weight float64
	exact  int
}

func (p preference) named() bool { return p.exact == 3 }

func preferenceOf(f *format, accept []string) preference {
	var p preference
	kind, _, _ := strings.Cut(f.media, "/")
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, parameters, err := mime.ParseMediaType(strings.TrimSpace(item))
		if err == nil {
			p.weigh(media, parameters["q"], f.media, kind+"/*", "*/*")
		}
	}
	return p
}

// weigh takes up a range of the header if it is one of the names, the exact one first, that admit the format.
func (p *preference) weigh(media, q string, names ...string) {
	for i, name := range names {
		if media != name || len(names)-i <= p.exact {
			continue
		}
		*p = preference{weight: 1, exact: len(names) - i}
		if weight, err := strconv.ParseFloat(q, 64); err == nil {
			p.weight = weight
		}
	}
}
