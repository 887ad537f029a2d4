package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
)

// versionTests load, change and remove packages one after the other.
var versionTests = []test{
	{"load serves the first version", testFirstLoad},
	{"load of the same content changes nothing", testUnchanged},
	{"load of changed content makes a new version", testChanged},
	{"load of former content serves it again", testRestored},
	{"removal makes a package unknown", testRemoved},
	{"version numbers are never used twice", testNumbers},
	{"removal of an unknown package fails", testNothingToRemove},
	{"packages do not affect each other", testIndependent},
	{"package without rows answers", testNoRows},
	{"reopening keeps everything", testReopened},
	{"cuboids of an earlier release are dropped", testCuboidsOfBefore},
	{"members are read again where they may take no memory", testNoMemberMemory},
}

func testCuboidsOfBefore(s *subject) {
	version := s.load(sample{name: "small", rows: 40}.files()).Cube
	s.place.Query(s.T, s.Store, fmt.Sprintf(`CREATE TABLE cuboid."c%d_12" AS SELECT 1 AS n0`, version.ID))
	before := s.tables()
	s.reopen()
	if after := s.tables(); after != before-1 {
		s.Errorf("%d tables of %d are left", after, before)
	}
	s.totals(s.cube("small"), sample{name: "small", rows: 40})
}

func testNoMemberMemory(s *subject) {
	limited, ok := s.Store.(interface{ LimitMembers(bytes int64) })
	if !ok {
		return // it keeps none
	}
	version := s.load(sample{name: "small", rows: 40}.files()).Cube
	for _, question := range []string{"drilldown=town&cut=region:1", "drilldown=region&cut=town_name:Town 7|year:2017&order=region_name:desc"} {
		want := s.ask(version, question)
		limited.LimitMembers(0)
		got := s.ask(version, question)
		limited.LimitMembers(1 << 20)
		if err := sameAnswer(got, want); err != nil || len(want.Cells) == 0 {
			s.Errorf("%s: %d cells; without memory %v", question, len(want.Cells), err)
		}
	}
}

func testFirstLoad(s *subject) {
	small := sample{name: "small", rows: 40}
	loaded := s.load(small.files())
	if loaded.Outcome != findings.OutcomeLoaded {
		s.Errorf("outcome %q, want %q", loaded.Outcome, findings.OutcomeLoaded)
	}
	served := s.cube("small")
	if served.ID != loaded.Cube.ID || loaded.Cube.Rows != 40 {
		s.Errorf("the load gave %+v, the catalog serves %+v", loaded.Cube, served)
	}
	if served.Version != 1 || served.Rows != 40 || !served.Served || served.Fingerprint == "" || served.LoadedAt.IsZero() {
		s.Errorf("served is %+v", served)
	}
	if first, last, ok := served.Years(); first != 2016 || last != 2017 || !ok {
		s.Errorf("years %d to %d, %t", first, last, ok)
	}
	s.hasTables(1)
	s.totals(served, small)
	if cells := s.ask(served, "drilldown=town&aggregates=_count").Cells; len(cells) != 20 {
		s.Errorf("%d towns, want 20", len(cells))
	}
}

// totals checks that a version holds a sample.
func (s *subject) totals(version *cube.Cube, want sample) {
	s.Helper()
	summary := s.ask(version, "aggregates=_count|amount.sum&pagesize=0").Summary
	if count := summary.Values[0].Decimal; !count.Equal(decimal.NewFromInt(int64(want.rows))) {
		s.Errorf("version %d of %s has %s rows, want %d", version.Version, version.Name, count, want.rows)
	}
	if sum := summary.Values[1].Decimal; !sum.Equal(decimal.RequireFromString(want.sum())) {
		s.Errorf("version %d of %s adds up to %s, want %s", version.Version, version.Name, sum, want.sum())
	}
}

func testUnchanged(s *subject) {
	small := sample{name: "small", rows: 40}
	first := s.load(small.files())
	again := s.load(small.files())
	if again.Outcome != findings.OutcomeUnchanged || again.Cube.Version != 1 || again.Cube.ID != first.Cube.ID {
		s.Errorf("the second load: %q, version %d, id %d", again.Outcome, again.Cube.Version, again.Cube.ID)
	}
	if versions := s.versions("small"); len(versions) != 1 {
		s.Errorf("%d versions, want 1", len(versions))
	}
	s.hasTables(1)
}

