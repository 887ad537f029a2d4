package describe

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/load"
)

// Options are what a person says about files beforehand.
type Options struct {
	Name    string // of the package; "" makes one of the names of the files
	Schemas string // the address below which the JSON Schemas are served; "" names none
	Load    load.Options
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
}

// Read reads CSV files of a folder. The error names what keeps a package from being made of them.
func Read(ctx context.Context, files fs.FS, paths []string, o Options, progress load.Progress) (*Description, error) {
	forms, err := readForms(ctx, files, paths, o.Load)
	if err != nil {
		return nil, err
	}
	source, taken, err := survey(ctx, files, forms, o.Load, progress)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	d := &Description{options: o, files: files}
	if d.profile, err = readProfile(ctx, forms, taken); err != nil {
		return nil, err
	}
	if err := d.name(); err != nil {
		return nil, err
	}
	if d.roles, err = d.profile.settleRoles(slices.Contains(o.Load.Allow, findings.NoYear)); err != nil {
		return nil, err
	}
	d.forms = settleForms(d.profile, d.roles)
	if d.levels, err = linkLevels(ctx, d.profile, d.roles, newLevels(d.profile, d.roles)); err != nil {
		return nil, err
	}
	d.nameDimensions()
	d.guessMeasures()
	return d, d.settleStatements(ctx, progress)
}

// readForms finds how the files are written, and reports what is wrong with all of them.
func readForms(ctx context.Context, files fs.FS, paths []string, o load.Options) ([]*form, error) {
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
