package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
)

// The codes of findings that reject a package.
const (
	CodeBadCell       = "bad-cell"
	CodeTooManyDigits = "too-many-digits"
	CodeTooManyYears  = "too-many-years"
	CodeSizeDiffers   = "size-differs"
	CodeHashDiffers   = "hash-differs"
)

// Rejected is the error of a package that was not loaded, with everything found.
type Rejected struct {
	Findings []findings.Finding
}

// Error gives a line for each error, and counts the findings that would not have rejected the package.
func (r *Rejected) Error() string {
	var lines []string
	for _, f := range r.Findings {
		if isError(f) {
			lines = append(lines, f.String())
		}
	}
	if others := len(r.Findings) - len(lines); others > 0 {
		lines = append(lines, fmt.Sprintf("beside %d findings that reject nothing", others))
	}
	return strings.Join(lines, "\n")
}

// collector collects what several readers notice at once.
type collector struct {
	mu   sync.Mutex
	byID map[findingID]*found
}

// found is a finding with the order of its resource in the package.
type found struct {
	findings.Finding
	order int
}

type findingID struct{ code, resource, field string }

// add notes a finding at a place; order is that of its resource in the package.
func (f *collector) add(order int, finding findings.Finding, at findings.Place) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[findingID]*found{}
	}
	id := findingID{finding.Code, finding.Resource, finding.Field}
	known, ok := f.byID[id]
	if !ok {
		known = &found{finding, order}
		f.byID[id] = known
	}
	at.Cell = findings.Clip(at.Cell)
	known.Note(at)
}

// more raises the counts of bad cells to what was seen beyond those noted.
func (f *collector) more(resources []cube.Resource, bad badCells) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for order, count := range bad.count {
		if known, ok := f.byID[findingID{CodeBadCell, resources[order].Name, bad.field}]; ok {
			known.Count = count
		}
	}
}

// list gives the findings by resource, then by their first line.
func (f *collector) list() []findings.Finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.SortedFunc(maps.Values(f.byID), func(a, b *found) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Places[0].Line, b.Places[0].Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Field, b.Field))
	})
	list := make([]findings.Finding, len(all))
	for i, f := range all {
		list[i] = f.Finding
	}
	return list
}

// The codes of findings that say what looks wrong, and reject nothing.
const (
	CodeYearOutsideResource  = "year-outside-resource"
	CodeDeclaredYearsDiffer  = "declared-years-differ"
	CodeSampleDiffers        = "sample-differs"
	CodePackageSchemaDiffers = "package-schema-differs"
	CodeFieldLeftOut         = "field-left-out"
)

// makeReport gathers everything the survey and the repairs found.
func (s *surveyor) makeReport() *findings.Report {
	s.checkYears()
	s.checkResources()
	report := &findings.Report{
		Resources: []findings.ResourceReport{}, Totals: []findings.ControlTotal{}, Coverage: []findings.Coverage{}, Levels: []findings.LevelReport{},
		Findings: append(s.findings.list(), s.repaired...),
	}
	for i, r := range s.surveys {
		resource := &s.pkg.Resources[i]
		report.Resources = append(report.Resources, findings.ResourceReport{
			Name: resource.Name, Path: resource.Path, Rows: resource.Found.Rows, Found: resource.Found, Left: resource.LeftOut,
			Declared: findings.DeclaredResource{Bytes: resource.Bytes, Hash: resource.Hash, HashCopy: resource.HashCopy},
		})
		report.Totals = append(report.Totals, r.controlTotals()...)
		report.Coverage = append(report.Coverage, r.coverage()...)
	}
	return report
}

// warn notes what looks wrong, in a sentence of the code.
func (s *surveyor) warn(order int, code, sentence string, params findings.Params) {
	f := findings.Finding{Code: code, Severity: findings.SeverityWarning}
	if order < len(s.pkg.Resources) {
		f.Resource = s.pkg.Resources[order].Name
	}
	s.findings.add(order, prose.Describe(f, sentence, params), findings.Place{})
}

// checkYears compares the years of the rows with the names of the resources and the years declared. The row is
// always right.
func (s *surveyor) checkYears() {
	var years []string
	for i, r := range s.surveys {
		if named, rows := r.yearOutside(); rows > 0 {
			s.warn(i, CodeYearOutsideResource, "", findings.Params{"year": named, "rows": rows, "of": r.resource.Found.Rows})
		}
		for year := range r.years {
			if year != "" && !slices.Contains(years, year) {
				years = append(years, year)
			}
		}
	}
	slices.Sort(years)
	declared := slices.Sorted(slices.Values(s.pkg.YearsIncluded))
	if len(declared) > 0 && len(years) > 0 && !slices.Equal(years, slices.Compact(declared)) {
		s.warn(len(s.pkg.Resources), CodeDeclaredYearsDiffer, "", findings.Params{"declared": declared, "years": years})
	}
}

