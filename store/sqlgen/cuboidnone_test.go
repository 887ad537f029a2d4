package sqlgen_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/sqlgen"
)

// A cut that matches nothing is known by the members in memory: neither facts nor cuboids are asked. What may have been meant is
// looked up in the tables of members.
func TestReader_AsksNothingForACutThatMatchesNothing(t *testing.T) {
	version := testCube(t)
	addCuboids(version)
	for _, cut := range []string{"admin1_code:3", "admin1_code:1|admin1_code:3", "Year:2014", `admin1_label:"no such"`, `admin2_label:~"no such"`} {
		cuts, err := query.ParseCut(cut)
		if err != nil {
			t.Fatal(err)
		}
		for name, ask := range map[string]func(s answer.Store) (int64, error){
			"aggregate": func(s answer.Store) (int64, error) {
				p, err := plan.Bind(version, query.Query{Cuts: cuts, Drilldown: []query.Ref{{Name: "Year"}}, Page: query.Page{Number: 1, Size: 100}})
				if err != nil {
					return 0, err
				}
				a, err := answer.Run(t.Context(), s, p, cube.English)
				if err != nil {
					return 0, err
				}
				return a.Summary.Count, nil
			},
			"flat": func(s answer.Store) (int64, error) {
				p, err := plan.Bind(version, query.Query{Flat: true, Cuts: cuts, Drilldown: []query.Ref{{Name: "admin2_code", Dimension: "administrative"}},
					Page: query.Page{Number: 1, Size: 100}})
				if err != nil {
					return 0, err
				}
				a, err := answer.Run(t.Context(), s, p, cube.English)
				if err != nil {
					return 0, err
				}
				return a.Summary.Count, nil
			},
			"facts": func(s answer.Store) (int64, error) {
				p, err := plan.BindFacts(version, query.FactQuery{Cuts: cuts, Size: 100})
				if err != nil {
					return 0, err
				}
				page, err := answer.Facts(t.Context(), s, p, cube.English)
				if err != nil {
					return 0, err
				}
				return page.Total, nil
			},
			"members": func(s answer.Store) (int64, error) {
				p, err := plan.BindMembers(version, query.MemberQuery{Level: "admin2_code", Cuts: cuts, Page: query.Page{Number: 1, Size: 100}})
				if err != nil {
					return 0, err
				}
				page, err := answer.Members(t.Context(), s, p, cube.English)
				if err != nil {
					return 0, err
				}
				defer page.Close()
				return page.Count, nil
			},
		} {
			var asked []string
			members := memberTables(t, version)
			reader := sqlgen.NewReader(func(ctx context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
				switch {
				case strings.Contains(s.Text, sqlgen.FactTable(version.ID)) || strings.Contains(s.Text, "cuboid."):
					asked = append(asked, s.Text)
				case strings.HasPrefix(s.Text, "SELECT p0, ") || strings.HasPrefix(s.Text, "SELECT CAST(_number AS bigint), "):
					return members(ctx, s)
				}
				return func(func([]any, error) bool) {}
			})
			n, err := ask(reader)
			if err != nil || n != 0 || len(asked) > 0 {
				t.Errorf("%s of %s: %d, %v, asked\n%s", name, cut, n, err, strings.Join(asked, "\n"))
			}
		}
	}
}

// Members that exist are found in memory, by the key of a level or by a path. Those that do not, and labels, are looked up.
func TestReader_FindsMembersInMemory(t *testing.T) {
	version := testCube(t)
	addCuboids(version)
	for cut, want := range map[string]int{
		"admin1_code:1;2": 0, "administrative:1/1": 0, "admin1_code:1;3": 1, "Year:2014": 1, `admin1_label:"no such"`: 1,
	} {
		cuts, err := query.ParseCut(cut)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Bind(version, query.Query{Cuts: cuts, Page: query.Page{Number: 1, Size: 100}})
		if err != nil {
			t.Fatal(err)
		}
		asked, members := 0, memberTables(t, version)
		reader := sqlgen.NewReader(func(ctx context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
			if strings.HasPrefix(s.Text, "SELECT w.i ") {
				asked++
				return func(func([]any, error) bool) {}
			}
			return members(ctx, s)
		})
		unknown, err := reader.Unknown(t.Context(), version, p.MembersNamed(p.FiltersAsked()[0]), 0)
		if err != nil || len(unknown) != want || asked != want {
			t.Errorf("%s: %d members do not exist, %v, want %d; %d were looked up", cut, len(unknown), err, want, asked)
		}
	}
}
