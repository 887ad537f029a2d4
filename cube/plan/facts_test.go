package plan_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// factsCube has two files.
func factsCube(t testing.TB) *cube.Cube {
	t.Helper()
	c := cubetest.Cube(t)
	c.Fingerprint, c.Rows = "f", 10
	c.Resources = []cube.Resource{{Name: "a"}, {Name: "b"}}
	return c
}

func bindFacts(t testing.TB, c *cube.Cube, question string) (*plan.FactPlan, error) {
	t.Helper()
	given := map[string]string{}
	for clause := range strings.SplitSeq(question, "&") {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	q, err := query.ParseFactQuery(given)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return plan.BindFacts(c, q)
}

// The canonical question has every field, and an order that ends where a fact stands and no later.
func TestBindFacts(t *testing.T) {
	for question, want := range map[string]string{
		"fields=Year": "fields=Year&order=_resource:asc,_line:asc&pagesize=100",
		"fields=_line|date.Year|Year|remark&pagesize=7": "fields=Year|remark&order=_resource:asc,_line:asc&pagesize=7",
		"fields=Year&order=remark:desc,remark":          "fields=Year&order=remark:desc,_resource:asc,_line:asc&pagesize=100",
		"fields=Year&order=_line:desc":                  "fields=Year&order=_line:desc,_resource:asc&pagesize=100",
		"fields=Year&order=_line,_resource:desc,remark": "fields=Year&order=_line:asc,_resource:desc&pagesize=100",
		`fields="executed.value"&cut=!Year:2016`:        `fields="executed.value"&cut=!Year:2016&order=_resource:asc,_line:asc&pagesize=100`,
	} {
		p, err := bindFacts(t, factsCube(t), question)
		if err != nil || p.String() != want {
			t.Errorf("%s\ngot  %v %v\nwant %s", question, p, err, want)
		}
	}
	p, _ := bindFacts(t, factsCube(t), "order=remark")
	if got, want := len(p.Fields()), len(cubetest.Columns); got != want || len(p.Columns()) != want {
		t.Errorf("%d fields, want all %d", got, want)
	}
}

const byAmount = "fields=Year&order=approved_value:desc,remark,quarter"

// token gives the place after a fact with an amount, a remark and no quarter.
func token(t testing.TB, c *cube.Cube) string {
	t.Helper()
	p, err := bindFacts(t, c, byAmount)
	if err != nil {
		t.Fatal(err)
	}
	fact := plan.Fact{Resource: 1, Line: 7, Values: make([]plan.FactValue, 4)}
	fact.Values[1].Amount = decimal.NewNullDecimal(decimal.RequireFromString("-12.5"))
	fact.Values[2].Value = cube.Text("x \"y\" ž")
	return p.Next(fact, -1)
}

// A token leads on from the values it was made of, and again to itself.
func TestBindFacts_ReadsItsToken(t *testing.T) {
	c := factsCube(t)
	after := token(t, c)
	p, err := bindFacts(t, c, byAmount+"&after="+after)
	if err != nil {
		t.Fatal(err)
	}
	values := p.After()
	if got := values[0].Amount.Decimal.String() + values[1].Value.String(); len(values) != 5 || got != `-12.5x "y" ž` ||
		!values[2].IsMissing() || values[3].Value != cube.Integer(1) || values[4].Value != cube.Integer(7) {
		t.Errorf("after %v", values)
	}
	if !strings.HasSuffix(p.String(), "&after="+after) {
		t.Errorf("it is printed as %s, want %s", p, after)
	}
}

// A token that was changed is refused unless it holds what the columns can hold.
func TestBindFacts_RefusesTamperedTokens(t *testing.T) {
	c := factsCube(t)
	data, err := base64.RawURLEncoding.DecodeString(token(t, c))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(data)
	for _, change := range [][2]string{
		{`"v":1`, `"v":2`}, {`"v":1`, `"v":"1"`}, {`"v":1`, `"v":-1`}, {`"n":-1`, `"n":-2`}, {`"n":-1`, `"n":1.5`}, {`"q":"`, `"q":"x`},
		{`"-12.50"`, `"1e999999999"`}, {`"-12.50"`, `"NaN"`}, {`"-12.50"`, `"1.234"`}, {`"-12.50"`, `"."`}, {`"-12.50"`, `"--1"`},
		{`"-12.50"`, `"1."`}, {`"-12.50"`, `""`}, {`"-12.50"`, `-12.5`}, {`"-12.50"`, `"` + strings.Repeat("9", 37) + `"`},
		{`"x `, `"\u0000`}, {`null`, `"1.5"`}, {`null`, `"99999999999999999999"`}, {`null`, `""`},
		{`"1","7"`, `"2","7"`}, {`"1","7"`, `"-1","7"`}, {`"1","7"`, `null,"7"`}, {`"1","7"`, `"1",null`}, {`"1","7"`, `"1"`},
		{`"1","7"`, `"1","7","8"`}, {`{`, `[`}, {`}`, `}}`},
	} {
		changed := strings.Replace(whole, change[0], change[1], 1)
		if changed == whole {
			t.Fatalf("%s has no %s", whole, change[0])
		}
		p, err := bindFacts(t, c, byAmount+"&after="+base64.RawURLEncoding.EncodeToString([]byte(changed)))
		if cube.CodeOf(err) != cube.CodeBadValue || p != nil {
			t.Errorf("%s is taken: %v", changed, err)
		}
	}
}

func FuzzBookmark(f *testing.F) {
	c := factsCube(f)
	f.Add(token(f, c))
	f.Add("e30")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := plan.BindFacts(c, query.FactQuery{Order: []query.Order{{Ref: query.Ref{Name: "remark"}}}, After: text, Size: 1})
		if err != nil && cube.CodeOf(err) == "" {
			t.Errorf("%v is no *cube.Error", err)
		}
		if err == nil && text != "" && len(p.After()) != 3 {
			t.Errorf("%q is taken for %v", text, p.After())
		}
	})
}

