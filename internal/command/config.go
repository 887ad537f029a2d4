package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"fiscube/internal/each"
	"fiscube/internal/suggest"
)

// mostConfig is how many bytes a file of settings has at most.
const mostConfig = 1 << 20

// fromFile sets the flags of a command that neither the command line nor a variable has set from a file: a mapping from names of flags to
// values. One file is for all commands, so that it may have flags that only others have.
func fromFile(cmd *cobra.Command, path string) error {
	if path == "" {
		return nil
	}
	settings, err := readConfig(path)
	if err != nil {
		return err
	}
	known, given := flagsOfAll(cmd.Root()), map[string]bool{}
	cmd.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	var wrong []error
	seen := map[string]bool{}
	for pair := range slices.Chunk(settings, 2) {
		name := pair[0].Value
		refuse := func(format string, args ...any) {
			wrong = append(wrong, fmt.Errorf("%s, line %d: %s", path, pair[0].Line, fmt.Sprintf(format, args...)))
		}
		values, ok := scalars(pair[1])
		switch {
		case !slices.Contains(known, name):
			near := suggest.Nearest(name, append(slices.Clone(known), "address", "database"))
			if near = cmp.Or(map[string]string{"address": "addr", "database": "db"}[near], near); near != "" { // some write them in full
				refuse("no flag is called %q; did you mean %s?", name, near)
			} else {
				refuse("no flag is called %q; fiscube serve --help lists them", name)
			}
		case seen[name]:
			refuse("%s is set twice", name)
		case !ok:
			refuse("%s has to be a value or a list of values", name)
		case cmd.Flags().Lookup(name) != nil && !given[name]:
			for _, value := range values {
				if err := cmd.Flags().Set(name, value); err != nil {
					refuse("%v", inWords(err))
				}
			}
		}
		seen[name] = true
	}
	if wrong != nil {
		return usageError{errors.Join(wrong...)}
	}
	return nil
}

// readConfig gives the keys and values of a file, in turns.
func readConfig(path string) ([]*yaml.Node, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read --config: %w", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, mostConfig+1))
	if err != nil {
		return nil, fmt.Errorf("read --config: %w", err)
	}
	var document yaml.Node
	err = yaml.Unmarshal(text, &document)
	switch {
	case len(text) > mostConfig:
		err = fmt.Errorf("it has more than %d bytes", mostConfig)
	case err == nil && len(document.Content) == 0: // it is empty
		return nil, nil
	case err == nil && document.Content[0].Kind != yaml.MappingNode:
		err = errors.New("it has to have lines such as addr: :8080")
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return document.Content[0].Content, nil
}

// scalars gives a value, or those of a list.
func scalars(node *yaml.Node) (values []string, ok bool) {
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag != "!!null":
		return []string{node.Value}, true
	case node.Kind != yaml.SequenceNode:
		return nil, false
	}
	for _, item := range node.Content {
		if item.Kind != yaml.ScalarNode {
			return nil, false
		}
		values = append(values, item.Value)
	}
	return values, true
}

// flagsOfAll lists the flags of a command and those below it, but for those that are said on the command line alone.
func flagsOfAll(cmd *cobra.Command) (names []string) {
	add := func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "config" && !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	cmd.PersistentFlags().VisitAll(add)
	cmd.Flags().VisitAll(add)
	for _, below := range cmd.Commands() {
		names = each.Once(names, flagsOfAll(below)...)
	}
	return names
}
