package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// FactStatement is what one SQL statement answers with facts: the first facts, in order, that pass the filters and come
// after a given fact. Only this package makes fact statements.
type FactStatement struct {
	cube    *cube.Cube
	filters []Filter
	columns []cube.Column // the fields, then the columns that only the order or CountsField needs
	order   []FactSort
	apart   []int       // the columns that tell the facts of one line apart
	after   []FactValue // one value for each of order; nil for the first page
	lines   *Lines      // nil for all
	skip    int64       // how many facts to leave out before the first
	size    int
	byBytes bool
}

// Cube is the version of a package that the statement asks.
func (s *FactStatement) Cube() *cube.Cube { return s.cube }

// Filters must all hold.
func (s *FactStatement) Filters() []Filter { return s.filters }

// Columns are those that a store gives of a fact.
func (s *FactStatement) Columns() []cube.Column { return s.columns }

// Order is the complete order of the facts.
func (s *FactStatement) Order() []FactSort { return s.order }

// ByBytes tells whether text is sorted by its bytes alone (query.FactQuery.ByBytes).
func (s *FactStatement) ByBytes() bool { return s.byBytes }

// IsInFileOrder tells whether the facts come in the order of the files.
func (s *FactStatement) IsInFileOrder() bool { return slices.Equal(s.order, fileOrder) }

// After has the values, one for each of Order, that the facts come after. It is nil for the first facts.
func (s *FactStatement) After() []FactValue { return s.after }

// Lines are some lines of a file: from the first to the last.
type Lines struct {
	Resource    int
	First, Last int64
}

// Lines are those that the facts stand in, or nil for all.
func (s *FactStatement) Lines() *Lines { return s.lines }

// In is the statement for the facts that stand in some lines.
func (s *FactStatement) In(lines Lines) *FactStatement {
	within := *s
	within.lines = &lines
	return &within
}

// Skip is how many facts, in order, come before the first of those to return.
func (s *FactStatement) Skip() int64 { return s.skip }

// Size is the number of facts to return at most, or query.EveryFact.
func (s *FactStatement) Size() int { return s.size }

// Limited is the statement with another size.
func (s *FactStatement) Limited(size int) *FactStatement {
	limited := *s
	limited.size = size
	return &limited
}

// Following is the statement for the facts that come after f.
func (s *FactStatement) Following(f Fact, size int) *FactStatement {
	next := s.Limited(size)
	next.skip = 0
	next.after = make([]FactValue, len(s.order))
	for i, o := range s.order {
		switch o.Column {
		case ByResource:
			next.after[i].Value = cube.Integer(int64(f.Resource))
		case ByLine:
			next.after[i].Value = cube.Integer(f.Line)
		default:
			if o.Column < len(f.Values) { // a place alone has none
				next.after[i] = f.Values[o.Column]
			}
		}
	}
	return next
}

var fileOrder = []FactSort{{Column: ByResource}, {Column: ByLine}}

// Apart gives the indices of the columns that tell the facts of one line apart (cube.Package.Apart).
func (s *FactStatement) Apart() []int { return s.apart }

// completeOrder completes the order by resource, line, and what tells the facts of one line apart.
func (s *FactStatement) completeOrder() {
	for _, sort := range fileOrder {
		s.addSort(sort)
	}
	for _, name := range s.cube.Apart() {
		column, ok := s.cube.Model.Column(name)
		if !ok {
			continue
		}
		if s.columnIndex(name) < 0 {
			s.columns = append(s.columns, column)
		}
		sort := FactSort{Column: s.columnIndex(name)}
		s.apart = append(s.apart, sort.Column)
		if !slices.ContainsFunc(s.order, func(o FactSort) bool { return o.Column == sort.Column }) {
			s.order = append(s.order, sort)
		}
	}
}

// FactPlan is a checked question for facts. BindFacts and OfResource make fact plans.
type FactPlan struct {
	FactStatement
	counting *Plan // counts the facts that pass the filters; nil for OfResource
	fields   int
	asked    int   // how many of order were asked for; the rest make it complete
	total    int64 // the number of facts on all pages, or unknownTotal
	counts   *factCounts
}

const unknownTotal = -1

// Main is the statement that a store answers.
func (p *FactPlan) Main() *FactStatement { return &p.FactStatement }

// First is the plan with another size.
func (p *FactPlan) First(size int) *FactPlan {
	first := *p
	first.size = size
	return &first
}

