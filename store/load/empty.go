package load

import (
	"encoding/json"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// checkEmpty refuses a package without levels, measures, fiscal year or rows, unless that is allowed: it was probably meant
// to have them, and would be served in place of a version that has. An answer has the levels that were asked for.
func (s *surveyor) checkEmpty() {
	if len(s.draft.Dimensions) == 0 {
		s.empty(findings.NoLevels, "", nil)
	}
	if s.pkg.Guessed && s.source.overlay == nil {
		s.tellGuess()
	}
	if len(s.draft.Measures) == 0 {
		sentence, params := s.whyNoMeasures()
		s.empty(findings.NoMeasures, sentence, params)
	}
	if i := s.draft.FiscalYearIndex(); i < 0 {
		sentence, params := s.whyNoYear()
		s.empty(findings.NoYear, sentence, params)
	} else {
		s.checkYearCells(s.draft.Columns[i].Name)
	}
	s.checkRows()
}

// checkYearCells refuses a fiscal year that no row has, or whose cells are something else, such as months.
func (s *surveyor) checkYearCells(field string) {
	rows, first, last := int64(0), int64(0), int64(0)
	for _, r := range s.surveys {
		if found := r.resource.Found; found.Hash != "" && r.resource.LeftOut == "" {
			rows += found.Rows
			if first == 0 || found.FirstYear != 0 && found.FirstYear < first {
				first = found.FirstYear
			}
			last = max(last, found.LastYear)
		}
	}
	switch bad := s.fields[field]; {
	case rows == 0 || bad != nil && bad.notInteger.total() > 0: // each of these cells is an error of its own
	case first == 0 && last == 0:
		s.empty(findings.NoYear, "empty", findings.Params{"field": field})
	case last < firstYear:
		s.empty(findings.NoYear, "no-years", findings.Params{"field": field, "first": first, "last": last})
	}
}

// firstYear is the first whole number that is a year, in any calendar of governments.
const firstYear = 1000

// isAnswer tells whether a descriptor is of an answer that fiscube gave as a data package (package encode): it has the
// levels that its question asked for, so that no year is no mistake.
func isAnswer(descriptor []byte) bool {
	var d struct {
		Homepage string
		Fiscube  struct {
			Cube, Fingerprint, Link string
			Query                   map[string]string
		}
	}
	err := json.Unmarshal(descriptor, &d)
	return err == nil && d.Fiscube.Cube != "" && d.Fiscube.Fingerprint != "" && len(d.Fiscube.Query) > 0 &&
		d.Fiscube.Link != "" && d.Fiscube.Link == d.Homepage
}

// checkRows looks for files that are a header alone: all of them, or one beside others. One that could not be read has an
// error of its own.
func (s *surveyor) checkRows() {
	var bare []int
	others := false
	for i, r := range s.surveys {
		switch {
		case r.resource.LeftOut != "":
		case r.resource.Found.Hash == "" || r.resource.Found.Rows > 0:
			others = true
		default:
			bare = append(bare, i)
		}
	}
	if len(bare) > 0 && !others {
		s.empty(findings.NoRows, "all", nil)
		return
	}
	for _, i := range bare {
		s.warn(i, findings.NoRows, "", nil)
	}
}

// empty adds a finding: an error, or a warning where it is allowed or an answer may be so.
func (s *surveyor) empty(code, sentence string, params findings.Params) {
	f := prose.Describe(findings.Finding{Code: code, Severity: findings.SeverityWarning}, sentence, params)
	ofAnswer := (code == findings.NoYear || code == findings.NoLevels) && isAnswer(s.pkg.Descriptor)
	if !ofAnswer && !slices.Contains(s.source.options.Allow, code) {
		f.Severity = findings.SeverityError
		f.Message += "; to load it all the same, allow " + code
	}
	s.findings.add(len(s.pkg.Resources), f, findings.Place{})
}

// CodeModelGuessed is the finding of a package whose descriptor does not say what its fields mean.
const CodeModelGuessed = "model-guessed"

// tellGuess says what was guessed of a package without a model and column types.
func (s *surveyor) tellGuess() {
	var levels []string
	for _, d := range s.draft.Dimensions {
		levels = append(levels, each.Text(d.Levels, func(l cube.Level) string { return l.Ref })...)
	}
	f := findings.Finding{Code: CodeModelGuessed, Severity: findings.SeverityWarning}
	s.findings.add(len(s.pkg.Resources), prose.Describe(f, "", findings.Params{"levels": levels}), findings.Place{})
}

// whyNoMeasures gives the sentence that says what to declare.
func (s *surveyor) whyNoMeasures() (sentence string, params findings.Params) {
	if f, ok := s.declared(func(f cube.Field) bool { return f.ColumnType == "value" }); ok {
		return "type", findings.Params{"field": f.Name, "type": f.Type}
	}
	return "", nil
}

// yearNames are names of the fiscal year, folded.
var yearNames = []string{"year", "fiscal_year", "anio", "ano", "ejercicio", "ciclo", "gestion", "godina", "annee", "jahr"}

// whyNoYear gives the sentence that says what to declare.
func (s *surveyor) whyNoYear() (sentence string, params findings.Params) {
	looks := func(f cube.Field) bool {
		return f.ColumnType != cube.ColumnTypeFiscalYear && f.Type == "integer" &&
			(strings.HasPrefix(f.ColumnType, "date") || slices.Contains(yearNames, fold.Text(f.Name)))
	}
	if f, ok := s.declared(func(f cube.Field) bool { return f.ColumnType == cube.ColumnTypeFiscalYear }); ok {
		return "type", findings.Params{"field": f.Name, "type": f.Type}
	}
	if f, ok := s.declared(looks); ok {
		return "column-type", findings.Params{"field": f.Name, "column_type": f.ColumnType}
	}
	for _, c := range s.draft.Columns {
		if f, ok := s.fields[c.Name]; ok && f.dates > 0 && f.dates == f.cells {
			return "dates", findings.Params{"field": f.name}
		}
	}
	return "", nil
}

// declared gives the first field of any resource that is as asked.
func (s *surveyor) declared(is func(cube.Field) bool) (cube.Field, bool) {
	for _, r := range s.pkg.Resources {
		if i := slices.IndexFunc(r.Schema.Fields, is); i >= 0 {
			return r.Schema.Fields[i], true
		}
	}
	return cube.Field{}, false
}
