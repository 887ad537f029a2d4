package sqlgen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/sqlgen"
)

// Values after which a page begins are arguments, and the order of the files is one that an index has.
func TestFacts(t *testing.T) {
	one := &cube.Cube{Package: &cube.Package{Model: newModel(t)}, ID: 7}
	last := plan.Fact{Resource: 1, Line: 9, Values: make([]plan.FactValue, 4)}
	last.Values[1].Value = cube.Text("ž1")
	last.Values[2].Amount = decimal.NewNullDecimal(decimal.RequireFromString("-1.5"))
	const p, page = `WITH p AS (SELECT f._resource, f._line FROM fact."f7" AS f`, `
SELECT f."Year", %sf._resource, f._line
FROM p JOIN fact."f7" AS f ON f._resource = p._resource AND f._line = p._line ORDER BY %s`
	for _, tt := range []struct{ order, cut, want, args string }{
		{"", "", p + " WHERE f._resource >= $1 AND (f._resource, f._line) > ($1, $2)" +
			" ORDER BY f._resource, f._line LIMIT $3)" + fmt.Sprintf(page, "", "f._resource, f._line"), "[1 9 5]"},
		{"admin1_code:desc", "Year:2016", p + ` WHERE (f."Year" = $1) AND ((length(f."admin1_code") < $3 OR ` +
			`(length(f."admin1_code") = $3 AND f."admin1_code" < $2) OR f."admin1_code" = '') OR (f."admin1_code" = $2 AND ` +
			`(f._resource > $4 OR (f._resource = $4 AND (f._line > $5)))))` +
			` ORDER BY f."admin1_code" = '', length(f."admin1_code") DESC, f."admin1_code" DESC, f._resource, f._line LIMIT $6)` +
			fmt.Sprintf(page, `f."admin1_code", `, `f."admin1_code" = '', length(f."admin1_code") DESC, f."admin1_code" DESC, f._resource, f._line`),
			"[2016 ž1 2 1 9 5]"},
		{"_line:desc,admin1_code,approved_value", "Year:2016", p + ` WHERE (f."Year" = $1) AND (f._line < $2 OR (f._line = $2 AND (` +
			`(length(f."admin1_code") > $4 OR (length(f."admin1_code") = $4 AND f."admin1_code" > $3) OR f."admin1_code" = '') OR ` +
			`(f."admin1_code" = $3 AND ((f."approved_value" > CAST($5 AS DECIMAL(38,2)) OR f."approved_value" IS NULL) OR ` +
			`(f."approved_value" = CAST($5 AS DECIMAL(38,2)) AND (f._resource > $6)))))))` +
			` ORDER BY f._line DESC, f."admin1_code" = '', length(f."admin1_code"), f."admin1_code", f."approved_value" NULLS LAST, f._resource LIMIT $7)` +
			fmt.Sprintf(page, `f."admin1_code", f."approved_value", `,
				`f._line DESC, f."admin1_code" = '', length(f."admin1_code"), f."admin1_code", f."approved_value" NULLS LAST, f._resource`),
			"[2016 9 ž1 2 -1.5 1 5]"},
	} {
		q := query.FactQuery{Size: 5, Fields: []query.Ref{{Name: "Year"}}}
		if tt.order != "" {
			q.Order, _ = query.ParseOrder(tt.order)
			q.Cuts, _ = query.ParseCut(tt.cut)
		}
		bound, err := plan.BindFacts(one, q)
		if err != nil {
			t.Fatal(err)
		}
		statement := sqlgen.Facts(bound.Following(last, 5))
		if statement.Text != tt.want || fmt.Sprint(statement.Args) != tt.args {
			t.Errorf("%s\ngot  %s %v\nwant %s %s", tt.order, statement.Text, statement.Args, tt.want, tt.args)
		}
	}
	bound, err := plan.BindFacts(one, query.FactQuery{Size: 5})
	if err != nil {
		t.Fatal(err)
	}
	one.Rows = 100
	if statement := sqlgen.Facts(bound.Skipping(20).Main()); !strings.Contains(statement.Text, " LIMIT $1 OFFSET $2)\n") || fmt.Sprint(statement.Args) != "[5 20]" {
		t.Errorf("without the first 20: %s %v", statement.Text, statement.Args)
	}
}
