package cube

import "github.com/shopspring/decimal"

// Series has a number for each year of one country, such as its population. Amounts are put into prices of one year, or divided
// by the inhabitants, with it.
type Series struct {
	Name    string      `json:"name"` // of its file, without the ending
	Title   string      `json:"title"`
	Country string      `json:"country"` // an ISO 3166-1 code, or a name
	Unit    SeriesUnit  `json:"unit"`
	Source  string      `json:"source"`
	License string      `json:"license"`
	Updated string      `json:"updated"` // the day of the state of its source, as 2025-07-01
	Values  []YearValue `json:"values"`  // ascending, each year once
}

// YearValue is the value of a year.
type YearValue struct {
	Year  int64           `json:"year"`
	Value decimal.Decimal `json:"value"`
}

// SeriesUnit says what the values of a series are.
type SeriesUnit string

// The units.
const (
	UnitAnnualPercent SeriesUnit = "annual_percent" // change of prices against the year before, in per cent
	UnitIndex         SeriesUnit = "index"          // level of prices, of which only the ratio of two years matters
	UnitPersons       SeriesUnit = "persons"        // inhabitants
)

// IsOfPrices tells whether the series puts amounts into prices of one year. If not, it divides them by the inhabitants.
func (s Series) IsOfPrices() bool { return s.Unit != UnitPersons }

// Years gives the first and the last year with a value. A series has at least one.
func (s Series) Years() (first, last int64) {
	return s.Values[0].Year, s.Values[len(s.Values)-1].Year
}

// Value gives the value of a year, or false if the series has none.
func (s Series) Value(year int64) (decimal.Decimal, bool) {
	for _, v := range s.Values {
		if v.Year == year {
			return v.Value, true
		}
	}
	return decimal.Decimal{}, false
}
