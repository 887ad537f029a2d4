package explorer

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// How many lines the page of a number lists, before what follows them there, and a page of its lines alone.
const (
	firstLines = 10
	moreLines  = 100
)

// numberLinesPage is a page with lines of a number that its own page has no room for.
type numberLinesPage struct {
	site.Reader
	Title, Unit, Exact              string
	CubeTitle, CubeLink, NumberLink string
	Above                           []site.Choice // what the members are below
	Pinned                          *pinning
	Lines                           *lineTable
}

// lineTable is some of the lines that make up a number.
type lineTable struct {
	Caption string // how many there are
	Shown   string // which of them these are; "" for all
	Alike   string // what all of them have
	Fields  []string
	Amount  string // the head of the amounts
	Rows    []line
	First   string // leads to the first lines
	Before  string // leads to the lines before
	Next    string // leads to the following lines
	All     string // leads to all lines as a file
}

// line is a line of a published file.
type line struct {
	File, Number, Link string
	Cells              []member // of the levels that are the fields
	Amount             string
	Stood              string // the column that it stood in, where several amounts of the number may stand in one line
}

// firstAsked is the position, from 1, of the first line that a page of a number is asked for.
func (w *view) firstAsked() int {
	from, err := strconv.Atoi(w.PageParameter("_from"))
	if err != nil {
		return 1
	}
	return max(from, 1)
}

// linesAlone is the page of a number with its lines from a position on and nothing else.
func (w *view) linesAlone(from int) (*numberLinesPage, error) {
	number := w.a.At(w.a.Path + "/number")
	page := &numberLinesPage{
		Reader: w.Reader, Title: w.heading, Above: w.trail, Unit: w.unit(), CubeTitle: w.TitleOfCube(w.cb), CubeLink: w.Explore(w.cb).String(), NumberLink: number.String(),
	}
	_, page.Exact = w.sum()
	var err error
	if page.Lines, err = w.lines(from); err != nil {
		return nil, err
	}
	of := *w
	of.a = number
	page.Pinned, err = of.pinned()
	return page, err
}

// lines lists the lines whose amounts make up the number, from a position on: the largest first.
func (w *view) lines(from int) (*lineTable, error) {
	q := query.FactQuery{Cuts: w.a.Query.Cuts, Snapshots: w.a.Query.Snapshots, Size: firstLines}
	if from > 1 {
		q.Size = moreLines
	}
	var measure cube.Measure
	if measures := w.answer.Plan.Aggregates()[0].Measures(); len(measures) > 0 {
		measure, _ = w.cb.Model.Measure(measures[0])
		q.Fields = append(q.Fields, query.Ref{Name: measure.Ref})
		q.Cuts = slices.Concat(q.Cuts, plan.CutsOf(w.cb.Model, measure.Ref))
	}
	if w.answer.Plan.FactSnapshots() == query.AllSnapshots {
		q.Snapshots = query.AllSnapshots
	}
	fields, err := w.fieldsOfLines(q)
	if err != nil {
		return nil, err
	}
	if measure.Ref != "" {
		q.Order = []query.Order{{Ref: query.Ref{Name: measure.Ref}, Desc: true}}
	}
	names := map[string]int{}
	for _, level := range fields.levels {
		for _, name := range []string{level.Ref, level.LabelRef} {
			if name != "" {
				names[name] = len(q.Fields)
				q.Fields = append(q.Fields, query.Ref{Name: name})
			}
		}
	}
	bound, err := plan.BindFacts(w.cb, q)
	if err != nil {
		return nil, err
	}
	facts, err := w.Limiter.FactPage(w.Request().Context(), limits.TimingOf(w.Context), bound.Skipping(int64(from-1)), w.Language)
	if err != nil {
		return nil, err
	}
	if from > 1 && len(facts.Facts) == 0 { // behind the last one
		return w.lines(1)
	}
	made := &lineTable{Caption: w.Say("number.lines", "Count", facts.Total), Alike: strings.Join(fields.alike, "; "), Fields: each.Text(fields.levels, w.LevelTitle)}
	if measure.Ref != "" {
		made.Amount = prose.MeasureTitle(measure, w.Language)
	}
	number := site.Address{Query: w.a.Query}.Question()
	for _, fact := range facts.Facts {
		resource := w.cb.Resources[fact.Resource]
		a := w.LinesOf(w.cb, resource)
		a.Number = number
		row := line{File: resource.Name, Number: strconv.FormatInt(fact.Line, 10), Link: a.ToLine(fact.Line)}
		if measure.Ref != "" {
			row.Amount = w.textOf(fact.Values[0], bound.Fields()[0])
			if bound.HasColumn() {
				row.Stood = bound.ColumnOf(fact).String()
			}
		}
		for _, level := range fields.levels {
			row.Cells = append(row.Cells, cellOf(fact, names, level))
		}
		made.Rows = append(made.Rows, row)
	}
	made.All = w.allLines(q)
	w.leaf(made, from, int(facts.Total))
	return made, nil
}

// leaf says which of so many lines a table has, and leads to the others.
func (w *view) leaf(t *lineTable, from, total int) {
	last := from + len(t.Rows) - 1
	if from > 1 || last < total {
		message := "number.lines-shown"
		if t.Amount != "" {
			message = "number.lines-largest"
		}
		t.Shown = w.Say(message, "First", w.Whole(int64(from)), "Last", w.Whole(int64(last)), "Total", w.Whole(int64(total)))
	}
	a := w.a.At(w.a.Path + "/number")
	at := func(position int) string { return a.Plus("_from", strconv.Itoa(position)) }
	if last < total {
		t.Next = at(last + 1)
	}
	switch {
	case from > firstLines+1:
		t.First, t.Before = a.String(), at(max(from-moreLines, firstLines+1))
	case from > 1:
		t.First = a.String()
	}
}

// allLines leads to a file with every line of the number, and every field of them.
func (w *view) allLines(of query.FactQuery) string {
	a := w.data("facts")
	a.Query = query.Query{Cuts: of.Cuts, Snapshots: of.Snapshots, Page: query.FirstPage}
	return a.Plus("format", "csv")
}
