package sqlgen

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// Facts answers a plan of facts in one statement, of which every row holds the columns of the plan, then _resource
// and _line. Without a page it is a plain reading in order. Of a page, p finds where its facts stand, reading no more
// columns than filters and order need; PostgreSQL has an index on these places, DuckDB the least and the greatest of
// each block of rows, so both fetch the facts themselves without reading the others.
func Facts(p *cube.FactPlan) Statement {
	r := &renderer{}
	if p.Size() == cube.EveryFact {
		r.write("SELECT ", factColumns(p), "\nFROM ", FactTable(p.Cube().ID), " AS f")
		r.factsWhere(p)
	} else {
		r.write("WITH p AS (SELECT f._resource, f._line FROM ", FactTable(p.Cube().ID), " AS f")
		r.factsWhere(p)
		r.factsOrder(p)
		r.write(" LIMIT ", r.bind(int64(p.Size())), ")\nSELECT ", factColumns(p), "\nFROM p JOIN ", FactTable(p.Cube().ID),
			" AS f ON f._resource = p._resource AND f._line = p._line")
	}
	r.factsOrder(p)
	return r.statement()
}

// IndexFacts makes the index that finds a fact by where it stands.
func IndexFacts(id int64) string { return "CREATE INDEX ON " + FactTable(id) + " (_resource, _line)" }

func factColumns(p *cube.FactPlan) string {
	return list(len(p.Columns()), "", func(i int) string { return "f." + column(p.Columns()[i].Name) + ", " }) +
		"f._resource, f._line"
}

// factsWhere writes the filters, and that a fact comes after the last one read.
func (r *renderer) factsWhere(p *cube.FactPlan) {
	r.where(p.Filters())
	if p.After() == nil {
		return
	}
	if len(p.Filters()) == 0 {
		r.write(" WHERE ")
	} else {
		r.write(" AND ")
	}
	if p.InFileOrder() {
		r.write(r.afterPlace(p.After()[0].Value, p.After()[1].Value))
		return
	}
	r.write("(", r.after(p, 0), ")")
}

// afterPlace compares both columns at once, which an index does; a store without looks at the first one alone to
// leave blocks of rows out.
func (r *renderer) afterPlace(resource, line cube.Value) string {
	first := r.bindValue(resource)
	return "f._resource >= " + first + " AND (f._resource, f._line) > (" + first + ", " + r.bindValue(line) + ")"
}

// after writes that a fact comes after in the order of the i-th sort and those behind it: by that sort, or the same
// by it and after by the next.
func (r *renderer) after(p *cube.FactPlan, i int) string {
	beyond, same := r.beyond(p, p.Order()[i], p.After()[i])
	if i == len(p.Order())-1 {
		return beyond
	}
	return beyond + " OR (" + same + " AND (" + r.after(p, i+1) + "))"
}

// beyond writes that a fact comes after a value by one sort, and that it is the same. Missing is after all others in
// both directions.
func (r *renderer) beyond(p *cube.FactPlan, s cube.FactSort, v cube.FactValue) (beyond, same string) {
	name, kind := sortColumn(p, s)
	compare := " > "
	if s.Desc {
		compare = " < "
	}
	switch order := statedOrder(p, s); {
	case len(order) > 0 && !v.IsMissing():
		return r.beyondStated(name, compare, order, v.Value)
	case kind == cube.TypeText:
		return r.beyondText(name, compare, v.Value)
	case v.IsMissing():
		return "false", name + " IS NULL"
	}
	bound := r.bindFactValue(p, s, v)
	if s.Column < 0 { // never missing
		return name + compare + bound, name + " = " + bound
	}
	return "(" + name + compare + bound + " OR " + name + " IS NULL)", name + " = " + bound
}

// statedOrder gives the order declared for the statements that a sort goes by, if it goes by them.
func statedOrder(p *cube.FactPlan, s cube.FactSort) []cube.Value {
	if s.Column < 0 {
		return nil
	}
	return sortOrder(p.Cube(), p.Columns()[s.Column].Name)
}

