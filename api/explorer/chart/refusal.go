package chart

// Reason is why a figure is not drawn.
type Reason string

// The reasons, with the fields of a refusal that each fills.
const (
	Nothing        Reason = "nothing"          // there is nothing to draw
	NotPositive    Reason = "not-positive"     // Label, Amount: of a part that is zero or below
	TooFew         Reason = "too-few"          // Count, Limit: parts
	TooMany        Reason = "too-many"         // Count, Limit: parts or series
	OneYear        Reason = "one-year"         // Label: the only year with an amount
	OthersOfOne    Reason = "others-of-one"    // Label, Amount: of what is called others and stands for one member
	DoesNotAddUp   Reason = "does-not-add-up"  // Label, Amount: of the whole that its parts do not add up to
	NotASum        Reason = "not-a-sum"        // averages, extremes and ratios: the caller says so
	SameMoneyTwice Reason = "same-money-twice" // the parts are statements of the same money: the caller says so
)

// Refusal says why a figure would not be honest, with what a sentence about it needs.
type Refusal struct {
	Reason        Reason
	Label, Amount string
	Count, Limit  int
}
