package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/schemas"
	"fiscube/store/load"
)

func (p *program) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validate PATH…", Short: "Check packages and print their model, loading nothing",
		Long: `Check packages and print their model, loading nothing.

` + sourceHelp + `

Every file is read and checked as "load" would. The numbers in brackets count the members of a level. The errors
of a package that "load" would refuse go to standard error, with resource, line and field.`,
		Example: "  fiscube validate data/croatia",
		Args:    somePaths,
	}
	options := sourceFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		return p.each(ctx, args, func(path string) error { return p.validatePath(ctx, path, *options) })
	}
	return cmd
}

func (p *program) validatePath(ctx context.Context, path string, o load.Options) error {
	source, err := load.OpenWith(ctx, path, o)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if err := checkSchemas(source.Package); err != nil {
		return err
	}
	survey, err := load.Take(ctx, source, p.progress())
	if err != nil {
		p.printModel(source.Package, &findings.Report{})
		return err
	}
	report, err := survey.Count(ctx, p.progress())
	if err != nil {
		return err
	}
	p.printModel(survey.Package(), report)
	p.printReport(report, true)
	return nil
}

// checkSchemas holds what was read against the published JSON Schemas: who writes packages by them must not
// find that fiscube reads something else.
func checkSchemas(pkg *cube.Package) error {
	for kind, document := range map[schemas.Kind][]byte{schemas.Descriptor: pkg.Descriptor, schemas.Overlay: pkg.Overlay} {
		if document == nil {
			continue
		}
		if problems := schemas.Check(kind, document); len(problems) > 0 {
			return fmt.Errorf("%s.schema.json: %w", kind, problems)
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
