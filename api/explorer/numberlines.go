package explorer

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/published"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/answer"
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
	Said       layers.Sentence
	Pinned     *layers.Pinned
	NumberLink string
	Lines      *lineTable
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
	Cells              []reading.Member // of the levels that are the fields
	Amount             string
	Stood              string // the column that it stood in, where several amounts of the number may stand in one line
}

// linesAsked is what the lines of a number are made of: facts, and what tells them apart.
type linesAsked struct {
	question query.FactQuery // whose first field is the measure, if the number has one
	fields   lineFields
	plan     *plan.FactPlan
	facts    *answer.FactPage
}

// firstLine is the position, from 1, of the first line that a page of a number is asked for.
func (v *visit) firstLine() int {
	from, err := strconv.Atoi(v.PageParameter("_from"))
	if err != nil {
		return 1
	}
	return max(from, 1)
}

// linesAlone is the page of a number with its lines from a position on and nothing else.
func (v *visit) linesAlone(r *reading.Reading, from int) (*numberLinesPage, error) {
	var served *asks.Now
	lines := &linesAsked{}
	if err := site.Together(v.Served(&served, r), v.askLines(lines, r, from)); err != nil {
		return nil, err
	}
	if len(lines.facts.Facts) == 0 { // behind the last one
		if err := v.askLines(lines, r, 1)(); err != nil {
			return nil, err
		}
		from = 1
	}
	page := &numberLinesPage{Reader: r.Reader, NumberLink: r.Address.String(), Lines: lines.table(r, from)}
	page.Said, page.Pinned = headingOfNumber(v.viewOf(r)), served.Told(r)
	page.Said.Trail = append(page.Said.Trail, site.Choice{Text: v.Say("number.back-to-number"), Link: page.NumberLink})
	return page, nil
}

// measureOfLines is the measure whose amounts make up a number; ok is false of a count of rows.
func measureOfLines(r *reading.Reading) (m cube.Measure, ok bool) {
	measures := r.Main().Measures()
	if len(measures) == 0 {
		return m, false
	}
	return r.Cube.Model.Measure(measures[0])
}

// askLines asks for the lines whose amounts make up a number, from a position on: the largest first.
func (v *visit) askLines(to *linesAsked, r *reading.Reading, from int) func() error {
	return func() error {
		q := query.FactQuery{Cuts: r.Address.Query.Cuts, Snapshots: r.Address.Query.Snapshots, Size: firstLines}
		if from > 1 {
			q.Size = moreLines
		}
		measure, hasMeasure := measureOfLines(r)
		if hasMeasure {
			q.Fields = append(q.Fields, query.Ref{Name: measure.Ref})
			q.Cuts = slices.Concat(q.Cuts, plan.CutsOf(r.Cube.Model, measure.Ref))
		}
		if r.Plan.FactSnapshots() == query.AllSnapshots {
			q.Snapshots = query.AllSnapshots
		}
		var err error
		if to.fields, err = v.fieldsOfLines(r, q); err != nil {
			return err
		}
		if hasMeasure {
			q.Order = []query.Order{{Ref: query.Ref{Name: measure.Ref}, Desc: true}}
		}
		to.fields.places = map[string]int{}
		for _, level := range to.fields.levels {
			for _, name := range []string{level.Ref, level.LabelRef} {
				if name != "" {
					to.fields.places[name] = len(q.Fields)
					q.Fields = append(q.Fields, query.Ref{Name: name})
				}
			}
		}
		bound, err := plan.BindFacts(r.Cube, q)
		if err != nil {
			return err
		}
		to.question, to.plan = q, bound
		to.facts, err = v.Limiter.FactPage(v.Request().Context(), limits.TimingOf(v.Context), bound.Skipping(int64(from-1)), v.Language)
		return err
	}
}

// table lists the lines of a number, of which the first one is at a position.
func (l *linesAsked) table(r *reading.Reading, from int) *lineTable {
	made := &lineTable{
		Caption: r.Say("number.lines", "Count", l.facts.Total), Alike: strings.Join(l.fields.alike, "; "), Fields: each.Text(l.fields.levels, r.LevelTitle),
	}
	measure, hasMeasure := measureOfLines(r)
	if hasMeasure {
		made.Amount = prose.MeasureTitle(measure, r.Language)
	}
	number := site.Address{Query: r.Address.Query}.Question()
	for _, fact := range l.facts.Facts {
		resource := r.Cube.Resources[fact.Resource]
		a := r.LinesOf(r.Cube, resource)
		a.Number = number
		row := line{File: resource.Name, Number: strconv.FormatInt(fact.Line, 10), Link: a.ToLine(fact.Line)}
		if hasMeasure {
			row.Amount = published.TextOf(r.Guest, fact.Values[0], l.plan.Fields()[0])
			if l.plan.HasColumn() {
				row.Stood = l.plan.ColumnOf(fact).String()
			}
		}
		for _, level := range l.fields.levels {
			row.Cells = append(row.Cells, cellOf(fact, l.fields.places, level))
		}
		made.Rows = append(made.Rows, row)
	}
	made.All = allLines(r, l.question)
	made.leaf(r, from, int(l.facts.Total))
	return made
}

// leaf says which of so many lines a table has, and leads to the others.
func (t *lineTable) leaf(r *reading.Reading, from, total int) {
	last := from + len(t.Rows) - 1
	if from > 1 || last < total {
		message := "number.lines-shown"
		if t.Amount != "" {
			message = "number.lines-largest"
		}
		t.Shown = r.Say(message, "First", r.Whole(int64(from)), "Last", r.Whole(int64(last)), "Total", r.Whole(int64(total)))
	}
	a := r.Address
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
func allLines(r *reading.Reading, of query.FactQuery) string {
	a := dataOf(r, "facts")
	a.Query = query.Query{Cuts: of.Cuts, Snapshots: of.Snapshots, Page: query.FirstPage}
	return a.Plus("format", "csv")
}
