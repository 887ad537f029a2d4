package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/gate"
	"fiscube/store"
	"fiscube/store/catalogue"
	"fiscube/store/load"
)

func (p *program) loadCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "load PATH…", Short: "Load packages into the store and serve them",
		Long: `Load packages into the store and serve them.

` + sourceHelp + `

Every file is checked before anything is stored; a package with errors is refused as a whole, with every error
on standard error. A package that is loaded already, unchanged, is left as it is. Beside a running "fiscube
serve" on the same embedded file, that server loads the package.

With --server the package is sent to a fiscube server that was started with a token. Of a folder only its
descriptor, its overlay and the files that the descriptor names are sent; a URL is fetched by the server.`,
		Example: "  fiscube load data/croatia\n  fiscube load --db postgres:///budgets data/*\n" +
			"  fiscube load --server https://budgets.example.org --token-file token data/croatia",
		Args: somePaths,
	}
	options := sourceFlags(cmd)
	addKeepFiles(cmd.Flags(), options)
	p.addStoring(cmd.Flags())
	cmd.Flags().Var(choice[cube.Visibility]{&options.Visibility, cube.Visibilities}, "visibility", visibilityHelp)
	target := &serverFlags{}
	target.addFlags(cmd.Flags())
	told := &telling{form: formText, failOn: findings.SeverityError}
	cmd.Flags().BoolVar(&told.verbose, "verbose", false, "print every finding, also of what was assumed or repaired")
	cmd.Flags().Var(choice[string]{&told.form, []string{formText, formJSON}}, "format", "how to tell what came of it; json is one document with totals and every finding")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx := cmd.Context()
		if target.server == "" {
			p.db = store.ForLoads(p.db)
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				err := p.each(ctx, args, func(path string) error { return p.loadPath(ctx, s, path, *options, told) })
				return errors.Join(err, told.write(p.out))
			})
		}
		for _, name := range []string{"encoding", "resource", "allow-missing", "allow-private", "max-download", "keep-files"} {
			if cmd.Flags().Changed(name) {
				return usageError{fmt.Errorf("--%s does not go with --server", name)}
			}
		}
		c, err := target.connect()
		if err != nil {
			return err
		}
		err = p.each(ctx, args, func(path string) error { return p.loadOn(ctx, c, path, *options, told) })
		return errors.Join(err, told.write(p.out))
	}
	return cmd
}

// each does something with every path. An error is printed at once and does not stop the others, unless the user stops
// all; the last error decides the exit code.
func (p *program) each(ctx context.Context, paths []string, do func(path string) error) error {
	code := exitDone
	for _, path := range paths {
		err := do(path)
		var goesOn *loadGoesOn
		if errors.As(err, &goesOn) {
			return err
		}
		if err != nil && ctx.Err() != nil { // drivers say in their own words that they were stopped
			return errors.New("stopped; nothing of " + path + " was loaded")
		}
		if err != nil {
			p.printError(err)
			code = exitCode(err)
		}
	}
	if code != exitDone {
		return &exitError{code}
	}
	return nil
}

func (p *program) loadPath(ctx context.Context, s catalogue.Loader, path string, o load.Options, told *telling) error {
	found, began := gate.New(path, o.OverlayFile), time.Now()
	loaded, err := p.loadFrom(ctx, s, path, o, found)
	switch {
	case err != nil && told.form == formJSON && found.Refuse(err):
		return told.end(found)
	case err != nil:
		return err
	}
	l := loaded.Cube
	result := loadResult{loaded.Outcome, l.Name, l.Version, l.Rows, len(l.Resources)}
	found.Describe(l.Package)
	return p.tellLoad(told, found, result, time.Since(began), func() (*findings.Report, error) { return findings.Of(l) })
}

func (p *program) loadFrom(ctx context.Context, s catalogue.Loader, path string, o load.Options, found *gate.Package) (loaded findings.Loaded, err error) {
	source, err := load.OpenWith(ctx, path, o)
	if err != nil {
		return loaded, err
	}
	defer func() { _ = source.Close() }()
	found.Describe(source.Package)
	return load.Run(ctx, s, source, p.progress())
}

// loadResult is what came of a load, here or on another server.
type loadResult struct {
	Outcome findings.Outcome
	Cube    string
	Version int
	Rows    int64
	Files   int
}

// tellLoad tells what came of a load, with its report: as text where something new was loaded.
func (p *program) tellLoad(told *telling, found *gate.Package, r loadResult, took time.Duration, reportOf func() (*findings.Report, error)) error {
	name := onOneLine(r.Cube)
	if told.form == formJSON {
		report, err := reportOf()
		if err != nil {
			return err
		}
		found.Name, found.Loaded = r.Cube, &gate.Loaded{Outcome: r.Outcome, Version: r.Version, Rows: r.Rows, Files: r.Files}
		found.Report(report)
		return told.end(found)
	}
	switch r.Outcome {
	case findings.OutcomeUnchanged:
		p.printf("%s: version %d holds exactly this already; nothing to do\n", name, r.Version)
	case findings.OutcomeRestored:
		p.printf("%s: version %d holds exactly this and is served again\n", name, r.Version)
	default:
		p.printf("%s: version %d, %d rows from %d files, in %s\n", name, r.Version, r.Rows, r.Files,
			took.Round(10*time.Millisecond))
	}
	if r.Outcome != findings.OutcomeLoaded {
		return nil
	}
	report, err := reportOf()
	if err == nil {
		p.printReport(report, told.verbose)
	}
	return err
}
