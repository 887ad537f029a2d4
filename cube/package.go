package cube

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"fiscube/internal/each"
)

// Package is a published budget dataset: what its descriptor says, and the model that its fields form.
// Keys of the descriptor that the specification does not name are kept in Extra, and Descriptor holds the
// published bytes.
type Package struct {
	Name          string   `json:"name"`
	ID            string   `json:"id,omitempty"`
	Title         string   `json:"title,omitempty"`
	Titles        Titles   `json:"titles,omitempty"` // by language, if an overlay gives them; Title is the English one
	Description   string   `json:"description,omitempty"`
	Descriptions  Titles   `json:"descriptions,omitempty"` // by language, if an overlay gives them; Description is then the English one
	Encoding      string   `json:"encoding,omitempty"`
	Format        string   `json:"format,omitempty"`
	YearsIncluded []string `json:"years_included,omitempty"`
	Publisher     string   `json:"pub_institutional_name,omitempty"`
	BudgetStage   []string `json:"budget_stage,omitempty"`
	GovtLevel     string   `json:"govt_level,omitempty"`
	Continent     string   `json:"continent,omitempty"`
	Region        string   `json:"region,omitempty"`
	Country       string   `json:"country,omitempty"`
	CountryNames  Titles   `json:"country_names,omitempty"` // by language, if an overlay gives them; Country is then the English one
	Periodicity   string   `json:"periodicity,omitempty"`
	StartDate     string   `json:"start_date,omitempty"`
	EndDate       string   `json:"end_date,omitempty"`
	Tags          []string `json:"tags,omitempty"`
	CreatedAt     string   `json:"createdAt,omitempty"`
	UpdatedAt     string   `json:"updatedAt,omitempty"`
	Image         string   `json:"image,omitempty"`
	AuthorWebsite string   `json:"author_website,omitempty"`
	AuthorEmail   string   `json:"author_email,omitempty"`
	Synthetic     bool     `json:"synthetic,omitempty"` // the data are made up, for trying fiscube out; every answer says so

	Schema    *Schema                    `json:"schema,omitempty"`
	Sample    [][]string                 `json:"-"`
	Resources []Resource                 `json:"resources"`
	Model     *Model                     `json:"model"`
	Extra     map[string]json.RawMessage `json:"extra,omitempty"`

	Guessed        bool     `json:"-"` // the descriptor says neither by a model nor by column types what the fields mean
	TypesElsewhere []string `json:"-"` // the addresses of column types, which are not fetched

	Coverage           *YearCoverage `json:"coverage,omitempty"`            // nil where rows have no fiscal year
	SnapshotsSuspected string        `json:"snapshots_suspected,omitempty"` // a level that looks like an undeclared Snapshots.By
	NamedTotals        []NamedTotal  `json:"named_totals,omitempty"`        // rows that look like totals, and are counted
	TotalsLeftOut      []NamedTotal  `json:"totals_left_out,omitempty"`     // rows with keys that are totals of others, and are not counted
	Overlaps           []YearOverlap `json:"overlaps,omitempty"`            // years whose rows are counted more than once
	LinesLeft          *LinesLeft    `json:"lines_left,omitempty"`          // likewise
	OnlyMembers        []OnlyMember  `json:"only_members,omitempty"`        // of which all rows are; none in a version that was loaded before fiscube looked
	LabelHistory       *LabelHistory `json:"label_history,omitempty"`       // nil in a version that was loaded before fiscube looked
	Cuboids            []Cuboid      `json:"cuboids,omitempty"`             // by Number; none in a version that was loaded before fiscube made them
	NarrowSums         []bool        `json:"narrow_sums,omitempty"`         // by measure: whether all its amounts, scaled and without their signs, add up to 18 digits

	Series []Series `json:"series,omitempty"` // that came with the package, by name; used before those that come with fiscube

	Qualifiers map[string]string `json:"qualifiers,omitempty"` // of the overlay: which field has a qualifier of amounts, or NoQualifier
	Undeclared []Undeclared      `json:"undeclared,omitempty"` // levels that look like qualifiers, which nobody has declared

	Financing  []Financing `json:"financing,omitempty"` // of the overlay: the members that are financing, which no total of revenue or expenditure has
	Functions  *Functions  `json:"functions,omitempty"` // of the overlay, or of the column types: which members are of which division of COFOG
	Names      *Names      `json:"names,omitempty"`     // of the overlay: how names in capitals are shown to people; nil: as they are published
	Notes      []Titles    `json:"notes,omitempty"`     // of the overlay: what a reader must know, shown as warnings
	Descriptor []byte      `json:"-"`                   // the published bytes
	Overlay    []byte      `json:"overlay,omitzero"`    // the overlay that was applied; empty without one, nil in a version that was loaded before fiscube stored it
}

