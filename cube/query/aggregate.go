package query

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// ParseAggregates reads the text of the parameter aggregates.
func ParseAggregates(text string) ([]AggregateRef, error) {
	return parseList(text, "aggregates", "|", (*parser).aggregate)
}

// ParseHaving reads the text of the parameter having.
func ParseHaving(text string) ([]Condition, error) {
	return parseList(text, "having", "|", (*parser).condition)
}

// ParseOrder reads the text of the parameter order.
func ParseOrder(text string) ([]Order, error) {
	return parseList(text, "order", ",", (*parser).order)
}

// ParseCompare reads the text of the parameter compare.
func ParseCompare(text string) (*Compare, error) {
	list, err := parseList(text, "compare", "|", (*parser).compare)
	switch {
	case err != nil:
		return nil, err
	case len(list) > 1:
		return nil, cube.Errorf(cube.CodeBadSyntax, "an answer compares with one other").At(list[1].Ref.At).
			WithHint("ask once for each")
	}
	return &list[0], nil
}

// maxNesting bounds how deep formulas are nested.
const maxNesting = 8

func (p *parser) aggregate() (AggregateRef, error) {
	at := p.Position
	name, err := p.name()
	switch {
	case err != nil:
		return AggregateRef{}, err
	case p.take("("):
		return p.formula(name, at)
	case !p.take("."):
		return AggregateRef{Func: name, At: at}, nil
	}
	function, err := p.name()
	return AggregateRef{Measure: name, Func: function, At: at}, err
}

// formula reads the aggregates of a formula after its name and opening bracket.
func (p *parser) formula(name string, at cube.Position) (AggregateRef, error) {
	ref := AggregateRef{Func: name, At: at}
	if p.depth++; p.depth > maxNesting {
		return ref, fail(at, "ask for its parts", "formulas stand more than %d deep inside each other", maxNesting)
	}
	defer func() { p.depth-- }()
	for {
		arg, err := p.aggregate()
		if err != nil {
			return ref, err
		}
		ref.Args = append(ref.Args, arg)
		if p.take(")") {
			return ref, nil
		}
		if !p.take(",") {
			return ref, fail(p.Position, p.formulaHint(at), "expected , or ) after an aggregate of %s, found %s", QuoteName(name), p.found())
		}
	}
}

// formulaHint says how to go on in a formula, or how to close one that ends too early.
func (p *parser) formulaHint(at cube.Position) string {
	if p.peek() == ended {
		return "close it, as " + Clip(string(p.text[at.Offset:])+")")
	}
	return "write , between its aggregates and ) behind the last"
}

// comparisons lists <= before <, since < is the beginning of <=.
var comparisons = []Operator{LessOrEqual, GreaterOrEqual, Unequal, Less, Greater, Equal}

func (p *parser) condition() (Condition, error) {
	aggregate, err := p.aggregate()
	if err != nil {
		return Condition{}, err
	}
	for _, op := range comparisons {
		if p.take(string(op)) {
			number, err := p.number()
			return Condition{Aggregate: aggregate, Op: op, Number: number}, err
		}
	}
	return Condition{}, fail(p.Position, "the comparisons are < <= = >= > !=",
		"expected a comparison after %s, found %s", aggregate.String(), p.found())
}

// maxDigits is how many digits a number may have in all, so that a store can multiply by it.
const maxDigits = 18

var decimalNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

func (p *parser) number() (decimal.Decimal, error) {
	start := p.Position
	for p.peek() != ended && p.peek() != '|' {
		p.Offset++
	}
	text := string(p.text[start.Offset:p.Offset])
	switch {
	case !decimalNumber.MatchString(text):
		return decimal.Zero, fail(start, "as 1500 or -0.25", "expected a number, found %q", Clip(text))
	case len(text)-strings.Count(text, "-")-strings.Count(text, ".") > maxDigits:
		return decimal.Zero, fail(start, "write it with fewer", "the number has more than %d digits", maxDigits)
	}
	return decimal.RequireFromString(text), nil // the expression admits only digits, sign and point
}

// order reads a key of the order. The text a.b may mean dimension.field, measure.function, or the role b of the aggregate
// a. Bind knows the names and tells these apart.
func (p *parser) order() (Order, error) {
	by, err := p.aggregate()
	if err != nil {
		return Order{}, err
	}
	o := Order{Ref: Ref{Dimension: by.Measure, Name: by.Func, At: by.At}}
	if len(by.Args) > 0 {
		o = Order{Ref: Ref{At: by.At}, Formula: &by}
	}
	if (by.Measure != "" || o.Formula != nil) && p.take(".") {
		role, err := p.name()
		if o.Role = Role(role); err != nil {
			return o, err
		}
	}
	if !p.take(":") {
		return o, nil
	}
	o.Desc, err = p.descending(o)
	return o, err
}

// descending reads the direction of an order.
func (p *parser) descending(o Order) (bool, error) {
	start := p.Position
	text, err := p.name()
	switch {
	case err != nil && p.Offset > start.Offset:
		return false, err
	case text == "asc" || text == "desc":
		return text == "desc", nil
	}
	instead := Direction(!strings.HasPrefix(strings.ToLower(text), "asc"))
	return false, fail(start, "write "+Clip(o.String()+":"+instead), "expected asc or desc after %s", o.String())
}

// String prints what the order sorts by, without the direction.
func (o Order) String() string {
	name := o.Ref.String()
	if o.Formula != nil {
		name = o.Formula.String()
	}
	if o.Role != "" {
		name += "." + QuoteName(string(o.Role))
	}
	return name
}

// offsetHint takes a number without a level for the offset.
func offsetHint(ref Ref) string {
	if n, err := strconv.Atoi(ref.Name); err == nil && ref.Dimension == "" {
		return "write the level before it, as LEVEL:" + strconv.Itoa(n)
	}
	return "as " + Clip(ref.String()+":-1")
}

func (p *parser) compare() (Compare, error) {
	ref, err := p.ref()
	if err != nil {
		return Compare{}, err
	}
	if !p.take(":") {
		return Compare{}, fail(p.Position, offsetHint(ref), "expected : and an offset after %s", ref.String())
	}
	start := p.Position
	for p.peek() != ended && p.peek() != '|' {
		p.Offset++
	}
	text := string(p.text[start.Offset:p.Offset])
	offset, err := strconv.ParseInt(text, 10, 32)
	if err != nil || offset == 0 {
		return Compare{}, fail(start, "-1 compares with the one before",
			"expected a whole number that is not 0, found %q", Clip(text))
	}
	return Compare{Ref: ref, Offset: offset}, nil
}

// Direction is asc or desc.
func Direction(desc bool) string {
	if desc {
		return "desc"
	}
	return "asc"
}
