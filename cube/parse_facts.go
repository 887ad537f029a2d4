package cube

import "cmp"

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
		return "", Errorf(CodeBadValue, "after is empty").at(Position{Parameter: "after"}).or("leave it out for the first page")
	}
	return text, nil
}
