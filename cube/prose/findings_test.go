package prose_test

import (
	"cmp"
	"encoding/json"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

// stored gives a finding as it is after its report was stored and read again.
func stored(t *testing.T, f findings.Finding) findings.Finding {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var read findings.Finding
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

func TestFinding_IsToldInEveryLanguage(t *testing.T) {
	for _, tt := range []struct {
		code, sentence            string
		params                    findings.Params
		english, spanish, croatia string
	}{
		{"blank-rows", "", findings.Params{"rows": int64(1)}, "1 rows hold nothing and were left out", "1 fila no tiene nada y se omitió", "1 redak je prazan i izostavljen"},
		{"blank-rows", "", findings.Params{"rows": int64(22)}, "22 rows hold nothing and were left out", "22 filas no tienen nada y se omitieron",
			"22 retka su prazna i izostavljena"},
		{"blank-rows", "", findings.Params{"rows": int64(12)}, "12 rows hold nothing and were left out", "12 filas no tienen nada y se omitieron",
			"12 redaka je prazno i izostavljeno"},
		{"years-overlap", "same", findings.Params{"year": "", "resources": []string{"a", "b"}, "more": int64(3)},
			"a and b and 3 more have the same rows of fiscal year (missing), all or many of them, and all are counted: leave one out, or declare in an overlay that they are statements of the same money",
			"a y b y 3 más tienen las mismas filas del ejercicio (sin informar), todas o muchas, y se cuentan todas: quite uno, o declare en un overlay que son declaraciones del mismo dinero",
			"a i b i još 3 imaju iste retke za fiskalnu godinu (bez podatka), sve ili mnoge, i svi se broje: izostavite jedan ili u overlayu navedite da su to izvještaji o istom novcu"},
		{"snapshot-incomplete", "", findings.Params{"keys": int64(2), "periods": []string{"ejercicio"}, "sums": []findings.Params{
			{"measure": "m", "sum": "123456789012345678901.50"}, {"measure": "n", "sum": ""}}},
			"2 budget lines are in an earlier report of the ejercicio and not in the last, which alone is counted: m 123456789012345678901.50, n not added up",
			"2 líneas presupuestarias están en un informe anterior del mismo ejercicio y no en el último, el único que se cuenta: m 123456789012345678901.50, n sin sumar",
			"2 proračunske linije nalaze se u ranijem izvještaju za isto razdoblje (ejercicio), a ne u posljednjem, koji se jedini broji: m 123456789012345678901.50, n nije zbrojeno"},
		{"snapshot-incomplete", "", findings.Params{"keys": int64(1), "periods": []string{"a", "b"}, "sums": []findings.Params{}},
			"1 budget line is in an earlier report of the a and b and not in the last, which alone is counted: no amounts",
			"1 línea presupuestaria está en un informe anterior del mismo a y b y no en el último, el único que se cuenta: sin montos",
			"1 proračunska linija nalazi se u ranijem izvještaju za isto razdoblje (a i b), a ne u posljednjem, koji se jedini broji: bez iznosa"},
		{"not-informed", "", findings.Params{"spellings": []string{"NO INF", "%s {a|b}"}, "marker": "NO INF"}, `its cells "NO INF", "%s {a|b}" are one member, "NO INF"`,
			`sus celdas «NO INF», «%s {a|b}» son un solo miembro, «NO INF»`, `ćelije „NO INF“, „%s {a|b}“ jedan su član, „NO INF“`},
	} {
		f := prose.Describe(findings.Finding{Code: tt.code}, tt.sentence, tt.params)
		if f.Message != tt.english {
			t.Errorf("%s\ngot  %s\nwant %s", tt.code, f.Message, tt.english)
		}
		f = stored(t, f)
		for language, want := range map[cube.Language]string{cube.English: tt.english, "es": tt.spanish, "hr": tt.croatia} {
			if got := prose.Finding(f, language); got != want {
				t.Errorf("%s in %s\ngot  %s\nwant %s", tt.code, language, got, want)
			}
		}
	}
}

// A case of a finding is told in every language, and stays as it is where it is a published cell.
func TestCaseOf(t *testing.T) {
	const ambiguous, renumbered = "label-ambiguous", "level-renumbered"
	for _, tt := range []struct {
		code                      string
		at                        findings.Place
		english, spanish, croatia string
	}{
		{ambiguous, prose.Case(ambiguous, "case", findings.Params{"path": "R/1", "year": "2008", "labels": []string{"Salud", "Educación"}}),
			`R/1 in 2008: "Salud", "Educación"`, "R/1 en 2008: «Salud», «Educación»", "R/1 u godini 2008: „Salud“, „Educación“"},
		{ambiguous, prose.Case(ambiguous, "case-no-year", findings.Params{"path": "3", "labels": []string{"x", "y"}}),
			`3 in no year: "x", "y"`, "3 sin año: «x», «y»", "3 bez godine: „x“, „y“"},
		{renumbered, prose.Case(renumbered, "case", findings.Params{"year": int64(2012), "members": int64(21), "of": int64(28)}),
			"2012: 21 of 28 members", "2012: 21 de 28 miembros", "2012.: 21 od 28 članova"},
		{renumbered, findings.Place{Cell: "2012: 21 of 28 members"}, "2012: 21 of 28 members", "2012: 21 of 28 members", "2012: 21 of 28 members"},
		{renumbered, findings.Place{Cell: "1 of many", Sentence: "case", Params: findings.Params{"year": int64(2012)}}, "1 of many", "1 of many", "1 of many"},
		{"bad-cell", findings.Place{Line: 7, Cell: "x%d{a|b}"}, "x%d{a|b}", "x%d{a|b}", "x%d{a|b}"},
	} {
		f := stored(t, findings.Finding{Code: tt.code, Places: []findings.Place{tt.at}})
		for language, want := range map[cube.Language]string{cube.English: tt.english, "es": tt.spanish, "hr": tt.croatia} {
			if got := prose.CaseOf(f, f.Places[0], language); got != want {
				t.Errorf("%s in %s\ngot  %s\nwant %s", tt.code, language, got, want)
			}
		}
	}
}

// What was stored without parameters, or says something else than the sentence does, keeps its message.
func TestFinding_KeepsTheMessageThatItCannotTell(t *testing.T) {
	for _, f := range []findings.Finding{
		{Code: "blank-rows", Message: "3 rows hold nothing and were left out"},
		{Code: "blank-rows", Message: "3 lines are blank", Params: findings.Params{"rows": int64(3)}},
		{Code: "blank-rows", Message: "3 rows hold nothing and were left out", Params: findings.Params{"rows": []findings.Params{{"rows": "3"}}}},
		{Code: "totals-row", Sentence: "of-tomorrow", Message: "a sentence of a later program"},
		{Code: "bad-cell", Message: `"x" is no number`},
		{Code: "snapshot-detected", Message: "snapshot-detected", Params: findings.Params{"amounts": []findings.Params{{"measure": "m"}}}},
	} {
		if got := prose.Finding(stored(t, f), "hr"); got != f.Message {
			t.Errorf("got %s, want %s", got, f.Message)
		}
	}
	old := findings.Finding{Code: "label-changed", Message: "members have another name from a year on"}
	if got, want := prose.Finding(stored(t, old), "es"), "hay miembros que desde cierto año tienen otro nombre"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// People who have not seen the files are told titles and amounts as they are written, in a sentence without the words of descriptors.
func TestTellFinding(t *testing.T) {
	titles := map[string]string{"ejercicio": "Year", "pi_monto": "Initial budget", "econ_code": "Economic class"}
	title := func(field string) string { return cmp.Or(titles[field], field) }
	left := prose.Describe(findings.Finding{Code: "snapshot-incomplete", Field: "mes"}, "", findings.Params{
		"keys": int64(3), "periods": []string{"ejercicio"}, "sums": []findings.Params{{"measure": "pi_monto", "sum": "177675000000.00"}},
	})
	paired := prose.Describe(findings.Finding{Code: "label-paired", Field: "econ_label"}, "column-type", findings.Params{"level": "econ_code"})
	declared := prose.Describe(findings.Finding{Code: "declared-years-differ"}, "", findings.Params{"declared": []string{"2017", "2018"}, "years": []string{"2017", "2018", "2019"}})
	for _, tt := range []struct {
		finding  findings.Finding
		language cube.Language
		want     string
	}{
		{left, cube.English, "3 budget lines are in an earlier report of the Year and not in the last, which alone is counted: Initial budget 177,675,000,000.00."},
		{left, "es", "3 líneas presupuestarias están en un informe anterior del mismo Year y no en el último, el único que se cuenta: Initial budget 177.675.000.000,00."},
		{paired, cube.English, "Nothing says outright whose names these are; by their declared kind they are taken for the names of “Economic class”."},
		{paired, "hr", "Nigdje izrijekom ne piše čiji su to nazivi; prema navedenoj vrsti uzimaju se kao nazivi za „Economic class“."},
		{declared, cube.English, "The publisher says that the package has the years 2017 and 2018; its rows are of 2017 to 2019."},
		{findings.Finding{Code: "label-paired", Message: "stored before"}, "es", "Stored before."},
	} {
		if got := prose.TellFinding(words.Locale{Language: tt.language}, tt.finding, title); got != tt.want {
			t.Errorf("%s in %s\ngot  %s\nwant %s", tt.finding.Code, tt.language, got, tt.want)
		}
	}
}
