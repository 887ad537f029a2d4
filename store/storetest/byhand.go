package storetest

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/seeds"
)

// snapshotTests ask packages with snapshots. The adder knows the rule too; here the answers are worked out by hand.
var snapshotTests = []test{
	{"year to date counts the last month", testYearToDate},
	{"report cuts of a year are not added", testReportCuts},
	{"facts, links and citations of what adds up over months", testFlowFacts},
	{"months of the real D5", testRealMonths},
}

// asking is a question with the answer as written gives it.
type asking struct{ question, want string }

func (s *subject) answers(version *cube.Cube, asked []asking) {
	s.Helper()
	for _, a := range asked {
		if got := written(s.ask(version, a.question)); got != a.want {
			s.Errorf("%s\ngot  %s\nwant %s", a.question, got, a.want)
		}
	}
}

// written writes an answer as its cells, its number of cells and its summary: a,b=1,2 c,d=3,4 (2) =4,6.
func written(r *answer.Answer) string {
	var list []string
	for _, cell := range r.Cells {
		list = append(list, strings.Join(texts(cell.Keys), ",")+"="+amountsText(cell.Values))
	}
	return strings.Join(append(list, fmt.Sprintf("(%d) =%s", r.Summary.Count, amountsText(r.Summary.Values))), " ")
}

func amountsText(values []decimal.NullDecimal) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = "null"
		if v.Valid {
			list[i] = v.Decimal.String()
		}
	}
	return strings.Join(list, ",")
}

// yearToDate is a package like D5: every month states the plan of the year again, and what has come in since
// January; fees are of the month alone. 2018 ends in June, and unit b has no rows after September 2017.
func yearToDate() fs.FS {
	rows := []string{"year,month,unit,plan,received,fees"}
	for _, year := range []int{2017, 2018} {
		for month := 1; month <= 12 && (year == 2017 || month <= 6); month++ {
			rows = append(rows, fmt.Sprintf("%d,%02d,a,%d,%d.5,%d", year, month, year, 10*month, month))
			if year == 2018 || month <= 9 {
				rows = append(rows, fmt.Sprintf("%d,%02d,b,100,%d,%d", year, month, month, 100*month))
			}
		}
	}
	return package5(map[string][]string{"lines.csv": rows}, `
levels: {month: {dimension: date, parent: year}}
measures: {fees: {flow: true}}
snapshots: {by: month, per: [year]}
`)
}

// package5 makes a package of resources with the fields year, month, unit, plan, received and fees.
func package5(resources map[string][]string, overlay string) fs.FS {
	files, list := fstest.MapFS{"overlay.yaml": {Data: []byte(overlay)}}, []string{}
	for name, rows := range resources {
		files[name] = &fstest.MapFile{Data: []byte(strings.Join(rows, "\n") + "\n")}
		list = append(list, fmt.Sprintf(`{"name": %q, "path": %q}`, name, name))
	}
	slices.Sort(list)
	files["datapackage.json"] = &fstest.MapFile{Data: []byte(`{"name": "stated", "schema": {"fields": [
		{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "month", "type": "string"},
		{"name": "unit", "type": "string"},
		{"name": "plan", "type": "number"}, {"name": "received", "type": "number"}, {"name": "fees", "type": "number"}]},
		"model": {"measures": {"plan": {}, "received": {}, "fees": {}}, "dimensions": {
			"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
			"other": {"dimensionType": "other", "primaryKey": ["month", "unit"]}}},
		"resources": [` + strings.Join(list, ",") + `]}`)}
	return files
}

