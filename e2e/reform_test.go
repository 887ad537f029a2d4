package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/store/storetest"
)

// The functions of the package are numbered anew in 2017: the report and validate say so, and the model lists which.
func TestReform_IsReportedAndInTheModel(t *testing.T) {
	folder := t.TempDir()
	check(os.CopyFS(folder, storetest.Reform()))
	const reused = `1: "Health" (2011), "Environment" (2017)`
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		if printed := must(t, "validate", folder); !strings.Contains(printed, "code-reused") || !strings.Contains(printed, reused) {
			t.Errorf("validate says\n%s", printed)
		}
		s := serve(t, db)
		defer s.stop(t)
		var report struct {
			Findings []struct {
				Code, Severity, Field string
				Count                 int
				Places                []struct{ Cell string }
			}
		}
		s.read(t, "/cubes/reform/report", &report)
		var found []string
		for _, f := range report.Findings {
			found = append(found, fmt.Sprint(f.Code, " ", f.Severity, " ", f.Field, " ", f.Count, " ", f.Places[0].Cell))
		}
		if want := []string{
			"level-renumbered warning function 1 2017: 3 of 3 members", `code-reused warning function 3 2/` + reused,
		}; !slices.Equal(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
		var model struct {
			Levels []struct {
				Ref        string
				Renumbered []int
				Breaks     []struct {
					Path          []string
					Reused        bool
					Before, After string
					Last, First   int
				}
			}
		}
		s.read(t, "/cubes/reform/model", &model)
		want := "{function [2017] [{[2 1] true Health Environment 2011 2017} {[2 2] true Sport Pensions 2011 2017} {[2 3] true Housing Health 2011 2017}]}"
		if got := fmt.Sprint(model.Levels[2]); got != want {
			t.Errorf("the level is %s, want %s", got, want)
		}
	})
}

// joinedMexico serves years of the real budget of Mexico between which the functions are numbered anew.
var joinedMexico = &shared{load: func(t testing.TB) []string { return []string{joinedFolder(t)} }}

// joinedFolder gives the folder of the package that joinedMexico serves.
func joinedFolder(t testing.TB) string {
	testrequire.Long(t)
	t.Helper()
	realPackages.mu.Lock()
	defer realPackages.mu.Unlock()
	const name = "joined Mexico"
	if realPackages.folders[name] == "" {
		realPackages.folders[name] = storetest.JoinedMexico(lasting{t})
	}
	return realPackages.folders[name]
}

// The functions of Mexico are numbered anew in 2012, as the overlay says: 2/3 was Urbanización and is Salud, which was 2/1. The
// amounts of each code are added up from the files, apart for each year.
func TestRealData_FunctionsOfMexicoAreApart(t *testing.T) {
	t.Parallel()
	folder := joinedFolder(t)
	want := map[string]decimal.NullDecimal{} // by year, group and function
	eachRow(t, os.DirFS(folder), func(_ string, _ int, cell func(string) string) {
		key := cell("CICLO") + " " + cell("GPO_FUNCIONAL") + "/" + cell("ID_FUNCION")
		want[key] = plus(want[key], amountOf(t, cell("MONTO_APROBADO")))
	})
	joinedMexico.onEveryStore(t, func(t *testing.T, s *service) {
		const amount = "aggregates=MONTO_APROBADO.sum"
		cells := s.ask(t, "mexico", "drilldown=CICLO|ID_FUNCION&pagesize=1000&"+amount).Cells
		for _, cell := range cells {
			year := fmt.Sprint(cell["CICLO"])
			key := fmt.Sprint(year, " ", cell["GPO_FUNCIONAL"], "/", cell["ID_FUNCION"])
			edition := map[string]string{"2008": "2008", "2010": "2008", "2017": "2012"}[year]
			if !equal(cell["MONTO_APROBADO.sum"], want[key]) || fmt.Sprint(cell["ID_FUNCION_edition"]) != edition {
				t.Errorf("%s is %v, want %s of the edition %s", key, cell, show(want[key]), edition)
			}
		}
		if len(cells) != len(want) {
			t.Errorf("%d cells, want %d", len(cells), len(want))
		}
		urban := plus(want["2008 2/3"], want["2010 2/3"])
		for cut, sum := range map[string]decimal.NullDecimal{
			"functional-classification:2/3@2012":                   want["2017 2/3"],
			"functional-classification:2/3@2008":                   urban,
			"functional-classification:2/3":                        plus(urban, want["2017 2/3"]),
			"GPO_FUNCIONAL:2|ID_FUNCION:3@2012;1@2008":             plus(want["2017 2/3"], plus(want["2008 2/1"], want["2010 2/1"])),
			"GPO_FUNCIONAL:2|ID_FUNCION:3|ID_FUNCION_edition:2012": want["2017 2/3"],
		} {
			if got := s.ask(t, "mexico", amount+"&cut="+cut).Summary["MONTO_APROBADO.sum"]; !equal(got, sum) {
				t.Errorf("%s: %v, want %s", cut, got, show(sum))
			}
		}
		s.namesFunctionsByEdition(t)
		s.comparesTheSameFunctions(t, want)
		s.comparesNoFunctionsOfOtherEditions(t)
	})
}

