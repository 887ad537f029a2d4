package encode

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
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// packageEncoder writes a data package: a zip of the rows as CSV, and behind them the descriptor, which has their
// hash, and its overlay. A zip without its end opens nowhere.
type packageEncoder struct {
	*Sheet
	zip    zipFiles
	hash   hash.Hash
	buffer *bufio.Writer // in front of entry and hash, which take long pieces better
	csv    Encoder
	bytes  int64
}

// dataFile is the file of the rows.
const dataFile = "data.csv"

func newPackage(out io.Writer, s *Sheet) (Encoder, error) {
	e := &packageEncoder{Sheet: s, zip: newZip(out, s.Cube), hash: sha256.New()}
	entry, err := e.zip.file(dataFile)
	if err != nil {
		return nil, err
	}
	e.buffer = bufio.NewWriterSize(io.MultiWriter(entry, e.hash, (*Counter)(&e.bytes)), encodeBuffer)
	e.csv, err = newCSV(e.buffer, s)
	return e, err
}

// zipFiles writes the files of a zip. Their time is that of the load, so that the same answer is the same bytes.
type zipFiles struct {
	*zip.Writer
	cube *cube.Cube
}

func newZip(out io.Writer, c *cube.Cube) zipFiles { return zipFiles{zip.NewWriter(out), c} }

// file begins a file.
func (z zipFiles) file(name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.cube.LoadedAt})
}

// text writes a file.
func (z zipFiles) text(name string, text []byte) error {
	entry, err := z.file(name)
	if err != nil {
		return err
	}
	_, err = entry.Write(text)
	return err
}

// encodeBuffer is how many bytes of rows are packed at once.
const encodeBuffer = 64 << 10

// Counter counts what is written.
type Counter int64

// Write implements io.Writer.
func (c *Counter) Write(b []byte) (int, error) {
	*c += Counter(len(b))
	return len(b), nil
}

func (e *packageEncoder) Row(row []Datum) error { return e.csv.Row(row) }

func (e *packageEncoder) End() error {
	if err := e.buffer.Flush(); err != nil {
		return err
	}
	if err := cmp.Or(e.json("datapackage.json", e.descriptor()), e.json("overlay.yaml", rowsOverlay(e.Plan, e.Link))); err != nil {
		return err
	}
	return e.zip.Close()
}

// json writes a file for people to read too.
func (e *packageEncoder) json(name string, v any) error {
	var text bytes.Buffer
	if err := json.Indent(&text, Marshal(v), "", "  "); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return e.zip.text(name, append(text.Bytes(), '\n'))
}

func (e *packageEncoder) Close() {}

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

// provenanceJSON says what the rows are of, so that others can make or check them.
type provenanceJSON struct {
	Cube        string            `json:"cube"`
	Version     int               `json:"version"`
	Fingerprint string            `json:"fingerprint"`
	LoadedAt    time.Time         `json:"loaded_at"`
	Synthetic   bool              `json:"synthetic"`
	Query       map[string]string `json:"query"`
	Link        string            `json:"link"`
	Measures    Object            `json:"measures"`
	Series      []Series          `json:"series,omitempty"`
	Warnings    []cube.Warning    `json:"warnings"`
	Sources     []CitedFile       `json:"sources"`
	Citation    *Citation         `json:"citation,omitempty"`
}

func (e *packageEncoder) descriptor() descriptorJSON {
	cb := e.Cube
	return descriptorJSON{
		Profile: "tabular-data-package", Name: strings.ToLower(slug(e.File)), Title: prose.Extract(cb.TitleIn(e.Lang), e.Lang),
		Description: cb.Description, Version: strconv.Itoa(cb.Version), Homepage: e.Link,
		License: cb.Extra["license"], Licenses: cb.Extra["licenses"], Source: cb.Extra["source"], Sources: cb.Extra["sources"],
		Publisher: cb.Publisher, Website: cb.AuthorWebsite, Institution: cb.Publisher,
		Continent: cb.Continent, Region: cb.Region, Country: cb.Country, GovtLevel: cb.GovtLevel, Tags: cb.Tags,
		Synthetic: cb.Synthetic, Model: rowsModel(e.Plan, e.Lang),
		Resources: []dataResourceJSON{{
			Profile: "tabular-data-resource", Name: "data", Path: dataFile, Format: FormatCSV.Name, MediaType: FormatCSV.Media,
			Encoding: "utf-8", Bytes: e.bytes, Hash: "sha256:" + hex.EncodeToString(e.hash.Sum(nil)),
			Schema: dataSchemaJSON{dataFields(e.Columns, e.Plan), []string{""}},
		}},
		Fiscube: e.provenance(),
	}
}

