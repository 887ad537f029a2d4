package cube

import (
	"cmp"
	"strings"
)

// ParseMembers reads the parameters of a query for members by their names: q, cut, parent, order, page and pagesize.
// Names that are not among them are left to the caller.
func ParseMembers(level string, given map[string]string) (MemberQuery, error) {
	q := MemberQuery{Level: level}
	err := cmp.Or(
		read(given, "q", parseSearch, &q.Search),
		read(given, "cut", ParseCut, &q.Cuts),
		read(given, "parent", parseParent, &q.Parent),
		read(given, "order", parseMemberOrder, &q.Order),
		notEmpty(given, "page"), notEmpty(given, "pagesize"),
	)
	if err != nil {
		return MemberQuery{}, err
	}
	q.Page, err = ParsePage(given["page"], given["pagesize"])
	return q, err
}

// read reads the text of a parameter where it is given.
func read[T any](given map[string]string, name string, parse func(string) (T, error), into *T) (err error) {
	if text, ok := given[name]; ok {
		*into, err = parse(text)
	}
	return err
}

func notEmpty(given map[string]string, name string) error {
	if text, ok := given[name]; ok && text == "" {
		return Errorf(CodeBadPage, "%s is empty", name).at(Position{Parameter: name}).or(leaveOut)
	}
	return nil
}

func parseSearch(text string) (string, error) {
	p := &parser{parameter: "q", text: []rune(text)}
	switch {
	case Tidy(text) == "":
		return "", p.fail(0, "it is empty", leaveOut)
	case strings.ToValidUTF8(text, "") != text:
		return "", p.fail(0, notUTF8, encodeIt)
	}
	return p.checked(0, text)
}

// parseParent reads keys joined by slashes; a quoted one may hold what means something.
func parseParent(text string) ([]string, error) {
	p := &parser{parameter: "parent", text: []rune(text)}
	if strings.ToValidUTF8(text, "") != text {
		return nil, p.fail(0, notUTF8, encodeIt)
	}
	keys, err := p.path()
	if err == nil && !p.end() {
		err = p.fail(p.pos, "expected / or the end, found "+p.found(), p.standsInQuotes())
	}
	return keys, err
}

func parseMemberOrder(text string) (MemberOrder, error) {
	by, direction, given := strings.Cut(text, ":")
	order := MemberOrder{By: MemberSort(by), Desc: direction == "desc"}
	known := order.By == ByMemberLabel || order.By == ByMemberKey || order.By == ByMemberRows
	if !known || given && direction != "asc" && direction != "desc" {
		return order, Errorf(CodeBadValue, "order is %q", text).at(Position{Parameter: "order"}).
			or("write label, key or rows, with :asc or :desc behind it; without it the order is that of the paths")
	}
	return order, nil
}
