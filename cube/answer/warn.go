package answer

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/suggest"
)

// warn adds the caveats of the answer, as caveat.Of lists them. The store is asked beforehand:
//
//  1. Members that cuts name and that do not exist. Without rows it is not known which do.
//  2. If the answer is empty though all members exist, the cuts that match nothing. An answer with a row that is gone is not
//     empty.
//  3. The fields of time of which cells put several years together, and the members that are financing.
//  4. The labels of members that a cut alone names and that are compared with others.
func (a *Answer) warn(ctx context.Context, s Store, hasRows bool, l cube.Language) error {
	err := ask(ctx, s, &a.evidence, hasRows, !hasRows && !a.hasGone && a.isEmpty())
	if c := a.Plan.Comparison(); err == nil && c != nil && len(c.CutLabels) > 0 {
		err = a.labelSame(ctx, s, c.CutLabels)
	}
	a.tell(l)
	return err
}

// tell makes the caveats of the evidence, and their texts.
func (a *Answer) tell(l cube.Language) {
	a.evidence.Plan, a.evidence.Values = a.Plan, a.Summary.Values
	a.Caveats = caveat.Of(a.evidence)
	a.Warnings = prose.Warnings(a.Plan, a.Caveats, l)
}

// ask asks the store what evidence it has of the members and the cuts that were asked for, of the fields of time of which cells put several
// years together, and of the members that are financing.
func ask(ctx context.Context, s Store, e *caveat.Evidence, hasRows, mayBeEmpty bool) (err error) {
	e.Missing, err = checkMembers(ctx, s, e.Plan, hasRows)
	if err == nil && len(e.Missing) == 0 && mayBeEmpty {
		e.Nothing, err = checkCuts(ctx, s, e.Plan)
	}
	if err == nil {
		e.OverYears, err = overYears(ctx, s, e.Plan)
	}
	if err == nil {
		e.Financing, err = financingIn(ctx, s, e.Plan)
	}
	return err
}

// financingIn lists the members that are financing and of which the plan counts rows, though nobody has chosen them.
func financingIn(ctx context.Context, s Store, p *plan.Plan) (list []cube.Financing, err error) {
	for _, f := range p.Financing() {
		rows := int64(0)
		for _, statement := range p.OnlyFinancing(f) {
			counted, err := count(ctx, s, statement)
			if err != nil {
				return nil, err
			}
			rows += counted.Rows
		}
		if rows > 0 {
			list = append(list, f)
		}
	}
	return list, nil
}

// labelSame asks the store for the labels of the members that are compared across editions and that a cut alone names, which no row
// shows.
func (a *Answer) labelSame(ctx context.Context, s Store, statements []*plan.Statement) error {
	labels := map[string]cube.Value{}
	for _, statement := range statements {
		members, err := collect(ctx, s, statement, anyNumber)
		if err != nil {
			return err
		}
		level := statement.Levels()[len(statement.Levels())-1]
		for _, m := range members.groups {
			labels[level.Ref+" "+query.PathText(statement.Keys(), m.Keys)] = m.Labels[len(m.Labels)-1]
		}
	}
	a.evidence.Same = slices.Clone(a.evidence.Same)
	for i, m := range a.evidence.Same {
		if m.Index < 0 {
			a.evidence.Same[i].Label, a.evidence.Same[i].OtherLabel = labels[m.Level+" "+m.Path], labels[m.Level+" "+m.Other]
		}
	}
	return nil
}

// overYears gives the fields of time of which cells put several years together: rows have a member of them in several years.
func overYears(ctx context.Context, s Store, p *plan.Plan) ([]cube.Column, error) {
	var list []cube.Column
	for _, field := range p.TimeOverYears() {
		members, err := count(ctx, s, p.InAll(field))
		if err != nil {
			return nil, err
		}
		inYears, err := count(ctx, s, p.InYears(field))
		if err != nil {
			return nil, err
		}
		if inYears.Groups > members.Groups {
			list = append(list, field)
		}
	}
	return list, nil
}