func (e *packageEncoder) provenance() provenanceJSON {
	cb := e.Cube
	p := provenanceJSON{
		Cube: cb.Name, Version: cb.Version, Fingerprint: cb.Fingerprint, LoadedAt: cb.LoadedAt, Synthetic: cb.Synthetic,
		Query: map[string]string{}, Link: e.Link, Measures: Measures(e.Measures, e.Lang), Series: NewSeries(e.Plan.Series()), Warnings: append([]cube.Warning{}, e.Warnings...),
		Sources: []CitedFile{}, Citation: e.Citation,
	}
	for _, clause := range e.Question {
		p.Query[clause[0]] = clause[1]
	}
	for _, r := range cb.Resources {
		p.Sources = append(p.Sources, NewCitedFile(e.base(), cb, r))
	}
	return p
}

// base is where callers reach the service, to which the link leads.
func (s *Sheet) base() string { return s.Link[:max(0, strings.LastIndex(s.Link, "/cubes/"))] }

// NewCitedFile cites a resource of a version, which callers reach at a base.
func NewCitedFile(base string, cb *cube.Cube, r cube.Resource) CitedFile {
	return CitedFile{Name: r.Name, Path: r.Path, URL: r.URL, Hash: r.Found.Hash, File: FileLink(base, cb, r)}
}

// FileLink is where a file is as it was published, pinned to the version that cites its hash; "" where it is not kept.
func FileLink(base string, cb *cube.Cube, r cube.Resource) string {
	if !cb.FilesKept || r.Found.Hash == "" {
		return ""
	}
	return base + "/cubes/" + url.PathEscape(cb.Name) + "/resources/" + url.PathEscape(r.Name) + "?version=" + strconv.Itoa(cb.Version)
}

func dataFields(columns []Column, p *plan.Plan) []dataFieldJSON {
	types := map[kind]string{kindText: "string", kindWhole: "integer", kindAmount: "number"}
	fields, sums := make([]dataFieldJSON, len(columns)), measured(p)
	for i, col := range columns {
		fields[i] = dataFieldJSON{Name: col.Name, Type: types[col.kind]}
		if slices.ContainsFunc(p.Keys(), func(key cube.Column) bool { return key.FiscalYear && key.Name == col.Name }) {
			fields[i].ColumnType, fields[i].ConceptType = cube.ColumnTypeFiscalYear, "date"
		}
		if slices.ContainsFunc(sums, func(a plan.Aggregate) bool { return a.Name == col.Name }) {
			fields[i].ColumnType, fields[i].ConceptType = "value", "value"
		}
	}
	return fields
}

// A data package that is loaded is to answer the question again that it is the answer to. So its descriptor has the
// model of its rows, in the form of the packages that fiscube loads, and beside it lies an overlay, which says what
// that form has no words for.

// rowsModelJSON is the model of the rows.
type rowsModelJSON struct {
	Dimensions Object `json:"dimensions"`
	Measures   Object `json:"measures"`
}

type rowsDimensionJSON struct {
	DimensionType      string   `json:"dimensionType,omitempty"`
	ClassificationType string   `json:"classificationType,omitempty"`
	PrimaryKey         []string `json:"primaryKey"`
	Attributes         Object   `json:"attributes"`
}

type rowsAttributeJSON struct {
	Source   string `json:"source"`
	Title    string `json:"title"`
	LabelFor string `json:"labelfor,omitempty"`
	Parent   string `json:"parent,omitempty"`
}

