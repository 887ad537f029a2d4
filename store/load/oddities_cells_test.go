package load_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/charmap"

	"fiscube/cube/repair"
	"fiscube/store/load"
)

var cellOddities = []oddity{
	{"21_encodings_are_declared", testEncodings},
	{"21_mojibake_inside_UTF8_is_kept", testMojibake},
	{"21_real_no_break_spaces_split_no_ramo", testRealNoBreakSpaces},
	{"22_quotes_commas_and_line_breaks_in_cells", testQuoting},
	{"23_spaces_are_tidied_in_labels_and_kept_in_cells", testSpaces},
	{"23_real_labels_of_D1", testRealSpaces},
	{"24_joined_cells_have_several_separators", testSeparators},
	{"24_dates_and_quantities_are_not_joined_cells", testNotJoined},
	{"24_a_code_has_one_label_under_its_parent", testJoinedUnderParents},
	{"24_real_joined_cells_of_D1", testRealJoined},
	{"25_blank_rows_and_unnamed_columns_are_counted", testBlankRows},
	{"26_duplicate_rows_are_all_kept", testDuplicates},
	{"27_a_code_without_a_label_is_shown_by_itself", testNoLabel},
	{"27_long_cells_are_whole", testLongCells},
	{"28_a_changed_header_is_refused_with_its_place", testHeaders},
	{"28_resources_with_other_fields_are_joined_by_name", testOtherFields},
}

func testEncodings(t *testing.T) {
	for encoding, page := range map[string]*charmap.Charmap{"windows-1250": charmap.Windows1250, "windows-1252": charmap.Windows1252, "cp850": charmap.CodePage850} {
		label := map[string]string{"windows-1250": "Šume – čćžđ", "windows-1252": "Año – Ñandú", "cp850": "Administración Ñ"}[encoding]
		text, err := page.NewEncoder().String("year,code,name,paid\n2016,1," + label + ",1\n")
		if err != nil {
			t.Fatal(err)
		}
		p := one("year@ code name=code paid$", "")
		p.each = `"encoding": "` + encoding + `",`
		files := p.fs()
		files["f.csv"].Data = []byte(text)
		is(t, encoding, take(t, files, bare).list("code"), "1 "+label)
		p.each = ""
		undeclared := p.fs()
		undeclared["f.csv"].Data = []byte(text)
		is(t, encoding+", undeclared", refused(t, undeclared),
			"f.csv:2: the file is not UTF-8: declare its encoding, or name it with --encoding [not-utf8]")
		is(t, encoding+", by option", take(t, undeclared, load.Options{Encoding: encoding}).list("code"), "1 "+label)
	}
	marked := one("year@ code name=code paid$", "").fs()
	marked["f.csv"].Data = []byte("\ufeffyear,code,name,paid\r\n2016,1,Буџет,1\r\n")
	is(t, "a byte-order mark and CRLF", take(t, marked, bare).list("code"), "1 Буџет")
}

// Nobody knows what a cell was before it was broken: it stays, and only what cannot be shown leaves the label.
func testMojibake(t *testing.T) {
	k := take(t, one("code name=code paid$", "1,F\u00c3\u008dSICAS,1\n2,\u00c1rea\u00a0 x\u0085y,2\n").fs(), bare)
	is(t, "cells", k.cells("name"), "F\u00c3\u008dSICAS|\u00c1rea\u00a0 x\u0085y")
	is(t, "labels", k.list("code"), "1 F\u00c3 SICAS, 2 \u00c1rea x y")
}

func testRealNoBreakSpaces(t *testing.T) {
	k := take(t, published(t, "D7-mexico-2017-sample"), shipped)
	m := k.member(t, "ID_RAMO", "32")
	if len(m.Labels) != 1 || m.Label != "Tribunal Federal de Justicia Administrativa" {
		t.Errorf("its labels are %v", m.Labels)
	}
	if !strings.Contains(k.cells("DESC_RAMO"), "Justicia\u00a0Administrativa") {
		t.Error("the cells have lost their no-break spaces")
	}
}

