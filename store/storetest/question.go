package storetest

import (
	"fmt"
	"strings"

	"fiscube/cube"
)

// Query reads a question written as Plan.String writes it: clauses joined by &, as in the query of a URL but
// without escapes.
func Query(question string) (cube.Query, error) {
	query := cube.Query{Page: cube.FirstPage}
	page, size := "", ""
	for _, clause := range clauses(question) {
		name, text, _ := strings.Cut(clause, "=")
		var err error
		switch name {
		case "drilldown":
			query.Drilldown, err = cube.ParseDrilldown(text)
		case "cut":
			query.Cuts, err = cube.ParseCut(text)
		case "aggregates":
			query.Aggregates, err = cube.ParseAggregates(text)
		case "order":
			query.Order, err = cube.ParseOrder(text)
		case "snapshots":
			query.Snapshots, err = cube.ParseSnapshots(text)
		case "_default": // what Bind adds by itself
		case "page":
			page = text
		case "pagesize":
			size = text
		default:
			err = fmt.Errorf("no clause is named %q", name)
		}
		if err != nil {
			return cube.Query{}, err
		}
	}
	if size == "-1" { // as Plan.String writes the page that holds all cells
		query.Page = cube.Every
		return query, nil
	}
	var err error
	query.Page, err = cube.ParsePage(page, size)
	return query, err
}

// bind reads a question and binds it to a version of a package.
func bind(version *cube.Cube, question string) (*cube.Plan, error) {
	query, err := Query(question)
	if err != nil {
		return nil, err
	}
	return version.Bind(query)
}

// clauses splits a question at each & that begins a clause: names and values may hold that character too.
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

func beginsClause(text string) bool {
	for _, name := range []string{"drilldown", "cut", "aggregates", "order", "page", "pagesize", "snapshots", "_default"} {
		if strings.HasPrefix(text, name+"=") {
			return true
		}
	}
	return false
}