func testYearToDate(s *subject) {
	version := s.load(yearToDate()).Cube
	const two = "&aggregates=plan.sum|received.sum"
	s.answers(version, []asking{
		{"aggregates=_count|plan.sum|received.sum", "=3,4135,187 (1) =3,4135,187"},
		{"cut=year:2017" + two, "=2017,120.5 (1) =2017,120.5"},
		{"cut=year:2017|month:..06" + two, "=2117,66.5 (1) =2117,66.5"},
		{"cut=month:..06" + two, "=4235,133 (1) =4235,133"},
		{"cut=month:..08&drilldown=year" + two, "2017=2117,88.5 2018=2118,66.5 (2) =4235,155"},
		{"cut=year:2017|!month:10;11;12" + two, "=2117,99.5 (1) =2117,99.5"},
		{"cut=unit:b&drilldown=year" + two, "2018=100,6 (1) =100,6"},
		{"cut=unit:b|month:..09&drilldown=year|unit" + two, "2017,b=100,9 2018,b=100,6 (2) =200,15"},
		{"drilldown=month&cut=date:2018/05;2018/06" + two, "2018,05=2118,55.5 2018,06=2118,66.5 (2) =2118,66.5"},
		{"drilldown=unit|month&cut=year:2017|month:11..12" + two, "a,2017,11=2017,110.5 a,2017,12=2017,120.5 (2) =2017,120.5"},
		{"drilldown=month&pagesize=0" + two, "(18) =4135,187"},
		{"drilldown=month&pagesize=1&page=18" + two, "2018,06=2118,66.5 (18) =4135,187"},
		{"cut=year:2018&aggregates=_count|plan.avg|received.max|plan.count", "=2,1059,60.5,2 (1) =2,1059,60.5,2"},
		{"cut=year:1999" + two, "=null,null (1) =null,null"},
		{"cut=year:2018&snapshots=all" + two, "=12708,234 (1) =12708,234"},
		{"cut=year:2018&drilldown=month&pagesize=0&snapshots=all" + two, "(6) =12708,234"},
		// fees add up over the months, in all rows that the cut admits, beside amounts that do not
		{"cut=year:2018&aggregates=fees.sum|plan.sum|_count|fees.avg", "=2121,2118,2,176.75 (1) =2121,2118,2,176.75"},
		{"cut=unit:b&drilldown=year&aggregates=fees.sum|plan.sum|_count", "2017=4500,null,0 2018=2100,100,1 (2) =6600,100,1"},
		{"cut=year:2018|month:05..&drilldown=month&aggregates=fees.sum|received.sum",
			"2018,05=505,55.5 2018,06=606,66.5 (2) =1111,66.5"},
		{"aggregates=fees.sum", "=6699 (1) =6699"},
	})
	bound := s.plan(version, "drilldown=year")
	warnings := fmt.Sprint(prose.Warnings(bound, caveat.Of(caveat.Evidence{Plan: bound}), cube.English))
	if !strings.Contains(warnings, "(2017: 12, 2018: 06); all are added up in fees") || !strings.Contains(warnings, "{period-incomplete") {
		s.Errorf("it warns %s", warnings)
	}
}

// testFlowFacts adds up the facts that the links of cells lead to, and those of the fields that add up over the months.
func testFlowFacts(s *subject) {
	version := s.load(yearToDate()).Cube
	for _, question := range []string{
		"drilldown=year|unit&aggregates=fees.sum|plan.sum", "drilldown=unit&cut=month:..06&aggregates=fees.sum", "aggregates=fees.sum|_count",
		"drilldown=year|month&aggregates=fees.sum", "drilldown=year|unit&aggregates=fees.sum&rollup=1", "cut=year:2018&aggregates=fees.sum&compare=year:-1",
	} {
		p := s.plan(version, question)
		for _, cell := range s.ask(version, question).Cells {
			cut, snapshots := p.CutOf(cell.Keys), string(p.FactSnapshots())
			if cut != "" {
				cut = "&cut=" + cut
			}
			if snapshots != "" {
				snapshots = "&snapshots=" + snapshots
			}
			for _, facts := range []string{"fields=fees|plan" + cut + snapshots, "fields=year|fees" + cut} {
				if got := s.sumOfFacts(version, facts); !got.Equal(cell.Values[0].Decimal) {
					s.Errorf("the facts %s of %s add up to %s, not %s", facts, question, got, cell.Values[0].Decimal)
				}
			}
		}
	}
	for facts, want := range map[string]int64{"fields=fees|plan&cut=year:2018": 606, "fields=plan|fees&cut=year:2018|unit:b": 600} {
		if got := s.sumOfFacts(version, facts); !got.Equal(decimal.NewFromInt(want)) {
			s.Errorf("the facts %s add up to %s, want the %d of the last month", facts, got, want)
		}
	}
	for _, question := range []string{
		"drilldown=year|unit", "drilldown=unit&cut=month:..06", "cut=year:2018|!month:06", "drilldown=unit|year&rollup=1", "drilldown=year&cut=unit:b", "",
	} {
		question += "&aggregates=plan.sum|fees.sum|received.sum"
		p := s.plan(version, strings.TrimPrefix(question, "&"))
		for _, cell := range s.ask(version, strings.TrimPrefix(question, "&")).Cells {
			facts := "snapshots=" + string(p.FactSnapshots())
			if cut := p.CutOf(cell.Keys); cut != "" {
				facts += "&cut=" + cut
			}
			for _, fields := range []string{"", "fields=_counts|received|plan|fees|unit&"} {
				sums := s.sumsCounted(version, fields+facts)
				for i, measure := range []string{"plan", "fees", "received"} {
					if got := sums[measure]; !got.Equal(cell.Values[i].Decimal) {
						s.Errorf("the facts %s of %s that count for %s add up to %s, not %s", facts, question, measure, got, cell.Values[i].Decimal)
					}
				}
			}
		}
	}
	for _, facts := range []string{"fields=fees|plan", "fields=fees&snapshots=all", "fields=plan|received&snapshots=all", "fields=fees|plan&cut=month:06&snapshots=all"} {
		if s.factPlan(version, facts).HasCounts() {
			s.Errorf("the facts %s say which amounts count each", facts)
		}
	}
	cited, err := answer.Cite(s.context(), s.Store, s.ask(version, "cut=year:2018&aggregates=fees.sum|plan.sum"), words.Locale{Language: cube.English}, prose.Named{})
	if want := "month: 06, the last report (fees: all reports added up)"; err != nil || !strings.Contains(cited.Text, want) {
		s.Errorf("the citation is %q, %v, want it to say %q", cited.Text, err, want)
	}
}

