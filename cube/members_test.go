package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// members binds a query for members, whose parameters are joined by &.
func members(t testing.TB, level, text string) (*cube.MemberPlan, error) {
	t.Helper()
	given := map[string]string{}
	for clause := range strings.SplitSeq(text, "&") {
		if name, value, ok := strings.Cut(clause, "="); ok {
			given[name] = value
		}
	}
	q, err := cube.ParseMembers(level, given)
	if err != nil {
		return nil, err
	}
	return newCube(t).BindMembers(q)
}

func TestMembersBind(t *testing.T) {
	for _, tt := range []struct{ level, text, want string }{
		{"admin1_code", "", "level=admin1_code&page=1&pagesize=100"},
		{"admin1_label", "q= Š  x &page=2&pagesize=5", `level=admin1_code&q="Š x"&page=2&pagesize=5`},
		{"administrative-classification.admin2_label", "parent=010&order=rows:desc", `level=admin2_code&parent="010"&order=rows:desc&page=1&pagesize=100`},
		{"ID_PP", `parent=R/"2/3"&order=label`, `level=ID_PP&parent="R"/"2/3"&order=label:asc&page=1&pagesize=100`},
		{"quarter", "parent=02016&order=key:desc", "level=quarter&parent=2016&order=key:desc&page=1&pagesize=100"},
		{"quarter", "parent=", `level=quarter&parent=""&page=1&pagesize=100`},
		{"año y función..50% & more", "cut=Year:2016|admin1_label:a", `level="50% & more"&cut=Year:2016|admin1_label:"a"&page=1&pagesize=100`},
		{"linea.line_id", "order=rows", "level=line_id&order=rows:asc&page=1&pagesize=100"},
	} {
		plan, err := members(t, tt.level, tt.text)
		if err != nil {
			t.Errorf("%s?%s: %v", tt.level, tt.text, err)
		} else if plan.String() != tt.want {
			t.Errorf("%s?%s is %s, want %s", tt.level, tt.text, plan, tt.want)
		}
	}
}

func TestMembersThatCannotBind(t *testing.T) {
	for _, tt := range []struct {
		level, text string
		code        cube.Code
		want        string
	}{
		{"admin9_code", "", cube.CodeUnknownLevel, `no level "admin9_code" (did you mean admin1_code?)`},
		{"ramo", "", cube.CodeUnknownLevel, `no level "ramo" (name one of its levels: ID_RAMO, ID_UR)`},
		{"ramo.admin1_code", "", cube.CodeUnknownLevel, `no level "ramo.admin1_code" (did you mean admin1_code?)`},
		{"approved_value", "", cube.CodeUnknownLevel, `no level "approved_value"`},
		{"quarter", "parent=x", cube.CodeBadValue, `parent at 0: Year holds whole numbers, and "x" is none (write digits alone, as 2016)`},
		{"quarter", "parent=2016/1", cube.CodeBadValue, "parent at 0: the parent has 2 keys, and only 1 stand above a member of quarter" +
			` (write a slash that belongs to a code inside quotes: "a/b")`},
		{"quarter", `parent="2016`, cube.CodeBadSyntax, "parent at 0: a quoted text is not closed (write \" inside as \\\")"},
		{"linea.line_id", "q=a", cube.CodeBadValue, "q at 0: line_id holds single budget lines, which are not searched (cut on another level)"},
		{"line_label", "order=label", cube.CodeBadValue,
			"order at 0: line_id holds single budget lines, which are not sorted by label (order=key)"},
	} {
		_, err := members(t, tt.level, tt.text)
		wantError(t, err, tt.code, tt.want)
	}
}

// Members have the snapshots that a question counts.
func TestMembersCountMoneyOnce(t *testing.T) {
	plan, err := stated(t, nil).BindMembers(cube.MemberQuery{Level: "titulo"})
	if err != nil {
		t.Fatal(err)
	}
	filters := plan.Question().Filters()
	if len(filters) != 1 || !filters[0].Default || len(plan.Warnings()) == 0 || !strings.Contains(plan.String(), "cut=ejercicio/mes:") {
		t.Errorf("%s has the filters %v and warns %v", plan, filters, plan.Warnings())
	}
	plan, err = stated(t, nil).BindMembers(cube.MemberQuery{Level: "mes"})
	if err != nil || len(plan.Question().Filters()) != 0 {
		t.Errorf("the statements themselves: %v, %v", plan, err)
	}
}
