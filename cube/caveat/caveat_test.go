package caveat_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
)

// Lines that are left behind are those of the whole budget unless those of the answer were asked for. They note where they are more than 1 %.
func TestOf_LinesLeft(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2016/03", "2016/06", "2017/06"))
	c.LinesLeft = &cube.LinesLeft{Count: 3, Sums: map[string]string{"pi_monto": "10", "flujo": "7"}}
	p := cubetest.Bind(t, c, "cut=ejercicio:2016&aggregates=pi_monto.sum")
	weightOf := func(e caveat.Evidence) cube.Weight {
		found, _ := caveat.Find(caveat.Of(e), cube.WarnLinesLeft)
		return found.Weight
	}
	of := func(value int64) []decimal.NullDecimal {
		return []decimal.NullDecimal{decimal.NewNullDecimal(decimal.NewFromInt(value))}
	}
	line := []caveat.LeftBehind{{Amount: decimal.NewFromInt(2)}}
	for _, tt := range []struct {
		e    caveat.Evidence
		want cube.Weight
	}{
		{caveat.Evidence{Plan: p, Values: of(999)}, cube.Note}, {caveat.Evidence{Plan: p, Values: of(-1000)}, cube.Background},
		{caveat.Evidence{Plan: p, Values: of(999), Left: &caveat.Left{}}, ""}, {caveat.Evidence{Plan: p, Values: of(999), Left: &caveat.Left{TooMany: true}}, cube.Note},
		{caveat.Evidence{Plan: p, Values: of(999), Left: &caveat.Left{Lines: line}}, cube.Background},
		{caveat.Evidence{Plan: cubetest.Bind(t, c, "cut=ejercicio:2017&aggregates=pi_monto.sum"), Values: of(1)}, ""},
		{caveat.Evidence{Plan: cubetest.Bind(t, c, "aggregates=flujo.sum"), Values: of(1)}, ""},
		{caveat.Evidence{Plan: cubetest.Bind(t, c, "snapshots=all&aggregates=pi_monto.sum"), Values: of(1)}, ""},
	} {
		if got := weightOf(tt.e); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.e.Plan, got, tt.want)
		}
	}
}

// What stops weighs more than what notes.
func TestHeaviest(t *testing.T) {
	c := cubetest.Spending(t)
	c.SnapshotsSuspected, c.Notes = "town", []cube.Titles{{"en": "x"}}
	list := caveat.Of(caveat.Evidence{Plan: cubetest.Bind(t, c, "aggregates=plan.sum")})
	if got := caveat.Heaviest(list); got != cube.Stop || caveat.Heaviest(list[1:]) != cube.Background || caveat.Heaviest(nil) != "" {
		t.Errorf("%s of %v", got, list)
	}
}
