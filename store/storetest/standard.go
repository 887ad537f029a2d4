package storetest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// standardTests load packages of each generation of Fiscal Data Package, and of each construct that makes data points of rows, and ask
// for sums that are worked out by hand.
var standardTests = func() []test {
	var tests []test
	for _, p := range standardPackages {
		tests = append(tests, test{p.name, func(s *subject) {
			files := fstest.MapFS{"datapackage.json": &fstest.MapFile{Data: []byte(p.descriptor)}}
			for name, text := range p.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			loaded := s.load(files)
			version := loaded.Cube
			s.answers(version, p.asked)
			if !strings.Contains(p.files["overlay.yaml"], "snapshots:") { // control totals add up the rows that state money again too
				s.addsUpTo(version)
			}
			if p.facts != "" {
				s.factsAre(version, p.facts)
			}
		}})
	}
	return append(tests, test{"the columns that citations name", (*subject).citesColumns}, test{"a phase that nobody declares", (*subject).warnsOfPhases})
}()

// warnsOfPhases checks that answers warn which add over a level that looks like phases.
func (s *subject) warnsOfPhases() {
	version := s.load(fstest.MapFS{"a.csv": {Data: []byte("year,Betrag-Typ,paid\n2015,Plan,1\n2015,Ist,2\n")}, "datapackage.json": {Data: []byte(
		tabled("undeclared", yearColumn+`{"name": "Betrag-Typ", "type": "string", "columnType": "fin-source:generic:code"},`+valueColumn, "", "]"))}}).Cube
	for question, want := range map[string]bool{"aggregates=paid.sum": true, "drilldown=year&aggregates=paid.sum": true, "drilldown=Betrag-Typ&aggregates=paid.sum": false,
		"cut=Betrag-Typ:Ist&aggregates=paid.sum": false, "aggregates=_count": false} {
		isOfPhases := func(w cube.Warning) bool {
			return w.Code == cube.WarnQualifierUndeclared && strings.Contains(w.Message, "Plan")
		}
		if got := s.ask(version, question).Warnings; slices.ContainsFunc(got, isOfPhases) != want {
			s.Errorf("%s is warned of with %v", question, got)
		}
	}
}

// citesColumns checks the columns of files that the citations of answers name.
func (s *subject) citesColumns() {
	of := func(name, fields, rows string) *cube.Cube {
		return s.load(fstest.MapFS{"a.csv": {Data: []byte(rows)}, "datapackage.json": {Data: []byte(tabled(name, codeColumn+fields, `, "extraFields": [`+targetColumn+`, `+phaseColumn+
			`, `+strings.TrimSuffix(yearColumn, ",")+`, {"name": "fund", "type": "string", "columnType": "fin-source:generic:code"}]`, "]"))}}).Cube
	}
	column := func(name, year, phase, fund string) string {
		return fmt.Sprintf(`{"name": "%s", "type": "number", "normalize": {"year": %s, "Phase": "%s", "fund": "%s"}}`, name, year, phase, fund)
	}
	split := of("funded", strings.Join([]string{column("A", "2015", "Plan", "01 - City"), column("B", "2015", "Plan", "02 - State"), column("C", "2016", "Plan", "01 - City"), column("D", "2016", "Plan", "02 - State"),
		column("E", "2017", "Plan", "02 - State")}, ", "), "code,A,B,C,D,E\n1,1,2,4,8,16\n")
	phases := of("alone", column("Plan", "2015", "Plan", "x")+`, `+column("Ist", "2015", "Ist", "x"), "code,Plan,Ist\n1,1,2\n")
	two := s.load(fstest.MapFS{"a.csv": {Data: []byte("code,FY15,FY16\n1,1,2\n")}, "b.csv": {Data: []byte("code,FY15,FY17\n2,4,8\n")}, "datapackage.json": {Data: []byte(
		strings.TrimSuffix(wide("several"), "]}") + `, {"name": "b", "path": "b.csv", "schema": ` + strings.ReplaceAll(wideSchema, "16", "17") + `}]}`)}}).Cube
	for _, c := range []struct {
		of                     *cube.Cube
		question, columns, hrs string
	}{
		{split, "cut=fund:01&aggregates=amount.sum", "columns of the file: “A”, “C”", ""},
		{split, "aggregates=amount.sum", "columns of the file: “A”, “B”, “C”, “D” and 1 more", "stupci datoteke: „A“, „B“, „C“, „D“ i još 1"},
		{phases, "aggregates=amount_executed.sum", "columns of the file: “Ist”", ""},
		{two, "cut=year:2015;2016&aggregates=amount.sum", "columns of the files: “FY15” (a), “FY16” (a), “FY15” (b)", "stupci datoteka: „FY15“ (a), „FY16“ (a), „FY15“ (b)"},
	} {
		for language, want := range map[cube.Language]string{cube.English: c.columns, "hr": c.hrs} {
			cited, err := answer.Cite(s.context(), s.Store, s.ask(c.of, c.question), words.Locale{Language: language}, prose.Named{})
			if err != nil || !strings.Contains(cited.Text, "; "+want+".") && want != "" {
				s.Errorf("%s of %s is cited as %q (%v), want %q", c.question, c.of.Name, cited.Text, err, want)
			}
		}
	}
}

