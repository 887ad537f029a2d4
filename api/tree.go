package api

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// treeParameters are those of …/tree/{dimension}: the clauses of a question without a drilldown of its own.
var treeParameters = append(slices.DeleteFunc(questionParameters(), func(p parameter) bool {
	return p.name == "drilldown" || p.name == "rollup" || p.name == "fill"
}), []parameter{
	{name: "path", twice: cube.CodeBadValue},
	{name: "depth", twice: cube.CodeBadValue},
	{name: "numbers", twice: cube.CodeBadValue},
	inLang,
	pin,
}...)

// treeQuestion is a question about a tree and how its answer is to be written.
type treeQuestion struct {
	cube.Query
	tree    cube.Tree
	version int  // or servedVersion
	quoted  bool // amounts as strings
	lang    cube.Language
}

// tree answers with the members of a chain, one inside the other.
func (a *api) tree(c echo.Context) error {
	t := timingOf(c)
	question, err := readTreeQuestion(c)
	if err != nil {
		return err
	}
	t.done(stageParse)
	one, err := a.asked(c, question.version)
	if err != nil {
		return err
	}
	plan, err := one.BindTree(question.Query, question.tree)
	if err != nil {
		return unknownInPath(err, "dimension")
	}
	t.done(stagePlan)
	if a.unchanged(c, one, formatJSON.media) {
		return sendUnchanged(c)
	}
	result, err := a.result(c.Request().Context(), t, plan.In(question.lang))
	if err != nil {
		return err
	}
	body := treeAnswer(result, question)
	t.done(stageEncode)
	return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
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
	given, err := readParameters(c.Request().URL.RawQuery, treeParameters)
	if err != nil {
		return treeQuestion{}, err
	}
	query, badQuery := cube.ParseQuery(given)
	tree, badTree := readTree(pathParameter(c, "dimension"), given)
	quoted, badNumbers := readQuoted(given)
	lang, badLang := readLanguage(given)
	version, badVersion := readVersion(given)
	return treeQuestion{query, tree, version, quoted, lang},
		cmp.Or(badQuery, badTree, badNumbers, badLang, badVersion)
}

func readTree(dimension string, given map[string]string) (cube.Tree, error) {
	tree := cube.Tree{Ref: cube.Ref{Name: dimension, At: cube.Position{Parameter: "dimension"}}, Depth: cube.DefaultDepth}
	var badPath, badDepth error
	if text, ok := given["path"]; ok {
		tree.Path, badPath = cube.ParsePath(text)
	}
	if text, ok := given["depth"]; ok {
		tree.Depth, badDepth = cube.ParseDepth(text)
	}
	return tree, cmp.Or(badPath, badDepth)
}

// treeAnswer writes the nodes inside each other.
func treeAnswer(r *cube.Result, q treeQuestion) []byte {
	one := r.Plan.Cube()
	w := nodeWriter{plan: r.Plan, table: summaryTable(r.Plan), quoted: q.quoted}
	w.names = fieldNames(w.table.columns)
	b := marshal(answerHead{"ok", one.Name, one.Version, one.Synthetic, r.Summary.Count})
	b = w.nodes(append(b[:len(b)-1], `,"nodes":`...), nested(r))
	b = append(b, `,"summary":`...)
	b = appendRow(b, w.table.columns, w.names, w.table.row(r.Summary, nil), q.quoted)
	b = append(b, ',')
	return append(b, marshal(tail(r.Plan, q.lang))[1:]...)
}

// node is a row of a rollup with the rows it adds up.
type node struct {
	cell     cube.Cell
	children []*node
}

// nested puts the rows of a rollup, each of which comes before those below it, inside each other.
func nested(r *cube.Result) []*node {
	root := &node{}
	open := []*node{root} // the node of each depth that the next row may belong to
	for _, cell := range r.Cells {
		depth := depthOf(r.Plan, cell)
		n := &node{cell: cell}
		open[depth].children = append(open[depth].children, n)
		open = append(open[:depth+1], n)
	}
	return root.children
}

// depthOf counts the steps above that of a row. What top leaves out stands beside the last ones.
func depthOf(plan *cube.Plan, cell cube.Cell) int {
	steps := plan.Steps()
	if cell.Others > 0 {
		return len(steps) - 1
	}
	return slices.IndexFunc(steps, func(s cube.Step) bool { return s.Keys == len(cell.Keys) })
}

// nodeWriter appends nodes as JSON.
type nodeWriter struct {
	plan   *cube.Plan
	table  *cellTable // the aggregates
	names  [][]byte
	quoted bool
	row    []datum
}

func (w *nodeWriter) nodes(b []byte, list []*node) []byte {
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.node(b, n)
	}
	return append(b, ']')
}

func (w *nodeWriter) node(b []byte, n *node) []byte {
	b = w.head(append(b, '{'), n.cell)
	w.row = w.table.row(n.cell, w.row)
	for i, d := range w.row {
		b = appendDatum(append(append(b, ','), w.names[i]...), w.table.columns[i], d, w.quoted)
	}
	if len(n.children) > 0 {
		b = w.nodes(append(b, `,"children":`...), n.children)
	}
	return append(b, '}')
}

// head names the member of a node, and the level to ask for next where it has no children here.
func (w *nodeWriter) head(b []byte, cell cube.Cell) []byte {
	if cell.Others > 0 {
		return strconv.AppendInt(append(b, `"_others":`...), cell.Others, 10)
	}
	key, label := w.plan.MemberOf(cell)
	if label.IsMissing() && !key.IsMissing() {
		label = cube.Text(key.String()) // what has no label is shown by its key
	}
	b = appendString(append(b, `"path":`...), w.plan.PathOf(cell))
	b = appendValue(append(b, `,"key":`...), key)
	b = appendValue(append(b, `,"label":`...), label)
	if below := w.plan.Below(cell); below != "" {
		b = appendString(append(b, `,"_drilldown":`...), below)
	}
	return b
}
