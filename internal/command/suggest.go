package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fiscube/internal/each"
	"fiscube/internal/suggest"
	"fiscube/store"
)

// unknownCommand refuses what is no command, with the one that was probably meant.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := each.Text(root.Commands(), (*cobra.Command).Name)
	return withSuggestion(fmt.Errorf("unknown command %q", args[0]), args[0], names)
}

// flagError is the error of a flag, with the one that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		err = withSuggestion(err, "--"+unknown.GetSpecifiedName(), names)
	}
	return usageError{inWords(err)}
}

// inWords says what a flag wants of a value where the error is one of Go's own.
func inWords(err error) error {
	var invalid *pflag.InvalidValueError
	wanted := map[string]string{"float64": "a number", "int": "a whole number", "int64": "a whole number", "uint": "a whole number, at least 0",
		"bool": "true or false", "duration": "a time such as 30s or 5m"}
	if !errors.As(err, &invalid) || wanted[invalid.GetFlag().Value.Type()] == "" {
		return err
	}
	f := invalid.GetFlag()
	return fmt.Errorf("invalid argument %q for %q flag: it has to be %s", invalid.GetValue(), "--"+f.Name, wanted[f.Value.Type()])
}

// withSuggestion adds the known name that was probably meant.
func withSuggestion(err error, asked string, names []string) error {
	if hint := suggest.DidYouMean(asked, names); hint != "" {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// completionPatience is how long a shell waits for the names of cubes.
const completionPatience = 3 * time.Second

// completeCube gives a shell the names of the cubes for the first argument. A store that is not there is not made.
func (p *program) completeCube(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const noFiles = cobra.ShellCompDirectiveNoFileComp
	if len(args) > 0 || fromEnvironment(cmd.Flags()) != nil {
		return nil, noFiles
	}
	if path, ok := store.EmbeddedPath(p.db); ok {
		if _, err := os.Stat(path); err != nil {
			return nil, noFiles
		}
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	var list bytes.Buffer
	listing := newProgram(&list, io.Discard)
	listing.open = p.open
	if listing.run(ctx, []string{"list", "--db", p.db}) != exitDone {
		return nil, noFiles
	}
	var names []cobra.Completion
	for i, line := range strings.Split(list.String(), "\n") {
		name, _, _ := strings.Cut(line, "  ")
		if i > 0 && name != "" && strings.HasPrefix(name, begun) {
			names = append(names, name)
		}
	}
	return names, noFiles
}
