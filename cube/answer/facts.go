package answer

import (
	"context"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// FactPage is a page of facts.
type FactPage struct {
	Plan     *plan.FactPlan
	Total    int64 // the number of facts on all pages
	Facts    []plan.Fact
	Next     string // the query.FactQuery.After of the next page; "" on the last page
	Warnings []cube.Warning
}

// Facts answers a page of facts. It counts the facts on the first page alone, and passes the number on in the token of the
// next page.
func Facts(ctx context.Context, s Store, p *plan.FactPlan, l cube.Language) (*FactPage, error) {
	page, err := CountFacts(ctx, s, p, l)
	if err != nil || p.Size() == 0 || page.Total == 0 {
		return page, err
	}
	// One more tells whether there is a next page.
	for fact, err := range s.Facts(ctx, p.Limited(p.Size()+1)) {
		if err != nil {
			return nil, err
		}
		page.Facts = append(page.Facts, fact)
	}
	if len(page.Facts) > p.Size() {
		page.Facts = page.Facts[:p.Size()]
		page.Next = p.Next(page.Facts[p.Size()-1], page.Total)
	}
	return page, nil
}

// CountFacts gives a page without its facts: their number on all pages, and the warnings.
func CountFacts(ctx context.Context, s Store, p *plan.FactPlan, l cube.Language) (*FactPage, error) {
	page := &FactPage{Plan: p}
	total, known := p.Total()
	if known {
		page.Total = total
		var err error
		page.Warnings, err = warningsOfCuts(ctx, s, p.Counting(), total > 0, l)
		return page, err
	}
	counted, err := Run(ctx, s, p.Counting(), l)
	if err != nil {
		return nil, err
	}
	page.Total, page.Warnings = counted.Summary.Values[0].Decimal.IntPart(), counted.Warnings
	return page, nil
}

// warningsOfCuts gives the warnings of facts and of members, as far as the question that counts them shows it.
func warningsOfCuts(ctx context.Context, s Store, counting *plan.Plan, hasRows bool, l cube.Language) ([]cube.Warning, error) {
	found, err := checkMembers(ctx, s, counting, hasRows)
	if err != nil {
		return nil, err
	}
	breaks, err := withRows(ctx, s, counting.LabelBreaks(), false)
	return prose.Warnings(counting, caveat.Of(caveat.Evidence{Plan: counting, Missing: found, Breaks: breaks.OfCuts()}), l), err
}

// MemberPage is a page of members.
type MemberPage struct {
	plan.MemberRows
	Warnings []cube.Warning
}

// Members answers a plan for members. The caller closes the page.
func Members(ctx context.Context, s Store, p *plan.MemberPlan, l cube.Language) (*MemberPage, error) {
	warnings, err := warningsOfCuts(ctx, s, p.Counting(), false, l) // before the members: a store may have one connection for all
	if err != nil {
		return nil, err
	}
	rows, err := s.Members(ctx, p.Main())
	if err != nil {
		return nil, err
	}
	return &MemberPage{rows, warnings}, nil
}
