package storetest

import (
	"bytes"
	"cmp"
	_ "embed" // the scripts
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/series"
	"fiscube/internal/each"
	"fiscube/store/load"
)

//go:embed testdata/versions.txt
var versionScripts string

// versionTests load, change and remove packages one after the other: as testdata/versions.txt says, and in ways that take more than
// words.
var versionTests = func() []test {
	tests := []test{
		{"reopening keeps every word", testReopened},
		{"cuboids of an earlier release are dropped", testCuboidsOfBefore},
		{"members are read again where they may take no memory", testNoMemberMemory},
		{"prune while an answer is read", testPruneWhileReading},
		{"reports are kept", testReports},
		{"fields of any name", testFieldNames},
		{"added series are used by all packages until they are removed", testAddedSeries},
	}
	for _, text := range strings.Split(versionScripts, "\ntest ")[1:] {
		name, steps, _ := strings.Cut(text, "\n")
		tests = append(tests, test{name, func(s *subject) {
			(&script{s, map[string]sample{}, map[int]*cube.Cube{}}).follow(steps)
		}})
	}
	return tests
}()

// script is a script on its way.
type script struct {
	*subject
	contents map[string]sample  // by fingerprint
	loaded   map[int]*cube.Cube // by number, as the load gave it
}

func (s *script) follow(steps string) {
	step := ""
	for line := range strings.Lines(steps) {
		line = strings.TrimSuffix(line, "\n")
		want, isResult := strings.CutPrefix(line, "= ")
		switch {
		case line == "reopen":
			s.reopen()
		case !isResult:
			step = line
		default:
			if got := s.do(step); got != want {
				s.Fatalf("%s: %s, want %s", step, got, want)
			}
		}
	}
}

// do does a step and says what came of it.
func (s *script) do(step string) string {
	word, rest, _ := strings.Cut(step, " ")
	var numbers []int
	for range map[string]int{"load": 2, "load-no-files": 2, "serve": 1, "prune": 1, "ask": 1}[word] {
		var text string
		text, rest, _ = strings.Cut(rest, " ")
		n, err := strconv.Atoi(text)
		if err != nil {
			s.Fatalf("%s: %v", step, err)
		}
		numbers = append(numbers, n)
	}
	name := cmp.Or(rest, "small")
	result, err := "done", error(nil)
	switch word {
	case "load", "load-no-files":
		content := sample{name, numbers[0], numbers[1]}
		var loaded findings.Loaded
		if loaded, err = loadWith(s.context(), s.Store, content.files(), load.Options{NoFiles: word != "load"}); err == nil {
			result = fmt.Sprint(loaded.Outcome, " ", loaded.Cube.Version)
			if before := s.loaded[loaded.Cube.Version]; before != nil && before.FilesKept != loaded.Cube.FilesKept && before.Key() != loaded.Cube.Key() {
				result += " with another key"
			}
			if !loaded.Cube.FilesKept {
				result += " without files"
			}
			s.contents[loaded.Cube.Fingerprint], s.loaded[loaded.Cube.Version] = content, loaded.Cube
		}
	case "remove":
		err = s.Remove(s.context(), name)
	case "serve":
		err = s.Serve(s.context(), name, numbers[0])
	case "prune":
		var dropped []int
		dropped, err = s.Prune(s.context(), name, numbers[0])
		result = fmt.Sprint("dropped ", dropped)
	case "ask":
		_, err = s.run(s.context(), s.plan(s.loaded[numbers[0]], "drilldown=region"))
		result = "answers"
	case "state":
		result, err = s.state(name)
	}
	var said *cube.Error
	if errors.As(err, &said) {
		result = string(said.Code)
		if strings.HasPrefix(said.Hint, "version ") {
			result += " (" + said.Hint + ")"
		}
	} else if err != nil {
		s.Fatalf("%s: %v", step, err)
	}
	return result
}

