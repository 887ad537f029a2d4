package explorer

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// rankedBars ranks the members.
func (w *view) rankedBars() (drawing, error) { return w.ofParts(chart.Bars, false) }

// treemap divides an area among the members, which must be all of the whole.
func (w *view) treemap() (drawing, error) { return w.ofParts(chart.Treemap, true) }

// ofParts draws all members of the drilled levels.
func (w *view) ofParts(draw func(chart.Frame, []chart.Part) (chart.Figure, *chart.Refusal), whole bool) (drawing, error) {
	if len(w.drilled()) == 0 {
		return w.refusedUntil(noLevel, w.levels()), nil
	}
	found, err := w.Ask(w.cb, w.question())
	if err != nil {
		return drawing{}, err
	}
	of := w.withAnswer(found)
	if r := of.tooMany(); r != nil {
		return refusing(*r), nil
	}
	parts := of.parts()
	var told []string
	if whole {
		told = of.tellAlmostAll(parts)
	}
	return drawing{told: told, draw: func(width int) (chart.Figure, *refusal) {
		f := of.frameOf(width, len(parts))
		if whole && f.NotOneWhole == "" && len(parts) > 0 {
			if r := of.incomplete(parts); r != nil {
				return chart.Figure{}, of.refused(r)
			}
		}
		made, r := draw(f, parts)
		return made, of.refused(r)
	}}, nil
}

// almostAll is the share of a whole from which on the areas of its other parts can hardly be seen.
var almostAll = decimal.New(95, -2)

// tellAlmostAll says which part is almost all of the whole, if one is.
func (w *view) tellAlmostAll(parts []chart.Part) []string {
	sum := sumOfParts(decimal.Zero, parts)
	for _, part := range parts {
		if sum.IsPositive() && part.Share != "" && part.Value.GreaterThan(sum.Mul(almostAll)) {
			return []string{w.Say("figure.almost-all", "Name", part.Label, "Percent", part.Share)}
		}
	}
	return nil
}

// parts are the cells with an amount.
func (w *view) parts() []chart.Part {
	var parts []chart.Part
	for _, cell := range w.answer.Cells {
		if amount := cell.Values[0]; amount.Valid {
			parts = append(parts, w.part(cell, amount.Decimal))
		}
	}
	return parts
}

func (w *view) part(cell answer.Cell, amount decimal.Decimal) chart.Part {
	down, _ := w.below(cell)
	made := chart.Part{Kind: kindOf(cell), Members: int(cell.Others), Value: amount, Label: w.nameOf(cell), Amount: w.exact(amount), Href: down}
	if whole := w.answer.Summary.Values[0]; whole.Valid && whole.Decimal.IsPositive() && notOneWhole(w.answer.Plan) == "" {
		made.Share = w.Share(answer.Quotient(decimal.NewNullDecimal(amount), whole, shareDigits).Decimal)
	}
	made.Division = w.purposeOf(cell)
	name := w.pathOf(cell)
	if purpose := w.purposeName(cell); purpose != "" {
		made.Label = purpose
	}
	if cell.Others > 0 {
		made.Label = w.Say("view.others", "Count", cell.Others)
		name = made.Label
	}
	made.Title = titled(name, made)
	return made
}

// shareDigits is how exactly a share is divided before it is rounded to be shown.
const shareDigits = 60

// incomplete refuses parts that are not all of the whole, such as those that a condition leaves.
func (w *view) incomplete(parts []chart.Part) *chart.Refusal {
	sum, whole := sumOfParts(decimal.Zero, parts), w.answer.Summary.Values[0]
	if whole.Valid && w.addUp(sum, whole.Decimal, len(parts)) {
		return nil
	}
	return &chart.Refusal{Reason: chart.DoesNotAddUp, Label: w.title, Amount: w.number(0, whole)}
}

