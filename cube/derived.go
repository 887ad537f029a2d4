package cube

import (
	"fmt"
	"slices"
	"strings"
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
		if slices.ContainsFunc(resolved, func(other Derived) bool { return strings.EqualFold(other.Ref, d.Ref) }) {
			return fmt.Errorf("derived measure %q is declared twice", d.Ref)
		}
		formula, err := m.ReadDerived(d)
		if err != nil {
			return fmt.Errorf("derived measure %q: %w", d.Ref, err)
		}
		d.formula = formula
		resolved = append(resolved, d)
	}
	m.derived = resolved
	return nil
}

// ReadDerived reads the formula of a derived measure that the model could have. What is wrong with it is an *Error,
// whose place counts within the formula.
func (m *Model) ReadDerived(d Derived) (AggregateRef, error) {
	if err := m.checkDerivedName(d.Ref); err != nil {
		return AggregateRef{}, err
	}
	refs, err := ParseAggregates(d.Formula)
	if err != nil {
		return AggregateRef{}, err
	}
	if len(refs) != 1 || len(refs[0].Args) == 0 {
		return AggregateRef{}, Errorf(CodeBadSyntax, "%q is not one formula", d.Formula).or("as ratio(a.sum,b.sum)")
	}
	plain := *m
	plain.derived = nil
	b := binder{model: &plain, plan: &Plan{}}
	_, err = b.aggregate(refs[0])
	return refs[0], err
}

func (m *Model) checkDerivedName(name string) error {
	if name == "" || name[0] == '_' {
		return Errorf(CodeBadValue, "%q begins with _: such names are fiscube's own", name)
	}
	i := slices.IndexFunc(m.columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	if i >= 0 {
		return Errorf(CodeConflict, "there is a field %q already", m.columns[i].Name)
	}
	return nil
}
