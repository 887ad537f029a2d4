package reading

import (
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

// Noted sorts the caveats by what a page shows of them. Where the page itself says something of financing, that stands in sight in the place
// of a note; other sentences are folded with the rest.
func (r *Reading) Noted(isFinancingSaid bool, others ...string) (n layers.Noted) {
	list := r.Answer.Caveats
	n.Codes = strings.Join(each.Text(list, func(c caveat.Caveat) string { return c.Code + "/" + string(c.Weight) }), " ")
	at := -1
	for i, c := range list {
		if c.Weight == cube.Note && !isFinancingSaid && (at < 0 || slices.Index(byHarm, c.Code) < slices.Index(byHarm, list[at].Code)) {
			at = i
		}
	}
	for i, c := range list {
		switch text := prose.Tell(r.Plan, c, r.Locale); {
		case c.Code == cube.WarnFinancing && isFinancingSaid: // which says more of it
		case c.Weight == cube.Stop:
			n.Stops = append(n.Stops, text)
		case i == at:
			n.Sight = &layers.Note{Text: text}
			if len(c.Remedy) > 0 {
				n.Sight.Remedy = &site.Choice{Text: r.Say("view.same-without"), Link: mended(r.Address, c.Remedy).String()}
			}
		default:
			n.Rest = append(n.Rest, text)
		}
	}
	n.Add(r.Reader, others...)
	return n
}

// byHarm are the codes of notes, that first which says most of what the number is not.
var byHarm = []string{
	cube.WarnNothingMatches, cube.WarnNoSuchMember, cube.WarnExcerpt, cube.WarnLinesLeft, cube.WarnJump, cube.WarnMeasureZero, cube.WarnPartOfYear,
	cube.WarnPeriodIncomplete, cube.WarnFinancing, cube.WarnMeasureAbsent, cube.WarnChangeUnknown, cube.WarnRateOfPart, cube.WarnRateBelow,
	cube.WarnOneMember, cube.WarnSeriesAbsent, cube.WarnCodeReused,
}

// Has tells whether the answer has a caveat with a code.
func (r *Reading) Has(code string) bool {
	_, ok := caveat.Find(r.Answer.Caveats, code)
	return ok
}

// IsStopped tells whether the total cannot be trusted.
func (r *Reading) IsStopped() bool { return caveat.Heaviest(r.Answer.Caveats) == cube.Stop }

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
