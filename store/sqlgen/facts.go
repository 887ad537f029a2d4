package sqlgen

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Facts makes the query for a statement for facts. Each of its rows has the columns of the statement, then _resource and
// _line. Without a page it reads all facts in order. For a page, p first finds the _resource and _line of its facts, with what tells those of one line apart, and
// reads only the columns that filters and order need. The facts are then fetched by these: PostgreSQL has an index on them,
// and DuckDB the least and greatest value of each block of rows, so neither reads the other facts.
func Facts(s *plan.FactStatement) SQL {
	r := &renderer{}
	if s.Size() == query.EveryFact {
		r.write("SELECT ", factColumns(s), "\nFROM ", FactTable(s.Cube().ID), " AS f")
		r.factsWhere(s)
	} else {
		apart := s.Apart()
		r.write("WITH p AS (SELECT f._resource, f._line", list(len(apart), "", func(i int) string { return ", f." + column(s.Columns()[apart[i]].Name) }), " FROM ", FactTable(s.Cube().ID), " AS f")
		r.factsWhere(s)
		r.factsOrder(s)
		r.write(" LIMIT ", r.bind(int64(s.Size())))
		if s.Skip() > 0 {
			r.write(" OFFSET ", r.bind(s.Skip()))
		}
		r.write(")\nSELECT ", factColumns(s), "\nFROM p JOIN ", FactTable(s.Cube().ID),
			" AS f ON f._resource = p._resource AND f._line = p._line", list(len(apart), "", func(i int) string {
				name := column(s.Columns()[apart[i]].Name)
				return " AND f." + name + " IS NOT DISTINCT FROM p." + name
			}))
	}
	r.factsOrder(s)
	return r.sql()
}

// IndexFacts makes the index that finds a fact by its resource and line.
func IndexFacts(id int64) string { return "CREATE INDEX ON " + FactTable(id) + " (_resource, _line)" }

func factColumns(s *plan.FactStatement) string {
	return list(len(s.Columns()), "", func(i int) string { return "f." + column(s.Columns()[i].Name) + ", " }) +
		"f._resource, f._line"
}

// factsWhere writes the filters, the lines of the facts, and the condition that a fact comes after the last one read.
func (r *renderer) factsWhere(s *plan.FactStatement) {
	r.where(s.Filters())
	and := " AND "
	if len(s.Filters()) == 0 {
		and = " WHERE "
	}
	if lines := s.Lines(); lines != nil {
		r.write(and, "f._resource = ", r.bind(lines.Resource), " AND f._line BETWEEN ", r.bind(lines.First), " AND ", r.bind(lines.Last))
		and = " AND "
	}
	switch {
	case s.After() == nil:
	case s.IsInFileOrder():
		r.write(and, r.afterInFile(s.After()[0].Value, s.After()[1].Value))
	default:
		r.write(and, "(", r.after(s, 0), ")")
	}
}

// nextFact makes the query for the first fact of a version that stands after a line of a file: its _resource and _line. There is none
// after the last.
func nextFact(id int64, resource int, line int64) SQL {
	r := &renderer{}
	r.write("SELECT f._resource, f._line FROM ", FactTable(id), " AS f WHERE ",
		r.afterInFile(cube.Integer(int64(resource)), cube.Integer(line)), " ORDER BY f._resource, f._line LIMIT 1")
	return r.sql()
}

// afterInFile compares both columns at once, for which PostgreSQL uses its index. DuckDB has no index: it skips blocks of rows
// by the first condition.
func (r *renderer) afterInFile(resource, line cube.Value) string {
	first := r.bindValue(resource)
	return "f._resource >= " + first + " AND (f._resource, f._line) > (" + first + ", " + r.bindValue(line) + ")"
}

// after writes the condition that a fact comes after the last one read by the sorts from the i-th on: it comes after by the
// i-th sort, or is equal by it and comes after by the next sorts.
func (r *renderer) after(s *plan.FactStatement, i int) string {
	beyond, same := r.beyond(s, s.Order()[i], s.After()[i])
	if i == len(s.Order())-1 {
		return beyond
	}
	return beyond + " OR (" + same + " AND (" + r.after(s, i+1) + "))"
}

// beyond writes the conditions that a fact comes after a value by one sort, and that it has the same value. Missing comes
// after all others in both directions.
func (r *renderer) beyond(s *plan.FactStatement, o plan.FactSort, v plan.FactValue) (beyond, same string) {
	name, kind := sortColumn(s, o)
	compare := " > "
	if o.Desc {
		compare = " < "
	}
	switch order := declaredOrder(s, o); {
	case len(order) > 0 && !v.IsMissing():
		return r.beyondDeclared(name, compare, order, v.Value)
	case kind == cube.TypeText:
		return r.beyondText(name, compare, v.Value, s.ByBytes())
	case v.IsMissing():
		return "false", name + " IS NULL"
	}
	bound := r.bindFactValue(s, o, v)
	if o.Column < 0 { // never missing
		return name + compare + bound, name + " = " + bound
	}
	return "(" + name + compare + bound + " OR " + name + " IS NULL)", name + " = " + bound
}

// declaredOrder gives the declared order of the snapshots that a sort sorts by, or nil.
func declaredOrder(s *plan.FactStatement, o plan.FactSort) []cube.Value {
	if o.Column < 0 || s.ByBytes() {
		return nil
	}
	return sortOrder(s.Cube(), s.Columns()[o.Column].Name)
}

