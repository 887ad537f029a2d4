package query

import (
	"cmp"

	"fiscube/cube"
)

// FactQuery is a question for facts with unchecked names. plan.BindFacts turns it into a plan.FactPlan or says what is
// wrong.
type FactQuery struct {
	Fields    []Ref // none means every column
	Cuts      []Cut
	Order     []Order // none means the order of the files
	Snapshots SnapshotChoice
	After     string // answer.FactPage.Next of the page before; "" for the first page
	Size      int    // the number of facts on a page, or EveryFact
	ByBytes   bool   // text is sorted by its bytes alone, not by its length first; no clause asks for it
}

// EveryFact is the size of an export.
const EveryFact = -1

// ParseFields reads the text of the parameter fields.
func ParseFields(text string) ([]Ref, error) {
	return parseList(text, "fields", "|", (*parser).ref)
}

// ParseFactQuery reads the clauses of a question for facts by their names. It ignores other names.
func ParseFactQuery(given map[string]string) (FactQuery, error) {
	var q FactQuery
	err := cmp.Or(
		read(given, "fields", ParseFields, &q.Fields),
		read(given, "cut", ParseCut, &q.Cuts),
		read(given, "order", ParseOrder, &q.Order),
		read(given, "snapshots", ParseSnapshots, &q.Snapshots),
		read(given, "after", parseAfter, &q.After),
	)
	if err != nil {
		return FactQuery{}, err
	}
	q.Size, err = parseBounded(given, "pagesize", DefaultPageSize, 0, MaxPageSize)
	return q, err
}

func parseAfter(text string) (string, error) {
	if text == "" {
		return "", cube.Errorf(cube.CodeBadValue, "after is empty").At(cube.Position{Parameter: "after"}).WithHint("leave it out for the first page")
	}
	return text, nil
}