// factPlan binds a question for facts.
func (s *subject) factPlan(version *cube.Cube, question string) *plan.FactPlan {
	s.Helper()
	q, err := factQuery(question + "&pagesize=1000")
	if err != nil {
		s.Fatalf("%s: %v", question, err)
	}
	p, err := plan.BindFacts(version, q)
	if err != nil {
		s.Fatalf("%s: %v", question, err)
	}
	return p
}

// sumsCounted adds up each amount of the facts that a question gives, where the fact counts for it.
func (s *subject) sumsCounted(version *cube.Cube, question string) map[string]decimal.Decimal {
	s.Helper()
	p, sums := s.factPlan(version, question), map[string]decimal.Decimal{}
	page, err := answer.Facts(s.context(), s.Store, p, cube.English)
	if err != nil {
		s.Fatalf("%s: %v", question, err)
	}
	for _, fact := range page.Facts {
		counted := []string{"plan", "fees", "received"} // of a single month
		if p.HasCounts() {
			counted = strings.Split(p.Counts(fact).String(), "|")
		}
		for i, field := range p.Fields() {
			if slices.Contains(counted, field.Name) {
				sums[field.Name] = sums[field.Name].Add(fact.Values[i].Amount.Decimal)
			}
		}
	}
	return sums
}

// sumOfFacts adds up the fees of the facts that a question gives.
func (s *subject) sumOfFacts(version *cube.Cube, question string) decimal.Decimal {
	s.Helper()
	p := s.factPlan(version, question)
	page, err := answer.Facts(s.context(), s.Store, p, cube.English)
	if err != nil {
		s.Fatalf("%s: %v", question, err)
	}
	at := slices.IndexFunc(p.Fields(), func(c cube.Column) bool { return c.Name == "fees" })
	sum := decimal.Zero
	for _, fact := range page.Facts {
		sum = sum.Add(fact.Values[at].Amount.Decimal)
	}
	if page.Total != int64(len(page.Facts)) {
		s.Errorf("%s counts %d facts, and has %d", question, page.Total, len(page.Facts))
	}
	return sum
}