// beyondDeclared compares indexes in a declared order. Values outside it come last.
func (r *renderer) beyondDeclared(name, compare string, order []cube.Value, v cube.Value) (beyond, same string) {
	index := r.orderIndex(order, name)
	return "(" + index + compare + strconv.Itoa(slices.Index(order, v)) + " OR " + index + " IS NULL)", name + " = " + r.bindValue(v)
}

// beyondText compares lengths before bytes, or bytes alone. Missing text is the empty text.
func (r *renderer) beyondText(name, compare string, v cube.Value, byBytes bool) (beyond, same string) {
	switch {
	case v.IsMissing():
		return "false", name + " = ''"
	case byBytes:
		bound := r.bind(v.String())
		return "(" + name + compare + bound + " OR " + name + " = '')", name + " = " + bound
	}
	bound, length := r.bind(v.String()), r.bind(int64(utf8.RuneCountInString(v.String())))
	beyond = "(length(" + name + ")" + compare + length +
		" OR (length(" + name + ") = " + length + " AND " + name + compare + bound + ") OR " + name + " = '')"
	return beyond, name + " = " + bound
}

// bindFactValue binds a whole number or an amount. An amount is bound as text and cast to the scale of its column.
func (r *renderer) bindFactValue(s *plan.FactStatement, o plan.FactSort, v plan.FactValue) string {
	if !v.Amount.Valid {
		return r.bindValue(v.Value)
	}
	scale := s.Columns()[o.Column].Scale
	return "CAST(" + r.bind(v.Amount.Decimal.String()) + " AS DECIMAL(38," + strconv.Itoa(scale) + "))"
}

func sortColumn(s *plan.FactStatement, o plan.FactSort) (name string, kind cube.ColumnType) {
	switch o.Column {
	case plan.ByResource:
		return "f._resource", cube.TypeInteger
	case plan.ByLine:
		return "f._line", cube.TypeInteger
	}
	c := s.Columns()[o.Column]
	return "f." + column(c.Name), c.Type
}

// factsOrder writes the complete order.
func (r *renderer) factsOrder(s *plan.FactStatement) {
	var keys []string
	for _, o := range s.Order() {
		name, _ := sortColumn(s, o)
		if o.Column == plan.ByResource && s.Lines() != nil {
			continue // PostgreSQL takes many times as long to sort by two columns of which the first has one value
		}
		if o.Column < 0 { // never missing
			keys = append(keys, name+direction(o.Desc))
			continue
		}
		keys = append(keys, r.columnOrder(s.Cube(), s.Columns()[o.Column], name, o.Desc, s.ByBytes()))
	}
	r.write(" ORDER BY ", strings.Join(keys, ", "))
}

// ReadFacts reads the rows of the query that Facts makes for the statement.
func ReadFacts(s *plan.FactStatement, rows iter.Seq2[[]any, error]) iter.Seq2[plan.Fact, error] {
	return func(yield func(plan.Fact, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(plan.Fact{}, err)
				return
			}
			if !yield(fact(s.Columns(), row), nil) {
				return
			}
		}
	}
}

func fact(columns []cube.Column, row []any) plan.Fact {
	f := plan.Fact{Values: make([]plan.FactValue, len(columns))}
	for i, c := range columns {
		if c.Type == cube.TypeDecimal {
			f.Values[i].Amount = number(row[i])
		} else {
			f.Values[i].Value = value(row[i])
		}
	}
	source := row[len(columns):]
	f.Resource, f.Line = int(source[0].(int32)), source[1].(int64)
	return f
}

// FactsByLines answers a statement for every fact, in the order of the files, some lines at a time, so that no machine sorts all. It asks
// for as many lines as have about so many facts that pass the filters, and skips lines that no fact stands in.
func FactsByLines(s *plan.FactStatement, size int64, ask func(SQL) iter.Seq2[[]any, error]) iter.Seq2[plan.Fact, error] {
	return func(yield func(plan.Fact, error) bool) {
		resource, line, count := 0, int64(-1), size
		for {
			lines, err := nextLines(ask(nextFact(s.Cube().ID, resource, line)), count)
			if err != nil {
				yield(plan.Fact{}, err)
				return
			}
			if lines == nil {
				return
			}
			facts := int64(0)
			for fact, err := range ReadFacts(s, ask(Facts(s.In(*lines)))) {
				if !yield(fact, err) || err != nil {
					return
				}
				facts++
			}
			if resource, line = lines.Resource, lines.Last; facts < size/2 {
				count = min(2*count, mostTimes*size)
			} else {
				count = max(size, count/2)
			}
		}
	}
}

// mostTimes is how many times as many lines as facts are asked for at most: after lines that a filter leaves out may come as many that
// all pass it.
const mostTimes = 16

// nextLines gives so many lines from the first one that a row names, or nil if there is no row.
func nextLines(rows iter.Seq2[[]any, error], count int64) (*plan.Lines, error) {
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		first := row[1].(int64)
		return &plan.Lines{Resource: int(row[0].(int32)), First: first, Last: first + count - 1}, nil
	}
	return nil, nil
}

// FactPages answers a statement for every fact in pages of a size, for a store whose driver would hold the whole answer in
// memory.
func FactPages(s *plan.FactStatement, size int, read func(*plan.FactStatement) iter.Seq2[plan.Fact, error]) iter.Seq2[plan.Fact, error] {
	return func(yield func(plan.Fact, error) bool) {
		page := s.Limited(size)
		for {
			var last plan.Fact
			n := 0
			for fact, err := range read(page) {
				if !yield(fact, err) || err != nil {
					return
				}
				last = fact
				n++
			}
			if n < size {
				return
			}
			page = s.Following(last, size)
		}
	}
}