// addsUpTo checks that the sum of each measure is that of the control totals, which a load adds up without the store.
func (s *subject) addsUpTo(version *cube.Cube) {
	s.Helper()
	report, err := findings.Of(version)
	if err != nil {
		s.Fatal(err)
	}
	measures, years := report.TotalsByYear()
	if want := len(version.Model.Measures()); len(measures) != want {
		s.Errorf("%d of %d measures have control totals: %v", len(measures), want, measures)
	}
	for _, measure := range measures {
		var sum decimal.Decimal
		for _, year := range years {
			sum = sum.Add(year.Sums[measure].Decimal)
		}
		s.answers(version, []asking{{"aggregates=" + measure + ".sum", fmt.Sprintf("=%s (1) =%[1]s", sum)}})
	}
}

// factsAre checks the facts of a version and their places, read at once, one after the other, and in another order.
func (s *subject) factsAre(version *cube.Cube, want string) {
	s.Helper()
	read := func(p *plan.FactPlan) (facts []plan.Fact) {
		for fact, err := range s.Facts(s.context(), p.Main()) {
			if err != nil {
				s.Fatal(err)
			}
			facts = append(facts, fact)
		}
		return facts
	}
	p := s.factPlan(version, "")
	written := func(facts []plan.Fact, width int) string {
		var lines []string
		for _, f := range facts {
			var cells []string
			for _, v := range f.Values[:width] {
				cells = append(cells, v.Text(0))
			}
			place := strconv.FormatInt(f.Line, 10)
			if p.HasColumn() {
				place += " " + p.ColumnOf(f).String()
			}
			lines = append(lines, place+": "+strings.Join(cells, ","))
		}
		return strings.Join(lines, "; ")
	}
	if got := written(read(p), len(p.Fields())); got != want {
		s.Errorf("the facts are\n%s\nwant\n%s", got, want)
	}
	var paged []plan.Fact
	for first := p.First(1); len(paged) <= 100; first = p.From(paged[len(paged)-1], 1) {
		page := read(first)
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
	}
	if got := written(paged, len(p.Fields())); got != want {
		s.Errorf("the facts one by one are\n%s\nwant\n%s", got, want)
	}
	if whole := read(p.First(query.EveryFact)); written(whole, len(p.Fields())) != want {
		s.Errorf("every fact is\n%s", written(whole, len(p.Fields())))
	}
}

// standardPackage is a package with questions and their answers.
type standardPackage struct {
	name, descriptor string
	files            map[string]string
	asked            []asking
	facts            string // with their lines; "" where these are not looked at
}

// statedByDate makes rows of funds C and S, and of T, which is their sum, at the ends of three months of two years: C has the code times the
// month times the place of the year, and of codes 1 and 2 ten times as much is paid back to S.
func statedByDate() string {
	text := "day,fund,code,paid\n"
	for year := 1; year <= 2; year++ {
		for month, day := range []string{"31.01", "28.02", "31.03"} {
			for code := 1; code <= 5; code++ {
				c, s := code*(month+1)*year, 0
				if code <= 2 {
					s = -10 * c
					text += fmt.Sprintf("%s.%d,S,%d,%d\n", day, 2014+year, code, s)
				}
				text += fmt.Sprintf("%s.%d,C,%d,%d\n%[1]s.%[2]d,T,%[3]d,%[5]d\n", day, 2014+year, code, c, c+s)
			}
		}
	}
	return text
}

// tabled is a descriptor with one table, whose schema has these fields and more, and more of the package.
func tabled(name, fields, schema, more string) string {
	return `{"name": "` + name + `", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [` + fields + `]` + schema + `}}` + more + `}`
}

const (
	yearColumn     = `{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},`
	codeColumn     = `{"name": "code", "type": "string", "columnType": "functional-classification:generic:code"},`
	valueColumn    = `{"name": "paid", "type": "number", "columnType": "value"}`
	amountColumn   = `{"name": "amount", "type": "number", "columnType": "value"}`
	phaseColumn    = `{"name": "Phase", "type": "string", "columnType": "phase:id"}`
	currencyColumn = `{"name": "cur", "type": "string", "columnType": "value-currency:code"}`
	targetColumn   = `{"name": "amount", "type": "number", "columnType": "value", "normalizationTarget": true}`
)

// twoTables is a descriptor with two tables, whose schemas have a year, these fields and more.
func twoTables(name, fields, schema, others, otherSchema string) string {
	return tabled(name, yearColumn+fields, schema, `, {"name": "b", "path": "b.csv", "schema": {"fields": [`+yearColumn+others+`]`+otherSchema+`}}]`)
}

// wide is a descriptor of a table with a column of amounts for each of two years.
func wide(name string) string {
	return `{"name": "` + name + `", "resources": [{"name": "a", "path": "a.csv", "schema": ` + wideSchema + `}]}`
}

var wideSchema = `{"fields": [` + codeColumn + `{"name": "FY15", "type": "number", "normalize": {"year": 2015}}, {"name": "FY16", "type": "number", "normalize": {"year": 2016}}],
 "extraFields": [` + targetColumn + `, ` + strings.TrimSuffix(yearColumn, ",") + `]}`