// Financing is the members of a level that are financing, such as loans taken or repaid: money that is no revenue and no expenditure
// (Government Finance Statistics Manual 2014: transactions in financial assets and liabilities).
type Financing struct {
	Level string   `json:"level"`
	Keys  []string `json:"keys"`
}

// Names says that names in capitals are shown to people as a sentence writes them. In data they are as published.
type Names struct {
	Language string   `json:"language,omitempty"` // ISO 639-1: of the names
	Words    []string `json:"words,omitempty"`    // as they are written, where no name of the package in small letters shows it
	Before   []string `json:"before,omitempty"`   // words that proper nouns follow: Municipality
}

// TitleIn gives the title in a language, if the package has one in it. A version that was loaded by an earlier fiscube
// has Title alone.
func (p *Package) TitleIn(l Language) string { return cmp.Or(p.Titles.In(l), p.Title) }

// DescriptionIn gives the description in a language, or as it is published.
func (p *Package) DescriptionIn(l Language) string {
	return cmp.Or(p.Descriptions.In(l), p.Description)
}

// CountryIn gives the country in a language, as far as the package says one.
func (p *Package) CountryIn(l Language) string { return cmp.Or(p.CountryNames.In(l), p.Country) }

// Resource is one CSV file or workbook of a package. Bytes, Hash and HashCopy are as declared; Found describes the
// file as it is.
type Resource struct {
	Name      string                     `json:"name"`
	Path      string                     `json:"path"`
	URL       string                     `json:"url,omitempty"`      // where it is published, where that is known
	Bytes     int64                      `json:"bytes,omitempty"`    // 0 where not declared
	Hash      string                     `json:"hash,omitempty"`     // SHA-256 of the file, in hex
	HashCopy  string                     `json:"hashcopy,omitempty"` // SHA-256 of the file without its header line
	Format    string                     `json:"format,omitempty"`
	Encoding  string                     `json:"encoding,omitempty"`
	MediaType string                     `json:"mediatype,omitempty"`
	Dialect   Dialect                    `json:"dialect"`
	Schema    Schema                     `json:"-"`
	Sample    [][]string                 `json:"-"`
	Data      [][]string                 `json:"-"`              // the lines of its table, where they stand in the descriptor
	Packed    string                     `json:"-"`              // compression: gz or zip, or ""
	Part      bool                       `json:"part,omitempty"` // of a table in several files, behind the first: it may have no header
	Extra     map[string]json.RawMessage `json:"extra,omitempty"`
	Found     Found                      `json:"found"`
	Header    []string                   `json:"header,omitempty"`     // the fields of its data points
	Columns   []string                   `json:"columns,omitempty"`    // the names of its columns, as the file has them; nil where they are those of Header
	LeftOut   string                     `json:"left_out,omitempty"`   // why its rows are not loaded
	Repeats   bool                       `json:"repeats,omitempty"`    // its rows are not loaded because other resources have them
	SkipLines []int64                    `json:"skip_lines,omitempty"` // the lines of rows that are not loaded, such as totals
	Points    *Points                    `json:"points,omitempty"`     // how its rows become data points; nil where they are these
}

// IsWorkbook tells by its path or its format whether the file of a resource is an XLSX workbook, compressed or not.
func (r *Resource) IsWorkbook() bool {
	if strings.EqualFold(r.Format, "xlsx") {
		return r.Data == nil
	}
	return r.Data == nil && slices.Contains([]string{".xlsx", ".xlsm"}, r.Ending())
}

// Ending gives the end of the path of a resource from its last point, in small letters, without that of a compressed file.
func (r *Resource) Ending() string {
	name := r.Path
	if strings.Contains(name, "://") {
		name = name[:strings.IndexAny(name+"?", "?#")]
	}
	return path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz"))
}

