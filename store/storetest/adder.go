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
	"unicode/utf8"

	"github.com/shopspring/decimal"
	"golang.org/x/text/unicode/norm"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// adder holds the rows of a package, as it read them from the CSV files by itself, and adds them up one by one. It
// knows cuts, the default snapshot, labels and the plain aggregates; it shares no code with store/load and store/sqlgen.
type adder struct {
	model  *cube.Model
	rows   []row
	index  map[string]int                     // of the columns in a row
	names  map[string]map[string]*memberNames // of the members of a level, by its key field and their path
	filled map[cube.Value]map[string]bool     // the columns that have cells, by fiscal year
	breaks map[string][]int64                 // the years from which a code means another thing, by level and path
	judged map[memberYear]judgement           // whether tests of members admit a member in a year
}

// row is a row of a CSV file: one cell for each column of the model, as published, and where it was read.
type row struct {
	cells    []string // "" is missing
	resource int
	line     int64
}

// newAdder reads the rows that the version was loaded from.
func newAdder(files fs.FS, version *cube.Cube) (*adder, error) {
	a := &adder{model: version.Model, index: map[string]int{}, names: map[string]map[string]*memberNames{},
		breaks: map[string][]int64{}, judged: map[memberYear]judgement{}}
	for _, b := range version.LabelHistory.Breaks {
		if id := b.Level + "\x00" + strings.Join(append(b.Path, ""), "\x00"); b.Reused {
			a.breaks[id] = append(a.breaks[id], b.First)
		}
	}
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
		read := row{make([]string, len(a.index)), number, int64(line)}
		for i, column := range a.model.Columns() {
			read.cells[i] = cellOf(column, published, r.Name)
		}
		a.rows = append(a.rows, read)
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
	case cube.RuleKey:
		return norm.NFC.String(strings.TrimSpace(strings.ReplaceAll(cell, "\u00a0", " ")))
	case cube.RuleCode, cube.RuleLabel:
		halves := joined.FindStringSubmatch(cell)
		switch {
		case halves == nil: // a cell that joins nothing is both
			return norm.NFC.String(strings.TrimSpace(strings.ReplaceAll(cell, "\u00a0", " ")))
		case from.Rule == cube.RuleCode:
			return halves[1]
		}
		return halves[3]
	case cube.RulePrefix:
		code := published[from.Fields[len(from.Fields)-1]]
		if len(from.Fields) == 1 {
			cell = ""
		}
		if parts := strings.Split(code, cmp.Or(from.Between, ";")); cell == "" && from.Between != "" {
			return strings.Join(parts[:min(from.Parts, len(parts))], from.Between)
		}
		if cell == "" && len(code) == from.Length {
			return code[:from.Digits] + from.Suffix
		}
	case cube.RuleFirstOf:
		for _, field := range slices.Backward(from.Fields) {
			cell = cmp.Or(published[field], cell)
		}
	case cube.RuleWhere:
		for i, field := range from.Fields[1:] {
			if !slices.Contains(from.CellsOf(i), strings.TrimSpace(published[field])) {
				return ""
			}
		}
	case cube.RuleEdition:
		return editionOf(from, strings.TrimSpace(cell))
	case cube.RuleResource:
		return regexp.MustCompile(from.Pattern).FindStringSubmatch(resource)[1]
	}
	return cell
}

// editionOf gives the last of the first years that is not after a year.
func editionOf(from *cube.Derivation, year string) string {
	edition := ""
	for _, first := range from.Years {
		if n, err := strconv.ParseInt(year, 10, 64); err == nil && first <= n {
			edition = strconv.FormatInt(first, 10)
		}
	}
	return edition
}

// plain is a text without case, accents and what surrounds it.
func plain(text string) string { return strings.Trim(folded(tidied(text)), " -") }

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
	return each.Of(columns, func(column cube.Column) cube.Value { return a.value(r, column) })
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

