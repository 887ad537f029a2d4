package answer

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// warn says what a reader should know of the answer, in a fixed order: members that are not there or cuts that match
// nothing, then what the plan and the rows show, then the notes of the package.
func (a *Answer) warn(ctx context.Context, s Store, hasRows bool, l cube.Language) error {
	found, err := checkMembers(ctx, s, a.Plan, hasRows, l)
	if err == nil && len(found) == 0 && !hasRows && !a.hasGone && a.isEmpty() {
		found, err = checkCuts(ctx, s, a.Plan, l)
	}
	a.Warnings = slices.Concat(found, prose.Warnings(a.Plan, a.seen, l))
	return err
}

// isEmpty tells whether the summary is over no rows, as far as its values show.
func (a *Answer) isEmpty() bool {
	return a.Summary.Count <= 1 && !slices.ContainsFunc(a.Summary.Values, func(v decimal.NullDecimal) bool {
		return v.Valid && !v.Decimal.IsZero()
	})
}

// Bounds of what is said of members that are not there.
const (
	mostMembers = 5  // of a cut that are named
	mostNear    = 20 // of an answer for which the nearest is looked for
)

// checkMembers warns of each cut that names members which are not there. Where rows pass all cuts, a cut of one member
// needs no look.
func checkMembers(ctx context.Context, s Store, p *plan.Plan, hasRows bool, l cube.Language) ([]cube.Warning, error) {
	type cut struct {
		filter plan.Filter
		named  []plan.NamedMember
	}
	var cuts []cut
	var all []plan.NamedMember
	for _, f := range p.FiltersAsked() {
		named := p.MembersNamed(f)
		if hasRows && !f.Not && len(named) == 1 && len(f.Any) == 1 {
			continue
		}
		cuts, all = append(cuts, cut{f, named}), append(all, named...)
	}
	if len(all) == 0 {
		return nil, nil
	}
	found, err := s.Find(ctx, p.Cube(), all)
	if err != nil {
		return nil, err
	}
	var missing []plan.NamedMember // that are named in a warning
	for i, c := range cuts {
		cuts[i].named = nil
		for j, m := range c.named {
			if !found[j] {
				cuts[i].named = append(cuts[i].named, m)
			}
		}
		found = found[len(c.named):]
		missing = append(missing, cuts[i].named[:min(len(cuts[i].named), mostMembers)]...)
	}
	nearest, err := nearestOf(ctx, s, p.Cube(), missing[:min(len(missing), mostNear)])
	if err != nil {
		return nil, err
	}
	var list []cube.Warning
	for _, c := range cuts {
		if len(c.named) == 0 {
			continue
		}
		named := c.named[:min(len(c.named), mostMembers)]
		meant := nearest[:min(len(nearest), len(named))]
		nearest = nearest[len(meant):]
		list = append(list, prose.NoSuchMember(c.filter, named, meant, len(c.named)-len(named), l))
	}
	return list, nil
}

// nearestOf says for each what was probably meant; "" where nothing is near.
func nearestOf(ctx context.Context, s Store, c *cube.Cube, named []plan.NamedMember) ([]string, error) {
	if len(named) == 0 {
		return nil, nil
	}
	near, err := s.Near(ctx, c, named)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(named))
	for i, m := range named {
		elsewhere := func(name string) bool { return name == m.Asked() } // a key that is there under another parent
		names[i] = cube.Nearest(m.Asked(), slices.DeleteFunc(slices.Clone(near[i]), elsewhere))
	}
	return names, nil
}

// checkCuts says why no row is counted, if that is so. An empty answer is right, and often not what was meant: a range of
// years that the package has not, a code of another level. Cells that having leaves out are of rows that the cuts admit.
//
// The cuts are to blame only where they admit no row by themselves: the rows may be in earlier snapshots than those that
// are counted by default.
func checkCuts(ctx context.Context, s Store, p *plan.Plan, l cube.Language) ([]cube.Warning, error) {
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
			return []cube.Warning{prose.NotInCountedSnapshots(p, rows.Rows, l)}, nil
		}
	}
	var empty []plan.Filter
	for _, f := range asked {
		alone, err := count(ctx, s, p.MembersIn(f))
		if err != nil {
			return nil, err
		}
		if alone.Rows == 0 {
			empty = append(empty, f)
		}
	}
	return prose.NothingMatches(empty, l), nil
}

// counted is what a counting statement (plan.Counting) gives: rows, and the combinations of its keys.
type counted struct{ Groups, Rows int64 }

func count(ctx context.Context, s Store, statement *plan.Statement) (counted, error) {
	rows, err := s.Cells(ctx, statement)
	if err != nil {
		return counted{}, err
	}
	defer rows.Close()
	return counted{rows.Count, rows.Total[0].Decimal.IntPart()}, nil
}