type rowsMeasureJSON struct {
	Source    string `json:"source"`
	Title     string `json:"title"`
	Currency  string `json:"currency,omitempty"`
	Factor    int64  `json:"factor,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Direction string `json:"direction,omitempty"`
	Kind      string `json:"kind,omitempty"`
}

// rowsModel makes the model of a plan's answer.
func rowsModel(p *plan.Plan, lang cube.Language) rowsModelJSON {
	m := rowsModelJSON{Object{}, Object{}}
	for _, d := range p.Cube().Model.Dimensions() {
		if dimension := rowsDimension(p, d, lang); len(dimension.PrimaryKey) > 0 {
			m.Dimensions = append(m.Dimensions, Member{d.Name, dimension})
		}
	}
	for _, a := range measured(p) {
		x, _ := p.Cube().Model.Measure(a.Measure)
		title := NewMeasure(x, lang).Title
		if a.Role != "" || a.ByYear != nil {
			title = a.Name
		}
		m.Measures = append(m.Measures, Member{a.Name, rowsMeasureJSON{a.Name, title, x.Currency, x.Unit, x.Phase, x.Direction, x.Kind}})
	}
	return m
}

func rowsDimension(p *plan.Plan, d cube.Dimension, lang cube.Language) rowsDimensionJSON {
	dimension := rowsDimensionJSON{DimensionType: d.Type, ClassificationType: d.Classification, Attributes: Object{}}
	for _, key := range p.Keys() {
		level, ok := p.Cube().Model.LevelOfKey(key.Name)
		if !ok || level.Dimension != d.Name {
			continue
		}
		dimension.PrimaryKey = append(dimension.PrimaryKey, level.Ref)
		about := rowsAttributeJSON{Source: level.Ref, Title: titled(level, lang)}
		if isKey(p, level.Parent) { // not where a level is here as others are within it
			about.Parent = level.Parent
		}
		dimension.Attributes = append(dimension.Attributes, Member{level.Ref, about})
		if p.LabelOf(key) >= 0 {
			label := rowsAttributeJSON{Source: level.LabelRef, Title: level.LabelRef, LabelFor: level.Ref}
			dimension.Attributes = append(dimension.Attributes, Member{level.LabelRef, label})
		}
	}
	return dimension
}

// isKey reports whether a column of the answer is the field.
func isKey(p *plan.Plan, field string) bool {
	return slices.ContainsFunc(p.Keys(), func(key cube.Column) bool { return key.Name == field })
}

func titled(level cube.Level, lang cube.Language) string {
	return cmp.Or(level.Titles.In(lang), level.Ref)
}

// measured gives the aggregates whose cells can be added up: sums, where no row repeats the money of others, and
// each is of the members that it names: a remainder would be one of the missing member.
func measured(p *plan.Plan) []plan.Aggregate {
	if p.Rollup() || p.Remainder() || repeatsMoney(p) && snapshotsOf(p) == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Aggregates()), func(a plan.Aggregate) bool {
		return a.Func != cube.Sum || a.Role != "" && a.Role != query.RoleEarlier
	})
}

// snapshotsOf gives the snapshots of an answer whose rows repeat the same money, where the answer has the levels that
// distinguish them; else nil.
func snapshotsOf(p *plan.Plan) *snapshotsJSON {
	s := p.Cube().Model.Snapshots()
	if s == nil || !repeatsMoney(p) {
		return nil
	}
	for _, field := range append([]string{s.By}, s.Per...) {
		if !isKey(p, field) {
			return nil
		}
	}
	return &snapshotsJSON{s.By, append([]string{}, s.Per...), s.Order}
}

// repeatsMoney reports whether rows of an answer may repeat the money of others, or add several snapshots of it up.
func repeatsMoney(p *plan.Plan) bool { return p.Summary() != nil || p.CountsAll() }

// rowsOverlayJSON is an overlay (package fdp), which JSON is a way to write.
type rowsOverlayJSON struct {
	Measures  map[string]flowJSON      `json:"measures,omitempty"`
	Levels    map[string]rowsLevelJSON `json:"levels,omitempty"`
	Snapshots *snapshotsJSON           `json:"snapshots,omitempty"`
	Notes     []cube.Titles            `json:"notes,omitempty"`
	Repairs   map[string]string        `json:"repairs"`
}

type flowJSON struct {
	Flow bool `json:"flow"`
}

type rowsLevelJSON struct {
	Within []string    `json:"within,omitempty"`
	Title  cube.Titles `json:"title,omitempty"`
}

type snapshotsJSON struct {
	By    string   `json:"by"`
	Per   []string `json:"per"`
	Order []string `json:"order,omitempty"`
}

// rowsOverlay makes the overlay of a plan's answer, whose link it notes. Its rows are mended already, and what looks
// like a mistake in them is the answer.
func rowsOverlay(p *plan.Plan, link string) rowsOverlayJSON {
	o := rowsOverlayJSON{
		Measures: map[string]flowJSON{}, Levels: map[string]rowsLevelJSON{}, Snapshots: snapshotsOf(p),
		Notes: append(slices.Clone(p.Cube().Notes), prose.AnswerOf(link)), Repairs: map[string]string{},
	}
	for _, code := range findings.Repairs {
		o.Repairs[code] = "off"
	}
	for _, a := range measured(p) {
		if x, _ := p.Cube().Model.Measure(a.Measure); x.Flow && o.Snapshots != nil {
			o.Measures[a.Name] = flowJSON{true}
		}
	}
	for _, key := range p.Keys() {
		level, ok := p.Cube().Model.LevelOfKey(key.Name)
		within := slices.Clone(level.Within)
		if level.Edition != "" { // the rows have it as a field like any other
			within = append(within, level.Edition)
		}
		if ok && len(within)+len(level.Titles) > 0 {
			o.Levels[level.Ref] = rowsLevelJSON{within, level.Titles}
		}
	}
	return o
}
