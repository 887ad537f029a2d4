package storetest

import (
	_ "embed" // the forms
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"fiscube/store/describe"
	"fiscube/store/load"
)

//go:embed testdata/bare.txt
var bareForms string

// bareTests describe the files of testdata/bare.txt, in the forms in which budgets are published, load what was described, and ask for the
// sums of each year. Each is a title after #, the word bare with the year that a person says, if any, the files, and the sums.
var bareTests = func() []test {
	var tests []test
	for _, form := range strings.Split(bareForms, "\n\n# ")[1:] {
		title, text, _ := strings.Cut(form, "\n")
		tests = append(tests, test{title, func(s *subject) {
			lines := strings.Split(text, "\n")
			files, n := filesIn(s, lines)
			year := strings.TrimSpace(strings.TrimPrefix(lines[0], "bare"))
			if got, want := s.sumsOf(s.described(files, describe.Options{Year: year})), strings.TrimPrefix(lines[n+1], "sums "); got != want {
				s.Errorf("the sums are\n%s\nwant\n%s", got, want)
			}
		}})
	}
	return tests
}()

// described gives the package that is made of bare files.
func (s *subject) described(files fstest.MapFS, options describe.Options) fstest.MapFS {
	s.Helper()
	d, err := describe.Read(s.context(), files, slices.Sorted(maps.Keys(files)), options, load.Silent{})
	if err != nil {
		s.Fatalf("describe: %v", err)
	}
	descriptor, err := d.Descriptor()
	if err != nil {
		s.Fatal(err)
	}
	files[load.DescriptorName], files[load.OverlayName] = &fstest.MapFile{Data: descriptor}, &fstest.MapFile{Data: d.Overlay()}
	return files
}

// sumsOf asks for the sums of all measures by year: 2023 paid=3 plan=4; 2024 paid=5.
func (s *subject) sumsOf(files fstest.MapFS) string {
	s.Helper()
	version := s.load(files).Cube
	year, ok := version.Model.FiscalYear()
	if !ok {
		s.Fatalf("no fiscal year in\n%s", files[load.DescriptorName].Data)
	}
	sums := map[string][]string{}
	for _, m := range version.Model.Measures() {
		for _, cell := range s.ask(version, "drilldown=\""+year.Name+"\"&aggregates=\""+m.Ref+"\".sum").Cells {
			if v := cell.Values[0]; v.Valid {
				key := cell.Keys[0].String()
				sums[key] = append(sums[key], m.Ref+"="+v.Decimal.String())
			}
		}
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, key+" "+strings.Join(slices.Sorted(slices.Values(sums[key])), " "))
	}
	return strings.Join(list, "; ")
}