func testChanged(s *subject) {
	old, changed := sample{name: "small", rows: 40}, sample{name: "small", rows: 60, edition: 1}
	first := s.load(old.files()).Cube
	second := s.load(changed.files())
	if second.Outcome != findings.OutcomeLoaded || second.Cube.Version != 2 || second.Cube.Fingerprint == first.Fingerprint {
		s.Errorf("the second load: %q, version %d", second.Outcome, second.Cube.Version)
	}
	if served := s.cube("small"); served.Version != 2 {
		s.Errorf("version %d is served, want 2", served.Version)
	}
	versions := s.versions("small")
	if len(versions) != 2 || versions[0].Version != 1 || versions[0].Served || !versions[1].Served {
		s.Fatalf("versions %+v", versions)
	}
	s.totals(first, old) // a request that was planned before the load
	s.totals(versions[0], old)
	s.totals(versions[1], changed)
	s.hasTables(2)
}

func testRestored(s *subject) {
	editions := []sample{{"small", 40, 0}, {"small", 60, 1}, {"small", 30, 2}}
	s.load(editions[0].files())
	s.load(editions[1].files())
	for _, back := range []int{0, 1, 0} {
		loaded := s.load(editions[back].files())
		if loaded.Outcome != findings.OutcomeRestored || loaded.Cube.Version != back+1 {
			s.Errorf("edition %d again: %q, version %d", back, loaded.Outcome, loaded.Cube.Version)
		}
		s.totals(s.cube("small"), editions[back])
		s.hasTables(2)
	}
	if loaded := s.load(editions[2].files()); loaded.Outcome != findings.OutcomeLoaded || loaded.Cube.Version != 3 {
		s.Errorf("a third edition: %q, version %d", loaded.Outcome, loaded.Cube.Version)
	}
}

func testRemoved(s *subject) {
	s.load(sample{name: "small", rows: 40}.files())
	s.load(sample{name: "small", rows: 40, edition: 1}.files())
	former := s.cube("small")
	s.remove("small")
	s.isUnknown("small")
	s.hasTables(0)
	if versions := s.versions("small"); len(versions) != 0 {
		s.Errorf("%d versions are left", len(versions))
	}
	_, err := s.run(s.context(), s.plan(former, "drilldown=region"))
	if cube.CodeOf(err) != cube.CodeGone {
		s.Errorf("asked for what is gone: %v, want code %s", err, cube.CodeGone)
	}
}

func (s *subject) remove(name string) {
	s.Helper()
	if err := s.Remove(s.context(), name); err != nil {
		s.Fatalf("remove %s: %v", name, err)
	}
}

// isUnknown checks that nothing is loaded under a name.
func (s *subject) isUnknown(name string) {
	s.Helper()
	if _, err := servedCube(s.context(), s.Store, name); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("the cube %s: error %v, want code %s", name, err, cube.CodeUnknownCube)
	}
}

func testNumbers(s *subject) {
	old, changed := sample{name: "small", rows: 40}, sample{name: "small", rows: 40, edition: 1}
	s.load(old.files())
	s.load(changed.files())
	s.remove("small")
	for i, content := range []sample{old, changed} {
		loaded := s.load(content.files())
		if loaded.Outcome != findings.OutcomeLoaded || loaded.Cube.Version != 3+i {
			s.Errorf("loaded after the removal: %q, version %d, want a new version %d", loaded.Outcome, loaded.Cube.Version, 3+i)
		}
	}
	s.remove("small")
	s.reopen()
	if loaded := s.load(old.files()); loaded.Cube.Version != 5 {
		s.Errorf("loaded after reopening: version %d, want 5", loaded.Cube.Version)
	}
	s.hasTables(1)
}

func testNothingToRemove(s *subject) {
	for range 2 {
		if err := s.Remove(s.context(), "small"); cube.CodeOf(err) != cube.CodeUnknownCube {
			s.Errorf("remove what is not there: %v, want code %s", err, cube.CodeUnknownCube)
		}
		s.load(sample{name: "small", rows: 4}.files())
		s.remove("small")
	}
}

func testIndependent(s *subject) {
	one, other := sample{"one", 40, 0}, sample{"Other one; with \"quotes\" — ć", 60, 1}
	s.load(one.files())
	s.load(other.files())
	s.totals(s.cube(one.name), one)
	s.totals(s.cube(other.name), other)
	catalog, err := s.Catalog(s.context())
	if err != nil || len(catalog.Served()) != 2 {
		s.Errorf("%d cubes are served, %v; want 2", len(catalog.Served()), err)
	}
	s.remove(one.name)
	s.isUnknown(one.name)
	s.totals(s.cube(other.name), other)
	s.hasTables(1)
}

func testNoRows(s *subject) {
	empty := s.load(sample{name: "empty"}.files()).Cube
	for _, question := range []string{"", "drilldown=year|town", "aggregates=amount.avg|amount.max"} {
		result := s.ask(empty, question)
		if n := int64(len(result.Cells)); n != result.Summary.Count {
			s.Errorf("%q: %d cells, the summary counts %d", question, n, result.Summary.Count)
		}
	}
}

