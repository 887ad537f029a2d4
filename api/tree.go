package api

import (
	"cmp"
	"errors"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// treeParameters are those of …/tree/{dimension}: the clauses of a question without a drilldown of its own.
var treeParameters = append(slices.DeleteFunc(request.Clauses(), func(p request.Parameter) bool {
	return p.Name == "drilldown" || p.Name == "rollup" || p.Name == "fill"
}), []request.Parameter{
	{Name: "path", Twice: cube.CodeBadValue},
	{Name: "depth", Twice: cube.CodeBadValue},
	{Name: "numbers", Twice: cube.CodeBadValue},
	{Name: "cite", Twice: cube.CodeBadValue},
	request.Lang,
	request.Pin,
}...)

// treeQuestion is a question about a tree and how its answer is written.
type treeQuestion struct {
	query.Query
	encode.Writing
	tree  query.Tree
	given map[string]string // the parameters
	cite  bool              // with a sentence that says what the summary is
	lang  cube.Language
}

// tree answers with the members of a chain, one inside the other.
func (a *api) tree(c echo.Context) error {
	question, err := readTreeQuestion(c)
	if err != nil {
		return err
	}
	p, err := bound(a, c, question.given, func(cb *cube.Cube) (*plan.Plan, error) { return plan.BindTree(cb, question.Query, question.tree) })
	if err != nil {
		return unknownInPath(err, "dimension")
	}
	if reply.Unchanged(c, encode.FormatJSON.Media, p.Cube().Key()) {
		return reply.SendNotModified(c)
	}
	how := written{
		name: "tree", coding: reply.CodingOf(c.Request().Header), encode: encode.Tree, JSON: encode.JSON{Quoted: question.Quoted, Lang: question.lang},
	}
	if question.cite {
		how.link = request.Base(c) + question.link(p.Cube())
	}
	found, err := a.answerAs(c, p, how)
	if err != nil {
		return err
	}
	return a.kept.Send(c, found)
}

// link is the path of the question, pinned to the version.
func (q treeQuestion) link(cb *cube.Cube) string {
	var clauses [][2]string
	for _, p := range treeParameters {
		if text, ok := q.given[p.Name]; ok && !slices.Contains([]string{"numbers", "cite", request.Lang.Name, request.Pin.Name}, p.Name) {
			clauses = append(clauses, [2]string{p.Name, text})
		}
	}
	return reply.Permanent(cb, "tree/"+url.PathEscape(q.tree.Ref.Name), clauses)
}

// unknownInPath is a name in the path that nothing has: there is nothing at such a path.
func unknownInPath(err error, parameter string) error {
	var known *cube.Error
	if errors.As(err, &known) && known.Code == cube.CodeUnknownRef && known.Position != nil && known.Position.Parameter == parameter {
		absent := *known
		absent.Code = cube.CodeUnknownLevel
		return &absent
	}
	return err
}

func readTreeQuestion(c echo.Context) (treeQuestion, error) {
	given, err := request.Read(c.Request().URL.RawQuery, treeParameters)
	if err != nil {
		return treeQuestion{}, err
	}
	q, badQuery := query.Parse(given)
	tree, badTree := readTree(request.Path(c, "dimension"), given)
	writing, badNumbers := request.Writing(given, nil)
	cite, badCite := request.Flag(given, "cite")
	lang, badLang := request.Language(given)
	return treeQuestion{q, writing, tree, given, cite, lang}, cmp.Or(badQuery, badTree, badNumbers, badCite, badLang)
}

func readTree(dimension string, given map[string]string) (query.Tree, error) {
	tree := query.Tree{Ref: query.Ref{Name: dimension, At: cube.Position{Parameter: "dimension"}}, Depth: query.DefaultDepth}
	var badPath, badDepth error
	if text, ok := given["path"]; ok {
		tree.Path, badPath = query.ParsePath(text)
	}
	if text, ok := given["depth"]; ok {
		tree.Depth, badDepth = query.ParseDepth(text)
	}
	return tree, cmp.Or(badPath, badDepth)
}