// namesFunctionsByEdition checks that members, trees, searches, citations and the report tell the editions apart.
func (s *service) namesFunctionsByEdition(t *testing.T) {
	t.Helper()
	var members struct {
		Members []struct {
			Path, Label string
			SameAs      string `json:"same_as"`
		}
	}
	s.read(t, "/cubes/mexico/members/ID_FUNCION?pagesize=100&parent=2", &members)
	var tree struct {
		Nodes []struct{ Path, Label string }
	}
	s.read(t, "/cubes/mexico/tree/functional-classification?path=2&aggregates=_count", &tree)
	names := map[string]string{}
	for _, m := range members.Members {
		names["member "+m.Path], names["same as "+m.Path] = m.Label, m.SameAs
	}
	for _, n := range tree.Nodes {
		names["node "+n.Path] = n.Label
	}
	for _, h := range s.search(t, "salud", "&pagesize=100").Hits {
		if h.Level != nil && *h.Level == "ID_FUNCION" {
			names["hit "+*h.Path] = *h.Label
		}
	}
	for name, want := range map[string]string{
		"member 2/3@2012": "Salud", "member 2/3@2008": "Urbanización, Vivienda y Desarrollo Regional", "member 2/1@2012": "Protección Ambiental",
		"node 2/1@2008": "Salud", "node 2/3@2012": "Salud", "hit 2/1@2008": "Salud", "hit 2/3@2012": "Salud", "hit 2/3@2008": "",
		"same as 2/3@2012": "2/1@2008", "same as 2/1@2008": "", "same as 2/1@2012": "",
	} {
		if names[name] != want {
			t.Errorf("%s is called %q, want %q", name, names[name], want)
		}
	}
	for cut, want := range map[string]string{
		"functional-classification:2/3@2012":                      "Salud (2/3@2012); Year 2017)",
		"functional-classification:1/1@2008":                      "(1/1@2008); Year 2008 and 2010)",
		"functional-classification:1/1@2008|CICLO:2008;2010;2017": "(1/1@2008); Year 2008 and 2010)",
		"DESC_FUNCION:Soberanía":                                  "; Year 2008)",
	} {
		if text := s.cite(t, "mexico", "cut="+cut+"&aggregates=MONTO_APROBADO.sum").Text; !strings.Contains(text, want) {
			t.Errorf("%s: the citation has no %q: %s", cut, want, text)
		}
	}
	var report struct {
		Findings []struct {
			Code, Field string
			Places      []struct{ Cell string }
		}
	}
	s.read(t, "/cubes/mexico/report", &report)
	for _, f := range report.Findings {
		switch {
		case f.Code == "level-renumbered":
			t.Errorf("%s is found numbered anew: %v", f.Field, f.Places)
		case f.Code == "code-reused" && slices.Contains([]string{"ID_FUNCION", "ID_SUBFUNCION", "ID_TIPOGASTO"}, f.Field) && strings.Contains(fmt.Sprint(f.Places), "(2017)"):
			t.Errorf("%s means something else in 2017: %v", f.Field, f.Places)
		}
	}
}

