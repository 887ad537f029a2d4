package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// spending is a cube of two years of a few towns, with their spending planned and paid.
func spending(t testing.TB) *cube.Cube {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "region", Type: cube.TypeText},
			{Name: "town", Type: cube.TypeText}, {Name: "name", Type: cube.TypeText}, {Name: "plan", Digits: 12},
			{Name: "paid", Digits: 12, Scale: 2}, {Name: "debt", Digits: 3}, {Name: "euros"}, {Name: "thousands", Digits: 20}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
			{Name: "place", Levels: []cube.Level{{Ref: "region"}}}, {Name: "town", Levels: []cube.Level{{Ref: "town", LabelRef: "name"}}}},
		Measures: []cube.Measure{{Ref: "plan", Currency: "HRK", Unit: 1}, {Ref: "paid"}, {Ref: "debt", Factor: "-1"},
			{Ref: "euros", Currency: "EUR"}, {Ref: "thousands", Unit: 1000}},
		Derived: []cube.Derived{{Ref: "execution", Formula: "ratio(paid.sum,plan.sum)"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "spending", Model: m}, Rows: 6}
}

var spent = []string{ // year region town name plan paid debt
	"2016 n a A 10 5    1 - -",
	"2016 n b B 30 0    2 - -",
	"2016 s c C 60 -    - - -",
	"2017 n a A 20 10   5 - -",
	"2017 s c C 40 30   7 - -",
	"2017 s d D 0  3.25 9 - -",
}

