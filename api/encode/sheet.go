// Package encode writes answers: JSON around the rows, and the rows alone as CSV, NDJSON, XLSX, Parquet, Arrow, JSON-stat or a data package.
package encode

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Format is a way to write the rows of an answer, and these alone. JSON, which is written around them too, has no encoder.
type Format struct {
	Name      string // as the parameter format has it
	Media     string // as the header Accept has it
	Content   string // the media type with its parameters
	Extension string
	MaxRows   int64 // of one answer; 0: any number
	About     bool  // it has room for the source, the citation and the like
	Describes bool  // the answer is about the rows of FormatCSV, and has none
	encode    func(out io.Writer, s *Sheet) (Encoder, error)
}

// Encoder writes one answer row by row.
type Encoder interface {
	Row(row []Datum) error
	End() error // writes what comes after the last row: without it a part is not taken for the whole
	Close()     // gives back what the encoder holds, also where the answer has no end
}

// The formats that handlers name.
var (
	FormatJSON = &Format{Name: "json", Media: "application/json"}
	FormatCSV  = &Format{Name: "csv", Media: "text/csv", Content: "text/csv; charset=utf-8", Extension: "csv", encode: newCSV}
	FormatZip  = &Format{Media: "application/zip", Content: "application/zip", Extension: "zip", About: true, encode: newPackage} // has a path of its own

	// FormatFile is CSV where no metadata stands beside it: of files of a package, and of dashboards.
	FormatFile = &Format{Media: FormatCSV.Media, Content: FormatCSV.Content, Extension: "csv", encode: newCSV}

	// FormatCSVW is the metadata of an answer in CSV.
	FormatCSVW = &Format{Name: "csvw", Media: mediaCSVW, Content: mediaCSVW, Extension: "csv-metadata.json", Describes: true, encode: newCSVW}

	// FormatWhole is that of a package, of which Sheet.Files are the files and WholeRow makes the rows.
	FormatWhole = &Format{Media: "application/zip", Content: "application/zip", Extension: "zip", encode: newWhole}
)

// MediaXLSX is the media type of workbooks.
const MediaXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

const (
	mediaCSVW     = "application/csvm+json"
	mediaJSONStat = "application/vnd.json-stat+json"
	mediaNDJSON   = "application/x-ndjson"
	mediaParquet  = "application/vnd.apache.parquet"
	mediaArrow    = "application/vnd.apache.arrow.stream"
)

// Formats are those that can be asked for, the first of equals winning.
var Formats = []*Format{
	FormatJSON,
	FormatCSV,
	{Name: "ndjson", Media: mediaNDJSON, Content: mediaNDJSON, Extension: "ndjson", encode: newNDJSON},
	{Name: "xlsx", Media: MediaXLSX, Content: MediaXLSX, Extension: "xlsx", MaxRows: maxSheetRows, About: true, encode: newXLSX},
	{Name: "parquet", Media: mediaParquet, Content: mediaParquet, Extension: "parquet", About: true, encode: newParquet},
	{Name: "arrow", Media: mediaArrow, Content: mediaArrow, Extension: "arrows", About: true, encode: newArrow},
	{Name: "jsonstat", Media: mediaJSONStat, Content: mediaJSONStat, Extension: "json", About: true, encode: newJSONStat},
	FormatCSVW,
}

// Writing is how the rows of an answer are written.
type Writing struct {
	Format *Format
	Quoted bool // amounts as strings, in JSON
	Excel  bool // for a spreadsheet program, in CSV
}

// New begins an answer in the format of the sheet.
func New(out io.Writer, s *Sheet) (Encoder, error) { return s.Format.encode(out, s) }

// Sheet is an answer that is a table: all that its format needs to know before the first row.
type Sheet struct {
	Writing
	Cube     *cube.Cube
	Plan     *plan.Plan  // of an answer that is cells
	Files    []plan.File // of a whole package
	File     string      // its name, without an extension
	Columns  []Column
	Measures []cube.Measure // that its amounts are of
	Question [][2]string    // the clauses of the canonical question, by name
	Link     string         // the question pinned to its version
	AsCSV    string         // of FormatCSVW: the address of the answer that it describes, from that of the request
	Warnings []cube.Warning
	Citation *Citation     // nil where none is asked for
	Lang     cube.Language // of the package's own texts

	Hold func(bytes int64) error // counts memory that is taken until the answer is sent, or refuses it; nil counts none
}

