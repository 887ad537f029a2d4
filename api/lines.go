package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// aroundParameter says how many lines beside request.Line.
var aroundParameter = request.Parameter{Name: "around", Twice: cube.CodeBadValue}

// How many lines are shown before and after the one that is asked for.
const (
	usualAround = 5
	mostAround  = 100
)

// linesJSON is the lines of a file around one.
type linesJSON struct {
	Status    string         `json:"status"`
	Cube      string         `json:"cube"`
	Version   int            `json:"version"`
	Synthetic bool           `json:"synthetic"`
	Resource  string         `json:"resource"`
	Path      string         `json:"path"`
	Hash      string         `json:"hash"`
	Line      int64          `json:"line"`
	Fields    []string       `json:"fields"`
	Lines     []lineJSON     `json:"lines"`
	Warnings  []cube.Warning `json:"warnings"`
}

// lineJSON is a line with its published cells; null is a missing one.
type lineJSON struct {
	Line  int64     `json:"line"`
	Cells []*string `json:"cells"`
}

// resource gives a file as it was published, or the lines around one.
func (a *api) resource(c echo.Context) error {
	given, err := request.Read(c.Request().URL.RawQuery, []request.Parameter{request.Line, aroundParameter, request.Pin})
	if err != nil {
		return err
	}
	cb, err := request.Cube(c, a.limiter, request.Path(c, "cube"), given)
	if err != nil {
		return err
	}
	text, ok := given[request.Line.Name]
	if _, around := given[aroundParameter.Name]; around && !ok {
		return request.Mistake(cube.CodeBadValue, aroundParameter.Name, "around says how many lines before and after one, and there is no line", "add line=16")
	}
	if !ok {
		return a.publishedFile(c, cb)
	}
	line, err := request.LineNumber(text)
	if err != nil {
		return err
	}
	around := int64(usualAround)
	if text, ok := given[aroundParameter.Name]; ok {
		if around, err = strconv.ParseInt(text, 10, 64); err != nil || around < 0 || around > mostAround {
			return request.Mistake(cube.CodeBadValue, aroundParameter.Name, "around is "+strconv.Quote(query.Clip(text)), "it is a whole number from 0 to "+strconv.Itoa(mostAround))
		}
	}
	return a.lines(c, cb, line, around)
}

// lines gives the lines of a file around one.
func (a *api) lines(c echo.Context, cb *cube.Cube, line, around int64) error {
	p, header, index, err := plan.LinesOf(cb, request.Path(c, "resource"), line, around)
	if err != nil {
		return err
	}
	if reply.Unchanged(c, encode.FormatJSON.Media, cb.Key()) {
		return reply.SendNotModified(c)
	}
	facts, err := a.limiter.OpenFacts(c.Request().Context(), limits.TimingOf(c), p, cube.English)
	if err != nil {
		return err
	}
	defer facts.Close()
	resource := cb.Resources[index]
	found := linesJSON{
		"ok", cb.Name, cb.Version, cb.Synthetic, resource.Name, resource.Path, resource.Found.Hash, line, header, []lineJSON{}, []cube.Warning{},
	}
	for fact, err := range facts.Rows {
		if err != nil {
			return err
		}
		if fact.Line-around > line {
			break
		}
		row := lineJSON{Line: fact.Line, Cells: make([]*string, len(header))}
		for i, column := range p.Fields() {
			if value := fact.Values[i]; !value.IsMissing() {
				cell := value.Text(int32(column.Scale))
				row.Cells[i] = &cell
			}
		}
		found.Lines = append(found.Lines, row)
	}
	return reply.SendJSON(c, http.StatusOK, found)
}
