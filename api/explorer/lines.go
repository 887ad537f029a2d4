package explorer

import (
	"strconv"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
)

// around is how many lines a page shows before and after the one that is asked for.
const around = 10

// linesPage shows lines of a published file.
type linesPage struct {
	reader
	Title, CubeTitle, CubeLink string
	Path, Hash, Whole          string
	Header                     []string
	Rows                       []published
	Before, After              string
}

// published is a line of a file as it was loaded.
type published struct {
	Line  int64
	Cells []string
	Is    bool // the line that was asked for
}

// lineParameter says which line.
var lineParameter = request.Parameter{Name: "line", Twice: cube.CodeBadValue}

// file shows the published lines around one line.
func (p *Pages) file(v *visit) (*frame, error) {
	cb, err := request.Cube(v.Context, p.limiter, request.Path(v.Context, "cube"), v.given)
	if err != nil {
		return nil, err
	}
	wanted := int64(2) // the first below the header
	if text, ok := v.given["line"]; ok {
		if wanted, err = strconv.ParseInt(text, 10, 64); err != nil || wanted < 1 {
			return nil, request.Mistake(cube.CodeBadValue, "line", "line is "+strconv.Quote(cube.Clip(text)), "lines are numbered from 1, which is the header")
		}
	}
	bound, header, index, err := plan.LinesOf(cb, request.Path(v.Context, "resource"), wanted, around)
	if err != nil {
		return nil, err
	}
	resource := cb.Resources[index]
	facts, err := p.limiter.OpenFacts(v.Request().Context(), limits.TimingOf(v.Context), bound, v.Language)
	if err != nil {
		return nil, err
	}
	defer facts.Close()
	page := linesPage{
		reader: v.reader, Title: v.Fill(v.Words.LineOf, strconv.FormatInt(wanted, 10), resource.Path), CubeTitle: v.titleOfCube(cb), CubeLink: v.explore(cb).String(),
		Path: resource.Path, Hash: resource.Found.Hash, Header: header,
	}
	for fact, err := range facts.Rows {
		if err != nil {
			return nil, err
		}
		row := published{Line: fact.Line, Is: fact.Line == wanted}
		for i, column := range bound.Fields() {
			row.Cells = append(row.Cells, fact.Values[i].Text(int32(column.Scale)))
		}
		page.Rows = append(page.Rows, row)
	}
	a := v.explore(cb)
	a.path += "/lines/" + request.Path(v.Context, "resource")
	if wanted > around {
		page.Before = a.toLine(max(wanted-2*around, 2))
	}
	if len(page.Rows) > 2*around {
		page.After = a.toLine(wanted + 2*around)
	}
	f := v.frame("lines", page.Title, page)
	f.MadeUp = cb.Synthetic
	return f, nil
}
