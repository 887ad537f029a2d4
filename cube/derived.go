package cube

import (
	"errors"
	"fmt"
	"slices"
)

// Derived is a measure that is a formula of aggregates, under a name of its own.
type Derived struct {
	Ref     string `json:"ref"`
	Formula string `json:"formula"` // in the grammar of aggregates
	Title   string `json:"title,omitempty"`
	Titles  Titles `json:"titles,omitempty"` // for people, by language; Title is the English one where given

	formula AggregateRef
}

// Derived lists the derived measures in declared order.
func (m *Model) Derived() []Derived { return m.derived }

// DerivedMeasure gives the derived measure of that name.
func (m *Model) DerivedMeasure(name string) (Derived, bool) {
	i := slices.IndexFunc(m.derived, func(d Derived) bool { return d.Ref == name })
	if i < 0 {
		return Derived{}, false
	}
	return m.derived[i], true
}

// resolveDerived reads the formulas. None may name another derived measure, so that none names itself.
func (m *Model) resolveDerived(list []Derived) error {
	var resolved []Derived
	for _, d := range list {
		if err := m.checkDerivedName(d.Ref, resolved); err != nil {
			return fmt.Errorf("derived measure %q: %w", d.Ref, err)
		}
		refs, err := ParseAggregates(d.Formula)
		if err != nil {
			return fmt.Errorf("derived measure %q: %w", d.Ref, err)
		}
		if len(refs) != 1 || len(refs[0].Args) == 0 {
			return fmt.Errorf("derived measure %q: %q is not one formula, as ratio(a.sum,b.sum)", d.Ref, d.Formula)
		}
		b := binder{model: m, plan: &Plan{}}
		if _, err := b.aggregate(refs[0]); err != nil {
			return fmt.Errorf("derived measure %q: %w", d.Ref, err)
		}
		d.formula = refs[0]
		resolved = append(resolved, d)
	}
	m.derived = resolved
	return nil
}

func (m *Model) checkDerivedName(name string, before []Derived) error {
	switch {
	case name == "" || name[0] == '_':
		return errors.New("names beginning with _ are fiscube's own")
	case m.columnIndex(name) >= 0:
		return errors.New("a field has this name")
	case slices.ContainsFunc(before, func(d Derived) bool { return d.Ref == name }):
		return errors.New("it is declared twice")
	}
	return nil
}