func testQuoting(t *testing.T) {
	k := take(t, one("code name=code paid$", "1,\"Program \"\"Glas\"\"\",1\n2,\"Grupo \"\"A\"\"\",2\n3,\"Rutas, puentes\",\"3\"\n"+
		"4,\"dos\nlíneas\",4\n5,a\tb,5\n6,\"\"\"\",6\n7,l'eau,7\n").fs(), bare)
	is(t, "labels", k.list("code"), `1 Program "Glas", 2 Grupo "A", 3 Rutas, puentes, 4 dos líneas, 5 a b, 6 ", 7 l'eau`)
	is(t, "cells", k.cells("name"), "Program \"Glas\"|Grupo \"A\"|Rutas, puentes|dos\nlíneas|a\tb|\"|l'eau")
	if last := k.rows[len(k.rows)-1]; last.line != 9 {
		t.Errorf("the last row is at line %d, want 9", last.line)
	}
	is(t, "a quote inside", refused(t, one("code paid$", "a\"b,1\n").fs()), "f.csv:2: a quote stands inside a cell, or is not closed [bad-quote]")
}

func testSpaces(t *testing.T) {
	k := take(t, one("year@ code name=code paid$", "2016,1,Vialidad ,1\n2016,1,  Vialidad,2\n2016,1,Vialidad\u00a0,4\n2016,2,BIENES    Y   SERVICIOS,8\n").fs(), bare)
	is(t, "labels", k.list("code"), "1 Vialidad, 2 BIENES Y SERVICIOS")
	if m := k.member(t, "code", "1"); len(m.Labels) != 1 || m.Rows != 3 {
		t.Errorf("its labels are %v", m.Labels)
	}
	is(t, "cells", k.cells("name"), "Vialidad |  Vialidad|Vialidad\u00a0|BIENES    Y   SERVICIOS")
	is(t, "codes are what they are", take(t, one("code paid$", "a,1\na ,2\n").fs(), bare).list("code"), "a, a")
	seeded := take(t, seed(t, "example-uruguay"), shipped)
	if !strings.Contains(seeded.cells("UE_NOMBRE"), "Vialidad |") || strings.Contains(seeded.list("UE_ID"), "Vialidad ,") {
		t.Error("D6: the cells should keep their spaces and the labels should not")
	}
}

func testRealSpaces(t *testing.T) {
	k := take(t, published(t, "D1-paraguay"), shipped)
	is(t, "category", k.member(t, "categoriaEconomica", "100/120/122").Label, "BIENES Y SERVICIOS")
	for _, m := range k.members["codigoSubprograma"] {
		if strings.Contains(m.Label, "  ") || strings.HasPrefix(m.Label, " ") || strings.HasPrefix(m.Label, "8") {
			t.Errorf("a label is %q", m.Label)
		}
	}
}

func testSeparators(t *testing.T) {
	const rows = "28-UNIV,1\n340 - EDUC,2\n10- FORM,4\n100 GASTOS  CORRIENTES,8\n2.1 - Gastos - otros,16\n 7 -  FORMACIÓN,32\n5 (otros),64\n"
	k := take(t, one("f paid$", rows).fs(), bare)
	is(t, "members", k.list("f"), "5 (otros), 7 FORMACIÓN, 10 FORM, 28 UNIV, 100 GASTOS CORRIENTES, 2.1 Gastos - otros, 340 EDUC")
	is(t, "said", k.found(repair.CodeLabelSplit), "field f: 7 of 7 cells join a code and a label, so it is both [code-label-split]")
	is(t, "published", k.cells("f_cell"), strings.Join(strings.FieldsFunc("28-UNIV;340 - EDUC;10- FORM;100 GASTOS  CORRIENTES;"+
		"2.1 - Gastos - otros; 7 -  FORMACIÓN;5 (otros)", func(c rune) bool { return c == ';' }), "|"))
	// DR: one code in two spellings is one label
	k = take(t, one("year@ f paid$", "2016,98 - Administración,1\n2016,98 - Administracion,2\n2016,98 -ADMINISTRACIÓN,4\n").fs(), bare)
	is(t, "spellings", k.list("f"), "98 ADMINISTRACIÓN")
	is(t, "ambiguous", k.found(load.CodeLabelAmbiguous), "")
	// 000-* has no letter: among a hundred others it is code and label as it is
	many := one("f paid$", strings.Repeat("28-UNIV,1\n", 99)+"000-*,1\n")
	is(t, "one that joins nothing", take(t, many.fs(), bare).list("f"), "28 UNIV, 000-* 000-*")
	few := one("f paid$", strings.Repeat("28-UNIV,1\n", 98)+"000-*,1\n")
	is(t, "below 99 in a hundred", take(t, few.fs(), bare).list("f"), "000-*, 28-UNIV")
	is(t, "switched off", take(t, many.with("repairs: {code-label-split: {except: [f]}}"), bare).list("f"), "000-*, 28-UNIV")
}