// sankey shows how the money of one level is that of another.
func (w *view) sankey() (drawing, error) {
	switch drilled := w.drilled(); len(drilled) {
	case 0:
		return w.refusedUntil(noLevel, w.levels()), nil
	case 1:
		return w.refusedUntil(oneLevel, w.secondLevels(drilled[0])), nil
	case 2:
	default:
		return refusing(*w.refused(&chart.Refusal{Reason: oneLevel})), nil
	}
	found, err := w.Ask(w.cb, w.question())
	if err != nil {
		return drawing{}, err
	}
	of := w.withAnswer(found)
	if r := of.tooMany(); r != nil {
		return refusing(*r), nil
	}
	flows, parts := of.flows(), of.parts()
	return drawing{draw: func(width int) (chart.Figure, *refusal) {
		f := of.frameOf(width, 0)
		if f.NotOneWhole == "" && len(parts) > 0 {
			if r := of.incomplete(parts); r != nil {
				return chart.Figure{}, of.refused(r)
			}
		}
		made, r := chart.Sankey(f, flows)
		return made, of.refused(r)
	}}, nil
}

// withSecond breaks down by a level of another dimension too what is broken down by one level.
func (w *view) withSecond(a site.Address) site.Address {
	if len(a.Query.Drilldown) != 1 {
		return a
	}
	first, _ := w.cb.Model.Level(a.Query.Drilldown[0].Name)
	for _, level := range w.open() {
		if dimension, _ := w.cb.Model.Dimension(level.Dimension); first.Ref != "" && level.Dimension != first.Dimension && dimension.Type != cube.DimensionTime && !w.hasNone(level.Ref) {
			return a.Drilling(first.Ref, level.Ref)
		}
	}
	return a
}

// secondLevels break the view down by one more level.
func (w *view) secondLevels(first cube.Level) []site.Choice {
	var list []site.Choice
	for _, level := range w.open() {
		if dimension, _ := w.cb.Model.Dimension(level.Dimension); level.Ref == first.Ref || dimension.Type == cube.DimensionTime {
			continue
		}
		list = append(list, site.Choice{
			Text: w.LevelTitle(first) + " → " + w.LevelTitle(level), Link: w.a.Drilling(first.Ref, level.Ref).String(),
		})
	}
	return list
}

// flows are the cells of two levels.
func (w *view) flows() chart.Flows {
	drilled := w.drilled()
	var from, to side
	flows := chart.Flows{Between: func(from, to chart.Part, value decimal.Decimal) chart.Part {
		made := chart.Part{Label: from.Label + " → " + to.Label, Amount: w.exact(value)}
		made.Title = titled(made.Label, made)
		return made
	}}
	for _, cell := range w.answer.Cells {
		if amount := cell.Values[0]; amount.Valid && cell.Others == 0 {
			flows.Flows = append(flows.Flows, chart.Flow{
				From: from.add(w, cell, drilled[0], drilled[1], amount.Decimal), To: to.add(w, cell, drilled[1], drilled[0], amount.Decimal), Value: amount.Decimal,
			})
		}
	}
	flows.From, flows.To = from.finish(w), to.finish(w)
	return flows
}

// side is the members of one of two levels.
type side struct {
	parts []chart.Part
	names []member       // of the parts
	index map[string]int // by path
}

// add adds an amount to the member of a level, whose link leads to what it is on the other level, and gives its position.
func (s *side) add(w *view, cell answer.Cell, level, other cube.Level, amount decimal.Decimal) int {
	var path []string
	a := w.a
	for i, key := range w.answer.Plan.Keys() {
		if slices.Contains(level.Path, key.Name) {
			path = append(path, query.ValueText(cell.Keys[i], ""))
			a = a.With(query.CutTo(key.Name, cell.Keys[i].String()))
		}
	}
	id := strings.Join(path, "/")
	if s.index == nil {
		s.index = map[string]int{}
	}
	i, ok := s.index[id]
	if !ok {
		i = len(s.parts)
		m := w.memberOf(cell, level)
		part := chart.Part{Label: m.Label}
		switch {
		case m.Missing:
			part.Kind = chart.Missing
		case level.Edition == "":
			a.View = asBars
			part.Href = a.Drilling(other.Ref).String()
		}
		s.index[id], s.parts, s.names = i, append(s.parts, part), append(s.names, m)
	}
	s.parts[i].Value = s.parts[i].Value.Add(amount)
	return i
}

// finish writes the amounts, and the codes of those of one name.
func (s *side) finish(w *view) []chart.Part {
	for i := range s.parts {
		part := &s.parts[i]
		if slices.ContainsFunc(s.names, func(other member) bool { return other.Label == part.Label && other.Code != s.names[i].Code }) {
			part.Label = s.names[i].String()
		}
		part.Amount = w.exact(part.Value)
		part.Title = titled(part.Label, *part)
	}
	return s.parts
}
