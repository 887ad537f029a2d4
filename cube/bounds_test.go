package cube_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

// What a question costs in memory is bounded by its answer, and by what its text has of it. Allocations stand for the
// work: other than time they are the same on every machine.

// far is a cube of many towns whose years lie thousands apart.
func far(t testing.TB, towns int) (*cube.Engine, *cube.Cube) {
	t.Helper()
	c := spending(t)
	lines := []string{"9999 n z Z 1 - - - -"}
	for i := range towns {
		lines = append(lines, fmt.Sprintf("1 n t%d T%d 1 - - - -", i, i))
	}
	return remember(c.Model, lines...), c
}

const admitsTwo = "drilldown=town|year&cut=year:1;9999&aggregates=plan.sum&fill=zero"

// Which places the cuts admit is judged once for each, and not again for each of the members.
func TestFillJudgesEachPlaceOnce(t *testing.T) {
	const towns, places = 200, 9999
	store, c := far(t, towns)
	plan := bindTo(t, c, admitsTwo)
	var cells int
	allocations := testing.AllocsPerRun(1, func() {
		result, err := store.Aggregate(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		cells = len(result.Cells)
	})
	if cells != 100 || allocations > 20*places {
		t.Errorf("%d cells, %.0f allocations for %d places", cells, allocations, places)
	}
}

// A store that answers in time leaves work to do, which ends with the question.
func TestFillEndsWithTheQuestion(t *testing.T) {
	store, c := far(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Aggregate(ctx, bindTo(t, c, admitsTwo)); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// What only all cells together can tell is told of no more than are finished in memory.
func TestSharesOfTooManyCells(t *testing.T) {
	store, c := far(t, cube.MaxPageSize)
	const shares = "drilldown=town|year&aggregates=plan.sum&having=share(plan.sum)>0.5"
	_, err := store.Aggregate(t.Context(), bindTo(t, c, shares))
	if got := fmt.Sprint(err); !strings.HasPrefix(got, "having at 0: the question has 10001 cells") || !strings.HasSuffix(got, "(cut it down, or drill fewer levels)") {
		t.Errorf("the error is %s", got)
	}
}

func BenchmarkFill(b *testing.B) {
	store, c := far(b, 3000)
	plan := bindTo(b, c, admitsTwo)
	for b.Loop() {
		if _, err := store.Aggregate(b.Context(), plan); err != nil {
			b.Fatal(err)
		}
	}
}

// A name of a megabyte is not compared letter by letter with what is known.
func TestNearestIsQuickOfLongNames(t *testing.T) {
	known := []string{"admin1_code", "admin2_code", "approved_value"}
	long := strings.Repeat("admin1_code", 1000)
	if allocations := testing.AllocsPerRun(1, func() { cube.Nearest(long, known) }); allocations > 100 {
		t.Errorf("%.0f allocations", allocations)
	}
}
