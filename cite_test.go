package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type citation struct {
	Text, Link string
	Resources  []struct{ Name, Path, Hash string }
}

func (s *service) cite(t testing.TB, question string) citation {
	t.Helper()
	var answer struct{ Citation citation }
	s.read(t, "/cubes/hand/aggregate?cite=1&"+question, &answer)
	return answer.Citation
}

func TestACitationSaysWhatTheNumberIs(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := handService(t, db)
		source := "A budget added up by hand (Ministry of Sums), version 1, loaded " + time.Now().UTC().Format("2006-01-02") + ". "
		fuente := strings.NewReplacer("version", "versión", "loaded", "cargada el").Replace(source)
		for _, tt := range []struct{ name, question, want string }{
			{"everything", "aggregates=approved.sum", "approved: 195.00 EUR (all rows). Source: " + source},
			{"members by their labels of the year", "aggregates=approved.sum&cut=year:2021|area:1;2",
				"approved: 100.00 EUR (area Health (1) or Roads (2); year 2021). Source: " + source},
			{"in Spanish", "aggregates=approved.avg&cut=area:2&lang=es",
				"promedio de approved: 40.000000 EUR (area Roads (2)). Fuente: " + fuente},
			{"a formula", "aggregates=ratio(executed.sum,approved.sum)&cut=!area:1",
				"executed / approved: 0.20000000 (not area Health and care (1)). Source: " + source},
			{"a range", "aggregates=executed.sum&cut=year:2022..", "executed: 44.00 EUR (year from 2022). Source: " + source},
			{"nothing", "aggregates=executed.sum&cut=year:1999", "executed: no amount (year 1999). Source: " + source},
			{"what having keeps", "drilldown=area&cut=year:2021&having=approved.sum>50&aggregates=approved.sum",
				"approved: 60.00 EUR (year 2021; only area with approved.sum>50). Source: " + source},
			{"a comparison", "cut=year:2022&aggregates=approved.sum&compare=year:-1",
				"approved: 95.00 EUR; approved at year -1: 100.00 EUR; change of approved from year -1: -5.00 EUR; " +
					"change of approved from year -1 in %: -5.00000000 (year 2022). Source: " + source},
			{"rows beside amounts", "aggregates=_count|approved.sum&cut=area:3", "rows: 1; approved: 5.00 EUR (area Parks (3)). Source: " + source},
			{"rows alone", "aggregates=_count&cut=unit:", "rows: 1 (unit not stated). Source: " + source},
		} {
			t.Run(tt.name, func(t *testing.T) {
				c := s.cite(t, tt.question)
				if want := tt.want + c.Link; c.Text != want {
					t.Errorf("got  %s\nwant %s", c.Text, want)
				}
			})
		}
	})
}

// The link of a citation keeps giving its number, also when another version is served.
func TestTheLinkOfACitationKeepsItsNumber(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := handFolder(t)
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		question := "aggregates=approved.sum&cut=" + url.QueryEscape(`area:1|unit:01`)
		link := s.cite(t, question).Link
		write(filepath.Join(folder, "late.csv"), []byte(handLate+"2022,1,Health and care,01,Hospitals,z,1000.00,\r\n"))
		must(t, "load", folder, "--db", db)
		s.servesWithin(t, patience, "hand", 2)
		var pinned answer
		s.read(t, strings.TrimPrefix(link, s.url), &pinned)
		if served := s.ask(t, "hand", question); fmt.Sprint(pinned.Summary, served.Summary) !=
			"map[approved.sum:140.00] map[approved.sum:1140.00]" {
			t.Errorf("the link gives %v, the served version %v", pinned.Summary, served.Summary)
		}
	})
}

func TestACitationNamesTheFilesItRestsOn(t *testing.T) {
	s := handService(t, freshDuckDB(t))
	for question, want := range map[string]string{
		"": "early late", "cut=year:2021": "early", "cut=area:3": "late", "cut=area:9": "",
		"cut=year:2022&compare=year:-1": "early late",
	} {
		var names []string
		for _, r := range s.cite(t, question).Resources {
			names = append(names, r.Name)
			if len(r.Hash) != 64 || r.Path != r.Name+".csv" {
				t.Errorf("%s: %+v", question, r)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: rests on %q, want %q", question, got, want)
		}
	}
}

func TestALanguageThatCitationsHaveNot(t *testing.T) {
	s := handService(t, freshDuckDB(t))
	status, body := s.get(t, "/cubes/hand/aggregate?lang=tlh")
	if status != http.StatusBadRequest || !strings.Contains(string(body), "the languages are en and es") {
		t.Errorf("%d %s", status, body)
	}
}

func TestAnExplanationTellsThePlanAndWhatItMatched(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := handService(t, db)
		var x struct {
			Plan       string
			Statements []struct {
				Purpose, SQL string
				Args         []any
			}
			Cuts []struct {
				Cut           string
				Members, Rows int
			}
			Rows, Cells int
			Timings     map[string]json.Number
		}
		s.read(t, "/cubes/hand/explain?drilldown=area&cut=year:2022|unit:01&aggregates=approved.sum&compare=year:-1", &x)
		if want := `drilldown=area&cut=unit:"01"|year:2022&aggregates=approved.sum&order=area:asc&compare=year:-1&page=1&pagesize=100`; x.Plan != want {
			t.Errorf("the plan is %s\nwant %s", x.Plan, want)
		}
		if len(x.Statements) != 2 || x.Statements[0].Purpose != "answer" || x.Statements[1].Purpose != "earlier" ||
			!strings.Contains(x.Statements[0].SQL, `f."area"`) || len(x.Statements[0].Args) == 0 {
			t.Errorf("the statements are %+v", x.Statements)
		}
		if len(x.Cuts) != 2 || x.Cuts[0].Members != 3 || x.Cuts[0].Rows != 5 || x.Cuts[1].Rows != 2 || x.Rows != 2 || x.Cells != 3 {
			t.Errorf("matched %+v: %d rows, %d cells", x.Cuts, x.Rows, x.Cells)
		}
		if _, timed := x.Timings["store"]; !timed {
			t.Errorf("the timings are %v", x.Timings)
		}
	})
}
