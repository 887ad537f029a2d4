package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// fewFacts is up to how many facts a package has whose facts are asked for in every order; of larger ones a page
// takes its time.
const fewFacts = 4000

// facts turns the facts of a package page by page, in orders in which many are equal and under cuts, and compares
// them with the rows of the files: none may be skipped or told twice.
func (e *examination) facts() {
	size, questions := int(e.version.Rows/5)|1, e.factQuestions()
	if e.version.Rows > fewFacts {
		size, questions = 9973, questions[:1]
	}
	told := 0
	for _, question := range questions {
		if e.version.Model.Snapshots() == nil {
			question = strings.TrimSuffix(question, "&snapshots=all")
		}
		n, err := e.turnFacts(question, size)
		if err != nil {
			e.Errorf("%s: %v", question, err)
		}
		told += n
	}
	if told == 0 {
		e.Error("no question has a fact")
	}
	e.Logf("%d questions with %d facts", len(questions), told)
}

// factQuestions makes questions with each of the orders, without a cut and under one made up.
func (e *examination) factQuestions() []string {
	questions := []string{"order=_resource&snapshots=all", "order=_resource"}
	for i, order := range e.factOrders() {
		cuts := newQuestioner(e.version, e.oracle, i)
		questions = append(questions, "order="+order+"&snapshots=all", "order="+order+"&cut="+strings.Join(cuts.times(1, 2, cuts.cut), "|"))
	}
	return questions
}

// factOrders lists orders by the statements, and by a column of each type, alone and before one another.
func (e *examination) factOrders() []string {
	orders := []string{"_resource:desc", "_line:desc", "_resource:desc,_line:desc"}
	if s := e.version.Model.Snapshots(); s != nil {
		orders = append(orders, quoted(s.By), quoted(s.By)+":desc,_line:desc")
	}
	before := ""
	for _, kind := range []cube.ColumnType{cube.TypeText, cube.TypeInteger, cube.TypeDecimal, cube.TypeText} {
		column, ok := e.columnOf(kind, before)
		if !ok {
			continue
		}
		name := quoted(column.Name)
		orders = append(orders, name, name+":desc")
		if before != "" {
			orders = append(orders, before+":desc,"+name+",_line:desc")
		}
		before = name
	}
	return orders
}

// columnOf gives the column of a type that misses the most cells, but for the one that has just been taken.
func (e *examination) columnOf(kind cube.ColumnType, but string) (found cube.Column, ok bool) {
	for _, column := range e.version.Model.Columns() {
		if column.Type == kind && quoted(column.Name) != but && (!ok || column.Missing > found.Missing) {
			found, ok = column, true
		}
	}
	return found, ok
}

// turnFacts asks for page after page and compares them with what the oracle finds.
func (e *examination) turnFacts(question string, size int) (told int, err error) {
	query, err := factQuery(question)
	if err != nil {
		return 0, err
	}
	query.Size = size
	plan, err := e.version.BindFacts(query)
	if err != nil {
		return 0, err
	}
	want := e.oracle.facts(plan, query.Snapshots == cube.AllSnapshots)
	engine := cube.NewEngine(e.Store)
	for {
		page, err := engine.Facts(e.Context(), plan)
		switch {
		case err != nil:
			return told, err
		case page.Total != int64(len(want)):
			return told, fmt.Errorf("%d facts are counted, want %d", page.Total, len(want))
		case len(page.Facts) > len(want)-told:
			return told, fmt.Errorf("after %d facts come %d more, want %d in all", told, len(page.Facts), len(want))
		}
		for i, fact := range page.Facts {
			if got, want := factText(plan, fact), want[told+i]; got != want {
				return told, fmt.Errorf("fact %d is\n%q\nwant\n%q", told+i, got, want)
			}
		}
		if told += len(page.Facts); page.Next == "" {
			break
		}
		query.After = page.Next
		if plan, err = e.version.BindFacts(query); err != nil {
			return told, err
		}
	}
	if told != len(want) {
		return told, fmt.Errorf("the pages have %d facts, want %d", told, len(want))
	}
	return told, e.sameStream(query, want)
}

