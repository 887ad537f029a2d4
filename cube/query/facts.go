package query

import (
	"cmp"

	"fiscube/cube"
)

// FactQuery is a question for facts as it was asked: names are unchecked. Cube.BindFacts turns it into a FactPlan or
// says what is wrong.
type FactQuery struct {
	Fields    []Ref // none means every column
	Cuts      []Cut
	Order     []Order // none means the order of the files
	Snapshots SnapshotChoice
	After     string // what FactPage.Next said; "" begins
	Size      int    // how many facts at most: of a page, or EveryFact
}

// EveryFact is the size of an export.
const EveryFact = -1

// ParseFields reads the text of the parameter fields.
func ParseFields(text string) ([]Ref, error) {
	return parseList(text, "fields", '|', (*parser).ref)
}

// ParseFactQuery reads the clauses of a question for facts by their names. Names that no clause has are left to the
// caller.
func ParseFactQuery(given map[string]string) (FactQuery, error) {
	var q FactQuery
	err := cmp.Or(
		read(given, "fields", ParseFields, &q.Fields),
		read(given, "cut", ParseCut, &q.Cuts),
		read(given, "order", ParseOrder, &q.Order),
		read(given, "snapshots", ParseSnapshots, &q.Snapshots),
		read(given, "after", parseAfter, &q.After),
		notEmpty(given, "pagesize"),
	)
	if err != nil {
		return FactQuery{}, err
	}
	page, err := ParsePage("", given["pagesize"])
	q.Size = page.Size
	return q, err
}

func parseAfter(text string) (string, error) {
	if text == "" {
		return "", cube.Errorf(cube.CodeBadValue, "after is empty").At(cube.Position{Parameter: "after"}).WithHint("leave it out for the first page")
	}
	return text, nil
}
