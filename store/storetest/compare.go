package storetest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// mostDifferences ends a part of an examination that finds nothing but differences.
const mostDifferences = 5

// tally counts what became of random questions.
type tally struct{ asked, failed, cells, empty, refused, finished int }

// randomQuestions compares the answers to made-up questions. Some ask for what is refused, and are then asked
// without that; if most did, little would be examined.
func (e *examination) randomQuestions() {
	var t tally
	for i := range e.howMany() {
		q := newQuestioner(e.version, e.oracle, i)
		question, err := q.question()
		t.asked++
		t.refused += q.refused
		if err == nil {
			err = e.count(&t, question)
		}
		if err != nil {
			t.failed++
			e.Errorf("question %d: %s\n%v", i, question, err)
		}
		if t.failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	e.Logf("%d questions with %d cells; %d pages had none, %d were finished in memory, %d wishes were refused",
		t.asked, t.cells, t.empty, t.finished, t.refused)
	if t.asked >= 50 && (t.refused > t.asked/3 || t.finished < t.asked/5) {
		e.Error("too much was refused, or too little asked")
	}
}

func (e *examination) count(t *tally, question string) error {
	plan, err := bind(e.version, question)
	if err != nil {
		return err
	}
	if plan.Finished() {
		t.finished++
	}
	cells, err := e.compare(question)
	t.cells += cells
	if cells == 0 {
		t.empty++
	}
	return err
}

// compare asks the store and the oracle. It gives the number of cells, or what differs.
func (e *examination) compare(question string) (int, error) {
	plan, err := bind(e.version, question)
	if err != nil {
		return 0, err
	}
	again, err := e.printed(plan)
	if err != nil {
		return 0, err
	}
	query, err := Query(question)
	if err != nil {
		return 0, err
	}
	want, few := e.oracle.answer(plan, query)
	got, err := e.got(plan, again)
	if cube.CodeOf(err) == cube.CodeTooLarge && !few {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if !few {
		return 0, errors.New("it has more cells than are finished in memory")
	}
	return len(got.Cells), sameAnswer(got, want)
}

// got asks the store by the plan or, every other time, by its text: both ask the same. What is finished is exported
// as it is answered.
func (e *examination) got(plan, again *cube.Plan) (*cube.Result, error) {
	engine := cube.NewEngine(e.Store)
	if len(plan.String())%2 == 0 {
		return engine.Aggregate(e.Context(), again)
	}
	if !plan.Finished() {
		return engine.Aggregate(e.Context(), plan)
	}
	result := &cube.Result{Plan: plan}
	for cell, err := range engine.Run(e.Context(), plan) {
		if err != nil {
			return nil, err
		}
		result.Cells = append(result.Cells, cell)
	}
	result.Summary, result.Cells = result.Cells[0], result.Cells[1:]
	return result, nil
}

func sameAnswer(got, want *cube.Result) error {
	if err := sameCell(got.Summary, want.Summary); err != nil {
		return fmt.Errorf("the summary: %w", err)
	}
	if len(got.Cells) != len(want.Cells) {
		return fmt.Errorf("the page has %d cells, want %d", len(got.Cells), len(want.Cells))
	}
	for i := range got.Cells {
		if err := sameCell(got.Cells[i], want.Cells[i]); err != nil {
			return fmt.Errorf("cell %d: %w", i, err)
		}
	}
	return nil
}

// printed gives the plan that the text of a plan asks for, and checks that it has the same text.
func (e *examination) printed(plan *cube.Plan) (*cube.Plan, error) {
	again, err := bind(e.version, plan.String())
	if err != nil {
		return nil, fmt.Errorf("the canonical question %s: %w", plan, err)
	}
	if again.String() != plan.String() {
		return nil, fmt.Errorf("the canonical question %s is printed as %s", plan, again)
	}
	return again, nil
}

// sameCell compares a cell of the store with the oracle's. Amounts are equal when they are the same number.
func sameCell(got, want cube.Cell) error {
	same := slices.Equal(got.Keys, want.Keys) && slices.Equal(got.Labels, want.Labels) && got.Count == want.Count &&
		got.Level == want.Level && got.Others == want.Others && got.Change == want.Change &&
		slices.EqualFunc(got.Values, want.Values, func(a, b decimal.NullDecimal) bool {
			return a.Valid == b.Valid && a.Decimal.Equal(b.Decimal)
		})
	if !same {
		return fmt.Errorf("got %s, want %s", shown(got), shown(want))
	}
	return nil
}

func shown(c cube.Cell) string {
	amounts := make([]string, len(c.Values))
	for i, v := range c.Values {
		amounts[i] = "null"
		if v.Valid {
			amounts[i] = v.Decimal.String()
		}
	}
	return fmt.Sprintf("keys %q labels %q amounts %v count %d level %q others %d change %q", texts(c.Keys), texts(c.Labels),
		amounts, c.Count, c.Level, c.Others, c.Change)
}

func texts(values []cube.Value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.String()
	}
	return all
}
