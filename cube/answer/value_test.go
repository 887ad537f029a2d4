package answer_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

func TestQuotient_RoundsHalfToEven(t *testing.T) {
	huge := "1" + strings.Repeat("0", 60)
	for _, tt := range []struct {
		name, a, b string
		scale      int32
		want       string
	}{
		{"exact", "10", "4", 2, "2.5"},
		{"down", "10", "3", 2, "3.33"},
		{"up", "20", "3", 2, "6.67"},
		{"a tie goes down to even", "5", "2", 0, "2"},
		{"a tie goes up to even", "7", "2", 0, "4"},
		{"a tie at zero", "1", "2", 0, "0"},
		{"a tie after the point goes down", "0.125", "1", 2, "0.12"},
		{"a tie after the point goes up", "0.135", "1", 2, "0.14"},
		{"a negative dividend", "-5", "2", 0, "-2"},
		{"a negative dividend goes up to even", "-7", "2", 0, "-4"},
		{"a negative divisor", "7", "-2", 0, "-4"},
		{"both negative", "-7", "-2", 0, "4"},
		{"a negative tie at zero is plain zero", "-1", "2", 0, "0"},
		{"nearly a tie, above", "0.50000000000000000000000000000000000001", "1", 0, "1"},
		{"nearly a tie, below", "0.49999999999999999999999999999999999999", "1", 0, "0"},
		{"nearly a tie above an even digit", "2.500000000000000000000000000000001", "1", 0, "3"},
		{"nearly a tie, negative", "-2.500000000000000000000000000000001", "1", 0, "-3"},
		{"smaller than the last digit", "1", huge, 4, "0"},
		{"just above half the last digit", "51", "1000000", 4, "0.0001"},
		{"a zero dividend", "0", "7", 4, "0"},
		{"a dividend of many digits", huge + "1", "2", 0, "5" + strings.Repeat("0", 60)},
		{"a divisor with decimals", "1", "0.0003", 4, "3333.3333"},
		{"a divisor written with an exponent", "1e3", "3e-3", 2, "333333.33"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := decimal.RequireFromString(tt.a), decimal.RequireFromString(tt.b)
			got := answer.Quotient(decimal.NewNullDecimal(a), decimal.NewNullDecimal(b), tt.scale)
			if !got.Valid || got.Decimal.String() != tt.want {
				t.Errorf("%s / %s to %d decimals is %s, want %s", tt.a, tt.b, tt.scale, numberText(got), tt.want)
			}
			if want := roundedQuotient(a, b, tt.scale); want != tt.want {
				t.Errorf("the oracle says %s, the table %s", want, tt.want)
			}
		})
	}
}

func TestQuotient_OfNull(t *testing.T) {
	c, zero, null := decimal.NewNullDecimal(decimal.NewFromInt(1)), decimal.NewNullDecimal(decimal.Zero), decimal.NullDecimal{}
	for _, tt := range []struct {
		name string
		a, b decimal.NullDecimal
	}{
		{"null by a number", null, c}, {"a number by null", c, null}, {"a number by zero", c, zero},
		{"zero by zero", zero, zero}, {"null by null", null, null},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answer.Quotient(tt.a, tt.b, 4); got.Valid {
				t.Errorf("got %s, want null", got.Decimal)
			}
		})
	}
}

func TestQuotient_AgreesWithFractions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 50_000 {
		a, b, scale := randomDecimal(r), randomDecimal(r), r.Int32N(9)
		if b.IsZero() {
			continue
		}
		if r.IntN(3) == 0 { // a tie: an odd number of halves of the last digit
			a = b.Mul(decimal.New(2*r.Int64N(2_000_001)-2_000_001, 0)).Mul(decimal.New(5, -scale-1))
		}
		got := answer.Quotient(decimal.NewNullDecimal(a), decimal.NewNullDecimal(b), scale)
		if want := roundedQuotient(a, b, scale); numberText(got) != want {
			t.Fatalf("%s / %s to %d decimals is %s, want %s", a, b, scale, numberText(got), want)
		}
	}
}

func randomDecimal(r *rand.Rand) decimal.Decimal {
	n := big.NewInt(r.Int64N(1 << (1 + r.Uint64N(62))))
	if r.IntN(4) == 0 {
		n.Mul(n, big.NewInt(r.Int64()))
	}
	if r.IntN(2) == 0 {
		n.Neg(n)
	}
	return decimal.NewFromBigInt(n, -r.Int32N(7)+r.Int32N(3))
}

// roundedQuotient divides as fractions and rounds half to even in whole numbers of the last digit.
func roundedQuotient(a, b decimal.Decimal, scale int32) string {
	digit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	digits := new(big.Rat).Quo(new(big.Rat).Quo(a.Rat(), b.Rat()), digit)
	whole, rest := new(big.Int).DivMod(digits.Num(), digits.Denom(), new(big.Int)) // rest is not negative
	half := new(big.Int).Lsh(rest, 1).Cmp(digits.Denom())
	if half > 0 || half == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(1))
	}
	return decimal.NewFromBigInt(whole, -scale).String()
}

