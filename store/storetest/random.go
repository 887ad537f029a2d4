package storetest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// questioner makes up questions about a version of a package. Equal seeds make equal questions.
type questioner struct {
	random  *rand.Rand
	version *cube.Cube
	oracle  *oracle  // for values that occur
	anchor  []string // a row that most cuts admit, so that the answer is not always empty
	refused int      // wishes that Bind refused
}

func newQuestioner(version *cube.Cube, o *oracle, number int) *questioner {
	q := &questioner{random: rand.New(rand.NewPCG(uint64(number), 1)), version: version, oracle: o}
	q.anchor = make([]string, len(o.places))
	if len(o.rows) > 0 {
		q.anchor = pick(q, o.rows)
	}
	return q
}

// question makes up a whole one. What it can be ordered by is known once the rest of it is bound.
func (q *questioner) question() (string, error) {
	var parts []string
	parts = q.clause(parts, "drilldown", "|", q.times(pick(q, []int{0, 1, 1}), 3, q.drilldown))
	cuts := q.times(0, pick(q, []int{0, 1, 3}), q.cut)
	if year, ok := q.version.Model.FiscalYear(); ok && len(q.oracle.rows) > 0 && q.chance(30) {
		cuts = append(cuts, q.yearCut(year))
	}
	parts = q.clause(parts, "cut", "|", cuts)
	if q.chance(70) {
		parts = q.clause(parts, "aggregates", "|", q.times(1, 4, q.aggregate))
	}
	if q.version.Model.Snapshots() != nil && q.chance(20) {
		parts = append(parts, "snapshots=all")
	}
	plan, err := bind(q.version, strings.Join(parts, "&"))
	if err != nil && mayBeRefused(err) {
		q.refused++
		parts = slices.DeleteFunc(parts, func(part string) bool { return strings.HasPrefix(part, "aggregates=") })
		plan, err = bind(q.version, strings.Join(parts, "&"))
	}
	if err != nil {
		return strings.Join(parts, "&"), err
	}
	if parts, plan, err = q.wished(parts, plan); err != nil {
		return strings.Join(parts, "&"), err
	}
	if columns := plan.Columns(); q.chance(70) {
		parts = q.clause(parts, "order", ",", q.times(1, 3, func() string { return q.order(plan, columns) }))
	}
	if q.chance(70) {
		parts = append(parts, "pagesize="+pick(q, []string{"0", "1", "7", "50", "1000", "10000", "10000"}))
	}
	if q.chance(25) {
		parts = append(parts, "page="+pick(q, []string{"1", "2", "2", "3", "9", "1099511627776"}))
	}
	return strings.Join(parts, "&"), nil
}

func (q *questioner) clause(parts []string, name, separator string, items []string) []string {
	if len(items) == 0 {
		return parts
	}
	return append(parts, name+"="+strings.Join(items, separator))
}

// times makes from least to most items.
func (q *questioner) times(least, most int, make func() string) []string {
	items := []string{}
	for range least + q.random.IntN(most-least+1) {
		items = append(items, make())
	}
	return items
}

func (q *questioner) chance(percent int) bool { return q.random.IntN(100) < percent }

func pick[T any](q *questioner, from []T) T { return from[q.random.IntN(len(from))] }

// drilldown names a level in one of the ways there are.
func (q *questioner) drilldown() string {
	level := pick(q, q.version.Model.Levels())
	switch q.random.IntN(4) {
	case 0:
		if level.LabelRef != "" {
			return q.name(level.LabelRef)
		}
	case 1:
		return q.name(level.Dimension) + "." + q.name(level.Ref)
	case 2:
		if dimension, ok := q.chained(); ok {
			return q.name(dimension.Name)
		}
	}
	return q.name(level.Ref)
}

// chained picks a dimension that has one chain and is not hidden by a field of its name.
func (q *questioner) chained() (cube.Dimension, bool) {
	model := q.version.Model
	dimensions := slices.DeleteFunc(slices.Clone(model.Dimensions()), func(d cube.Dimension) bool {
		_, hidden := model.Level(d.Name)
		return hidden || len(d.Chains()) != 1
	})
	if len(dimensions) == 0 {
		return cube.Dimension{}, false
	}
	return pick(q, dimensions), true
}

