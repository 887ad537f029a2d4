package load_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fiscube/cube"
	"fiscube/store/load"
)

var memberOddities = []oddity{
	{"09_real_members_of_D7_are_counted_by_path", testRealPaths},
	{"09_codes_are_unique_only_inside_their_parent", testPaths},
	{"10_real_no_programme_of_D7_has_two_meanings", testRealProgrammes},
	{"10_real_without_within_120_programmes_have", testRealProgrammesAlone},
	{"10_a_project_of_D6_needs_institution_and_programme", testProjects},
	{"11_label_drift_is_one_member", testDrift},
	{"11_case_accents_and_spaces_are_no_second_label", testSpellings},
	{"12_a_code_under_two_parents_is_two_members", testMovedCode},
	{"13_catch_all_codes_are_members_of_their_parents", testCatchAll},
	{"13_real_two_codes_Ostalo", testRealCatchAll},
	{"13_no_informado_is_one_member_under_each_parent", testNotInformed},
}

const year2008 = "presupuesto_mexico__2008.csv"

// mexico2008 loads the file of 2008, with 130,950 rows, once for all tests.
var mexico2008 = sync.OnceValues(func() (*kept, error) {
	source, err := load.OpenFS(context.Background(), os.DirFS("../../../shared/data/D7-mexico"), load.Options{Resource: year2008, Shipped: shipped.Shipped})
	if err != nil {
		return nil, err
	}
	k := &kept{}
	_, err = load.Run(context.Background(), k, source, load.Silent{})
	return k, err
})

func mexico(t *testing.T) *kept {
	t.Helper()
	published(t, "D7-mexico")
	k, err := mexico2008()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *kept) counts(levels string) string {
	var list []string
	for ref := range strings.FieldsSeq(levels) {
		list = append(list, fmt.Sprintf("%s %d", ref, len(k.members[ref])))
	}
	return strings.Join(list, ", ")
}

func testRealPaths(t *testing.T) {
	k := mexico(t)
	is(t, "members", k.counts("ID_RAMO ID_UR ID_FUNCION ID_SUBFUNCION ID_PP"),
		"ID_RAMO 37, ID_UR 1200, ID_FUNCION 28, ID_SUBFUNCION 92, ID_PP 1482")
	for _, ref := range strings.Fields("ID_RAMO ID_UR GPO_FUNCIONAL ID_FUNCION ID_SUBFUNCION ID_AI") {
		for _, m := range k.members[ref] {
			if len(m.Labels) != 1 || m.Label == "" {
				t.Errorf("%s %s has the labels %v", ref, path(m), m.Labels)
			}
		}
	}
	under := 0
	for _, m := range k.members["ID_UR"] {
		if m.Path[1] == cube.Text("100") {
			under++
		}
	}
	if under != 24 {
		t.Errorf("the unit 100 is in %d ramos, want 24", under)
	}
}

func testPaths(t *testing.T) {
	a := ask(t, seed(t, "example-uruguay"), shipped)
	k := take(t, seed(t, "example-uruguay"), shipped)
	if units, institutions := len(k.members["UE_ID"]), len(k.members["ORG_ID"]); units <= institutions {
		t.Errorf("%d units in %d institutions, each of which has a unit 1", units, institutions)
	}
	cells := a.answer(t, "drilldown=UE_ID&cut=UE_ID:1|ANO:2019&aggregates=_count")
	if n := strings.Count(cells, "/1 \""); n != len(k.members["ORG_ID"]) {
		t.Errorf("the unit 1 is %d units: %s", n, cells)
	}
}

func testRealProgrammes(t *testing.T) {
	k := mexico(t)
	for _, m := range k.members["ID_PP"] {
		if len(m.Labels) != 1 {
			t.Errorf("%s has the labels %v", path(m), m.Labels)
		}
	}
	is(t, "said", k.found(load.CodeLabelAmbiguous), "")
}

