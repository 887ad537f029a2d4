package query

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/tidy"
)

// MemberQuery asks for the members of a level, with unchecked names. plan.BindMembers turns it into a plan.MemberPlan.
type MemberQuery struct {
	Level  string // the key field, the label field, or dimension.field
	Search string // "" asks for all
	Cuts   []Cut
	Parent []Key // the keys of the path, from the top; nil asks for the members under any parent
	Order  MemberOrder
	Page   Page
}

// MemberOrder is what members are sorted by. Equal members are sorted by their path.
type MemberOrder struct {
	By   MemberSort
	Desc bool
}

// MemberSort says what a MemberOrder sorts by.
type MemberSort string

// What members can be sorted by.
const (
	ByMemberPath  MemberSort = "" // from the top
	ByMemberLabel MemberSort = "label"
	ByMemberKey   MemberSort = "key" // under any parent
	ByMemberRows  MemberSort = "rows"
)

// ParseMembers reads the parameters of a query for members by their names: q, cut, parent, order, page and pagesize.
// It ignores other names.
func ParseMembers(level string, given map[string]string) (MemberQuery, error) {
	q := MemberQuery{Level: level}
	err := cmp.Or(
		read(given, "q", parseSearch, &q.Search),
		read(given, "cut", ParseCut, &q.Cuts),
		read(given, "parent", parseParent, &q.Parent),
		read(given, "order", parseMemberOrder, &q.Order),
	)
	if err != nil {
		return MemberQuery{}, err
	}
	q.Page, err = ParsePage(given)
	return q, err
}

func parseSearch(text string) (string, error) {
	at := cube.Position{Parameter: "q"}
	switch {
	case tidy.Label(text) == "":
		return "", fail(at, leaveOut, "it is empty")
	case !utf8.ValidString(text):
		return "", fail(at, encodeIt, notUTF8)
	case strings.ContainsRune(text, 0):
		return "", fail(at, dropNUL, hasNUL)
	}
	return text, nil
}

func parseParent(text string) ([]Key, error) { return parseKeys("parent", text) }

func parseMemberOrder(text string) (MemberOrder, error) {
	by, direction, given := strings.Cut(text, ":")
	order := MemberOrder{By: MemberSort(by), Desc: direction == "desc"}
	known := order.By == ByMemberLabel || order.By == ByMemberKey || order.By == ByMemberRows
	if !known || given && direction != "asc" && direction != "desc" {
		return order, cube.Errorf(cube.CodeBadValue, "order is %q", text).At(cube.Position{Parameter: "order"}).
			WithHint("write label, key or rows, with :asc or :desc behind it; without it the order is that of the paths")
	}
	return order, nil
}
