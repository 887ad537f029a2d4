package storetest

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/store/catalogue"
)

// checkHealth asks for the Mexican function Salud by its name: cuts, members and hits of a search go by the names of the years.
func checkHealth(t *testing.T, store catalogue.Store, version *cube.Cube, sums map[string]decimal.Decimal) {
	t.Helper()
	total := decimal.Zero
	for year, sum := range sums {
		total = total.Add(sum)
		if got := sumOf(t, store, version, "CICLO:"+year+"|DESC_FUNCION:Salud"); !got.Equal(sum) {
			t.Errorf("Salud was granted %s in %s, a cut on its name gives %s", sum, year, got)
		}
	}
	if got := sumOf(t, store, version, "DESC_FUNCION:Salud"); !got.Equal(total) {
		t.Errorf("Salud was granted %s in all years, a cut on its name gives %s", total, got)
	}
	q, err := query.ParseMembers("ID_FUNCION", map[string]string{"q": "salud", "cut": "CICLO:2010"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.BindMembers(version, q)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := store.Members(t.Context(), p.Main())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for row, err := range rows.Members {
		if err != nil || row.Label != cube.Text("Salud") || row.Path[1] != cube.Text("1") && row.Path[1] != cube.Integer(1) {
			t.Errorf("%v %v is called salud in 2010, %v", row.Path, row.Label, err)
		}
	}
	if rows.Count != 1 {
		t.Errorf("%d functions are called salud in 2010", rows.Count)
	}
}

// checkHealthHits looks for salud. Every function that is found is shown by a name with this word.
func checkHealthHits(t *testing.T, store search.Store, version *cube.Cube) {
	t.Helper()
	index := search.New(store, slog.New(slog.DiscardHandler))
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	q, err := search.Parse("salud")
	if err != nil {
		t.Fatal(err)
	}
	found, err := index.Find(t.Context(), q, []*cube.Cube{version}, query.Page{Number: 1, Size: search.MostHits})
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, hit := range found.Hits {
		if hit.Level.Ref != "ID_FUNCION" {
			continue
		}
		if functions++; !strings.Contains(folded(hit.Label), "salud") {
			t.Errorf("a hit for salud is %q", hit.Label)
		}
		if former := hit.LabelNow != ""; former && hit.LabelNow != "Protección Ambiental" || former != (hit.Last == cube.Integer(2010)) {
			t.Errorf("the hit %q is now %q, to %s", hit.Label, hit.LabelNow, hit.Last)
		}
	}
	if functions != 2 {
		t.Errorf("%d functions are found for salud", functions)
	}
}

func sumOf(t *testing.T, store answer.Store, version *cube.Cube, cut string) decimal.Decimal {
	t.Helper()
	return answered(t, store, version, "cut="+cut+"&aggregates=MONTO_APROBADO.sum").Summary.Values[0].Decimal
}