func testNotJoined(t *testing.T) {
	for _, cell := range []string{"2017-05-10", "31/12/2017", "2017-05-10 00:00:00", "2017-05-10T00:00:00", "2016 - 2017", "12:30", "1.1.2", "12a", "5 3 puntos"} {
		k := take(t, one("f paid$", cell+",1\n").fs(), bare)
		is(t, cell, k.list("f")+k.found(repair.CodeLabelSplit), cell)
	}
}

// D1: 1000000 is the financial unit of several entities, and 1 a unit of each.
func testJoinedUnderParents(t *testing.T) {
	const rows = "1,1000000-PILAR,1\n2,1000000-HACIENDA,2\n"
	flat := take(t, one("entity uaf paid$", rows).fs(), bare)
	is(t, "alone", flat.list("uaf"), "1000000-PILAR, 1000000-HACIENDA")
	is(t, "said", flat.found(repair.CodeLabelSplit),
		"field uaf: its cells join codes and labels, but the code 1000000 has two labels, so they stay whole [code-label-split]")
	is(t, "under its parent", take(t, one("entity uaf<entity paid$", rows).fs(), bare).list("uaf"), "1/1000000 PILAR, 2/1000000 HACIENDA")
	labels := one("entity code<entity name=code paid$", "1,10,10-PILAR,1\n2,10,10-HACIENDA,2\n")
	is(t, "a declared label", take(t, labels.fs(), bare).list("code"), "1/10 PILAR, 2/10 HACIENDA")
}

func testRealJoined(t *testing.T) {
	k := take(t, published(t, "D1-paraguay"), bare)
	for level, want := range map[string]string{
		"grupoEconomico": "100 GASTOS CORRIENTES, 200 GASTOS DE CAPITAL", "subfuncion": "340 EDUCACION Y CULTURA",
		"codigoNivel": "12 PODER EJECUTIVO, 28 UNIVERSIDADES NACIONALES", "codigoProyecto": "0 000-*", "fechaCorte": "2017-05-10",
		"codigoEntidad": "3 UNIVERSIDAD NACIONAL DE PILAR, 7 MINISTERIO DE EDUCACION Y CIENCIAS",
	} {
		is(t, level, k.list(level), want)
	}
}

func testBlankRows(t *testing.T) {
	p := one("code name=code paid$", "")
	files := p.fs()
	files["f.csv"].Data = []byte("code,name,paid,,\n" + strings.Repeat(",,,,\n", 101) + "a,A,1,,\n\n , ,\u00a0,,\nb,B,2,,\n,,,,\n")
	k := take(t, files, bare)
	is(t, "rows", k.found(load.CodeBlankRows), "f.csv: 104 rows hold nothing and were left out [blank-rows]")
	is(t, "columns", k.found(load.CodeUnnamedColumns), "f.csv: 2 columns at the end have neither name nor cells and were left out [unnamed-columns]")
	is(t, "members", k.list("code"), "a A, b B")
	if found := k.pkg.Resources[0].Found; found.Rows != 2 || k.rows[1].line != 106 {
		t.Errorf("%d rows, the last at line %d", found.Rows, k.rows[1].line)
	}
}

func testDuplicates(t *testing.T) {
	p := one("year@ code name=code paid$", strings.Repeat("2009,1,Uno,0.10\n", 218)+"2009,1,Uno,5\n")
	a := ask(t, p.fs(), bare)
	is(t, "sum", a.answer(t, "drilldown=code&aggregates=paid.sum|_count"), `1 "Uno"=26.8,219`)
	is(t, "said", take(t, p.fs(), bare).found(repair.ResourceCovers), "")
}