// comparesTheSameFunctions checks that a function is compared with the one that it is the same as, by the overlay.
func (s *service) comparesTheSameFunctions(t *testing.T, want map[string]decimal.NullDecimal) {
	t.Helper()
	const compare = "&aggregates=MONTO_APROBADO.sum&compare=CICLO:-7"
	same := map[string]string{"2/3": "2/1", "2/5": "2/0", "1/1": "1/0", "1/4": "1/2", "3/7": "3/6"}
	drilled := s.ask(t, "mexico", "drilldown=ID_FUNCION&cut=CICLO:2017&pagesize=100"+compare)
	for _, cell := range drilled.Cells {
		path := fmt.Sprint(cell["GPO_FUNCIONAL"], "/", cell["ID_FUNCION"])
		earlier := want["2010 "+same[path]]
		if !equal(cell["MONTO_APROBADO.sum"], want["2017 "+path]) || !equal(cell["MONTO_APROBADO.sum.earlier"], earlier) || cell["_change"] != nil {
			t.Errorf("%s is %v, want %s, and %s before", path, cell, show(want["2017 "+path]), show(earlier))
		}
		delete(same, path)
	}
	if len(same) > 0 {
		t.Errorf("%v are not compared", same)
	}
	var total decimal.NullDecimal
	for key, amount := range want {
		if strings.HasPrefix(key, "2010 ") {
			total = plus(total, amount)
		}
	}
	if !equal(drilled.Summary["MONTO_APROBADO.sum.earlier"], total) {
		t.Errorf("all functions are compared with %v, want %s", drilled.Summary, show(total))
	}
	health := s.ask(t, "mexico", "cut=CICLO:2017|functional-classification:2/3"+compare)
	if !equal(health.Summary["MONTO_APROBADO.sum"], want["2017 2/3"]) || !equal(health.Summary["MONTO_APROBADO.sum.earlier"], want["2010 2/1"]) {
		t.Errorf("health is %v, want %s, and %s before", health.Summary, show(want["2017 2/3"]), show(want["2010 2/1"]))
	}
	var ofDrilled, ofHealth warned
	s.read(t, "/cubes/mexico/aggregate?drilldown=ID_FUNCION&cut=CICLO:2017&pagesize=100"+compare, &ofDrilled)
	s.read(t, "/cubes/mexico/aggregate?cut=CICLO:2017|functional-classification:2/3"+compare, &ofHealth)
	if text := ofDrilled.String(); !strings.Contains(text, `2/3@2012 "Salud" is compared with 2/1@2008 "Salud"`) {
		t.Errorf("the warnings are %s", text)
	}
	if text := ofHealth.String(); !strings.Contains(text, `2/3@2012 "Salud" is compared with 2/1@2008 "Salud"`) {
		t.Errorf("the warnings are %s", text)
	}
	var model struct {
		Levels []struct {
			Ref    string
			SameAs []struct {
				Path   string
				SameAs string `json:"same_as"`
			} `json:"same_as"`
		}
	}
	s.read(t, "/cubes/mexico/model", &model)
	if text := fmt.Sprint(model.Levels); !strings.Contains(text, "{ID_FUNCION [{2/3@2012 2/1@2008} ") {
		t.Errorf("the model is %s", text)
	}
}

func (s *service) comparesNoFunctionsOfOtherEditions(t *testing.T) {
	t.Helper()
	for _, question := range []string{"drilldown=ID_TIPOGASTO&cut=CICLO:2017", "drilldown=ID_SUBFUNCION&cut=CICLO:2017", "cut=CICLO:2017|ID_FUNCION:3",
		"cut=CICLO:2017|functional-classification:2/1@2012"} {
		for _, cell := range s.ask(t, "mexico", question+"&aggregates=MONTO_APROBADO.sum&compare=CICLO:-7").Cells {
			if cell["MONTO_APROBADO.sum.earlier"] != nil || cell["_change"] != nil {
				t.Errorf("%s: %v is compared with the other edition", question, cell)
			}
		}
	}
	groups := s.ask(t, "mexico", "drilldown=CICLO|GPO_FUNCIONAL&cut=CICLO:2017&aggregates=MONTO_APROBADO.sum&compare=CICLO:-7").Cells
	if len(groups) < 4 || groups[0]["MONTO_APROBADO.sum.earlier"] == nil {
		t.Errorf("the groups, which stayed, are not compared: %v", groups)
	}
}
