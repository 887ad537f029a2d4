package storetest

import (
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// total is a question for sums of all measures, and the columns that its cells are named by.
type total struct {
	drilldown string
	columns   []string
}

// total compares the cells of a level with the rows added up by themselves: one map, one addition a row, and none
// of what a plan says.
func (e *examination) total(by total) {
	result := e.ask(e.version, "drilldown="+by.drilldown+"&aggregates="+strings.Join(e.amounts("sum"), "|")+"&pagesize=-1")
	want := e.addedUp(by.columns)
	if len(result.Cells) != len(want) || result.Summary.Count != int64(len(want)) {
		e.Fatalf("%d cells, counted %d, want %d", len(result.Cells), result.Summary.Count, len(want))
	}
	for _, cell := range result.Cells {
		sums := want[strings.Join(texts(cell.Keys), "\x00")]
		for i, m := range e.version.Model.Measures() {
			sum, ok := sums[m.Ref]
			if ok != cell.Values[i].Valid || !sum.Equal(cell.Values[i].Decimal) {
				e.Errorf("%s of %q is %v, want %v", m.Ref, texts(cell.Keys), cell.Values[i], sum)
			}
		}
	}
}

// addedUp adds up the published amounts by the published cells of some columns.
func (e *examination) addedUp(columns []string) map[string]map[string]decimal.Decimal {
	sums := map[string]map[string]decimal.Decimal{}
	for _, row := range e.oracle.rows {
		cells := make([]string, len(columns))
		for i, name := range columns {
			cells[i] = row[e.oracle.places[name]]
		}
		key := strings.Join(cells, "\x00")
		if sums[key] == nil {
			sums[key] = map[string]decimal.Decimal{}
		}
		for _, m := range e.version.Model.Measures() {
			if amount, ok := e.oracle.amount(row, m.Ref); ok {
				sums[key][m.Ref] = sums[key][m.Ref].Add(amount)
			}
		}
	}
	return sums
}

// knownOfMexico checks figures that were counted from the files of D7 by other means.
func (e *examination) knownOfMexico() {
	for _, known := range []struct {
		question string
		count    int64
	}{
		{"drilldown=ID_UR&cut=CICLO:2008", 1200},
		{"drilldown=ID_RAMO&cut=CICLO:2008", 37},
		{"drilldown=ID_SUBFUNCION&cut=CICLO:2008", 92},
		{"drilldown=ID_FUNCION&cut=CICLO:2008", 28},
	} {
		if count := e.ask(e.version, known.question).Summary.Count; count != known.count {
			e.Errorf("%s has %d cells, want %d", known.question, count, known.count)
		}
	}
	rows := e.ask(e.version, "drilldown=CICLO&aggregates=_count").Cells
	for i, want := range []struct{ year, rows int64 }{{2008, 130_950}, {2010, 125_924}} {
		if rows[i].Keys[0] != cube.Integer(want.year) || !rows[i].Values[0].Decimal.Equal(decimal.NewFromInt(want.rows)) {
			e.Errorf("rows %s, want %d of %d", shown(rows[i]), want.rows, want.year)
		}
	}
	e.namesOfMexico()
}

// namesOfMexico asks for a unit that was given another name between 2008 and 2010.
func (e *examination) namesOfMexico() {
	const former, latter = "Subsecretaría de Negociaciones Comerciales Internacionales", "Subsecretaría de Comercio Exterior"
	for cut, want := range map[string]string{
		"": latter, "|CICLO:2008": former, "|CICLO:2010": latter, "|CICLO:2008;2010": latter, "|CICLO:2008..2010": latter,
		"|CICLO:..2009": former, "|!CICLO:2010": former, "|!CICLO:2008": latter, "|!CICLO:2009": latter, "|CICLO:2009;2008": former,
	} {
		cells := e.ask(e.version, "drilldown=ID_UR&cut=ID_RAMO:10|ID_UR:500"+cut).Cells
		if len(cells) != 1 || cells[0].Labels[1] != cube.Text(want) {
			e.Errorf("the unit 10/500, cut%s, is %s, want %q", cut, shown(cells[0]), want)
		}
	}
}
