package load

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
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

// yearCoverage says which columns have no cells in which years of the rows that are loaded, which measures have no amount but 0, and of
// which periods rows are; nil where rows have no year. A column that is made of others counts as having what one of those has.
func (s *surveyor) yearCoverage() *cube.YearCoverage {
	filled, counts := map[int64]map[string]bool{}, map[int64]map[string]bool{}
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
				filled[year], counts[year] = map[string]bool{}, map[string]bool{}
			}
			for i, f := range r.fields {
				if stats.filled[i] {
					filled[year][f.name] = true
				}
				if stats.counts[i] {
					counts[year][f.name] = true
				}
			}
		}
	}
	if len(filled) == 0 {
		return nil
	}
	coverage := &cube.YearCoverage{Years: slices.Sorted(maps.Keys(filled)), Periods: s.yearPeriods()}
	for _, c := range s.draft.Columns {
		sources := sourcesOf(c)
		gap, zero := cube.YearGap{Column: c.Name}, cube.YearGap{Column: c.Name}
		for _, year := range coverage.Years {
			switch hasOne := func(which map[string]bool) bool {
				return slices.ContainsFunc(sources, func(name string) bool { return which[name] })
			}; {
			case len(sources) == 0:
			case !hasOne(filled[year]):
				gap.Years = append(gap.Years, year)
			case s.draft.Measure(c.Name) != nil && !hasOne(counts[year]):
				zero.Years = append(zero.Years, year)
			}
		}
		if len(gap.Years) > 0 {
			coverage.Gaps = append(coverage.Gaps, gap)
		}
		if len(zero.Years) > 0 {
			coverage.Zeros = append(coverage.Zeros, zero)
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
			rule := r.surveyor.fields[f.name].noiseRule()
			add := func(measure string, sum decimal.Decimal, cells int64) {
				text := ""
				if scale := r.draft.Column(f.name).Scale; cells > 0 {
					text = sum.StringFixed(int32(scale))
				}
				list = append(list, findings.ControlTotal{
					Resource: r.resource.Name, Year: year, Measure: measure, Sum: text, Cells: cells, Rows: stats.digest.Rows,
				})
			}
			if r.draft.Measure(f.name) != nil {
				sum, cells := stats.total(i, rule)
				add(f.name, sum, cells)
				continue
			}
			for _, m := range r.draft.Measures {
				if from := r.draft.Column(m.Ref).From; r.combinations != nil && from != nil && from.Rule == cube.RuleWhere && from.Fields[0] == f.name {
					sum, cells := stats.totalWhere(func(combination string) bool { return r.combinations.isOf(combination, from) }, i, rule)
					add(m.Ref, sum, cells)
				}
			}
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
