package sqlgen

import (
	"context"
	"iter"

	"fiscube/cube"
	"fiscube/store/dictionary"
)

// MemberTables reads the tables of members with a function that runs queries.
func MemberTables(ask Ask) dictionary.Tables { return tables{ask} }

// tables reads the tables of members for a dictionary.
type tables struct{ ask Ask }

// Entries implements dictionary.Tables.
func (t tables) Entries(ctx context.Context, c *cube.Cube, l cube.Level) iter.Seq2[dictionary.Entry, error] {
	n := len(l.Path)
	text := "SELECT " + list(n, "", func(i int) string { return numbered("p", i) + ", " }) + "label, _rank, rows, first_year, last_year FROM " + MemberTable(c.ID, l) +
		" ORDER BY _number"
	return func(yield func(dictionary.Entry, error) bool) {
		path := make([]cube.Value, n)
		for row, err := range t.ask(ctx, SQL{Text: text}) {
			if err != nil {
				yield(dictionary.Entry{}, err)
				return
			}
			for i := range path {
				path[i] = value(row[i])
			}
			rank, _ := value(row[n+1]).Int()
			if !yield(dictionary.Entry{Path: path, Label: row[n].(string), Rank: rank, Rows: row[n+2].(int64), First: value(row[n+3]), Last: value(row[n+4])}, nil) {
				return
			}
		}
	}
}

// Labels implements dictionary.Tables.
func (t tables) Labels(ctx context.Context, c *cube.Cube, l cube.Level) iter.Seq2[dictionary.LabelEntry, error] {
	cell := "label"
	if c.LabelHistory.IsYearly(l.Ref) {
		cell = "_cell"
	}
	text := "SELECT CAST(_number AS bigint), _year, label, _rank, _meaning, CASE WHEN _shown THEN 1 ELSE 0 END, " + cell + ", rows FROM " + LabelTable(c.ID, l)
	return func(yield func(dictionary.LabelEntry, error) bool) {
		for row, err := range t.ask(ctx, SQL{Text: text}) {
			if err != nil {
				yield(dictionary.LabelEntry{}, err)
				return
			}
			rank, _ := value(row[3]).Int()
			shown, _ := value(row[5]).Int()
			e := dictionary.LabelEntry{Number: int32(row[0].(int64)), Year: value(row[1]), Text: row[2].(string), Rank: rank,
				Meaning: row[4].(int64), Shown: shown == 1, Cell: row[6].(string), Rows: row[7].(int64)}
			if !yield(e, nil) {
				return
			}
		}
	}
}
