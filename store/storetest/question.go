package storetest

import (
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
)

// Query reads a question written as Plan.String writes it: clauses joined by &, as in the query of a URL but
// without escapes.
func Query(question string) (cube.Query, error) {
	given, every := map[string]string{}, false
	for _, clause := range clauses(question) {
		name, text, _ := strings.Cut(clause, "=")
		switch {
		case name == "_default": // what Bind adds by itself
		case !isClause(name):
			return cube.Query{}, fmt.Errorf("no clause is named %q", name)
		case clause == everyPage:
			every = true
		default:
			given[name] = text
		}
	}
	query, err := cube.ParseQuery(given)
	if every {
		query.Page = cube.Every
	}
	return query, err
}

// everyPage asks for all cells, which no request can.
const everyPage = "pagesize=-1"

func isClause(name string) bool {
	return name == "page" || name == "pagesize" ||
		slices.ContainsFunc(cube.Clauses(), func(c cube.Clause) bool { return c.Name == name })
}

// bind reads a question and binds it to a version of a package.
func bind(version *cube.Cube, question string) (*cube.Plan, error) {
	query, err := Query(question)
	if err != nil {
		return nil, err
	}
	return version.Bind(query)
}

// beginsClause tells a clause from a value that holds a bare &.
func beginsClause(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && (name == "_default" || isClause(name))
}

// clauses splits a question at each & outside quotes that begins a clause.
func clauses(question string) []string {
	var all []string
	quoted, start := false, 0
	for i := 0; i < len(question); i++ {
		switch c := question[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '&' && !quoted && beginsClause(question[i+1:]):
			all = append(all, question[start:i])
			start = i + 1
		}
	}
	if question == "" {
		return nil
	}
	return append(all, question[start:])
}
