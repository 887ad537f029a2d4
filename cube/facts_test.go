package cube_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// factsCube has two files.
func factsCube(t testing.TB) *cube.Cube {
	t.Helper()
	one := newCube(t)
	one.Fingerprint, one.Rows = "f", 10
	one.Resources = []cube.Resource{{Name: "a"}, {Name: "b"}}
	return one
}

func bindFacts(t testing.TB, one *cube.Cube, question string) (*cube.FactPlan, error) {
	t.Helper()
	given := map[string]string{}
	for clause := range strings.SplitSeq(question, "&") {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	q, err := cube.ParseFactQuery(given)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return one.BindFacts(q)
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
		plan, err := bindFacts(t, factsCube(t), question)
		if err != nil || plan.String() != want {
			t.Errorf("%s\ngot  %v %v\nwant %s", question, plan, err, want)
		}
	}
	plan, _ := bindFacts(t, factsCube(t), "order=remark")
	if got, want := len(plan.Fields()), len(columns); got != want || len(plan.Columns()) != want {
		t.Errorf("%d fields, want all %d", got, want)
	}
}

const byAmount = "fields=Year&order=approved_value:desc,remark,quarter"

// token gives the place after a fact with an amount, a remark and no quarter.
func token(t testing.TB, one *cube.Cube) string {
	t.Helper()
	plan, err := bindFacts(t, one, byAmount)
	if err != nil {
		t.Fatal(err)
	}
	fact := cube.Fact{Resource: 1, Line: 7, Values: make([]cube.FactValue, 4)}
	fact.Values[1].Amount = decimal.NewNullDecimal(decimal.RequireFromString("-12.5"))
	fact.Values[2].Value = cube.Text("x \"y\" ž")
	_, after, _ := strings.Cut(plan.Following(fact, 100).String(), "&after=")
	return after
}

// A token leads on from the values it was made of, and again to itself.
func TestBookmark(t *testing.T) {
	one := factsCube(t)
	after := token(t, one)
	plan, err := bindFacts(t, one, byAmount+"&after="+after)
	if err != nil {
		t.Fatal(err)
	}
	values := plan.After()
	if got := values[0].Amount.Decimal.String() + values[1].Value.String(); len(values) != 5 || got != `-12.5x "y" ž` ||
		!values[2].IsMissing() || values[3].Value != cube.Integer(1) || values[4].Value != cube.Integer(7) {
		t.Errorf("after %v", values)
	}
	if !strings.HasSuffix(plan.String(), "&after="+after) {
		t.Errorf("it is printed as %s, want %s", plan, after)
	}
}

// What callers make of a token is refused unless it is something that the columns can hold.
func TestTamperedBookmarks(t *testing.T) {
	one := factsCube(t)
	data, err := base64.RawURLEncoding.DecodeString(token(t, one))
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
		plan, err := bindFacts(t, one, byAmount+"&after="+base64.RawURLEncoding.EncodeToString([]byte(changed)))
		if cube.CodeOf(err) != cube.CodeBadValue || plan != nil {
			t.Errorf("%s is taken: %v", changed, err)
		}
	}
}

func FuzzBookmark(f *testing.F) {
	one := factsCube(f)
	f.Add(token(f, one))
	f.Add("e30")
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := one.BindFacts(cube.FactQuery{Order: []cube.Order{{Ref: cube.Ref{Name: "remark"}}}, After: text, Size: 1})
		if err != nil && cube.CodeOf(err) == "" {
			t.Errorf("%v is no *cube.Error", err)
		}
		if err == nil && text != "" && len(plan.After()) != 3 {
			t.Errorf("%q is taken for %v", text, plan.After())
		}
	})
}
