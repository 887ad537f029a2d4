package storetest

import (
	"strconv"
	"strings"

	"fiscube/cube"
)

// nameTests load fields and packages of any name.
var nameTests = []test{
	{"fields of any name", testFieldNames},
	{"packages of any name", testPackageNames},
	{"packages whose names are too alike", testAlikeNames},
}

// fieldNames are names that the stores could take for something else: their own columns, keywords, aliases of the
// statements, names cut at 63 bytes, names that fold to one another.
var fieldNames = []string{
	"xmin", "ctid", "tableoid", "oid", "rowid", "row_number", "rank", "label", "p0", "k0", "a0", "t0", "f", "g", "s", "m0",
	"one", "n", "null", "true", "current_user", "user", "table", "group", "from", "f.k0", `f"."k0`, `"`, `""`, "'", "$1", "?",
	":x", "%s", `\`, "--", "/*", " ", "a ", " a", "\t", "a\nb", "İ", "ß", "ſ", "é", "e\u0301", "日本", "\U0001F600", "\u200b",
	strings.Repeat("long", 20) + "1", strings.Repeat("long", 20) + "2", strings.Repeat("ñ", 40) + "1", strings.Repeat("ñ", 40) + "2",
}

func testFieldNames(s *subject) {
	d := descriptor{
		Name:      "names",
		Resources: []resource{{Name: "names.csv", Path: "names.csv"}},
		Model:     model{Dimensions: map[string]dimension{}, Measures: map[string]measure{}},
	}
	rows := make([][]string, 7)
	for i, name := range fieldNames {
		d.Schema.Fields = append(d.Schema.Fields, field{Name: name, Type: "string"})
		d.Model.Dimensions["dimension "+strconv.Itoa(i)] = dimension{Key: []string{name}, Attributes: attributes{name: {}}}
		for r := range rows {
			rows[r] = append(rows[r], "cell "+strconv.Itoa((i+r)%5))
		}
	}
	files := folder(d, rows)
	version := s.load(files).Cube
	a, err := newAdder(files, version)
	if err != nil {
		s.Fatal(err)
	}
	e := &examination{subject: s, version: version, adder: a, alphabet: newAlphabet(), answers: map[string]*cube.Result{}}
	for _, name := range fieldNames {
		query, err := Query("drilldown=" + quoted(name) + "&cut=!" + quoted(name) + ":cell 1")
		if err == nil {
			_, err = e.check(query)
		}
		if err != nil {
			s.Errorf("field %q: %v", name, err)
		}
	}
}

func testPackageNames(s *subject) {
	names := []string{"a", "b", "f1", "'", `"`, `a"; DROP TABLE fact.f1; --`, "a b", "ć", "日本", strings.Repeat("long", 20), "%", "?"}
	for i, name := range names {
		if loaded := s.load(sample{name: name, rows: 10 + i}.files()); loaded.Outcome != cube.OutcomeLoaded || loaded.Cube.Version != 1 {
			s.Errorf("package %q: %s, version %d", name, loaded.Outcome, loaded.Cube.Version)
		}
	}
	s.reopen()
	for i, name := range names {
		s.totals(s.cube(name), sample{name: name, rows: 10 + i})
	}
	for _, name := range names {
		s.remove(name)
		s.isUnknown(name)
	}
	s.hasTables(0)
}

// testAlikeNames loads packages beside another whose name, or that of whose view, is theirs but for case.
func testAlikeNames(s *subject) {
	long := strings.Repeat("Long", 20)
	for _, pair := range [][2]string{
		{"budget", "Budget"}, {"ŠIBENIK", "šibenik"}, {"plan", "plan (all)"}, {"cut (ALL)", "cut"}, {long, strings.ToLower(long)},
	} {
		s.load(sample{name: pair[0], rows: 10}.files())
		_, err := loadInto(s.context(), s.Store, sample{name: pair[1], rows: 20}.files())
		if cube.CodeOf(err) != cube.CodeConflict || !strings.Contains(err.Error(), strconv.Quote(pair[0])) {
			s.Errorf("%q beside %q: %v", pair[1], pair[0], err)
		}
		s.isUnknown(pair[1])
		s.load(sample{name: pair[0], rows: 30}.files())
		s.remove(pair[0])
		s.load(sample{name: pair[1], rows: 20}.files())
		s.remove(pair[1])
	}
}