// Skipping is the plan without so many of its first facts.
func (p *FactPlan) Skipping(count int64) *FactPlan {
	if count >= p.cube.Rows {
		return p.First(0) // no fact is left
	}
	rest := *p
	rest.skip = count
	return &rest
}

// From is the plan for the facts that come after last.
func (p *FactPlan) From(last Fact, size int) *FactPlan {
	next := *p
	next.FactStatement = *p.Following(last, size)
	return &next
}

// Counting is the plan whose one cell is the number of facts on all pages. It has the filters that the answer repeats. It
// is nil for OfResource, which has no pages.
func (p *FactPlan) Counting() *Plan { return p.counting }

// Total gives the number of facts on all pages, or false if it has to be counted.
func (p *FactPlan) Total() (int64, bool) {
	if len(p.filters) == 0 {
		return p.cube.Rows, true
	}
	return p.total, p.total != unknownTotal
}

// Fields are the columns of the answer: the first of Columns.
func (p *FactPlan) Fields() []cube.Column { return p.columns[:p.fields] }

// OrderAsked is the part of Order that was asked for.
func (p *FactPlan) OrderAsked() []FactSort { return p.order[:p.asked] }

// SortName gives the name of the column that s sorts by.
func (p *FactPlan) SortName(s FactSort) string {
	switch s.Column {
	case ByResource:
		return ResourceField
	case ByLine:
		return LineField
	}
	return query.QuoteName(p.columns[s.Column].Name)
}

// Direction is asc or desc.
func (s FactSort) Direction() string { return query.Direction(s.Desc) }

// String is the canonical question: two plans of one cube with equal strings have equal answers.
func (p *FactPlan) String() string {
	fields := strings.Join(each.Text(p.Fields(), func(c cube.Column) string { return query.QuoteName(c.Name) }), "|")
	clauses := append([][2]string{{"fields", fields}}, p.rowClauses()...)
	if p.size != query.EveryFact {
		clauses = append(clauses, [2]string{"pagesize", strconv.Itoa(p.size)})
	}
	if p.after != nil {
		clauses = append(clauses, [2]string{"after", p.bookmark()})
	}
	if p.skip > 0 {
		clauses = append(clauses, [2]string{"_skip", strconv.FormatInt(p.skip, 10)})
	}
	return query.JoinClauses(clauses)
}

// rowClauses prints the clauses that determine the facts on all pages, and their order.
func (p *FactPlan) rowClauses() [][2]string {
	order := strings.Join(each.Text(p.order, func(s FactSort) string { return p.SortName(s) + ":" + s.Direction() }), ",")
	clauses := append(cutClauses(p.filters), [2]string{"order", order})
	if p.byBytes {
		clauses = append(clauses, [2]string{"_bytes", "1"})
	}
	if p.counting != nil {
		clauses = append(clauses, p.counting.snapshotClauses()...)
	}
	return clauses
}

