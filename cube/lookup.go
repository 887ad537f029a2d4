package cube

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Members answers a plan for members row by row, as Backend.Members does.
func (e *Engine) Members(ctx context.Context, plan *MemberPlan) iter.Seq2[MemberRow, error] {
	return e.backend.Members(ctx, plan)
}

// Check looks for the members that the cuts name, and gives the plan with a warning of each cut that names some in
// vain. A version never changes: what was looked for once is known.
func (e *Engine) Check(ctx context.Context, plan *Plan) (*Plan, error) {
	strangers, err := e.strangers(ctx, plan)
	if err != nil || len(strangers) == 0 {
		return plan, err
	}
	checked := *plan
	checked.found = strangers
	return &checked, nil
}

// CheckMembers does the same for a plan for members.
func (e *Engine) CheckMembers(ctx context.Context, plan *MemberPlan) (*MemberPlan, error) {
	checked := *plan
	var err error
	checked.question, err = e.Check(ctx, plan.question)
	return &checked, err
}

// lookups is what the engine remembers of members.
type lookups struct {
	there   memory[bool]
	nearest memory[string]
}

// stranger is a cut with the members that it names in vain.
type stranger struct {
	filter Filter
	named  []Wanted
}

// strangers warns of each cut that names members which are not there.
func (e *Engine) strangers(ctx context.Context, plan *Plan) ([]Warning, error) {
	var cuts []stranger
	var all []Wanted
	for _, f := range plan.filtersBy(false) {
		cuts = append(cuts, stranger{f, plan.wanted(f)})
		all = append(all, cuts[len(cuts)-1].named...)
	}
	there, err := e.lookups.there.ask(ctx, plan.cube, all, e.backend.Find)
	if err != nil {
		return nil, err
	}
	for i, cut := range cuts {
		cuts[i].named = nil
		for j, w := range cut.named {
			if !there[j] {
				cuts[i].named = append(cuts[i].named, w)
			}
		}
		there = there[len(cut.named):]
	}
	return e.warnStrangers(ctx, plan, cuts)
}

// Bounds of what is said of members that are not there.
const (
	mostStrangers = 5  // of a cut that are named
	mostNear      = 20 // of an answer for which the nearest is looked for
	mostClipped   = 60 // characters of one
)

func (e *Engine) warnStrangers(ctx context.Context, plan *Plan, cuts []stranger) ([]Warning, error) {
	var shown []Wanted
	for _, cut := range cuts {
		shown = append(shown, cut.named[:min(len(cut.named), mostStrangers)]...)
	}
	shown = shown[:min(len(shown), mostNear)]
	nearest, err := e.lookups.nearest.ask(ctx, plan.cube, shown, e.nearest)
	if err != nil {
		return nil, err
	}
	var list []Warning
	for _, cut := range cuts {
		if len(cut.named) > 0 {
			list = append(list, cut.warning(nearest, plan.words())...)
			nearest = nearest[min(len(nearest), len(cut.named), mostStrangers):]
		}
	}
	return list, nil
}

// nearest asks the store for what is near, and says what of it was probably meant.
func (e *Engine) nearest(ctx context.Context, one *Cube, wanted []Wanted) ([]string, error) {
	near, err := e.backend.Near(ctx, one, wanted)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(wanted))
	for i, w := range wanted {
		elsewhere := func(name string) bool { return name == w.Asked() } // a key that is there under another parent
		names[i] = Nearest(w.Asked(), slices.DeleteFunc(slices.Clone(near[i]), elsewhere))
	}
	return names, nil
}

// warning names the first of the members, each with what was probably meant.
func (s stranger) warning(nearest []string, w warningWords) []Warning {
	var names []string
	for i, wanted := range s.named[:min(len(s.named), mostStrangers)] {
		name := clip(wanted.text())
		if i < len(nearest) && nearest[i] != "" {
			name = fmt.Sprintf(w.meant, name, clip(quoteText(nearest[i])))
		}
		names = append(names, name)
	}
	if more := len(s.named) - len(names); more > 0 {
		names = append(names, fmt.Sprintf(w.more, more))
	}
	return warning(WarnNoSuchMember, w.stranger, s.filter.Ref, strings.Join(names, ", "))
}

func clip(text string) string {
	if runes := []rune(text); len(runes) > mostClipped {
		return string(runes[:mostClipped]) + "…"
	}
	return text
}
