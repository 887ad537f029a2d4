package fdp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
)

// model makes the model, and the measures that are formulas of others: what they name can be checked only when all
// others are there.
func (a *applying) model() (*cube.Model, error) {
	model, err := a.draft.Model()
	if err != nil || len(a.overlay.derived) == 0 {
		return model, asProblems(err)
	}
	for _, d := range a.overlay.derived {
		a.addDerived(model, d)
	}
	if problems := a.problems(); problems != nil {
		return nil, problems
	}
	model, err = a.draft.Model()
	return model, asProblems(err)
}

func asProblems(err error) error {
	if err == nil {
		return nil
	}
	return Problems{{Message: err.Error()}}
}

func (a *applying) addDerived(model *cube.Model, d derivedOverlay) {
	derived := cube.Derived{Ref: d.name, Formula: d.formula.name, Title: d.name}
	if d.titles != nil {
		derived.Titles, derived.Title = maps.Clone(d.titles), d.titles.In(cube.English)
	}
	same := func(other cube.Derived) bool { return strings.EqualFold(other.Ref, d.name) }
	if i := slices.IndexFunc(a.draft.Derived, same); i >= 0 {
		a.add(d.place, "there is a derived measure %s already", quote(a.draft.Derived[i].Ref))
		return
	}
	if _, err := model.ReadDerived(derived); err != nil {
		a.addFormula(d, err)
	}
	a.draft.Derived = append(a.draft.Derived, derived)
}

// addFormula reports what is wrong with a derived measure: with its formula at a place, else with its name.
func (a *applying) addFormula(d derivedOverlay, err error) {
	var e *cube.Error
	if !errors.As(err, &e) {
		a.add(d.place, "%v", err)
		return
	}
	place, message := d.place, e.Message
	if e.Position != nil {
		place, message = d.formula.place, fmt.Sprintf("at %d: %s", e.Position.Offset, e.Message)
	}
	if e.Hint != "" {
		message += "; " + e.Hint
	}
	a.add(place, "%s", message)
}