// BindFacts resolves a question for facts. Its filters are those of a count of rows: the cuts, and the default filter that
// counts one snapshot of each period. If all measures among the fields add up over snapshots (cube.Measure.Flow), there is no
// default filter, so that the facts are those which the amounts count.
func BindFacts(c *cube.Cube, q query.FactQuery) (*FactPlan, error) {
	counting, err := Bind(c, query.Query{
		Cuts: q.Cuts, Snapshots: q.Snapshots, Page: query.FirstPage, Aggregates: []query.AggregateRef{{Func: string(cube.Rows)}},
		EverySnapshot: q.Snapshots != query.AllSnapshots && areFlows(c.Model, columnsNamed(c.Model, q.Fields)),
	})
	if err != nil {
		return nil, err
	}
	p := &FactPlan{FactStatement: FactStatement{cube: c, filters: counting.filters, size: q.Size, byBytes: q.ByBytes}, counting: counting,
		total: unknownTotal}
	if err := p.bindFields(q.Fields); err != nil {
		return nil, err
	}
	counting.factFlows = flowsAmong(c.Model, p.columns)
	if err := p.bindOrder(q.Order); err != nil {
		return nil, err
	}
	p.bindCounts()
	if q.After != "" {
		if err := p.readBookmark(q.After); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// columnsNamed gives the columns that fields name by their names alone.
func columnsNamed(m *cube.Model, fields []query.Ref) []cube.Column {
	return each.Found(fields, func(field query.Ref) (cube.Column, bool) { return m.Column(field.Name) })
}

// ResourceOf gives the index of a resource. The error is unknown-resource where there is none of the name.
func ResourceOf(c *cube.Cube, name string) (int, error) {
	index := slices.IndexFunc(c.Resources, func(r cube.Resource) bool { return r.Name == name })
	if index < 0 {
		names := each.Text(c.Resources, func(r cube.Resource) string { return r.Name })
		return 0, cube.Errorf(cube.CodeUnknownResource, "%s has no resource %q", c.Name, name).Meaning(name, names)
	}
	return index, nil
}

// OfResource is the plan for every fact of a resource, in the order of its file, with the published columns in their
// order, and gives their published names. It leaves out the columns that fiscube made of other cells. The error is
// unknown-resource for a resource that does not exist or was not loaded.
func OfResource(c *cube.Cube, name string) (plan *FactPlan, header []string, err error) {
	index, err := ResourceOf(c, name)
	if err != nil {
		return nil, nil, err
	}
	resource := c.Resources[index]
	if resource.LeftOut != "" {
		return nil, nil, cube.Errorf(cube.CodeUnknownResource, "the rows of %q are not loaded", name).WithHint(resource.LeftOut)
	}
	plan = &FactPlan{FactStatement: FactStatement{cube: c, filters: []Filter{ofResource(index)}, size: query.EveryFact},
		total: unknownTotal}
	for _, field := range headerOf(c, resource) {
		if column, ok := publishedAs(c, field); ok {
			plan.columns = append(plan.columns, column)
			header = append(header, field)
		}
	}
	plan.fields = len(plan.columns)
	plan.completeOrder()
	return plan, header, nil
}

// LinesOf is the plan for the facts of a resource from so many lines before one on, as many as there may be around it. It gives
// what OfResource gives, and the index of the resource.
func LinesOf(c *cube.Cube, name string, line, around int64) (p *FactPlan, header []string, index int, err error) {
	whole, header, err := OfResource(c, name)
	if err != nil {
		return nil, nil, 0, err
	}
	index = slices.IndexFunc(c.Resources, func(r cube.Resource) bool { return r.Name == name })
	return whole.From(Fact{Resource: index, Line: max(line-around, 1) - 1}, int(2*around+1)), header, index, nil
}

// File is a loaded file of a package: the names of its columns, and where the cells of each are.
type File struct {
	Resource int // its index in Package.Resources
	Header   []string
	Cells    []int // for each column of the header its index in FactPlan.Fields
}

// OfPackage is the plan for every fact of a package, in the order of its files, with the published columns, and gives the
// loaded files. A column that only files have that were not loaded is empty in the first one, since the model names it.
func OfPackage(c *cube.Cube) (*FactPlan, []File) {
	p := &FactPlan{FactStatement: FactStatement{cube: c, size: query.EveryFact}, total: unknownTotal}
	var files []File
	for i, resource := range c.Resources {
		if resource.LeftOut != "" {
			continue
		}
		files = append(files, File{Resource: i})
		p.addFile(&files[len(files)-1], headerOf(c, resource))
	}
	if len(files) > 0 {
		p.addFile(&files[0], p.absentFields())
	}
	p.fields = len(p.columns)
	p.completeOrder()
	return p, files
}

// addFile adds the fields of a file to its header and to the columns of the plan.
func (p *FactPlan) addFile(f *File, fields []string) {
	for _, field := range fields {
		column, ok := publishedAs(p.cube, field)
		if !ok {
			continue
		}
		at := slices.IndexFunc(p.columns, func(c cube.Column) bool { return c.Name == column.Name })
		if at < 0 {
			at = len(p.columns)
			p.columns = append(p.columns, column)
		}
		f.Header, f.Cells = append(f.Header, field), append(f.Cells, at)
	}
}

// absentFields names the published fields of the model that no loaded file has.
func (p *FactPlan) absentFields() []string {
	var names []string
	for _, column := range p.cube.Model.Columns() {
		published, ok := publishedAs(p.cube, column.Name)
		if ok && !slices.ContainsFunc(p.columns, func(c cube.Column) bool { return c.Name == published.Name }) {
			names = append(names, column.Name)
		}
	}
	return names
}

// ofResource makes the filter for the rows of the resource with an index.
func ofResource(index int) Filter {
	column := cube.Column{Name: ResourceField, Type: cube.TypeInteger}
	f := Filter{Ref: ResourceField}
	f.addExact(column, []cube.Value{cube.Integer(int64(index))})
	f.text = f.canonical()
	return f
}

// headerOf names the columns of a resource's file. A version that was loaded before fiscube stored headers has the columns
// of the model, in its order.
func headerOf(c *cube.Cube, r cube.Resource) []string {
	if len(r.Header) > 0 {
		return r.Header
	}
	var names []string
	for _, column := range c.Model.Columns() {
		if _, ok := publishedAs(c, column.Name); ok {
			names = append(names, column.Name)
		}
	}
	return names
}

// publishedAs gives the column with the published cells of a field. If the column with the name of the field holds cells
// made of them, another column holds the published ones.
func publishedAs(c *cube.Cube, field string) (cube.Column, bool) {
	columns := c.Model.Columns()
	i := slices.IndexFunc(columns, func(column cube.Column) bool {
		return column.From != nil && column.From.Rule == cube.RuleCell && column.From.Fields[0] == field
	})
	if i < 0 {
		i = slices.IndexFunc(columns, func(column cube.Column) bool { return column.Name == field && column.From == nil })
	}
	if i < 0 {
		return cube.Column{}, false
	}
	return columns[i], true
}

// Fact is a row of a published file, as it is stored: its amounts are the published ones, whatever the Factor of
// their measure.
type Fact struct {
	Values   []FactValue // one for each of FactStatement.Columns
	Resource int         // its index in Package.Resources
	Line     int64       // where the row begins in the file, the header being line 1
}

// FactValue is the cell of a fact: an Amount where its column holds decimals, and a Value in all others.
type FactValue struct {
	Value  cube.Value
	Amount decimal.NullDecimal
}

// IsMissing tells whether the cell is empty.
func (v FactValue) IsMissing() bool { return v.Value.IsMissing() && !v.Amount.Valid }

// Text gives the cell as text, an amount with scale decimals; "" if it is missing.
func (v FactValue) Text(scale int32) string {
	if v.Amount.Valid {
		return v.Amount.Decimal.StringFixed(scale)
	}
	return v.Value.String()
}

// The columns that locate a fact in its file. Every answer ends in them.
const (
	ResourceField = "_resource"
	LineField     = "_line"
)

// FactSort is one key of the order of facts: snapshots sort in their declared order, other text by length and then by
// bytes (or all text by bytes, FactStatement.ByBytes), and missing comes last in both directions. Every order ends in the
// resource and line, and what tells the facts of one line apart, which are unique.
type FactSort struct {
	Column int // index in FactStatement.Columns, or ByResource, or ByLine
	Desc   bool
}

// The values of FactSort.Column that are no index.
const (
	ByResource = -1
	ByLine     = -2
)

func (p *FactPlan) bindFields(refs []query.Ref) error {
	for _, ref := range refs {
		if isSource(ref) || ref.Dimension == "" && (ref.Name == CountsField || ref.Name == ColumnField) {
			continue // every answer that has them ends in them
		}
		column, err := p.column(ref)
		if err != nil {
			return err
		}
		if p.columnIndex(column.Name) < 0 {
			p.columns = append(p.columns, column)
		}
	}
	if len(refs) == 0 {
		p.columns = slices.Clone(p.Cube().Model.Columns())
	}
	p.fields = len(p.columns)
	return nil
}

// isSource tells whether a ref names one of the columns that locate a fact in its file.
func isSource(ref query.Ref) bool {
	return ref.Dimension == "" && (ref.Name == ResourceField || ref.Name == LineField)
}

// column gives the column of a field; dimension.field is the longer form for the field of a level.
func (p *FactPlan) column(ref query.Ref) (cube.Column, error) {
	model := p.Cube().Model
	column, ok := model.Column(ref.Name)
	level, isLevel := model.Level(ref.Name)
	_, isDimension := model.Dimension(ref.Name)
	_, isMeasure := model.Measure(ref.Dimension)
	switch {
	case ok && (ref.Dimension == "" || isLevel && level.Dimension == ref.Dimension):
		return column, nil
	case isMeasure && !ok:
		return cube.Column{}, cube.Errorf(cube.CodeUnknownRef, "facts have no aggregates").At(ref.At).
			WithHint("name the field: " + query.QuoteName(ref.Dimension))
	case isDimension && !ok:
		return cube.Column{}, cube.Errorf(cube.CodeUnknownRef, "%q is a dimension, no field", ref.Name).At(ref.At).
			WithHint("name one of its fields: " + p.fieldsOf(ref.Name))
	}
	names := each.Text(model.Columns(), func(c cube.Column) string { return c.Name })
	return cube.Column{}, cube.Errorf(cube.CodeUnknownRef, "no field %q", ref.String()).At(ref.At).
		Listing("fields", each.Text(names, query.QuoteName)).Meaning(ref.Name, names)
}

func (p *FactPlan) fieldsOf(dimension string) string {
	d, _ := p.Cube().Model.Dimension(dimension)
	return strings.Join(each.Text(d.Levels, func(l cube.Level) string { return query.QuoteName(l.Ref) }), ", ")
}

func (s *FactStatement) columnIndex(name string) int {
	return slices.IndexFunc(s.columns, func(c cube.Column) bool { return c.Name == name })
}

// bindOrder binds the order and completes it.
func (p *FactPlan) bindOrder(order []query.Order) error {
	for _, o := range order {
		column, err := p.sortColumn(o)
		if err != nil {
			return err
		}
		p.addSort(FactSort{Column: column, Desc: o.Desc})
	}
	p.asked = len(p.order)
	p.completeOrder()
	return nil
}

// addSort adds a sort, unless the order already has that column, or both resource and line where these tell facts apart: later sorts would
// have no effect.
func (s *FactStatement) addSort(sort FactSort) {
	sorts := func(column int) bool {
		return slices.ContainsFunc(s.order, func(o FactSort) bool { return o.Column == column })
	}
	if !sorts(sort.Column) && (!sorts(ByResource) || !sorts(ByLine) || len(s.cube.Apart()) > 0) {
		s.order = append(s.order, sort)
	}
}

// sortColumn gives the index of the column to sort by. It adds a column that is not among the fields.
func (p *FactPlan) sortColumn(o query.Order) (int, error) {
	switch {
	case isSource(o.Ref) && o.Ref.Name == ResourceField:
		return ByResource, nil
	case isSource(o.Ref):
		return ByLine, nil
	}
	column, err := p.column(o.Ref)
	if err != nil {
		return 0, err
	}
	if p.columnIndex(column.Name) < 0 {
		p.columns = append(p.columns, column)
	}
	return p.columnIndex(column.Name), nil
}

// CountsField is a column of facts of all snapshots, if some amounts among the fields add up over snapshots (cube.Measure.Flow)
// and others do not: the fields, joined by |, whose answers count the fact. A fact of an earlier snapshot counts for the
// former alone. With it the facts behind a cell of both kinds add up to each of its amounts.
const CountsField = "_counts"

// factCounts tells for which measures answers count a fact.
type factCounts struct {
	columns     []int // of FactStatement.Columns: those that name a snapshot and its period
	last        map[string]bool
	flows, both cube.Value
}

// bindCounts adds the columns that the column CountsField needs, if there is one.
func (p *FactPlan) bindCounts() {
	h, flows := names{p.cube.Model}.reported(), flowsAmong(p.cube.Model, p.Fields())
	if h == nil || !p.counting.countsAll || len(flows) == 0 || areFlows(p.cube.Model, p.Fields()) {
		return
	}
	p.counting.hasCounts = true
	c := &factCounts{last: map[string]bool{}, flows: measuresText(flows), both: measuresText(measuresAmong(p.cube.Model, p.Fields()))}
	for _, column := range h.Columns {
		if p.columnIndex(column.Name) < 0 {
			p.columns = append(p.columns, column)
		}
		c.columns = append(c.columns, p.columnIndex(column.Name))
	}
	for _, period := range p.counting.periods {
		c.last[KeysID(append(slices.Clone(period.Key), period.Last().Value))] = true
	}
	p.counts = c
}

// HasCounts tells whether the facts have the column CountsField.
func (p *FactPlan) HasCounts() bool { return p.counts != nil }

// Counts gives the cell of a fact in the column CountsField.
func (p *FactPlan) Counts(f Fact) cube.Value {
	keys := make([]cube.Value, len(p.counts.columns))
	for i, column := range p.counts.columns {
		keys[i] = f.Values[column].Value
	}
	if p.counts.last[KeysID(keys)] {
		return p.counts.both
	}
	return p.counts.flows
}

// ColumnField is a column of facts several of which stand in one line of a file: the columns of the file that their amounts stood in,
// joined by |.
const ColumnField = "_column"

// HasColumn tells whether the facts have the column ColumnField.
func (p *FactPlan) HasColumn() bool {
	isAmount := func(c cube.Column) bool { return amountOf(p.cube.Model, c) != "" }
	return len(p.Apart()) > 0 && slices.ContainsFunc(p.Fields(), isAmount)
}

// ColumnOf gives the cell of a fact in the column ColumnField.
func (p *FactPlan) ColumnOf(f Fact) cube.Value {
	apart := map[string]string{}
	for _, i := range p.Apart() {
		apart[p.columns[i].Name] = f.Values[i].Text(0)
	}
	var columns []string
	for _, c := range p.Fields() {
		column := p.cube.Resources[f.Resource].ColumnOf(amountOf(p.cube.Model, c), apart)
		if column != "" && !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
	}
	return cube.Text(strings.Join(columns, "|"))
}

// amountOf gives the field that has the amounts of a column, be it a measure, or the cells that measures are made of; "" if it has none.
func amountOf(m *cube.Model, column cube.Column) string {
	field := column.Name
	if column.From != nil && (column.From.Rule == cube.RuleWhere || column.From.Rule == cube.RuleCell) {
		field = column.From.Fields[0]
	}
	for _, measure := range m.Measures() {
		made, _ := m.Column(measure.Ref)
		if measure.Ref == field || made.From != nil && made.From.Rule == cube.RuleWhere && made.From.Fields[0] == field {
			return field
		}
	}
	return ""
}

// measuresAmong gives the measures among the columns.
func measuresAmong(m *cube.Model, columns []cube.Column) []cube.Measure {
	return each.Found(columns, func(column cube.Column) (cube.Measure, bool) { return m.Measure(column.Name) })
}

// flowsAmong gives those of them that add up over snapshots.
func flowsAmong(m *cube.Model, columns []cube.Column) []cube.Measure {
	return slices.DeleteFunc(measuresAmong(m, columns), func(measure cube.Measure) bool { return !measure.Flow })
}

// areFlows tells whether there are measures among the columns, and all of them add up over snapshots.
func areFlows(m *cube.Model, columns []cube.Column) bool {
	all, flows := measuresAmong(m, columns), flowsAmong(m, columns)
	return len(all) > 0 && len(all) == len(flows)
}

func measuresText(list []cube.Measure) cube.Value {
	return cube.Text(strings.Join(each.Text(list, func(m cube.Measure) string { return m.Ref }), "|"))
}

// AmountColumns gives the columns of a resource's file that hold the amounts of the rows which the statement counts, where the file has
// several columns for amounts of one kind; else none.
func (s *Statement) AmountColumns(r *cube.Resource) (columns []string) {
	if r.Points == nil {
		return nil
	}
	for _, part := range s.parts {
		measure, ok := s.cube.Model.Column(part.Measure)
		at := slices.Index(r.Header, amountOf(s.cube.Model, measure))
		if !ok || at < 0 {
			continue
		}
		for _, point := range r.Points.PerRow {
			if point.Cells[at].From != cube.OriginColumn || !s.mayCount(point, measure) {
				continue
			}
			name := r.Points.File[point.Cells[at].Column].ColumnName()
			isOneOf := len(r.Points.PerRow) > 1 || name != r.Header[at]
			if isOneOf && !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	return columns
}

// mayCount tells whether a measure of the statement may count data points with the constants of one.
func (s *Statement) mayCount(point cube.Point, measure cube.Column) bool {
	constants := map[string]cube.Value{}
	for name, text := range point.Constants {
		if column, ok := s.cube.Model.Column(name); ok {
			if value, err := column.Value(text); err == nil {
				constants[name] = value
			}
		}
	}
	if d := measure.From; d != nil && d.Rule == cube.RuleWhere && !isWhere(d, constants) {
		return false
	}
	return !slices.ContainsFunc(s.filters, func(f Filter) bool {
		return f.match(func(field string) (cube.Value, bool) { value, known := constants[field]; return value, known }) == fails
	})
}

// isWhere tells whether the rows whose amounts are those of a column may have the cells that are known.
func isWhere(d *cube.Derivation, known map[string]cube.Value) bool {
	for i, field := range d.Fields[1:] {
		if value, ok := known[field]; ok && !slices.Contains(d.CellsOf(i), value.String()) {
			return false
		}
	}
	return true
}