// A factor applies after aggregation: a negative one turns extremes and order round, and its decimals show.
func TestRun_AFactorAppliesAfterAggregation(t *testing.T) {
	model, err := cube.NewModel(
		[]cube.Column{{Name: "debt", Type: cube.TypeDecimal, Scale: 1}}, nil,
		[]cube.Measure{{Ref: "debt", Factor: "-1.5"}})
	if err != nil {
		t.Fatal(err)
	}
	c := &cube.Cube{Package: &cube.Package{Name: "c", Model: model}}
	aggregates, err := query.ParseAggregates("debt.sum|debt.min|debt.max|debt.avg|debt.count")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Bind(c, query.Query{Aggregates: aggregates, Page: query.FirstPage})
	if err != nil {
		t.Fatal(err)
	}
	amounts := map[cube.Func]string{cube.Sum: "3.1", cube.Min: "1.1", cube.Max: "2", cube.Count: "2"}
	parts := make([]decimal.NullDecimal, len(p.Main().Parts()))
	for i, part := range p.Main().Parts() {
		parts[i] = decimal.NewNullDecimal(decimal.RequireFromString(amounts[part.Func]))
	}
	want := []string{"-4.65", "-3.00", "-1.65", "-2.325000", "2"}
	for i, value := range valuesOf(t, p, parts) {
		if got := value.Decimal.StringFixed(p.Aggregates()[i].Scale); got != want[i] {
			t.Errorf("%s is %s, want %s", p.Aggregates()[i].Name, got, want[i])
		}
	}
}

