package load_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/repair"
	"fiscube/store/catalogue"
	"fiscube/store/load"
)

// refusing is a store to which nothing may be loaded.
type refusing struct{ t *testing.T }

// Load implements catalogue.Loader.
func (b refusing) Load(context.Context, catalogue.Content) (findings.Loaded, error) {
	b.t.Error("the store was asked to load the package")
	return findings.Loaded{}, errors.New("nothing is loaded here")
}

// header and rows of a good file: year, code, label, amount, count.
const (
	header = "year,code,label,amount,units\n"
	good   = header + "2016,01,One,10.50,1\n2016,02,Two,,2\n2017,01,\"On\"\"e\",-3,\n"
)

// describe writes the descriptor of files that all have the fields of header. More goes into each resource.
func describe(more string, files ...string) string {
	resources := make([]string, len(files))
	for i, name := range files {
		resources[i] = fmt.Sprintf(`{"name": %q, "path": %q%s}`, name, name, more)
	}
	return `{"name": "p", "resources": [` + strings.Join(resources, ",") + `],
		"schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "code", "type": "string"},
			{"name": "label", "type": "string"}, {"name": "amount", "type": "number"}, {"name": "units", "type": "integer"}]},
		"model": {"measures": {"amount": {}, "units": {}}, "dimensions": {
			"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
			"other": {"primaryKey": ["code"], "attributes": {"code": {}, "label": {"labelfor": "code"}}}}}}`
}