// The path that the descriptor gives is not enough: R/1 is another programme in each ramo.
func testRealProgrammesAlone(t *testing.T) {
	files := published(t, "D7-mexico")
	overlay := filepath.Join(t.TempDir(), "overlay.yaml")
	if err := os.WriteFile(overlay, []byte("levels: {ID_PP: {parent: ID_MODALIDAD, label: DESC_PP}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := take(t, files, load.Options{Resource: year2008, OverlayFile: overlay})
	is(t, "members", k.counts("ID_PP ID_AI"), "ID_PP 977, ID_AI 323")
	for field, want := range map[string]string{"ID_PP": "120, said of 117", "ID_AI": "20, said of 20"} { // 3 differ by case or accents alone
		several, said := 0, int64(0)
		for _, m := range k.members[field] {
			if len(m.Labels) > 1 {
				several++
			}
		}
		for _, f := range k.report.Findings {
			if f.Code == load.CodeLabelAmbiguous && f.Field == field {
				said = f.Count
			}
		}
		is(t, field, fmt.Sprintf("%d, said of %d", several, said), want)
	}
}

func testProjects(t *testing.T) {
	k := take(t, seed(t, "example-uruguay"), shipped)
	is(t, "with its overlay", k.found(load.CodeLabelAmbiguous), "")
	alone := take(t, seed(t, "example-uruguay"), bare).found(load.CodeLabelAmbiguous)
	if !strings.HasPrefix(alone, "field PROYECTO_ID: ") || strings.Contains(alone, "\n") {
		t.Errorf("by its number alone: %s", alone)
	}
}

func testDrift(t *testing.T) {
	k := take(t, seed(t, "example-uruguay"), shipped)
	m := k.member(t, "FUENTE_FINANC_ID", "10/11")
	first, last := m.Years()
	is(t, "years", first.String()+" to "+last.String(), "2011 to 2019")
	is(t, "said", k.found(load.CodeLabelAmbiguous), "")
	a := ask(t, seed(t, "example-uruguay"), shipped)
	for cut, want := range map[string]string{"": "Rentas Generales", "|ANO:2011..2016": "Rentas generales", "|ANO:2016..": "Rentas Generales"} {
		if got := a.answer(t, "drilldown=FUENTE_FINANC_ID&aggregates=_count&cut=FUENTE_FINANC_ID:11"+cut); !strings.Contains(got, `"`+want+`"=`) {
			t.Errorf("%s: %s, want %s", cut, got, want)
		}
	}
}

func testSpellings(t *testing.T) {
	k := take(t, one("year@ code name=code paid$",
		"2018,1,Salud pública,1\n2018,1,SALUD PUBLICA,1\n2018,1,Salud  pública ,1\n"+
			"2018,2,Fondo del Sec,1\n2019,2,Fondo del Se,1\n2018,3,Salud,1\n2018,3,Educación,1\n").fs(), bare)
	is(t, "members", k.list("code"), "1 Salud pública, 2 Fondo del Se, 3 Educación")
	is(t, "said", k.found(load.CodeLabelAmbiguous), "field code: members have several labels in one year; "+
		`that of the most rows is shown [label-ambiguous] (3 in 2018: "Educación", "Salud")`)
}

// D2: 30 true activities were moved to another programme.
func testMovedCode(t *testing.T) {
	p := one("year@ programme activity<programme name=activity paid$", "2016,2301,A1,Ceste,1\n2017,2303,A1,Ceste,2\n2017,2303,A2,Mostovi,4\n")
	is(t, "members", take(t, p.fs(), bare).list("activity"), "2301/A1 Ceste, 2303/A1 Ceste, 2303/A2 Mostovi")
	a := ask(t, p.fs(), bare)
	is(t, "cells", a.answer(t, "drilldown=activity&aggregates=paid.sum&cut=activity:A1"), `2301/A1 "Ceste"=1 2303/A1 "Ceste"=2`)
	is(t, "its field alone", a.answer(t, "aggregates=paid.sum&cut=activity:A1"), "=3")
}

func testCatchAll(t *testing.T) {
	p := one("year@ admin admin_name=admin unit<admin unit_name=unit func func_name=func paid$",
		"2016,025,Financije,Ostalo,Ostalo,99,Ostalo,1\n2016,030,Obrana,Ostalo,Ostalo,Ostalo,Ostalo,2\n"+
			"2016,Ostalo,Ostalo,Ostalo,Ostalo,99,Ostalo,4\n2016,#,#,#,#,,,8\n2016,11101,(Derogada),1,(Derogada),99,Ostalo,16\n")
	k := take(t, p.fs(), bare)
	is(t, "units", k.list("unit"), "#/# #, 025/Ostalo Ostalo, 030/Ostalo Ostalo, 11101/1 (Derogada), Ostalo/Ostalo Ostalo")
	is(t, "two codes of one label, and none", k.list("func"), "99 Ostalo, Ostalo Ostalo, ")
	a := ask(t, p.fs(), bare)
	is(t, "functions", a.answer(t, "drilldown=func&aggregates=paid.sum"), `99 "Ostalo"=21 Ostalo "Ostalo"=2 =8`)
}

func testRealCatchAll(t *testing.T) {
	k := take(t, published(t, "D2-croatia"), shipped)
	for _, code := range []string{"99", "Ostalo"} {
		is(t, code, k.member(t, "func1_code", code).Label, "Ostalo")
	}
	units := 0
	for _, m := range k.members["admin2_code"] {
		if m.Path[1] == cube.Text("Ostalo") {
			units++
		}
	}
	if units < 2 {
		t.Errorf("Ostalo is %d units", units)
	}
	is(t, "said", k.found(load.CodeLabelAmbiguous), "")
}

func testNotInformed(t *testing.T) {
	const rows = "2014,1.1 - Impuestos,No Informado - ,1\n2014,1.1 - Impuestos,NO INFORMADO,2\n" +
		"2014,1.2 - Ventas,no  informado,4\n2014,1.2 - Ventas,,8\n2014,1.2 - Ventas,1.2.1 - De bienes,16\n"
	p := one("year@ title group<title paid$", rows)
	k := take(t, p.with("not_informed: [No Informado]\n"), bare)
	is(t, "members", k.list("group"), "1.1/No Informado No Informado, 1.2/1.2.1 De bienes, 1.2/No Informado No Informado, 1.2/")
	is(t, "said", k.found("not-informed"),
		`field group: its cells "NO INFORMADO", "No Informado - ", "no  informado" are one member, "No Informado" [not-informed]`)
	is(t, "published", k.cells("group_cell"), "No Informado - |NO INFORMADO|no  informado||1.2.1 - De bienes")
	p.files["a.csv"] = "2013,1.1 - Impuestos,,1\n"
	is(t, "none in the first file", take(t, p.with("not_informed: [No Informado]\n"), bare).found("not-informed"), k.found("not-informed"))
	delete(p.files, "a.csv")
	for _, off := range []string{"off", "{except: [group]}"} {
		k := take(t, p.with("not_informed: [No Informado]\nrepairs: {not-informed: "+off+"}\n"), bare)
		if n := len(k.members["group"]); n != 5 || k.found("not-informed") != "" {
			t.Errorf("%s: %s", off, k.list("group"))
		}
	}
}