// NumbersAs tells whether the numbers of two fields are written with the same marks.
func (f Field) NumbersAs(other Field) bool {
	return f.DecimalChar == other.DecimalChar && f.GroupChar == other.GroupChar
}

// Found describes the file of a resource, as the survey read it.
type Found struct {
	Bytes     int64  `json:"bytes"`
	Hash      string `json:"hash"`
	HashCopy  string `json:"hashcopy"`
	Rows      int64  `json:"rows"`
	FirstYear int64  `json:"first_year,omitempty"` // the fiscal years of its rows; 0 where there are none
	LastYear  int64  `json:"last_year,omitempty"`
}

// Dialect says how the cells of a CSV file are separated, which sheet of a workbook is meant, and how numbers are written where a field does
// not say. The zero value means comma and double quote. Lines are rows in a workbook.
type Dialect struct {
	Delimiter   string                     `json:"delimiter,omitempty"`
	QuoteChar   string                     `json:"quoteChar,omitempty"`
	DecimalChar string                     `json:"decimalChar,omitempty"`
	GroupChar   string                     `json:"groupChar,omitempty"`
	NoHeader    bool                       `json:"noHeader,omitempty"`    // header: false
	HeaderRows  []int                      `json:"headerRows,omitempty"`  // the lines of the names, from 1; none: the first
	HeaderJoin  string                     `json:"headerJoin,omitempty"`  // between the parts of a name in several lines
	CommentRows []int                      `json:"commentRows,omitempty"` // lines that are no rows
	CommentChar string                     `json:"commentChar,omitempty"` // that begins such a line
	EscapeChar  string                     `json:"escapeChar,omitempty"`  // before a quote that is part of a cell
	SingleQuote bool                       `json:"singleQuote,omitempty"` // doubleQuote: false; two quotes are not one
	Ragged      bool                       `json:"raggedRows,omitempty"`  // rows that end early have no cells for the other columns; else they are a mistake
	SkipSpace   bool                       `json:"skipInitialSpace,omitempty"`
	LineEnd     string                     `json:"lineTerminator,omitempty"` // that ends rows beside line feeds, one character
	SheetName   string                     `json:"sheetName,omitempty"`      // of a workbook: the sheet that is the table; "" for that of SheetNumber
	SheetNumber int                        `json:"sheetNumber,omitempty"`    // from 1; 0 for the first visible sheet that has rows
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
}

// Schema is the ordered list of fields of a resource, and the cell texts that mean missing.
type Schema struct {
	Fields        []Field                    `json:"fields"`
	MissingValues []string                   `json:"missingValues"`
	Extra         map[string]json.RawMessage `json:"extra,omitempty"`
}

// Names gives the names of the fields.
func (s Schema) Names() []string {
	return each.Text(s.Fields, func(f Field) string { return f.Name })
}

// Field is a column of a resource as the descriptor declares it.
type Field struct {
	Name        string                     `json:"name"`
	Title       string                     `json:"title,omitempty"`
	Slug        string                     `json:"slug,omitempty"`
	Column      string                     `json:"column,omitempty"` // the header of its column, where the field is called otherwise
	Type        string                     `json:"type"`             // of Table Schema: string, number, integer, boolean, date, ...
	Format      string                     `json:"format,omitempty"`
	ColumnType  string                     `json:"columnType,omitempty"`
	ConceptType string                     `json:"conceptType,omitempty"`
	DecimalChar string                     `json:"decimalChar,omitempty"`
	GroupChar   string                     `json:"groupChar,omitempty"`
	Decorated   bool                       `json:"decorated,omitempty"`     // bareNumber: false; signs stand around its numbers, as in $100
	Missing     []string                   `json:"missingValues,omitempty"` // its own cell texts that mean missing; nil: those of its schema
	True        []string                   `json:"trueValues,omitempty"`
	False       []string                   `json:"falseValues,omitempty"`
	Constraints *Constraints               `json:"constraints,omitempty"`
	YearStart   int                        `json:"yearStart,omitempty"`   // of a fiscal year that dates are of: the month in which it begins; 0 for January
	YearByStart bool                       `json:"yearByStart,omitempty"` // a fiscal year that ends in another calendar year has the number of that in which it begins
	Options     json.RawMessage            `json:"options,omitempty"`     // as published
	Extra       map[string]json.RawMessage `json:"extra,omitempty"`
}

