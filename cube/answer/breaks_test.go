package answer_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
)

// breaking is Spending whose town a is another thing from 2017 on, and whose town c has another name.
func breaking(t *testing.T, more ...cube.LabelBreak) *cube.Cube {
	t.Helper()
	c := cubetest.Spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	c.LabelHistory = &cube.LabelHistory{
		Breaks: append([]cube.LabelBreak{
			{Level: "town", Path: []string{"a"}, Reused: true, Before: "Harbour", After: "Mill", Last: 2016, First: 2017},
			{Level: "town", Path: []string{"c"}, Before: "Old Castle", After: "Castle", Last: 2016, First: 2017},
		}, more...),
		Renumbered: []cube.Renumbered{{Level: "town", Year: 2017, Members: 3, Of: 4}},
	}
	return c
}

// breakWarnings writes the warnings of names that change, and of what is not compared.
func breakWarnings(all []cube.Warning) string {
	var list []string
	for _, w := range all {
		if slices.Contains([]string{cube.WarnCodeReused, cube.WarnLabelChanged, cube.WarnLevelRenumbered, cube.WarnNotCompared}, w.Code) {
			list = append(list, w.Code+" "+w.Message)
		}
	}
	return strings.Join(list, "\n")
}

func TestRun_WarnsOfNamesThatChange(t *testing.T) {
	c := breaking(t)
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	told(t, func(question string) string {
		return breakWarnings(run(t, store, cubetest.Bind(t, c, question)).Warnings)
	})
}

func TestLabelBreaks_NoneInASingleYear(t *testing.T) {
	c := breaking(t)
	for question, want := range map[string]bool{
		"drilldown=town&cut=year:2017": false, "drilldown=town&cut=year:2017&compare=year:-1": true, "drilldown=year|town": true,
	} {
		if got := cubetest.Bind(t, c, question).LabelBreaks() != nil; got != want {
			t.Errorf("%s: breaks are looked for: %t", question, got)
		}
	}
}

// What is withheld in a comparison is found in any answer of the same members, whichever years it is of.
func TestAnswer_ReusedBetween(t *testing.T) {
	c := breaking(t)
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	for _, tt := range []struct {
		question    string
		year, other int64
		want        string // the codes, of the whole and of each cell
	}{
		{"cut=town:a", 2016, 2017, "a a"},
		{"cut=town:a", 2017, 2016, "a a"},
		{"cut=town:a", 2017, 2018, " "},
		{"cut=town:c", 2016, 2017, " "},
		{"cut=town:a|year:2017", 2016, 2017, "a a"},
		{"drilldown=town&cut=town:a;c|year:2017", 2016, 2017, "a a "},
		{"drilldown=year&cut=town:a;b", 2016, 2017, "a a a"},
		{"drilldown=town&cut=town:a|year:2017&compare=year:-1", 2016, 2017, "a a"},
		{"drilldown=town&cut=!town:a|year:2017", 2016, 2017, "  "},
	} {
		found, err := answer.Run(t.Context(), store, cubetest.Bind(t, c, tt.question), cube.English)
		if err != nil {
			t.Fatal(err)
		}
		codes := func(keys []cube.Value) string {
			var list []string
			for _, b := range found.ReusedBetween(tt.year, tt.other, keys) {
				list = append(list, strings.Join(b.Path, "/"))
			}
			return strings.Join(list, ",")
		}
		got := codes(nil)
		for _, cell := range found.Cells {
			got += " " + codes(cell.Keys)
		}
		if got != tt.want {
			t.Errorf("%s from %d to %d: %q, want %q", tt.question, tt.year, tt.other, got, tt.want)
		}
	}
}