// checkResources compares each resource with the package's own copy of the schema and with the descriptor's sample, and
// reports the fields that no column is made of.
func (s *surveyor) checkResources() {
	for i, r := range s.pkg.Resources {
		names := r.Schema.Names()
		if s.pkg.Schema != nil && !slices.Equal(s.pkg.Schema.Names(), names) {
			s.warn(i, CodePackageSchemaDiffers, "", nil)
		}
		if line := s.surveys[i].sampleDiffers; line > 0 {
			s.warn(i, CodeSampleDiffers, "", findings.Params{"line": line})
		}
		for _, name := range names {
			if cube.IsOwnName(name) {
				s.findings.add(i, prose.Describe(findings.Finding{
					Code: CodeFieldLeftOut, Severity: findings.SeverityWarning, Resource: r.Name, Field: name,
				}, "", nil), findings.Place{})
			}
		}
	}
}

// yearCoverage says which columns have no cells in which years of the rows that are loaded; nil where rows have
// no year. A column that is made of others counts as having cells where one of those has.
func (s *surveyor) yearCoverage() *cube.YearCoverage {
	filled := map[int64]map[string]bool{}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut != "" {
			continue
		}
		for text, stats := range r.years {
			year, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				continue // rows without a year are of none
			}
			if filled[year] == nil {
				filled[year] = map[string]bool{}
			}
			for i, f := range r.fields {
				if stats.filled[i] {
					filled[year][f.name] = true
				}
			}
		}
	}
	if len(filled) == 0 {
		return nil
	}
	coverage := &cube.YearCoverage{Years: slices.Sorted(maps.Keys(filled))}
	for _, c := range s.draft.Columns {
		sources := sourcesOf(c)
		gap := cube.YearGap{Column: c.Name}
		for _, year := range coverage.Years {
			if len(sources) > 0 && !slices.ContainsFunc(sources, func(name string) bool { return filled[year][name] }) {
				gap.Years = append(gap.Years, year)
			}
		}
		if len(gap.Years) > 0 {
			coverage.Gaps = append(coverage.Gaps, gap)
		}
	}
	return coverage
}

// controlTotals lists the sums of the measures by year, as read from the file. The sum of no cells is empty.
func (r *resourceSurvey) controlTotals() []findings.ControlTotal {
	var list []findings.ControlTotal
	for _, year := range slices.Sorted(maps.Keys(r.years)) {
		stats := r.years[year]
		for i, f := range r.amounts {
			if r.draft.Measure(f.name) == nil {
				continue
			}
			sum, cells := stats.total(i, r.surveyor.fields[f.name].noiseRule())
			text := ""
			if scale := r.draft.Column(f.name).Scale; cells > 0 {
				text = sum.StringFixed(int32(scale))
			}
			list = append(list, findings.ControlTotal{
				Resource: r.resource.Name, Year: year, Measure: f.name, Sum: text, Cells: cells, Rows: stats.digest.Rows,
			})
		}
	}
	return list
}

// coverage says which columns the file fills.
func (r *resourceSurvey) coverage() []findings.Coverage {
	var list []findings.Coverage
	for _, f := range r.fields {
		list = append(list, findings.Coverage{Column: f.name, Resource: r.resource.Name, Filled: f.cells})
	}
	for _, name := range r.absent {
		list = append(list, findings.Coverage{Column: name, Resource: r.resource.Name, Absent: true})
	}
	return list
}

// yearOutside counts the rows whose year is not the one that the resource's name ends in.
func (r *resourceSurvey) yearOutside() (named string, rows int64) {
	name := strings.TrimSuffix(strings.TrimSuffix(r.resource.Name, ".gz"), ".csv")
	i := strings.LastIndex(name, "__")
	if i < 0 {
		return "", 0
	}
	named = name[i+2:]
	if _, err := strconv.Atoi(named); err != nil || len(named) != len("2017") {
		return "", 0
	}
	for year, stats := range r.years {
		if year != named {
			rows += stats.digest.Rows
		}
	}
	return named, rows
}
