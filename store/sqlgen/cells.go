package sqlgen

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Cells makes the query for a statement. Each of its rows has, in this order:
//
//	n        the number of cells on all pages
//	t0 …     the parts over all cells
//	one      1, or NULL if the page has no cell
//	k0 …     the keys
//	l0 …     the labels of the levels that labelled(statement) lists
//	r0 …     the ranks of the levels that ranked(statement) lists
//	a0 …     the parts of the cell
//
// If the page has no cell, the query gives one row, in which one is NULL, so that the count and the totals are always there.
func Cells(s *plan.Statement) SQL {
	r := &renderer{}
	r.write("WITH g AS (")
	r.cells(s)
	r.write("),\ns AS (SELECT count(*) AS n", totals(s), " FROM g),\np AS (SELECT g.*, 1 AS one FROM g")
	r.sortJoins(s, "g")
	r.orderBy(s, "g")
	r.limit(s.Page())
	r.write(")\nSELECT s.n", columns(s), "\nFROM s LEFT JOIN p ON true")
	r.labelJoins(s, "p")
	r.orderBy(s, "p")
	return r.sql()
}

// labelled lists the indexes of the levels with labels.
func labelled(s *plan.Statement) []int {
	var levels []int
	for i, l := range s.Levels() {
		if l.LabelRef != "" {
			levels = append(levels, i)
		}
	}
	return levels
}

// ranked lists the indexes of the levels whose labels the statement sorts by.
func ranked(s *plan.Statement) []int {
	var levels []int
	for i := range s.Levels() {
		if slices.ContainsFunc(s.Order(), func(o plan.Sort) bool { return o.By == plan.ByLabel && o.Index == i }) {
			levels = append(levels, i)
		}
	}
	return levels
}

// cells writes the groups that meet the conditions of having.
func (r *renderer) cells(s *plan.Statement) {
	if len(s.Having()) == 0 {
		r.groups(s)
		return
	}
	r.write("SELECT h.* FROM (")
	r.groups(s)
	r.write(") AS h WHERE ", r.conditions(s))
}

// groups writes the keys and parts of the groups of facts. Labels are not part of the grouping.
func (r *renderer) groups(s *plan.Statement) { r.groupsWith(s, r.groupColumns(s)) }

// groupColumns are the keys and parts of a group.
func (r *renderer) groupColumns(s *plan.Statement) []string {
	keys, parts := s.Keys(), s.Parts()
	columns := make([]string, 0, len(keys)+len(parts))
	for i, k := range keys {
		columns = append(columns, "f."+column(k.Name)+numbered(" AS k", i))
	}
	only := r.partRows(s)
	for i, part := range parts {
		columns = append(columns, partOf(part)+only.filter(part)+numbered(" AS a", i))
	}
	return columns
}

// groupsWith writes these columns of the groups of facts.
func (r *renderer) groupsWith(s *plan.Statement, columns []string) {
	r.write("SELECT ", strings.Join(columns, ", "))
	r.write(" FROM ", FactTable(s.Cube().ID), " AS f")
	r.where(s.Filters())
	if keys := s.Keys(); len(keys) > 0 {
		r.write(" GROUP BY ", list(len(keys), ", ", func(i int) string { return "f." + column(keys[i].Name) }))
	}
}

// partRows has the conditions on the rows of some parts, which share their arguments.
type partRows struct {
	guard string // of the guarded parts; "" if every row passes
	years map[cube.Value]string
}

func (r *renderer) partRows(s *plan.Statement) partRows {
	only := partRows{years: map[cube.Value]string{}}
	if s.Guard() != nil {
		only.guard = r.anyOf(s.Guard().Any)
	}
	for _, part := range s.Parts() {
		if part.ByYear && only.years[part.Year] == "" {
			only.years[part.Year] = r.anyOf(s.YearOf(part).Any)
		}
	}
	return only
}

// filter writes which rows a part is of.
func (p partRows) filter(part plan.Part) string {
	guarded := part.Guarded && p.guard != ""
	switch {
	case guarded && part.ByYear:
		return " FILTER (WHERE (" + p.guard + ") AND " + p.years[part.Year] + ")"
	case guarded:
		return " FILTER (WHERE " + p.guard + ")"
	case part.ByYear:
		return " FILTER (WHERE " + p.years[part.Year] + ")"
	}
	return ""
}

func partOf(part plan.Part) string {
	if part.Func == cube.Rows {
		return "count(*)"
	}
	return string(part.Func) + "(f." + column(part.Measure) + ")"
}

