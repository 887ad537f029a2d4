package cube

// Stat is a number that a store tells of itself, to be watched over time. Other than amounts it need not be exact.
type Stat struct {
	Name  string // lower case words joined by _; what only grows ends in _total
	Help  string // what it says, as a sentence
	Value float64
}
