package cube

// Stat is a metric of a store. Unlike an amount it need not be exact.
type Stat struct {
	Name  string // lower case words joined by _; a counter ends in _total
	Help  string // what it says, as a sentence
	Value float64
}
