package repair_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/repair"
)

// holds says what a file is called and which rows of which years it has, as in "a.csv 2016:xy 2017:z": a letter
// is a row, and equal letters are equal rows.
type holds string

func (h holds) name() string {
	name, _, _ := strings.Cut(string(h), " ")
	return name
}

func (h holds) years() (years map[string]repair.Digest, rows int64) {
	years = map[string]repair.Digest{}
	for _, text := range strings.Fields(string(h))[1:] {
		year, letters, _ := strings.Cut(text, ":")
		var digest repair.Digest
		for _, row := range letters {
			rows++
			digest.Rows++
			digest.Sum[0] += 7919 * uint64(row) * uint64(row)
			digest.Sum[1] -= 104729 * uint64(row) // sums wrap around, as those of hashes do
		}
		years[year] = digest
	}
	return years, rows
}

// filed is a package of such files.
func filed(t *testing.T, off string, files ...holds) *repair.Repair {
	t.Helper()
	r := testPackage{model: "date: year@; $ paid", off: off}.prepare(t)
	r.Package.Resources, r.Evidence.Resources = nil, nil
	for _, f := range files {
		years, rows := f.years()
		r.Package.Resources = append(r.Package.Resources, cube.Resource{Name: f.name(), Found: cube.Found{Rows: rows}})
		r.Evidence.Resources = append(r.Evidence.Resources, repair.Resource{Years: years})
	}
	return r
}

// loaded names the resources that are not left out.
func loaded(r *repair.Repair) string {
	var names []string
	for _, resource := range r.Package.Resources {
		if resource.LeftOut == "" {
			names = append(names, resource.Name)
		}
	}
	return strings.Join(names, " ")
}

func TestResourceCovers(t *testing.T) {
	for name, test := range map[string]struct {
		files []holds
		left  []string // the names of those left out, in the order they are found
	}{
		"the whole table and its yearly splits": {
			[]holds{"all 2016:ab 2017:c 2018:de", "2016 2016:ba", "2017 2017:c", "2018 2018:ed"}, []string{"all"}},
		"the whole table comes last": {
			[]holds{"2016 2016:ba", "2017 2017:c", "2018 2018:ed", "all 2016:ab 2017:c 2018:de"}, []string{"all"}},
		"two equal resources: the first stays":   {[]holds{"a 2016:xyz", "b 2016:zyx"}, []string{"b"}},
		"three equal resources":                  {[]holds{"a 2016:x", "b 2016:x", "c 2016:x"}, []string{"c", "b"}},
		"equal over several years":               {[]holds{"a 2016:x 2017:y", "b 2017:y 2016:x"}, []string{"b"}},
		"a year in two halves":                   {[]holds{"all 2016:abcd", "first 2016:ab", "second 2016:cd"}, []string{"all"}},
		"no fiscal year":                         {[]holds{"all :abcd", "first :ab", "second :cd"}, []string{"all"}},
		"a split of the whole, without the rest": {[]holds{"all 2016:ab 2017:cd", "2016 2016:ba"}, []string{"2016"}},
		"rows without a year":                    {[]holds{"all :a 2016:b", "none :a", "some 2016:b"}, []string{"all"}},
		"the splits are there twice": {
			[]holds{"all 2016:ab 2017:c", "2016 2016:ab", "2017 2017:c", "2016-again 2016:ab", "2017-again 2017:c"},
			[]string{"2016-again", "2017-again", "all"}},
		"the whole is there twice": {
			[]holds{"all 2016:ab 2017:c", "2016 2016:ab", "2017 2017:c", "all-again 2016:ab 2017:c"}, []string{"all-again", "all"}},
		"a year of more than one file, and another year": {
			[]holds{"all 2016:ab 2017:c", "2016 2016:ab", "later 2017:c 2018:d"}, []string{"all"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := filed(t, "", test.files...)
			repair.Run(r)
			var left []string
			for _, f := range r.Findings {
				if f.Code != repair.ResourceCovers {
					continue
				}
				left = append(left, f.Resource)
				if f.Severity != findings.SeverityWarning || f.Message != "every row of it stands in other resources of the package, so it is left out" {
					t.Errorf("it says %s: %s", f.Severity, f)
				}
			}
			for _, resource := range r.Package.Resources {
				if out := slices.Contains(test.left, resource.Name); out != (resource.LeftOut == "its rows stand in other resources") {
					t.Errorf("%s is left out: %q", resource.Name, resource.LeftOut)
				}
			}
			slices.Sort(left)
			if slices.Sort(test.left); !slices.Equal(left, test.left) {
				t.Errorf("left out are %q, want %q", left, test.left)
			}
			off := filed(t, repair.ResourceCovers, test.files...)
			if repair.Run(off); len(off.Findings) > 0 || len(strings.Fields(loaded(off))) != len(test.files) {
				t.Errorf("switched off, it loads %s and says %s", loaded(off), findingsText(off))
			}
		})
	}
}