// totals writes the parts over all cells. Sums of counts are cast to bigint, since they are numeric in one store and hugeint
// in the other. Over no cells counts are 0, and sums are null.
func totals(s *plan.Statement) string {
	return list(len(s.Parts()), "", func(i int) string {
		a, t := numbered("a", i), numbered(" AS t", i)
		switch s.Parts()[i].Func {
		case cube.Rows, cube.Count:
			return ", CAST(coalesce(sum(" + a + "), 0) AS bigint)" + t
		case cube.Min, cube.Max:
			return ", " + string(s.Parts()[i].Func) + "(" + a + ")" + t
		}
		return ", sum(" + a + ")" + t
	})
}

func columns(s *plan.Statement) string {
	withLabel, withRank := labelled(s), ranked(s)
	return list(len(s.Parts()), "", func(i int) string { return numbered(", s.t", i) }) +
		", p.one" +
		list(len(s.Keys()), "", func(i int) string { return numbered(", p.k", i) }) +
		list(len(withLabel), "", func(i int) string { return numbered(", m", withLabel[i]) + ".label" }) +
		list(len(withRank), "", func(i int) string { return numbered(", m", withRank[i]) + "._rank" }) +
		list(len(s.Parts()), "", func(i int) string { return numbered(", p.a", i) })
}

// limit writes the page; an export has none.
func (r *renderer) limit(page query.Page) {
	if page.Size < 0 {
		return
	}
	offset := int64(page.Number-1) * int64(page.Size)
	r.write(" LIMIT ", r.bind(int64(page.Size)), " OFFSET ", r.bind(offset))
}

// readCells reads the rows of the query that Cells makes for the statement.
func readCells(s *plan.Statement, rows iter.Seq2[[]any, error]) (plan.Result, error) {
	c, row, err := begin(rows)
	if err != nil {
		return plan.Result{}, err
	}
	r := newRowReader(s)
	groups := func(yield func(plan.Group, error) bool) {
		if row[r.one] == nil || !yield(r.group(row), nil) {
			return
		}
		for row, err := range c.rest {
			if err != nil {
				yield(plan.Group{}, err)
				return
			}
			if !yield(r.group(row), nil) {
				return
			}
		}
	}
	return plan.Result{Count: row[0].(int64), Total: numbers(row[r.totals : r.totals+r.n]), Groups: groups, Close: c.close}, nil
}

// rowReader has the index of the column at which each group of values begins.
type rowReader struct {
	*plan.Statement
	labelled, ranked                           []int
	totals, one, keys, labels, ranks, parts, n int
}

func newRowReader(s *plan.Statement) *rowReader {
	r := &rowReader{Statement: s, labelled: labelled(s), ranked: ranked(s), totals: 1, n: len(s.Parts())}
	r.one = r.totals + r.n
	r.keys = r.one + 1
	r.labels = r.keys + len(s.Keys())
	r.ranks = r.labels + len(r.labelled)
	r.parts = r.ranks + len(r.ranked)
	return r
}

func (r *rowReader) group(row []any) plan.Group {
	keys, levels := len(r.Keys()), len(r.Levels())
	texts := make([]cube.Value, keys+2*levels) // one allocation for all three
	g := plan.Group{
		Keys:   texts[:keys:keys],
		Labels: texts[keys : keys+levels : keys+levels],
		Ranks:  texts[keys+levels:],
		Parts:  numbers(row[r.parts : r.parts+r.n]),
	}
	for i := range g.Keys {
		g.Keys[i] = value(row[r.keys+i])
	}
	for i, level := range r.labelled {
		g.Labels[level] = r.label(row[r.labels+i], level, g.Keys)
	}
	for i, level := range r.ranked {
		g.Ranks[level] = value(row[r.ranks+i])
	}
	return g
}

func (r *rowReader) label(text any, level int, keys []cube.Value) cube.Value {
	s, _ := text.(string)
	return labelOrKey(r.Statement, level, s, keys)
}

// labelOrKey gives a label or, if there is none, the key of its level.
func labelOrKey(s *plan.Statement, level int, label string, keys []cube.Value) cube.Value {
	if label != "" {
		return cube.Text(label)
	}
	for i, k := range s.Keys() {
		if k.Name == s.Levels()[level].Ref && !keys[i].IsMissing() {
			return cube.Text(keys[i].String())
		}
	}
	return cube.Missing
}

func numbers(parts []any) []decimal.NullDecimal {
	list := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		list[i] = number(part)
	}
	return list
}

func value(v any) cube.Value {
	switch v := v.(type) {
	case nil:
		return cube.Missing
	case string:
		return cube.Text(v)
	case int32:
		return cube.Integer(int64(v))
	case int64:
		return cube.Integer(v)
	}
	panic(fmt.Sprintf("a key of type %T", v))
}

func number(v any) decimal.NullDecimal {
	switch v := v.(type) {
	case nil:
		return decimal.NullDecimal{}
	case int64:
		return decimal.NewNullDecimal(decimal.NewFromInt(v))
	case decimal.Decimal:
		return decimal.NewNullDecimal(v)
	}
	panic(fmt.Sprintf("an amount of type %T", v))
}
