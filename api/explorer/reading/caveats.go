package reading

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Noted sorts the caveats by what a page shows of them: one line is in sight, that which says most of what the number is not, and the others are folded.
// What the page itself says of financing may be nil, and stands in the place of the caveat; other sentences are folded.
func (r *Reading) Noted(financing *layers.Note, others ...string) (n layers.Noted) {
	list := slices.DeleteFunc(slices.Clone(r.Answer.Caveats), func(c caveat.Caveat) bool { return financing != nil && c.Code == cube.WarnFinancing })
	n.Codes = strings.Join(each.Text(r.Answer.Caveats, func(c caveat.Caveat) string { return c.Code + "/" + string(c.Weight) }), " ")
	slices.SortStableFunc(list, func(a, b caveat.Caveat) int { return cmp.Compare(harmOf(a), harmOf(b)) })
	for i, c := range list {
		note := &layers.Note{Text: prose.Tell(r.Plan, c, r.Locale)}
		isLess := c.Weight == cube.Note && financing != nil && slices.Index(byHarm, c.Code) > slices.Index(byHarm, cube.WarnFinancing)
		switch {
		case c.Weight == cube.Stop && i == 0:
			n.Stops = []string{note.Text}
		case c.Weight == cube.Note && i == 0 && !isLess:
			if len(c.Remedy) > 0 {
				note.Remedy = &site.Choice{Text: r.Say("view.same-without"), Link: mended(r.Address, c.Remedy).String()}
			}
			n.Sight = note
		default:
			n.Rest = append(n.Rest, note.Text)
		}
	}
	switch {
	case financing == nil:
	case len(n.Stops) == 0 && n.Sight == nil:
		n.Sight = financing
	default:
		n.Rest = append(n.Rest, financing.Text)
	}
	n.Add(r.Reader, others...)
	return n
}

// harmOf puts what stops before what is noted, that in the order of byHarm, and what is in the background last, as it comes.
func harmOf(c caveat.Caveat) int {
	switch c.Weight {
	case cube.Stop:
		return -1
	case cube.Note:
		return slices.Index(byHarm, c.Code)
	}
	return len(byHarm)
}

// byHarm are the codes of notes, that first which says most of what the number is not.
var byHarm = []string{
	cube.WarnNothingMatches, cube.WarnNoSuchMember, cube.WarnExcerpt, cube.WarnLinesLeft, cube.WarnJump, cube.WarnMeasureZero, cube.WarnPartOfYear,
	cube.WarnPeriodIncomplete, cube.WarnFinancing, cube.WarnUntil, cube.WarnMeasureAbsent, cube.WarnChangeUnknown, cube.WarnRateOfPart, cube.WarnRateBelow,
	cube.WarnOneMember, cube.WarnSeriesAbsent, cube.WarnCodeReused,
}

// Has tells whether the answer has a caveat with a code.
func (r *Reading) Has(code string) bool {
	_, ok := caveat.Find(r.Answer.Caveats, code)
	return ok
}

// IsStopped tells whether the total cannot be trusted.
func (r *Reading) IsStopped() bool { return caveat.Heaviest(r.Answer.Caveats) == cube.Stop }

// IsShared tells whether the total can be shown alone: it can be trusted, and is no excerpt.
func (r *Reading) IsShared() bool {
	return !r.IsStopped() && !r.Cube.IsPart()
}

// Cautions are what a figure says of its numbers where no page is around it: what stops or notes, up to when they go, and the notes of the
// package. Of an excerpt it has few words.
func Cautions(r *Reading) (list []string) {
	if excerpt := r.ExcerptMark(r.Cube); excerpt != "" {
		list = append(list, excerpt)
	}
	for _, c := range r.Answer.Caveats {
		if c.Code != cube.WarnExcerpt && (c.Weight != cube.Background || c.Code == cube.WarnUntil || c.Code == cube.WarnNote) {
			list = append(list, prose.Tell(r.Plan, c, r.Locale))
		}
	}
	return list
}

// mended leads to the same with the cuts that mend it.
func mended(a site.Address, cuts []query.Cut) site.Address {
	for _, cut := range cuts {
		a = a.With(cut)
	}
	return a
}
