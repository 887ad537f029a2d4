package storetest

import (
	"fmt"
	"io/fs"
	"strings"

	"fiscube/cube"
	"fiscube/seeds"
)

// labelTests cut by what members are called. The oracle knows that too; here the answers are worked out by hand.
var labelTests = []test{
	{"a label selects its members of all years", testLabelCuts},
	{"text is found whatever its case and accents", testPartCuts},
	{"the names shown are of the years asked", testYearsByText},
	{"rows without years have labels too", testUndated},
	{"ministries that were renamed", testRenamedMinistries},
	{"members that are not there", testStrangers},
}

// renamed is a package whose offices change their names: 7 was Água in 2015, and 8 has been since. The number of an
// office may be missing, and a desk means something only inside an office. The amounts tell which rows are added.
func renamed(withYears bool) fs.FS {
	d := descriptor{
		Name:      "renamed",
		Resources: []resource{{Name: "lines.csv", Path: "lines.csv"}},
		Schema: schema{Fields: []field{
			{Name: "year", Type: "integer", ColumnType: cube.ColumnTypeFiscalYear},
			{Name: "office", Type: "integer"}, {Name: "office_name", Type: "string"},
			{Name: "desk", Type: "string"}, {Name: "desk_name", Type: "string"},
			{Name: "line", Type: "string"}, {Name: "line_name", Type: "string"}, {Name: "paid", Type: "number"},
		}},
		Model: model{Measures: map[string]measure{"paid": {}}, Dimensions: map[string]dimension{
			"date": {Type: "datetime", Key: []string{"year"}, Attributes: attributes{"year": {}}},
			"offices": {Key: []string{"office", "desk"}, Attributes: attributes{
				"office": {}, "office_name": {LabelFor: "office"}, "desk": {Parent: "office"}, "desk_name": {LabelFor: "desk"}}},
			"lines": {Type: cube.DimensionFact, Key: []string{"line"}, Attributes: attributes{
				"line": {}, "line_name": {LabelFor: "line"}}},
		}},
	}
	if !withYears {
		d.Schema.Fields[0].ColumnType = ""
	}
	var rows [][]string
	for _, line := range []string{
		"2015,7,Água,1,Front,a,A ,1", "2015,8,Fogo,1,Back,b,B,2", "2015,,,1,Loose,c,,4",
		"2016,7,ÁGUA  e luz,1,Front,a,A,8", "2016,8,Água,,,d,B,16", "2016,,Sem órgão,,,e,B,32",
		"2017,7,Luz,2,,f,F,64", "2017,8,Água,1,Front,g,G,128",
	} {
		rows = append(rows, strings.Split(line, ","))
	}
	return folder(d, rows)
}

// sums checks what the amounts under each cut come to.
func (s *subject) sums(version *cube.Cube, want map[string]string) {
	s.Helper()
	for cut, sum := range want {
		question := "aggregates=paid.sum&cut=" + cut
		if got := amountsText(s.ask(version, question).Summary.Values); got != sum {
			s.Errorf("%s: %s, want %s", cut, got, sum)
		}
	}
}

func testLabelCuts(s *subject) {
	version := s.load(renamed(true)).Cube
	s.sums(version, map[string]string{
		"office_name:Água":               "219", // offices 7 and 8, whatever they are called in a row
		"office_name:Água|year:2015":     "3",
		"office_name:Fogo":               "146",
		"office_name:ÁGUA e luz":         "73",
		"office_name:  ÁGUA  e\u00a0luz": "73",
		"office_name:água":               "null", // whole labels are as they are
		"!office_name:Água":              "36",
		"office_name:":                   "36", // rows of the office that is missing have no label
		"office_name:Sem órgão":          "36",
		"!office_name:Sem órgão":         "219",
		"office_name:Luz;Sem órgão":      "109",
		"desk_name:Front":                "139", // desk 1 of the offices 7 and 8, not that of the missing one
		"desk_name:Back":                 "130",
		"desk_name:Loose":                "4",
		"!desk_name:Loose":               "251",
		"desk_name:":                     "112",
		"line_name:A":                    "8", // of single lines the cell counts as it is published
		`line_name:"A "`:                 "1",
		"line_name:":                     "4",
		"!line_name:A;B":                 "197",
	})
	s.answers(version, []asking{
		{"drilldown=offices&cut=office_name:Fogo&aggregates=paid.sum", "8,1=130 8,=16 (2) =146"},
	})
}

