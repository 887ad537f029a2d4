package findings

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/internal/each"
)

// Verdict says what became of something that the descriptor declares of a file.
type Verdict string

// The verdicts.
const (
	NoneDeclared Verdict = "none declared"
	Verified     Verdict = "verified"
	Differs      Verdict = "differs"
	NotChecked   Verdict = "not checked" // it is declared in a way that fiscube does not know
)

// Size holds the size that is declared of the file against the one found.
func (r ResourceReport) Size() Verdict {
	switch r.Declared.Bytes {
	case 0:
		return NoneDeclared
	case r.Found.Bytes:
		return Verified
	}
	return Differs
}

// Hash holds the hashes that are declared of the file against those found. Only SHA-256 is compared.
func (r ResourceReport) Hash() Verdict {
	verdict := NoneDeclared
	for _, pair := range [][2]string{{r.Declared.HashCopy, r.Found.HashCopy}, {r.Declared.Hash, r.Found.Hash}} {
		declared := strings.ToLower(strings.TrimPrefix(pair[0], "sha256:"))
		switch {
		case declared == "":
		case declared == pair[1]:
			verdict = Verified
		case len(declared) == len(pair[1]):
			return Differs
		case verdict == NoneDeclared:
			verdict = NotChecked
		}
	}
	return verdict
}

// YearTotals are the control totals of a fiscal year over the resources that are loaded.
type YearTotals struct {
	Year string                         `json:"year"` // "" where missing
	Rows int64                          `json:"rows"`
	Sums map[string]decimal.NullDecimal `json:"sums"` // by measure
}

// TotalsByYear adds the control totals up by fiscal year, ascending, and names their measures.
func (r *Report) TotalsByYear() (measures []string, years []YearTotals) {
	rowsOf := map[[2]string]bool{} // a resource has its rows of a year with each measure
	for _, t := range r.Totals {
		measures = each.Once(measures, t.Measure)
		if r.isLeftOut(t.Resource) {
			continue
		}
		i := slices.IndexFunc(years, func(y YearTotals) bool { return y.Year == t.Year })
		if i < 0 {
			i = len(years)
			years = append(years, YearTotals{Year: t.Year, Sums: map[string]decimal.NullDecimal{}})
		}
		if id := [2]string{t.Resource, t.Year}; !rowsOf[id] {
			rowsOf[id] = true
			years[i].Rows += t.Rows
		}
		if sum, err := decimal.NewFromString(t.Sum); err == nil {
			years[i].Sums[t.Measure] = decimal.NewNullDecimal(years[i].Sums[t.Measure].Decimal.Add(sum))
		}
	}
	slices.SortFunc(years, func(a, b YearTotals) int { return strings.Compare(a.Year, b.Year) })
	return measures, years
}

func (r *Report) isLeftOut(resource string) bool {
	return slices.ContainsFunc(r.Resources, func(of ResourceReport) bool { return of.Name == resource && of.Left != "" })
}
