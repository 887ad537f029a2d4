package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// amount says an aggregate and its value: Approved: 118,405,000.10 HRK.
func (c citing) amount(a Aggregate, value decimal.NullDecimal) string {
	if !value.Valid {
		return c.inRole(a, "") + ": " + c.null(a)
	}
	return c.inRole(a, c.ownYears(a)) + ": " + c.number(value.Decimal.StringFixed(a.Scale), a)
}

// null says that there is no value. Rows that are not there, where there could be some, are none.
func (c citing) null(a Aggregate) string {
	switch {
	case a.mixed:
		return c.words.null + in(mixedTexts, c.language).cited
	case !a.counts():
		return c.words.null
	case a.Role == RoleEarlier && len(a.Args) == 0 && c.facesRows():
		return c.words.none
	}
	return c.words.nullCount
}

// facesRows tells whether there are rows at the one place that an answer is compared with, whatever else is cut.
func (c citing) facesRows() bool {
	compare := c.asked.finish.compare
	axis, _ := c.plan.cube.Model.Column(compare.ref)
	_, one := c.asked.onlyPlace(axis)
	return one && len(compare.absent) == 0
}

// counts tells whether a value is made of numbers of rows alone.
func (a Aggregate) counts() bool {
	return !slices.ContainsFunc(a.leaves(), func(leaf Aggregate) bool { return leaf.Func != Rows && leaf.Func != Count })
}

// number says a number as one of an aggregate.
func (c citing) number(number string, a Aggregate) string {
	return grouped(number, c.words.group) + c.unit(a)
}

// inRole names an aggregate, with the years that it is of, and of a comparison where it stands.
func (c citing) inRole(a Aggregate, years string) string {
	format, ok := c.words.roles[a.Role]
	if !ok {
		return c.name(a) + years
	}
	role := a.Role
	a.Name, a.Role = strings.TrimSuffix(a.Name, "."+string(role)), ""
	return fmt.Sprintf(format, c.operand(a)+years, c.comparedWith(role))
}

// comparedWith says where on its axis the other side of a comparison stands: of 2016, or one year earlier.
func (c citing) comparedWith(role Role) string {
	compare := c.asked.finish.compare
	axis, _ := c.plan.cube.Model.Column(compare.ref)
	here, _ := c.asked.onlyPlace(axis)
	there, ok := here.shifted(compare.offset)
	if !ok {
		return c.away(axis, compare.offset)
	}
	text := there.String()
	if !axis.FiscalYear {
		text = c.field(axis.Name) + " " + text
	}
	if role == RoleEarlier {
		return fmt.Sprintf(c.words.of, text)
	}
	return text
}

// away says how far along an axis something stands.
func (c citing) away(axis Column, offset int64) string {
	n := max(offset, -offset)
	switch {
	case !axis.FiscalYear:
		return fmt.Sprintf(c.words.places.to(offset), c.field(axis.Name), n)
	case n == 1:
		return c.words.one.to(offset)
	}
	return fmt.Sprintf(c.words.years.to(offset), n)
}

// name says what an aggregate is, by the titles of the measures that it is of.
func (c citing) name(a Aggregate) string {
	if derived, ok := c.derived(a); ok {
		return cmp.Or(derived.Titles.In(c.language), derived.Title, derived.Ref)
	}
	if a.Func == Rows {
		return c.words.rows
	}
	names := make([]any, 0, 2)
	for _, arg := range a.Args {
		names = append(names, c.operand(arg))
	}
	if measure, ok := c.plan.cube.Model.Measure(a.Measure); ok {
		names = append(names, cmp.Or(measure.Titles.In(c.language), measure.Title, measure.Ref))
	}
	if format, ok := c.words.functions[a.Func]; ok {
		return fmt.Sprintf(format, names...)
	}
	return fmt.Sprint(names...)
}

// operand names an aggregate where more is said of it: in brackets, if its name is more than that of an amount.
func (c citing) operand(a Aggregate) string {
	_, named := c.derived(a)
	if named || a.Func == Sum || a.Func == Rows {
		return c.name(a)
	}
	return "(" + c.name(a) + ")"
}

// derived gives the derived measure that an aggregate is by its name.
func (c citing) derived(a Aggregate) (Derived, bool) {
	all := c.plan.cube.Model.Derived()
	i := slices.IndexFunc(all, func(d Derived) bool { return AggregateRef{Func: d.Ref}.String() == a.Name })
	if i < 0 {
		return Derived{}, false
	}
	return all[i], true
}

// unit says what an amount counts; quotients and counts count nothing, and a difference what its sides do.
func (c citing) unit(a Aggregate) string {
	switch {
	case a.Role == RolePercentage || a.Func == Count:
		return ""
	case a.Func == Diff:
		return cmp.Or(c.unit(a.Args[0]), c.unit(a.Args[1]))
	}
	measure, _ := c.plan.cube.Model.Measure(a.Measure) // quotients and rows have none
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
