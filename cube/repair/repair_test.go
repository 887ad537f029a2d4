package repair_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/repair"
)

// testPackage is a package to repair, and what a survey knows of its fields. The model is written as one line: chains of
// the dimensions, amounts, and fields that are neither, as in "geo: state=state_name > town, zip; $ paid; - note".
// A name ends in # where it is a whole number, in @ where it is the fiscal year; a dimension ends in ! where it is
// one of facts.
type testPackage struct {
	model  string
	tags   map[string]string // columnType by field
	fields map[string]*repair.Field
	off    string // a code, and the fields it is off for where it is not off altogether

	snapshots string // the level that tells them apart, and the one of the period
}

// prepare makes the package under repair.
func (s testPackage) prepare(t *testing.T) *repair.Repair {
	t.Helper()
	r := &repair.Repair{
		Package:  &cube.Package{Resources: []cube.Resource{{Name: "f.csv"}}},
		Draft:    readModel(t, s.model),
		Evidence: &repair.Evidence{Fields: s.fields, Resources: make([]repair.Resource, 1)},
		Off:      switched(s.off),
	}
	for name, tag := range s.tags {
		schema := &r.Package.Resources[0].Schema
		schema.Fields = append(schema.Fields, cube.Field{Name: name, ColumnType: tag})
	}
	if by, per, ok := strings.Cut(s.snapshots, " "); ok {
		r.Draft.Snapshots = &cube.Snapshots{By: by, Per: []string{per}}
	}
	return r
}

// switched is what an overlay switches off.
func switched(off string) func(code, field string) bool {
	words := strings.Fields(off)
	return func(code, field string) bool {
		return len(words) > 0 && words[0] == code && (len(words) == 1 || slices.Contains(words[1:], field))
	}
}

// becomes checks what model and findings come of the repair.
func (s testPackage) becomes(t *testing.T, model string, list ...string) {
	t.Helper()
	r := s.prepare(t)
	repair.Run(r)
	if got := modelText(t, r.Draft); got != model {
		t.Errorf("the model becomes\n%s\nwant\n%s", got, model)
	}
	for _, f := range r.Findings {
		if f.Severity != findings.SeverityError && (prose.Finding(f, "es") == f.Message || prose.Finding(f, "hr") == f.Message) {
			t.Errorf("%s has no sentence in each language: %s %v", f, f.Sentence, f.Params)
		}
	}
	if got := findingsText(r); got != strings.Join(list, "\n") {
		t.Errorf("it says\n%s\nwant\n%s", got, strings.Join(list, "\n"))
	}
}

// stays checks that nothing is repaired.
func (s testPackage) stays(t *testing.T) {
	t.Helper()
	s.becomes(t, s.model)
}

// isRepaired checks a repair of one field: what it does, what it reports, and that it is not done where an overlay
// switches its pass off, for that field or altogether.
func (s testPackage) isRepaired(t *testing.T, code, field, model, message string) {
	t.Helper()
	s.becomes(t, model, fmt.Sprintf("info field %s: %s [%s]", field, message, code))
	s.off = code + " another"
	s.becomes(t, model, fmt.Sprintf("info field %s: %s [%s]", field, message, code))
	s.off = code + " another " + field
	s.stays(t)
	s.off = code
	s.stays(t)
}

// findingsText writes what was found, a line each.
func findingsText(r *repair.Repair) string {
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, fmt.Sprintf("%s %s", f.Severity, f))
	}
	return strings.Join(lines, "\n")
}

// readModel reads a model as testPackage describes it.
func readModel(t *testing.T, text string) *cube.Draft {
	t.Helper()
	d := &cube.Draft{}
	for part := range strings.SplitSeq(text, "; ") {
		switch kind, names, dimension := strings.Cut(part, ": "); {
		case dimension:
			readDimension(d, kind, names)
		case strings.HasPrefix(part, "$ "):
			for name := range strings.FieldsSeq(part[2:]) {
				d.Columns = append(d.Columns, cube.Column{Name: name, Type: cube.TypeDecimal})
				d.Measures = append(d.Measures, cube.Measure{Ref: name, Title: name})
			}
		case strings.HasPrefix(part, "- "):
			for name := range strings.FieldsSeq(part[2:]) {
				addColumn(d, name)
			}
		default:
			t.Fatalf("no model: %s", part)
		}
	}
	return d
}

