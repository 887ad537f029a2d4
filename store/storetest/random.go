package storetest

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// questioner makes up questions about a version of a package. Equal seeds make equal questions.
type questioner struct {
	random  *rand.Rand
	version *cube.Cube
	adder   *adder // for values that occur
	anchor  row    // a row that most cuts admit, so that the answer is not always empty
	refused int    // options that Bind refused
}

func newQuestioner(version *cube.Cube, a *adder, number int) *questioner {
	q := &questioner{random: rand.New(rand.NewPCG(uint64(number), 1)), version: version, adder: a}
	q.anchor = row{cells: make([]string, len(a.index))}
	if len(a.rows) > 0 {
		q.anchor = pick(q, a.rows)
	}
	return q
}

// question makes up a whole one. What it can be ordered by is known once the rest of it is bound.
func (q *questioner) question() (string, error) {
	var parts []string
	parts = q.clause(parts, "drilldown", "|", q.times(pick(q, []int{0, 1, 1}), 3, q.drilldown))
	cuts := q.times(0, pick(q, []int{0, 1, 3}), q.cut)
	if year, ok := q.version.Model.FiscalYear(); ok && len(q.adder.rows) > 0 && q.chance(30) {
		cuts = append(cuts, q.yearCut(year))
	}
	parts = q.clause(parts, "cut", "|", cuts)
	if q.chance(70) {
		parts = q.clause(parts, "aggregates", "|", q.times(1, 4, q.aggregate))
	}
	if q.version.Model.Snapshots() != nil && q.chance(20) {
		parts = append(parts, "snapshots=all")
	}
	p, err := bind(q.version, strings.Join(parts, "&"))
	if err != nil && mayBeRefused(err) {
		q.refused++
		parts = slices.DeleteFunc(parts, func(part string) bool { return strings.HasPrefix(part, "aggregates=") })
		p, err = bind(q.version, strings.Join(parts, "&"))
	}
	if err != nil {
		return strings.Join(parts, "&"), err
	}
	if parts, p, err = q.withOptions(parts, p); err != nil {
		return strings.Join(parts, "&"), err
	}
	if columns := p.Columns(); q.chance(70) {
		parts = q.clause(parts, "order", ",", q.times(1, 3, func() string { return q.order(p, columns) }))
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

func (q *questioner) plainAggregate() string { return q.of("ANY") }

func (q *questioner) order(p *plan.Plan, columns []string) string {
	column := pick(q, columns)
	if of, ok := strings.CutSuffix(column, ".difference"); ok && q.chance(50) {
		return of + ".size" + pick(q, []string{"", ":desc", ":desc"})
	}
	if !slices.ContainsFunc(p.Aggregates(), func(a plan.Aggregate) bool { return a.Name == column }) {
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
func (q *questioner) row() row {
	if len(q.adder.rows) == 0 || q.chance(70) {
		return q.anchor
	}
	return pick(q, q.adder.rows)
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
	if q.chance(25) && !q.tellsSnapshots(level) {
		return not + q.labelCut(level)
	}
	return not + q.name(level.Ref) + ":" + strings.Join(q.times(1, 4, func() string { return q.item(level) }), ";")
}

// path makes up a path that occurs, or nearly.
func (q *questioner) path(fields []string) string {
	row := q.row()
	keys := []string{}
	edition := ""
	for _, field := range fields[:1+q.random.IntN(len(fields))] {
		column, _ := q.version.Model.Column(field)
		if q.chance(10) {
			row = q.row()
		}
		value := q.adder.value(row, column)
		if column.IsEdition() {
			edition = pick(q, []string{"", "@" + value.String()})
			continue
		}
		keys = append(keys, q.value(value)+edition)
		edition = ""
	}
	return strings.Join(keys, "/")
}

func (q *questioner) item(level cube.Level) string {
	column, _ := q.version.Model.Column(level.Ref)
	value := func() cube.Value { return q.adder.value(q.row(), column) }
	switch q.random.IntN(10) {
	case 0:
		return pick(q, []string{"", `""`})
	case 1:
		return q.unlikely(column)
	case 2, 3, 4:
		return q.between(column, value(), value())
	}
	return q.value(value())
}

// unlikely is a value that hardly occurs.
func (q *questioner) unlikely(column cube.Column) string {
	if column.Type == cube.TypeInteger {
		return strconv.FormatInt(q.random.Int64()-q.random.Int64(), 10)
	}
	return pick(q, []string{"no such key", "'; DROP TABLE x; --", "%", "_", "NULL", "ž", "\"\\u0001\"", "\"\U0001F600\""})
}

// between makes up a range; of text only keys of one length make one, but for snapshots in their declared order.
func (q *questioner) between(column cube.Column, from, to cube.Value) string {
	_, isNumber := from.Int()
	switch {
	case from.IsMissing():
		return `""`
	case q.chance(25):
		return q.value(from) + ".."
	case q.chance(33):
		return ".." + q.value(from)
	case to.IsMissing() || length(from) != length(to) && !isNumber && !q.adder.hasOrder(column):
		to = from
	case q.adder.compareKeys(column, from, to) > 0:
		from, to = to, from
	}
	return q.value(from) + ".." + q.value(to)
}

// value writes a value bare where it can be, and sometimes as a JSON string all the same.
func (q *questioner) value(v cube.Value) string {
	text := v.String()
	if strings.ContainsAny(text, "|;/\"~!.\\@") || text == "" && q.chance(50) || q.chance(10) {
		return quoted(text)
	}
	return text
}

// tellsSnapshots tells whether a level is cut by codes alone, since it says which snapshot a row is of.
func (q *questioner) tellsSnapshots(level cube.Level) bool {
	s := q.version.Model.Snapshots()
	return s != nil && (s.By == level.Ref || slices.Contains(s.Per, level.Ref))
}

// labelCut makes up a term of what members are called, beside codes where it is on the key field.
func (q *questioner) labelCut(level cube.Level) string {
	ref, item := level.Ref, func() string { return q.item(level) }
	if level.LabelRef != "" && q.chance(70) {
		ref, item = level.LabelRef, func() string { return q.label(level) }
	}
	return q.name(ref) + ":" + strings.Join(q.times(1, 3, func() string {
		if part := q.part(level); part != "" && q.chance(50) {
			return "~" + quoted(part)
		}
		return item()
	}), ";")
}

// label is one that occurs, or hardly.
func (q *questioner) label(level cube.Level) string {
	column, _ := q.version.Model.Column(level.LabelRef)
	if q.chance(10) {
		return q.unlikely(column)
	}
	return q.value(q.adder.value(q.row(), column))
}

// part is a piece of a key or a label that occurs, in any case; "" where the level cannot be searched.
func (q *questioner) part(level cube.Level) string {
	if !level.Listed {
		return ""
	}
	field := level.Ref
	if level.LabelRef != "" && q.chance(70) {
		field = level.LabelRef
	}
	whole := []rune(tidied(q.row().cells[q.adder.index[field]]))
	if len(whole) == 0 {
		return ""
	}
	from := q.random.IntN(len(whole))
	piece := string(whole[from:min(len(whole), from+1+q.random.IntN(6))])
	if tidied(piece) == "" {
		return ""
	}
	return pick(q, []func(string) string{strings.ToUpper, strings.ToLower, folded, tidied})(piece)
}

// An option is a clause that may be refused, for one of the reasons that refusals lists; any other refusal is a mistake.
// It is then left out.

// refusals are in the messages of what Bind may say no to.
var refusals = []string{
	"statements of the same money",         // shares, subtotals and remainders of what adds them up
	"are compared exactly",                 // conditions on amounts of too many digits
	"fill needs one axis of whole numbers", // it has none, or several
	"having leaves cells out",              // nothing is filled beside it
	"is neither drilled nor cut",           // nothing to compare along
	"one value",                            // an axis that is no year, cut to several places
	"is cut by labels",                     // nor here
	" is in ",                              // another currency
}

// withOptions adds options to the question, and binds it with those that are granted.
func (q *questioner) withOptions(parts []string, p *plan.Plan) ([]string, *plan.Plan, error) {
	for _, option := range q.options(p) {
		with := append(slices.Clone(parts), option...)
		granted, err := bind(q.version, strings.Join(with, "&"))
		switch {
		case err == nil:
			parts, p = with, granted
		case !mayBeRefused(err):
			return with, nil, err
		default:
			q.refused++
		}
	}
	return parts, p, nil
}

func mayBeRefused(err error) bool {
	var refused *cube.Error
	return errors.As(err, &refused) &&
		slices.ContainsFunc(refusals, func(reason string) bool { return strings.Contains(refused.Error(), reason) })
}

func (q *questioner) options(p *plan.Plan) [][]string {
	var options [][]string
	option := func(percent int, make func() []string) {
		if q.chance(percent) {
			options = append(options, make())
		}
	}
	having := q.chance(25)
	if having {
		option(100, func() []string { return q.clause(nil, "having", "|", q.times(1, 2, q.condition)) })
	}
	option(25, func() []string { return []string{"rollup=1"} })
	if len(p.Keys()) > 0 {
		option(25, func() []string {
			top := []string{"top=" + pick(q, []string{"1", "2", "3", "10"})}
			if q.chance(60) {
				top = append(top, "remainder=1")
			}
			return top
		})
	}
	if axes := q.axes(p); len(axes) > 0 {
		option(35, func() []string {
			axis := pick(q, axes)
			if year, ok := q.version.Model.FiscalYear(); ok && slices.Contains(axes, year.Name) && q.chance(60) {
				axis = year.Name // other levels of whole numbers are codes, in some packages most levels
			}
			return []string{"compare=" + q.name(axis) + ":" + pick(q, []string{"-1", "-1", "-1", "1", "-2", "-4", "7"})}
		})
	}
	whole := func(c cube.Column) bool { return c.Type == cube.TypeInteger }
	if slices.ContainsFunc(p.Keys(), whole) && (!having || q.chance(10)) {
		option(25, func() []string { return []string{"fill=" + pick(q, []string{"null", "zero"})} })
	}
	return options
}

// greatest is how the greatest and least numbers begin, beyond which a key cannot be moved.
const greatest = "922337203685477580"

// axes names the levels of whole numbers that the plan drills or cuts to one place, or to years, and now and then one
// that it does not.
func (q *questioner) axes(p *plan.Plan) []string {
	var axes []string
	if strings.Contains(p.String(), greatest) {
		return nil
	}
	for _, level := range q.version.Model.Levels() {
		drilled := slices.ContainsFunc(p.Keys(), func(c cube.Column) bool { return c.Name == level.Ref })
		cut := slices.ContainsFunc(p.FiltersAsked(), func(f plan.Filter) bool {
			return f.Ref == level.Ref && (q.adder.isYear(level.Ref) || isOne(f))
		})
		if level.Type == cube.TypeInteger && (drilled || cut || q.chance(5)) {
			axes = append(axes, level.Ref)
		}
	}
	return axes
}

// yearCut makes up a term of years as they are compared: one, several, a range that is closed or open, or all others.
func (q *questioner) yearCut(column cube.Column) string {
	year := func() cube.Value { return q.adder.value(pick(q, q.adder.rows), column) }
	not, items := "", q.value(year())
	switch q.random.IntN(6) {
	case 0:
		not = "!"
	case 1:
		not, items = pick(q, []string{"", "!"}), items+";"+q.value(year())
	case 2, 3:
		items = q.between(column, year(), year())
	}
	return not + q.name(column.Name) + ":" + items
}

// isOne tells whether a filter admits one value of a column.
func isOne(f plan.Filter) bool {
	return !f.Not && len(f.Any) == 1 && len(f.Any[0]) == 1 && len(f.Any[0][0].In) == 1
}

// formula makes up one of measures of the same currency.
func (q *questioner) formula() string {
	if derived := q.version.Model.Derived(); len(derived) > 0 && q.chance(25) {
		return q.name(pick(q, derived).Ref)
	}
	one := q.plainAggregate()
	formula := q.of(pick(q, []string{"share(SUMMAND)", "share_of_parent(SUMMAND)", "ratio(ANY,ANY)", "ratio(ratio(ANY,ANY),ANY)", "DIFF",
		"diff(share(SUMMAND),share_of_parent(SUMMAND))"}))
	if _, err := bind(q.version, "aggregates="+formula); err != nil {
		q.refused++
		return one
	}
	return formula
}

// forms are what the words of a formula stand for.
var forms = map[string][]string{
	"SUMMAND": {"COUNT", "diff(M.sum,M.sum)", "M.sum", "M.sum"}, // adds up over cells
	"DIFF":    {"diff(AMOUNT,AMOUNT)", "diff(M.avg,M.avg)", "diff(COUNT,COUNT)", "diff(RATE,RATE)"},
	"RATE":    {"ratio(AMOUNT,AMOUNT)"},
	"AMOUNT":  {"M.sum", "M.sum", "M.min", "M.max"},
	"COUNT":   {"_count", "M.count"},
	"ANY":     {"_count", "M.sum", "M.count", "M.avg", "M.min", "M.max"},
}

var formWords = regexp.MustCompile(`\b(?:[A-Z]{2,}|M)\b`)

// of puts something in the place of each word of a formula.
func (q *questioner) of(formula string) string {
	return formWords.ReplaceAllStringFunc(formula, func(word string) string {
		if word == "M" {
			return q.name(pick(q, q.version.Model.Measures()).Ref)
		}
		return q.of(pick(q, forms[word]))
	})
}

// condition compares an aggregate with an amount that occurs, or hardly.
func (q *questioner) condition() string {
	number := pick(q, []string{"0", "1", "2", "-1", "0.5", "1000", "-1000000000", "99999999999"})
	if measures := q.version.Model.Measures(); q.chance(40) {
		if amount, ok := q.adder.amount(q.row(), pick(q, measures).Ref); ok && amount.NumDigits() < 18 && amount.Exponent() > -9 {
			number = amount.String()
		}
	}
	aggregate := q.plainAggregate()
	switch {
	case q.chance(20):
		aggregate = q.of(pick(q, []string{"share(M.sum)", "share_of_parent(M.sum)"}))
		number = pick(q, []string{"0", "0.01", "0.1", "0.5", "1", "-0.02", "0.33333333"})
	case q.chance(40):
		aggregate = q.of(pick(q, []string{"diff(AMOUNT,AMOUNT)", "diff(COUNT,COUNT)", "ratio(ANY,ANY)"}))
	}
	return aggregate + pick(q, []string{"<", "<=", "=", ">=", ">", "!="}) + number
}

// memberQuery makes up a query for members.
func (q *questioner) memberQuery() (name string, given map[string]string) {
	level, given := pick(q, q.version.Model.Levels()), map[string]string{}
	name = pick(q, []string{level.Ref, level.Dimension + "." + level.Ref})
	if level.LabelRef != "" && q.chance(30) {
		name = level.LabelRef
	}
	orders := []string{"key", "rows", "rows:desc", "key:desc", "rows:asc", "label", "label:desc", "label:asc"}
	if !level.Listed {
		orders = orders[:5]
	}
	if part := q.part(level); part != "" && q.chance(40) {
		given["q"] = part
	}
	if cuts := q.times(0, 2, q.cut); len(cuts) > 0 && q.chance(60) {
		given["cut"] = strings.Join(cuts, "|")
	}
	isKey := func(field string) bool { return !q.version.Model.IsEdition(field) } // editions are written after other keys
	if above := level.Path[:len(level.Path)-1]; slices.ContainsFunc(above, isKey) && q.chance(40) {
		given["parent"] = q.path(above)
	}
	if q.chance(70) {
		given["order"] = pick(q, orders)
	}
	if q.chance(60) {
		given["pagesize"] = pick(q, []string{"0", "1", "3", "10000"})
		given["page"] = pick(q, slices.Repeat([]string{"1", "2"}, 2))
	}
	return name, given
}
