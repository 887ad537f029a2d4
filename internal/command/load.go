package command

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
serve" on the same embedded file, that server loads the package.

With --server the package is sent to a fiscube server that was started with a token. Of a folder only its
descriptor, its overlay and the files that the descriptor names are sent; a URL is fetched by the server.`,
		Example: "  fiscube load data/croatia\n  fiscube load --db postgres:///budgets data/*\n" +
			"  fiscube load --server https://budgets.example.org --token-file token data/croatia",
		Args: cobra.MinimumNArgs(1),
	}
	options := sourceFlags(cmd)
	there := &remoteFlags{}
	there.addFlags(cmd.Flags())
	verbose := cmd.Flags().Bool("verbose", false, "print every finding, also of what was assumed or repaired")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if there.server != "" {
			return p.loadThere(cmd, args, there, *verbose)
		}
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
	p.printLanded(landedHere(loaded), time.Since(began))
	if loaded.Outcome != cube.OutcomeLoaded {
		return nil
	}
	report, err := loaded.Cube.LoadReport()
	if err == nil {
		p.printReport(report, verbose)
	}
	return err
}

// landed is what a load came to, here or on another server.
type landed struct {
	outcome cube.Outcome
	name    string
	version int
	rows    int64
	files   int
}

func landedHere(l cube.Loaded) landed {
	return landed{l.Outcome, l.Cube.Name, l.Cube.Version, l.Cube.Rows, len(l.Cube.Resources)}
}

func (p *program) printLanded(l landed, took time.Duration) {
	switch l.outcome {
	case cube.OutcomeUnchanged:
		p.printf("%s: version %d holds exactly this already; nothing to do\n", l.name, l.version)
	case cube.OutcomeRestored:
		p.printf("%s: version %d holds exactly this and is served again\n", l.name, l.version)
	default:
		p.printf("%s: version %d, %d rows from %d files, in %s\n", l.name, l.version, l.rows, l.files,
			took.Round(10*time.Millisecond))
	}
}
