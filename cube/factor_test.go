package cube_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// A factor applies after aggregation: a negative one turns extremes and order round, and its decimals show.
func TestAFactorAppliesAfterAggregation(t *testing.T) {
	model, err := cube.NewModel(
		[]cube.Column{{Name: "debt", Type: cube.TypeDecimal, Scale: 1}}, nil,
		[]cube.Measure{{Ref: "debt", Factor: "-1.5"}})
	if err != nil {
		t.Fatal(err)
	}
	one := &cube.Cube{Package: &cube.Package{Name: "c", Model: model}}
	aggregates, err := cube.ParseAggregates("debt.sum|debt.min|debt.max|debt.avg|debt.count")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := one.Bind(cube.Query{Aggregates: aggregates, Page: cube.FirstPage})
	if err != nil {
		t.Fatal(err)
	}
	amounts := map[cube.Func]string{cube.Sum: "3.1", cube.Min: "1.1", cube.Max: "2", cube.Count: "2"}
	parts := make([]decimal.NullDecimal, len(plan.Parts()))
	for i, part := range plan.Parts() {
		parts[i] = decimal.NewNullDecimal(decimal.RequireFromString(amounts[part.Func]))
	}
	want := []string{"-4.65", "-3.00", "-1.65", "-2.325000", "2"}
	for i, value := range plan.Values(parts, nil) {
		if got := value.Decimal.StringFixed(plan.Aggregates()[i].Scale); got != want[i] {
			t.Errorf("%s is %s, want %s", plan.Aggregates()[i].Name, got, want[i])
		}
	}
}

func TestAFactorIsADecimalNumber(t *testing.T) {
	_, err := cube.NewModel([]cube.Column{{Name: "debt"}}, nil, []cube.Measure{{Ref: "debt", Factor: "half"}})
	if err == nil || err.Error() != `measure "debt": the factor "half" is no decimal number` {
		t.Errorf("error %v", err)
	}
}
