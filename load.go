package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/store"
	"fiscube/store/load"
)

func (p *program) loadCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "load PATH…", Short: "Load packages into the store and serve them",
		Long: `Load packages into the store and serve them.

` + sourceHelp + `

Every file is checked before anything is stored; a package with errors is refused as a whole, with every error
on standard error. A package that is loaded already, unchanged, is left as it is. Beside a running "fiscube
serve" on the same embedded file, that server loads the package.`,
		Example: "  fiscube load data/croatia\n  fiscube load --db postgres:///budgets data/*",
		Args:    cobra.MinimumNArgs(1),
	}
	options := sourceFlags(cmd)
	verbose := cmd.Flags().Bool("verbose", false, "print every finding, also of what was assumed or repaired")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
			return p.each(ctx, args, func(path string) error { return p.loadPath(ctx, s, path, *options, *verbose) })
		})
	}
	return cmd
}

// each does something with every path. One that fails is told of at once and does not stop the others, unless
// the user stops all; the last that fails decides the exit code.
func (p *program) each(ctx context.Context, paths []string, do func(path string) error) error {
	code := exitDone
	for _, path := range paths {
		err := do(path)
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

func (p *program) loadPath(ctx context.Context, s store.Store, path string, o load.Options, verbose bool) error {
	source, err := load.OpenWith(ctx, path, o)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	began := time.Now()
	loaded, err := load.Run(ctx, s, source, p.progress())
	if err != nil {
		return err
	}
	p.printLoaded(loaded, time.Since(began))
	if loaded.Outcome != cube.OutcomeLoaded {
		return nil
	}
	report, err := loaded.Cube.LoadReport()
	if err == nil {
		p.printReport(report, verbose)
	}
	return err
}

func (p *program) printLoaded(loaded cube.Loaded, took time.Duration) {
	c := loaded.Cube
	switch loaded.Outcome {
	case cube.OutcomeUnchanged:
		p.printf("%s: version %d holds exactly this already; nothing to do\n", c.Name, c.Version)
	case cube.OutcomeRestored:
		p.printf("%s: version %d holds exactly this and is served again\n", c.Name, c.Version)
	default:
		p.printf("%s: version %d, %d rows from %d files, in %s\n", c.Name, c.Version, c.Rows, len(c.Resources),
			took.Round(10*time.Millisecond))
	}
}