func testNoLabel(t *testing.T) {
	k := take(t, seed(t, "example-costa-rica-egresos"), shipped)
	for _, m := range k.members["subprograma_codigo"] {
		if m.Path[2].String() == "00" && (m.Label != "" || m.Fold != "00" || m.Rank == 0) {
			t.Errorf("%s is %+v", path(m), m)
		}
	}
	a := ask(t, one("code name=code paid$", "00,,1\n01,Uno,2\n02, ,4\n").fs(), bare)
	is(t, "shown", a.answer(t, "drilldown=code&aggregates=paid.sum&order=name"), `00 "00"=1 02 "02"=4 01 "Uno"=2`)
}

func testLongCells(t *testing.T) {
	long := strings.Repeat("Proyecto ñ ", 254)[:2793]
	k := take(t, one("code name=code paid$", "1,"+long+",1\n"+long+",x,2\n").fs(), bare)
	is(t, "label", k.member(t, "code", "1").Label, strings.TrimSpace(long))
	is(t, "key", path(k.members["code"][1]), long)
}

func testHeaders(t *testing.T) {
	for header, want := range map[string]string{
		"año,organismo,credito":          `b.csv:1: column 1 is "año", in the schema "ANO" [header-differs]`,
		"ANO,MONTO,ORG":                  `b.csv:1: column 2 is "MONTO", in the schema "ORG" [header-differs]`,
		"ANO,ORG,MONTO_VIGENTE":          `b.csv:1: column 3 is "MONTO_VIGENTE", in the schema "MONTO" [header-differs]`,
		"ANO,ORG":                        "b.csv:1: the header ends before field MONTO [header-differs]",
		"ANO,ORG,MONTO,NOTA":             `b.csv:1: the header has a column "NOTA" that the schema lacks [header-differs]`,
		"ANO, ORG,MONTO":                 `b.csv:1: column 2 is " ORG", in the schema "ORG" [header-differs]`,
		"\n\nAno,ORG,MONTO":              `b.csv:3: column 1 is "Ano", in the schema "ANO" [header-differs]`,
		"1,2,3\nANO,ORG,MONTO\n2020,a,1": `b.csv:1: column 1 is "1", in the schema "ANO" [header-differs]`,
	} {
		files := pack{fields: "ANO@ ORG MONTO$", files: map[string]string{"a.csv": "2020,a,1\n", "b.csv": ""}}.fs()
		files["b.csv"].Data = []byte(header + "\n2021,a,1\n")
		is(t, header, refused(t, files), want)
	}
}

// D6 changed its names in 2021. Where the descriptor says so, fields are joined by name.
func testOtherFields(t *testing.T) {
	const model = `"model": {"dimensions": {"d": {"primaryKey": ["ORG"]}}, "measures": {"MONTO": {}, "credito": {}}}`
	files := one("ORG MONTO$ credito$", "").fs()
	files[load.DescriptorName].Data = []byte(`{"name": "odd", ` + model + `, "resources": [
		{"name": "2020", "path": "2020.csv", "schema": {"fields": [{"name": "ORG", "type": "string"}, {"name": "MONTO", "type": "number"}]}},
		{"name": "2021", "path": "2021.csv", "schema": {"fields": [{"name": "credito", "type": "number"}, {"name": "ORG", "type": "string"}]}}]}`)
	files["2020.csv"], files["2021.csv"] = &fstest.MapFile{Data: []byte("ORG,MONTO\na,1\n")}, &fstest.MapFile{Data: []byte("credito,ORG\n,a\n2,b\n")}
	k := take(t, files, bare)
	is(t, "said", k.found(repair.SchemaUnion), "2020: it lacks credito, which other resources have: missing in its rows [schema-union]\n"+
		"2021: it lacks MONTO, which other resources have: missing in its rows [schema-union]")
	is(t, "members", k.list("ORG"), "a, b")
	is(t, "cells", k.cells("MONTO")+" and "+k.cells("credito"), "1|| and ||2")
	var matrix []string
	for _, c := range k.report.Coverage {
		matrix = append(matrix, fmt.Sprintf("%s %s %d %t", c.Resource, c.Column, c.Filled, c.Absent))
	}
	is(t, "coverage", strings.Join(matrix, ", "),
		"2020 ORG 1 false, 2020 MONTO 1 false, 2020 credito 0 true, 2021 ORG 2 false, 2021 credito 1 false, 2021 MONTO 0 true")
}
