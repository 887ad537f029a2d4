package storetest

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// mostDifferences ends a part of an examination that finds nothing but differences.
const mostDifferences = 5

// randomQuestions compares the answers to made-up questions.
func (e *examination) randomQuestions() {
	failed, cells, empty := 0, 0, 0
	n := e.howMany()
	for i := range n {
		question, err := newQuestioner(e.version, e.oracle, i).question()
		if err == nil {
			var compared int
			compared, err = e.compare(question)
			cells += compared
			if compared == 0 {
				empty++
			}
		}
		if err != nil {
			failed++
			e.Errorf("question %d: %s\n%v", i, question, err)
		}
		if failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	e.Logf("%d questions with %d cells; %d pages had none", n, cells, empty)
}

// compare asks the store and the oracle. It gives the number of cells, or what differs.
func (e *examination) compare(question string) (int, error) {
	plan, err := bind(e.version, question)
	if err != nil {
		return 0, err
	}
	if err := e.printed(plan); err != nil {
		return 0, err
	}
	got, err := cube.NewEngine(e.Store).Aggregate(e.Context(), plan)
	if err != nil {
		return 0, err
	}
	query, err := Query(question)
	if err != nil {
		return 0, err
	}
	want := e.oracle.answer(plan, query.Snapshots == cube.AllSnapshots)
	if err := sameCell(got.Summary, want.Summary); err != nil {
		return 0, fmt.Errorf("the summary: %w", err)
	}
	if len(got.Cells) != len(want.Cells) {
		return 0, fmt.Errorf("the page has %d cells, want %d", len(got.Cells), len(want.Cells))
	}
	for i := range got.Cells {
		if err := sameCell(got.Cells[i], want.Cells[i]); err != nil {
			return 0, fmt.Errorf("cell %d: %w", i, err)
		}
	}
	return len(got.Cells), nil
}

// printed checks that the text of a plan asks what the plan asks.
func (e *examination) printed(plan *cube.Plan) error {
	again, err := bind(e.version, plan.String())
	if err != nil {
		return fmt.Errorf("the canonical question %s: %w", plan, err)
	}
	if again.String() != plan.String() {
		return fmt.Errorf("the canonical question %s is printed as %s", plan, again)
	}
	return nil
}

// sameCell compares a cell of the store with the oracle's. Amounts are equal when they are the same number.
func sameCell(got, want cube.Cell) error {
	same := slices.Equal(got.Keys, want.Keys) && slices.Equal(got.Labels, want.Labels) && got.Count == want.Count &&
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
	return fmt.Sprintf("keys %q labels %q amounts %v count %d", texts(c.Keys), texts(c.Labels), amounts, c.Count)
}

func texts(values []cube.Value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.String()
	}
	return all
}
