package command

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/cube/findings"
	"fiscube/store/load"
)

// usageArgs marks what a command says of its arguments as a mistake of the command line.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// somePaths refuses a command line without a package.
func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("name a package: a folder or zip that holds datapackage.json, that file itself, or the URL of one" + example(cmd))
	}
	return nil
}

// exactly refuses a command line with more or fewer arguments than the wanted ones, which a person reads as a list.
func exactly(wanted ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(wanted):
			return errors.New("name " + strings.Join(wanted[len(args):], " and ") + example(cmd))
		case len(args) > len(wanted):
			return fmt.Errorf("%q is one argument too many: it is %s", args[len(wanted)], cmd.UseLine())
		}
		return nil
	}
}

// example gives the last of the examples of a command, which has all its arguments.
func example(cmd *cobra.Command) string {
	lines := strings.Split(cmd.Example, "\n")
	return ", for example: " + strings.TrimSpace(lines[len(lines)-1])
}

// isVersion refuses a second argument that is no number of a version.
func isVersion(_ *cobra.Command, args []string) error {
	if number, err := strconv.Atoi(args[1]); err != nil || number < 1 {
		return fmt.Errorf("%q is no version: they are numbered 1, 2, 3 …", args[1])
	}
	return nil
}

// checkAllowed refuses a flag --allow of what nobody can allow.
func checkAllowed(o *load.Options) func(*cobra.Command, []string) error {
	return func(*cobra.Command, []string) error {
		if err := findings.CheckAllowed(o.Allow); err != nil {
			return usageError{fmt.Errorf("--allow: %w", err)}
		}
		return nil
	}
}
