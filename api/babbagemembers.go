package api

import (
	"context"
	"strconv"

	"fiscube/api/babbage"
	"fiscube/cube"
)

// babbageMembers lists the members of a level, one for each path.
func (a *api) babbageMembers(c asking) ([]byte, error) {
	t := timingOf(c)
	read := func(n *babbage.Names) (babbage.MemberQuestion, error) {
		return n.Members(pathParameter(c, "level"), c.given)
	}
	bind := func(one *cube.Cube, q babbage.MemberQuestion) (*cube.MemberPlan, error) {
		return one.BindMembers(q.MemberQuery)
	}
	question, plan, err := bound(a, c, t, read, bind)
	if err != nil || plan == nil {
		return nil, err
	}
	w := newMemberWriter(question.Names, plan)
	plan, err = whole(c.Request().Context(), a, t, func(ctx context.Context) (*cube.MemberPlan, error) {
		return a.readMembers(ctx, plan, w)
	})
	if err != nil {
		return nil, err
	}
	a.metrics.rows.Add(float64(w.rows))
	defer t.done(stageEncode)
	return a.babbageMemberList(c, plan, w), nil
}

func (a *api) readMembers(ctx context.Context, plan *cube.MemberPlan, w *memberWriter) (*cube.MemberPlan, error) {
	plan, err := a.engine.CheckMembers(ctx, plan)
	if err != nil {
		return nil, err
	}
	for row, err := range a.engine.Members(ctx, plan) {
		if err != nil {
			return nil, err
		}
		w.write(row)
	}
	return plan, nil
}

// memberWriter writes members under the names of the dialect.
type memberWriter struct {
	names    *babbage.Names
	fields   []string // the path from the top, then the label
	keys     [][]byte
	labelled bool
	body     []byte
	rows     int
	total    int64
}

// newMemberWriter names the columns: the keys of the path with the level's own, and its label.
func newMemberWriter(names *babbage.Names, plan *cube.MemberPlan) *memberWriter {
	w := &memberWriter{names: names}
	for _, column := range plan.Path() {
		w.fields = append(w.fields, names.Field(column.Name))
	}
	key, label := names.Level(plan.Level())
	if w.labelled = label != key; w.labelled {
		w.fields = append(w.fields, label)
	}
	w.keys = factKeys(w.fields)
	return w
}

// write adds a member. The first row is their number.
func (w *memberWriter) write(row cube.MemberRow) {
	if row.Path == nil {
		w.total = row.Count
		return
	}
	if w.rows++; w.rows > 1 {
		w.body = append(w.body, ',')
	}
	for i, key := range row.Path {
		w.body = appendValue(append(w.body, w.keys[i]...), key)
	}
	if w.labelled {
		w.body = appendValue(append(w.body, w.keys[len(row.Path)]...), row.Label)
	}
	w.body = append(w.body, '}')
}

// babbageMembersTail is what stands behind the members.
type babbageMembersTail struct {
	Cell   []cutJSON   `json:"cell"`
	Fields []string    `json:"fields"`
	Order  [][2]string `json:"order"`
	babbageEnd
}

func (a *api) babbageMemberList(c asking, plan *cube.MemberPlan, w *memberWriter) []byte {
	tail := babbageMembersTail{
		Cell: renamed(cutsOf(plan.Question()), w.names), Fields: w.fields, Order: orderOfMembers(plan, w.names),
		babbageEnd: a.babbageEnd(c, plan.Cube(), permanent(plan.Cube(), "", nil), plan.Page(), w.total, plan.Warnings()),
	}
	linkPages(c.Response().Header(), c.Request().URL, plan.Cube().Version, plan.Page(), w.total)
	b := strconv.AppendInt([]byte(`{"total_member_count":`), w.total, 10)
	b = append(append(append(b, `,"data":[`...), w.body...), `],`...)
	return append(b, marshal(tail)[1:]...)
}

func orderOfMembers(plan *cube.MemberPlan, names *babbage.Names) [][2]string {
	order := plan.Order()
	direction := "asc"
	if order.Desc {
		direction = "desc"
	}
	key, label := names.Level(plan.Level())
	switch order.By {
	case cube.ByMemberKey:
		return [][2]string{{key, direction}}
	case cube.ByMemberLabel:
		return [][2]string{{label, direction}}
	}
	return [][2]string{}
}
