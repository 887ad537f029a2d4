package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/store/load"
)

func (p *program) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validate PATH…", Short: "Check packages and print their model, loading nothing",
		Long: `Check packages and print their model, loading nothing.

` + sourceHelp + `

Every file is read and checked as "load" would; every finding goes to standard error, with its resource, line
and field.`,
		Args: cobra.MinimumNArgs(1),
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
	survey, err := load.Take(ctx, source, p.progress())
	if err != nil {
		p.printModel(source.Package)
		return err
	}
	p.printModel(survey.Package())
	return nil
}

// printModel prints what a reader of the package needs to ask it: dimensions with their chains, measures and
// resources.
func (p *program) printModel(pkg *cube.Package) {
	p.printf("%s: %s\n", pkg.Name, pkg.Title)
	for _, d := range pkg.Model.Dimensions() {
		kind := strings.TrimSpace(d.Type + " " + d.Classification)
		p.printf("  dimension %s (%s)\n", d.Name, kind)
		for _, chain := range d.Chains() {
			p.printf("    %s\n", chainText(chain))
		}
	}
	for _, m := range pkg.Model.Measures() {
		column, _ := pkg.Model.Column(m.Ref)
		p.printf("  measure %s: %d decimals, %d cells missing\n", m.Ref, column.Scale, column.Missing)
	}
	for _, r := range pkg.Resources {
		p.printf("  resource %s: %d rows, %d bytes\n", r.Name, r.Found.Rows, r.Found.Bytes)
	}
}

func chainText(chain []cube.Level) string {
	texts := make([]string, len(chain))
	for i, l := range chain {
		texts[i] = l.Ref
		if l.LabelRef != "" {
			texts[i] += " (" + l.LabelRef + ")"
		}
		if len(l.Within) > 0 {
			texts[i] += " within " + strings.Join(l.Within, ", ")
		}
	}
	return strings.Join(texts, " → ")
}
