package babbage

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"fiscube/api/reply"
	"fiscube/cube"
)

// MemberQuestion is a question for members in the words of the cube.
type MemberQuestion struct {
	cube.MemberQuery
	Names *Names
}

// Members reads the attribute of the path, and the parameters cut, order, page and pagesize. Several attributes are
// joined by commas; they have to be of one level, whose members are listed with all of them in any case.
func (n *Names) Members(attribute string, given map[string]string) (MemberQuestion, error) {
	level, err := n.levelOf(attribute)
	if err != nil {
		return MemberQuestion{}, err
	}
	q := MemberQuestion{cube.MemberQuery{Level: level.Ref, Page: Page(given["page"], given["pagesize"])}, n}
	err = cmp.Or(
		read(given, "cut", func(text string) (err error) { q.Cuts, err = n.Cuts(text); return err }),
		read(given, "order", func(text string) (err error) { q.Order, err = n.memberOrder(level, text); return err }),
	)
	return q, err
}

func (n *Names) levelOf(attribute string) (cube.Level, error) {
	var level cube.Level
	position := 0
	for i, name := range strings.Split(attribute, ",") {
		found, _ := n.resolve(refOf(n.prepared(name, ofRefs)))
		var next cube.Level
		if found.fields != nil {
			next, _ = n.model.Level(found.fields[0])
		}
		switch {
		case next.Ref == "":
			return next, n.noLevel(name, position)
		case i > 0 && next.Ref != level.Ref:
			return next, n.severalLevels(level, next, name, position)
		}
		level, position = next, position+utf8.RuneCountInString(name)+1
	}
	return level, nil
}

// severalLevels says that there are no members of two levels: Babbage gives those of the first, with the greatest of the
// other beside each, whether or not the two have a row in common.
func (n *Names) severalLevels(level, other cube.Level, name string, position int) error {
	err := cube.Errorf(cube.CodeBadValue, "%q is of another level than the attribute before it", name)
	err.Position = &cube.Position{Parameter: "level", Offset: position}
	first, _ := n.Level(level)
	second, _ := n.Level(other)
	err.Hint = "for what there is of both ask …/aggregate?drilldown=" + first + "|" + second
	return err
}

func (n *Names) noLevel(name string, position int) error {
	err := cube.Errorf(cube.CodeUnknownLevel, "no dimension or attribute %q", name)
	err.Position = &cube.Position{Parameter: "level", Offset: position}
	allowed := n.attributes()
	err.Hint = hint(name, allowed)
	return &reply.Refused{Mistake: err, Allowed: allowed}
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
	return order, &reply.Refused{Mistake: mistake, Allowed: []string{key, label}}
}
