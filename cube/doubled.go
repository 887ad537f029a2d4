package cube

// NamedTotal is a row that looks like the total of others: a key or label calls it so, or its amounts are those of other rows.
// Without Cells it stands for any number of rows from its line on.
type NamedTotal struct {
	Resource string            `json:"resource"`
	Line     int64             `json:"line"`
	Cells    map[string]string `json:"cells"` // its keys and labels by field, as published, but for long ones and markers; "" is missing
}

// LinesLeft is the budget lines that are in an earlier snapshot of a period and not in the last, which alone is counted.
type LinesLeft struct {
	Count int64             `json:"count"`
	Sums  map[string]string `json:"sums"` // by measure, of those with amounts, as published; "" if it is too large to be added up
}

// YearOverlap is a fiscal year of which several resources have the same rows. All of them are counted.
type YearOverlap struct {
	Year      string   `json:"year"` // "" of rows without one
	Resources []string `json:"resources"`
}
