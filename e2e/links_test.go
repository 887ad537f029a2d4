package e2e

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"
)

// Whoever follows the links of every cell, down to the leaves, meets every row of the package.
func TestLinksLeadDownToEveryRow(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serve(t, db, "--seed")
		for cube, dimension := range map[string]string{
			"example-croatia": "administrative-classification", "example-mexico": "administrative-classification",
		} {
			rows := s.ask(t, cube, "aggregates=_count&snapshots=all").Summary["_count"]
			if got := s.follow(t, cube, dimension, ""); fmt.Sprint(got) != fmt.Sprint(rows) {
				t.Errorf("%s: %d rows are under the links of %s, %v in all", cube, got, dimension, rows)
			}
		}
	})
}

// follow counts the rows of the leaves below a cut.
func (s *service) follow(t testing.TB, cube, drilldown, cut string) int64 {
	t.Helper()
	question := "links=1&aggregates=_count&pagesize=10000&drilldown=" + url.QueryEscape(drilldown)
	if cut != "" {
		question += "&cut=" + url.QueryEscape(cut)
	}
	var rows int64
	for _, cell := range s.ask(t, cube, question).Cells {
		if below, ok := cell["_drilldown"].(string); ok {
			rows += s.follow(t, cube, below, cell["_cut"].(string))
			continue
		}
		count, _ := cell["_count"].(json.Number).Int64()
		rows += count
	}
	return rows
}

func TestLinksKeepWhatWasAsked(t *testing.T) {
	s := handService(t, freshDuckDB(t))
	for _, tt := range []struct{ name, question, cut, below string }{
		{"a cut on another dimension stays", "drilldown=area&cut=year:2021", `year:2021|area:"1"`, "unit"},
		{"a cut that the key settles goes", "drilldown=area&cut=area:1;2", `area:"1"`, "unit"},
		{"one that asks more than the key stays", "drilldown=area&cut=entity:1/01;2", `entity:"1"/"01";"2"|area:"1"`, "unit"},
		{"ancestors are named", "drilldown=unit", `area:"1"|unit:"01"`, "item"},
		{"a leaf has nothing below", "drilldown=item", `area:"1"|unit:"01"|item:"a"`, ""},
		{"missing is an empty value", "drilldown=unit&cut=unit:", `area:"1"|unit:""`, "item"},
		{"a subtotal has the cut of its own keys", "drilldown=area|unit&rollup=1", `area:"1"`, "unit"},
		{"an axis has no parent", "drilldown=year", "year:2021", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cell := s.ask(t, "hand", "links=1&"+tt.question).Cells[0]
			below, _ := cell["_drilldown"].(string)
			if cell["_cut"] != tt.cut || below != tt.below {
				t.Errorf("cut %v below %q, want %s below %q", cell["_cut"], below, tt.cut, tt.below)
			}
		})
	}
}
