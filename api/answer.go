package api

import (
	"cmp"
	"slices"

	"fiscube/cube"
)

// answerHead is what stands before the cells of an answer.
type answerHead struct {
	Status         string `json:"status"`
	Cube           string `json:"cube"`
	Version        int    `json:"version"`
	Synthetic      bool   `json:"synthetic"`
	TotalCellCount int64  `json:"total_cell_count"`
}

// answerTail is what stands after the cells and their summary: the question, told back as it was understood.
type answerTail struct {
	SummaryWithout []string     `json:"summary_without,omitempty"`
	Cell           []cutJSON    `json:"cell"`
	Aggregates     []string     `json:"aggregates"`
	Attributes     []string     `json:"attributes"`
	Measures       measuresJSON `json:"measures"`
	Order          [][2]string  `json:"order"`
	Page           int          `json:"page,omitempty"` // absent where the answer is whole
	PageSize       *int         `json:"page_size,omitempty"`
	Warnings       []warning    `json:"warnings"`

	Citation *citationJSON `json:"citation,omitempty"`
}

type warning = cube.Warning

// answer writes a whole answer. Its cells, which may be ten thousand, are appended one by one between the head
// and the tail, which are small.
func answer(r *cube.Result, q question, citation *citationJSON) []byte {
	one := r.Plan.Cube()
	b := marshal(answerHead{"ok", one.Name, one.Version, one.Synthetic, r.Summary.Count})
	b = append(b[:len(b)-1], `,"cells":[`...)
	b = appendCells(b, r, q)
	b = append(b, `],"summary":`...)
	summary := summaryTable(r.Plan)
	b = appendRow(b, summary.columns, fieldNames(summary.columns), summary.row(r.Summary, nil), q.quoted)
	b = append(b, ',')
	end := tail(r.Plan, q.lang)
	end.Citation = citation
	return append(b, marshal(end)[1:]...)
}

func appendCells(b []byte, r *cube.Result, q question) []byte {
	table := newCellTable(r.Plan, q.links)
	names := fieldNames(table.columns)
	var row []datum
	for i, cell := range r.Cells {
		if i > 0 {
			b = append(b, ',')
		}
		before := len(b)
		row = table.row(cell, row)
		b = appendRow(b, table.columns, names, row, q.quoted)
		if i == 0 {
			b = slices.Grow(b, len(r.Cells)*(len(b)-before)) // the others are about as long
		}
	}
	return b
}

func tail(plan *cube.Plan, lang cube.Language) answerTail {
	t := answerTail{
		SummaryWithout: plan.SummaryWithout(),
		Cell:           cutsOf(plan),
		Aggregates:     []string{},
		Attributes:     plan.Attributes(),
		Measures:       inLanguage(plan.Measures(), lang),
		Order:          [][2]string{},
		Warnings:       append([]warning{}, plan.Warnings()...),
	}
	if page := plan.Page(); page != cube.Every {
		t.Page, t.PageSize = page.Number, &page.Size
	}
	for _, a := range plan.Aggregates() {
		t.Aggregates = append(t.Aggregates, a.Name)
	}
	for _, s := range plan.OrderAsked() {
		t.Order = append(t.Order, [2]string{plan.SortName(s), s.Direction()})
	}
	return t
}

// cutJSON tells one item of a cut back. Entries of one term are alternatives, different terms must all hold.
type cutJSON struct {
	Ref      string `json:"ref"`
	Term     int    `json:"term"`
	Operator string `json:"operator"`
	Value    []any  `json:"value"`
	Not      bool   `json:"not,omitempty"`
	Default  bool   `json:"default,omitempty"`
}

func cutsOf(plan *cube.Plan) []cutJSON {
	cuts := []cutJSON{}
	for term, f := range plan.AllFilters() {
		for _, item := range f.Echo {
			cut := cutJSON{f.Ref, term, ":", plain(item.Values), f.Not, f.Default}
			switch {
			case item.Op == cube.OpRange:
				cut.Operator = ".."
			case item.Op == cube.OpMatch:
				cut.Operator = "~"
			case item.Path:
				cut.Value = []any{cut.Value}
			}
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// plain gives the values as JSON knows them.
func plain(values []cube.Value) []any {
	list := make([]any, len(values))
	for i, v := range values {
		if n, ok := v.Int(); ok {
			list[i] = n
		} else if !v.IsMissing() {
			list[i] = v.String()
		}
	}
	return list
}

// measuresJSON writes measures as an object by ref, in their order.
type measuresJSON []cube.Measure

// MarshalJSON writes the object.
func (m measuresJSON) MarshalJSON() ([]byte, error) {
	object := make(objectJSON, len(m))
	for i, measure := range m {
		object[i] = namedJSON{measure.Ref, describe(measure)}
	}
	return object.MarshalJSON()
}

// measureJSON is a measure; what nobody said of it is left out.
type measureJSON struct {
	Ref       string `json:"ref,omitempty"`
	Title     string `json:"title,omitempty"`
	Currency  string `json:"currency,omitempty"`
	Unit      int64  `json:"unit,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Direction string `json:"direction,omitempty"`
}

// inLanguage gives the measures titles in a language, where they have them.
func inLanguage(measures []cube.Measure, lang cube.Language) []cube.Measure {
	spoken := slices.Clone(measures)
	for i, m := range spoken {
		spoken[i].Title = cmp.Or(m.Titles.In(lang), m.Title)
	}
	return spoken
}

// describe gives what is known of a measure but its ref.
func describe(m cube.Measure) measureJSON {
	return measureJSON{"", m.Title, m.Currency, m.Unit, m.Phase, m.Direction}
}
