package storetest

import (
	"fmt"
	"strings"

	"fiscube/cube"
)

// memberTests list members. The oracle knows them too; here the answers are worked out by hand.
var memberTests = []test{
	{"members with what they were called", testMembers},
	{"members that have facts under a cut", testMembersUnderCuts},
	{"members of statements of the same money", testMembersOnce},
	{"pages of members", testMemberPages},
}

// listing is a query for members with the answer as listed gives it.
type listing struct{ level, asked, want string }

func (s *subject) lists(version *cube.Cube, all []listing) {
	s.Helper()
	for _, l := range all {
		given := map[string]string{}
		for clause := range strings.SplitSeq(l.asked, "&") {
			if name, text, ok := strings.Cut(clause, "="); ok {
				given[name] = text
			}
		}
		query, err := cube.ParseMembers(l.level, given)
		if err != nil {
			s.Fatalf("%s?%s: %v", l.level, l.asked, err)
		}
		plan, err := version.BindMembers(query)
		if err != nil {
			s.Fatalf("%s?%s: %v", l.level, l.asked, err)
		}
		rows, count, err := s.membersOf(plan)
		if err != nil {
			s.Fatalf("%s?%s: %v", l.level, l.asked, err)
		}
		if got := listedMembers(rows, count); got != l.want {
			s.Errorf("%s?%s\ngot  %s\nwant %s", l.level, l.asked, got, l.want)
		}
	}
}

// listedMembers writes members as path, label and rows, then their number: 7/1 Front 2, 8/1 Front 2 (2).
func listedMembers(rows []cube.MemberRow, count int64) string {
	var list []string
	for _, row := range rows {
		list = append(list, fmt.Sprintf("%s %s %d", strings.Join(texts(row.Path), "/"), row.Label, row.Rows))
	}
	return fmt.Sprintf("%s (%d)", strings.Join(list, ", "), count)
}

func testMembers(s *subject) {
	version := s.load(renamed(true)).Cube
	s.lists(version, []listing{
		{"office", "", "7 Luz 3, 8 Água 3,  Sem órgão 2 (3)"},
		{"office_name", "order=label", "8 Água 3, 7 Luz 3,  Sem órgão 2 (3)"},
		{"offices.office", "order=label:desc", " Sem órgão 2, 7 Luz 3, 8 Água 3 (3)"},
		{"office", "order=key:desc", "8 Água 3, 7 Luz 3,  Sem órgão 2 (3)"},
		{"office", "order=rows", " Sem órgão 2, 7 Luz 3, 8 Água 3 (3)"},
		{"office", "q=AGUA", "7 Luz 3, 8 Água 3 (2)"},
		{"office", "q=fogo&order=rows:desc", "8 Água 3 (1)"},
		{"desk", "", "7/1 Front 2, 7/2 2 1, 8/1 Front 2, 8/  1, /1 Loose 1, /  1 (6)"},
		{"desk", "parent=7", "7/1 Front 2, 7/2 2 1 (2)"},
		{"desk", "parent=", "/1 Loose 1, /  1 (2)"},
		{"desk", "parent=9", " (0)"},
		{"desk", "q=front&parent=8", "8/1 Front 2 (1)"},
		{"desk", "order=key&pagesize=3", "7/1 Front 2, 8/1 Front 2, /1 Loose 1 (6)"},
		{"line", "order=rows:desc&pagesize=2", "a A  2, b B 1 (7)"},
	})
	query, _ := cube.ParseMembers("office", map[string]string{"q": "luz"})
	plan, err := version.BindMembers(query)
	if err != nil {
		s.Fatal(err)
	}
	rows, _, err := s.membersOf(plan)
	got := fmt.Sprintf("%v %v", rows, err)
	if want := "[{[7] Luz [{Luz [2017]} {ÁGUA e luz [2016]} {Água [2015]}] 2015 2017 3 0}] <nil>"; got != want {
		s.Errorf("got  %s\nwant %s", got, want)
	}
}

// Under a cut the names shown are of the years that it admits, and rows are counted under it.
func testMembersUnderCuts(s *subject) {
	version := s.load(renamed(true)).Cube
	s.lists(version, []listing{
		{"office", "cut=year:2015", "7 Água 1, 8 Fogo 1,   1 (3)"},
		{"office", "cut=year:2015&order=label", "7 Água 1, 8 Fogo 1,   1 (3)"},
		{"office", "cut=year:2015&order=label&q=luz", "7 Água 1 (1)"},
		{"office", "cut=year:..2016", "7 ÁGUA e luz 2, 8 Água 2,  Sem órgão 2 (3)"},
		{"office", "cut=desk_name:Front", "7 Luz 2, 8 Água 2 (2)"},
		{"desk", "cut=!office_name:Água", "/1 Loose 1, /  1 (2)"},
		{"desk", "cut=year:2015&parent=", "/1 Loose 1 (1)"},
		{"line", "cut=office:8", "b B 1, d B 1, g G 1 (3)"},
		{"year", "cut=office:7|desk:2", "2017 2017 1 (1)"},
		{"year", "cut=office:99", " (0)"},
	})
}

// Members of D5's kind have the rows of the last statements, unless they are the statements themselves.
func testMembersOnce(s *subject) {
	version := s.load(yearToDate()).Cube
	s.lists(version, []listing{
		{"unit", "", "a a 2, b b 1 (2)"},
		{"unit", "cut=month:..06", "a a 2, b b 2 (2)"},
		{"unit", "cut=year:2017", "a a 1 (1)"},
		{"year", "", "2017 2017 1, 2018 2018 2 (2)"},
		{"month", "cut=year:2018&pagesize=2", "2018/01 01 2, 2018/02 02 2 (6)"},
	})
}

func testMemberPages(s *subject) {
	version := s.load(renamed(true)).Cube
	s.lists(version, []listing{
		{"desk", "pagesize=2&page=3", "/1 Loose 1, /  1 (6)"},
		{"desk", "pagesize=2&page=4", " (6)"},
		{"desk", "pagesize=0", " (6)"},
		{"desk", "pagesize=4&page=2&order=rows:desc", "/1 Loose 1, /  1 (6)"},
	})
}