func testReopened(s *subject) {
	small := sample{name: "small", rows: 40}
	s.load(small.files())
	s.load(sample{name: "small", rows: 40, edition: 1}.files())
	s.load(small.files())
	s.load(sample{name: "removed", rows: 4}.files())
	s.remove("removed")
	before := s.versions("small")
	s.reopen()
	after := s.versions("small")
	if len(before) != 2 || len(after) != 2 {
		s.Fatalf("%d versions before, %d after", len(before), len(after))
	}
	for i := range after {
		sameCube(s.T, after[i], before[i])
	}
	s.isUnknown("removed")
	s.totals(s.cube("small"), small)
	s.hasTables(2)
}

func sameCube(t *testing.T, got, want *cube.Cube) {
	t.Helper()
	a, b := *got, *want
	a.Package, b.Package = nil, nil
	if a != b {
		t.Errorf("reopened %+v, was %+v", a, b)
	}
	if !bytes.Equal(got.Descriptor, want.Descriptor) {
		t.Error("the descriptor is another one")
	}
	one, errOne := json.Marshal(got.Package)
	other, errOther := json.Marshal(want.Package)
	if errOne != nil || errOther != nil || !bytes.Equal(one, other) {
		t.Errorf("the package is another one: %s, was %s", one, other)
	}
}

// nameTests load fields and packages of any name.
var nameTests = []test{
	{"fields of any name", testFieldNames},
	{"packages of any name", testPackageNames},
	{"packages whose names are too alike", testAlikeNames},
}

// fieldNames are names that the stores could take for something else: their own columns, keywords, aliases of the
// SQL, names cut at 63 bytes, names that fold to one another.
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
	e := &examination{subject: s, version: version, breaking: version, alphabet: newAlphabet(), answers: map[string]*answer.Answer{}}
	if err := e.readRows(files); err != nil {
		s.Fatal(err)
	}
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
		if loaded := s.load(sample{name: name, rows: 10 + i}.files()); loaded.Outcome != findings.OutcomeLoaded || loaded.Cube.Version != 1 {
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

// keepingTests serve kept versions and give up others.
var keepingTests = []test{
	{"serve takes a kept version", testServed},
	{"serve refuses a version that is not kept", testNotServed},
	{"prune drops old versions", testPruned},
	{"prune keeps the served version", testPrunedButServed},
	{"prune while an answer is read", testPruneWhileReading},
	{"last version number is known", testLast},
	{"reports are kept", testReports},
	{"load, serve and prune at once", testKeepingAtOnce},
}

// loadEditions loads so many versions, all different.
func (s *subject) loadEditions(n int) []sample {
	s.Helper()
	var all []sample
	for i := range n {
		all = append(all, sample{"small", 40 + i, i})
		s.load(all[i].files())
	}
	return all
}

// serves checks which version is served, which are kept, and that each holds its edition.
func (s *subject) serves(editions []sample, number int, kept ...int) {
	s.Helper()
	if served := s.cube("small"); served.Version != number {
		s.Errorf("version %d is served, want %d", served.Version, number)
	}
	var numbers []int
	for _, one := range s.versions("small") {
		numbers = append(numbers, one.Version)
		s.totals(one, editions[one.Version-1])
	}
	if !slices.Equal(numbers, kept) {
		s.Errorf("kept are %v, want %v", numbers, kept)
	}
	s.hasTables(len(kept))
}

func (s *subject) serve(number int) {
	s.Helper()
	if err := s.Serve(s.context(), "small", number); err != nil {
		s.Errorf("serve version %d: %v", number, err)
	}
}

func (s *subject) prune(keep int, want ...int) {
	s.Helper()
	dropped, err := s.Prune(s.context(), "small", keep)
	if err != nil || !slices.Equal(dropped, want) {
		s.Errorf("pruned to %d: dropped %v, %v; want %v", keep, dropped, err, want)
	}
}

func testServed(s *subject) {
	editions := s.loadEditions(3)
	for _, number := range []int{1, 3, 3, 2} {
		s.serve(number)
		s.serves(editions, number, 1, 2, 3)
	}
	s.reopen()
	s.serves(editions, 2, 1, 2, 3)
	editions = append(editions, sample{"small", 99, 9})
	if loaded := s.load(editions[3].files()); loaded.Cube.Version != 4 {
		s.Errorf("the load after a rollback is version %d, want 4", loaded.Cube.Version)
	}
	s.serves(editions, 4, 1, 2, 3, 4)
}

func testNotServed(s *subject) {
	if err := s.Serve(s.context(), "small", 1); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("serve what was never loaded: %v", err)
	}
	editions := s.loadEditions(3)
	s.prune(1, 1, 2)
	for number, code := range map[int]cube.Code{
		-1: cube.CodeUnknownVersion, 0: cube.CodeUnknownVersion, 1: cube.CodeGone, 2: cube.CodeGone, 4: cube.CodeUnknownVersion,
		1 << 40: cube.CodeUnknownVersion,
	} {
		var said *cube.Error
		if err := s.Serve(s.context(), "small", number); !errors.As(err, &said) || said.Code != code || said.Hint != "version 3 is served" {
			s.Errorf("serve version %d: %v, want code %s", number, err, code)
		}
	}
	s.serves(editions, 3, 3)
	s.remove("small")
	if err := s.Serve(s.context(), "small", 3); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("serve what was removed: %v", err)
	}
}

