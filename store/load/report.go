package load

import (
	"fmt"
	"slices"
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