var standardPackages = []standardPackage{
	{"0.3 with names of its own", tabled("named", `{"name": "Year", "type": "date", "format": "%Y"}, {"name": "Body Code", "type": "string"}, {"name": "Body", "type": "string"}, {"name": "Spent", "type": "number"}`, "",
		`], "model": {"measures": {"amount": {"source": "Spent", "currency": "EUR", "phase": "executed"}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": "year",
		 "attributes": {"year": {"source": "Year"}}}, "body": {"primaryKey": ["id"], "attributes": {"id": {"source": "Body Code"}, "label": {"source": "Body", "labelfor": "id"}}}}}`),
		map[string]string{"a.csv": "Year,Body Code,Body,Spent\n2014,1,Roads,10.5\n2014,2,Schools,20\n2015,1,Roads,7\n"},
		[]asking{{"drilldown=year&aggregates=amount.sum", "2014=30.5 2015=7 (2) =37.5"}, {"drilldown=body&cut=label:Roads&aggregates=amount.sum|_count", "1=17.5,2 (1) =17.5,2"}}, ""},
	{"0.3 alpha", tabled("alpha", `{"name": "yr", "type": "string"}, {"name": "f", "type": "string"}, {"name": "n", "type": "number"}`, "",
		`], "mapping": {"measures": {"amount": {"source": "n"}}, "dimensions": {"date": {"dimensionType": "datetime", "fields": {"id": {"source": "yr"}}}, "func": {"fields": {"func": {"source": "f"}}}}}`),
		map[string]string{"a.csv": "yr,f,n\n2012,x,1\n2013,x,2\n2013,y,4\n"},
		[]asking{{"drilldown=func&cut=id:2013&aggregates=amount.sum", "x=2 y=4 (2) =6"}}, ""},
	{"statements by date, of funds and of all", tabled("dated", `{"name": "day", "type": "date", "format": "%d.%m.%Y", "columnType": "date:generic"}, {"name": "fund", "type": "string", "columnType": "fin-source:generic:code"},`+codeColumn+valueColumn, "", "]"),
		map[string]string{"a.csv": statedByDate(), "overlay.yaml": "applies: {name: dated}\nsnapshots: {by: day, per: [fiscal_year]}\n"},
		[]asking{{"drilldown=fiscal_year&aggregates=paid.sum|_count", "2015=-45,7 2016=-90,7 (2) =-135,14"}, // 3 x 15 - 30 x 3, and twice as much
			{"drilldown=fund&cut=day:2016-02-28&aggregates=paid.sum", "C=60 S=-120 (2) =-60"}, {"drilldown=code&cut=fiscal_year:2016&aggregates=paid.sum&snapshots=all", "1=-108 2=-216 3=36 4=48 5=60 (5) =-180"},
			{"cut=fiscal_year:2016&aggregates=paid.sum&compare=fiscal_year:-1", "=-90,-45,-45,-100 (1) =-90,-45,-45,-100"}}, ""},
	{"column types alone", tabled("typed", yearColumn+`{"name": "c1", "type": "string", "osType": "economic-classification:generic:level1:code"},
		{"name": "c3", "type": "string", "columnType": "economic-classification:generic:level3:code"}, {"name": "l3", "type": "string", "columnType": "economic-classification:generic:level3:label"},`+valueColumn, "", "]"),
		map[string]string{"a.csv": "year,c1,c3,l3,paid\n2015,1,11,Wages,3\n2015,1,12,Goods,4\n2015,2,11,Loans,5\n"},
		[]asking{{"drilldown=c3&aggregates=paid.sum", "1,11=3 1,12=4 2,11=5 (3) =12"}, {"drilldown=c1&cut=l3:Goods;Loans&aggregates=paid.sum", "1=4 2=5 (2) =9"}}, ""},
	{"no model and no column types", tabled("plain", `{"name": "Year", "type": "year"}, {"name": "town", "type": "string"}, {"name": "open", "type": "boolean"}, {"name": "paid", "type": "number"}`, "", "]"),
		map[string]string{"a.csv": "Year,town,open,paid\n2015,A,1,3\n2016,A,FALSE,4\n2016,B,True,5\n"},
		[]asking{{"drilldown=town&cut=Year:2016&aggregates=paid.sum", "A=4 B=5 (2) =9"}, {"drilldown=open&aggregates=paid.sum", "true=8 false=4 (2) =12"}}, ""},
	{"a constant, and numbers with signs", tabled("constant", codeColumn+`{"name": "paid", "type": "number", "columnType": "value", "bareNumber": false, "groupChar": ",", "missingValues": ["n/a"]}`,
		`, "extraFields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year", "constant": 2015}]`, "]"),
		map[string]string{"a.csv": "code,paid\n1,\"$1,107.60\"\n2,n/a\n1,-$7.60\n3,5 EUR\n"},
		[]asking{{"drilldown=year|code&aggregates=paid.sum", "2015,1=1100 2015,2=null 2015,3=5 (3) =1105"}, {"aggregates=paid.count|_count", "=3,4 (1) =3,4"}}, ""},
	{"phases in columns", tabled("phases", yearColumn+codeColumn+`{"name": "Plan", "type": "number", "normalize": {"Phase": "approved"}}, {"name": "Actual", "type": "number", "normalize": {"Phase": "executed"}}`,
		`, "extraFields": [`+targetColumn+`, {"name": "Phase", "type": "string", "columnType": "phase:id"}]`, "]"),
		map[string]string{"a.csv": "year,code,Plan,Actual\n2015,1,10,9\n2015,2,20,\n2016,1,30,33\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_executed.sum|_count", "2015=30,9,2 2016=30,33,1 (2) =60,42,3"}}, ""},
	{"years in columns", wide("years"),
		map[string]string{"a.csv": "code,FY15,FY16\n1,1,2\n2,4,8\n"},
		[]asking{{"drilldown=year&aggregates=amount.sum|_count", "2015=5,2 2016=10,2 (2) =15,4"}, {"drilldown=code&cut=year:2016&aggregates=amount.sum", "1=2 2=8 (2) =10"}},
		"2 FY15: 1,1,2015; 2 FY16: 1,2,2016; 3 FY15: 2,4,2015; 3 FY16: 2,8,2016"},
	{"totals of one year in lines of two", wide("onetotal"), map[string]string{"a.csv": "code,FY15,FY16\n1,1,\n2,4,\nTotal,5,11\n"},
		[]asking{{"drilldown=year&aggregates=amount.sum", "2015=10 2016=11 (2) =21"}}, ""},
	{"a phase of normalize in one table alone", twoTables("half", `{"name": "P", "type": "number", "normalize": {"Phase": "Plan"}}`, `, "extraFields": [`+targetColumn+`, `+phaseColumn+`]`, amountColumn, ""),
		map[string]string{"a.csv": "year,P\n2015,1\n2016,2\n", "b.csv": "year,amount\n2015,4\n2016,8\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_unknown.sum", "2015=1,4 2016=2,8 (2) =3,12"}}, ""},
	{"a phase of a field in one table alone", twoTables("property", strings.Replace(amountColumn, `"number"`, `"number", "phase": "Plan"`, 1), "", amountColumn, ""),
		map[string]string{"a.csv": "year,amount\n2015,1\n2016,2\n", "b.csv": "year,amount\n2015,4\n2016,8\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_unknown.sum", "2015=1,4 2016=2,8 (2) =3,12"}}, ""},
	{"a currency of normalize, and others in rows", twoTables("currencies", `{"name": "E", "type": "number", "normalize": {"cur": "EUR"}}`, `, "extraFields": [`+targetColumn+`, `+currencyColumn+`]`, currencyColumn+`, `+amountColumn, ""),
		map[string]string{"a.csv": "year,E\n2015,1\n", "b.csv": "year,cur,amount\n2015,EUR,2\n2015,HRK,4\n"},
		[]asking{{"aggregates=amount_eur.sum|amount_hrk.sum", "=3,4 (1) =3,4"}}, "2: 2015,1,EUR,1,; 2: 2015,2,EUR,2,; 3: 2015,4,HRK,,4"},
	{"a currency of an option, and one of a constant", twoTables("option", strings.Replace(amountColumn, `"number"`, `"number", "options": [{"name": "currency", "defaultValue": "EUR"}, {"name": "factor", "value": "1000"}]`, 1), "",
		amountColumn, `, "extraFields": [`+strings.Replace(currencyColumn, `"}`, `", "constant": "HRK"}`, 1)+`]`),
		map[string]string{"a.csv": "year,amount\n2015,1\n", "b.csv": "year,amount\n2015,4\n"},
		[]asking{{"aggregates=amount_eur.sum|amount_hrk.sum", "=1,4 (1) =1,4"}}, ""},
	{"phases of normalize in one table, and in rows of another", twoTables("phased", `{"name": "P", "type": "number", "normalize": {"Phase": "Plan"}}, {"name": "A", "type": "number", "normalize": {"Phase": "Ist"}}`,
		`, "extraFields": [`+targetColumn+`, `+phaseColumn+`]`, phaseColumn+`, `+amountColumn, ""),
		map[string]string{"a.csv": "year,P,A\n2015,1,2\n", "b.csv": "year,Phase,amount\n2016,Plan,4\n2016,Ist,8\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_executed.sum", "2015=1,2 2016=4,8 (2) =5,10"}}, ""},
	{"two phases in one table, and one in another", twoTables("fewer", `{"name": "P", "type": "number", "normalize": {"Phase": "Plan"}}, {"name": "A", "type": "number", "normalize": {"Phase": "Ist"}}`,
		`, "extraFields": [`+targetColumn+`, `+phaseColumn+`]`, `{"name": "P", "type": "number", "normalize": {"Phase": "approved"}}`, `, "extraFields": [`+targetColumn+`, `+phaseColumn+`]`),
		map[string]string{"a.csv": "year,P,A\n2015,1,2\n", "b.csv": "year,P\n2016,4\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_executed.sum|_count", "2015=1,2,1 2016=4,null,1 (2) =5,2,2"}}, ""},
	{"two words for one phase in two tables", twoTables("twowords", `{"name": "P", "type": "number", "normalize": {"Phase": "Plan"}}, {"name": "A", "type": "number", "normalize": {"Phase": "Ist"}}`,
		`, "extraFields": [`+targetColumn+`, `+phaseColumn+`]`, phaseColumn+`, `+amountColumn, ""),
		map[string]string{"a.csv": "year,P,A\n2015,1,2\n", "b.csv": "year,Phase,amount\n2016,approved,4\n2016,executed,8\n2016,,16\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_executed.sum|amount_unknown.sum", "2015=1,2,null 2016=4,8,16 (2) =5,10,16"},
			{"cut=Phase:Plan;approved&aggregates=amount_approved.sum|_count", "=5,2 (1) =5,2"}}, ""},
	{"phases with labels in one table alone", twoTables("labelled", phaseColumn+`, `+amountColumn, "", phaseColumn+`, {"name": "name", "type": "string", "columnType": "phase:label"}, `+amountColumn, ""),
		map[string]string{"a.csv": "year,Phase,amount\n2015,B,1\n2015,A,2\n", "b.csv": "year,Phase,name,amount\n2015,B,Plan,4\n2015,A,Ist,8\n"},
		[]asking{{"aggregates=amount_b.sum|amount_a.sum", "=5,10 (1) =5,10"}}, ""},
	{"two words for one phase in rows of one table", tabled("tworows", yearColumn+phaseColumn+`, `+amountColumn, "", "]"),
		map[string]string{"a.csv": "year,Phase,amount\n2015,Plan,1\n2015,approved,2\n"}, []asking{{"aggregates=amount_plan.sum|amount_approved.sum", "=1,2 (1) =1,2"}}, ""},
	{"two words for one phase in one table", tabled("words", yearColumn+`{"name": "P", "type": "number", "normalize": {"Phase": "Plan"}}, {"name": "B", "type": "number", "normalize": {"Phase": "approved"}}`, `, "extraFields": [`+targetColumn+`, `+phaseColumn+`]`, "]"),
		map[string]string{"a.csv": "year,P,B\n2015,1,2\n"}, []asking{{"aggregates=amount_plan.sum|amount_approved.sum", "=1,2 (1) =1,2"}}, ""},
	{"amounts that occur in several phases", tabled("repeated", yearColumn+codeColumn+`{"name": "Art", "type": "string", "columnType": "phase:id"},`+valueColumn, "", "]"),
		map[string]string{"a.csv": "year,code,Art,paid\n2015,1,approved,1\n2015,2,approved,2\n2015,3,executed,5\n2016,1,executed,1\n"},
		[]asking{{"drilldown=year&aggregates=paid_approved.sum|paid_executed.sum", "2015=3,5 2016=null,1 (2) =3,6"}}, ""},
	{"a currency of the field, and another in rows", tabled("contradicted", yearColumn+`{"name": "cur", "type": "string", "columnType": "value-currency:code"},
		 {"name": "paid", "type": "number", "columnType": "value", "currency": "EUR"}`, "", "]"),
		map[string]string{"a.csv": "year,cur,paid\n2015,EUR,1\n2015,HRK,20\n"}, []asking{{"aggregates=paid_eur.sum|paid_hrk.sum", "=1,20 (1) =1,20"}}, ""},
	{"years in columns with marks of their own", tabled("marks", codeColumn+`{"name": "FY15", "type": "number", "decimalChar": ",", "groupChar": ".", "missingValues": ["0"], "normalize": {"year": 2015}},
		 {"name": "FY16", "type": "number", "normalize": {"year": 2016}}`, `, "extraFields": [`+targetColumn+`, {"name": "year", "type": "integer", "columnType": "date:fiscal-year"}]`, "]"),
		map[string]string{"a.csv": "code,FY15,FY16\n1,1.234,1.234\n2,\"2,5\",2.500\n3,0,0\n"},
		[]asking{{"drilldown=year|code&aggregates=amount.sum", "2015,1=1234 2015,2=2.5 2015,3=null 2016,1=1.234 2016,2=2.5 2016,3=0 (6) =1240.234"}}, ""},
	{"a model, and amounts by phase", tabled("mixed", `{"name": "y", "type": "year"}, {"name": "P", "type": "number", "normalize": {"Phase": "approved"}}, {"name": "A", "type": "number", "normalize": {"Phase": "executed"}}`,
		`, "extraFields": [{"name": "n", "type": "number", "normalizationTarget": true}, {"name": "Phase", "type": "string", "columnType": "phase:id"}]`,
		`], "model": {"measures": {"spending": {"source": "n"}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["y"], "attributes": {"y": {}}}}}`),
		map[string]string{"a.csv": "y,P,A\n2015,1,2\n2016,4,8\n"}, []asking{{"drilldown=y&aggregates=spending_approved.sum|spending_executed.sum", "2015=1,2 2016=4,8 (2) =5,10"}}, ""},
	{"rows of two years beside rows of one", tabled("beside", `{"name": "F15", "type": "number", "normalize": {"year": 2015}}, {"name": "F16", "type": "number", "normalize": {"year": 2016}}`,
		`, "extraFields": [`+targetColumn+`, `+strings.TrimSuffix(yearColumn, ",")+`]`, `, {"name": "b", "path": "b.csv", "schema": {"fields": [`+yearColumn+strings.ReplaceAll(valueColumn, "paid", "amount")+`]}}]`),
		map[string]string{"a.csv": "F15,F16\n1,2\n", "b.csv": "year,amount\n2017,4\n"}, []asking{{"drilldown=year&aggregates=amount.sum", "2015=1 2016=2 2017=4 (3) =7"}},
		"2 F15: 1,2015; 2 F16: 2,2016; 2 amount: 4,2017"},
	{"an own column type below a name", `{"name": "own", "columnTypes": [{"name": "street:house", "prior": "street:name", "unique": true}],` +
		strings.TrimPrefix(tabled("own", yearColumn+`{"name": "h", "type": "string", "columnType": "street:house"}, {"name": "n", "type": "string", "columnType": "street:name"},`+valueColumn, "", "]"), `{"name": "own",`),
		map[string]string{"a.csv": "year,h,n,paid\n2015,1,Elm,1\n2015,1,Oak,2\n2015,2,Elm,4\n"}, []asking{{"drilldown=h&aggregates=paid.sum", "Elm,1=1 Elm,2=4 Oak,1=2 (3) =7"}}, ""},
	{"measures of one resource each", tabled("apart", `{"name": "y", "type": "year"}, {"name": "v", "type": "number"}`, "",
		`, {"name": "b", "path": "b.csv", "schema": {"fields": [{"name": "y", "type": "year"}, {"name": "v", "type": "number"}]}}],
		 "model": {"measures": {"plan": {"source": "v", "resource": "a", "phase": "approved"}, "paid": {"source": "v", "resource": "b", "phase": "executed"}},
		 "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["y"], "attributes": {"y": {}}}}}`),
		map[string]string{"a.csv": "y,v\n2015,1\n2015,2\n", "b.csv": "y,v\n2015,4\n2015,8\n"}, []asking{{"aggregates=plan.sum|paid.sum", "=3,12 (1) =3,12"}}, ""},
	{"a code list in the descriptor", tabled("inline", yearColumn+`{"name": "u", "type": "string"},`+valueColumn, `, "foreignKeys": [{"fields": "u", "reference": {"resource": "units", "fields": "id"}}]`,
		`, {"name": "units", "data": [{"id": "1", "body": "Roads"}, {"id": "2", "body": "Schools"}], "schema": {"fields": [
		 {"name": "id", "type": "string", "columnType": "administrative-classification:generic:code"}, {"name": "body", "type": "string", "columnType": "administrative-classification:generic:label"}]}}]`),
		map[string]string{"a.csv": "year,u,paid\n2015,1,1\n2015,2,2\n2016,2,4\n"}, []asking{{"drilldown=u&cut=body:Schools&aggregates=paid.sum", "2=6 (1) =6"}}, ""},
	{"parts beside a resource of their name", tabled("named", yearColumn+valueColumn, "",
		`, {"name": "r", "path": ["b.csv", "c.csv"], "schema": {"fields": [`+yearColumn+valueColumn+`]}}, {"name": "r-2", "path": "d.csv", "schema": {"fields": [`+yearColumn+valueColumn+`]}}]`),
		map[string]string{"a.csv": "year,paid\n2015,1\n", "b.csv": "year,paid\n2015,2\n", "c.csv": "2015,4\n", "d.csv": "year,paid\n2016,8\n"},
		[]asking{{"drilldown=year&aggregates=paid.sum", "2015=7 2016=8 (2) =15"}}, ""},
	{"dates in columns", tabled("days", codeColumn+`{"name": "FY15", "type": "number", "normalize": {"day": "31.12.2015"}}, {"name": "FY16", "type": "number", "normalize": {"day": "31.12.2016"}}`,
		`, "extraFields": [`+targetColumn+`, {"name": "day", "type": "date", "format": "%d.%m.%Y", "columnType": "date:fiscal-year"}]`, "]"),
		map[string]string{"a.csv": "code,FY15,FY16\n1,1,2\n2,4,8\n"}, []asking{{"drilldown=fiscal_year&aggregates=amount.sum", "2015=5 2016=10 (2) =15"}},
		"2 FY15: 1,1,2015-12-31,2015; 2 FY16: 1,2,2016-12-31,2016; 3 FY15: 2,4,2015-12-31,2015; 3 FY16: 2,8,2016-12-31,2016"},
	{"dates of no format in columns", tabled("isodays", codeColumn+`{"name": "FY15", "type": "number", "normalize": {"day": "2015-06-30"}}, {"name": "FY16", "type": "number", "normalize": {"day": "2016-12-31"}}`,
		`, "extraFields": [`+targetColumn+`, {"name": "day", "type": "date", "columnType": "date:fiscal-year"}]`, "]"),
		map[string]string{"a.csv": "code,FY15,FY16\n1,1,2\n2,4,8\n"}, []asking{{"drilldown=fiscal_year&aggregates=amount.sum", "2015=5 2016=10 (2) =15"}}, ""},
	{"columns that an overlay says the phases of", tabled("said", yearColumn+`{"name": "P", "type": "number", "normalize": {"art": "Plan"}}, {"name": "A", "type": "number", "normalize": {"art": "Ist"}}`,
		`, "extraFields": [`+targetColumn+`, {"name": "art", "type": "string", "columnType": "fin-source:generic:code"}]`, "]"),
		map[string]string{"a.csv": "year,P,A\n2015,1,2\n2016,4,8\n", "overlay.yaml": "applies: {name: said}\nqualifiers: {phase: art}\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_executed.sum", "2015=1,2 2016=4,8 (2) =5,10"}},
		"2 A: 2015,2,Ist,2,; 2 P: 2015,1,Plan,,1; 3 A: 2016,8,Ist,8,; 3 P: 2016,4,Plan,,4"},
	{"years and phases in columns", tabled("both", codeColumn+`{"name": "B15", "type": "number", "normalize": {"year": "2015", "Phase": "approved"}}, {"name": "A15", "type": "number", "normalize": {"year": "2015", "Phase": "executed"}},
		{"name": "B16", "type": "number", "normalize": {"year": "2016", "Phase": "approved"}}`, `, "extraFields": [`+targetColumn+`, {"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "Phase", "type": "string", "columnType": "phase:id"}]`, "]"),
		map[string]string{"a.csv": "code,B15,A15,B16\n1,1,2,4\n2,8,16,32\n"},
		[]asking{{"drilldown=year&aggregates=amount_approved.sum|amount_executed.sum", "2015=9,18 2016=36,null (2) =45,18"}}, ""},
	{"code lists", tabled("lists", yearColumn+`{"name": "unit", "type": "string"},`+valueColumn, `, "foreignKeys": [{"fields": "unit", "reference": {"resource": "units", "fields": "id"}}]`,
		`, {"name": "units", "path": "units.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:level2:code"},
		 {"name": "name", "type": "string", "columnType": "administrative-classification:generic:level2:label"}, {"name": "of", "type": "string"}],
		 "foreignKeys": [{"fields": "of", "reference": {"resource": "bodies", "fields": "id"}}]}},
		 {"name": "bodies", "path": "bodies.csv", "schema": {"fields": [{"name": "id", "type": "string", "columnType": "administrative-classification:generic:level1:code"},
		 {"name": "name", "type": "string", "columnType": "administrative-classification:generic:level1:label"}]}}]`),
		map[string]string{"a.csv": "year,unit,paid\n2015,u1,1\n2015,u2,2\n2015,u3,4\n2015,u9,8\n", "units.csv": "id,name,of\nu1,Roads,b1\nu2,Rail,b1\nu3,Schools,b2\n",
			"bodies.csv": "id,name\nb1,Transport\nb2,Education\n"},
		[]asking{{"drilldown=id&aggregates=paid.sum", "b1=3 b2=4 =8 (3) =15"}, {"drilldown=unit&cut=of_name:Transport&aggregates=paid.sum", "b1,u1=1 b1,u2=2 (2) =3"}, {"cut=name:Schools&aggregates=paid.sum", "=4 (1) =4"}}, ""},
	{"a qualifier of the overlay", tabled("declared", yearColumn+`{"name": "Betrag-Typ", "type": "string"},`+valueColumn, "", `], "model": {"measures": {"paid": {"direction": "expenditure"}}, "dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]}, "typ": {"primaryKey": ["Betrag-Typ"]}}}`),
		map[string]string{"a.csv": "year,Betrag-Typ,paid\n2015,Plan,1\n2015,Ist,2\n", "overlay.yaml": "applies: {name: declared}\nqualifiers: {phase: Betrag-Typ}\n"},
		[]asking{{"aggregates=paid_approved.sum|paid_executed.sum", "=1,2 (1) =1,2"}}, ""},
	{"a dialect", strings.Replace(tabled("dialect", yearColumn+codeColumn+valueColumn, `, "missingValues": ["", "x"]`, "]"), `"path": "a.csv"`,
		`"path": "a.csv", "dialect": {"delimiter": "|", "quoteChar": "'", "escapeChar": "\\", "headerRows": [2, 3], "headerJoin": "-", "commentRows": [4], "commentChar": "#", "skipInitialSpace": true, "nullSequence": "NULL"}`, 1),
		map[string]string{"a.csv": "Budget of a town\nyear|code|\n||paid\nthousands||\n# a note\n2015| 'a|b'|1\n2015|'it\\'s'|2\n2016|'a''c'|4\n2016|NULL|8\n"},
		[]asking{{"drilldown=code&aggregates=paid.sum", "a'c=4 a|b=1 it's=2 =8 (4) =15"}}, ""},
	{"files of one table", strings.Replace(tabled("parts", yearColumn+codeColumn+valueColumn, "", "]"), `"path": "a.csv"`, `"path": ["a.csv", "b.csv", "c.csv"]`, 1),
		map[string]string{"a.csv": "year,code,paid\n2015,1,1\n", "b.csv": "2016,1,2\n", "c.csv": "year,code,paid\n2017,2,4\n"},
		[]asking{{"drilldown=year&aggregates=paid.sum", "2015=1 2016=2 2017=4 (3) =7"}}, "2: 2015,1,1; 1: 2016,1,2; 2: 2017,2,4"},
	{"rows in the descriptor", strings.Replace(tabled("inline", yearColumn+codeColumn+valueColumn, "", "]"), `"path": "a.csv"`, `"data": [{"year": 2015, "code": "1", "paid": 1.5}, {"code": "2", "year": 2015, "paid": null}, {"year": 2015, "code": "2", "paid": "3"}]`, 1),
		nil, []asking{{"drilldown=code&aggregates=paid.sum", "1=1.5 2=3 (2) =4.5"}}, ""},
	{"no header, and a schema of its own", `{"name": "bare", "resources": [{"name": "a", "path": "a.tsv", "format": "tsv", "schema": "schema.json", "dialect": {"header": false}}]}`,
		map[string]string{"a.tsv": "2015\t1\t2\n2016\t1\t4\n", "schema.json": `{"fields": [` + yearColumn + codeColumn + valueColumn + `]}`},
		[]asking{{"drilldown=year&aggregates=paid.sum", "2015=2 2016=4 (2) =6"}}, ""},
	{"a family's budget in one table", `{"name": "family", "resources": [{"name": "budget", "path": "week.csv", "schema": {"fields": [
		{"name": "Who?", "type": "string", "columnType": "administrative-classification:generic:code"}, {"name": "What for?", "type": "string", "columnType": "functional-classification:generic:code"},
		{"name": "Plan", "type": "number", "bareNumber": false, "normalize": {"Phase": "Plan"}}, {"name": "Actual", "type": "number", "bareNumber": false, "normalize": {"Phase": "Actual"}}],
		"extraFields": [{"name": "Amount", "type": "number", "columnType": "value", "normalizationTarget": true}, {"name": "Phase", "type": "string", "columnType": "phase:id"},
		 {"name": "Week Start", "type": "date", "columnType": "date:fiscal:activity-start", "constant": "3/11/2019", "format": "%d/%m/%Y"},
		 {"name": "Currency", "type": "string", "columnType": "value-currency:code", "constant": "EUR"}, {"name": "tags", "type": "array", "constant": [1, 2]}]}}]}`,
		map[string]string{"week.csv": "Who?,What for?,Plan,Actual\nAda,Food,$80,$91.20\nAda,Books,$12,$0\nBen,Fuel,$44,$40.5\n"},
		[]asking{{"drilldown=fiscal_year&aggregates=Amount_approved.sum|Amount_executed.sum|_count", "2019=136,131.7,3 (1) =136,131.7,3"},
			{"drilldown=\"Who?\"&aggregates=Amount_executed.sum", "Ada=91.2 Ben=40.5 (2) =131.7"}}, ""},
	{"a family's budget in five tables", `{"name": "families", "resources": [
		{"name": "buyer", "path": "Buyer.csv", "schema": {"fields": [{"name": "BuyerID", "type": "string"}, {"name": "Buyer", "type": "string", "columnType": "administrative-classification:generic:code"}]}},
		{"name": "phase", "path": "Phase.csv", "schema": {"fields": [{"name": "PhaseID", "type": "string"}, {"name": "Phase", "type": "string", "columnType": "phase:id"}]}},
		{"name": "budget", "path": "Budget.csv", "schema": {"fields": [{"name": "Week Start", "type": "date", "columnType": "date:fiscal:activity-start", "format": "%Y-%m-%d"},
		 {"name": "ID", "type": "string", "columnType": "budget-line-id"}, {"name": "BuyerId", "type": "string"}, {"name": "PhaseID", "type": "string"},
		 {"name": "Amount", "type": "number", "bareNumber": false, "columnType": "value"}],
		 "foreignKeys": [{"fields": "BuyerID", "reference": {"resource": "buyer", "fields": "BuyerID"}}, {"fields": "PhaseID", "reference": {"resource": "phase", "fields": "PhaseID"}}],
		 "extraFields": [{"name": "Currency", "type": "string", "columnType": "value-currency:code", "constant": "EUR"}]}}]}`,
		map[string]string{"Buyer.csv": "BuyerID,Buyer\nB1,Ada\nB2,Ben\n", "Phase.csv": "PhaseID,Phase\nP,Planned\nA,Actual\n",
			"Budget.csv": "Week Start,ID,BuyerId,PhaseID,Amount\n2019-11-03,1,B1,P,$80\n2019-11-03,1,B1,A,$91.20\n2019-11-03,2.1,B2,P,$44\n2019-11-03,2.1,B2,A,$40.5\n"},
		[]asking{{"drilldown=fiscal_year|Buyer&aggregates=Amount_approved.sum|Amount_executed.sum", "2019,Ada=80,91.2 2019,Ben=44,40.5 (2) =124,131.7"}}, ""},
	{"a fiscal period", strings.Replace(tabled("period", codeColumn+valueColumn, "", "]"), `{`, `{"fiscalPeriod": {"start": "2014-07-01", "end": "2015-06-30"}, `, 1),
		map[string]string{"a.csv": "code,paid\n1,1\n2,2\n"}, []asking{{"drilldown=fiscal_year&aggregates=paid.sum", "2015=3 (1) =3"}}, ""},
	{"dates of a format", tabled("dates", `{"name": "day", "type": "date", "format": "%d.%m.%Y", "columnType": "date:fiscal-year"},`+codeColumn+valueColumn, "", "]"),
		map[string]string{"a.csv": "day,code,paid\n31.12.2014,1,1\n1.2.2015,1,2\n05.02.2015,1,4\n"},
		[]asking{{"drilldown=fiscal_year&aggregates=paid.sum", "2014=1 2015=6 (2) =7"}, {"drilldown=day&aggregates=paid.sum", "2014-12-31=1 2015-02-01=2 2015-02-05=4 (3) =7"}}, ""},
	{"a workbook", strings.ReplaceAll(tabled("workbook", `{"name": "day", "type": "date", "columnType": "date:fiscal-year"},`+codeColumn+valueColumn, "", "]"), `"a.csv"`,
		`"a.xlsx", "dialect": {"headerRows": [2, 3]}`),
		map[string]string{"a.xlsx": workbook([][]any{{"Budget of a town"}, {"day"}, {nil, "code", "paid"}, {date(2014, 12, 31), "01", 1.1}, {}, {date(2015, 2, 1), "1E5", 1234.5600000000001}, {date(2015, 2, 5), 1, "4"}})},
		[]asking{{"drilldown=fiscal_year&aggregates=paid.sum", "2014=1.1 2015=1238.56 (2) =1239.66"}, {"drilldown=code&aggregates=paid.sum", "1=4 01=1.1 1E5=1234.56 (3) =1239.66"}},
		"4: 2014-12-31,01,1,2014; 6: 2015-02-01,1E5,1235,2015; 7: 2015-02-05,1,4,2015"},
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// workbook gives a workbook whose second sheet has rows; the first is hidden.
func workbook(rows [][]any) string {
	const sheet = "Budget"
	f := excelize.NewFile()
	_, err := f.NewSheet(sheet)
	f.SetActiveSheet(1)
	errs := []error{err, f.SetCellValue("Sheet1", "A1", "hidden"), f.SetSheetVisible("Sheet1", false)}
	for i, row := range rows {
		errs = append(errs, f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row))
	}
	var text strings.Builder
	if err := errors.Join(append(errs, f.Write(&text))...); err != nil {
		panic(err)
	}
	return text.String()
}

// Qualified is a package whose amounts are of two phases, directions and currencies, which stand in the rows, some of them missing.
func Qualified() fs.FS {
	var table strings.Builder
	table.WriteString("year,code,Art,Dir,cur,paid\n")
	for i := range 240 {
		pick := func(words ...string) string { return words[(i*i+i/3+len(words)*i/7)%len(words)] }
		fmt.Fprintf(&table, "%d,%d,%s,%s,%s,%d.%d\n", 2014+i%3, i%7, pick("Plan", "Ist", "", " Plan"), pick("Ausgaben", "Einnahmen"), pick("EUR", "USD", "EUR"), i%40*37-400, i%10) // each amount occurs in several
	}
	return fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte(table.String())}, "datapackage.json": &fstest.MapFile{Data: []byte(tabled("qualified", yearColumn+codeColumn+
		`{"name": "Art", "type": "string", "columnType": "phase:id"}, {"name": "Dir", "type": "string", "columnType": "direction"}, {"name": "cur", "type": "string", "columnType": "value-currency:code"},`+valueColumn, "", "]"))}}
}