func testReportCuts(s *subject) {
	const header = "year,month,unit,plan,received,fees"
	version := s.load(package5(map[string][]string{
		"revenue-april__2016.csv":     {header, "2016,,a,1000,300,", "2016,,b,50,,"},
		"revenue-september__2016.csv": {header, "2016,,a,1100,700,", "2016,,b,50,20,"},
		"revenue-april__2017.csv":     {header, "2017,,a,1200,350,"},
	}, `snapshots: {by: {resource: "(april|september)", name: cut}, per: [year], order: [april, september]}`)).Cube
	s.answers(version, []asking{
		{"aggregates=plan.sum|received.sum", "=2350,1070 (1) =2350,1070"},
		{"drilldown=year&aggregates=plan.sum", "2016=1150 2017=1200 (2) =2350"},
		{"drilldown=year&cut=cut:april&aggregates=plan.sum|received.sum", "2016=1050,300 2017=1200,350 (2) =2250,650"},
		{"drilldown=cut&cut=year:2016&aggregates=plan.sum", "april=1050 september=1150 (2) =1150"},
		{"drilldown=cut|year&aggregates=plan.sum", "april,2016=1050 april,2017=1200 september,2016=1150 (3) =2350"},
		{"snapshots=all&aggregates=plan.sum", "=3400 (1) =3400"},
	})
}

// testRealMonths asks for one tax of 2017, of which the package states the plan in every month and what has come
// in since January (real-data.md, A1): added up that is twelve times the plan.
func testRealMonths(s *subject) {
	version := s.load(onDisk("D5-costa-rica-ingresos")(s.T)).Cube
	const tax = "&cut=ejercicio:2017|ci_fuente_codigo:1111010100001&aggregates=pi_monto.sum|de_monto.sum"
	s.answers(version, []asking{
		{"drilldown=ejercicio" + tax, "2017=243488000000,240572214721.52 (1) =243488000000,240572214721.52"},
		{"drilldown=ejercicio&cut=mes:..06|ejercicio:2017|ci_fuente_codigo:1111010100001&aggregates=pi_monto.sum|de_monto.sum",
			"2017=243488000000,116535001118.97 (1) =243488000000,116535001118.97"},
		{"drilldown=mes&pagesize=0" + tax, "(12) =243488000000,240572214721.52"},
		{"snapshots=all" + tax, "=2921856000000,1528918335229.3 (1) =2921856000000,1528918335229.3"},
	})
}

// labelTests cut by what members are called. The adder knows that too; here the answers are worked out by hand.
var labelTests = []test{
	{"label cut selects what its members mean", testLabelCuts},
	{"text cut ignores case and accents", testPartCuts},
	{"labels are of the years asked", testYearsByText},
	{"labels of rows without years", testUndated},
	{"labels of ministries that were renamed", testRenamedMinistries},
	{"cuts to members that do not exist", testUnknownMembers},
}

// renamed is a package whose offices change their names: 7 was Água in 2015, and 8 has been since, so that 8 means another
// office from 2016 on, while 7 has only other names. The number of an
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
		d.Schema.Fields[0].ColumnType = "date:generic"
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
		"office_name:Água":               "217", // office 7, whatever it is called in a row, and 8 from 2016 on
		"office_name:Água|year:2015":     "1",
		"office_name:Água|year:2016":     "16", // office 7 has another name in 2016
		"office_name:Fogo":               "2",
		"office_name:ÁGUA e luz":         "73",
		"office_name:  ÁGUA  e\u00a0luz": "73",
		"office_name:água":               "null", // whole labels are as they are
		"!office_name:Água":              "38",
		"office_name:":                   "36", // rows of the office that is missing have no label
		"office_name:Sem órgão":          "36",
		"!office_name:Sem órgão":         "219",
		"office_name:Luz;Sem órgão":      "109",
		"desk_name:Front":                "137", // desk 1 of office 7, that of 8 from 2016 on, not that of the missing one
		"desk_name:Back":                 "2",
		"desk_name:Loose":                "4",
		"!desk_name:Loose":               "251",
		"desk_name:":                     "112",
		"line_name:A":                    "8", // of single lines the cell counts as it is published
		`line_name:"A "`:                 "1",
		"line_name:":                     "4",
		"!line_name:A;B":                 "197",
	})
	s.answers(version, []asking{
		{"drilldown=offices&cut=office_name:Fogo&aggregates=paid.sum", "8,1=2 (1) =2"},
	})
}

