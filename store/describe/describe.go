package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/load"
)

// Options are what a person says about files beforehand.
type Options struct {
	Name      string // of the package; "" makes one of the names of the files
	Year      string // the fiscal year of all rows, where no cell says it
	Sheet     string // of workbooks; "" for the first that is shown
	Currency  string // of all amounts; "" asks
	Direction string // of all amounts: expenditure or revenue; "" asks
	HeaderRow int    // the line of the names; 0 finds it

	Readings  map[string]Reading // what columns are taken for, by the names of their fields, where a person knows better
	Answers   map[string]string  // to questions, by their keys
	Schemas   string             // the address below which the JSON Schemas are served; "" names none
	Unchecked bool               // no person sees the description before it counts, so that each answer says so
	Load      load.Options
}

// Description is what was read from files, and what a person answered. It is written as a descriptor and an overlay.
type Description struct {
	Name, Title string
	titleWhy    string
	options     Options
	files       fs.FS
	profile     *profile
	roles       *roles
	forms       *amountForms
	levels      []*level
	statements  statements
	measures    map[*column]*measure
	totals      []Total // known after Check
	about       About
}

// Totals lists the sums of the measures by year, which are those of the printed budget if all was read rightly. Check finds them.
func (d *Description) Totals() []Total { return d.totals }

// Read reads CSV files of a folder. The error names what keeps a package from being made of them.
func Read(ctx context.Context, files fs.FS, paths []string, o Options, progress load.Progress) (*Description, error) {
	forms, err := readForms(ctx, files, paths, o)
	if err != nil {
		return nil, err
	}
	d := &Description{options: o, files: files}
	if err := d.name(forms); err != nil {
		return nil, err
	}
	source, taken, err := survey(ctx, files, forms, o.Load, progress)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	if d.profile, err = readProfile(ctx, forms, taken); err != nil {
		return nil, err
	}
	if d.roles, err = d.settleRoles(slices.Contains(o.Load.Allow, findings.NoYear)); err != nil {
		return nil, err
	}
	d.nameColumns()
	d.forms = settleForms(d.profile, d.roles)
	if d.levels, err = linkLevels(ctx, d.profile, d.roles, newLevels(d.profile, d.roles)); err != nil {
		return nil, err
	}
	d.nameDimensions()
	d.guessMeasures()
	if err := d.settleStatements(ctx, progress); err != nil {
		return nil, err
	}
	return d, d.answer(o.Answers)
}

// answer takes answers to questions. One that none asks is of a file that was replaced, and is left.
func (d *Description) answer(answers map[string]string) error {
	for _, q := range d.Questions() {
		if err := q.Answer(answers[q.Key]); err != nil {
			return fmt.Errorf("%s: %w", q.Text, err)
		}
	}
	return nil
}

// readForms finds how the files are written, and reports what is wrong with all of them.
func readForms(ctx context.Context, files fs.FS, paths []string, o Options) ([]*form, error) {
	var forms []*form
	var problems []error
	for _, path := range paths {
		f, err := readForm(ctx, files, path, o)
		if err != nil && cube.CodeOf(err) != cube.CodeBadPackage {
			return nil, err
		}
		forms, problems = append(forms, f), append(problems, err)
	}
	return forms, errors.Join(problems...)
}

// Check surveys the package as it is described, so that what is written can be loaded. The error is *load.Rejected where it cannot.
func (d *Description) Check(ctx context.Context, progress load.Progress) error {
	_, err := d.survey(ctx, progress, func(taken *load.Survey) (err error) {
		d.totals, err = totalsOf(ctx, taken)
		return err
	})
	return err
}

// Summary says in lines what was found, and what is not known.
func (d *Description) Summary() []string {
	dimensions := map[string]bool{}
	for _, l := range d.levels {
		dimensions[l.dimension] = true
	}
	lines := []string{fmt.Sprintf("%s rows in %s; %s, %s in %s", count(d.profile.rows), plural(len(d.profile.forms), "file"),
		plural(len(d.roles.amounts), "amount"), plural(len(d.levels), "level"), plural(len(dimensions), "dimension"))}
	if y := d.roles.year; y.column != nil {
		lines = append(lines, shown(y.column.name)+" is the fiscal year: "+y.why)
	} else if y.kind != noYear {
		lines = append(lines, "the fiscal year is "+y.why)
	}
	if s := d.statements; s.by != "" {
		lines = append(lines, fmt.Sprintf("the last %s of a year counts: %s", shown(s.by), s.why))
	} else if s.asked != nil {
		lines = append(lines, s.why)
	}
	for i, f := range d.forms.files {
		if f.alike {
			lines = append(lines, shown(d.profile.forms[i].path)+": "+f.why)
		}
	}
	if months := d.months(); len(months) > 0 {
		lines = append(lines, fmt.Sprintf("%s are measures of a month each; %s says how they become rows", listed(months, "and"), load.OverlayName))
	}
	for _, near := range d.roles.near {
		lines = append(lines, "no amount: "+near)
	}
	if unknown := d.unknown(); len(unknown) > 0 {
		lines = append(lines, "not known, open in "+load.OverlayName+": "+strings.Join(unknown, "; "))
	}
	return lines
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return count(int64(n)) + " " + word
}

// unknown lists what is not known of the amounts.
func (d *Description) unknown() []string {
	var unknown []string
	for _, about := range []struct {
		what string
		of   func(*measure) string
	}{
		{"currency", func(m *measure) string { return m.currency }}, {"unit", func(m *measure) string { return m.unit }},
		{"phase", func(m *measure) string { return m.phase }}, {"direction", func(m *measure) string { return m.direction }},
	} {
		if d.saysInRows(about.what) {
			continue
		}
		var names []string
		for _, c := range d.roles.amounts {
			if about.of(d.measures[c]) == "" {
				names = append(names, shown(c.name))
			}
		}
		switch {
		case len(names) == len(d.roles.amounts):
			unknown = append(unknown, about.what)
		case len(names) > 0:
			unknown = append(unknown, about.what+" of "+listed(clipped(names), "and"))
		}
	}
	return unknown
}

// nameDimensions gives each level its dimension. Objects of expenditure are the economic classification where there is no other.
func (d *Description) nameDimensions() {
	isEconomic := func(l *level) bool { return l.concept == economic }
	if !slices.ContainsFunc(d.levels, isEconomic) {
		for _, l := range d.levels {
			if l.concept == object {
				l.concept = economic
			}
		}
	}
	for _, l := range d.levels {
		switch {
		case l.time == fiscalYear:
			l.dimension = "date"
		case l.time == statement:
			l.dimension = cmp.Or(statementNames[has(l.column.words, monthWords)], slug(strings.Join(l.stem(), " ")))
		case l.concept != concept{}:
			l.dimension = l.concept.name
		default:
			_, word, _ := strings.Cut(l.group, " ")
			l.dimension = slug(word)
		}
	}
}

// statementNames are the names of dimensions of months and quarters.
var statementNames = map[string]string{"month": "month", "mes": "month", "mjesec": "month", "quarter": "quarter", "trimestre": "quarter", "kvartal": "quarter"}

// slug writes words as a name in a URL.
func slug(words string) string {
	fields := strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == '_' || r == '-' })
	return strings.Join(fields, "-")
}