// state lists the versions of a package, and checks that each has its rows and that there are the tables and files of all versions alone.
func (s *script) state(name string) (string, error) {
	served, err := servedCube(s.context(), s.Store, name)
	if err != nil {
		return "", err
	}
	var list []string
	for _, version := range s.versions(name) {
		s.totals(version, s.contents[version.Fingerprint])
		if list = append(list, strconv.Itoa(version.Version)); version.Version == served.Version {
			list[len(list)-1] += "*"
		}
	}
	catalog, err := s.Catalog(s.context())
	all := slices.Concat(each.Of(catalog.Served(), func(one *cube.Cube) []*cube.Cube { return catalog.Versions(one.Name) })...)
	s.hasTables(len(all))
	s.hasFilesOf(all, slices.Collect(maps.Values(s.contents))...)
	return fmt.Sprintf("%s of %d", strings.Join(list, " "), served.Last), err
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

// testFieldNames drills and cuts every field of a package whose fields have any name.
func testFieldNames(s *subject) {
	e := &examination{subject: s, version: s.load(Package("names")).Cube, alphabet: newAlphabet(), answers: map[string]*answer.Answer{}}
	if err := e.readRows(Package("names")); err != nil {
		s.Fatal(err)
	}
	for _, column := range e.version.Model.Columns() {
		name := quoted(column.Name)
		q, err := Query("drilldown=" + name + "&cut=!" + name + ":cell 1")
		if err == nil {
			_, err = e.check(q)
		}
		if err != nil {
			s.Errorf("field %s: %v", name, err)
		}
	}
}

func testPruneWhileReading(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	p := s.plan(s.cube("long"), longQuestion)
	s.load(sample{"long", 10, 1}.files())
	s.readAnswer(p, func() {
		if dropped, err := s.Prune(s.context(), "long", 1); err != nil || !slices.Equal(dropped, []int{1}) {
			s.Errorf("dropped %v, %v", dropped, err)
		}
	})
	s.reopen()
	s.hasTables(1)
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

// testAddedSeries adds series for all packages, in place of those of the program, and removes them again.
func testAddedSeries(s *subject) {
	s.load(Package("croatian"))
	var keys []string
	asked := func(want string) {
		version := s.cube("croatian")
		keys = append(keys, version.Key())
		if got := s.ask(version, "aggregates=real(plan.sum,2017)").Summary.Values[0]; want != "" && text(got) != want {
			s.Errorf("in prices of 2017 it is %s, want %s", text(got), want)
		}
	}
	asked("")
	for _, level := range []string{"75", "50"} {
		list, err := series.Read("prices", []byte("# title: Prices\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\ncountry,year,index\nHRV,2016,"+level+"\nHRV,2017,100\nXXX,2017,1\n"))
		if err := errors.Join(err, s.AddSeries(s.context(), list)); err != nil {
			s.Fatal(err)
		}
		asked(map[string]string{"75": "90", "50": "110"}[level]) // 30 of 2016 in other prices, and 50
	}
	s.reopen()
	asked("110")
	if added, err := s.Series(s.context()); err != nil || added == nil || len(added.Series) != 2 || added.Series[0].Title != "Prices" {
		s.Errorf("added are %v, %v", added, err)
	}
	if err := s.RemoveSeries(s.context(), "price"); cube.CodeOf(err) != cube.CodeUnknownRef || !strings.Contains(err.Error(), "did you mean prices?") {
		s.Errorf("a name that there is not: %v", err)
	}
	err := s.RemoveSeries(s.context(), "prices")
	if added, errAfter := s.Series(s.context()); err != nil || errAfter != nil || added != nil {
		s.Errorf("left are %v, %v, %v", added, err, errAfter)
	}
	asked("")
	if keys[0] == keys[1] || keys[1] == keys[2] || keys[4] != keys[0] {
		s.Errorf("the keys of the version are %q", keys)
	}
}
