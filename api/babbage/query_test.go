package babbage_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"fiscube/api/babbage"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/golden"
)

// Each question of testdata/queries.txt means what the clauses of our own grammar mean that stand below it.
func TestQuery(t *testing.T) {
	odd, err := cube.NewModel([]cube.Column{
		{Name: "book", Type: cube.TypeInteger}, {Name: "book_number", Type: cube.TypeInteger},
		{Name: "part", Type: cube.TypeInteger}, {Name: "e@mail", Type: cube.TypeText}, {Name: "paid", Type: cube.TypeDecimal},
	}, []cube.Dimension{
		{Name: "ledger", Levels: []cube.Level{{Ref: "book", LabelRef: "book_number"}}},
		{Name: "place", Levels: []cube.Level{{Ref: "part", Within: []string{"book"}}}},
		{Name: "sender", Levels: []cube.Level{{Ref: "e@mail"}}},
	}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	names := babbage.NewNames(budget(t).Model)
	golden.Answers(t, "testdata/queries.txt", func(line string) string {
		given := map[string]string{}
		for part := range strings.SplitSeq(line, "&") {
			parameter, text, _ := strings.Cut(part, "=")
			given[parameter] = text
		}
		switch {
		case given["members"] != "":
			given["cut"] = "Year.Year:2016"
			return questionText(names.Members(given["members"], given))
		case given["cuts"] != "":
			return cutText(names.Cuts(given["cuts"]))
		case given["odd"] != "":
			return cutText(babbage.NewNames(odd).Cuts(given["odd"]))
		}
		return questionText(names.Query(given))
	})
}

// questionText writes a question, what its columns are called if not as in our model, and what it asks to sort by it.
func questionText(q babbage.Question, err error) string {
	if err != nil {
		return refusedText(err)
	}
	text := q.String()
	if q.Flat {
		text += ", flat"
	}
	if len(q.Aliases) > 0 {
		text += "\ncalled " + strings.Join(slices.Sorted(maps.Values(q.Aliases)), " ")
	}
	if q.Unasked > 0 {
		text += fmt.Sprintf("\n%d not asked", q.Unasked)
	}
	return text
}

func cutText(list []query.Cut, err error) string {
	if err != nil {
		return refusedText(err)
	}
	return (query.Query{Cuts: list, Page: query.Every}).String()
}

// refusedText writes a mistake, and the names that are allowed instead.
func refusedText(err error) string {
	text := fmt.Sprintf("%s: %v", cube.CodeOf(err), err)
	var refused *reply.Refused
	if errors.As(err, &refused) {
		text += "\nallowed are " + strings.Join(refused.Allowed, ", ")
	}
	return text
}

func TestPage(t *testing.T) {
	for _, tt := range []struct {
		page, size string
		want       query.Page
	}{
		{"", "", query.Page{Number: 1, Size: 100}},
		{"3", "30", query.Page{Number: 3, Size: 30}},
		{"0", "0", query.Page{Number: 1, Size: 0}},
		{"-7", "-1", query.Page{Number: 1, Size: 0}},
		{"x", "x", query.Page{Number: 1, Size: 100}},
		{"2.5", "10001", query.Page{Number: 1, Size: 10000}},
		{"99999999999", "", query.Page{Number: 1 << 30, Size: 100}},
	} {
		if got := babbage.Page(tt.page, tt.size); got != tt.want {
			t.Errorf("page %q of %q: %v, want %v", tt.page, tt.size, got, tt.want)
		}
	}
}

func TestFactQuery(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	all := []string{
		"Year.Year", "A_o__fiscal.A_o__fiscal", "admin1_code.admin1_code", "admin1_code.admin1_label", "admin2_code.admin2_code",
		"top.top", "left.left", "right_hand_2.right_hand_2", "right_hand.right_hand", "line.line", "line.line_text",
		"approved", "executed__cash",
	}
	for _, tt := range []struct {
		fields        map[string]string
		want, columns []string
	}{
		{nil, all, all},
		{map[string]string{"fields": "Year.Year, admin1_code,approved"},
			[]string{"Year.Year", "admin1_code.admin1_code", "admin1_code.admin1_label", "approved"},
			[]string{"Year.Year", "admin1_code.admin1_code", "admin1_code.admin1_label", "approved"}},
		{map[string]string{"fields": "administrative_classification@administrative_classification:admin1_code,approved"},
			[]string{"admin1_code.admin1_code", "admin1_code.admin1_label", "approved"},
			[]string{"admin1_code.admin1_code", "admin1_code.admin1_label", "approved"}},
		{map[string]string{"fields": "administrative_classification.admin1_code"}, []string{"admin1_code.admin1_code"},
			[]string{"administrative_classification.admin1_code"}},
	} {
		q, err := names.Facts(tt.fields)
		if err != nil || !slices.Equal(q.Fields, tt.want) || !slices.Equal(q.Columns, tt.columns) {
			t.Errorf("%v: %v\nfields  %v\ncolumns %v", tt.fields, err, q.Fields, q.Columns)
		}
	}
	if _, err := names.Facts(map[string]string{"fields": "Year.Year,approved.sum"}); cube.CodeOf(err) != cube.CodeUnknownRef {
		t.Errorf("an aggregate: %v", err)
	}
}

// What a cut becomes can be asked in our own grammar, whatever was written.
func FuzzCuts(f *testing.F) {
	for _, text := range []string{
		"Year:2016-2017;__null__", `administrative_classification:01/__null__/"x"`, `!ways@ways_2:right_hand_2:"a|b"`,
		"admin1_code.admin1_label@administrative_classification:~x", " top @ ways : left : 1..2", `top:"\\"/"`, "@:@:@",
	} {
		f.Add(text)
	}
	names := babbage.NewNames(budget(f).Model)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := names.Cuts(text)
		if err != nil {
			return
		}
		printed := (query.Query{Cuts: list, Page: query.Every}).String()
		again, err := query.ParseCut(strings.TrimPrefix(printed, "cut="))
		if err != nil || (query.Query{Cuts: again, Page: query.Every}).String() != printed {
			t.Errorf("%q: %s, %v", text, printed, err)
		}
	})
}
