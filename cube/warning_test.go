package cube_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
)

// warned shows the warnings of a plan, one a line.
func warned(p *cube.Plan) string {
	var lines []string
	for _, w := range p.Warnings() {
		lines = append(lines, w.Code+": "+w.Message)
	}
	return strings.Join(lines, "\n")
}

func TestWarningsOfSnapshots(t *testing.T) {
	const (
		early    = "period-incomplete: mes: the last statement of some ejercicio is earlier than 12 (2019: 06)"
		whole    = "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 12, 2018: 12)"
		all      = "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 12, 2018: 12, 2019: 06)"
		eachCell = "snapshot-default: mes: each cell is a statement of its own; the summary counts the last of each ejercicio"
	)
	for _, tt := range []struct{ name, question, want string }{
		{"which are counted", "cut=ejercicio:2017;2018", whole},
		{"and which are early", "", all + "\n" + early},
		{"as of", "cut=mes:..03", "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 03, 2018: 03, 2019: 03)"},
		{"nothing where one is asked for", "cut=mes:03", ""},
		{"but for what is early all the same", "cut=mes:12|!ejercicio:2018", ""},
		{"nor where there is nothing", "cut=mes:13", ""},
		{"the summary of drilled ones", "drilldown=mes&cut=ejercicio:2018", eachCell + " (2018: 12)"},
		{"all of them", "snapshots=all", "snapshots-all: mes: all statements of each ejercicio are added up, so the same money is counted up to 12 times"},
		{"all of one are one", "snapshots=all&cut=mes:03", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := bindTo(t, stated(t, nil), strings.TrimPrefix(tt.question+"&aggregates=pi_monto.sum", "&"))
			if got := warned(plan); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	flow := warned(bindTo(t, stated(t, nil), "cut=ejercicio:2017&aggregates=pi_monto.sum|flujo.sum|flujo.max"))
	if want := "snapshot-default: mes: the last statement of each ejercicio is counted (2017: 12); all are added up in flujo"; flow != want {
		t.Errorf("got  %s\nwant %s", flow, want)
	}
	spanish := warned(bindTo(t, stated(t, nil), "cut=ejercicio:2018;2019&aggregates=pi_monto.sum").In(cube.Spanish))
	if want := "snapshot-default: mes: se cuenta la última declaración de cada ejercicio (2018: 12, 2019: 06)\n" +
		"period-incomplete: mes: la última declaración de algún ejercicio es anterior a 12 (2019: 06)"; spanish != want {
		t.Errorf("got  %s\nwant %s", spanish, want)
	}
}

func TestWarningsListFewPeriods(t *testing.T) {
	var lines []string
	for year := range 20 {
		lines = append(lines, fmt.Sprintf("%d/1", 2000+year), fmt.Sprintf("%d/2", 2000+year))
	}
	got := warned(bindTo(t, stated(t, statements(lines...)), "aggregates=_count"))
	if !strings.HasSuffix(got, ", 2011: 2, and 8 more)") {
		t.Error(got)
	}
	one := stated(t, func(d *cube.Draft) {
		statements("1", "2", "")(d)
		d.Snapshots.Per, d.Snapshots.Order = nil, []string{"1", "2", ""}
	})
	if got := warned(bindTo(t, one, "aggregates=_count")); got != "snapshot-default: mes: the last statement is counted ((missing))" {
		t.Error(got)
	}
}

func TestWarningsOfWhatIsAbsent(t *testing.T) {
	c := newCube(t)
	c.Coverage = &cube.YearCoverage{
		Years: []int64{2008, 2009, 2010, 2011, 2013},
		Gaps: []cube.YearGap{
			{Column: "econ2_code", Years: []int64{2008, 2009, 2010}}, {Column: "ID_PP", Years: []int64{2008, 2010, 2013}},
			{Column: "executed.value", Years: []int64{2008, 2009, 2010, 2011, 2013}},
		},
	}
	const level, measure = "level-absent: econ2_code is empty in ", "measure-absent: executed.value has no amounts in "
	const missing = ": its cells of these years are all missing"
	for _, tt := range []struct{ question, want string }{
		{"aggregates=_count|approved_value.sum", ""},
		{"", measure + "2008 to 2011, 2013"},
		{`aggregates="executed.value".sum|"executed.value".avg&cut=Year:2009`, measure + "2009"},
		{"aggregates=_count&drilldown=econ2_code", level + "2008 to 2010" + missing},
		{"aggregates=_count&drilldown=econ2_code&cut=Year:2009;2010;2011", level + "2009, 2010" + missing},
		{"aggregates=_count&cut=econ2_code:1|Year:2011..", ""},
		{"aggregates=_count&cut=!econ2_code:1|!Year:2009", level + "2008, 2010" + missing},
		{"aggregates=_count&cut=date:2008/1|econ2_code:1", level + "2008" + missing},
		{"aggregates=_count&cut=Year:1999|econ2_code:1", ""},
		{"aggregates=_count&drilldown=ID_PP|econ2_code", "level-absent: ID_PP is empty in 2008, 2010, 2013" + missing + "\n" + level + "2008 to 2010" + missing},
	} {
		if got := warned(bindTo(t, c, tt.question)); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.question, got, tt.want)
		}
	}
}

func TestWarningsOfThePackage(t *testing.T) {
	c := newCube(t)
	c.SnapshotsSuspected = "quarter"
	c.Notes = []cube.Titles{{"en": "Title 3 is financing.", "es": "El título 3 es financiamiento."}, {"hr": "Bez zagrada.", "pt": "Sem"}}
	const notes = "note: Title 3 is financing.\nnote: Bez zagrada."
	const undeclared = "snapshots-undeclared: quarter seems to tell several statements of the same money apart, and nobody has " +
		"declared that it does: amounts may be counted several times; cut or drill it\n"
	for question, want := range map[string]string{
		"": undeclared + notes, "drilldown=Year": undeclared + notes, "snapshots=all": undeclared + notes,
		"drilldown=quarter_label": notes, "cut=quarter:4": notes, "cut=!date:2016/4": notes, "cut=date:2016": undeclared + notes,
	} {
		if got := warned(bindTo(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	if mustAsk(t, "").Warnings() != nil {
		t.Error("a package of which nothing is known warns")
	}
}