// Unnamed is the Column of a field whose column has no header.
const Unnamed = "\x00"

// ColumnName gives the header of the field's column in a file.
func (f Field) ColumnName() string {
	if f.Column == Unnamed {
		return ""
	}
	return cmp.Or(f.Column, f.Name)
}

// ColumnTypeFiscalYear marks the field that holds the year a row belongs to (spec.md, Schema and field
// objects).
const ColumnTypeFiscalYear = "date:fiscal-year"

// Cube is one loaded version of a package, ready for questions.
type Cube struct {
	*Package
	ID          int64     // the number its tables are named by, unique in the store
	Version     int       // counted from 1 within the package, never used twice
	Fingerprint string    // of all that can change an answer: equal fingerprints, equal answers
	LoadedAt    time.Time // UTC
	Rows        int64
	Visibility  Visibility // who sees it
	Served      bool       // it answers questions that name no version
	FilesKept   bool       // its files are there as they were published
	Last        int        // the last number used for the package, also by a version that was removed
	Report      string     // what the load found and assumed: a findings.Report as JSON, since it is seldom read
	Larger      *Larger    // a budget that this one may be an excerpt of; set by the catalogue
	Added       *Added     // series that an operator added for all packages; nil for none
}

// Larger is a published budget with the title of another and more than ten times as many rows a year.
type Larger struct {
	Name string
	Rows int64 // a year
}

// Added are series for all packages.
type Added struct {
	Series []Series
	ID     string // identifies their content
}

// Key identifies the content of the version among all that are loaded, with the series that were added and what it may be an excerpt of: a number may be used again
// after a package was removed, and the same content be loaded twice.
func (c *Cube) Key() string {
	key := c.Name + "\x00" + strconv.Itoa(c.Version) + "\x00" + c.Fingerprint + "\x00" + strconv.FormatInt(c.LoadedAt.UnixNano(), 10)
	if c.FilesKept {
		key += "\x00files"
	}
	if c.Added != nil {
		key += "\x00" + c.Added.ID
	}
	if c.Larger != nil {
		key += "\x00" + c.Larger.Name
	}
	return key
}

// fewestRows is how many rows a year a budget has at least, on average, so that nobody takes it for an excerpt.
const fewestRows = 100

// RowsOfYear gives how many rows the cube has for each of its fiscal years, on average. It has several years or one.
func (c *Cube) RowsOfYear() (rows int64, several bool) {
	years := int64(1)
	if c.Coverage != nil {
		years = max(years, int64(len(c.Coverage.Years)))
	}
	return c.Rows / years, years > 1
}

// MayBeExcerpt tells whether the cube has so few rows a year that it may be an excerpt of a budget. One that is made up is what it is.
func (c *Cube) MayBeExcerpt() bool {
	rows, _ := c.RowsOfYear()
	return !c.Synthetic && c.Rows > 0 && rows < fewestRows
}

// IsPart tells whether the cube has a part of a budget, or may have no more: a larger package of the same is served, or it has few rows.
func (c *Cube) IsPart() bool { return c.Larger != nil || c.MayBeExcerpt() }

// FiscalYears lists the fiscal years of the rows, ascending: those between the first and the last in a version that was loaded before
// fiscube looked which have some.
func (c *Cube) FiscalYears() []int64 {
	if c.Coverage != nil && len(c.Coverage.Years) > 0 {
		return c.Coverage.Years
	}
	first, last, ok := c.Years()
	var years []int64
	for year := first; ok && year <= last; year++ {
		years = append(years, year)
	}
	return years
}

// Years gives the first and last fiscal year of the rows, or false if rows have no year.
func (c *Cube) Years() (first, last int64, ok bool) {
	for _, r := range c.Resources {
		if r.Found.FirstYear == 0 {
			continue
		}
		if !ok || r.Found.FirstYear < first {
			first = r.Found.FirstYear
		}
		last = max(last, r.Found.LastYear)
		ok = true
	}
	return first, last, ok
}
