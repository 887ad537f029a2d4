package storetest

import (
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// shares checks of every level that the shares of the children of a parent add up to 1: those of the rows below each
// head of a chain's rollup, with what top leaves over of them, and those of the members of one level drilled alone
// that have the same member of the level above.
func (e *examination) shares() {
	checked := 0
	for _, dimension := range e.version.Model.Dimensions() {
		for _, chain := range dimension.Chains() {
			refs := make([]string, len(chain))
			for i, level := range chain {
				refs[i] = quoted(level.Ref)
			}
			below := "drilldown=" + strings.Join(refs, "|") + "&rollup=1"
			checked += e.sharesOfSteps(below) + e.sharesOfSteps(below+"&top=2&remainder=1")
		}
	}
	for _, level := range e.version.Model.Levels() {
		above, _ := e.version.Model.Level(level.Parent)
		if answer := e.shared("drilldown=" + quoted(level.Ref)); answer != nil {
			checked += e.addUp(answer, "", len(above.Path))
		}
	}
	if checked == 0 {
		e.Error("no level has shares")
	}
}

// sharesOfSteps checks the steps of a rollup, and tells how many sums it saw.
func (e *examination) sharesOfSteps(question string) int {
	answer := e.shared(question)
	if answer == nil {
		return 0
	}
	checked, before := 0, 0
	for _, step := range answer.Plan.Steps() {
		checked += e.addUp(answer, step.Ref, before)
		before = step.Keys
	}
	return checked
}

// shared asks for the shares of all amounts; nil where statements of the same money have none, or there are too many.
func (e *examination) shared(question string) *cube.Result {
	shares := []string{"share_of_parent(_count)"}
	for _, sum := range e.amounts("sum") {
		shares = append(shares, "share_of_parent("+sum+")")
	}
	question += "&aggregates=" + strings.Join(shares, "|") + "&order=" + shares[0] + ":desc&pagesize=-1"
	plan, err := bind(e.version, question)
	if err != nil && mayBeRefused(err) {
		return nil
	}
	var answer *cube.Result
	if err == nil {
		answer, err = cube.NewEngine(e.Store).Aggregate(e.context(), plan)
	}
	if err != nil && cube.CodeOf(err) != cube.CodeTooLarge {
		e.Fatalf("%s: %v", question, err)
	}
	return answer
}

// addUp adds up the shares of those rows of a step that have their first keys in common.
func (e *examination) addUp(answer *cube.Result, step string, keys int) (checked int) {
	for id, sums := range e.sums(answer, step, keys) {
		for i, sum := range sums {
			if !sum.Valid {
				continue // nothing is there to be shared
			}
			checked++
			if off := sum.Decimal.Sub(decimal.NewFromInt(1)).Abs(); off.GreaterThan(decimal.New(int64(len(answer.Cells)), -8)) {
				e.Errorf("%s: %s inside %q add up to %s", answer.Plan, answer.Plan.Aggregates()[i].Name, id, sum.Decimal)
			}
		}
	}
	return checked
}
