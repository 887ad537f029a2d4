package encode

import (
	"cmp"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fiscube/cube"
)

// csvwJSON describes an answer in CSV as CSV on the Web does (W3C, Metadata Vocabulary for Tabular Data).
type csvwJSON struct {
	Context   [2]any         `json:"@context"`
	URL       string         `json:"url"`
	Title     string         `json:"dc:title"`
	About     string         `json:"dc:description,omitempty"`
	Publisher string         `json:"dc:publisher,omitempty"`
	License   any            `json:"dc:license,omitempty"`
	Modified  csvwText       `json:"dc:modified"`
	Mark      string         `json:"dc:identifier"`
	Version   string         `json:"schema:version"`
	Same      csvwSource     `json:"dc:isVersionOf"` // the address that keeps giving the same numbers
	Sources   []csvwSource   `json:"prov:wasDerivedFrom"`
	Notes     []cube.Warning `json:"notes,omitempty"`
	Dialect   csvwDialect    `json:"dialect"`
	Schema    csvwSchema     `json:"tableSchema"`
}

type csvwText struct {
	Value string `json:"@value"`
	Type  string `json:"@type"`
}

type csvwSource struct {
	ID    string `json:"@id,omitempty"`
	Title string `json:"dc:title,omitempty"`
	Hash  string `json:"schema:sha256,omitempty"`
}

type csvwDialect struct {
	Encoding  string   `json:"encoding"`
	Header    bool     `json:"header"`
	Delimiter string   `json:"delimiter"`
	Quote     string   `json:"quoteChar"`
	Doubled   bool     `json:"doubleQuote"`
	Ends      []string `json:"lineTerminators"`
	Comment   *string  `json:"commentPrefix"` // null: no row is a comment
	Trim      bool     `json:"trim"`
}

type csvwSchema struct {
	Columns []csvwColumn `json:"columns"`
}

type csvwColumn struct {
	Name   string   `json:"name,omitempty"`
	Titles []string `json:"titles"` // the first is that of the file
	Type   string   `json:"datatype"`
	Null   string   `json:"null"`
}

// csvwName are the names of columns that a name of CSVW can be, which is one of a variable in a template of addresses (RFC 6570). Others
// are left to readers, who make them of the titles.
var csvwName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$`)

// csvwEncoder writes the metadata of an answer. Rows are passed over.
type csvwEncoder struct {
	*Sheet
	out io.Writer
}

func newCSVW(out io.Writer, s *Sheet) (Encoder, error) { return csvwEncoder{s, out}, nil }

func (e csvwEncoder) Row([]Datum) error { return nil }

func (e csvwEncoder) Close() {}

func (e csvwEncoder) End() error {
	cb, none := e.Cube, (*string)(nil)
	about := csvwJSON{
		Context: [2]any{"http://www.w3.org/ns/csvw", map[string]string{"@language": string(e.Lang)}}, URL: e.AsCSV, Title: e.heading(), About: cb.DescriptionIn(e.Lang),
		Publisher: cb.Publisher, Modified: csvwText{cb.LoadedAt.Format(time.DateOnly), "xsd:date"}, Mark: cb.Fingerprint, Version: strconv.Itoa(cb.Version),
		Same: csvwSource{ID: e.Link}, Notes: e.Warnings, Dialect: csvwDialect{"utf-8", true, ",", `"`, true, []string{"\r\n"}, none, false},
	}
	if address, name := cb.LicenseLink(), cb.License(); address != "" {
		about.License = csvwSource{ID: address}
	} else if name != "" {
		about.License = name
	}
	path, _, _ := strings.Cut(e.Link, "?")
	base := path[:strings.LastIndex(path, "/cubes/")]
	for _, r := range cb.Resources {
		if r.LeftOut == "" {
			about.Sources = append(about.Sources, csvwSource{cmp.Or(FileLink(base, cb, r), r.URL), r.Path, r.Found.Hash})
		}
	}
	types := map[kind]string{kindText: "string", kindWhole: "integer", kindAmount: "decimal"}
	for i, title := range e.titles() {
		column := csvwColumn{Titles: []string{e.Columns[i].Name}, Type: types[e.Columns[i].kind]}
		if title != e.Columns[i].Name {
			column.Titles = append(column.Titles, title)
		}
		if csvwName.MatchString(e.Columns[i].Name) {
			column.Name = e.Columns[i].Name
		}
		about.Schema.Columns = append(about.Schema.Columns, column)
	}
	_, err := e.out.Write(Marshal(about))
	return err
}
