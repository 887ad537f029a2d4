package explorer

import (
	"context"
	"slices"
	"strings"

	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// mostLinesLeft is of how many lines that are left behind the store is asked.
const mostLinesLeft = 200

// withLines is an answer whose caveats name the lines that are left behind. The store is asked for them only where the load found some.
func (v *visit) withLines(a *answer.Answer) (*answer.Answer, error) {
	lines := a.Plan.NotInLast()
	if _, ok := caveat.Find(a.Caveats, cube.WarnLinesLeft); !ok || lines == nil {
		return a, nil
	}
	measure, _ := a.Plan.Cube().Model.Measure(a.Plan.Aggregates()[0].Measure)
	left, err := limits.Whole(v.Request().Context(), v.Limiter, limits.TimingOf(v.Context), a.Plan.Cube().Rows, func(ctx context.Context) (caveat.Left, error) {
		return answer.NotInLast(ctx, v.Limiter, lines, measure, mostLinesLeft)
	})
	if err != nil {
		return nil, err
	}
	return a.WithLeft(left, v.Language), nil
}

// noted are the caveats of an answer as a page shows them: those that stop, one line beside the number, and the rest folded.
type noted struct {
	Stops  []string
	Sight  *inSight
	Rest   []string
	Folded string // says how many those are
	Codes  string // and weights, of all
}

// inSight is a sentence with a link to what mends it.
type inSight struct{ Text, Remedy string }

// byHarm are the codes of notes, that first which says most of what the number is not.
var byHarm = []string{
	cube.WarnNothingMatches, cube.WarnNoSuchMember, cube.WarnExcerpt, cube.WarnLinesLeft, cube.WarnJump, cube.WarnMeasureZero, cube.WarnPartOfYear,
	cube.WarnPeriodIncomplete, cube.WarnFinancing, cube.WarnMeasureAbsent, cube.WarnChangeUnknown, cube.WarnRateOfPart, cube.WarnRateBelow,
	cube.WarnOneMember, cube.WarnSeriesAbsent, cube.WarnCodeReused,
}

// noted sorts caveats by what a page shows of them. What the page itself says of financing stands in sight in the place of a note; other
// sentences are folded with the rest.
func (w *view) noted(list []caveat.Caveat, f *financing, others ...string) (n noted) {
	n.Codes = strings.Join(each.Text(list, func(c caveat.Caveat) string { return c.Code + "/" + string(c.Weight) }), " ")
	at := -1
	for i, c := range list {
		if c.Weight == cube.Note && f == nil && (at < 0 || slices.Index(byHarm, c.Code) < slices.Index(byHarm, list[at].Code)) {
			at = i
		}
	}
	for i, c := range list {
		switch text := prose.Tell(w.answer.Plan, c, w.Locale); {
		case c.Code == cube.WarnFinancing && f != nil: // which says more of it
		case c.Weight == cube.Stop:
			n.Stops = append(n.Stops, text)
		case i == at:
			n.Sight = &inSight{Text: text}
			if len(c.Remedy) > 0 {
				n.Sight.Remedy = mended(w.a, c.Remedy).String()
			}
		default:
			n.Rest = append(n.Rest, text)
		}
	}
	n.add(w, others)
	return n
}

// add folds more sentences, each once.
func (n *noted) add(w *view, others []string) {
	for _, text := range others {
		if text != "" && !slices.Contains(n.all(), text) {
			n.Rest = append(n.Rest, text)
		}
	}
	n.Folded = w.Say("caveat.notes", "Count", len(n.Rest))
}

// fold puts all sentences with the folded ones but for those that others say.
func (n *noted) fold(w *view, others noted) {
	all := slices.DeleteFunc(n.all(), func(text string) bool { return slices.Contains(others.all(), text) })
	*n = noted{Codes: n.Codes}
	n.add(w, all)
}

// all are the sentences.
func (n *noted) all() []string {
	all := slices.Concat(n.Stops, n.Rest)
	if n.Sight != nil {
		all = append(all, n.Sight.Text)
	}
	return all
}

// has tells whether the answer has a caveat with a code.
func (w *view) has(code string) bool {
	_, ok := caveat.Find(w.answer.Caveats, code)
	return ok
}

// isStopped tells whether the total cannot be trusted.
func (w *view) isStopped() bool { return caveat.Heaviest(w.answer.Caveats) == cube.Stop }

// sentences are what the page of a view and that of a number say beside the sum.
type sentences struct {
	Noted     noted
	Financing *financing
	Execution *execution
}

// sentences tells the caveats. Years of a table that are not compared with those before them are told with them.
func (w *view) sentences(years []bar) (s sentences, err error) {
	if s.Financing, err = w.financing(); err != nil {
		return s, err
	}
	var breaks []cube.LabelBreak
	for _, year := range years {
		breaks = append(breaks, year.reused...)
	}
	s.Noted = w.noted(w.answer.Caveats, s.Financing, append(w.withheld, w.notCompared(breaks))...)
	if s.Execution, err = w.executed(s.Financing); s.Execution != nil {
		isSaid := func(note string) bool { return slices.Contains(s.Noted.all(), note) }
		s.Execution.Notes = slices.DeleteFunc(s.Execution.Notes, isSaid)
	}
	return s, err
}

// zeros gives which of the years are published as 0 throughout in a measure of an aggregate.
func (w *view) zeros(index int, years []int64) []int64 {
	return caveat.Zeros(w.answer.Plan, w.answer.Plan.Aggregates()[index], years)
}

// yearsOfCell lists the fiscal years that a cell adds up.
func (w *view) yearsOfCell(cell answer.Cell) []int64 {
	if at := w.answer.Plan.YearKey(); at >= 0 && at < len(cell.Keys) {
		if year, ok := cell.Keys[at].Int(); ok {
			return []int64{year}
		}
	}
	return w.answer.Plan.Years()
}

// isUnknown tells whether a rate or a change in some years would take zeros for amounts that are probably not known.
func (w *view) isUnknown(index int, years []int64) bool {
	switch a := w.answer.Plan.Aggregates()[index]; {
	case a.Role == query.RolePercentage || a.Role == query.RoleDifference:
		both := slices.Clone(years)
		for _, year := range years {
			both = append(both, year+w.offset())
		}
		return len(w.zeros(index, both)) > 0
	case caveat.IsRate(a):
		return len(w.zeros(index, years)) > 0
	}
	return false
}

// unknownChange says because of which years the change of a year is not told.
func (w *view) unknownChange(year int64) string {
	return w.Say("caveat.unknown-change", "Years", w.Years(w.zeros(0, []int64{year + w.offset(), year})))
}

// cautions are what a figure says of its numbers where no page is around it: what stops or notes, up to when they go, and the notes of the
// package. Of an excerpt it has few words.
func (w *view) cautions() (list []string) {
	if excerpt := w.ExcerptMark(w.cb); excerpt != "" {
		list = append(list, excerpt)
	}
	for _, c := range w.answer.Caveats {
		if c.Code != cube.WarnExcerpt && (c.Weight != cube.Background || c.Code == cube.WarnUntil || c.Code == cube.WarnNote) {
			list = append(list, prose.Tell(w.answer.Plan, c, w.Locale))
		}
	}
	return list
}