func TestAnswersThatAreFinished(t *testing.T) {
	c := spending(t)
	store := remember(c.Model, spent...)
	for _, tt := range []struct{ name, question, want string }{
		{"ratio and difference", "drilldown=year&aggregates=ratio(paid.sum,plan.sum)|diff(plan.sum,paid.sum)",
			"2016 = 0.05 95\n2017 = 0.72083333 16.75\n2: 0.3015625 111.75"},
		{"a ratio by zero and of nothing", "drilldown=town&cut=year:2016;2017|town:c;d&aggregates=ratio(paid.sum,plan.sum)|ratio(debt.sum,_count)",
			"c = 0.3 -3.5\nd = null -9\n2: 0.3325 -5.33333333"},
		{"a derived measure", "drilldown=region&aggregates=execution",
			"n = 0.25\ns = 0.3325\n2: 0.3015625"},
		{"share", "drilldown=region&aggregates=share(plan.sum)", "n = 0.375\ns = 0.625\n2: 1"},
		{"share is of what having keeps", "drilldown=town&aggregates=share(plan.sum)&having=plan.sum<=30",
			"a = 0.5\nb = 0.5\nd = 0\n3: 1"},
		{"share of parent", "drilldown=year|region&aggregates=share_of_parent(plan.sum)",
			"2016 n = 0.4\n2016 s = 0.6\n2017 n = 0.33333333\n2017 s = 0.66666667\n4: 1"},
		{"having", "drilldown=town&aggregates=plan.sum&having=plan.sum>50", "c = 100\n1: 100"},
		{"null meets no condition", "drilldown=town&cut=year:2016&aggregates=paid.sum&having=paid.sum!=5", "b = 0\n1: 0"},
		{"having a ratio", "drilldown=town&aggregates=_count&having=ratio(paid.sum,plan.sum)>=0.5", "a = 2\n1: 2"},
		{"having what a negative factor turns round", "drilldown=town&aggregates=debt.min&having=debt.min<=-7|debt.max>-9",
			"c = -7\n1: -7"},
		{"rollup", "drilldown=year|region&aggregates=plan.sum|paid.avg&rollup=1",
			"2016 = 100 2.5 year\n2016 n = 40 2.5 region\n2016 s = 60 null region\n" +
				"2017 = 60 14.416667 year\n2017 n = 20 10 region\n2017 s = 40 16.625 region\n6: 160 9.65"},
		{"siblings are sorted among themselves", "drilldown=year|region&aggregates=plan.sum&rollup=1&order=plan.sum:desc",
			"2016 = 100 year\n2016 s = 60 region\n2016 n = 40 region\n2017 = 60 year\n2017 s = 40 region\n2017 n = 20 region\n6: 160"},
		{"pages are of all rows", "drilldown=year|region&aggregates=plan.sum&rollup=1&page=2&pagesize=2",
			"2016 s = 60 region\n2017 = 60 year\n6: 160"},
		{"top is inside the earlier levels", "drilldown=year|town&aggregates=plan.sum&top=1",
			"2016 c = 60\n2017 c = 40\n2: 160"},
		{"remainder", "drilldown=year|town&aggregates=plan.sum|share_of_parent(plan.sum)&top=1&remainder=1",
			"2016 c = 60 0.6\n2016 = 40 0.4 others 2\n2017 c = 40 0.66666667\n2017 = 20 0.33333333 others 2\n4: 160 1"},
		{"top goes by the first aggregate of the order, and rows stand in it", "drilldown=town&aggregates=plan.sum&top=2&order=town:desc,plan.sum:asc",
			"d = 0\nb = 30\n2: 160"},
		{"the rows of a rollup have their level", "drilldown=region|town&aggregates=plan.sum&top=1&remainder=1&rollup=1",
			"s = 100 region\ns c = 100 town\ns = 0 town others 1\nn = 60 region\nn a = 30 town\nn = 30 town others 1\n6: 160"},
		{"compare", "drilldown=year|town&aggregates=plan.sum&compare=year:-1",
			"2016 a = 10 null null null\n2016 b = 30 null null null\n2016 c = 60 null null null\n" +
				"2017 a = 20 10 10 100\n2017 b = null 30 -30 -100 gone\n2017 c = 40 60 -20 -33.33333333\n" +
				"2017 d = 0 null 0 null new\n7: 160 null null null"},
		{"compare a cut that is not drilled", "drilldown=town&cut=year:2017&aggregates=paid.sum|_count&compare=year:-1&order=paid.sum.difference:desc",
			"a = 10 5 5 100 1 1 0 0\nd = 3.25 null 3.25 null 1 null 1 null new\nb = null 0 0 null 0 1 -1 -100 gone\n" +
				"c = 30 null null null 1 1 0 0\n4: 43.25 5 38.25 765 3 3 0 0"},
		{"nothing is gone where having may have kept it out", "drilldown=town&cut=year:2017&aggregates=plan.sum&compare=year:-1&having=plan.sum>20",
			"c = 40 60 -20 -33.33333333\n1: 40 60 -20 -33.33333333"},
		{"a percentage is of the size of a negative amount", "drilldown=town&cut=year:2017|town:a&aggregates=debt.sum&compare=year:-1",
			"a = -5 -1 -4 -400\n1: -5 -1 -4 -400"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

func TestPercentagesAreRoundedHalfToEven(t *testing.T) {
	c := spending(t)
	store := remember(c.Model, "2016 n a A 20000000000 - - - -", "2017 n a A 20000000001 - - - -",
		"2016 n b B 20000000000 - - - -", "2017 n b B 20000000003 - - - -", "2016 n c C 0 - - - -", "2017 n c C 5 - - - -")
	want := "a = 20000000001 20000000000 1 0\nb = 20000000003 20000000000 3 0.00000002\nc = 5 0 5 null\n" +
		"3: 40000000009 40000000000 9 0.00000002"
	if got := answered(t, store, c, "drilldown=town&cut=year:2017&aggregates=plan.sum&compare=year:-1"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGapsAreFilled(t *testing.T) {
	c := spending(t)
	store := remember(c.Model, "2014 n a A 7 - - - -", "2016 n a A -1 - - - -", "2016 s b B 5 2 - - -", "- s b B 9 - - - -")
	for _, tt := range []struct{ name, question, want string }{
		{"with null", "drilldown=town|year&aggregates=plan.sum|_count&fill=null",
			"a 2014 = 7 1\na 2015 = null 0\na 2016 = -1 1\nb 2014 = null 0\nb 2015 = null 0\nb 2016 = 5 1\nb - = 9 1\n7: 20 4"},
		{"with zero, which adds nothing", "drilldown=town|year&cut=!year:&aggregates=plan.min|paid.sum|paid.avg&fill=zero&rollup=1",
			"a = -1 null null town\na 2014 = 7 null null year\na 2015 = 0 0 null year\na 2016 = -1 null null year\n" +
				"b = 5 2 2 town\nb 2014 = 0 0 null year\nb 2015 = 0 0 null year\nb 2016 = 5 2 2 year\n8: -1 2 2"},
		{"beside what is there", "drilldown=year&cut=!year:&aggregates=plan.sum&fill=null&compare=year:-1",
			"2014 = 7 null null null\n2015 = null 7 null null\n2016 = 4 null null null\n3: 11 null null null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

// Unit u is stated in June alone: of what is counted of the year, its December, it has nothing.
func TestSubtotalsOfWhatIsStatedNoMore(t *testing.T) {
	c := stated(t, flat)
	store := remember(c.Model, "2018 06 - - t 1 -", "2018 06 - - u 5 -", "2018 12 - - t 2 -")
	for question, want := range map[string]string{
		"rollup=1": "u = null 0 titulo\nu 06 = 5 1 mes\nt = 2 1 titulo\nt 06 = 1 1 mes\nt 12 = 2 1 mes\n5: 2 1",
		"top=1":    "u 06 = 5 1\nt 06 = 1 1\n2: 2 1",
	} {
		question = "drilldown=titulo|mes&cut=ejercicio:2018&aggregates=pi_monto.sum|_count&order=_count:asc&" + question
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}

func TestLabelsOfRowsThatNoStoreAnswered(t *testing.T) {
	c := spending(t)
	store := remember(c.Model, spent...)
	result, err := store.Aggregate(t.Context(), bindTo(t, c, "drilldown=year|town&rollup=1&top=1&remainder=1&compare=year:-1&aggregates=plan.sum"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, cell := range result.Cells {
		labels := ""
		for _, label := range cell.Labels {
			labels += "/" + label.String()
		}
		got = append(got, shownKeys(cell.Keys)+labels)
	}
	want := "2016 //|2016 c //C|2016 //|2017 //|2017 c //C|2017 //"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
}

func TestQuestionsThatCannotBeFinished(t *testing.T) {
	for _, tt := range []struct {
		name, question string
		code           cube.Code
		want           string
	}{
		{"an unknown formula", "aggregates=raito(plan.sum,paid.sum)", cube.CodeUnknownRef,
			`aggregates at 0: no formula "raito" (did you mean ratio?)`},
		{"a function as SQL has it", "aggregates=SUM(plan)", cube.CodeUnknownRef, `aggregates at 0: no formula "SUM" (write plan.sum)`},
		{"too few aggregates", "aggregates=_count|ratio(plan.sum)", cube.CodeBadSyntax,
			"aggregates at 7: ratio is of 2 aggregates, not 1 (as ratio(a.sum,b.sum))"},
		{"fill with having", "drilldown=year&fill=zero&having=plan.sum>1", cube.CodeBadSyntax,
			"fill at 0: having leaves cells out, which fill would take for gaps (ask without fill or without having)"},
		{"an axis that is not the year, cut to several", "cut=year:2016;2017&compare=year:-1", cube.CodeBadValue,
			"compare at 0: year is compared where it is drilled, or cut to one value (add it to the drilldown)"},
		{"the share of a share", "aggregates=share(diff(share(plan.sum),share(paid.sum)))", cube.CodeBadSyntax,
			"aggregates at 0: diff(share(plan.sum),share(paid.sum)) does not add up, so nothing is a share of it " +
				"(ask the share of a sum, a count, or a diff of these)"},
		{"the share of a ratio", "aggregates=_count|share_of_parent(ratio(paid.sum,plan.sum))", cube.CodeBadSyntax,
			"aggregates at 7: ratio(paid.sum,plan.sum) does not add up, so nothing is a share of it " +
				"(ask the share of a sum, a count, or a diff of these)"},
		{"the share of an extreme", "aggregates=share(plan.max)", cube.CodeBadSyntax,
			"aggregates at 0: plan.max does not add up, so nothing is a share of it (ask the share of a sum, a count, or a diff of these)"},
		{"an amount less a count", "aggregates=ratio(diff(plan.sum,_count),plan.sum)", cube.CodeBadSyntax,
			"aggregates at 6: plan.sum is an amount, _count is a number of rows " +
				"(a diff is of two amounts, two counts or two ratios; ratio divides one by the other)"},
		{"a ratio less an amount per row", "aggregates=diff(ratio(paid.sum,plan.sum),ratio(plan.sum,_count))", cube.CodeBadSyntax,
			"aggregates at 0: ratio(paid.sum,plan.sum) is a ratio, ratio(plan.sum,_count) is an amount per row " +
				"(a diff is of two amounts, two counts or two ratios; ratio divides one by the other)"},
		{"two currencies", "aggregates=ratio(plan.sum,euros.sum)", cube.CodeBadValue,
			"aggregates at 0: plan is in HRK, euros in EUR (ask for amounts of one currency)"},
		{"two units", "aggregates=diff(plan.sum,thousands.sum)", cube.CodeBadValue,
			"aggregates at 0: plan counts units of 1, thousands of 1000 (ask for amounts of one unit)"},
		{"having too many digits", "having=_count>1|ratio(thousands.sum,_count)>0.12345678901234567", cube.CodeBadValue,
			"having at 9: ratio(thousands.sum,_count)>0.12345678901234567 needs 41 digits, more than the 38 that are compared exactly " +
				"(write the number with fewer digits)"},
		{"top without drilldown", "top=3", cube.CodeBadSyntax, "top at 0: top needs a drilldown (name the levels to group by)"},
		{"remainder without top", "drilldown=town&remainder=1", cube.CodeBadSyntax,
			"remainder at 0: there is no remainder without top (add top=10)"},
		{"fill without an axis", "drilldown=town&fill=zero", cube.CodeBadValue,
			"fill at 0: fill needs one axis of whole numbers in the drilldown (year holds whole numbers)"},
		{"compare along text", "drilldown=town&compare=town:-1", cube.CodeBadValue,
			`compare at 0: "town" is no axis of whole numbers (year holds whole numbers)`},
		{"compare along nothing", "drilldown=town&compare=year:-1", cube.CodeBadValue,
			"compare at 0: year is neither drilled nor cut, so there is nothing to move along it (add it to the drilldown, or cut it)"},
		{"compare with two", "drilldown=year&compare=year:-1|year:-2", cube.CodeBadSyntax,
			"compare at 8: an answer compares with one other (ask once for each)"},
		{"compare with itself", "drilldown=year&compare=year:0", cube.CodeBadSyntax,
			`compare at 5: expected a whole number that is not 0, found "0" (-1 compares with the one before)`},
		{"a role of what is not compared", "drilldown=year&order=plan.sum.difference", cube.CodeUnknownRef,
			"order at 0: plan.sum.difference is not among the aggregates (only what is asked and compared has difference)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := read(tt.question)
			if err == nil {
				_, err = spending(t).Bind(q)
			}
			wantError(t, err, tt.code, tt.want)
		})
	}
}

func TestStatementsOfTheSameMoneyAreNotAddedUp(t *testing.T) {
	for _, tt := range []struct{ name, question, want string }{
		{"share", "drilldown=mes&aggregates=share(pi_monto.sum)",
			"aggregates at 0: share(pi_monto.sum) would be of statements of the same money added up (cut mes, or drill it first and ask share_of_parent)"},
		{"remainder", "drilldown=titulo|mes&top=3&remainder=1",
			"remainder at 0: the remainder would add statements of the same money (drill mes first)"},
		{"rollup beside compare", "drilldown=titulo|ejercicio|mes&rollup=1&compare=ejercicio:-1",
			"rollup at 0: subtotals of titulo would add statements of the same money (drill mes first, or ask without compare and having)"},
		{"the order of top beside having", "drilldown=titulo|mes&top=1&having=_count>1",
			"top at 0: subtotals of titulo would add statements of the same money (drill mes first, or ask without compare and having)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := read(tt.question)
			if err == nil {
				_, err = stated(t, flat).Bind(q)
			}
			wantError(t, err, cube.CodeBadSyntax, tt.want)
		})
	}
}

func TestWhatIsTooLargeToBeFinished(t *testing.T) {
	c := spending(t)
	store := remember(c.Model, "1 n a A 1 - - - -", "20000 n a A 1 - - - -")
	_, err := store.Aggregate(t.Context(), bindTo(t, c, "drilldown=year&fill=zero"))
	wantError(t, err, cube.CodeTooLarge, "fill at 0: the answer has more than 10000 cells (cut it down, or ask without fill)")
}
