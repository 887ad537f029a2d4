package evidence

import (
	"maps"
	"slices"
)

// What makes amounts statements of the same money.
const (
	fewestKeys    = 3  // with a series
	fewestSteps   = 12 // from one statement to the next: so many do not all rise by chance
	risingPercent = 95 // of the keys
)

// Rise counts the keys with a series of an amount, and the steps from one statement to the next.
type Rise struct {
	Keys, Rising int64 // rising: in which no step goes down, or none towards 0, as what is paid back has amounts below it
	Growing      int64 // in which some step changes the amount
	Steps        int64
}

// Add counts a key, of which the amounts of statements are given by their order.
func (r *Rise) Add(amounts map[int64]int64) {
	up, away, grows := true, true, false
	order := slices.Sorted(maps.Keys(amounts))
	for i, n := range order[1:] {
		before, after := amounts[order[i]], amounts[n]
		up = up && after >= before
		away = away && (before >= 0 && after >= before || before <= 0 && after <= before)
		grows = grows || after != before
	}
	r.Keys++
	r.Steps += int64(len(order) - 1)
	if up || away {
		r.Rising++
	}
	if (up || away) && grows {
		r.Growing++
	}
}

// Plus joins what was counted of an amount in two places.
func (r Rise) Plus(o Rise) Rise {
	return Rise{r.Keys + o.Keys, r.Rising + o.Rising, r.Growing + o.Growing, r.Steps + o.Steps}
}

// Convinces tells whether the rows are statements of the same money. What repeats under dates may be paid each month, as rents are: most keys must
// grow there.
func (r Rise) Convinces(dates bool) bool {
	return (!dates || 2*r.Growing >= r.Keys) && r.Keys >= fewestKeys && r.Steps >= fewestSteps && r.Rising*100 >= r.Keys*risingPercent
}
