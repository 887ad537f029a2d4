package load

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/internal/testrequire"
)

// monthly is a package of resources with the fields year, month, unit, unit_name, plan and paid; an overlay may
// say what its months are.
func monthly(overlay string, resources map[string][]string) fstest.MapFS {
	files := fstest.MapFS{}
	var list []string
	for name, rows := range resources {
		list = append(list, fmt.Sprintf(`{"name": %q, "path": %q}`, name, name))
		text := "year,month,unit,unit_name,plan,paid\n" + strings.Join(rows, "\n") + "\n"
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	slices.Sort(list)
	files[DescriptorName] = &fstest.MapFile{Data: []byte(`{"name": "monthly", "schema": {"fields": [
		{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "month", "type": "string"},
		{"name": "unit", "type": "string"}, {"name": "unit_name", "type": "string"},
		{"name": "plan", "type": "number"}, {"name": "paid", "type": "number"}]},
		"model": {"measures": {"plan": {}, "paid": {}}, "dimensions": {
			"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
			"other": {"dimensionType": "other", "primaryKey": ["month", "unit"], "attributes": {"unit_name": {"labelfor": "unit"}}}}},
		"resources": [` + strings.Join(list, ",") + `]}`)}
	if overlay != "" {
		files[OverlayName] = &fstest.MapFile{Data: []byte(overlay)}
	}
	return files
}

func TestSnapshots_ForgetTheKeysOfAFileThatIsReadAgain(t *testing.T) {
	for before, want := range map[int64]int64{5: 7, 0: 2, -1: -1} { // below 0 a key had no room, and nothing is checked
		var left atomic.Int64
		left.Store(before)
		s := &snapshots{last: lastAmounts{left: &left, byKey: map[[2]uint64]keyAmounts{{1}: {}, {2}: {}}}}
		s.forget()
		if left.Load() != want {
			t.Errorf("room for %d keys becomes %d, want %d", before, left.Load(), want)
		}
	}
}

const byMonth = "snapshots: {by: month, per: [year]}\n"

// surveyed takes the survey of a package and gives what is found by the code.
func surveyed(t *testing.T, files fstest.MapFS, code string) (*cube.Package, string) {
	t.Helper()
	source, err := OpenFS(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	survey, err := Take(t.Context(), source, Silent{})
	var rejected *Rejected
	if errors.As(err, &rejected) {
		if got := findingsOf(rejected.Findings, code); got != "" {
			return nil, got
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range survey.Report().Findings {
		if prose.Finding(f, "hr") == f.Message {
			t.Errorf("%s has no sentence: %v", f, f.Params)
		}
	}
	return survey.Package(), findingsOf(survey.Report().Findings, code)
}

func findingsOf(list []findings.Finding, code string) string {
	var lines []string
	for _, f := range list {
		if f.Code == code {
			text := fmt.Sprintf("field %s: %s [%s]", f.Field, f.Message, f.Code)
			if f.Resource != "" {
				text = f.Resource + ": " + text
			}
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

func TestSnapshots_NeedAnOrder(t *testing.T) {
	const unordered = " [" + CodeSnapshotUnordered + "]"
	for name, tt := range map[string]struct {
		overlay string
		months  []string
		want    string
	}{
		"whole numbers":                  {byMonth, []string{"01", "2", "10"}, ""},
		"no whole number":                {byMonth, []string{"01", "enero"}, `r.csv: field month: the snapshot "enero" is no whole number and no date, so the order of the snapshots has to be declared` + unordered},
		"a missing one":                  {byMonth, []string{"01", ""}, `r.csv: field month: the snapshot "" is no whole number and no date, so the order of the snapshots has to be declared` + unordered},
		"two spellings of one":           {byMonth, []string{"01", "1"}, `field month: the snapshots "01" and "1" of one period have one place in their order` + unordered},
		"an order that has all":          {"snapshots: {by: month, per: [year], order: [ene, feb, mar]}\n", []string{"feb", "ene"}, ""},
		"an order that lacks one":        {"snapshots: {by: month, per: [year], order: [ene, feb]}\n", []string{"feb", "mar"}, `r.csv: field month: the snapshot "mar" is not in the order declared (ene, feb)` + unordered},
		"an order of two for one number": {"snapshots: {by: month, per: [year], order: [\"01\", \"1\"]}\n", []string{"01", "1"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var rows []string
			for _, month := range tt.months {
				rows = append(rows, "2017,"+month+",a,A,1,1")
			}
			_, got := surveyed(t, monthly(tt.overlay, map[string][]string{"r.csv": rows}), CodeSnapshotUnordered)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Where the column holds whole numbers they are the same however many zeros stand before them.
func TestSnapshots_AreCanonical(t *testing.T) {
	pkg, _ := surveyed(t, monthly(byMonth, map[string][]string{"r.csv": {"2017,01,a,A,1,1", "02017,01,b,B,1,1", "2017,02,b,B,1,1"}}), "")
	got := fmt.Sprintf("%+v", pkg.Model.Snapshots().Statements)
	if want := "[{Period:[2017] Snapshot:01 Rows:2} {Period:[2017] Snapshot:02 Rows:1}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSnapshots_ReportMoneyThatTheLastLacks(t *testing.T) {
	const code = " [" + CodeSnapshotIncomplete + "]"
	for name, tt := range map[string]struct {
		overlay   string
		resources map[string][]string
		want      string
	}{
		"nothing": {byMonth, map[string][]string{"r.csv": {"2017,01,a,A,1,1", "2017,02,a,A,1,2"}}, ""},
		"two keys, with what they last said": {byMonth, map[string][]string{"r.csv": {
			"2017,01,a,A,1.50,1", "2017,02,a,A,2.25,1", "2017,02,a,A,2.25,", "2017,01,b,B,7,-7", "2017,03,c,C,1,1", "2018,01,c,C,1,1"}},
			"field month: 2 budget lines are in an earlier report of the year and not in the last, which alone is counted: plan 11.50, paid -6" + code},
		"a label that changes is no other key": {byMonth, map[string][]string{"r.csv": {"2017,01,a,Á,1,1", "2017,02,a,A,1,2"}}, ""},
		"over resources, in whichever order": {"snapshots: {by: {resource: \"(april|september)\", name: cut}, per: [year], order: [april, september]}\n",
			map[string][]string{"september.csv": {"2017,1,a,A,1,1"}, "april.csv": {"2017,1,a,A,5,5", "2017,1,b,B,,"}},
			"field cut: 1 budget line is in an earlier report of the year and not in the last, which alone is counted: no amounts" + code},
		"not in a resource that is left out": {byMonth, map[string][]string{
			"a.csv": {"2017,01,a,A,3,1", "2017,02,b,B,1,2"}, "b.csv": {"2017,01,a,A,3,1", "2017,02,b,B,1,2"}},
			"field month: 1 budget line is in an earlier report of the year and not in the last, which alone is counted: plan 3, paid 1" + code},
		"amounts beyond measure": {byMonth, map[string][]string{"r.csv": {"2017,01,a,A,123456789012345678,0.12345", "2017,02,b,B,1,2"}},
			"field month: 1 budget line is in an earlier report of the year and not in the last, which alone is counted: " +
				"plan not added up, paid not added up" + code},
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := surveyed(t, monthly(tt.overlay, tt.resources), CodeSnapshotIncomplete); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// rowsOf makes rows of so many units and months with the amounts that a function gives.
func rowsOf(units, months int, amounts func(unit, month int) (plan, paid int)) []string {
	var rows []string
	for unit := range units {
		for month := range months {
			plan, paid := amounts(unit, month)
			rows = append(rows, fmt.Sprintf("2017,%02d,u%03d,Unit %d,%d,%d", month+1, unit, unit, plan, paid))
		}
	}
	return rows
}

func TestDetect_FindsSnapshots(t *testing.T) {
	yearToDate := func(unit, month int) (int, int) { return 1000 * (unit + 1), (month + 1) * (70 + unit) }
	flow := func(unit, month int) (int, int) { return (unit*7+month*13)%11 + 1, (unit*5+month*17)%23 + 1 }
	for name, tt := range map[string]struct {
		rows []string
		want string
	}{
		"year to date":                      {rowsOf(3, 12, yearToDate), "plan repeats or only grows for 3 of 3 keys, paid repeats or only grows for 3 of 3 keys"},
		"flows":                             {rowsOf(40, 12, flow), ""},
		"too few keys":                      {rowsOf(2, 12, yearToDate), ""},
		"too few steps":                     {rowsOf(3, 3, yearToDate), ""},
		"many keys of few steps":            {rowsOf(30, 3, yearToDate), "plan repeats or only grows for 30 of 30 keys, paid repeats or only grows for 30 of 30 keys"},
		"nearly every key":                  {rowsOf(100, 4, falling(5)), "paid repeats or only grows for 95 of 100 keys"},
		"too few of all":                    {rowsOf(100, 4, falling(6)), ""},
		"a plan repeated alone":             {rowsOf(20, 12, func(u, m int) (int, int) { plan, _ := yearToDate(u, m); _, paid := flow(u, m); return plan, paid }), "plan repeats or only grows for 20 of 20 keys"},
		"nothing but zeros":                 {rowsOf(20, 12, func(int, int) (int, int) { return 0, 0 }), ""},
		"more values than a month has days": {rowsOf(20, 32, yearToDate), ""},
	} {
		t.Run(name, func(t *testing.T) {
			pkg, got := surveyed(t, monthly("", map[string][]string{"r.csv": tt.rows}), fdp.SnapshotDetected)
			if tt.want != "" {
				tt.want = "field month: its values seem to be statements of the same money: over them " + tt.want +
					"; declare snapshots in an overlay, or none [snapshot-detected]"
			}
			if got != tt.want || (pkg.SnapshotsSuspected == "month") != (tt.want != "") {
				t.Errorf("got  %s, suspecting %q\nwant %s", got, pkg.SnapshotsSuspected, tt.want)
			}
		})
	}
	for _, overlay := range []string{byMonth, "snapshots: none\n"} {
		pkg, got := surveyed(t, monthly(overlay, map[string][]string{"r.csv": rowsOf(9, 12, yearToDate)}), fdp.SnapshotDetected)
		if got != "" || pkg.SnapshotsSuspected != "" {
			t.Errorf("an overlay says %s and still: %s", strings.TrimSpace(overlay), got)
		}
	}
}

// dated makes rows of dates in place of months, in the years 2016 and 2017.
func dated(units int, dates string, paid func(unit, month int) int) []string {
	var rows []string
	for _, year := range []string{"2016", "2017"} {
		for unit := range units {
			for month, date := range strings.Fields(dates) {
				rows = append(rows, fmt.Sprintf("%s,%[1]s-%s,u%03d,Unit,1,%d", year, date, unit, paid(unit, month)))
			}
		}
	}
	return rows
}

func TestDetect_FindsDates(t *testing.T) {
	const quarters, months = "03-31 06-30 09-30 12-31", "01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31"
	days := ""
	for day := range 32 {
		days += fmt.Sprintf("%02d-%02d ", 1+day/16, 1+day%16)
	}
	grown := func(unit, month int) int { return (unit + 1) * (month + 1) }
	for name, tt := range map[string]struct {
		rows []string
		want string
	}{
		"months":                   {dated(3, months, grown), "paid repeats or only grows for 6 of 6 keys"},
		"quarters":                 {dated(3, quarters, grown), "paid repeats or only grows for 6 of 6 keys"},
		"months without days":      {dated(3, "01 02 03 04 05", grown), "paid repeats or only grows for 6 of 6 keys"},
		"what is paid back":        {dated(4, quarters, func(unit, month int) int { return (2*(unit%2) - 1) * grown(unit, month) }), "paid repeats or only grows for 8 of 8 keys"},
		"what turns its sign":      {dated(3, months, func(unit, month int) int { return grown(unit, month) * (1 - month%2*2) }), ""},
		"what comes nearer to 0":   {dated(3, months, func(unit, month int) int { return 100 - grown(unit, month) }), ""},
		"the same rent each month": {dated(9, months, func(unit, _ int) int { return unit + 1 }), ""},
		"half of the keys grow":    {dated(4, months, func(unit, month int) int { return unit + 1 + unit%2*month }), "paid repeats or only grows for 8 of 8 keys"},
		"more dates than days":     {dated(3, days, grown), ""},
	} {
		t.Run(name, func(t *testing.T) {
			pkg, got := surveyed(t, monthly("", map[string][]string{"r.csv": tt.rows}), fdp.SnapshotDetected)
			if tt.want != "" {
				tt.want = "field month: its values seem to be statements of the same money: over them " + tt.want +
					"; declare snapshots in an overlay, or none [snapshot-detected]"
			}
			if got != tt.want || (pkg.SnapshotsSuspected == "month") != (tt.want != "") {
				t.Errorf("got  %s, suspecting %q\nwant %s", got, pkg.SnapshotsSuspected, tt.want)
			}
		})
	}
	for _, dates := range []string{months, "01 02 03", "01-31T10:00:00 02-28T00:00:00Z"} {
		if _, got := surveyed(t, monthly(byMonth, map[string][]string{"r.csv": dated(3, dates, grown)}), CodeSnapshotUnordered); got != "" {
			t.Error(got)
		}
	}
}

// falling makes plans that fall, and paid amounts that fall for the first units.
func falling(units int) func(unit, month int) (plan, paid int) {
	return func(unit, month int) (int, int) {
		if unit < units {
			return 100 - month, 100 - month
		}
		return 100 - month, 100 + month
	}
}

// The months of D5 and D8 are year-to-date; nothing in the others is.
func TestDetect_RealPackages(t *testing.T) {
	for folder, want := range map[string]string{
		"D1-paraguay": "", "D2-croatia": "", "D3-dominicana-ingresos": "", "D5-costa-rica-ingresos": "mes", "D6-uruguay": "",
		"D7-mexico": "", "D7-mexico-2017-sample": "", "D8-costa-rica-egresos": "mes",
	} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			if folder == "D7-mexico" {
				testrequire.Long(t)
			}
			path := filepath.Join("../../../shared/data", folder)
			if _, err := os.Stat(path); err != nil {
				testrequire.Skip(t, "data", "the real packages are not there: no folder "+path)
			}
			source, err := OpenWith(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = source.Close() }()
			survey, err := Take(t.Context(), source, Silent{})
			if err != nil {
				t.Fatal(err)
			}
			if got := survey.Package().SnapshotsSuspected; got != want {
				t.Errorf("suspected %q, want %q: %s", got, want, findingsOf(survey.Report().Findings, fdp.SnapshotDetected))
			}
		})
	}
}

func TestCoverage_ByYear(t *testing.T) {
	pkg, _ := surveyed(t, monthly("levels: {unit: {derive: {from: unit_name, length: 3, digits: 1}}}\n", map[string][]string{
		"a.csv": {"2016,,a,A,1,", "2017,,a,,1,1"}, "b.csv": {"2019,01,,a00,,1", ",02,x,X,1,1"}}), "")
	got := fmt.Sprintf("%+v", *pkg.Coverage)
	want := "{Years:[2016 2017 2019] Gaps:[{Column:month Years:[2016 2017]} {Column:unit_name Years:[2017]} " +
		"{Column:plan Years:[2019]} {Column:paid Years:[2016]} {Column:unit_cell Years:[2019]}] Zeros:[] Periods:[] Jumps:[]}"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The periods of years are those of a level of time that numbers them in every row, below nothing or below the year.
func TestCoverage_Periods(t *testing.T) {
	const ofTime = "dimensions: {months: {type: datetime}}\nlevels: {month: {dimension: months}}\n"
	for name, tt := range map[string]struct {
		overlay string
		rows    []string
		want    string
	}{
		"a dimension of its own": {ofTime, []string{"2016,1,a,A,1,1", "2016,12,a,A,1,1", "2017,01,a,A,1,1", "2017, 3 ,a,A,1,1", "2017,02,a,A,1,1"},
			"[{Column:month Year:2016 Numbers:[1 12]} {Column:month Year:2017 Numbers:[1 2 3]}]"},
		"below the year":           {"levels: {month: {dimension: date, parent: year}}\n", []string{"2016,7,a,A,1,1"}, "[{Column:month Year:2016 Numbers:[7]}]"},
		"rows without a year":      {ofTime, []string{"2016,1,a,A,1,1", ",x,a,A,1,1"}, "[{Column:month Year:2016 Numbers:[1]}]"},
		"another dimension":        {"", []string{"2016,1,a,A,1,1"}, "[]"},
		"below another level":      {"dimensions: {reports: {type: datetime}}\nlevels: {unit: {dimension: reports}, month: {dimension: reports, parent: unit}}\n", []string{"2016,1,a,A,1,1"}, "[]"},
		"snapshots":                {ofTime + byMonth, []string{"2016,1,a,A,1,1", "2016,2,a,A,1,1"}, "[]"},
		"a cell without a number":  {ofTime, []string{"2016,1,a,A,1,1", "2017,,a,A,1,1"}, "[]"},
		"a cell with a greater":    {ofTime, []string{"2016,1,a,A,1,1", "2017,13,a,A,1,1"}, "[]"},
		"a cell with another text": {ofTime, []string{"2016,1,a,A,1,1", "2016,total,a,A,1,1"}, "[]"},
	} {
		pkg, _ := surveyed(t, monthly(tt.overlay, map[string][]string{"a.csv": tt.rows}), "")
		if got := fmt.Sprintf("%+v", pkg.Coverage.Periods); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	pkg, _ := surveyed(t, monthly(ofTime, map[string][]string{"a.csv": {"2016,1,a,A,1,1"}, "b.csv": {"2016,4,a,A,1,1", "2017,2,a,A,1,1"}}), "")
	if got, want := fmt.Sprintf("%+v", pkg.Coverage.Periods), "[{Column:month Year:2016 Numbers:[1 4]} {Column:month Year:2017 Numbers:[2]}]"; got != want {
		t.Errorf("of two files: %s, want %s", got, want)
	}
}

// The years of a measure whose amounts are all 0 are not those without amounts, and one file may have others.
func TestCoverage_Zeros(t *testing.T) {
	pkg, _ := surveyed(t, monthly("", map[string][]string{
		"a.csv": {"2015,,a,A,0,0.00", "2015,,a,A,1,-0", "2016,,a,A,,0", "2016,,b,B,0,", "2017,,a,A,1,0"}, "b.csv": {"2017,01,a,A,0,-0.5", "2018,01,a,A,0.0,", ",02,a,A,0,0"}}), "")
	got, want := fmt.Sprintf("%+v", pkg.Coverage.Zeros), "[{Column:plan Years:[2016 2018]} {Column:paid Years:[2015 2016]}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A year whose amounts are of another order than those of the year before jumps: of snapshots those of the last count, and measures that
// flow add up all.
func TestCoverage_Jumps(t *testing.T) {
	rows := map[string][]string{
		"r.csv":    {"2015,12,a,A,100,5", "2016,06,a,A,900,5", "2016,12,a,A,100,5", "2017,06,a,A,100,1", "2017,12,a,A,1000.01,60", "2018,12,a,A,99,1"},
		"left.csv": {"2015,12,a,A,100,5", "2016,06,a,A,900,5", "2016,12,a,A,100,5", "2017,06,a,A,100,1", "2017,12,a,A,1000.01,60", "2018,12,a,A,99,1"},
	}
	for overlay, want := range map[string]string{
		byMonth: "[{Column:plan Up:[2017] Down:[2018]} {Column:paid Up:[2017] Down:[2018]}]",
		byMonth + "measures: {paid: {flow: true}}\n": "[{Column:plan Up:[2017] Down:[2018]} {Column:paid Up:[] Down:[2018]}]",
		"snapshots: none\n":                          "[{Column:plan Up:[] Down:[2018]} {Column:paid Up:[] Down:[2018]}]",
	} {
		if pkg, _ := surveyed(t, monthly(overlay, rows), ""); fmt.Sprintf("%+v", pkg.Coverage.Jumps) != want {
			t.Errorf("%s%+v, want %s", overlay, pkg.Coverage.Jumps, want)
		}
	}
}

// Members that all rows are of are known by their names.
func TestOnlyMembers(t *testing.T) {
	for rows, want := range map[string]string{
		"2016,1,a,A,1,1 2017,2,a,A,2,2": "[{Level:unit Label:A}]", "2016,1,a,A,1,1 2017,2,b,B,2,2": "[]", "2016,1,a,A,1,1 2017,2,,,2,2": "[]",
	} {
		if pkg, _ := surveyed(t, monthly("snapshots: none\n", map[string][]string{"r.csv": strings.Fields(rows)}), ""); fmt.Sprintf("%+v", pkg.OnlyMembers) != want {
			t.Errorf("%s: %+v, want %s", rows, pkg.OnlyMembers, want)
		}
	}
}