func testPartCuts(s *subject) {
	version := s.load(renamed(true)).Cube
	s.sums(version, map[string]string{
		"office:~AGUA":          "217",
		"office_name:~luz":      "73",
		"office:~orgao":         "36",
		"office:~8":             "146",
		"office:8;~luz":         "219",
		"office_name:Fogo;~SEM": "38",
		"!office:~g":            "null",
		"!office:~a":            "2",
		"!office:~agua":         "38",
		"desk:~1":               "143",
		"desk:~front":           "137",
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

// testRenamedMinistries asks for a ministry by either of its names, which share no word, so that the code means another
// ministry since 2019; and for a court whose name holds a no-break space, and a unit, in the years of their names.
func testRenamedMinistries(s *subject) {
	version := s.load(seedOf(s, "example-mexico")).Cube
	for cut, years := range map[string]int{
		"DESC_RAMO:Bienestar": 2, "DESC_RAMO:Desarrollo Social": 11, "ID_RAMO:~BIENES": 2, "ID_RAMO:20": 13, "DESC_RAMO:Bienestar;Desarrollo Social": 13,
	} {
		result := s.ask(version, "drilldown=ID_RAMO|CICLO&aggregates=_count&cut="+cut)
		if len(result.Cells) != years || result.Cells[0].Keys[0] != cube.Text("20") && result.Cells[0].Keys[0] != cube.Integer(20) {
			s.Errorf("%s: %d cells", cut, len(result.Cells))
		}
	}
	s.answers(version, []asking{
		{"cut=DESC_RAMO:Tribunal de Justicia Administrativa|CICLO:2018&aggregates=_count", "=5 (1) =5"},
		{"cut=DESC_RAMO:Tribunal de Justicia Administrativa|CICLO:2008&aggregates=_count", "=0 (1) =0"},
		{"cut=DESC_RAMO:Tribunal de Justicia Administrativa&aggregates=_count", "=65 (1) =65"},
		{"cut=DESC_UR:Unidad de Crédito|CICLO:2013..2014&drilldown=ID_UR&aggregates=_count", "6,212=6 24,212=2 (2) =8"},
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

func testUnknownMembers(s *subject) {
	version := s.load(renamed(true)).Cube
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
		var got []string
		for _, w := range s.ask(version, "cut="+cut).Warnings {
			if w.Code == cube.WarnNoSuchMember {
				got = append(got, w.Message)
			}
		}
		if strings.Join(got, "; ") != want {
			s.Errorf("%s: warns %q, want %q", cut, got, want)
		}
	}
}

// memberTests list members. The adder knows them too; here the answers are worked out by hand.
var memberTests = []test{
	{"members with what they were called", testMembers},
	{"members that have facts under a cut", testMembersUnderCuts},
	{"members of snapshots", testMembersOnce},
	{"pages of members", testMemberPages},
}

// listing is a query for members with the answer as listed gives it.
type listing struct{ level, asked, want string }

func (s *subject) lists(version *cube.Cube, all []listing) {
	s.Helper()
	for _, l := range all {
		given := map[string]string{}
		for clause := range strings.SplitSeq(l.asked, "&") {
			if name, text, ok := strings.Cut(clause, "="); ok {
				given[name] = text
			}
		}
		q, err := query.ParseMembers(l.level, given)
		if err != nil {
			s.Fatalf("%s?%s: %v", l.level, l.asked, err)
		}
		p, err := plan.BindMembers(version, q)
		if err != nil {
			s.Fatalf("%s?%s: %v", l.level, l.asked, err)
		}
		rows, count, err := s.membersOf(p)
		if err != nil {
			s.Fatalf("%s?%s: %v", l.level, l.asked, err)
		}
		if got := listedMembers(rows, count); got != l.want {
			s.Errorf("%s?%s\ngot  %s\nwant %s", l.level, l.asked, got, l.want)
		}
	}
}

// listedMembers writes members as path, label and rows, then their number: 7/1 Front 2, 8/1 Front 2 (2).
func listedMembers(rows []plan.MemberRow, count int64) string {
	var list []string
	for _, row := range rows {
		list = append(list, fmt.Sprintf("%s %s %d", strings.Join(texts(row.Path), "/"), row.Label, row.Rows))
	}
	return fmt.Sprintf("%s (%d)", strings.Join(list, ", "), count)
}

func testMembers(s *subject) {
	version := s.load(renamed(true)).Cube
	s.lists(version, []listing{
		{"office", "", "7 Luz 3, 8 Água 3,  Sem órgão 2 (3)"},
		{"office_name", "order=label", "8 Água 3, 7 Luz 3,  Sem órgão 2 (3)"},
		{"offices.office", "order=label:desc", " Sem órgão 2, 7 Luz 3, 8 Água 3 (3)"},
		{"office", "order=key:desc", "8 Água 3, 7 Luz 3,  Sem órgão 2 (3)"},
		{"office", "order=rows", " Sem órgão 2, 7 Luz 3, 8 Água 3 (3)"},
		{"office", "q=AGUA", "7 Luz 3, 8 Água 3 (2)"},
		{"office", "q=fogo&order=rows:desc", "8 Água 3 (1)"},
		{"desk", "", "7/1 Front 2, 7/2 2 1, 8/1 Front 2, 8/  1, /1 Loose 1, /  1 (6)"},
		{"desk", "parent=7", "7/1 Front 2, 7/2 2 1 (2)"},
		{"desk", "parent=", "/1 Loose 1, /  1 (2)"},
		{"desk", "parent=9", " (0)"},
		{"desk", "q=front&parent=8", "8/1 Front 2 (1)"},
		{"desk", "order=key&pagesize=3", "7/1 Front 2, 8/1 Front 2, /1 Loose 1 (6)"},
		{"line", "order=rows:desc&pagesize=2", "a A  2, b B 1 (7)"},
	})
	q, _ := query.ParseMembers("office", map[string]string{"q": "luz"})
	p, err := plan.BindMembers(version, q)
	if err != nil {
		s.Fatal(err)
	}
	rows, _, err := s.membersOf(p)
	got := fmt.Sprintf("%v %v", rows, err)
	if want := "[{[7] Luz [{Luz [2017]} {ÁGUA e luz [2016]} {Água [2015]}] 2015 2017 3}] <nil>"; got != want {
		s.Errorf("got  %s\nwant %s", got, want)
	}
}

// Under a cut the labels shown are of the years that it admits, and rows are counted under it.
func testMembersUnderCuts(s *subject) {
	version := s.load(renamed(true)).Cube
	s.lists(version, []listing{
		{"office", "cut=year:2015", "7 Água 1, 8 Fogo 1,   1 (3)"},
		{"office", "cut=year:2015&order=label", "7 Água 1, 8 Fogo 1,   1 (3)"},
		{"office", "cut=year:2015&order=label&q=luz", " (0)"},
		{"office", "cut=year:..2016&q=luz", "7 ÁGUA e luz 2 (1)"},
		{"office", "cut=year:..2016", "7 ÁGUA e luz 2, 8 Água 2,  Sem órgão 2 (3)"},
		{"office", "cut=desk_name:Front", "7 Luz 2, 8 Água 1 (2)"},
		{"desk", "cut=!office_name:Água", "8/1 Front 1, /1 Loose 1, /  1 (3)"},
		{"desk", "cut=year:2015&parent=", "/1 Loose 1 (1)"},
		{"line", "cut=office:8", "b B 1, d B 1, g G 1 (3)"},
		{"year", "cut=office:7|desk:2", "2017 2017 1 (1)"},
		{"year", "cut=office:99", " (0)"},
	})
}

// Members have the rows of the last snapshots, unless they are the snapshots themselves.
func testMembersOnce(s *subject) {
	version := s.load(yearToDate()).Cube
	s.lists(version, []listing{
		{"unit", "", "a a 2, b b 1 (2)"},
		{"unit", "cut=month:..06", "a a 2, b b 2 (2)"},
		{"unit", "cut=year:2017", "a a 1 (1)"},
		{"year", "", "2017 2017 1, 2018 2018 2 (2)"},
		{"month", "cut=year:2018&pagesize=2", "2018/01 01 2, 2018/02 02 2 (6)"},
	})
}

func testMemberPages(s *subject) {
	version := s.load(renamed(true)).Cube
	s.lists(version, []listing{
		{"desk", "pagesize=2&page=3", "/1 Loose 1, /  1 (6)"},
		{"desk", "pagesize=2&page=4", " (6)"},
		{"desk", "pagesize=0", " (6)"},
		{"desk", "pagesize=4&page=2&order=rows:desc", "/1 Loose 1, /  1 (6)"},
	})
}