func (q *questioner) aggregate() string {
	if q.chance(30) {
		return q.formula()
	}
	return q.plainAggregate()
}

func (q *questioner) plainAggregate() string {
	measures := q.version.Model.Measures()
	if len(measures) == 0 || q.chance(20) {
		return "_count"
	}
	return q.name(pick(q, measures).Ref) + "." + pick(q, []string{"sum", "count", "avg", "min", "max"})
}

func (q *questioner) order(plan *cube.Plan, columns []string) string {
	column := pick(q, columns)
	if !slices.ContainsFunc(plan.Aggregates(), func(a cube.Aggregate) bool { return a.Name == column }) {
		column = q.name(column)
	}
	return column + pick(q, []string{"", ":asc", ":desc"})
}

// name writes a name bare where it can be, and sometimes as a JSON string all the same.
func (q *questioner) name(name string) string {
	if strings.ContainsAny(name, `|:;,.~!<>=()/"`) || q.chance(10) {
		return quoted(name)
	}
	return name
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(b)
}

// row picks a row that there is.
func (q *questioner) row() []string {
	if len(q.oracle.rows) == 0 || q.chance(70) {
		return q.anchor
	}
	return pick(q, q.oracle.rows)
}

// cut makes up a term: a set of values, ranges and missing on a level, or of paths on a dimension.
func (q *questioner) cut() string {
	not := ""
	if q.chance(20) {
		not = "!"
	}
	if dimension, ok := q.chained(); ok && q.chance(25) {
		levels := dimension.Chains()[0]
		path := levels[len(levels)-1].Path
		if len(path) > 1 {
			return not + q.name(dimension.Name) + ":" + strings.Join(q.times(1, 3, func() string { return q.path(path) }), ";")
		}
	}
	level := pick(q, q.version.Model.Levels())
	if q.chance(25) && !q.tellsStatements(level) {
		return not + q.labelCut(level)
	}
	return not + q.name(level.Ref) + ":" + strings.Join(q.times(1, 4, func() string { return q.item(level) }), ";")
}

// path makes up a path that occurs, or nearly.
func (q *questioner) path(fields []string) string {
	row := q.row()
	keys := []string{}
	for _, field := range fields[:1+q.random.IntN(len(fields))] {
		column, _ := q.version.Model.Column(field)
		if q.chance(10) {
			row = q.row()
		}
		keys = append(keys, q.value(q.oracle.value(row, column)))
	}
	return strings.Join(keys, "/")
}

func (q *questioner) item(level cube.Level) string {
	column, _ := q.version.Model.Column(level.Ref)
	value := func() cube.Value { return q.oracle.value(q.row(), column) }
	switch q.random.IntN(10) {
	case 0:
		return pick(q, []string{"", `""`})
	case 1:
		return q.stranger(column)
	case 2, 3, 4:
		return q.between(column, value(), value())
	}
	return q.value(value())
}

// stranger is a value that hardly occurs.
func (q *questioner) stranger(column cube.Column) string {
	if column.Type == cube.TypeInteger {
		return strconv.FormatInt(q.random.Int64()-q.random.Int64(), 10)
	}
	return pick(q, []string{"no such key", "'; DROP TABLE x; --", "%", "_", "NULL", "ž", "\"\\u0001\"", "\"\U0001F600\""})
}

// between makes up a range; of text only keys of one length make one, but for statements in their declared order.
func (q *questioner) between(column cube.Column, from, to cube.Value) string {
	switch {
	case from.IsMissing():
		return `""`
	case q.chance(25):
		return q.value(from) + ".."
	case q.chance(33):
		return ".." + q.value(from)
	case to.IsMissing() || length(from) != length(to) && !isNumber(from) && !q.oracle.isOrdered(column):
		to = from
	case q.oracle.compareBounds(column, from, to) > 0:
		from, to = to, from
	}
	return q.value(from) + ".." + q.value(to)
}

func isNumber(v cube.Value) bool {
	_, ok := v.Int()
	return ok
}

// value writes a value bare where it can be, and sometimes as a JSON string all the same.
func (q *questioner) value(v cube.Value) string {
	text := v.String()
	if strings.ContainsAny(text, "|;/\"~!.\\") || text == "" && q.chance(50) || q.chance(10) {
		return quoted(text)
	}
	return text
}