// isEmpty tells whether the summary is over no rows, as far as its values show it.
func (a *Answer) isEmpty() bool {
	return a.Summary.Count <= 1 && !slices.ContainsFunc(a.Summary.Values, func(v decimal.NullDecimal) bool {
		return v.Valid && !v.Decimal.IsZero()
	})
}

// Bounds of the warnings of members that do not exist.
const (
	mostMembers = 5  // named for each cut
	mostNear    = 20 // of an answer for which similar members are searched
)

// checkMembers finds each cut that names members which do not exist. If rows pass all cuts, the member of a cut of one
// member exists.
func checkMembers(ctx context.Context, s Store, p *plan.Plan, hasRows bool) (list []caveat.Missing, err error) {
	left := mostNear
	for _, f := range p.FiltersAsked() {
		named := p.MembersNamed(f)
		if len(named) == 0 || hasRows && !f.Not && len(named) == 1 && len(f.Any) == 1 {
			continue
		}
		near := min(left, mostMembers)
		unknown, err := s.Unknown(ctx, p.Cube(), named, near)
		if err != nil {
			return nil, err
		}
		if len(unknown) == 0 {
			continue
		}
		first := unknown[:min(len(unknown), mostMembers)]
		members := each.Of(first, func(u plan.UnknownMember) plan.NamedMember { return named[u.Index] })
		meant := make([]caveat.Meant, min(len(first), near))
		for i := range meant {
			meant[i] = meantBy(members[i], first[i].Near)
		}
		left -= len(meant)
		list = append(list, caveat.Missing{Filter: f, Named: members, Meant: meant, More: len(unknown) - len(first)})
	}
	return list, nil
}

// meantBy gives what was probably meant by a member that does not exist.
func meantBy(m plan.NamedMember, near plan.Near) caveat.Meant {
	same := func(name string) bool { return name == m.Asked() } // it exists under another parent
	return caveat.Meant{Name: suggest.Nearest(m.Asked(), slices.DeleteFunc(slices.Clone(near.Names), same)), Years: near.Years}
}

// checkCuts says why the cuts admit no row, if they do not. An empty answer is correct, but often not what was meant: the
// cut may have years without rows, or a code of another level.
//
// The default filter may be the reason instead: rows that pass the cuts may be in earlier snapshots than those counted.
func checkCuts(ctx context.Context, s Store, p *plan.Plan) ([]caveat.Nothing, error) {
	asked := p.FiltersAsked()
	if len(asked) == 0 {
		return nil, nil
	}
	rows, err := count(ctx, s, plan.Counting(p.Cube(), nil, p.AllFilters()))
	if err != nil || rows.Rows > 0 {
		return nil, err
	}
	if len(p.FiltersByDefault()) > 0 {
		rows, err := count(ctx, s, plan.Counting(p.Cube(), nil, asked))
		if err != nil {
			return nil, err
		}
		if rows.Rows > 0 {
			return []caveat.Nothing{{Uncounted: rows.Rows, By: p.Cube().Model.Snapshots().By, Periods: p.Periods()}}, nil
		}
	}
	var empty []caveat.Nothing
	for _, f := range asked {
		alone, err := count(ctx, s, p.MembersIn(f))
		if err != nil {
			return nil, err
		}
		if alone.Rows == 0 {
			empty = append(empty, caveat.Nothing{Filter: &f})
		}
	}
	if len(empty) == 0 {
		return []caveat.Nothing{{}}, nil // no row passes all of them together
	}
	return empty, nil
}

// counted is the result of a counting statement (plan.Counting): the rows, and the combinations of keys.
type counted struct{ Groups, Rows int64 }

func count(ctx context.Context, s Store, statement *plan.Statement) (counted, error) {
	rows, err := collect(ctx, s, statement, -1) // no groups
	if err != nil {
		return counted{}, err
	}
	return counted{rows.count, rows.total[0].Decimal.IntPart()}, nil
}