// Fits refuses more rows than the format holds, before any of them is asked for.
func (s Sheet) Fits(rows int64) error {
	most := s.Format.MaxRows
	switch {
	case most > 0 && rows > most:
		return tooLong(fmt.Sprintf("the answer has %d rows, and a sheet of %s holds %d", rows, s.Format.Name, most))
	case most > 0 && rows*int64(len(s.Columns)) > maxSheetCells:
		return tooLong(fmt.Sprintf("the answer has %d rows of %d columns, more than %d cells", rows, len(s.Columns), maxSheetCells))
	}
	return nil
}

func tooLong(message string) error {
	err := cube.Errorf(cube.CodeTooLarge, "%s", message)
	err.Hint = "cut it down, or ask with format=csv or format=parquet"
	return err
}

// OnPage is how many of the rows are on a page.
func OnPage(rows int64, page query.Page) int64 {
	if page == query.Every {
		return rows
	}
	return min(rows, int64(page.Size))
}

// titles are what people call the columns: an aggregate with its unit, a level by its title. A column without a title has its
// name.
func (s Sheet) titles() []string {
	list := names(s.Columns)
	for i, name := range list {
		list[i] = cmp.Or(s.title(name), name)
	}
	return list
}

// heading is the title of the package with the question.
func (s Sheet) heading() string {
	asked := each.Text(s.Question, func(clause [2]string) string { return clause[0] + "=" + clause[1] })
	title := cmp.Or(s.Cube.TitleIn(s.Lang), s.Cube.Name)
	if len(asked) > 0 {
		title += ": " + strings.Join(asked, " & ")
	}
	return title
}

func (s Sheet) title(name string) string {
	if s.Plan != nil {
		if i := slices.IndexFunc(s.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Name == name }); i >= 0 {
			return prose.AggregateTitle(s.Plan, s.Plan.Aggregates()[i], s.Lang)
		}
	}
	return prose.FieldTitle(s.Cube.Model, name, s.Lang)
}

// metadata says of a table what its rows do not: names and texts, in an order for readers.
func (s Sheet) metadata() [][2]string {
	cb := s.Cube
	list := [][2]string{
		{"question", s.Link}, {"cube", cb.Name}, {"title", cb.TitleIn(s.Lang)}, {"source", cb.Publisher}, {"website", cb.AuthorWebsite},
		{"version", strconv.Itoa(cb.Version)}, {"fingerprint", cb.Fingerprint}, {"loaded", cb.LoadedAt.Format("2006-01-02")},
	}
	for _, m := range s.Measures {
		list = append(list, [2]string{"measure", prose.Measure(m, s.Lang)})
	}
	if s.Plan != nil {
		for _, series := range s.Plan.Series() {
			list = append(list, [2]string{"series", prose.Series(series)})
		}
	}
	if s.Citation != nil {
		list = append(list, [2]string{"citation", s.Citation.Text})
	}
	return slices.DeleteFunc(list, func(pair [2]string) bool { return pair[1] == "" })
}

// about is the metadata by name, for formats with room for it, and the warnings.
func (s Sheet) about() map[string]string {
	about := map[string]string{"fiscube.warnings": string(Marshal(append([]cube.Warning{}, s.Warnings...)))}
	for _, pair := range s.metadata() {
		name := "fiscube." + pair[0]
		if about[name] != "" {
			pair[1] = about[name] + "; " + pair[1]
		}
		about[name] = pair[1]
	}
	return about
}

// Citation says what the summary of an answer is.
type Citation struct {
	Text      string      `json:"text"`
	Link      string      `json:"link"` // keeps giving the same numbers
	Page      string      `json:"page"` // shows them to people
	Resources []CitedFile `json:"resources"`
}

// CitedFile is a file that the numbers rest on.
type CitedFile struct {
	Name string `json:"name"`
	Path string `json:"path"`
	URL  string `json:"url,omitempty"`
	Hash string `json:"hash"`           // SHA-256, as found
	File string `json:"file,omitempty"` // where the bytes are of which it is the hash

	Columns []string `json:"columns,omitempty"` // that the amounts stand in, where these are some of several in each line
}

// Warnings lists what an answer that is not JSON must say beside its rows: the warnings, and before them that
// figures are made up.
func Warnings(c *cube.Cube, warnings []cube.Warning, lang cube.Language) []cube.Warning {
	if c.Synthetic {
		return append([]cube.Warning{prose.Synthetic(lang)}, warnings...)
	}
	return slices.Clip(warnings) // a workbook adds its own, and others may have the same answer
}
