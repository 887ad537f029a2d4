package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/history"
)

// counted counts rows of year, code, label and gives the members of the level as text.
func counted(t *testing.T, rows ...[]string) (list []cube.Member, level cube.Level) {
	t.Helper()
	all := membersOf(t, rows...)
	level = all.levels[0].level
	return all.of(level), level
}

func membersOf(t *testing.T, rows ...[]string) *members {
	t.Helper()
	model, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "code", Type: cube.TypeText},
		{Name: "label", Type: cube.TypeText},
	}, []cube.Dimension{{Name: "d", Levels: []cube.Level{{Ref: "code", LabelRef: "label"}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := newMembers(model, 0)
	for _, row := range rows {
		all.add(row, nil)
	}
	return all
}

// memberText writes a member with its labels: code "label" n (2016 "label" n shown, …).
func memberText(list []cube.Member) string {
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%s %q %d:", m.Path[0], m.Label, m.Rows)
		for _, l := range m.Labels {
			fmt.Fprintf(&b, " %s %q %d", l.Year, l.Text, l.Rows)
			if l.Shown {
				b.WriteByte('*')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// The label cell of a level follows from the member and the year if no two rows of both differ, also by space alone.
func TestMembers_LabelsOfAYear(t *testing.T) {
	for name, test := range map[string]struct {
		rows [][]string
		want bool
	}{
		"one in each year":          {[][]string{{"2008", "1", "Old"}, {"2008", "1", "Old"}, {"2009", "1", " New"}, {"2009", "2", ""}}, true},
		"two in a year":             {[][]string{{"2008", "1", "Old"}, {"2008", "1", "New"}}, false},
		"two that are tidied alike": {[][]string{{"2008", "1", "Old"}, {"2008", "1", "Old "}}, false},
		"one and none":              {[][]string{{"2008", "1", "Old"}, {"2008", "1", ""}}, false},
		"rows without a year":       {[][]string{{"", "1", "Old"}, {"", "1", "New"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			all := membersOf(t, test.rows...)
			if got := all.history().IsYearly("code"); got != test.want {
				t.Errorf("the year decides the label: %v", got)
			}
			if label := all.of(all.levels[0].level)[0].Labels[0]; test.want && (label.Text != "New" || label.Cell != " New") {
				t.Errorf("the label is %q, as published %q", label.Text, label.Cell)
			}
		})
	}
}

func TestMembers_CountLabelsByYear(t *testing.T) {
	for name, test := range map[string]struct {
		rows [][]string
		want string
	}{
		"the latest year goes first": {
			[][]string{{"2008", "1", "Old"}, {"2010", "1", "New"}, {"2008", "1", "Old"}, {"2009", "1", "Old"}},
			`1 "New" 4: 2010 "New" 1* 2009 "Old" 1* 2008 "Old" 2*`,
		},
		"the most rows of a year, then the smallest text": {
			[][]string{{"2008", "1", "b"}, {"2008", "1", "c"}, {"2008", "1", "c"}, {"2009", "1", "z"}, {"2009", "1", "y"}},
			`1 "y" 5: 2009 "y" 1* 2009 "z" 1 2008 "c" 2* 2008 "b" 1`,
		},
		"a year without labels shows the key, and takes no other year's": {
			[][]string{{"2008", "1", "Old"}, {"2009", "1", ""}, {"2009", "1", ""}},
			`1 "Old" 3: 2009 "" 2* 2008 "Old" 1*`,
		},
		"any label goes before none": {
			[][]string{{"2008", "1", ""}, {"2008", "1", ""}, {"2008", "1", "x"}},
			`1 "x" 3: 2008 "x" 1* 2008 "" 2`,
		},
		"labels are tidied, and add up": {
			[][]string{{"2008", "1", "a  b "}, {"2008", "1", "c"}, {"2008", "1", "\u00a0a b"}, {"2008", "1", " "}},
			`1 "a b" 4: 2008 "a b" 2* 2008 "c" 1 2008 "" 1`,
		},
		"one year in two spellings": {
			[][]string{{"2008", "1", "a"}, {"02008", "1", "b"}, {"+2008", "1", "b"}},
			`1 "b" 3: 2008 "b" 2* 2008 "a" 1`,
		},
		"a missing year is the earliest": {
			[][]string{{"", "1", "none"}, {"-5", "1", "early"}, {"", "2", "none"}},
			"1 \"early\" 2: -5 \"early\" 1*  \"none\" 1*\n2 \"none\" 1:  \"none\" 1*",
		},
		"members come by key": {
			[][]string{{"2008", "10", "a"}, {"2008", "2", "b"}, {"2008", "", "c"}},
			"2 \"b\" 1: 2008 \"b\" 1*\n10 \"a\" 1: 2008 \"a\" 1*\n \"c\" 1: 2008 \"c\" 1*",
		},
	} {
		t.Run(name, func(t *testing.T) {
			list, _ := counted(t, test.rows...)
			if got := strings.TrimSpace(memberText(list)); got != strings.TrimSpace(test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Labels of all years and the keys of members without share one numbering, so that answers may mix them.
func TestMembers_RankLabelsAndKeysTogether(t *testing.T) {
	list, _ := counted(t, []string{"2008", "b", ""}, []string{"2009", "b", "d"}, []string{"2008", "x", "Á"}, []string{"2009", "x", "c"},
		[]string{"2008", "", ""}, []string{"2008", "y", "a"})
	var got []string
	for _, m := range list {
		for _, l := range m.Labels {
			got = append(got, fmt.Sprintf("%s %s %q %d (%d)", m.Path[0], l.Year, l.Text, l.Rank, m.Rank))
		}
	}
	want := `b 2009 "d" 5 (5), b 2008 "" 3 (5), x 2009 "c" 4 (4), x 2008 "Á" 2 (4), y 2008 "a" 1 (1),  2008 "" 0 (0)`
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestMembers_HaveFirstAndLastYear(t *testing.T) {
	list, _ := counted(t, []string{"2010", "1", "a"}, []string{"2008", "1", "b"}, []string{"", "1", "c"}, []string{"", "2", "d"})
	for i, want := range []string{"2008 2010", " "} {
		first, last := list[i].Years()
		if got := first.String() + " " + last.String(); got != want {
			t.Errorf("member %s: %q, want %q", list[i].Path[0], got, want)
		}
	}
}

// A member may have as many labels as rows; counting them must not take the square of that.
func TestMembers_CountManyLabelsFast(t *testing.T) {
	const n = 60_000
	rows := make([][]string, 0, 2*n)
	for range 2 {
		for i := range n {
			rows = append(rows, []string{"2008", "1", fmt.Sprint("label ", i)})
		}
	}
	list, _ := counted(t, rows...)
	if len(list[0].Labels) != n || list[0].Labels[n-1].Rows != 2 {
		t.Errorf("%d labels", len(list[0].Labels))
	}
}

func TestAmbiguous(t *testing.T) {
	list, level := counted(t,
		[]string{"2008", "1", "Salud"}, []string{"2008", "1", "SALUD "}, []string{"2008", "1", "Sálud"}, []string{"2009", "1", "Health"},
		[]string{"2008", "2", "Salud"}, []string{"2008", "2", "Educación"}, []string{"2008", "2", "Educación"}, []string{"2008", "2", "educacion"},
		[]string{"2009", "2", "Salud"}, []string{"2009", "2", ""}, []string{"", "3", "x"}, []string{"", "3", "y"})
	found := nameFindings(&cube.Model{}, level, list, history.Breaks{})
	want := `field code: members have several labels in one year; that of the most rows is shown [label-ambiguous] ` +
		`(2 times: 2 in 2008: "Educación", "Salud"; 3 in no year: "x", "y")`
	if len(found) != 1 || found[0].String() != want || found[0].Severity != findings.SeverityWarning {
		t.Errorf("got  %v\nwant %s", found, want)
	}
	list, level = counted(t, []string{"2008", "1", "Salud"}, []string{"2009", "1", "Educación"})
	if found := nameFindings(&cube.Model{}, level, list, history.Breaks{}); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

// A member is found by its key and the labels of all years; in one year by the labels of that year.
func TestMembers_HaveTheTextToSearch(t *testing.T) {
	list, _ := counted(t, []string{"2008", "K1", "Sanación"}, []string{"2009", "K1", "Sanación"}, []string{"2010", "K1", "ÁREA"}, []string{"2011", "K1", ""})
	got := []string{list[0].Fold}
	for _, l := range list[0].Labels {
		got = append(got, l.Year.String()+" "+l.Fold)
	}
	if want := []string{"area\nk1\nsanacion", "2011 k1", "2010 area\nk1", "2009 k1\nsanacion", "2008 k1\nsanacion"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMembers_AreNumberedInTheOrderOfPaths(t *testing.T) {
	list, _ := counted(t, []string{"2008", "10", "a"}, []string{"2008", "", ""}, []string{"2008", "9", "b"}, []string{"2009", "b", "c"}, []string{"2008", "10", "a"})
	got := ""
	for _, m := range list {
		got += fmt.Sprintf("%d=%s ", m.Number, m.Path[0])
	}
	if want := "0=9 1=b 2=10 3= "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A package with more members than a load may hold is refused while it is read, and the error says which level has most.
func TestMembers_AreBounded(t *testing.T) {
	model, err := cube.NewModel([]cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "office", Type: cube.TypeText}},
		[]cube.Dimension{{Name: "offices", Levels: []cube.Level{{Ref: "office"}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := newMembers(model, 2)
	for _, office := range []string{"a", "b", "a", "c"} {
		if err := all.checkMost(); err != nil {
			t.Fatal(err)
		}
		all.add([]string{"2020", office}, nil)
	}
	if err := all.checkMost(); cube.CodeOf(err) != cube.CodeTooLarge || !strings.Contains(err.Error(), "office alone has 3") || !strings.Contains(err.Error(), "type fact") {
		t.Errorf("it says %v", err)
	}
}

// A level may have more breaks than are kept. The others are said.
func TestNameFindings_OfBreaksNotKept(t *testing.T) {
	level := cube.Level{Ref: "code", Path: []string{"code"}, LabelRef: "name"}
	list := make([]cube.Member, 10_002)
	for i := range list {
		list[i] = cube.Member{Path: []cube.Value{cube.Integer(int64(i))}, Labels: []cube.Label{
			{Year: cube.Integer(2020), Text: fmt.Sprint("Office ", i), Shown: true}, {Year: cube.Integer(2019), Text: fmt.Sprint("Harbour ", i), Shown: true}}}
	}
	said := nameFindings(&cube.Model{}, level, list, history.FindBreaks(level, list, history.Breaks{}, nil))
	if last := said[len(said)-1]; last.Code != CodeLabelsCut || last.Count != 2 {
		t.Errorf("it is said as %v", last)
	}
}
