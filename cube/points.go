package cube

import "slices"

// Points says how the rows of a resource's file become data points, which are the rows of facts (Fiscal Data Package 1.0: extraFields,
// normalize and foreignKeys). The resource's Schema describes the data points, Points.File the file.
type Points struct {
	File   []Field    `json:"file"`             // the columns of the file, in order
	Lists  []CodeList `json:"lists,omitempty"`  // that cells of the file refer to
	PerRow []Point    `json:"perRow,omitempty"` // the data points of each row of the file, in order; one at least
}

// Point says where the cells of one data point of a row come from: one for each field of the resource's Schema, in order. Data points
// of one row differ in their constants and in the columns of their amounts.
type Point struct {
	Cells []PointCell `json:"cells"`

	Constants map[string]string `json:"constants,omitempty"` // the cells, as facts have them, of the columns of the model that constants alone make
}

// PointCell is where a cell of a data point comes from.
type PointCell struct {
	From   Origin `json:"from"`
	Column int    `json:"column,omitempty"` // OriginColumn: of the file; OriginList: of the code list
	List   int    `json:"list,omitempty"`   // OriginList: in Points.Lists
	Text   string `json:"text,omitempty"`   // OriginConstant
}

// Origin is a kind of source of a data point's cell.
type Origin string

// The origins. The zero value is no cell: it is missing in the data point.
const (
	OriginColumn   Origin = "column"   // a cell of the row
	OriginConstant Origin = "constant" // the same text in each row
	OriginList     Origin = "list"     // a cell of the row of a code list that the row refers to
)

// CodeList is a resource that the fields of another refer to, and that holds no facts itself (Table Schema: foreignKeys).
type CodeList struct {
	Resource string     `json:"resource"` // its name
	Path     string     `json:"path"`
	Format   string     `json:"format,omitempty"`
	Encoding string     `json:"encoding,omitempty"`
	Packed   string     `json:"packed,omitempty"`
	Data     [][]string `json:"-"` // as of a resource
	Dialect  Dialect    `json:"dialect"`
	Fields   []Field    `json:"fields"`            // of its file, in order
	Missing  []string   `json:"missing,omitempty"` // its schema's missingValues
	On       []int      `json:"on"`                // the columns of the file that refer to it
	Keys     []int      `json:"keys"`              // its own columns that they refer to, by turns
	List     *int       `json:"within,omitempty"`  // where On are columns of another code list: that, in Points.Lists; lists refer to earlier ones
}

// IsWorkbook tells whether the file of the code list is a workbook.
func (l CodeList) IsWorkbook() bool {
	return (&Resource{Path: l.Path, Format: l.Format, Data: l.Data}).IsWorkbook()
}

// FileFields gives the columns of the resource's file, in order.
func (r *Resource) FileFields() []Field {
	if r.Points != nil {
		return r.Points.File
	}
	return r.Schema.Fields
}

// Apart names the fields that tell the data points of one row apart, by their constants; none where each row is one data point.
func (p *Package) Apart() []string {
	var names []string
	for _, r := range p.Resources {
		if r.Points == nil {
			continue
		}
		for i, name := range r.Header {
			differs := func(other Point) bool { return other.Cells[i].Text != r.Points.PerRow[0].Cells[i].Text }
			if slices.ContainsFunc(r.Points.PerRow, differs) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// IsConstant tells whether no column of the file has the cells of a field, named by its index among those of data points.
func (r *Resource) IsConstant(field int) bool {
	return r.Points != nil && !slices.ContainsFunc(r.Points.PerRow, func(p Point) bool {
		return p.Cells[field].From == OriginColumn || p.Cells[field].From == OriginList
	})
}

// ColumnOf gives the column of the file that an amount stood in, for the data point whose fields that tell it apart have these cells; ""
// where none did.
func (r *Resource) ColumnOf(amount string, apart map[string]string) string {
	at := slices.Index(r.Header, amount)
	switch {
	case at < 0:
		return ""
	case r.Points == nil && len(r.Columns) > 0:
		return r.Columns[at]
	case r.Points == nil:
		return amount
	}
	for _, p := range r.Points.PerRow {
		is := p.Cells[at].From == OriginColumn
		for name, cell := range apart {
			constant, known := p.Constants[name]
			is = is && (!known || constant == cell)
		}
		if is {
			return r.Points.File[p.Cells[at].Column].ColumnName()
		}
	}
	return ""
}

// RefersTo tells whether a code list is among those that the resource refers to.
func (r *Resource) RefersTo(list string) bool {
	return r.Points != nil && slices.ContainsFunc(r.Points.Lists, func(l CodeList) bool { return l.Resource == list })
}

// Field gives the index of a field in the schema of the resource, and so of its cells in a row; -1 where it does not have it.
func (r *Resource) Field(name string) int {
	return slices.IndexFunc(r.Schema.Fields, func(f Field) bool { return f.Name == name })
}

// Constraints are what the cells of a field must be (Table Schema: constraints). A cell that breaks one is a finding, and is loaded.
type Constraints struct {
	Required  bool     `json:"required,omitempty"`
	Unique    bool     `json:"unique,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`   // that the whole cell matches
	Enum      []string `json:"enum,omitempty"`      // none: all
	Minimum   string   `json:"minimum,omitempty"`   // in the form of a cell
	Maximum   string   `json:"maximum,omitempty"`   // in the form of a cell
	MinLength int      `json:"minLength,omitempty"` // in characters
	MaxLength int      `json:"maxLength,omitempty"` // in characters; 0 for any
}