func readDimension(d *cube.Draft, name, chains string) {
	dimension := cube.Dimension{Name: strings.TrimSuffix(name, "!")}
	if dimension.Name != name {
		dimension.Type = cube.DimensionFact
	}
	for chain := range strings.SplitSeq(chains, ", ") {
		parent := ""
		for text := range strings.SplitSeq(chain, " > ") {
			ref, label, _ := strings.Cut(text, "=")
			parent = dimensionLevel(&dimension, addColumn(d, ref), addColumn(d, label), parent)
		}
	}
	d.Dimensions = append(d.Dimensions, dimension)
}

// dimensionLevel adds a level that is not there already, as where chains part.
func dimensionLevel(d *cube.Dimension, ref, label, parent string) string {
	if !slices.ContainsFunc(d.Levels, func(l cube.Level) bool { return l.Ref == ref }) {
		d.Levels = append(d.Levels, cube.Level{Ref: ref, LabelRef: label, Parent: parent})
	}
	return ref
}

func addColumn(d *cube.Draft, text string) (name string) {
	name = strings.TrimRight(text, "#@")
	if name == "" || d.Column(name) != nil {
		return name
	}
	c := cube.Column{Name: name, Type: cube.TypeText}
	if name != text {
		c.Type, c.FiscalYear = cube.TypeInteger, strings.HasSuffix(text, "@")
	}
	d.Columns = append(d.Columns, c)
	return name
}

// modelText writes a model as readModel reads it, and behind it the columns that are made of others: a:code(a).
func modelText(t *testing.T, d *cube.Draft) string {
	t.Helper()
	m, err := d.Model()
	if err != nil {
		t.Fatalf("the repaired model is none: %v", err)
	}
	var parts, made []string
	for _, dimension := range m.Dimensions() {
		parts = append(parts, dimensionText(d, dimension))
	}
	var measures, others []string
	for _, c := range d.Columns {
		switch {
		case c.From != nil:
			made = append(made, fmt.Sprintf("%s:%s(%s)", c.Name, c.From.Rule, strings.Join(c.From.Fields, " ")))
		case d.Measure(c.Name) != nil && c.Type == cube.TypeDecimal:
			measures = append(measures, c.Name)
		case d.Level(c.Name) == nil && d.LevelOfLabel(c.Name) == nil:
			others = append(others, typed(d, c.Name))
		}
	}
	for sign, names := range map[string][]string{"$": measures, "-": others} {
		if names != nil {
			parts = append(parts, sign+" "+strings.Join(names, " "))
		}
	}
	slices.SortStableFunc(parts[len(m.Dimensions()):], strings.Compare)
	return strings.Join(append(parts, made...), "; ")
}

func dimensionText(d *cube.Draft, dimension cube.Dimension) string {
	var chains []string
	for _, chain := range dimension.Chains() {
		var levels []string
		for _, l := range chain {
			text := typed(d, l.Ref)
			if l.LabelRef != "" {
				text += "=" + typed(d, l.LabelRef)
			}
			if len(l.Within) > 0 {
				text += " within " + strings.Join(l.Within, " ")
			}
			levels = append(levels, text)
		}
		chains = append(chains, strings.Join(levels, " > "))
	}
	name := dimension.Name
	if dimension.Type == cube.DimensionFact {
		name += "!"
	}
	return name + ": " + strings.Join(chains, ", ")
}

func typed(d *cube.Draft, name string) string {
	switch c := d.Column(name); {
	case c.FiscalYear:
		return name + "@"
	case c.Type == cube.TypeInteger:
		return name + "#"
	}
	return name
}
