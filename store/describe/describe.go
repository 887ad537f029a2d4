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
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/store/load"
)

// Options are what a person says about files beforehand.
type Options struct {
	Name      string // of the package; "" makes one of the names of the files
	Folder    string // that holds the files, by its name, after which the package is called where their names have nothing in common
	Year      string // the fiscal year of all rows, where no cell says it
	Sheet     string // of workbooks; "" for the first that is shown
	Currency  string // of all amounts; "" asks
	Direction string // of all amounts: expenditure or revenue; "" asks
	HeaderRow int    // the line of the names; 0 finds it

	Readings  map[string]Reading // what columns are taken for, by the names of their fields, where a person knows better
	Parents   map[string]string  // the levels below which levels lie, likewise, or Nowhere
	Labels    map[string]string  // the columns with the names of levels, likewise
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
	lists       []*codeList
	roles       *roles
	forms       *amountForms
	levels      []*level
	statements  statements
	measures    map[*column]*measure
	totals      []Total // known after Check
	about       About
	findings    []findings.Finding
	doubts      []cube.Titles
	doubted     map[string]int // how many of each kind
}

// Totals lists the sums of the measures by year, which are those of the printed budget if all was read rightly. Check finds them.
func (d *Description) Totals() []Total { return d.totals }

// Read reads files of a folder: texts and workbooks, compressed or not. The error names what keeps a package from being made of them.
func Read(ctx context.Context, files fs.FS, paths []string, o Options, progress load.Progress) (*Description, error) {
	forms, err := readForms(ctx, files, paths, o)
	if err != nil {
		return nil, err
	}
	d := &Description{options: o, files: files, doubted: map[string]int{}}
	if err := d.name(forms); err != nil {
		return nil, err
	}
	source, err := d.readFiles(ctx, forms, progress)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }()
	if d.roles, err = d.settleRoles(slices.Contains(o.Load.Allow, findings.NoYear)); err != nil {
		return nil, err
	}
	d.nameColumns()
	d.forms = settleForms(d.profile, d.roles)
	if d.levels, err = linkLevels(ctx, d.profile, d.roles, newLevels(d.profile, d.roles), o.Parents); err != nil {
		return nil, err
	}
	d.nameDimensions()
	d.joinLists()
	d.guessMeasures()
	if err := d.findDoubts(ctx); err != nil {
		return nil, err
	}
	if err := d.settleStatements(ctx, progress); err != nil {
		return nil, err
	}
	return d, nil
}

// readFiles reads the cells of the files that hold facts, once the code lists among them are known.
func (d *Description) readFiles(ctx context.Context, forms []*form, progress load.Progress) (*load.Source, error) {
	for {
		source, kept, err := readRows(ctx, d.files, forms, d.options.Load, progress)
		if err != nil {
			return nil, err
		}
		if d.profile, err = readProfile(ctx, forms, kept); err == nil && d.lists == nil {
			d.lists, forms, err = findLists(ctx, d.profile)
		}
		switch {
		case err != nil:
			return nil, errors.Join(err, source.Close())
		case len(forms) == len(d.profile.forms):
			return source, nil
		}
		if err := source.Close(); err != nil {
			return nil, err
		}
	}
}

// readForms finds how the files are written, and reports what is wrong with all of them.
func readForms(ctx context.Context, files fs.FS, paths []string, o Options) ([]*form, error) {
	if _, ok := fdp.Encoding(o.Load.Encoding); !ok {
		return nil, cube.Errorf(cube.CodeBadPackage, "encoding %s is not supported", o.Load.Encoding)
	}
	var forms []*form
	var problems []error
	for _, path := range paths {
		f, err := readForm(ctx, files, path, o)
		if err != nil && cube.CodeOf(err) != cube.CodeBadPackage {
			return nil, err
		}
		forms, problems = append(forms, f), append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	joinNames(forms)
	return forms, checkHeaders(forms)
}

// Findings lists what is odd in the package as it is described. Check finds it.
func (d *Description) Findings() []findings.Finding { return d.findings }

// Check surveys the package as it is described, so that what is written can be loaded. The error is *load.Rejected where it cannot.
func (d *Description) Check(ctx context.Context, progress load.Progress) error {
	_, err := d.survey(ctx, progress, func(taken *load.Survey) (err error) {
		d.findings = taken.Report().Findings
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
	lines := []string{fmt.Sprintf("%s rows in %s; %s, %s in %s", count(d.profile.Rows), plural(len(d.profile.forms), "file"),
		plural(len(d.roles.amounts), "amount"), plural(len(d.levels), "level"), plural(len(dimensions), "dimension"))}
	if y := d.roles.year; y.column != nil {
		lines = append(lines, shown(y.column.Name)+" is the fiscal year: "+english(y.why))
	} else if y.kind != noYear {
		lines = append(lines, "the fiscal year is "+english(y.why))
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
	if r := d.roles; r.directions != nil {
		lines = append(lines, "the direction is from the names of the files, or the titles above their tables: "+listed(slices.Compact(slices.Clone(r.directions)), "and"))
	}
	for _, l := range d.lists {
		lines = append(lines, fmt.Sprintf("%s is a code list: %s", shown(l.path), english(l.why)))
	}
	lines = append(lines, d.apart()...)
	if months := d.months(); len(months) > 0 {
		lines = append(lines, fmt.Sprintf("%s are measures of a month each; %s says how they become rows", listed(months, "and"), load.OverlayName))
	}
	lines = append(lines, each.Text(d.doubts, english)...)
	lines = append(lines, each.Text(d.roles.near, func(near string) string { return "no amount: " + near })...)
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
	for _, what := range []string{"currency", "unit", "phase", "direction"} {
		switch names := d.amountsWithout(what); {
		case len(names) == len(d.roles.amounts):
			unknown = append(unknown, what)
		case len(names) > 0:
			unknown = append(unknown, what+" of "+listed(clipped(names), "and"))
		}
	}
	return unknown
}

// amountsWithout names the amounts of which something is not known.
func (d *Description) amountsWithout(what string) (names []string) {
	if d.saysInRows(what) {
		return nil
	}
	for _, c := range d.roles.amounts {
		if known, _ := d.measures[c].of(what); *known == "" {
			names = append(names, shown(c.Name))
		}
	}
	return names
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
			l.dimension = cmp.Or(statementNames[has(l.column.Words, vocabulary.Month)], slug(strings.Join(l.stem(), " ")))
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
