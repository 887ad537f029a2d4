package load

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// The codes of findings that say what looks wrong, and reject nothing.
const (
	CodeYearOutsideResource  = "year-outside-resource"
	CodeDeclaredYearsDiffer  = "declared-years-differ"
	CodeSampleDiffers        = "sample-differs"
	CodePackageSchemaDiffers = "package-schema-differs"
	CodeFieldLeftOut         = "field-left-out"
)

// makeReport gathers everything the survey and the repairs found.
func (s *surveyor) makeReport() *cube.Report {
	s.checkYears()
	s.checkPackageSchema()
	s.checkSamples()
	s.checkNames()
	report := &cube.Report{
		Resources: []cube.ResourceReport{}, Totals: []cube.ControlTotal{}, Coverage: []cube.Coverage{}, Levels: []cube.LevelReport{},
		Findings: append(s.findings.list(), s.repaired...),
	}
	for i, r := range s.surveys {
		report.Resources = append(report.Resources, resourceReport(&s.pkg.Resources[i]))
		report.Totals = append(report.Totals, r.controlTotals()...)
		report.Coverage = append(report.Coverage, r.coverage()...)
	}
	return report
}

func resourceReport(r *cube.Resource) cube.ResourceReport {
	return cube.ResourceReport{
		Name: r.Name, Path: r.Path, Rows: r.Found.Rows, Found: r.Found, Left: r.LeftOut,
		Declared: cube.DeclaredResource{Bytes: r.Bytes, Hash: r.Hash, HashCopy: r.HashCopy},
	}
}

func (s *surveyor) warn(order int, code, message string) {
	one := cube.Finding{Code: code, Severity: cube.SeverityWarning, Message: message}
	if order < len(s.pkg.Resources) {
		one.Resource = s.pkg.Resources[order].Name
	}
	s.findings.add(order, one, cube.Place{})
}

// checkYears holds the years of the rows against the names of the resources and the years declared. The row
// is always right.
func (s *surveyor) checkYears() {
	var years []string
	for i, r := range s.surveys {
		if named, rows := r.yearOutside(); rows > 0 {
			s.warn(i, CodeYearOutsideResource, fmt.Sprintf("its name says %s; %d of its %d rows are of another fiscal year",
				named, rows, r.resource.Found.Rows))
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
		s.warn(len(s.pkg.Resources), CodeDeclaredYearsDiffer, fmt.Sprintf("years_included says %s; the rows are of %s",
			strings.Join(declared, ", "), strings.Join(years, ", ")))
	}
}

// checkPackageSchema holds the package's own copy of the schema against those of the resources.
func (s *surveyor) checkPackageSchema() {
	if s.pkg.Schema == nil {
		return
	}
	own := fieldNames(*s.pkg.Schema)
	for i, r := range s.pkg.Resources {
		if names := fieldNames(r.Schema); !slices.Equal(own, names) {
			s.warn(i, CodePackageSchemaDiffers, "its fields are not those of the package's own schema")
		}
	}
}

func fieldNames(s cube.Schema) []string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = f.Name
	}
	return names
}

// checkNames reports the fields that no column is of, as fdp says.
func (s *surveyor) checkNames() {
	for i, r := range s.pkg.Resources {
		for _, name := range fieldNames(r.Schema) {
			if cube.IsOwnName(name) {
				s.findings.add(i, cube.Finding{
					Code: CodeFieldLeftOut, Severity: cube.SeverityWarning, Resource: r.Name, Field: name,
					Message: "it is left out: names that begin with _ are fiscube's own; give it another name to load it",
				}, cube.Place{})
			}
		}
	}
}

// checkSamples reports the resources whose published sample is not the beginning of their file.
func (s *surveyor) checkSamples() {
	for i, r := range s.surveys {
		if line := r.sampleDiffers; line > 0 {
			s.warn(i, CodeSampleDiffers, fmt.Sprintf("the descriptor's sample differs from the file at line %d", line))
		}
	}
}

// yearCoverage tells which columns have no cells in which years of the rows that are loaded; nil where rows have
// no year. A column that is made of others counts as having cells where one of those has.
func (s *surveyor) yearCoverage() *cube.YearCoverage {
	filled := map[int64]map[string]bool{}
	for i, r := range s.surveys {
		if s.pkg.Resources[i].LeftOut == "" {
			r.addFilled(filled)
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

// addFilled notes the fields of the file that have cells, by year. Rows without a year are of none.
func (r *resourceSurvey) addFilled(filled map[int64]map[string]bool) {
	for text, stats := range r.years {
		year, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			continue
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

// controlTotals lists the sums of the measures by year, as read from the file.
func (r *resourceSurvey) controlTotals() []cube.ControlTotal {
	var list []cube.ControlTotal
	for _, year := range slices.Sorted(maps.Keys(r.years)) {
		stats := r.years[year]
		for i, f := range r.amounts {
			sum := &stats.sums[i]
			if r.draft.Measure(f.name) != nil {
				list = append(list, cube.ControlTotal{
					Resource: r.resource.Name, Year: year, Measure: f.name, Sum: r.sumText(sum, f.name),
					Cells: sum.cells, Rows: stats.digest.Rows,
				})
			}
		}
	}
	return list
}

// sumText prints a sum with the decimals of its measure; of no cells it is empty, as the sum of nothing is.
func (r *resourceSurvey) sumText(sum *exactSum, measure string) string {
	if sum.cells == 0 {
		return ""
	}
	scale := r.draft.Column(measure).Scale
	return sum.total(scale).StringFixed(int32(scale))
}

// coverage tells which columns the file fills.
func (r *resourceSurvey) coverage() []cube.Coverage {
	var list []cube.Coverage
	for _, f := range r.fields {
		list = append(list, cube.Coverage{Column: f.name, Resource: r.resource.Name, Filled: f.cells})
	}
	for _, name := range r.absent {
		list = append(list, cube.Coverage{Column: name, Resource: r.resource.Name, Absent: true})
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
