package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/internal/gate"
	"fiscube/schemas"
	"fiscube/store/load"
)

// The forms in which commands tell what they found.
const (
	formText   = "text"
	formJSON   = "json"
	formSARIF  = "sarif"
	formJUnit  = "junit"
	formGitHub = "github"
)

// telling is how it is told what was found: of each package as text when it is done, or of all in one document.
type telling struct {
	form    string
	verbose bool
	failOn  findings.Severity
	totals  *gate.Expected  // that must be met; nil for none
	ended   []*gate.Package // that are done
}

func (p *program) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validate PATH…", Short: "Check packages and print their model, loading nothing",
		Long: `Check packages and print their model, loading nothing.

` + sourceHelp + `

Every file is read and checked as "load" would. The numbers in brackets count the members of a level. What refuses
a package goes to standard error, with file, line and field; what has one cause is told once.

--format writes all that was found in one document, for programs: json, sarif (for code scanning), junit (for what shows
tests), or github (which shows errors and warnings beside the lines of a change). Files are named from the working folder.

--expect names a table of printed totals, such as

  Year,approved_value
  2024,258923027190.50

with levels and measures of the package. Each total must be met, to the last decimal.`,
		Example: "  fiscube validate --fail-on warning --format github data/*\n  fiscube validate --expect totals.csv data/croatia",
		Args:    somePaths,
	}
	options := sourceFlags(cmd)
	c := telling{form: formText, failOn: findings.SeverityError}
	cmd.Flags().Var(choice[string]{&c.form, []string{formText, formJSON, formSARIF, formJUnit, formGitHub}}, "format", "how to tell what was found")
	cmd.Flags().Var(choice[findings.Severity]{&c.failOn, []findings.Severity{findings.SeverityError, findings.SeverityWarning}}, "fail-on",
		"what refuses a package: errors alone, or warnings too")
	expect := cmd.Flags().String("expect", "", "a table of totals that must be met, as CSV")
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if *expect != "" {
			if c.totals, err = gate.ReadExpected(*expect); err == nil && len(args) > 1 {
				err = errors.New("it has the totals of one package")
			}
			if err != nil {
				return usageError{fmt.Errorf("--expect: %w", err)}
			}
		}
		ctx := cmd.Context()
		err = p.each(ctx, args, func(path string) error { return p.validatePath(ctx, path, *options, &c) })
		if ctx.Err() != nil {
			return err
		}
		return errors.Join(err, c.write(p.out))
	}
	return cmd
}

// write writes what was found, where that is one document.
func (c *telling) write(out io.Writer) error {
	switch c.form {
	case formJSON:
		return gate.WriteJSON(out, c.ended)
	case formSARIF:
		return gate.WriteSARIF(out, c.ended)
	case formJUnit:
		return gate.WriteJUnit(out, c.ended, c.failOn)
	case formGitHub:
		return gate.WriteGitHub(out, c.ended)
	}
	return nil
}

// refusal is the error of a package for what was found of it.
type refusal struct{ said string }

// Error implements error.
func (r *refusal) Error() string { return r.said }

// end ends a package. The error is of one that is refused: with the reasons, or their number where the document has them.
func (c *telling) end(found *gate.Package) error {
	c.ended = append(c.ended, found)
	refusing := found.Refusing(c.failOn)
	switch {
	case !found.Refused:
		return nil
	case c.form != formText:
		return &refusal{found.Path + " is refused: " + found.Counted()}
	}
	lines := each.Text(refusing, gate.Finding.String)
	if others := len(found.Findings) - len(refusing); others > 0 {
		lines = append(lines, fmt.Sprintf("beside %d findings that reject nothing", others))
	}
	return &refusal{strings.Join(lines, "\n")}
}

func (p *program) validatePath(ctx context.Context, path string, o load.Options, c *telling) error {
	found := gate.New(path, o.OverlayFile)
	err := p.check(ctx, found, path, o, c)
	if err != nil && !found.Refuse(err) {
		return err
	}
	return c.end(found)
}

// check reads a package, and prints what it is where that is told as text.
func (p *program) check(ctx context.Context, found *gate.Package, path string, o load.Options, c *telling) error {
	source, err := load.OpenWith(ctx, path, o)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	found.Describe(source.Package)
	if err := checkSchemas(source.Package); err != nil {
		return err
	}
	survey, err := load.Take(ctx, source, p.progress())
	if err != nil {
		if c.form == formText {
			p.printModel(source.Package, &findings.Report{})
		}
		return err
	}
	report, err := survey.Count(ctx, p.progress())
	if err != nil {
		return err
	}
	found.Report(report)
	if c.form == formText {
		p.printModel(survey.Package(), report)
		p.printReport(report, true)
	}
	if c.totals == nil {
		return nil
	}
	err = found.Hold(c.totals, survey.Package().Model, func(by ...string) (load.Sums, error) { return survey.Sums(ctx, by...) })
	if err == nil && c.form == formText {
		p.printf("\n  Totals of %s: %d met, %d differ\n", found.Expected.File, found.Expected.Met, found.Expected.Differ)
	}
	return err
}

// checkSchemas holds what was read against the published JSON Schemas: who writes packages by them must not
// find that fiscube reads something else.
func checkSchemas(pkg *cube.Package) error {
	for kind, document := range map[schemas.Kind][]byte{schemas.Descriptor: pkg.Descriptor, schemas.Overlay: pkg.Overlay} {
		if document == nil {
			continue
		}
		if problems := schemas.Check(kind, document); len(problems) > 0 {
			problems.Locate(document)
			return load.InFile(map[schemas.Kind]string{schemas.Descriptor: load.DescriptorName, schemas.Overlay: load.OverlayName}[kind],
				fmt.Errorf("%s.schema.json: %w", kind, problems))
		}
	}
	return nil
}

// printModel prints what a reader of the package needs to ask it: dimensions with their chains and how many
// members they have, and measures.
func (p *program) printModel(pkg *cube.Package, report *findings.Report) {
	p.printf("%s: %s\n", pkg.Name, titleOf(pkg))
	for _, d := range pkg.Model.Dimensions() {
		kind := strings.TrimSpace(d.Type + " " + d.Classification)
		p.printf("  dimension %s (%s)\n", d.Name, kind)
		for _, chain := range d.Chains() {
			p.printf("    %s\n", chainText(chain, report))
		}
	}
	for _, m := range pkg.Model.Measures() {
		column, _ := pkg.Model.Column(m.Ref)
		p.printf("  measure %s: %d decimals, %d cells missing\n", m.Ref, column.Scale, column.Missing)
	}
	for _, d := range pkg.Model.Derived() {
		p.printf("  derived %s: %s\n", d.Ref, d.Formula)
	}
}

func chainText(chain []cube.Level, report *findings.Report) string {
	texts := make([]string, len(chain))
	for i, l := range chain {
		texts[i] = l.Ref
		if l.LabelRef != "" {
			texts[i] += " (" + l.LabelRef + ")"
		}
		if len(l.Within) > 0 {
			texts[i] += " within " + strings.Join(l.Within, ", ")
		}
		for _, counted := range report.Levels {
			if counted.Ref == l.Ref {
				texts[i] += fmt.Sprintf(" [%d]", counted.Members)
			}
		}
	}
	return strings.Join(texts, " → ")
}
