package storetest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// oracle answers plans by brute force, from rows that it read itself.
type oracle struct {
	model  *cube.Model
	rows   [][]string          // one cell for each of model.Columns, as published; "" is missing
	stood  []stand             // one for each of rows
	places map[string]int      // of the columns
	names  map[string]names    // what the rows call the members of a level, by its key field
	called map[string]callings // the same without years, and with no name where rows give none
	years  yearly              // once it was asked for
}

// stand is where a row stood.
type stand struct {
	resource int
	line     int64
}

// newOracle reads the rows of a package that the version has.
func newOracle(files fs.FS, version *cube.Cube) (*oracle, error) {
	o := &oracle{model: version.Model, places: map[string]int{}, names: map[string]names{}, called: map[string]callings{}}
	for i, c := range o.model.Columns() {
		o.places[c.Name] = i
	}
	text, err := fs.ReadFile(files, "datapackage.json")
	if err != nil {
		return nil, err
	}
	var d descriptor
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	for i, r := range d.Resources {
		if version.Resources[i].LeftOut != "" {
			continue
		}
		if r.Schema == nil {
			r.Schema = &d.Schema
		}
		if err := o.read(files, r, i, version.Resources[i].SkipLines); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Path, err)
		}
	}
	return o, nil
}

// read reads the file at that place among the resources. Rows that hold nothing are none.
func (o *oracle) read(files fs.FS, r resource, place int, skipped []int64) error {
	f, err := files.Open(r.Path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	table := csv.NewReader(f)
	header, err := table.Read()
	if err != nil {
		return err
	}
	published := map[string]string{}
	for {
		cells, err := table.Read()
		if cells == nil {
			return ignoreEOF(err)
		}
		line, _ := table.FieldPos(0)
		if strings.TrimSpace(strings.Join(cells, "")) == "" || slices.Contains(skipped, int64(line)) {
			continue
		}
		for i, name := range header {
			published[name] = cells[i]
			if slices.Contains(r.Schema.MissingValues, cells[i]) {
				published[name] = ""
			}
		}
		row := make([]string, len(o.places))
		for i, column := range o.model.Columns() {
			row[i] = made(column, published, r.Name)
		}
		o.rows = append(o.rows, row)
		o.stood = append(o.stood, stand{place, int64(line)})
	}
}

// value reads the key that stands in a column of a row.
func (o *oracle) value(row []string, column cube.Column) cube.Value {
	cell := row[o.places[column.Name]]
	if column.Type != cube.TypeInteger || cell == "" {
		return cube.Text(cell)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64)
	if err != nil {
		panic(err) // the package was loaded, so every such cell is a number
	}
	return cube.Integer(n)
}

// amount reads the amount that stands in a column of a row, and whether there is one.
func (o *oracle) amount(row []string, field string) (decimal.Decimal, bool) {
	cell := strings.TrimSpace(row[o.places[field]])
	if cell == "" {
		return decimal.Decimal{}, false
	}
	return decimal.RequireFromString(cell), true
}

func (o *oracle) keysOf(row []string, columns []cube.Column) []cube.Value {
	keys := make([]cube.Value, len(columns))
	for i, column := range columns {
		keys[i] = o.value(row, column)
	}
	return keys
}

// pathText is one text for one list of keys.
func pathText(keys []cube.Value) string {
	text := ""
	for _, key := range keys {
		text += key.String() + "\x00"
	}
	return text
}

func paged(rows []*node, page cube.Page) []*node {
	if page.Size < 0 {
		return rows
	}
	first := min((page.Number-1)*page.Size, len(rows))
	return rows[first:min(first+page.Size, len(rows))]
}
