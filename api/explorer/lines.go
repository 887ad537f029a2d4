package explorer

import (
	"strconv"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube/plan"
)

// around is how many lines a page shows before and after the one that is asked for.
const around = 10

// linesPage shows lines of a published file.
type linesPage struct {
	site.Reader
	Title, CubeTitle, CubeLink string
	Path, Hash                 string
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

// showLines shows the published lines around one line.
func showLines(v *visit) (*site.Frame, error) {
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	wanted := int64(2) // the first below the header
	if text, ok := v.Given[request.Line.Name]; ok {
		if wanted, err = request.LineNumber(text); err != nil {
			return nil, err
		}
	}
	bound, header, index, err := plan.LinesOf(cb, request.Path(v.Context, "resource"), wanted, around)
	if err != nil {
		return nil, err
	}
	resource := cb.Resources[index]
	facts, err := v.Limiter.OpenFacts(v.Request().Context(), limits.TimingOf(v.Context), bound, v.Language)
	if err != nil {
		return nil, err
	}
	defer facts.Close()
	page := linesPage{
		Reader: v.Reader, Title: v.Fill(v.Words.LineOf, strconv.FormatInt(wanted, 10), resource.Path), CubeTitle: v.TitleOfCube(cb), CubeLink: v.Explore(cb).String(),
		Path: resource.Path, Hash: resource.Found.Hash, Header: header,
	}
	for fact, err := range facts.Rows {
		if err != nil {
			return nil, err
		}
		page.Rows = append(page.Rows, published{Line: fact.Line, Is: fact.Line == wanted, Cells: cellsOf(bound, fact)})
	}
	a := v.LinesOf(cb, resource)
	if wanted > around {
		page.Before = a.ToLine(max(wanted-2*around, 2))
	}
	if len(page.Rows) > 2*around {
		page.After = a.ToLine(wanted + 2*around)
	}
	f := v.Frame(templates["lines"], page.Title, page)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// cellsOf writes the published cells of a fact.
func cellsOf(p *plan.FactPlan, fact plan.Fact) []string {
	var list []string
	for i, column := range p.Fields() {
		list = append(list, fact.Values[i].Text(int32(column.Scale)))
	}
	return list
}