// packageOf writes a package into a folder.
func packageOf(t *testing.T, descriptor string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "package")
	write(t, filepath.Join(dir, "datapackage.json"), descriptor)
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tried loads a package that is to be refused and gives the error.
func tried(t *testing.T, dir string) error {
	t.Helper()
	source, err := load.OpenWith(t.Context(), dir, load.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	_, err = load.Run(t.Context(), refusing{t: t}, source, load.Silent{})
	if err == nil {
		t.Fatal("no error")
	}
	return err
}

// hasSentences checks that there are sentences in every language for findings which reject nothing, also after they were stored.
func hasSentences(t *testing.T, report *findings.Report) {
	t.Helper()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	read, err := findings.Of(&cube.Cube{Package: &cube.Package{}, Report: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range read.Findings {
		if f.Severity == findings.SeverityError {
			continue
		}
		if prose.Finding(f, cube.English) != f.Message || prose.Finding(f, "es") == f.Message || prose.Finding(f, "hr") == f.Message {
			t.Errorf("%s has no sentence in each language: %s %v", f, f.Sentence, f.Params)
		}
	}
}

// rejected gives the findings of a refusal, a line for each: resource, line, field, code.
func rejected(t *testing.T, err error) string {
	t.Helper()
	var r *load.Rejected
	if !errors.As(err, &r) {
		t.Fatalf("the error is %v, no *load.Rejected", err)
	}
	var lines []string
	for _, f := range r.Findings {
		if f.Severity != findings.SeverityWarning && f.Severity != findings.SeverityInfo {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s:%d %s %s", f.Resource, f.Places[0].Line, f.Code, f.Field)))
		}
		if f.Message == "" || f.Count < 1 {
			t.Errorf("a finding without words: %+v", f)
		}
	}
	return strings.Join(lines, "\n")
}

func TestRun_RejectsBadFiles(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":                         {"", "f.csv:1 header-differs"},
		"not UTF-8":                     {header + "2016,01,One,1,1\n2016,02,Educaci\xf3n,1,1\n", "f.csv:3 not-utf8"},
		"not UTF-8 in the header":       {"a\xf1o" + good, "f.csv:1 not-utf8"},
		"not UTF-8 after a broken line": {header + "2016,01,\"One\nand\nmore\",1,1\n2016,02,\xff,1,1\n", "f.csv:5 not-utf8"},
		"NUL":                           {header + "2016,01,One,1,1\n2016,02,Two,1\x00,1\n", "f.csv:3 nul-character"},
		"ends in a row":                 {header + "2016,01,One,1,1\n2016,02,Tw", "f.csv:3 cell-count"},
		"ends in a quoted cell":         {header + "2016,01,One,1,1\n2016,02,\"Tw\no", "f.csv:3 bad-quote"},
		"ends in a character":           {header + "2016,01,One,1,1\n2016,02,Educaci\xc3", "f.csv:3 not-utf8"},
		"a quote in a cell":             {header + "2016,01,One,1,1\n2016,02,T\"w\"o,1,1\n", "f.csv:3 bad-quote"},
		"a column renamed":              {strings.Replace(good, "label", "name", 1), "f.csv:1 header-differs"},
		"a column in another case":      {strings.Replace(good, "label", "Label", 1), "f.csv:1 header-differs"},
		"columns in another order":      {strings.Replace(good, "code,label", "label,code", 1), "f.csv:1 header-differs"},
		"a column missing":              {"year,code,label,amount\n2016,01,One,1\n", "f.csv:1 header-differs"},
		"a column more":                 {"year,code,label,amount,units,note\n2016,01,One,1,1,x\n", "f.csv:1 header-differs"},
		"no header":                     {"2016,01,One,10.50,1\n", "f.csv:1 header-differs"},
		"a cell too many":               {header + "2016,01,One,1,1\n2016,02,Two,1,1,x\n", "f.csv:3 cell-count"},
		"a cell too few":                {header + "2016,01,One,1,1\n2016,02,Two,1\n", "f.csv:3 cell-count"},
		"a cell too few further down":   {header + "2016,01,\"One\n\n\n\",1,1\n2016,02,Two,1\n", "f.csv:6 cell-count"},
		"a Git LFS pointer": {"version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 42\n",
			"f.csv:1 lfs-pointer"},
		"an amount that is none":        {header + "2016,01,One,1,1\n2016,02,Two,much,1\n", "f.csv:3 bad-cell amount"},
		"an amount with groups":         {header + "2016,01,One,\"1,000,00\",1\n", "f.csv:2 bad-cell amount"},
		"an amount of two points":       {header + "2016,01,One,1.0.0,1\n", "f.csv:2 bad-cell amount"},
		"an amount that is a sign":      {header + "2016,01,One,-,1\n", "f.csv:2 bad-cell amount"},
		"an infinite amount":            {header + "2016,01,One,Inf,1\n2016,01,One,NaN,1\n", "f.csv:2 bad-cell amount"},
		"a hexadecimal amount":          {header + "2016,01,One,0x10,1\n", "f.csv:2 bad-cell amount"},
		"a year that is none":           {header + "2016,01,One,1,1\nsoon,02,Two,1,1\n", "f.csv:3 bad-cell year"},
		"a year with decimals":          {header + "2016.0,01,One,1,1\n", "f.csv:2 bad-cell year"},
		"a year beyond 64 bits":         {header + "9223372036854775808,01,One,1,1\n", "f.csv:2 bad-cell year"},
		"an amount of too many digits":  {header + "2016,01,One," + strings.Repeat("9", 40) + ",1\n", "f.csv:2 too-many-digits amount"},
		"several mistakes in one file":  {header + "x,01,One,y,1\n2016,02\n2016,03,Three,z,1\n", "f.csv:2 bad-cell amount\nf.csv:2 bad-cell year\nf.csv:3 cell-count"},
		"a mistake in the very last":    {good + "2017,02,Two,x,1", "f.csv:5 bad-cell amount"},
		"a mistake after a byte-order":  {"\ufeff" + good + "2017,02,Two,x,1\r\n", "f.csv:5 bad-cell amount"},
		"a mistake after blank lines":   {good + "\n\n2017,02,Two,x,1\n", "f.csv:7 bad-cell amount"},
		"a mistake after a quoted line": {good + "2017,02,\"Two\r\nlines\",1,1\r\n2017,02,Two,x,1\r\n", "f.csv:7 bad-cell amount"},
	} {
		t.Run(name, func(t *testing.T) {
			err := tried(t, packageOf(t, describe("", "f.csv"), map[string]string{"f.csv": test.text}))
			if got := rejected(t, err); got != test.want {
				t.Errorf("found\n%s\nwant\n%s\nit says\n%v", got, test.want, err)
			}
		})
	}
}

// TestRun_ReportsEveryProblemAtOnce has three files that are bad, each in its way, between two that are good.
func TestRun_ReportsEveryProblemAtOnce(t *testing.T) {
	dir := packageOf(t, describe("", "a.csv", "b.csv", "c.csv", "missing.csv", "e.csv"), map[string]string{
		"a.csv": good,
		"b.csv": header + "2016,01,One,x,1\n2016,02\n2016,03,Three,y,1\n",
		"c.csv": "year,code\n",
		"e.csv": good,
	})
	err := tried(t, dir)
	want := "b.csv:2 bad-cell amount\nb.csv:3 cell-count\nc.csv:1 header-differs\nmissing.csv:0 missing-file"
	if got := rejected(t, err); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(err.Error(), "b.csv:2") || !strings.Contains(err.Error(), "missing.csv") {
		t.Errorf("the error says only %v", err)
	}
}

// TestRun_CountsBeyondTheKeptPlaces: places are kept up to a cap, counts are not.
func TestRun_CountsBeyondTheKeptPlaces(t *testing.T) {
	err := tried(t, packageOf(t, describe("", "f.csv"), map[string]string{
		"f.csv": header + strings.Repeat("2016,01,One,x,1\n2016,02\n", 500),
	}))
	var r *load.Rejected
	if !errors.As(err, &r) || len(r.Findings) != 2 {
		t.Fatalf("the error is %v", err)
	}
	for _, f := range r.Findings {
		if f.Count != 500 || len(f.Places) == 0 || len(f.Places) > 100 {
			t.Errorf("%s counts %d and shows %d places", f.Code, f.Count, len(f.Places))
		}
	}
}

func TestRun_ChecksDeclaredSizeAndHash(t *testing.T) {
	sum := sha256.Sum256([]byte(good))
	for name, test := range map[string]struct{ more, want string }{
		"another size":   {fmt.Sprintf(`, "bytes": %d`, len(good)+1), "f.csv:0 size-differs"},
		"another hash":   {fmt.Sprintf(`, "hash": "%x"`, sha256.Sum256(nil)), "f.csv:0 hash-differs"},
		"both":           {fmt.Sprintf(`, "bytes": 1, "hash": "sha256:%x"`, sha256.Sum256(nil)), "f.csv:0 hash-differs"},
		"the right hash": {fmt.Sprintf(`, "bytes": 1, "hash": "%X"`, sum), "f.csv:0 size-differs"},
	} {
		t.Run(name, func(t *testing.T) {
			err := tried(t, packageOf(t, describe(test.more, "f.csv"), map[string]string{"f.csv": good}))
			if got := rejected(t, err); got != test.want {
				t.Errorf("found\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestOpenWith_RejectsBadDescriptors(t *testing.T) {
	for name, test := range map[string]struct{ descriptor, want string }{
		"no JSON":               {`{"name": "p", `, "line 1, column 15"},
		"not an object":         {`[1, 2]`, "object"},
		"no resources":          {`{"name": "p"}`, "resource"},
		"an empty list":         {`{"name": "p", "resources": []}`, "resource"},
		"a path above":          {describe("", "../x.csv"), "leads out of a folder"},
		"a path above, deeper":  {describe("", "data/../../x.csv"), "leads out of a folder"},
		"an absolute path":      {describe("", "/etc/passwd"), "absolute"},
		"a path of Windows":     {describe("", `C:\x.csv`), "absolute"},
		"a path by backslashes": {describe("", `..\x.csv`), "backslash"},
		"a path to a server":    {describe("", "file:///etc/passwd"), "neither"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := packageOf(t, test.descriptor, nil)
			write(t, filepath.Join(dir, "..", "x.csv"), good)
			err := tried(t, dir)
			var problems fdp.Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want fdp.Problems that say %q", err, test.want)
			}
		})
	}
}

// TestRun_RejectsAFolderAsFile: what a resource names is a folder.
func TestRun_RejectsAFolderAsFile(t *testing.T) {
	dir := packageOf(t, describe("", "f.csv"), map[string]string{"f.csv/x": ""})
	if got := rejected(t, tried(t, dir)); !strings.HasPrefix(got, "f.csv:") {
		t.Errorf("found %s", got)
	}
}

// undeclared is a package whose descriptor has a number but names no measure.
func undeclared(cells ...string) fstest.MapFS {
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "u", "resources": [{"name": "a.csv", "path": "a.csv",
			"schema": {"fields": [{"name": "unit", "type": "string"}, {"name": "paid", "type": "number"}]},
			"model": {"dimensions": {"d": {"dimensionType": "other", "primaryKey": ["unit"],
				"attributes": {"unit": {"source": "unit"}}}}, "measures": {}}}]}`)},
		"a.csv": {Data: []byte("unit,paid\nx," + strings.Join(cells, "\nx,") + "\n")},
	}
}

func TestTake_ReadsDeclaredNumbersAsMeasures(t *testing.T) {
	take := func(cells ...string) (*load.Survey, error) {
		source, err := load.OpenFS(t.Context(), undeclared(cells...), load.Options{Allow: []string{findings.NoYear}})
		if err != nil {
			t.Fatal(err)
		}
		return load.Take(context.Background(), source, load.Silent{})
	}
	survey, err := take("1", "2.5")
	if err != nil {
		t.Fatal(err)
	}
	if measures := survey.Package().Model.Measures(); len(measures) != 1 || measures[0].Ref != "paid" {
		t.Errorf("measures %v", measures)
	}
	if _, err := take("1", "zz"); err == nil || !strings.Contains(err.Error(), `a.csv:3: field paid: "zz" is no number [bad-cell]`) {
		t.Errorf("error %v", err)
	}
}

// linked is a package whose overlay says which of two levels lies under the other.
func linked(child, parent string) fstest.MapFS {
	return fstest.MapFS{
		"datapackage.json": {Data: []byte(`{"name": "linked", "resources": [{"name": "a.csv", "path": "a.csv",
			"schema": {"fields": [{"name": "coarse", "type": "string"}, {"name": "fine", "type": "string"},
				{"name": "amount", "type": "number"}]},
			"model": {"dimensions": {"d": {"dimensionType": "other", "primaryKey": ["coarse", "fine"],
				"attributes": {"coarse": {"source": "coarse"}, "fine": {"source": "fine"}}}},
				"measures": {"amount": {"source": "amount"}}}}]}`)},
		"overlay.yaml": {Data: []byte("levels: {" + child + ": {parent: " + parent + "}}\n")},
		"a.csv":        {Data: []byte("coarse,fine,amount\n1,11,1\n1,12,2\n2,21,3\n2,22,4\n")},
	}
}

func TestCount_FindsChainsTheWrongWayRound(t *testing.T) {
	for _, test := range []struct {
		name, child, parent string
		want                bool
	}{
		{"as it should be", "fine", "coarse", false},
		{"the wrong way round", "coarse", "fine", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			source, err := load.OpenFS(t.Context(), linked(test.child, test.parent), load.Options{Allow: []string{findings.NoYear}})
			if err != nil {
				t.Fatal(err)
			}
			survey, err := load.Take(context.Background(), source, load.Silent{})
			if err != nil {
				t.Fatal(err)
			}
			report, err := survey.Count(context.Background(), load.Silent{})
			if err != nil {
				t.Fatal(err)
			}
			got := slices.ContainsFunc(report.Findings, func(f findings.Finding) bool { return f.Code == repair.ChainInverted })
			if got != test.want {
				t.Errorf("found %t, want %t: %v", got, test.want, report.Findings)
			}
		})
	}
}
