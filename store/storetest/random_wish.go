package storetest

import (
	"errors"
	"slices"
	"strings"

	"fiscube/cube"
)

// A wish is a clause that may be refused, for one of the reasons that refusals lists; any other refusal is a mistake.
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

// wished adds wishes to the question, and binds it with those that are granted.
func (q *questioner) wished(parts []string, plan *cube.Plan) ([]string, *cube.Plan, error) {
	for _, wish := range q.wishes(plan) {
		with := append(slices.Clone(parts), wish...)
		granted, err := bind(q.version, strings.Join(with, "&"))
		switch {
		case err == nil:
			parts, plan = with, granted
		case !mayBeRefused(err):
			return with, nil, err
		default:
			q.refused++
		}
	}
	return parts, plan, nil
}

func mayBeRefused(err error) bool {
	var refused *cube.Error
	return errors.As(err, &refused) &&
		slices.ContainsFunc(refusals, func(reason string) bool { return strings.Contains(refused.Error(), reason) })
}

func (q *questioner) wishes(plan *cube.Plan) [][]string {
	var wishes [][]string
	wish := func(percent int, make func() []string) {
		if q.chance(percent) {
			wishes = append(wishes, make())
		}
	}
	weighs := q.chance(25)
	if weighs {
		wish(100, func() []string { return q.clause(nil, "having", "|", q.times(1, 2, q.condition)) })
	}
	wish(25, func() []string { return []string{"rollup=1"} })
	if len(plan.Keys()) > 0 {
		wish(25, func() []string {
			top := []string{"top=" + pick(q, []string{"1", "2", "3", "10"})}
			if q.chance(60) {
				top = append(top, "remainder=1")
			}
			return top
		})
	}
	if axes := q.axes(plan); len(axes) > 0 {
		wish(35, func() []string {
			return []string{"compare=" + q.name(pick(q, axes)) + ":" + pick(q, []string{"-1", "-1", "-1", "1", "-2", "-4", "7"})}
		})
	}
	whole := func(c cube.Column) bool { return c.Type == cube.TypeInteger }
	if slices.ContainsFunc(plan.Keys(), whole) && (!weighs || q.chance(10)) {
		wish(25, func() []string { return []string{"fill=" + pick(q, []string{"null", "zero"})} })
	}
	return wishes
}

// greatest is how the greatest and least numbers begin, beyond which the oracle cannot tell a place.
const greatest = "922337203685477580"

// axes names the levels of whole numbers that the plan drills or cuts to one place, or to years, and now and then one
// that it does not.
func (q *questioner) axes(plan *cube.Plan) []string {
	var axes []string
	if strings.Contains(plan.String(), greatest) {
		return nil
	}
	for _, level := range q.version.Model.Levels() {
		drilled := slices.ContainsFunc(plan.Keys(), func(c cube.Column) bool { return c.Name == level.Ref })
		cut := slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
			return f.Ref == level.Ref && (q.oracle.isYear(level.Ref) || isOne(f))
		})
		if level.Type == cube.TypeInteger && (drilled || cut || q.chance(5)) {
			axes = append(axes, level.Ref)
		}
	}
	return axes
}

// yearCut makes up a term of years as they are compared: one, several, a range that is closed or open, or all others.
func (q *questioner) yearCut(column cube.Column) string {
	year := func() cube.Value { return q.oracle.value(pick(q, q.oracle.rows), column) }
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
func isOne(f cube.Filter) bool {
	return !f.Not && len(f.Any) == 1 && len(f.Any[0]) == 1 && len(f.Any[0][0].In) == 1
}

// formula makes up one of measures of the same currency.
func (q *questioner) formula() string {
	if derived := q.version.Model.Derived(); len(derived) > 0 && q.chance(25) {
		return q.name(pick(q, derived).Ref)
	}
	one, other := q.plainAggregate(), q.plainAggregate()
	if q.chance(20) {
		one = "ratio(" + one + "," + q.plainAggregate() + ")"
	}
	formula := pick(q, []string{"share(" + q.summand() + ")", "share_of_parent(" + q.summand() + ")", "ratio(" + one + "," + other + ")",
		q.diff(q.amount, q.average, q.count, q.rate), "diff(share(" + q.summand() + "),share_of_parent(" + q.summand() + "))"})
	if _, err := bind(q.version, "aggregates="+formula); err != nil {
		q.refused++
		return one
	}
	return formula
}

// diff makes up a difference of two values of one of the kinds.
func (q *questioner) diff(kinds ...func() string) string {
	kind := pick(q, kinds)
	return "diff(" + kind() + "," + kind() + ")"
}

// summand makes up what adds up over cells.
func (q *questioner) summand() string {
	switch sum := q.ofMeasure("sum"); q.random.IntN(4) {
	case 0:
		return q.count()
	case 1:
		return "diff(" + sum + "," + q.ofMeasure("sum") + ")"
	default:
		return sum
	}
}

func (q *questioner) amount() string {
	return q.ofMeasure(pick(q, []string{"sum", "sum", "min", "max"}))
}

func (q *questioner) average() string { return q.ofMeasure("avg") }

func (q *questioner) rate() string { return "ratio(" + q.amount() + "," + q.amount() + ")" }

func (q *questioner) count() string { return pick(q, []string{"_count", q.ofMeasure("count")}) }

func (q *questioner) ofMeasure(function string) string {
	measures := q.version.Model.Measures()
	if len(measures) == 0 {
		return "_count"
	}
	return q.name(pick(q, measures).Ref) + "." + function
}

// condition compares an aggregate with an amount that occurs, or hardly.
func (q *questioner) condition() string {
	number := pick(q, []string{"0", "1", "2", "-1", "0.5", "1000", "-1000000000", "99999999999"})
	if measures := q.version.Model.Measures(); q.chance(40) {
		if amount, ok := q.oracle.amount(q.row(), pick(q, measures).Ref); ok && amount.NumDigits() < 18 && amount.Exponent() > -9 {
			number = amount.String()
		}
	}
	weighed := q.plainAggregate()
	switch {
	case q.chance(20):
		weighed = pick(q, []string{"share(", "share_of_parent("}) + q.ofMeasure("sum") + ")"
		number = pick(q, []string{"0", "0.01", "0.1", "0.5", "1", "-0.02", "0.33333333"})
	case q.chance(40):
		weighed = pick(q, []string{q.diff(q.amount, q.count), "ratio(" + weighed + "," + q.plainAggregate() + ")"})
	}
	return weighed + pick(q, []string{"<", "<=", "=", ">=", ">", "!="}) + number
}