// sameStream compares the facts of an export.
func (e *examination) sameStream(query cube.FactQuery, want []string) error {
	query.After, query.Size = "", cube.EveryFact
	plan, err := e.version.BindFacts(query)
	if err != nil {
		return err
	}
	told := 0
	for fact, err := range e.Facts(e.Context(), plan) {
		if err != nil {
			return err
		}
		if told == len(want) || factText(plan, fact) != want[told] {
			return fmt.Errorf("the export differs at fact %d", told)
		}
		told++
	}
	if told != len(want) {
		return fmt.Errorf("the export has %d facts, want %d", told, len(want))
	}
	return nil
}

func factQuery(question string) (cube.FactQuery, error) {
	given := map[string]string{}
	for _, clause := range clauses(question) {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	return cube.ParseFactQuery(given)
}

// factText writes a fact as a line. No store holds the NUL between its cells.
func factText(plan *cube.FactPlan, fact cube.Fact) string {
	cells := []string{plan.Cube().Resources[fact.Resource].Name, strconv.FormatInt(fact.Line, 10)}
	for i, column := range plan.Fields() {
		cells = append(cells, fact.Values[i].Text(int32(column.Scale)))
	}
	return strings.Join(cells, "\x00")
}

// facts answers a plan from the rows, whatever its page.
func (o *oracle) facts(plan *cube.FactPlan, every bool) []string {
	last := o.lastStatements(plan.CountPlan(), every)
	var places []int
	for i, row := range o.rows {
		if o.passes(row, plan.CountPlan()) && last.counts(row) {
			places = append(places, i)
		}
	}
	slices.SortFunc(places, func(i, j int) int { return o.compareFacts(plan, i, j) })
	var lines []string
	for _, i := range places {
		lines = append(lines, factText(plan, o.fact(plan, i)))
	}
	return lines
}

// fact is the i-th row as a fact.
func (o *oracle) fact(plan *cube.FactPlan, i int) cube.Fact {
	fact := cube.Fact{Resource: o.stood[i].resource, Line: o.stood[i].line}
	for _, column := range plan.Columns() {
		fact.Values = append(fact.Values, o.factValue(i, column))
	}
	return fact
}

func (o *oracle) factValue(i int, column cube.Column) cube.FactValue {
	if column.Type != cube.TypeDecimal {
		return cube.FactValue{Value: o.value(o.rows[i], column)}
	}
	var v cube.FactValue
	v.Amount.Decimal, v.Amount.Valid = o.amount(o.rows[i], column.Name)
	return v
}

// compareFacts compares two rows as a plan wants them. Missing comes last in both directions.
func (o *oracle) compareFacts(plan *cube.FactPlan, i, j int) int {
	for _, s := range plan.Order() {
		here, there := o.sortedBy(plan, s, i), o.sortedBy(plan, s, j)
		switch {
		case here.IsMissing() && there.IsMissing():
			continue
		case here.IsMissing():
			return 1
		case there.IsMissing():
			return -1
		case s.Desc:
			here, there = there, here
		}
		by := here.Amount.Decimal.Cmp(there.Amount.Decimal)
		if !here.Amount.Valid {
			by = o.compareFactValues(plan, s, here.Value, there.Value)
		}
		if by != 0 {
			return by
		}
	}
	return 0
}

func (o *oracle) compareFactValues(plan *cube.FactPlan, s cube.FactSort, a, b cube.Value) int {
	if s.Column < 0 {
		return compareValues(a, b)
	}
	return o.compareBounds(plan.Columns()[s.Column], a, b)
}

func (o *oracle) sortedBy(plan *cube.FactPlan, s cube.FactSort, i int) cube.FactValue {
	switch s.Column {
	case cube.ByResource:
		return cube.FactValue{Value: cube.Integer(int64(o.stood[i].resource))}
	case cube.ByLine:
		return cube.FactValue{Value: cube.Integer(o.stood[i].line)}
	}
	return o.factValue(i, plan.Columns()[s.Column])
}
