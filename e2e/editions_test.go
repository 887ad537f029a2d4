package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/store/storetest"
)

// The functions of Mexico are numbered anew in 2012, as the overlay says: 2/3 was Urbanización and is Salud, which was 2/1. The
// amounts of each code are added up from the files, apart for each year.
func TestRealData_FunctionsOfMexicoAreApart(t *testing.T) {
	t.Parallel()
	folder := storetest.JoinedMexico(t)
	want := map[string]decimal.NullDecimal{} // by year, group and function
	eachRow(t, os.DirFS(folder), func(_ string, _ int, cell func(string) string) {
		key := cell("CICLO") + " " + cell("GPO_FUNCIONAL") + "/" + cell("ID_FUNCION")
		want[key] = plus(want[key], amountOf(t, cell("MONTO_APROBADO")))
	})
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		defer s.stop(t)
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
		s.comparesNoFunctionsOfOtherEditions(t)
	})
}

// namesFunctionsByEdition checks that members, trees, searches, citations and the report tell the editions apart.
func (s *service) namesFunctionsByEdition(t *testing.T) {
	t.Helper()
	var members struct {
		Members []struct{ Path, Label string }
	}
	s.read(t, "/cubes/mexico/members/ID_FUNCION?pagesize=100&parent=2", &members)
	var tree struct {
		Nodes []struct{ Path, Label string }
	}
	s.read(t, "/cubes/mexico/tree/functional-classification?path=2&aggregates=_count", &tree)
	names := map[string]string{}
	for _, m := range members.Members {
		names["member "+m.Path] = m.Label
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
	} {
		if names[name] != want {
			t.Errorf("%s is called %q, want %q", name, names[name], want)
		}
	}
	text := s.cite(t, "mexico", "cut=functional-classification:2/3@2012&aggregates=MONTO_APROBADO.sum").Text
	if !strings.Contains(text, "Salud (2/3@2012)") {
		t.Errorf("the citation is %s", text)
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

func (s *service) comparesNoFunctionsOfOtherEditions(t *testing.T) {
	t.Helper()
	for _, question := range []string{"drilldown=CICLO|ID_FUNCION&cut=CICLO:2017", "cut=CICLO:2017|ID_FUNCION:3", "cut=CICLO:2017|functional-classification:2/3@2012"} {
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