// beyondStated compares places in a declared order. What has none is after all that have one.
func (r *renderer) beyondStated(name, compare string, order []cube.Value, v cube.Value) (beyond, same string) {
	place := r.place(order, name)
	return "(" + place + compare + strconv.Itoa(slices.Index(order, v)) + " OR " + place + " IS NULL)", name + " = " + r.bindValue(v)
}

// beyondText compares lengths before bytes. Missing text is the empty one.
func (r *renderer) beyondText(name, compare string, v cube.Value) (beyond, same string) {
	if v.IsMissing() {
		return "false", name + " = ''"
	}
	bound, length := r.bind(v.String()), r.bind(int64(utf8.RuneCountInString(v.String())))
	beyond = "(length(" + name + ")" + compare + length +
		" OR (length(" + name + ") = " + length + " AND " + name + compare + bound + ") OR " + name + " = '')"
	return beyond, name + " = " + bound
}

// bindFactValue binds the value of a number. An amount is bound as its digits, and cast by its column's decimals.
func (r *renderer) bindFactValue(p *cube.FactPlan, s cube.FactSort, v cube.FactValue) string {
	if !v.Amount.Valid {
		return r.bindValue(v.Value)
	}
	scale := p.Columns()[s.Column].Scale
	return "CAST(" + r.bind(v.Amount.Decimal.String()) + " AS DECIMAL(38," + strconv.Itoa(scale) + "))"
}

func sortColumn(p *cube.FactPlan, s cube.FactSort) (name string, kind cube.ColumnType) {
	switch s.Column {
	case cube.ByResource:
		return "f._resource", cube.TypeInteger
	case cube.ByLine:
		return "f._line", cube.TypeInteger
	}
	c := p.Columns()[s.Column]
	return "f." + column(c.Name), c.Type
}

// factsOrder writes the complete order.
func (r *renderer) factsOrder(p *cube.FactPlan) {
	var keys []string
	for _, s := range p.Order() {
		name, kind := sortColumn(p, s)
		direction := ""
		if s.Desc {
			direction = " DESC"
		}
		switch {
		case s.Column < 0: // never missing
			keys = append(keys, name+direction)
		case kind == cube.TypeDecimal:
			keys = append(keys, name+direction+" NULLS LAST")
		default:
			keys = append(keys, r.keyOrder(statedOrder(p, s), kind, name, direction))
		}
	}
	r.write(" ORDER BY ", strings.Join(keys, ", "))
}

// ReadFacts reads the rows of the statement that Facts made for the plan. A row holds nil, int32, int64, string and
// decimal.Decimal alone, whichever the store.
func ReadFacts(p *cube.FactPlan, rows iter.Seq2[[]any, error]) iter.Seq2[cube.Fact, error] {
	return func(yield func(cube.Fact, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(cube.Fact{}, err)
				return
			}
			if !yield(fact(p.Columns(), row), nil) {
				return
			}
		}
	}
}

func fact(columns []cube.Column, row []any) cube.Fact {
	f := cube.Fact{Values: make([]cube.FactValue, len(columns))}
	for i, c := range columns {
		if c.Type == cube.TypeDecimal {
			f.Values[i].Amount = number(row[i])
		} else {
			f.Values[i].Value = value(row[i])
		}
	}
	place := row[len(columns):]
	f.Resource, f.Line = int(place[0].(int32)), place[1].(int64)
	return f
}

// FactPages reads a plan of every fact so many at a time, for a store whose driver would hold the whole answer.
func FactPages(p *cube.FactPlan, size int, read func(*cube.FactPlan) iter.Seq2[cube.Fact, error]) iter.Seq2[cube.Fact, error] {
	return func(yield func(cube.Fact, error) bool) {
		page := p.Limited(size)
		for {
			var last cube.Fact
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
			page = p.Following(last, size)
		}
	}
}
