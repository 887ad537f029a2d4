package load

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/history"
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
			found := &cube.LabelHistory{}
			history.FindBreaks(level, list, history.Breaks{}, nil).AddTo(found)
			if got := breaksText(found.Breaks); got != test.want {
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
	all := newMembers(model, 0)
	for _, row := range rows {
		all.add(strings.Split(row, ","), nil)
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

// A member is known again by its children, whatever it is called; a number that another one gets has other children.
func TestLabelBreaks_OfMembersKnownByTheirChildren(t *testing.T) {
	for name, test := range map[string]struct {
		rows string // group 1 is Soberanía in 2008 and Seguridad in 2010; its children, and those of group 2
		want string
	}{
		"all stay":                      {"2008 1 Defensa, 2008 2 Marina, 2010 1 Defensa, 2010 2 MARINA", ""},
		"two of three keep their names": {"2008 1 Defensa, 2008 2 Marina, 2008 3 Guardia, 2010 1 Defensa, 2010 2 Marina, 2010 3 Correos", ""},
		"one of two keeps its name":     {"2008 1 Defensa, 2008 2 Marina, 2010 1 Defensa, 2010 2 Correos", "reused"},
		"half of those after are new":   {"2008 1 Defensa, 2008 2 Marina, 2010 1 Defensa, 2010 2 Marina, 2010 3 Correos, 2010 4 Radio", ""},
		"most of those after are new":   {"2008 1 Defensa, 2008 2 Marina, 2010 1 Defensa, 2010 2 Marina, 2010 3 Correos, 2010 4 Radio, 2010 5 Cine", "reused"},
		"most of those before are gone": {"2010 1 Defensa, 2010 2 Marina, 2008 1 Defensa, 2008 2 Marina, 2008 3 Correos, 2008 4 Radio, 2008 5 Cine", "reused"},
		"a single child":                {"2008 1 Defensa, 2010 1 Defensa", "reused"},
		"the names under other codes":   {"2008 1 Defensa, 2008 2 Marina, 2010 2 Defensa, 2010 1 Marina", "reused"},
		"the codes under other names":   {"2008 1 Defensa, 2008 2 Marina, 2010 1 Correos, 2010 2 Radio", "reused"},
		"children that each member has": {"2008 1 Salarios, 2008 2 Bienes, 2010 1 Salarios, 2010 2 Bienes, 2010 1 Salarios/2, 2010 2 Bienes/2", "reused"},
		"children without names":        {"2008 1, 2008 2, 2010 1, 2010 2", "reused"},
		"children in other years only":  {"2007 1 Defensa, 2007 2 Marina, 2012 1 Defensa, 2012 2 Marina, 2008 9 Radio, 2010 9 Radio", "reused"},
	} {
		t.Run(name, func(t *testing.T) {
			var rows []string
			for _, row := range strings.Split(test.rows, ", ") {
				cells, group, _ := strings.Cut(row, "/")
				parts := append(strings.SplitN(cells, " ", 3), "")
				label := map[bool]string{true: "Soberanía", false: "Seguridad"}[parts[0] <= "2008"]
				if group == "" {
					group = "1"
				} else {
					label = "Hacienda"
				}
				rows = append(rows, strings.Join([]string{parts[0], group, label, parts[1], parts[2]}, ","))
			}
			var got []string
			for _, found := range classified(t, rows...).history().Breaks {
				if found.Level == "group" {
					got = append(got, map[bool]string{true: "reused"}[found.Reused])
				}
			}
			if len(got) != 1 || got[0] != test.want {
				t.Errorf("the breaks of groups are %q, want one: %q", got, test.want)
			}
		})
	}
}

// A code that moves to another parent with its name is not another member.
func TestLabelBreaks_OfMembersThatMove(t *testing.T) {
	all := classified(t, "2008,1,Salud,7,Zona norte", "2008,2,Agua,7,Zona sur", "2017,2,Agua,7,Zona norte")
	if got, want := breaksText(all.history().Breaks), `2/7 2008 "Zona sur" 2017 "Zona norte"`; got != want {
		t.Errorf("got %s, want %s", got, want)
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
	for _, f := range nameFindings(&cube.Model{}, level, list, history.FindBreaks(level, list, history.Breaks{}, nil)) {
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
	for _, f := range nameFindings(&cube.Model{}, level, list, history.Breaks{}) {
		t.Errorf("found %s", f)
	}
}