func testPruned(s *subject) {
	if _, err := s.Prune(s.context(), "small", 1); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("prune what was never loaded: %v", err)
	}
	editions := s.loadEditions(4)
	former := s.versions("small")[0]
	s.prune(9)
	s.prune(4)
	s.prune(3, 1)
	s.serves(editions, 4, 2, 3, 4)
	s.prune(0, 2, 3)
	s.serves(editions, 4, 4)
	_, err := s.run(s.context(), s.plan(former, "drilldown=region"))
	if cube.CodeOf(err) != cube.CodeGone {
		s.Errorf("asked for what was pruned: %v, want code %s", err, cube.CodeGone)
	}
	s.reopen()
	s.serves(editions, 4, 4)
	editions = append(editions, editions[0])
	if loaded := s.load(editions[0].files()); loaded.Outcome != findings.OutcomeLoaded || loaded.Cube.Version != 5 {
		s.Errorf("what was pruned is loaded again: %q, version %d", loaded.Outcome, loaded.Cube.Version)
	}
}

func testPrunedButServed(s *subject) {
	editions := s.loadEditions(4)
	s.serve(1)
	s.prune(2, 2)
	s.serves(editions, 1, 1, 3, 4)
	s.prune(0, 3, 4)
	s.serves(editions, 1, 1)
}

func testPruneWhileReading(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	p := s.plan(s.cube("long"), longQuestion)
	s.load(sample{"long", 10, 1}.files())
	s.readLong(p, func() {
		if dropped, err := s.Prune(s.context(), "long", 1); err != nil || !slices.Equal(dropped, []int{1}) {
			s.Errorf("dropped %v, %v", dropped, err)
		}
	})
	s.reopen()
	s.hasTables(1)
}

func testLast(s *subject) {
	s.loadEditions(3)
	s.serve(1)
	s.prune(0, 2, 3)
	for range 2 {
		if last := s.cube("small").Last; last != 3 {
			s.Errorf("the last number is %d, want 3", last)
		}
		s.reopen()
	}
}

func testReports(s *subject) {
	small := sample{"small", 40, 0}
	loaded := s.load(small.files()).Cube
	s.reopen()
	for _, version := range []*cube.Cube{loaded, s.cube("small")} {
		report, err := findings.Of(version)
		if err != nil {
			s.Fatal(err)
		}
		members := ""
		for _, l := range report.Levels {
			members += fmt.Sprintf("%s %d, ", l.Ref, l.Members)
		}
		if want := "year 2, region 4, town 20, "; members != want {
			s.Errorf("the report counts %s, want %s", members, want)
		}
		if len(report.Resources) != 1 || report.Resources[0].Rows != 40 || len(report.Totals) != 2 || report.Findings == nil {
			s.Errorf("the report is %+v", report)
		}
	}
}

// testKeepingAtOnce does whatever comes to mind. Nothing may fail but for the reason that a version is not there,
// and there is always one served.
func testKeepingAtOnce(s *subject) {
	editions := s.loadEditions(2)
	ctx, cancel := context.WithTimeout(s.context(), time.Duration(repeat(1, 4))*time.Second)
	defer cancel()
	atOnce(3, func(i int) {
		for n := 0; ctx.Err() == nil; n++ {
			var err error
			switch i {
			case 0:
				_, err = loadInto(s.Context(), s.Store, editions[n%2].files())
			case 1:
				err = s.Serve(s.Context(), "small", 1+n%4)
			default:
				_, err = s.Prune(s.Context(), "small", 1)
				if err == nil {
					err = askTowns(s, "small")
				}
			}
			switch cube.CodeOf(err) {
			case cube.CodeGone, cube.CodeUnknownVersion:
			default:
				if err != nil {
					s.Errorf("%d: %v", i, err)
				}
			}
		}
	})
	s.sameAfterReopening("small")
	s.load(editions[0].files())
	s.totals(s.cube("small"), editions[0])
}