// members binds a query for members, whose parameters are joined by &.
func members(t testing.TB, level, text string) (*plan.MemberPlan, error) {
	t.Helper()
	given := map[string]string{}
	for clause := range strings.SplitSeq(text, "&") {
		if name, value, ok := strings.Cut(clause, "="); ok {
			given[name] = value
		}
	}
	q, err := query.ParseMembers(level, given)
	if err != nil {
		return nil, err
	}
	return plan.BindMembers(cubetest.Cube(t), q)
}

func TestBindMembers(t *testing.T) {
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
		p, err := members(t, tt.level, tt.text)
		if err != nil {
			t.Errorf("%s?%s: %v", tt.level, tt.text, err)
		} else if p.String() != tt.want {
			t.Errorf("%s?%s is %s, want %s", tt.level, tt.text, p, tt.want)
		}
	}
}

func TestBindMembers_Refuses(t *testing.T) {
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
		cubetest.WantError(t, err, tt.code, tt.want)
	}
}

// Members have the snapshots that a question counts.
func TestBindMembers_CountsMoneyOnce(t *testing.T) {
	p, err := plan.BindMembers(cubetest.YearToDate(t, nil), query.MemberQuery{Level: "titulo"})
	if err != nil {
		t.Fatal(err)
	}
	filters := p.Counting().Main().Filters()
	if len(filters) != 1 || !filters[0].Default || len(caveatsOf(p.Counting())) == 0 || !strings.Contains(p.String(), "cut=ejercicio/mes:") {
		t.Errorf("%s has the filters %v and warns %v", p, filters, caveatsOf(p.Counting()))
	}
	p, err = plan.BindMembers(cubetest.YearToDate(t, nil), query.MemberQuery{Level: "mes"})
	if err != nil || len(p.Counting().Main().Filters()) != 0 {
		t.Errorf("the statements themselves: %v, %v", p, err)
	}
}
