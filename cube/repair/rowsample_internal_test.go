package repair

import (
	"math/rand/v2"
	"testing"
)

// A sample of long resources shows how many rows they share, also where one is much longer.
func TestRowSample_Repeats(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]uint64, 200_000)
	for i := range rows {
		rows[i] = random.Uint64()
	}
	sample := func(rows []uint64) *RowSample {
		s := &RowSample{}
		for _, row := range rows {
			s.Add(row)
		}
		if len(s.hashes) >= 2*sampleSize {
			t.Errorf("%d hashes are kept", len(s.hashes))
		}
		return s
	}
	for name, test := range map[string]struct {
		a, b []uint64
		want bool
	}{
		"the same":           {rows, rows, true},
		"a tenth of it":      {rows, rows[:20_000], true},
		"two rows of it":     {rows[:4000], []uint64{rows[1], rows[2]}, true},
		"one row of it":      {rows[:4000], rows[:1], false},
		"sixty of a hundred": {rows[:100_000], rows[40_000:140_000], true},
		"forty of a hundred": {rows[:100_000], rows[60_000:160_000], false},
		"others":             {rows[:100_000], rows[100_000:], false},
	} {
		a, b := sample(test.a), sample(test.b)
		if a.repeats(b) != test.want || b.repeats(a) != test.want {
			t.Errorf("%s: %v, want %v", name, a.repeats(b), test.want)
		}
	}
}