// groups gathers the rows that pass the cuts of a plan by keys. Of each period the last snapshot that the cuts
// admit counts, unless all are asked for or each is in a group of its own. Without keys there is one group, of no rows
// as well.
func (a *adder) groups(p *plan.Plan, by []cube.Column, all bool) map[string]*group {
	groups := map[string]*group{}
	if len(by) == 0 {
		groups[""] = &group{}
	}
	last := a.lastSnapshots(p, all || a.snapshotsApart(by))
	flow := slices.ContainsFunc(p.Measures(), func(m cube.Measure) bool { return m.Flow })
	for _, r := range a.rows {
		if !a.passes(r, p) {
			continue
		}
		counts := last.count(a, r)
		if !counts && !flow {
			continue
		}
		keys := a.values(r, by)
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
	name := func(f cube.Func) string { return query.AggregateRef{Measure: measure.Ref, Func: string(f)}.String() }
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

// admit tells whether the cuts of a plan admit a row of which some cells are known. The filters that Bind adds the adder works out by itself.
func (a *adder) admit(p *plan.Plan, cell func(cube.Column) (value cube.Value, known bool)) bool {
	return !slices.ContainsFunc(p.FiltersAsked(), func(f plan.Filter) bool { return a.judge(p, f, cell) == no })
}

// passes tells whether the cuts of a plan admit a row.
func (a *adder) passes(r row, p *plan.Plan) bool {
	return a.admit(p, func(column cube.Column) (cube.Value, bool) { return a.value(r, column), true })
}

// admits tells whether the cuts admit a value of a field, whatever else they ask of a row.
func (a *adder) admits(p *plan.Plan, field string, v cube.Value) bool {
	return a.admit(p, func(c cube.Column) (cube.Value, bool) { return v, c.Name == field })
}

// admitsYear tells whether the cuts admit a fiscal year, also by its editions, whatever else they ask of a row.
func (a *adder) admitsYear(p *plan.Plan, year cube.Value) bool {
	fiscal, _ := a.model.FiscalYear()
	return a.admit(p, func(c cube.Column) (cube.Value, bool) {
		if !c.IsEdition() {
			return year, c.Name == fiscal.Name
		}
		if first, err := strconv.ParseInt(editionOf(c.From, year.String()), 10, 64); err == nil {
			return cube.Integer(first), true
		}
		return cube.Missing, true
	})
}

// judgement is what can be said of a row of which not all cells are known.
type judgement int

const (
	no judgement = iota
	maybe
	yes
)

// judge tells whether a row passes a filter of a plan. A cell that is not known may be anything.
func (a *adder) judge(p *plan.Plan, f plan.Filter, cell func(cube.Column) (cube.Value, bool)) judgement {
	passes := no
	for _, tests := range f.Any {
		all := yes
		for _, t := range tests {
			if t.Members != nil {
				all = min(all, a.judgeMember(p, f, t.Members, cell))
			} else if value, known := cell(t.Column); !known {
				all = min(all, maybe)
			} else if !a.holds(t, value) {
				all = no
			}
		}
		passes = max(passes, all)
	}
	if f.Not {
		return yes - passes
	}
	return passes
}

// holds tells whether a value is among those of a test, or in its range. A range of text has only keys as long as its
// bounds; snapshots whose order is declared are in a range by their position there.
func (a *adder) holds(t plan.Test, v cube.Value) bool {
	between := func() bool {
		return (t.From.IsMissing() || a.compareKeys(t.Column, t.From, v) <= 0) &&
			(t.To.IsMissing() || a.compareKeys(t.Column, v, t.To) <= 0)
	}
	switch {
	case len(t.In) > 0 && t.From.IsMissing() && t.To.IsMissing():
		return slices.Contains(t.In, v)
	case a.hasOrder(t.Column):
		return slices.Contains(a.model.Snapshots().Order, v.String()) && between()
	case v.IsMissing():
		return false
	}
	for _, bound := range []cube.Value{t.From, t.To} {
		if !bound.IsMissing() && t.Column.Type == cube.TypeText && length(bound) != length(v) {
			return false
		}
	}
	return between()
}

// compareKeys orders keys of a column that are not missing: snapshots as declared, whole numbers by size, text by length
// and then by bytes.
func (a *adder) compareKeys(c cube.Column, x, y cube.Value) int {
	if a.hasOrder(c) {
		order := a.model.Snapshots().Order
		return cmp.Compare(slices.Index(order, x.String()), slices.Index(order, y.String()))
	}
	n, isNumber := x.Int()
	m, _ := y.Int()
	if isNumber {
		return cmp.Compare(n, m)
	}
	return cmp.Or(cmp.Compare(length(x), length(y)), cmp.Compare(x.String(), y.String()))
}

func length(v cube.Value) int { return utf8.RuneCountInString(v.String()) }

// hasOrder tells whether a column tells apart snapshots whose order is declared.
func (a *adder) hasOrder(c cube.Column) bool {
	s := a.model.Snapshots()
	return s != nil && s.By == c.Name && len(s.Order) > 0
}

// judgeMember tells whether a row is of a member that has one of the labels, or one of the texts in its key or a label. The
// labels are those of the years that the other cuts admit. If the code means different things, it must mean in the year of
// the row what it means in the year of the label.
func (a *adder) judgeMember(p *plan.Plan, f plan.Filter, m *plan.MemberTest, cell func(cube.Column) (cube.Value, bool)) judgement {
	var path []cube.Value
	for _, field := range m.Level.Path {
		column, _ := a.model.Column(field)
		value, known := cell(column)
		if !known {
			return maybe
		}
		path = append(path, value)
	}
	column, hasYear := a.model.FiscalYear()
	asked := memberYear{m, pathText(path), noYear}
	if year, known := cell(column); hasYear && !known {
		return maybe
	} else if n, ok := year.Int(); hasYear && ok {
		asked.year = n
	}
	judged, known := a.judged[asked]
	if !known {
		judged = a.judgeMemberYear(p, f, asked)
		a.judged[asked] = judged
	}
	return judged
}

// memberYear is a test of members, and a member in a year.
type memberYear struct {
	test *plan.MemberTest
	path string
	year int64
}

func (a *adder) judgeMemberYear(p *plan.Plan, f plan.Filter, asked memberYear) judgement {
	level := asked.test.Level
	member := a.namesOf(level)[asked.path]
	if member == nil {
		return no
	}
	column, hasYear := a.model.FiscalYear()
	for year, labels := range member.called {
		isCalled := slices.ContainsFunc(labels, func(label string) bool {
			return slices.Contains(asked.test.Labels, label) ||
				slices.ContainsFunc(asked.test.Substrings, func(part string) bool { return member.isCalled(label, part) })
		})
		goesByYears := hasYear && level.HasLabels() && !slices.Contains(level.Path, column.Name)
		if isCalled && (!goesByYears || a.othersAdmit(p, f, year) &&
			a.meaning(level, asked.path, year) == a.meaning(level, asked.path, asked.year)) {
			return yes
		}
	}
	return no
}

// othersAdmit tells whether the other cuts of a plan admit a fiscal year, whatever else they ask of a row.
func (a *adder) othersAdmit(p *plan.Plan, f plan.Filter, year int64) bool {
	column, _ := a.model.FiscalYear()
	return !slices.ContainsFunc(p.FiltersAsked(), func(other plan.Filter) bool {
		return other.String() != f.String() && a.judge(p, other, func(c cube.Column) (cube.Value, bool) {
			return yearValue(year), c.Name == column.Name
		}) == no
	})
}

// meaning numbers the things that a code means, as the load found them. Nobody knows what a code of several meanings means in
// rows without a year.
func (a *adder) meaning(level cube.Level, path string, year int64) (n int) {
	breaks := a.breaks[level.Ref+"\x00"+path]
	if year == noYear && len(breaks) > 0 {
		return -1
	}
	for _, first := range breaks {
		if year >= first {
			n++
		}
	}
	return n
}

// snapshots are those that count: the last of each period that the cuts admit. It is nil where all rows count.
type snapshots map[string]int64

// lastSnapshots looks for the last snapshot of each period that the cuts admit, whatever they ask of other fields.
func (a *adder) lastSnapshots(p *plan.Plan, all bool) snapshots {
	declared := a.model.Snapshots()
	if declared == nil || all {
		return nil
	}
	fields := append(slices.Clone(declared.Per), declared.By)
	last, seen := snapshots{}, map[string]bool{}
	for _, r := range a.rows {
		period, rank := a.snapshotOf(r)
		id := period + strconv.FormatInt(rank, 10)
		if seen[id] {
			continue
		}
		seen[id] = true
		admitted := a.admit(p, func(c cube.Column) (cube.Value, bool) { return a.value(r, c), slices.Contains(fields, c.Name) })
		if known, ok := last[period]; admitted && (!ok || rank > known) {
			last[period] = rank
		}
	}
	return last
}

// count tells whether a row is of a snapshot that counts.
func (s snapshots) count(a *adder, r row) bool {
	if s == nil {
		return true
	}
	period, rank := a.snapshotOf(r)
	last, ok := s[period]
	return ok && rank == last
}

// snapshotOf gives the period of a row and the rank of its snapshot: its position in the declared order, or the number
// that it is.
func (a *adder) snapshotOf(r row) (period string, rank int64) {
	declared := a.model.Snapshots()
	period, by := pathText(a.fields(r, declared.Per...)), a.fields(r, declared.By)[0].String()
	if len(declared.Order) > 0 {
		return period, int64(slices.Index(declared.Order, by))
	}
	rank, err := strconv.ParseInt(strings.TrimSpace(by), 10, 64)
	if err != nil {
		panic(err) // the package was loaded, so every snapshot has a number
	}
	return period, rank
}

// snapshotsApart tells whether grouping by the keys gives each snapshot groups of its own.
func (a *adder) snapshotsApart(keys []cube.Column) bool {
	s := a.model.Snapshots()
	return s != nil && slices.ContainsFunc(keys, func(c cube.Column) bool { return c.Name == s.By })
}

// isYear tells whether a field is the fiscal year.
func (a *adder) isYear(field string) bool {
	year, ok := a.model.FiscalYear()
	return ok && year.Name == field
}

// columnsByYear gives the columns that have cells, by the fiscal year of the rows.
func (a *adder) columnsByYear() map[cube.Value]map[string]bool {
	column, ok := a.model.FiscalYear()
	if !ok || a.filled != nil {
		return a.filled
	}
	a.filled = map[cube.Value]map[string]bool{}
	for _, r := range a.rows {
		year := a.value(r, column)
		if a.filled[year] == nil {
			a.filled[year] = map[string]bool{}
		}
		for _, c := range a.model.Columns() {
			cell := r.cells[a.index[c.Name]]
			if _, isMeasure := a.model.Measure(c.Name); isMeasure {
				cell = strings.TrimSpace(cell)
			}
			if cell != "" {
				a.filled[year][c.Name] = true
			}
		}
	}
	return a.filled
}
