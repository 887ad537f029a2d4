// Package command is the command line of fiscube: a file for each command, and files for what several commands share.
// It opens a store, serves it through package api, and loads packages into it. A command on an embedded file that a server
// has open is handed over to that server; with --server it goes to a server elsewhere.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/internal/redact"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
)

// Exit codes, as the help of the command lists them.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitRefused = 3
	exitUnknown = 4
)

// Main runs the command line of this process until it ends or is interrupted, and gives its exit code. A server shows
// reference, an OpenAPI document.
func Main(reference []byte) int {
	signal.Ignore(syscall.SIGPIPE) // a reader of our output that is gone is no reason to stop a load
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := newProgram(os.Stdout, os.Stderr)
	p.terminal, p.reference = term.IsTerminal(int(os.Stderr.Fd())), reference
	p.in, p.asks = os.Stdin, term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		p.width = width
	}
	return p.run(ctx, os.Args[1:])
}

// Run executes a command line that writes to out and err, and gives its exit code.
func Run(ctx context.Context, args []string, out, err io.Writer) int {
	return newProgram(out, err).run(ctx, args)
}

// program is the fiscube command with what it touches of the world.
type program struct {
	out, err  io.Writer
	in        io.Reader // where answers come from
	asks      bool      // in and out are a terminal: a person can be asked
	terminal  bool      // err is a terminal: progress is a bar, not lines
	width     int       // of the terminal that out is, into which messages are wrapped; 0 for none
	reference []byte    // the OpenAPI document that a server shows
	open      func(ctx context.Context, address string, options postgres.Options, log *slog.Logger) (store.Store, error)
	storing   postgres.Options // what the flags of a load say of the store
	handOver  bool             // give a command to the server that owns the embedded file
	db        string
	config    string // a file of flags
}

func newProgram(out, err io.Writer) *program {
	return &program{out: out, err: err, open: store.Open, handOver: true}
}

// run executes a command line and gives its exit code.
func (p *program) run(ctx context.Context, args []string) int {
	out := &output{Writer: p.out}
	p.out = out
	code := p.execute(ctx, args)
	if out.lost == nil || errors.Is(out.lost, syscall.EPIPE) { // a reader such as head has what it wanted
		return code
	}
	p.printError(fmt.Errorf("the output is not complete: %w", out.lost))
	return cmp.Or(code, exitFailed)
}

func (p *program) execute(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	var elsewhere *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &elsewhere):
		return elsewhere.code
	}
	p.printError(err)
	return exitCode(err)
}

// exitError is the outcome of a command whose problems are printed already.
type exitError struct{ code int }

// Error implements error.
func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// usageError is a command line that cannot be understood.
type usageError struct{ error }

func (p *program) printError(err error) {
	for i, line := range strings.Split(redact.Text(err.Error()), "\n") {
		p.tell([]string{"fiscube: ", "  "}[min(i, 1)] + line)
	}
	var usage usageError
	if errors.As(err, &usage) {
		_, _ = fmt.Fprintln(p.err, "Try fiscube --help.")
	}
}

// tell writes a line to standard error; on a terminal it is wrapped.
func (p *program) tell(line string) {
	if p.terminal {
		line = wrapped(line, p.width, 4)
	}
	_, _ = fmt.Fprintln(p.err, line)
}

func exitCode(err error) int {
	var usage usageError
	var rejected *load.Rejected
	var problems fdp.Problems
	var found *refusal
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &found), errors.As(err, &rejected), errors.As(err, &problems), cube.CodeOf(err) == cube.CodeBadPackage:
		return exitRefused
	}
	switch cube.CodeOf(err) {
	case cube.CodeUnknownCube, cube.CodeUnknownVersion, cube.CodeGone:
		return exitUnknown
	}
	if errors.As(err, new(questionError)) {
		return exitUsage
	}
	return exitFailed
}

const rootHelp = `fiscube publishes public budget data as OLAP cubes.

It loads budget dataset packages (a folder with datapackage.json and CSV files) into a store and answers
drilldown, cut and aggregate questions over HTTP. To try it with made-up example data:

  fiscube serve --seed

Every flag can be given as a variable too: --db as FISCUBE_DB, --addr as FISCUBE_ADDR,
and in a file: fiscube serve --config fiscube.yaml.

Exit codes: 0 done; 1 it failed, for a reason outside the package; 2 the command line is wrong;
3 a package was refused, with the reasons on standard error; 4 no such cube or version.`

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use: "fiscube", Short: "Publish public budget data as OLAP cubes", Long: rootHelp,
		SilenceErrors: true, SilenceUsage: true, Version: versionText(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := fromEnvironment(cmd.Flags()); err != nil {
				return err
			}
			return fromFile(cmd, p.config)
		},
	}
	root.PersistentFlags().StringVar(&p.db, "db", store.Default,
		"the store: duckdb:PATH, duckdb::memory: or postgres://user@host/database")
	root.PersistentFlags().StringVar(&p.config, "config", "", "a YAML file of flags, such as addr: :8080, for those that neither the command line nor a variable sets")
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("{{.Version}}")
	root.AddCommand(p.serveCommand(), p.mcpCommand(), p.initCommand(), p.loadCommand(), p.validateCommand(), p.listCommand(), p.versionsCommand(),
		p.diffCommand(), p.rollbackCommand(), p.pruneCommand(), p.removeCommand(), p.visibilityCommand(), p.seriesCommand(), p.backupCommand(), p.migrateCommand(),
		p.queryCommand(), p.benchCommand(), p.healthcheckCommand(), p.versionCommand())
	for _, cmd := range root.Commands() {
		cmd.Args = usageArgs(cmd.Args)
		completeChoices(cmd)
	}
	root.Args = usageArgs(unknownCommand)
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return root
}

// fromEnvironment sets each flag that was not given from its variable, where there is one.
func fromEnvironment(flags *pflag.FlagSet) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "FISCUBE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := os.LookupEnv(name)
		if !ok || value == "" || f.Changed || f.Name == "help" || f.Name == "version" || failed != nil {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			failed = usageError{fmt.Errorf("the variable %s: %w", name, inWords(err))}
		}
	})
	return failed
}

// withStore runs work on the store, or has the server that owns the embedded file run the same command line.
func (p *program) withStore(cmd *cobra.Command, args []string, work func(context.Context, store.Store) error) error {
	if none := p.withoutStore(cmd); none && cmd.Name() == "backup" { // of nothing there is none
		return &exitError{exitUnknown}
	}
	s, err := p.open(cmd.Context(), p.db, p.storing, p.log())
	if path, ok := store.EmbeddedPath(p.db); ok && p.handOver && cube.CodeOf(err) == cube.CodeInUse {
		return p.handOverTo(cmd, args, path, err)
	}
	if err != nil {
		return err
	}
	return errors.Join(work(cmd.Context(), s), s.Close())
}

// logOptions keep passwords out of the log.
var logOptions = &slog.HandlerOptions{ReplaceAttr: redact.Attr}

func (p *program) log() *slog.Logger { return slog.New(slog.NewTextHandler(p.err, logOptions)) }

// printf writes to standard output.
func (p *program) printf(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format, args...) }
