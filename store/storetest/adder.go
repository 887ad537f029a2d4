package storetest

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"fiscube/cube"
)

// adder holds the rows of a package, as it read them from the CSV files by itself, and adds them up one by one. It
// knows cuts, the default snapshot, labels and the plain aggregates; it shares no code with store/load and store/sqlgen.
type adder struct {
	model  *cube.Model
	rows   []row
	index  map[string]int                     // of the columns in a row
	names  map[string]map[string]*memberNames // of the members of a level, by its key field and their path
	filled map[cube.Value]map[string]bool     // the columns that have cells, by fiscal year
}

// row is a row of a CSV file: one cell for each column of the model, as published, and where it was read.
type row struct {
	cells    []string // "" is missing
	resource int
	line     int64
}

// newAdder reads the rows that the version was loaded from.
func newAdder(files fs.FS, version *cube.Cube) (*adder, error) {
	a := &adder{model: version.Model, index: map[string]int{}, names: map[string]map[string]*memberNames{}}
	for i, c := range a.model.Columns() {
		a.index[c.Name] = i
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
		if err := a.read(files, r, i, version.Resources[i].SkipLines); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Path, err)
		}
	}
	return a, nil
}

// read reads one file. Lines without any content are no rows.
func (a *adder) read(files fs.FS, r resource, number int, skipped []int64) error {
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
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
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
		one := row{make([]string, len(a.index)), number, int64(line)}
		for i, column := range a.model.Columns() {
			one.cells[i] = cellOf(column, published, r.Name)
		}
		a.rows = append(a.rows, one)
	}
}

// joined matches a cell that holds a code and its label (design, section 5).
var joined = regexp.MustCompile(`^[\s\p{Z}]*(\d[\d.]*)([\s\p{Z}]*-[\s\p{Z}]*|[\s\p{Z}]+)([^\s\p{Z}]*\p{L}.*)$`)

// cellOf gives the cell of a column: the published one of its name, unless the model derives it. The markers of what is
// not informed are written in one way.
func cellOf(column cube.Column, published map[string]string, resource string) string {
	cell := published[column.Name]
	if column.From != nil {
		cell = derived(column.From, published, resource)
	}
	if slices.ContainsFunc(column.Markers, func(m string) bool { return plain(m) == plain(cell) }) {
		return column.Markers[0]
	}
	return cell
}

func derived(from *cube.Derivation, published map[string]string, resource string) string {
	cell := published[append(from.Fields, "")[0]]
	switch from.Rule {
	case cube.RuleCode, cube.RuleLabel:
		halves := joined.FindStringSubmatch(cell)
		switch {
		case halves == nil: // a cell that joins nothing is both
			return strings.TrimSpace(cell)
		case from.Rule == cube.RuleCode:
			return halves[1]
		}
		return halves[3]
	case cube.RulePrefix:
		if code := published[from.Fields[1]]; cell == "" && len(code) == from.Length {
			return code[:from.Digits] + from.Suffix
		}
	case cube.RuleFirstOf:
		for _, field := range slices.Backward(from.Fields) {
			cell = cmp.Or(published[field], cell)
		}
	case cube.RuleResource:
		return regexp.MustCompile(from.Pattern).FindStringSubmatch(resource)[1]
	}
	return cell
}

// plain is a text without case, accents and what surrounds it.
func plain(text string) string {
	bare := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	plain, _, err := transform.String(bare, strings.ToLower(strings.Trim(tidied(text), " -")))
	if err != nil {
		panic(err) // these transformers fail on no text
	}
	return plain
}

// value gives the key in a column of a row.
func (a *adder) value(r row, column cube.Column) cube.Value {
	cell := r.cells[a.index[column.Name]]
	if column.Type != cube.TypeInteger || cell == "" {
		return cube.Text(cell)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64)
	if err != nil {
		panic(err) // the package was loaded, so every such cell is a number
	}
	return cube.Integer(n)
}

// amount gives the amount in a column of a row, and whether there is one.
func (a *adder) amount(r row, field string) (decimal.Decimal, bool) {
	cell := strings.TrimSpace(r.cells[a.index[field]])
	if cell == "" {
		return decimal.Decimal{}, false
	}
	return decimal.RequireFromString(cell), true
}

func (a *adder) values(r row, columns []cube.Column) []cube.Value {
	values := make([]cube.Value, len(columns))
	for i, column := range columns {
		values[i] = a.value(r, column)
	}
	return values
}

// fields gives the values of a row in some columns.
func (a *adder) fields(r row, names ...string) []cube.Value {
	columns := make([]cube.Column, len(names))
	for i, name := range names {
		columns[i], _ = a.model.Column(name)
	}
	return a.values(r, columns)
}

// pathText is one text for one list of keys.
func pathText(keys []cube.Value) string {
	text := ""
	for _, key := range keys {
		text += key.String() + "\x00"
	}
	return text
}

// group is the rows that have the same keys: those that count, and those of other snapshots, which measures that are
// declared a flow add up too.
type group struct {
	keys         []cube.Value
	rows, others []row
}

// groups gathers the rows that pass the cuts of a plan by their keys. Of each period the last snapshot that the cuts
// admit counts, unless all are asked for or each is in a group of its own. Without keys there is one group, of no rows
// as well.
func (a *adder) groups(plan *cube.Plan, all bool) map[string]*group {
	groups := map[string]*group{}
	if len(plan.Keys()) == 0 {
		groups[""] = &group{}
	}
	last := a.lastSnapshots(plan, all || a.snapshotsApart(plan.Keys()))
	flow := slices.ContainsFunc(plan.Measures(), func(m cube.Measure) bool { return m.Flow })
	for _, r := range a.rows {
		if !a.passes(r, plan) {
			continue
		}
		counts := last.count(a, r)
		if !counts && !flow {
			continue
		}
		keys := a.values(r, plan.Keys())
		g := groups[pathText(keys)]
		if g == nil {
			g = &group{keys: keys}
			groups[pathText(keys)] = g
		}
		if counts {
			g.rows = append(g.rows, r)
		} else {
			g.others = append(g.others, r)
		}
	}
	return groups
}

// amounts are the exact values of plain aggregates by their names: of sums, counts, minima, maxima and _count. Those
// that are null are absent.
type amounts map[string]*big.Rat

const rowCount = string(cube.Rows)

// add adds up the amounts of a measure in a group. Its sum, minimum and maximum are null where it has no amounts.
func (a *adder) add(g *group, to amounts, measure cube.Measure) {
	var total, least, greatest decimal.Decimal
	count := int64(0)
	rows := g.rows
	if measure.Flow {
		rows = slices.Concat(g.rows, g.others)
	}
	for _, r := range rows {
		amount, ok := a.amount(r, measure.Ref)
		if !ok {
			continue
		}
		if total = total.Add(amount); count == 0 || amount.LessThan(least) {
			least = amount
		}
		if count == 0 || amount.GreaterThan(greatest) {
			greatest = amount
		}
		count++
	}
	name := func(f cube.Func) string { return cube.AggregateRef{Measure: measure.Ref, Func: string(f)}.String() }
	to[name(cube.Count)] = big.NewRat(count, 1)
	if count == 0 {
		return
	}
	factor := decimal.NewFromInt(1)
	if measure.Factor != "" {
		factor = decimal.RequireFromString(measure.Factor)
	}
	if factor.IsNegative() { // the least amount is the greatest value
		least, greatest = greatest, least
	}
	for f, amount := range map[cube.Func]decimal.Decimal{cube.Sum: total, cube.Min: least, cube.Max: greatest} {
		to[name(f)] = amount.Mul(factor).Rat()
	}
}
