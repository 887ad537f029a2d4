package cube

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// amount says an aggregate and its value: Approved: 118,405,000.10 HRK.
func (c citing) amount(a Aggregate, value decimal.NullDecimal) string {
	text := c.words.null
	if value.Valid {
		text = grouped(value.Decimal.StringFixed(a.Scale), c.words.group) + c.unit(a)
	}
	return c.inRole(a) + ": " + text
}

// inRole names an aggregate, and of a comparison where it stands.
func (c citing) inRole(a Aggregate) string {
	format, ok := c.words.roles[a.Role]
	if !ok {
		return c.name(a)
	}
	compare := c.asked.finish.compare
	return fmt.Sprintf(format, c.name(a), c.field(compare.ref), compare.offset)
}

// conditions says what besides the cuts the numbers depend on: which cells are left out, and that money is counted
// several times.
func (c citing) conditions() []string {
	var list []string
	if len(c.plan.having) > 0 {
		cells := texts(c.plan.steps, func(s Step) string { return c.field(s.Ref) })
		having := texts(c.plan.having, Having.String)
		list = append(list, fmt.Sprintf(c.words.having, cmp.Or(strings.Join(cells, ", "), c.words.rows), strings.Join(having, ", ")))
	}
	if c.plan.all {
		list = append(list, c.words.statements)
	}
	return list
}

func (c citing) name(a Aggregate) string {
	if derived, ok := c.plan.cube.Model.DerivedMeasure(strings.Trim(a.Name, `"`)); ok {
		return cmp.Or(derived.Titles.In(c.language), derived.Title, derived.Ref)
	}
	if a.Func == Rows {
		return c.words.rows
	}
	names := make([]any, 0, 2)
	for _, arg := range a.Args {
		names = append(names, c.name(arg))
	}
	if measure, ok := c.plan.cube.Model.Measure(a.Measure); ok {
		names = append(names, cmp.Or(measure.Titles.In(c.language), measure.Title, measure.Ref))
	}
	if format, ok := c.words.functions[a.Func]; ok {
		return fmt.Sprintf(format, names...)
	}
	return fmt.Sprint(names...)
}

// unit says what an amount counts; quotients and counts count nothing. The measures of one amount share their unit.
func (c citing) unit(a Aggregate) string {
	names := a.Measures()
	if a.Role == RolePercentage || a.Func == Ratio || a.Func == Share || a.Func == ShareOfParent || a.Func == Count || len(names) == 0 {
		return ""
	}
	measure, _ := c.plan.cube.Model.Measure(names[0])
	switch {
	case measure.Currency == "":
		return ""
	case measure.Unit > 1:
		return fmt.Sprintf(" × %d %s", measure.Unit, measure.Currency)
	}
	return " " + measure.Currency
}

// grouped sets the digits before the point in groups of three.
func grouped(number, separator string) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	whole, decimals, _ := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + separator + whole[i:]
	}
	if decimals != "" {
		decimals = "." + decimals
	}
	return sign + whole + decimals
}

// filter says what a filter admits. Its members are named by the labels of the cells, where those are given.
func (c citing) filter(f Filter, members []Cell) string {
	var items []string
	for _, item := range f.Echo {
		items = append(items, c.item(item, members)...)
	}
	text := c.field(f.Ref) + " " + strings.Join(items, c.words.or)
	switch {
	case f.Default:
		return fmt.Sprintf(c.words.last, text)
	case f.Not:
		return fmt.Sprintf(c.words.not, text)
	}
	return text
}

// field names the levels of a filter by their titles.
func (c citing) field(ref string) string {
	if level, ok := c.plan.cube.Model.Level(ref); ok {
		return cmp.Or(level.Titles.In(c.language), level.Ref)
	}
	if dimension, ok := c.plan.cube.Model.Dimension(ref); ok {
		return cmp.Or(dimension.Titles.In(c.language), dimension.Name)
	}
	return ref
}

func (c citing) item(item EchoItem, members []Cell) []string {
	values := make([]string, len(item.Values))
	for i, v := range item.Values {
		values[i] = c.member(v, members)
	}
	switch {
	case item.Op == OpRange:
		return []string{c.span(item.Values[0], item.Values[1])}
	case item.Op == OpMatch:
		return []string{fmt.Sprintf(c.words.contains, strings.Join(values, ""))}
	case item.Path:
		return []string{strings.Join(values, "/")}
	}
	return values
}

func (c citing) span(from, to Value) string {
	switch {
	case to.IsMissing():
		return fmt.Sprintf(c.words.from, from)
	case from.IsMissing():
		return fmt.Sprintf(c.words.upTo, to)
	}
	return fmt.Sprintf(c.words.to, from, to)
}

// member names a value by its labels and itself: Hrvatski sabor (010).
func (c citing) member(v Value, members []Cell) string {
	if v.IsMissing() {
		return c.words.missing
	}
	var labels []string
	for _, m := range members {
		label := m.Labels[len(m.Labels)-1].String()
		if m.Keys[len(m.Keys)-1] == v && label != "" && label != v.String() {
			labels = append(labels, label)
		}
	}
	if len(labels) == 0 {
		return v.String()
	}
	return strings.Join(labels, c.words.or) + " (" + v.String() + ")"
}
