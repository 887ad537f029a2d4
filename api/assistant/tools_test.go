package assistant

import (
	"slices"
	"testing"

	"fiscube/cube/query"
)

// Every clause of a question is an argument of ask, with a description of its own, and what a tool says it takes goes somewhere.
func TestTools_ArgumentsAreParameters(t *testing.T) {
	var described []string
	for _, a := range clauseArguments {
		described = append(described, a.name)
	}
	var clauses []string
	for _, c := range query.Clauses() {
		clauses = append(clauses, c.Name)
	}
	if !slices.Equal(described, clauses) {
		t.Errorf("%q are described, the clauses are %q", described, clauses)
	}
	for _, tool := range tools {
		taken := []string{"cube", "dimension", "level"}
		for _, given := range []map[string][]string{{}, {"cube": {"x"}}, {"cube": {"x"}, "level": {"x"}}} {
			for _, q := range tool.questions(given) {
				taken = append(taken, q.takes...)
			}
		}
		for _, a := range tool.arguments {
			if !slices.Contains(taken, a.name) || a.description == "" {
				t.Errorf("%s: %s goes nowhere, or is not described", tool.name, a.name)
			}
		}
		for _, name := range slices.Concat(taken[3:], tool.required) {
			if !slices.ContainsFunc(tool.arguments, func(a argument) bool { return a.name == name }) {
				t.Errorf("%s takes %s, which is no argument", tool.name, name)
			}
		}
	}
}
