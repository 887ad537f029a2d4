package api

import (
	"cmp"
	"errors"
	"slices"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/kept"
	"fiscube/api/limits"
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
	request.Lang,
	request.Pin,
}...)

// treeQuestion is a question about a tree and how its answer is written.
type treeQuestion struct {
	query.Query
	encode.Writing
	tree  query.Tree
	given map[string]string // the parameters
	lang  cube.Language
}

// tree answers with the members of a chain, one inside the other.
func (a *api) tree(c echo.Context) error {
	t := limits.TimingOf(c)
	question, err := readTreeQuestion(c)
	if err != nil {
		return err
	}
	t.Done(limits.StageParse)
	cb, err := request.Cube(c, a.limiter, request.Path(c, "cube"), question.given)
	if err != nil {
		return err
	}
	p, err := plan.BindTree(cb, question.Query, question.tree)
	if err != nil {
		return unknownInPath(err, "dimension")
	}
	t.Done(limits.StagePlan)
	if reply.Unchanged(c, encode.FormatJSON.Media, cb.Key()) {
		return reply.SendNotModified(c)
	}
	asked := []any{"tree", question.lang, question.Quoted, len(p.OrderAsked()), p}
	found, err := a.kept.Of(c, cb, reply.CodingOf(c.Request().Header), asked, func() (kept.Answer, error) {
		result, err := a.limiter.Aggregate(c.Request().Context(), t, p, question.lang)
		if err != nil {
			return kept.Answer{}, err
		}
		body := encode.Tree(result, encode.JSON{Quoted: question.Quoted, Lang: question.lang})
		t.Done(limits.StageEncode)
		return kept.Answer{Body: body}, nil
	})
	if err != nil {
		return err
	}
	return a.kept.Send(c, found)
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
	lang, badLang := request.Language(given)
	return treeQuestion{q, writing, tree, given, lang}, cmp.Or(badQuery, badTree, badNumbers, badLang)
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
