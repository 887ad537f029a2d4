// Package caveat says what a reader of an answer should keep in mind: pure functions of the version, the plan and what the
// answer shows, which ask no store and write no text (package prose does, by code and parameters).
package caveat

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Caveat is one thing to keep in mind.
type Caveat struct {
	Code   string // of cube.Warning
	Weight cube.Weight
	Params any         // by the code: one of the types of this package, of cube or of history
	Remedy []query.Cut // cuts that mend it, if there are any
}

// Evidence is what the rules look at.
type Evidence struct {
	Plan *plan.Plan

	Missing            []Missing                 // the cuts that name members which do not exist
	Nothing            []Nothing                 // why no row passes the cuts
	Values             []decimal.NullDecimal     // of the summary; none of what has no amounts, such as members
	Breaks             []history.Crossed         // the changes of names that rows cross
	Same               []SameMember              // the members that are compared with members of other editions
	OverYears          []cube.Column             // the fields of time of which cells put several years together
	Financing          []cube.Financing          // the members that are financing, of which rows are counted
	WithoutCounterpart []plan.WithoutCounterpart // the points without a counterpart
	NoRemainder        bool                      // top left nothing out
	Left               *Left                     // the lines that are left behind, if they were asked for
	SortedByDouble     bool                      // the cells are in the order of quotients in double precision
}

// AddSame notes a member that is compared with one of another edition, once.
func (e *Evidence) AddSame(pair plan.SamePair, label, other cube.Value) {
	if !slices.ContainsFunc(e.Same, func(m SameMember) bool { return m.Level == pair.Level && m.Path == pair.Path && m.Other == pair.Other }) {
		e.Same = append(e.Same, SameMember{pair, label, other})
	}
}

// rules are in the order in which answers have their warnings. What the version is comes last.
var rules = []func(Evidence) []Caveat{
	missing, nothing, snapshots, undeclaredSnapshots, namedTotals, totalsLeftOut, overlaps, resourcesLeftOut, early, levelsAbsent, measuresAbsent,
	measuresZero, seriesAbsent, yearsTogether, yearsDiffer, notCompared, sameMembers, labelBreaks, having, orderInexact, financing, qualifiers,
	linesLeft, until, partsOfYears, rates, excerpt, onlyMembers, jumps, changeUnknown, notes,
}

// Of lists the caveats of an answer.
func Of(e Evidence) (list []Caveat) {
	for _, rule := range rules {
		list = append(list, rule(e)...)
	}
	return list
}

// one is the caveat of a rule that holds.
func one(code string, weight cube.Weight, params any) []Caveat {
	return []Caveat{{Code: code, Weight: weight, Params: params}}
}

// of gives a caveat for each of the parameters that a rule finds.
func of[T any](code string, weight cube.Weight, found []T) (list []Caveat) {
	for _, params := range found {
		list = append(list, one(code, weight, params)...)
	}
	return list
}

// Heaviest is the greatest weight of some caveats; "" of none.
func Heaviest(list []Caveat) (heaviest cube.Weight) {
	for _, weight := range cube.Weights {
		if slices.ContainsFunc(list, func(c Caveat) bool { return c.Weight == weight }) {
			return weight
		}
	}
	return ""
}

// Find gives the first caveat with a code.
func Find(list []Caveat, code string) (Caveat, bool) {
	for _, c := range list {
		if c.Code == code {
			return c, true
		}
	}
	return Caveat{}, false
}