func TestRun_MakesValuesFromParts(t *testing.T) {
	p := cubetest.MustAsk(t, "aggregates=approved_value.avg|_count|approved_value.min|approved_value.sum")
	number := func(s string) decimal.NullDecimal { return decimal.NewNullDecimal(decimal.RequireFromString(s)) }
	null := decimal.NullDecimal{}
	for _, tt := range []struct {
		name  string
		parts []decimal.NullDecimal // sum, count, _count, min
		want  string
	}{
		{"an average divides", []decimal.NullDecimal{number("10.00"), number("3"), number("4"), number("-1.5")}, "3.333333 4 -1.5 10"},
		{"nothing has no average", []decimal.NullDecimal{null, number("0"), number("2"), null}, "null 2 null null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, v := range valuesOf(t, p, tt.parts) {
				got = append(got, numberText(v))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	avg, minimum := p.Aggregates()[0], p.Aggregates()[2]
	if avg.Parts != [2]int{0, 1} || minimum.Parts[0] != 3 {
		t.Errorf("an average is made of parts %d, the minimum of %d", avg.Parts, minimum.Parts[0])
	}
}

// valuesOf computes the values of a cell of these parts.
func valuesOf(t *testing.T, p *plan.Plan, parts []decimal.NullDecimal) []decimal.NullDecimal {
	t.Helper()
	cells := run(t, canned{count: 1, total: parts, groups: []plan.Group{{Parts: parts}}, closed: new(bool)}, p).Cells
	return cells[0].Values
}

func TestRun_FormulasOfDifferentYearsAreNull(t *testing.T) {
	c := cubetest.SpendingOfYears(t)
	store := cubetest.NewStore(c.Model, "2014 n a A 1 - - - -", "2015 n a A 10 5 - - -", "2015 s c C 30 3 - - -", "2016 n a A 40 10 - - -",
		"2017 n a A 7 - 2 - -", "- n a A 1 1 1 - -")
	for _, tt := range []struct{ name, question, want string }{
		{"one year", "cut=year:2015&aggregates=execution", "= 0.2\n1: 0.2"},
		{"years that all have both", "cut=year:2015..2016&aggregates=execution", "= 0.225\n1: 0.225"},
		{"years that have not", "cut=year:2014..2015&aggregates=execution|diff(plan.sum,paid.sum)|paid.sum", "= null null 8\n1: null null 8"},
		{"both lack the same years", "cut=year:2014..2015&aggregates=ratio(paid.sum,paid.count)", "= 4\n1: 4"},
		{"each year", "drilldown=year&cut=year:2014..2015&aggregates=execution", "2014 = null\n2015 = 0.2\n2: null"},
		{"rows are there in all years", "cut=year:2014..2015&aggregates=ratio(paid.sum,_count)|ratio(paid.count,_count)",
			"= null 0.66666667\n1: null 0.66666667"},
		{"heads", "drilldown=region|year&cut=year:2014..2015&aggregates=execution&rollup=1",
			"n = null region\nn 2014 = null year\nn 2015 = 0.5 year\ns = null region\ns 2015 = 0.1 year\n5: null"},
		{"heads of one year", "drilldown=year|region&cut=year:2014..2015&aggregates=execution&rollup=1",
			"2014 = null year\n2014 n = null region\n2015 = 0.2 year\n2015 n = 0.5 region\n2015 s = 0.1 region\n5: null"},
		{"the rest of a year and of all", "drilldown=year|region&cut=year:2014..2015&aggregates=execution|plan.sum&top=1&remainder=1&order=plan.sum",
			"2014 n = null 1\n2015 n = 0.5 10\n2015 = 0.1 30 others 1\n3: null 41"},
		{"a share of all years", "drilldown=year&cut=year:2015;2017&aggregates=share(diff(plan.sum,paid.sum))|share(paid.sum)",
			"2015 = null 1\n2017 = null null\n2: null 1"},
		{"a share of the parent in a year", "drilldown=year|region&cut=year:2015;2017&aggregates=share_of_parent(diff(plan.sum,paid.sum))",
			"2015 n = 0.15625\n2015 s = 0.84375\n2017 n = null\n3: null"},
		{"a share of the parent of years", "drilldown=region|year&cut=year:2015;2017&aggregates=share_of_parent(diff(plan.sum,paid.sum))",
			"n 2015 = null\nn 2017 = null\ns 2015 = null\n3: null"},
		{"null comes last", "drilldown=region&cut=year:2014..2015&aggregates=execution|plan.sum&order=execution:desc&top=5",
			"n = null 11\ns = null 30\n2: null 41"},
		{"and meets no condition", "drilldown=region&cut=year:2014..2015&aggregates=plan.sum&having=execution>=0", "0: null"},
		{"but of single years does", "drilldown=region|year&cut=year:2014..2015&aggregates=execution&having=execution>0.2", "n 2015 = 0.5\n1: null"},
		{"beside the years before", "drilldown=region&cut=year:2016..2017&aggregates=execution&compare=year:-1", "n = null 0.3 null null\ns = null 0.1 null null gone\n2: null 0.225 null null"},
		{"beside years that have not", "cut=year:2015..2016&aggregates=execution&compare=year:1", "= 0.225 null null null\n1: 0.225 null null null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

// Where each year states all money again, the last one alone is counted, and no years are added up.
func TestRun_FormulasOfSnapshotsByYear(t *testing.T) {
	c := cubetest.YearToDate(t, func(d *cube.Draft) {
		cubetest.Flat(d)
		d.Columns, d.Measures = append(d.Columns, cube.Column{Name: "deuda"}), append(d.Measures, cube.Measure{Ref: "deuda"})
		d.Snapshots = &cube.Snapshots{By: "ejercicio", Statements: []cube.PeriodSnapshot{{Snapshot: "2017"}, {Snapshot: "2018"}, {Snapshot: "2019"}}}
	})
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}, Gaps: []cube.YearGap{{Column: "deuda", Years: []int64{2017}}}}
	store := cubetest.NewStore(c.Model, "2017 - - - t 40 1 -", "2018 - - - t 60 1 2", "2019 - - - t 90 1 3", "2019 - - - u 10 1 1")
	const ratio = "ratio(pi_monto.sum,deuda.sum)"
	for _, tt := range []struct {
		name, question, want string
		warns                bool
	}{
		{"the last year", "aggregates=" + ratio, "= 25\n1: 25", false},
		{"the last of some years", "cut=ejercicio:..2018&aggregates=" + ratio, "= 30\n1: 30", false},
		{"a condition", "drilldown=titulo&aggregates=pi_monto.sum&having=" + ratio + ">20", "t = 90\n1: 90", false},
		{"each year", "drilldown=ejercicio&aggregates=" + ratio, "2017 = null\n2018 = 30\n2019 = 25\n3: 25", false},
		{"heads", "drilldown=titulo|ejercicio&aggregates=" + ratio + "&rollup=1", "t = 30 titulo\nt 2017 = null ejercicio\n" +
			"t 2018 = 30 ejercicio\nt 2019 = 30 ejercicio\nu = 10 titulo\nu 2019 = 10 ejercicio\n6: 25", false},
		{"beside what adds up over statements", "aggregates=" + ratio + "|flujo.sum", "= 25 4\n1: 25 4", false},
		{"heads beside it", "drilldown=titulo|ejercicio&cut=titulo:u&aggregates=" + ratio + "|flujo.sum&rollup=1",
			"u = 10 1 titulo\nu 2019 = 10 1 ejercicio\n2: 10 1", false},
		{"of what adds up over statements", "aggregates=ratio(flujo.sum,deuda.sum)", "= null\n1: null", true},
		{"all years", "aggregates=" + ratio + "&snapshots=all", "= null\n1: null", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
			warns := slices.ContainsFunc(run(t, store, cubetest.Bind(t, c, tt.question)).Warnings, func(w cube.Warning) bool {
				return w.Code == cube.WarnYearsDiffer
			})
			if warns != tt.warns {
				t.Errorf("%s warns of years that differ: %v", tt.question, warns)
			}
		})
	}
}