func TestRun_NamesAFewOfTheNamesThatChange(t *testing.T) {
	var more []cube.LabelBreak
	for i := range 7 {
		more = append(more, cube.LabelBreak{Level: "region", Path: []string{fmt.Sprint("r", i)}, Reused: true, Before: "", After: "New", Last: 2016, First: 2017})
	}
	c := breaking(t, more...)
	a := run(t, cubetest.NewStore(c.Model, cubetest.Spent...), cubetest.Bind(t, c, "cut=region:r0;r1;r2;r3;r4;r5;r6&aggregates=plan.sum"))
	got := breakWarnings(a.Warnings)
	if !strings.HasPrefix(got, "code-reused region r0 is “(no label)” to 2016 and “New” from 2017; region r1") ||
		!strings.HasSuffix(got, "; region r4 is “(no label)” to 2016 and “New” from 2017; and 2 more: its cells add up different things") {
		t.Errorf("it warns %s", got)
	}
}

func TestRun_ComparesNoCodeThatMeansAnotherThing(t *testing.T) {
	c := breaking(t)
	store := cubetest.NewStore(c.Model, append(slices.Clone(cubetest.Spent), "2016 n e E 5 - - - -")...)
	told(t, func(question string) string {
		a := run(t, store, cubetest.Bind(t, c, question+"&aggregates=plan.sum"))
		return answerText(a) + "\n" + breakWarnings(a.Warnings)
	})
}