func testPartCuts(s *subject) {
	version := s.load(renamed(true)).Cube
	s.sums(version, map[string]string{
		"office:~AGUA":          "219",
		"office_name:~luz":      "73",
		"office:~orgao":         "36",
		"office:~8":             "146",
		"office:8;~luz":         "219",
		"office_name:Fogo;~SEM": "182",
		"!office:~g":            "null",
		"!office:~a":            "null",
		"!office:~agua":         "36",
		"desk:~1":               "143",
		"desk:~front":           "139",
		"desk:~o|office:~orgao": "4",
		"year:~2015":            "7",
		"year:~201":             "255",
		"!year:~5;~7":           "56",
		"office:~\"a luz\"":     "null", // never across two labels
		"office:~\"a e   l\"":   "73",
		"office:~%;~_;~'":       "null",
	})
}

func testYearsByText(s *subject) {
	version := s.load(renamed(true)).Cube
	for cut, want := range map[string]string{
		"year:~15":  "Água Fogo ",
		"!year:~17": "ÁGUA e luz Água Sem órgão",
		"year:~201": "Luz Água Sem órgão",
	} {
		var labels []string
		for _, cell := range s.ask(version, "drilldown=office&cut="+cut).Cells {
			labels = append(labels, cell.Labels[0].String())
		}
		if got := strings.Join(labels, " "); got != want {
			s.Errorf("%s: shown are %q, want %q", cut, got, want)
		}
	}
}

func testUndated(s *subject) {
	version := s.load(renamed(false)).Cube
	s.sums(version, map[string]string{
		"office_name:Fogo": "146", "!office_name:Água": "36", "desk_name:Loose": "4", "office:~agua": "219", "office_name:": "36",
	})
}

// testRenamedMinistries asks for a ministry by either of its names, and for a court whose name holds a no-break space.
func testRenamedMinistries(s *subject) {
	version := s.load(seedOf(s, "example-mexico")).Cube
	for _, cut := range []string{"DESC_RAMO:Bienestar", "DESC_RAMO:Desarrollo Social", "ID_RAMO:~BIENES", "ID_RAMO:20"} {
		result := s.ask(version, "drilldown=ID_RAMO|CICLO&aggregates=_count&cut="+cut)
		if len(result.Cells) != 13 || result.Cells[0].Keys[0] != cube.Text("20") && result.Cells[0].Keys[0] != cube.Integer(20) {
			s.Errorf("%s: %d cells", cut, len(result.Cells))
		}
	}
	s.answers(version, []asking{
		{"cut=DESC_RAMO:Tribunal de Justicia Administrativa|CICLO:2008&aggregates=_count", "=5 (1) =5"},
		{"cut=DESC_UR:Unidad de Crédito|CICLO:2020&drilldown=ID_UR&aggregates=_count", "6,212=3 24,212=1 (2) =4"},
	})
}

func seedOf(s *subject, name string) fs.FS {
	s.Helper()
	for _, seed := range seeds.All() {
		if seed.Name == name {
			return seed.FS
		}
	}
	s.Fatalf("no seed %s", name)
	return nil
}

func testStrangers(s *subject) {
	version := s.load(renamed(true)).Cube
	engine := cube.NewEngine(s.Store)
	for cut, want := range map[string]string{
		"office:7;8;|office_name:Fogo;Luz|desk:~FRONT|offices:7/1;/1;8/;8|!desk:|year:2014..": "",
		"office:9":                         `office: there is no member 9 (did you mean "7"?)`,
		"year:2027":                        `year: there is no member 2027 (did you mean "2017"?)`,
		"office_name:Fog;Água":             `office_name: there is no member "Fog" (did you mean "Fogo"?)`,
		"office_name:agua":                 `office_name: there is no member "agua" (did you mean "Água"?)`,
		"office:~loz":                      `office: there is no member ~"loz" (did you mean "Luz"?)`,
		"!desk:3;1;2":                      `desk: there is no member "3" (did you mean "1"?)`,
		"offices:7/2;/2;8/2":               `offices: there is no member ""/"2" (did you mean "1"?), 8/"2" (did you mean "1"?)`,
		"office:~" + "%":                   `office: there is no member ~"%"`,
		"desk:" + strings.Repeat("é", 101): fmt.Sprintf(`desk: there is no member "%s…`, strings.Repeat("é", 59)),
	} {
		plan, err := engine.Check(s.context(), s.plan(version, "cut="+cut))
		if err != nil {
			s.Fatalf("%s: %v", cut, err)
		}
		var got []string
		for _, w := range plan.Warnings() {
			got = append(got, w.Message)
		}
		if strings.Join(got, "; ") != want {
			s.Errorf("%s: warns %q, want %q", cut, got, want)
		}
	}
}
