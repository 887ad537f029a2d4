package storetest

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// snapshotTests ask packages that state the same money again. The oracle knows the rule too; here the answers
// are worked out by hand.
var snapshotTests = []test{
	{"a year is its last statement", testYearToDate},
	{"report cuts of a year are not added", testReportCuts},
	{"the real months of D5", testRealMonths},
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
func written(r *cube.Result) string {
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
// January; fees are of the month alone. 2018 ends in June, and unit b is not stated after September 2017.
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
	warnings := fmt.Sprint(s.plan(version, "drilldown=year").Warnings())
	if !strings.Contains(warnings, "(2017: 12, 2018: 06); all are added up in fees} {period-incomplete") {
		s.Errorf("it warns %s", warnings)
	}
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
