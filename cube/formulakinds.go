package cube

// kind says what a value counts: amounts, rows, or what is left of them when one is divided by the other. Only values of
// one kind have a difference.
type kind struct{ amounts, rows int }

func (a Aggregate) kind() kind {
	switch a.Func {
	case Count, Rows:
		return kind{rows: 1}
	case Diff:
		return a.Args[0].kind()
	case Ratio:
		x, y := a.Args[0].kind(), a.Args[1].kind()
		return kind{x.amounts - y.amounts, x.rows - y.rows}
	case Share, ShareOfParent:
		return kind{}
	}
	return kind{amounts: 1}
}

// String names the kind for people.
func (k kind) String() string {
	switch k {
	case kind{amounts: 1}:
		return "an amount"
	case kind{rows: 1}:
		return "a number of rows"
	case kind{amounts: 1, rows: -1}:
		return "an amount per row"
	case kind{}:
		return "a ratio"
	}
	return "a quotient of amounts and rows"
}

// adds tells whether the values of cells add up to that of all: of sums and counts they do, and of their differences.
func (a Aggregate) adds() bool {
	switch a.Func {
	case Sum, Count, Rows:
		return true
	case Diff:
		return a.Args[0].adds() && a.Args[1].adds()
	}
	return false
}

// checkKinds refuses a difference of what cannot be subtracted, and a share of what is no whole of parts.
func (a Aggregate) checkKinds(ref AggregateRef) error {
	switch {
	case a.Func == Diff && a.Args[0].kind() != a.Args[1].kind():
		return Errorf(CodeBadSyntax, "%s is %s, %s is %s", a.Args[0].Name, a.Args[0].kind(), a.Args[1].Name, a.Args[1].kind()).
			at(ref.At).or("a diff is of two amounts, two counts or two ratios; ratio divides one by the other")
	case (a.Func == Share || a.Func == ShareOfParent) && !a.Args[0].adds():
		return Errorf(CodeBadSyntax, "%s does not add up, so nothing is a share of it", a.Args[0].Name).at(ref.At).
			or("ask the share of a sum, a count, or a diff of these")
	}
	return nil
}
