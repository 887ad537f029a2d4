package babbage

import (
	"strings"

	"fiscube/cube"
)

// Members reads the attribute of the path, and the parameters cut, order, page and pagesize. Several attributes are
// joined by commas; they have to be of one level, whose members are listed with all of them in any case.
func (n *Names) Members(attribute string, given map[string]string) (cube.MemberQuery, error) {
	level, err := n.levelOf(attribute)
	if err != nil {
		return cube.MemberQuery{}, err
	}
	q := cube.MemberQuery{Level: level.Ref, Page: Page(given["page"], given["pagesize"])}
	return q, firstError(
		read(given, "cut", func(text string) (err error) { q.Cuts, err = n.Cuts(text); return err }),
		read(given, "order", func(text string) (err error) { q.Order, err = n.memberOrder(level, text); return err }),
	)
}

func (n *Names) levelOf(attribute string) (cube.Level, error) {
	var level cube.Level
	for i, name := range strings.Split(attribute, ",") {
		found, _ := n.resolve(refOf(n.prepared(name, ofRefs)))
		var one cube.Level
		if found.fields != nil {
			one, _ = n.model.Level(found.fields[0])
		}
		switch {
		case one.Ref == "":
			return one, n.noLevel(name)
		case i > 0 && one.Ref != level.Ref:
			return one, cube.Errorf(cube.CodeBadValue, "%q is of another level than the attribute before it", name)
		}
		level = one
	}
	return level, nil
}

func (n *Names) noLevel(name string) error {
	err := cube.Errorf(cube.CodeUnknownLevel, "no dimension or attribute %q", name)
	allowed := n.attributes()
	err.Hint = hint(name, allowed)
	return &Refused{err, allowed}
}

// memberOrder reads the order of members, which is by key or by label.
func (n *Names) memberOrder(level cube.Level, text string) (cube.MemberOrder, error) {
	list, err := n.orders(text)
	if err != nil || len(list) == 0 {
		return cube.MemberOrder{}, err
	}
	found, ok := n.resolve(list[0].Ref)
	order := cube.MemberOrder{By: cube.ByMemberKey, Desc: list[0].Desc}
	switch {
	case ok && len(list) == 1 && found.fields[0] == level.Ref:
		return order, nil
	case ok && len(list) == 1 && found.fields[0] == level.LabelRef:
		order.By = cube.ByMemberLabel
		return order, nil
	}
	key, label := n.Level(level)
	mistake := cube.Errorf(cube.CodeBadValue, "members are sorted by their key or by their label")
	mistake.Position = &cube.Position{Parameter: "order"}
	mistake.Hint = "write " + key + " or " + label
	return order, &Refused{mistake, []string{key, label}}
}
