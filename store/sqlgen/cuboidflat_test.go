package sqlgen_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/sqlgen"
)

// Groups with the same key become one cell, whatever members they are of. If there are too many groups, the facts answer.
func TestReader_MakesFlatCellsOfFewGroups(t *testing.T) {
	for _, tt := range []struct {
		groups  int
		ofFacts bool
	}{{plan.MostRegrouped, false}, {plan.MostRegrouped + 1, true}} {
		version := testCube(t)
		addCuboids(version)
		p, err := plan.Bind(version, query.Query{Flat: true, Drilldown: []query.Ref{{Name: "admin2_code", Dimension: "administrative"}},
			Aggregates: []query.AggregateRef{{Func: "_count"}}, Page: query.Page{Number: 1, Size: 2}})
		if err != nil {
			t.Fatal(err)
		}
		ofFacts, members := false, memberTables(t, version)
		reader := sqlgen.NewReader(func(ctx context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
			switch {
			case strings.Contains(s.Text, sqlgen.FactTable(version.ID)):
				ofFacts = true
				return func(yield func([]any, error) bool) { yield([]any{int64(0), int64(0), nil, nil, nil}, nil) }
			case !strings.Contains(s.Text, "cuboid."):
				return members(ctx, s)
			}
			return func(yield func([]any, error) bool) {
				for i := range tt.groups { // of nine members with three keys
					if !yield([]any{int32(i % 9), int64(1), int64(1)}, nil) {
						return
					}
				}
			}
		})
		result, err := reader.Cells(t.Context(), p.Main())
		if err != nil {
			t.Fatal(err)
		}
		if ofFacts != tt.ofFacts {
			t.Errorf("%d groups: facts are asked: %v", tt.groups, ofFacts)
		}
		if ofFacts {
			continue
		}
		var keys []string
		for group, err := range result.Groups {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, group.Keys[0].String())
		}
		if result.Count != 3 || result.Total[0].Decimal.IntPart() != int64(tt.groups) || strings.Join(keys, " ") != "1 10" {
			t.Errorf("%d cells of %s rows, the page has %q", result.Count, result.Total[0].Decimal, keys)
		}
	}
}
