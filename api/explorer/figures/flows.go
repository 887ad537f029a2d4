package figures

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// sankey shows how the money of one level is that of another.
func sankey(r *reading.Reading) Drawing {
	flows, parts := flowsOf(r), partsOf(r)
	return Drawing{Draw: func(width, height int) (chart.Figure, *Refusal) {
		f := frameOf(r, width, height)
		if f.NotOneWhole == "" && len(parts) > 0 {
			if why := incomplete(r, parts); why != nil {
				return chart.Figure{}, refused(r, why)
			}
		}
		drawn, why := chart.Sankey(f, flows)
		return drawn, refused(r, why)
	}}
}

// flowsOf are the cells of two levels.
func flowsOf(r *reading.Reading) chart.Flows {
	drilled := r.Drilled()
	var from, to side
	flows := chart.Flows{Between: func(from, to chart.Part, value decimal.Decimal) chart.Part {
		made := chart.Part{Label: from.Label + " → " + to.Label, Amount: r.Exact(value)}
		made.Title = titled(made.Label, made)
		return made
	}}
	for _, cell := range r.Answer.Cells {
		if amount := cell.Values[0]; amount.Valid && cell.Others == 0 {
			flows.Flows = append(flows.Flows, chart.Flow{
				From: from.add(r, cell, drilled[0], drilled[1], amount.Decimal), To: to.add(r, cell, drilled[1], drilled[0], amount.Decimal), Value: amount.Decimal,
			})
		}
	}
	flows.From, flows.To = from.finish(r), to.finish(r)
	return flows
}

// side is the members of one of two levels.
type side struct {
	parts []chart.Part
	names []reading.Member // of the parts
	index map[string]int   // by path
}

// add adds an amount to the member of a level, whose link leads to what it is on the other level, and gives its position.
func (s *side) add(r *reading.Reading, cell answer.Cell, level, other cube.Level, amount decimal.Decimal) int {
	var path []string
	a := r.Address
	for i, key := range r.Plan.Keys() {
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
		m := r.MemberOf(cell, level)
		part := chart.Part{Label: m.Label}
		switch {
		case m.Missing:
			part.Kind = chart.Missing
		case level.Edition == "":
			a.View = selection.AsBars
			part.Href = a.Drilling(other.Ref).String()
		}
		s.index[id], s.parts, s.names = i, append(s.parts, part), append(s.names, m)
	}
	s.parts[i].Value = s.parts[i].Value.Add(amount)
	return i
}

// finish writes the amounts, and the codes of those of one name.
func (s *side) finish(r *reading.Reading) []chart.Part {
	for i := range s.parts {
		part := &s.parts[i]
		if slices.ContainsFunc(s.names, func(other reading.Member) bool { return other.Label == part.Label && other.Code != s.names[i].Code }) {
			part.Label = s.names[i].String()
		}
		part.Amount = r.Exact(part.Value)
		part.Title = titled(part.Label, *part)
	}
	return s.parts
}