// A cut may name a thousand members whose names change, and every cell of the page crosses them all.
func TestRun_RemembersEachNameThatChangesOnce(t *testing.T) {
	const many = 1000
	var more []cube.LabelBreak
	var facts, keys []string
	for i := range many {
		key := fmt.Sprint("r", i)
		keys, facts = append(keys, key), append(facts, fmt.Sprintf("2016 r0 t%d 5 - - - -", i))
		more = append(more, cube.LabelBreak{Level: "region", Path: []string{key}, Before: "Old", After: "New", Last: 2016, First: 2017})
	}
	c := breaking(t, more...)
	store := cubetest.NewStore(c.Model, facts...)
	p := cubetest.Bind(t, c, "drilldown=town&pagesize=1000&aggregates=plan.sum&cut=region:"+strings.Join(keys, ";"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	a := run(t, store, p)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 100 || len(a.Cells) != many {
		t.Errorf("%d cells take %d MB", len(a.Cells), mb)
	}
}

// An export has its warnings before its cells, so it names every member that the plan admits.
func TestOpen_WarnsOfNamesThatChange(t *testing.T) {
	c := breaking(t)
	store := cubetest.NewStore(c.Model, cubetest.Spent...)
	told(t, func(question string) string {
		stream, err := answer.Open(t.Context(), store, cubetest.Bind(t, c, question+"&aggregates=plan.sum"), cube.English)
		if err != nil {
			t.Fatal(err)
		}
		stream.Close()
		return breakWarnings(stream.Warnings)
	})
}

func TestRun_WarnsOfNamesInSpanish(t *testing.T) {
	c := breaking(t)
	a, err := answer.Run(t.Context(), cubetest.NewStore(c.Model, cubetest.Spent...), cubetest.Bind(t, c, "cut=town:a&aggregates=plan.sum"), "es")
	if err != nil {
		t.Fatal(err)
	}
	want := "code-reused town a es «Harbour» hasta 2016 y «Mill» desde 2017: sus celdas suman cosas distintas\n" +
		"level-renumbered town se numeró de nuevo en 2017: 3 de 4 de sus códigos significan otra cosa desde entonces"
	if got := breakWarnings(a.Warnings); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A warning names only the members that the other cuts and the keys of the rows admit.
func TestRun_NamesNoMemberThatCutsLeaveOut(t *testing.T) {
	c := cubetest.Places(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	c.LabelHistory = &cube.LabelHistory{}
	for _, region := range []string{"n", "s", "w"} {
		c.LabelHistory.Breaks = append(c.LabelHistory.Breaks, cube.LabelBreak{Level: "town", Path: []string{region, "1"}, Reused: true,
			Before: "Old " + region, After: "New " + region, Last: 2016, First: 2017})
	}
	store := cubetest.NewStore(c.Model, "2016 n 1 a 10", "2017 n 1 a 20", "2016 s 1 a 30", "2017 s 1 a 40", "2016 e 1 a 50", "2017 e 1 a 60",
		"2016 w 1 b 70", "2017 w 1 b 80")
	for question, want := range map[string]string{
		"cut=town:1":                                      "n s w",
		"cut=town:1|region:s":                             "s",
		"cut=town:1|!region:s":                            "n w",
		"cut=town:1|region:e":                             "",
		"cut=town:1&drilldown=region&pagesize=1":          "n s w", // the summary adds up all
		"cut=town:1|region:n;e&drilldown=region":          "n",
		"drilldown=town&cut=region:s":                     "s",
		"drilldown=town&cut=district:b":                   "w",
		"cut=town:1|district:a":                           "n s",
		"cut=town:1|district:b":                           "w",
		"cut=town:1|district:c":                           "",
		"cut=place:n/1/a":                                 "n", // its town is another one
		"cut=place:n/1":                                   "n",
		"cut=place:n":                                     "",
		"drilldown=district&cut=district:b":               "w",
		"cut=town:1|district:a|year:2017&compare=year:-1": "n s",
		"cut=town:1|district:b|year:2017&drilldown=region&compare=year:-1": "w",
	} {
		p := cubetest.Bind(t, c, question+"&aggregates=plan.sum")
		got := breakWarnings(run(t, store, p).Warnings)
		stream, err := answer.Open(t.Context(), store, p, cube.English)
		if err != nil {
			t.Fatal(err)
		}
		stream.Close()
		if streamed := breakWarnings(stream.Warnings); streamed != got {
			t.Errorf("%s: streamed, %q, else %q", question, streamed, got)
		}
		for _, region := range []string{"n", "s", "w"} {
			if strings.Contains(got, "Old "+region) != strings.Contains(want, region) {
				t.Errorf("%s: want those of %q in %q", question, want, got)
			}
		}
	}
	compared := run(t, store, cubetest.Bind(t, c, "cut=town:1|district:a|year:2017&drilldown=region&compare=year:-1&aggregates=plan.sum"))
	var rows []string
	for _, cell := range compared.Cells {
		rows = append(rows, fmt.Sprint(cell.Keys[0], " ", cell.Values[1].Decimal, cell.Values[1].Valid))
	}
	if got, want := strings.Join(rows, ", "), "e 50 true, n 0 false, s 0 false"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRun_ComparesAMemberAlikeInCutsAndRows asks for what is below a code that means another thing, by a cut and as a row.
func TestRun_ComparesAMemberAlikeInCutsAndRows(t *testing.T) {
	c := cubetest.Renumbered(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2008, 2009, 2012}}
	c.LabelHistory = &cube.LabelHistory{Breaks: []cube.LabelBreak{
		{Level: "function", Path: []string{"2", "2008", "3"}, Reused: true, Before: "Defence", After: "Police", Last: 2008, First: 2009},
	}}
	store := cubetest.NewStore(c.Model, "2008 2 3 Defence 1 10 2008", "2009 2 3 Police 1 30 2008", "2008 2 4 Roads 1 4 2008", "2009 2 4 Roads 1 5 2008")
	for _, cut := range []string{"group:2|function:3@2008|activity:1", "functional:2/3@2008/1", "group:2|function:3|activity:1", "functional:2/3/1"} {
		for _, drilldown := range []string{"", "&drilldown=activity", "&drilldown=function", "&drilldown=group"} {
			a := run(t, store, cubetest.Bind(t, c, "aggregates=plan.sum&compare=year:-1&cut=year:2009|"+cut+drilldown))
			if a.Summary.Values[1].Valid || len(a.Cells) > 0 && a.Cells[0].Values[1].Valid {
				t.Errorf("%s%s: it compares: %s", cut, drilldown, answerText(a))
			}
		}
	}
	roads := run(t, store, cubetest.Bind(t, c, "aggregates=plan.sum&compare=year:-1&cut=year:2009|group:2|function:4@2008|activity:1"))
	if !roads.Summary.Values[1].Valid {
		t.Error("it does not compare a function that kept its meaning")
	}
}
