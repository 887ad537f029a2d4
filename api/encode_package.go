package api

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"fiscube/cube"
)

// packageEncoder writes a data package: a zip of the rows as CSV, and behind them the descriptor, which has their
// hash, and its overlay. A zip without its end opens nowhere.
type packageEncoder struct {
	*sheet
	zip    *zip.Writer
	hash   hash.Hash
	buffer *bufio.Writer // in front of entry and hash, which take long pieces better
	csv    encoder
	bytes  int64
}

// dataFile is the file of the rows.
const dataFile = "data.csv"

func newPackage(out io.Writer, s *sheet) (encoder, error) {
	e := &packageEncoder{sheet: s, zip: zip.NewWriter(out), hash: sha256.New()}
	entry, err := e.file(dataFile)
	if err != nil {
		return nil, err
	}
	e.buffer = bufio.NewWriterSize(io.MultiWriter(entry, e.hash, (*counter)(&e.bytes)), exportBuffer)
	e.csv, err = newCSV(e.buffer, s)
	return e, err
}

// file begins a file of the package. Its time is that of the load, so that the same answer is the same bytes.
func (e *packageEncoder) file(name string) (io.Writer, error) {
	return e.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: e.one.LoadedAt})
}

// counter counts what is written.
type counter int64

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func (e *packageEncoder) row(row []datum) error { return e.csv.row(row) }

func (e *packageEncoder) end() error {
	if err := e.buffer.Flush(); err != nil {
		return err
	}
	if err := cmp.Or(e.json("datapackage.json", e.descriptor()), e.json("overlay.yaml", rowsOverlay(e.plan, e.link))); err != nil {
		return err
	}
	return e.zip.Close()
}

// json writes a file for people to read too.
func (e *packageEncoder) json(name string, v any) error {
	entry, err := e.file(name)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, marshal(v), "", "  "); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = entry.Write(append(text.Bytes(), '\n'))
	return err
}

func (e *packageEncoder) close() {}

// descriptorJSON is a tabular data package (Frictionless Data, version 1).
type descriptorJSON struct {
	Profile     string `json:"profile"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Version     string `json:"version"`
	Homepage    string `json:"homepage"` // the question

	// As they were published, where they were.
	License  json.RawMessage `json:"license,omitempty"`
	Licenses json.RawMessage `json:"licenses,omitempty"`
	Source   json.RawMessage `json:"source,omitempty"`
	Sources  json.RawMessage `json:"sources,omitempty"`

	Publisher   string   `json:"publisher,omitempty"`
	Website     string   `json:"website,omitempty"`
	Institution string   `json:"pub_institutional_name,omitempty"` // the publisher, as budget packages have it
	Continent   string   `json:"continent,omitempty"`
	Region      string   `json:"region,omitempty"`
	Country     string   `json:"country,omitempty"`
	GovtLevel   string   `json:"govt_level,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Synthetic   bool     `json:"synthetic,omitempty"`

	Resources []dataResourceJSON `json:"resources"`
	Model     rowsModelJSON      `json:"model"`
	Fiscube   provenanceJSON     `json:"fiscube"`
}

type dataResourceJSON struct {
	Profile   string         `json:"profile"`
	Name      string         `json:"name"`
	Path      string         `json:"path"`
	Format    string         `json:"format"`
	MediaType string         `json:"mediatype"`
	Encoding  string         `json:"encoding"`
	Bytes     int64          `json:"bytes"`
	Hash      string         `json:"hash"`
	Schema    dataSchemaJSON `json:"schema"`
}

type dataSchemaJSON struct {
	Fields        []dataFieldJSON `json:"fields"`
	MissingValues []string        `json:"missingValues"`
}

type dataFieldJSON struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	ColumnType  string `json:"columnType,omitempty"`
	ConceptType string `json:"conceptType,omitempty"` // the first part of columnType
}

// provenanceJSON says what the rows are of, so that somebody else can make or check them.
type provenanceJSON struct {
	Cube        string            `json:"cube"`
	Version     int               `json:"version"`
	Fingerprint string            `json:"fingerprint"`
	LoadedAt    time.Time         `json:"loaded_at"`
	Synthetic   bool              `json:"synthetic"`
	Query       map[string]string `json:"query"`
	Link        string            `json:"link"`
	Measures    measuresJSON      `json:"measures"`
	Warnings    []warning         `json:"warnings"`
	Sources     []citedJSON       `json:"sources"`
	Citation    *citationJSON     `json:"citation,omitempty"`
}

func (e *packageEncoder) descriptor() descriptorJSON {
	one := e.one
	return descriptorJSON{
		Profile: "tabular-data-package", Name: strings.ToLower(slug(e.sheet.file)), Title: one.TitleIn(e.lang) + extract[e.lang],
		Description: one.Description, Version: strconv.Itoa(one.Version), Homepage: e.link,
		License: one.Extra["license"], Licenses: one.Extra["licenses"], Source: one.Extra["source"], Sources: one.Extra["sources"],
		Publisher: one.Publisher, Website: one.AuthorWebsite, Institution: one.Publisher,
		Continent: one.Continent, Region: one.Region, Country: one.Country, GovtLevel: one.GovtLevel, Tags: one.Tags,
		Synthetic: one.Synthetic, Model: rowsModel(e.plan, e.lang),
		Resources: []dataResourceJSON{{
			Profile: "tabular-data-resource", Name: "data", Path: dataFile, Format: formatCSV.name, MediaType: formatCSV.media,
			Encoding: "utf-8", Bytes: e.bytes, Hash: "sha256:" + hex.EncodeToString(e.hash.Sum(nil)),
			Schema: dataSchemaJSON{dataFields(e.columns, e.plan), []string{""}},
		}},
		Fiscube: e.provenance(),
	}
}

func (e *packageEncoder) provenance() provenanceJSON {
	one := e.one
	p := provenanceJSON{
		Cube: one.Name, Version: one.Version, Fingerprint: one.Fingerprint, LoadedAt: one.LoadedAt, Synthetic: one.Synthetic,
		Query: map[string]string{}, Link: e.link, Measures: e.measures, Warnings: append([]warning{}, e.warnings...),
		Sources: []citedJSON{}, Citation: e.citation,
	}
	for _, clause := range e.question {
		p.Query[clause[0]] = clause[1]
	}
	for _, r := range one.Resources {
		p.Sources = append(p.Sources, citedFile(r))
	}
	return p
}

func citedFile(r cube.Resource) citedJSON { return citedJSON{r.Name, r.Path, r.URL, r.Found.Hash} }

func dataFields(columns []column, plan *cube.Plan) []dataFieldJSON {
	types := map[kind]string{kindText: "string", kindWhole: "integer", kindAmount: "number"}
	fields, sums := make([]dataFieldJSON, len(columns)), measured(plan)
	for i, col := range columns {
		fields[i] = dataFieldJSON{Name: col.name, Type: types[col.kind]}
		if slices.ContainsFunc(plan.Keys(), func(key cube.Column) bool { return key.FiscalYear && key.Name == col.name }) {
			fields[i].ColumnType, fields[i].ConceptType = cube.ColumnTypeFiscalYear, "date"
		}
		if slices.ContainsFunc(sums, func(a cube.Aggregate) bool { return a.Name == col.name }) {
			fields[i].ColumnType, fields[i].ConceptType = "value", "value"
		}
	}
	return fields
}
