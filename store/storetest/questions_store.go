package storetest

import (
	"strconv"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Questions asks a store the questions of testdata/questions, and every canonical question again.
func Questions(t *testing.T, fresh func(t testing.TB) Place, update bool) {
	s := open(t, fresh(t))
	for _, files := range QuestionPackages(t) {
		s.load(files)
	}
	AskAll(t, update, s.answerLines)
}

func (s *subject) answerLines(t testing.TB, name, question string) []string {
	t.Helper()
	one := *s
	one.T = t.(*testing.T)
	version := one.cube(name)
	plan, err := bind(version, question)
	if err != nil {
		return []string{FailLine(cube.CodeOf(err), err)}
	}
	if again, err := bind(version, plan.String()); err != nil || again.String() != plan.String() {
		t.Errorf("the canonical question asks something else: %v, %v", again, err)
	}
	lines := []string{"plan " + plan.String()}
	engine := cube.NewEngine(s.Store)
	checked, err := engine.Check(one.context(), plan)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	result, err := engine.Aggregate(one.context(), checked)
	if err != nil {
		return append(lines, FailLine(cube.CodeOf(err), err))
	}
	for _, cell := range result.Cells {
		lines = append(lines, RowLine("cell", cellFields(plan, cell)))
	}
	summary := append([]string{strconv.FormatInt(result.Summary.Count, 10)}, valueFields(plan, result.Summary)...)
	lines = append(lines, RowLine("summary", summary))
	for _, warning := range result.Plan.Warnings() {
		lines = append(lines, "warn "+warning.Code)
	}
	return lines
}

// cellFields writes a cell: its keys with their labels, its values, and what kind of row it is.
func cellFields(plan *cube.Plan, cell cube.Cell) []string {
	var fields []string
	for i, key := range plan.Keys() {
		has := i < len(cell.Keys)
		fields = append(fields, keyField(has, func() cube.Value { return cell.Keys[i] }))
		if l := plan.LabelOf(key); l >= 0 {
			fields = append(fields, keyField(has, func() cube.Value { return cell.Labels[l] }))
		}
	}
	fields = append(fields, valueFields(plan, cell)...)
	if cell.Level != "" {
		fields = append(fields, "level "+cell.Level)
	}
	if cell.Others > 0 {
		fields = append(fields, "others "+strconv.FormatInt(cell.Others, 10))
	}
	if cell.Change != "" {
		fields = append(fields, string(cell.Change))
	}
	return fields
}

// Absent and Null stand for a key that a row does not have, and for what is missing.
const (
	Absent = "-"
	Null   = "null"
)

func keyField(has bool, value func() cube.Value) string {
	switch {
	case !has:
		return Absent
	case value().IsMissing():
		return Null
	}
	return value().String()
}

func valueFields(plan *cube.Plan, cell cube.Cell) []string {
	var fields []string
	for i, a := range plan.Aggregates() {
		fields = append(fields, amountField(cell.Values[i], a.Scale))
	}
	return fields
}

func amountField(value decimal.NullDecimal, scale int32) string {
	if !value.Valid {
		return Null
	}
	return value.Decimal.StringFixed(scale)
}
