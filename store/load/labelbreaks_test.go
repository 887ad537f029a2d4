package load

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// breaksText writes breaks, one a line: 2/1 2011 "Salud" 2012 "Agua" reused.
func breaksText(list []cube.LabelBreak) string {
	var b strings.Builder
	for _, found := range list {
		fmt.Fprintf(&b, "%s %d %q %d %q", strings.Join(found.Path, "/"), found.Last, found.Before, found.First, found.After)
		if found.Reused {
			b.WriteString(" reused")
		}
		b.WriteByte('\n')
	}
	return strings.TrimSpace(b.String())
}

func TestLabelBreaks(t *testing.T) {
	for name, test := range map[string]struct {
		rows []string // year, code, label
		want string
	}{
		"no word in common":        {[]string{"2011 1 Salud", "2012 1 Agua potable", "2013 1 Agua potable"}, `1 2011 "Salud" 2012 "Agua potable" reused`},
		"a word in common":         {[]string{"2011 1 Ministerio de Salud", "2012 1 Ministerio de Sanidad"}, `1 2011 "Ministerio de Salud" 2012 "Ministerio de Sanidad"`},
		"another spelling":         {[]string{"2011 1 Rentas generales", "2012 1 RENTAS GENERALES", "2013 1 Rentas Grales."}, ``},
		"years without rows":       {[]string{"2008 1 Salud", "2017 1 Agua"}, `1 2008 "Salud" 2017 "Agua" reused`},
		"years without a label":    {[]string{"2008 1 Salud", "2009 1", "2010 1 -", "2011 1 1", "2012 1 Agua"}, `1 2008 "Salud" 2012 "Agua" reused`},
		"no label on one side":     {[]string{"2008 1", "2009 1 Salud", "2010 1"}, ``},
		"rows without a year":      {[]string{"- 1 Salud", "2009 1 Agua"}, ``},
		"rows without a code":      {[]string{"2008 - Salud", "2009 - Agua"}, ``},
		"every year":               {[]string{"2008 1 Salud", "2009 1 Agua", "2010 1 Minas"}, "1 2008 \"Salud\" 2009 \"Agua\" reused\n1 2009 \"Agua\" 2010 \"Minas\" reused"},
		"both labels in one year":  {[]string{"2008 1 Salud", "2009 1 Agua", "2009 1 Agua", "2009 1 Salud"}, ``},
		"the label of most rows":   {[]string{"2008 1 Salud", "2008 1 Salud", "2008 1 Minas", "2009 1 Agua"}, `1 2008 "Salud" 2009 "Agua" reused`},
		"there and back":           {[]string{"2008 1 Salud", "2009 1 Agua", "2010 1 SALUD"}, "1 2008 \"Salud\" 2009 \"Agua\"\n1 2009 \"Agua\" 2010 \"SALUD\""},
		"a name with a new number": {[]string{"2008 1 Censo 2007", "2008 2 Censo", "2009 1 Censo"}, `1 2008 "Censo 2007" 2009 "Censo"`},
		"the name of another member": {
			[]string{"2008 1 Zona sur", "2008 2 Zona norte", "2009 1 Zona norte", "2009 2 Zona este"},
			"1 2008 \"Zona sur\" 2009 \"Zona norte\" reused\n2 2008 \"Zona norte\" 2009 \"Zona este\"",
		},
		"two members swap their names and swap back": {
			[]string{"2008 1 Zona sur", "2008 2 Zona norte", "2009 1 Zona norte", "2009 2 Zona sur", "2010 1 Zona sur", "2010 2 Zona norte"},
			"1 2008 \"Zona sur\" 2009 \"Zona norte\" reused\n1 2009 \"Zona norte\" 2010 \"Zona sur\" reused\n" +
				"2 2008 \"Zona norte\" 2009 \"Zona sur\" reused\n2 2009 \"Zona sur\" 2010 \"Zona norte\" reused",
		},
		"the name that another member still has": {
			[]string{"2008 1 Zona sur", "2008 2 Zona norte", "2009 1 Zona norte", "2009 2 Zona norte"}, `1 2008 "Zona sur" 2009 "Zona norte"`,
		},
		"the name that another member gets later": {
			[]string{"2008 1 Zona sur", "2009 1 Zona norte", "2010 2 Zona norte"}, `1 2008 "Zona sur" 2009 "Zona norte"`,
		},
		"a name that many members have": {
			[]string{"2008 1 Zona sur", "2009 1 Zona", "2008 2 Zona", "2008 3 Zona", "2008 4 Zona", "2008 5 Zona"}, `1 2008 "Zona sur" 2009 "Zona"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			list, level := counted(t, labelRows(test.rows)...)
			if got := breaksText(findLabelBreaks(level, list, labelBreaks{}).list); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// labelRows splits rows of year, code and label; - is no year or no code.
func labelRows(lines []string) (rows [][]string) {
	for _, line := range lines {
		cells := append(strings.SplitN(line, " ", 3), "", "")[:3]
		for i := range 2 {
			cells[i] = strings.TrimPrefix(cells[i], "-")
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestLabelBreaks_NumberTheMeanings(t *testing.T) {
	list, _ := counted(t, labelRows([]string{"- 1 Salud", "2008 1 Salud", "2009 1 Agua", "2009 1 Hacienda", "2009 1 Agua", "2010 1", "2011 1 Agua y sal", "2012 1 Minas"})...)
	var got []string
	for _, l := range list[0].Labels {
		got = append(got, fmt.Sprintf("%s %q %d", l.Year, l.Text, l.Meaning))
	}
	want := `2012 "Minas" 2, 2011 "Agua y sal" 1, 2010 "" 1, 2009 "Agua" 1, 2009 "Hacienda" 1, 2008 "Salud" 0,  "Salud" -1`
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// classified counts rows of year, group, group label, code, label in two levels.
func classified(t *testing.T, rows ...string) *members {
	t.Helper()
	model, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "group", Type: cube.TypeText}, {Name: "group_label", Type: cube.TypeText},
		{Name: "code", Type: cube.TypeText}, {Name: "label", Type: cube.TypeText},
	}, []cube.Dimension{{Name: "d", Levels: []cube.Level{
		{Ref: "code", LabelRef: "label", Parent: "group"}, {Ref: "group", LabelRef: "group_label"},
	}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := newMembers(model)
	for _, row := range rows {
		all.add(strings.Split(row, ","))
	}
	return all
}

// Groups 1 to 3 are numbered anew. A child is a break where its own label changes: with a word in common where only a
// parent of one meaning is renamed, and without regard to words under a parent that means another thing.
func TestLabelBreaks_OfANumberingAnew(t *testing.T) {
	all := classified(t,
		"2008,1,Salud,1,Servicios de salud", "2017,1,Agua,1,Servicios de agua",
		"2008,1,Salud,2,Otros", "2017,1,Agua,2,Otros",
		"2008,2,Vivienda,1,Suelo", "2017,2,Salud,1,Hospitales",
		"2008,3,Turismo,1,Playas", "2017,3,Vivienda,1,Suelo",
		"2008,4,Ciencia,1,Becas de ciencia", "2017,4,Ciencia y arte,1,Becas de arte",
		"2017,5,Turismo,1,Playas")
	history := all.history()
	want := strings.Join([]string{
		`1/1 2008 "Servicios de salud" 2017 "Servicios de agua" reused`,
		`2/1 2008 "Suelo" 2017 "Hospitales" reused`,
		`3/1 2008 "Playas" 2017 "Suelo" reused`,
		`4/1 2008 "Becas de ciencia" 2017 "Becas de arte"`,
		`1 2008 "Salud" 2017 "Agua" reused`,
		`2 2008 "Vivienda" 2017 "Salud" reused`,
		`3 2008 "Turismo" 2017 "Vivienda" reused`,
		`4 2008 "Ciencia" 2017 "Ciencia y arte"`,
	}, "\n")
	if got := breaksText(history.Breaks); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := fmt.Sprint(history.Renumbered), "[{code 2017 3 5} {group 2017 3 4}]"; got != want {
		t.Errorf("renumbered are %s, want %s", got, want)
	}
}

// A code that moves to another parent with its name is not another member.
func TestLabelBreaks_OfMembersThatMove(t *testing.T) {
	all := classified(t, "2008,1,Salud,7,Zona norte", "2008,2,Agua,7,Zona sur", "2017,2,Agua,7,Zona norte")
	if got, want := breaksText(all.history().Breaks), `2/7 2008 "Zona sur" 2017 "Zona norte"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestIsRenumbered(t *testing.T) {
	for _, tt := range []struct {
		reused, of int64
		want       bool
	}{{2, 2, false}, {3, 12, true}, {3, 13, false}, {20, 21, true}, {36, 613, false}} {
		if got := isRenumbered(tt.reused, tt.of); got != tt.want {
			t.Errorf("%d of %d: %v", tt.reused, tt.of, got)
		}
	}
}

func TestLabelBreaks_AreFindings(t *testing.T) {
	var rows []string
	for code := range 12 {
		rows = append(rows, fmt.Sprintf("2008 %02d %s", code, strings.Repeat(string(rune('b'+code)), 4)),
			fmt.Sprintf("2009 %02d %s", code, strings.Repeat(string(rune('B'+code+1)), 5)))
	}
	list, level := counted(t, labelRows(append(rows, "2008 20 Salud", "2009 20 Salud pública"))...)
	var got []string
	for _, f := range findLabelBreaks(level, list, labelBreaks{}).findings(&cube.Model{}, level) {
		got = append(got, fmt.Sprintf("%s %s %s %d %d %s", f.Code, f.Severity, f.Field, f.Count, len(f.Places), f.Places[0].Cell))
	}
	want := strings.Join([]string{
		`level-renumbered warning code 1 1 2009: 12 of 13 members`,
		`code-reused warning code 12 10 00: "bbbb" (2008), "CCCCC" (2009)`,
		`label-changed info code 1 1 20: "Salud" (2008), "Salud pública" (2009)`,
	}, "\n")
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	for _, f := range (labelBreaks{}).findings(&cube.Model{}, level) {
		t.Errorf("found %v", findings.Finding(f))
	}
}

// The history is kept in memory for each version.
func TestLabelBreaks_KeepsReusedCodesFirst(t *testing.T) {
	b := labelBreaks{list: make([]cube.LabelBreak, mostBreaks+5)}
	b.list[mostBreaks+3].Reused = true
	history := &cube.LabelHistory{}
	b.addTo(history)
	if len(history.Breaks) != mostBreaks || !history.Breaks[0].Reused {
		t.Errorf("%d breaks are kept, %v the first", len(history.Breaks), history.Breaks[0].Reused)
	}
}

// A level may have very many members, most of which keep their names.
func TestLabelBreaks_OfManyMembersAreFoundFast(t *testing.T) {
	list := make([]cube.Member, 100_000)
	for i := range list {
		m := cube.Member{Path: []cube.Value{cube.Integer(int64(i))}, Labels: make([]cube.Label, 15)}
		for j := range m.Labels {
			text := fmt.Sprintf("Servicios de la oficina regional %d", i)
			if i%10 == 0 && j < 5 {
				text = fmt.Sprintf("Dirección de asuntos %d", i)
			}
			m.Labels[j] = cube.Label{Year: cube.Integer(int64(2020 - j)), Text: text, Rows: 1, Shown: true}
		}
		list[i] = m
	}
	began := time.Now()
	found := findLabelBreaks(cube.Level{Ref: "code"}, list, labelBreaks{})
	if took := time.Since(began); len(found.list) != 10_000 || took > 20*time.Second {
		t.Errorf("%d breaks in %v", len(found.list), took)
	}
}

// A member may have as many years as rows.
func TestLabelBreaks_OfManyYearsAreFoundFast(t *testing.T) {
	m := cube.Member{Path: []cube.Value{cube.Text("1")}, Labels: make([]cube.Label, 100_000)}
	for i := range m.Labels {
		m.Labels[i] = cube.Label{Year: cube.Integer(int64(-i)), Text: "Oficina " + strings.Repeat(string(rune('a'+i%26)), 7+i%5), Rows: 1, Shown: true}
	}
	began := time.Now()
	found := findLabelBreaks(cube.Level{Ref: "code"}, []cube.Member{m}, labelBreaks{})
	if took := time.Since(began); len(found.list) != len(m.Labels)-1 || took > 20*time.Second {
		t.Errorf("%d breaks in %v", len(found.list), took)
	}
}

func TestLabelBreaks_AreBounded(t *testing.T) {
	var b labelBreaks
	for i := range mostBreaks + 2 {
		b.list = append(b.list, cube.LabelBreak{Level: "code", Path: []string{fmt.Sprint(i)}, Before: "a", After: "b", Reused: i == mostBreaks+1})
	}
	kept := b.kept()
	if len(kept) != mostBreaks || !kept[0].Reused {
		t.Errorf("%d are kept, the first is %v", len(kept), kept[0])
	}
	model, err := cube.NewModel(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := b.findings(model, cube.Level{Ref: "code", Path: []string{"code"}})
	if last := said[len(said)-1]; last.Code != CodeLabelsCut || last.Count != 2 {
		t.Errorf("it is said as %v", last)
	}
	long := labelBreaks{list: []cube.LabelBreak{{Path: []string{"1"}, Before: strings.Repeat("é", 1000), After: "b"}}}
	if kept := long.kept(); kept[0].Before != strings.Repeat("é", longestLabel)+"…" {
		t.Errorf("a label of %d bytes is kept", len(kept[0].Before))
	}
	many := labelBreaks{}
	for range 100 {
		many.list = append(many.list, cube.LabelBreak{Path: []string{strings.Repeat("1", mostBreakBytes/50)}})
	}
	if kept := many.kept(); len(kept) != 50 {
		t.Errorf("%d long paths are kept", len(kept))
	}
}
