package plan_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/internal/each"
)

func TestPlan_Columns(t *testing.T) {
	p := cubetest.MustAsk(t, "drilldown=ID_AI|admin2_code|Year&aggregates=approved_value.avg|_count")
	want := "ID_UR ID_AI DESC_AI admin1_code admin1_label admin2_code admin2_label Year"
	if got := strings.Join(p.Attributes(), " "); got != want {
		t.Errorf("attributes %q, want %q", got, want)
	}
	want += " approved_value.avg _count"
	if got := strings.Join(p.Columns(), " "); got != want {
		t.Errorf("columns %q, want %q", got, want)
	}
	if got := cubetest.MustAsk(t, "").Attributes(); got == nil || len(got) != 0 {
		t.Errorf("attributes of no drilldown %#v, want an empty list", got)
	}
}

func names(keys []cube.Column) string {
	return strings.Join(each.Text(keys, func(c cube.Column) string { return c.Name }), " ")
}
