package cube

// NamedTotal is a row that a key or label calls a total, although its amounts are those of no other rows. It is counted.
type NamedTotal struct {
	Resource string            `json:"resource"`
	Line     int64             `json:"line"`
	Cells    map[string]string `json:"cells"` // its keys and labels by field, as published, but for long ones and markers; "" is missing
}

// YearOverlap is a fiscal year of which several resources have the same rows. All of them are counted.
type YearOverlap struct {
	Year      string   `json:"year"` // "" of rows without one
	Resources []string `json:"resources"`
}