func TestResourceCovers_ResourcesThatStay(t *testing.T) {
	for name, test := range map[string]struct {
		files    []holds
		overlaps string // years that stand in several resources, and in which
		same     string // the year of which resources have the same rows, and in which
	}{
		"three cuts of one year":           {[]holds{"april 2016:ab", "september 2016:cd", "december 2016:ef"}, "2016 april, september, december", ""},
		"three cuts with the same rows":    {[]holds{"april 2016:ab", "september 2016:ac", "december 2016:ad"}, "2016 april, september, december", ""},
		"covered only in some years":       {[]holds{"all 2016:ab 2017:c", "other 2016:ab 2018:d"}, "2016 all, other", "2016 all and other"},
		"one row more":                     {[]holds{"all 2016:abc", "half 2016:ab"}, "2016 all, half", ""},
		"one row less":                     {[]holds{"all 2016:ab", "other 2016:abc"}, "2016 all, other", ""},
		"as many rows, but others":         {[]holds{"a 2016:ad", "b 2016:bc"}, "2016 a, b", ""},
		"D5: rows of the next year":        {[]holds{"2018 2018:abc 2019:d", "2019 2019:efg"}, "2019 2018, 2019", ""},
		"a year each":                      {[]holds{"2016 2016:a", "2017 2017:a"}, "", ""},
		"a file without rows, and another": {[]holds{"none", "nothing", "some 2016:a"}, "", ""},
		"years missing":                    {[]holds{"a :x", "b :y"}, "(missing) a, b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := filed(t, "", test.files...)
			repair.Run(r)
			if names := strings.Fields(loaded(r)); len(names) != len(test.files) {
				t.Errorf("loaded are %q alone", names)
			}
			want := ""
			if year, files, ok := strings.Cut(test.overlaps, " "); ok {
				want = fmt.Sprintf("warning fiscal year %s stands in %s [years-overlap]", year, files)
			}
			if year, files, ok := strings.Cut(test.same, " "); ok {
				want += fmt.Sprintf("\nwarning %s have the same rows of fiscal year %s, all or many of them, and all are counted: leave one out, or declare in an "+
					"overlay that they are statements of the same money [years-overlap]", files, year)
			}
			if (len(r.Package.Overlaps) > 0) != (test.same != "") {
				t.Errorf("answers warn of %v", r.Package.Overlaps)
			}
			if got := findingsText(r); got != want {
				t.Errorf("it says\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A resource whose file is not read is none that others could be covered by.
func TestResourceCovers_NotByOnesLeftOut(t *testing.T) {
	r := filed(t, "", "a 2016:x", "b 2016:x")
	r.Package.Resources[0].LeftOut = "its file is not there"
	repair.Run(r)
	if got := loaded(r); got != "b" || len(r.Findings) > 0 {
		t.Errorf("loaded is %s, and it says %s", got, findingsText(r))
	}
}

func TestSchemaUnion(t *testing.T) {
	run := func(off string) *repair.Repair {
		r := filed(t, off, "2012 2012:a", "2013 2013:b", "2014 2014:c")
		r.Evidence.Resources[0].Absent = []string{"MONTO_EJERCICIO", "DESC_FF"}
		r.Evidence.Resources[1].Absent = []string{"MONTO_EJERCIDO"}
		repair.Run(r)
		return r
	}
	want := "info 2012: it lacks MONTO_EJERCICIO, DESC_FF, which other resources have: missing in its rows [schema-union]\n" +
		"info 2013: it lacks MONTO_EJERCIDO, which other resources have: missing in its rows [schema-union]"
	r := run("")
	if got := findingsText(r); got != want || loaded(r) != "2012 2013 2014" {
		t.Errorf("it loads %s and says\n%s\nwant\n%s", loaded(r), got, want)
	}
	refused := "error 2012: it lacks MONTO_EJERCICIO, DESC_FF, which other resources have, and schema-union is switched off [fields-differ]\n" +
		"error 2013: it lacks MONTO_EJERCIDO, which other resources have, and schema-union is switched off [fields-differ]"
	if got := findingsText(run(repair.SchemaUnion)); got != refused {
		t.Errorf("switched off, it says\n%s\nwant\n%s", got, refused)
	}
}

func TestTotalsRow(t *testing.T) {
	run := func(off string) *repair.Repair {
		r := filed(t, off, "2016 2016:abc", "2017 2017:def", "2018 2018:gh")
		r.Evidence.Resources[0].Totals = []int64{7, 9691}
		r.Evidence.Resources[1].Others = []int64{12, 13}
		repair.Run(r)
		return r
	}
	r := run("")
	want := "warning 2016: the row at line 7 is the total of the others, so it is left out [totals-row]\n" +
		"warning 2016: the row at line 9691 is the total of the others, so it is left out [totals-row]\n" +
		"warning 2017: 2 rows have no keys and are no totals of the others, so they are kept; the first is at line 12 [totals-row]"
	if got := findingsText(r); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	for i, skipped := range []string{"[7 9691]", "[]", "[]"} {
		if got := fmt.Sprint(r.Package.Resources[i].SkipLines); got != skipped {
			t.Errorf("resource %d: lines %s are left out, want %s", i, got, skipped)
		}
	}
	if off := run(repair.TotalsRow); len(off.Findings) > 0 || len(off.Package.Resources[0].SkipLines) > 0 {
		t.Errorf("switched off, it says %s", findingsText(off))
	}
}

// Every pass that an overlay can name is one that can be switched off, and does nothing without evidence.
func TestRun_NothingToRepair(t *testing.T) {
	testPackage{model: "date: year@; geo: state=state_name > town; $ paid; - note"}.stays(t)
	for _, code := range findings.Repairs {
		testPackage{model: "geo: state, town#", off: code}.stays(t)
	}
}

// Comparing each file with each other one took minutes.
func TestResourceCovers_OfManyFiles(t *testing.T) {
	var files []holds
	for i := range 10_000 {
		files = append(files, holds(fmt.Sprintf("f%d.csv %d:%c%c", i, i%20, 0x4e00+i, 'b'+i%7)))
	}
	files = append(files, "again.csv 3:dd 5:x")
	files = append(files, "twice.csv 3:dd 5:x")
	r := filed(t, "", files...)
	began := time.Now()
	repair.Run(r)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	if n := len(strings.Fields(loaded(r))); n != len(files)-1 {
		t.Errorf("%d of %d files stay", n, len(files))
	}
}

func TestResourceCovers_KeepsSomeOfManyYears(t *testing.T) {
	years := ""
	for year := range 300 {
		years += fmt.Sprintf(" %d:x", 1800+year)
	}
	r := filed(t, "", holds("a.csv"+years+" 2500:a"), holds("b.csv"+years+" 2500:b"))
	repair.Run(r)
	if n := len(r.Package.Overlaps); n != 100 {
		t.Errorf("%d years are kept", n)
	}
}
