package storetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"fiscube/cube"
)

// randomMembers compares the answers to made-up queries for members.
func (e *examination) randomMembers() {
	failed, compared, n := 0, 0, e.howMany()/2
	for i := range n {
		q := newQuestioner(e.version, e.oracle, i)
		level, given := q.memberQuery()
		rows, err := e.compareMembers(level, given)
		compared += rows
		if err != nil {
			failed++
			e.Errorf("query %d: %s %v\n%v", i, level, given, err)
		}
		if failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	if compared == 0 {
		e.Error("no query has a member")
	}
	e.Logf("%d queries with %d members", n, compared)
}

func (e *examination) compareMembers(level string, given map[string]string) (int, error) {
	query, err := cube.ParseMembers(level, given)
	if err != nil {
		return 0, err
	}
	plan, err := e.version.BindMembers(query)
	if err != nil {
		return 0, err
	}
	got, count, err := e.membersOf(plan)
	if err != nil {
		return 0, err
	}
	want := e.oracle.members(plan)
	if count != int64(len(want)) {
		return 0, fmt.Errorf("%d members, want %d", count, len(want))
	}
	first := min((plan.Page().Number-1)*plan.Page().Size, len(want))
	want = want[first:min(first+plan.Page().Size, len(want))]
	if len(got) != len(want) {
		return 0, fmt.Errorf("the page has %d members, want %d", len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			return 0, fmt.Errorf("member %d: got %+v\nwant %+v", i, got[i], want[i])
		}
	}
	return len(got), nil
}

// membersOf asks the store for members and their number.
func (s *subject) membersOf(plan *cube.MemberPlan) (rows []cube.MemberRow, count int64, err error) {
	first := true
	for row, err := range cube.NewEngine(s.Store).Members(s.Context(), plan) {
		switch {
		case err != nil:
			return nil, 0, err
		case first:
			count, first = row.Count, false
		default:
			rows = append(rows, row)
		}
	}
	if first {
		return nil, 0, fmt.Errorf("not even the number of members")
	}
	return rows, count, nil
}

// memberQuery makes up a query for members.
func (q *questioner) memberQuery() (name string, given map[string]string) {
	level, given := pick(q, q.version.Model.Levels()), map[string]string{}
	name = pick(q, []string{level.Ref, level.Dimension + "." + level.Ref})
	if level.LabelRef != "" && q.chance(30) {
		name = level.LabelRef
	}
	orders := []string{"key", "rows", "rows:desc", "key:desc", "rows:asc", "label", "label:desc", "label:asc"}
	if !level.Listed {
		orders = orders[:5]
	}
	if part := q.part(level); part != "" && q.chance(40) {
		given["q"] = part
	}
	if cuts := q.times(0, 2, q.cut); len(cuts) > 0 && q.chance(60) {
		given["cut"] = strings.Join(cuts, "|")
	}
	if path := level.Path; len(path) > 1 && q.chance(40) {
		given["parent"] = q.path(path[:len(path)-1])
	}
	if q.chance(70) {
		given["order"] = pick(q, orders)
	}
	if q.chance(60) {
		given["pagesize"] = pick(q, []string{"0", "1", "3", "10000"})
		given["page"] = pick(q, slices.Repeat([]string{"1", "2"}, 2))
	}
	return name, given
}
