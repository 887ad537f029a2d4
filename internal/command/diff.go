package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/api/encode"
	"fiscube/cube"
	"fiscube/cube/difference"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
)

func (p *program) diffCommand() *cobra.Command {
	form := formText
	var rows uint
	cmd := &cobra.Command{
		Use: "diff A B", Short: "Show what changed from one version of a budget to another",
		Long: `Show what changed from one version of a budget to another: totals, rows, measures, levels and members.

A and B are each a package or a cube: its name for the version that is served, or NAME@N for version N. A package is loaded
into a temporary store of the kind that --db names, which is dropped again.

` + sourceHelp,
		Example: "  fiscube diff data/croatia data/croatia-corrected\n  fiscube diff example-croatia@1 example-croatia",
		Args:    exactly("what was before", "what came after"), ValidArgsFunction: p.completeCube,
	}
	options := sourceFlags(cmd)
	cmd.Flags().Var(choice[string]{&form, []string{formText, formJSON}}, "format", "tables, or JSON as GET /cubes/{cube}/versions/{n}/diff/{m} gives it")
	cmd.Flags().UintVar(&rows, "rows", 20, "how many of the rows that differ most to list, up to 10,000")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		page := query.Page{Number: 1, Size: int(min(rows, difference.MostListed))}
		names := [2]string{args[0], args[1]}
		compare := func(ctx context.Context, s store.Store) error {
			d, err := p.diff(ctx, s, args, *options, page)
			if err != nil {
				return err
			}
			english := words.Locale{Language: cube.English}
			said := prose.DifferenceOfFiles(d, english)
			if form == formJSON {
				p.printf("%s\n", encode.Difference(d, said, page, false, encode.Warnings(d.After, nil, cube.English)))
				return nil
			}
			p.printDifference(d, said, prose.DifferenceTables(d, names, english), names)
			return nil
		}
		if isPackage(args[0]) && isPackage(args[1]) {
			return compare(cmd.Context(), nil)
		}
		for i, arg := range args {
			if isPackage(arg) {
				args[i] = absolute([]string{arg})[0]
			}
		}
		return p.withStore(cmd, args, compare)
	}
	return cmd
}

// isPackage tells a package from a cube: it is an address, or a path to something.
func isPackage(arg string) bool {
	_, err := os.Stat(arg)
	return err == nil || strings.Contains(arg, "://") || strings.ContainsRune(arg, filepath.Separator)
}

// diff compares what two arguments name. The store is nil where both are packages.
func (p *program) diff(ctx context.Context, s store.Store, args []string, o load.Options, page query.Page) (d *difference.Difference, err error) {
	var sides [2]difference.Side
	var temporary store.Store
	for i, arg := range args {
		if !isPackage(arg) {
			cb, err := ofCube(ctx, s, arg)
			if err != nil {
				return nil, err
			}
			sides[i] = difference.Side{Cube: cb, Store: s}
			continue
		}
		if temporary == nil {
			address, drop, failed := store.Temporary(ctx, p.db)
			if failed != nil {
				return nil, failed
			}
			defer func() { err = errors.Join(err, drop()) }()
			if temporary, err = store.Open(ctx, address, postgres.Options{}, p.log()); err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, temporary.Close()) }()
		}
		source, err := load.OpenWith(ctx, arg, o)
		if err != nil {
			return nil, err
		}
		loaded, err := load.Run(ctx, temporary, source, p.progress())
		if err := errors.Join(err, source.Close()); err != nil {
			return nil, err
		}
		sides[i] = difference.Side{Cube: loaded.Cube, Store: temporary}
	}
	return difference.Between(ctx, sides[0], sides[1], page)
}

// ofCube gives the version that NAME or NAME@N names.
func ofCube(ctx context.Context, s store.Store, arg string) (*cube.Cube, error) {
	catalog, err := s.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	name, number, pinned := strings.Cut(arg, "@")
	if !pinned {
		return catalog.Cube(name)
	}
	n, bad := cube.VersionNumber(number)
	if bad != nil {
		return nil, bad
	}
	return catalog.Version(name, n)
}

// printDifference writes what changed, the totals first.
func (p *program) printDifference(d *difference.Difference, said string, tables []prose.DifferenceTable, names [2]string) {
	for i, cb := range []*cube.Cube{d.Before, d.After} {
		p.printf("%s: %d of %d lines count\n", names[i], d.Rows.Lines[i], cb.Rows)
	}
	count := d.Rows.Count
	p.printf("%s\nRows: %d new, %d gone, %d changed, %d the same\n", said, count[difference.Came], count[difference.Went], count[difference.Changed], count[difference.Same])
	for _, t := range tables {
		p.printf("\n%s\n", strings.TrimSpace(t.Title+". "+t.Note))
		rows := [][]string{t.Heads}
		for _, row := range t.Rows {
			rows = append(rows, each.Text(row, func(cell prose.DifferenceCell) string { return strings.TrimSpace(cell.Text + " " + cell.Code) }))
		}
		p.printTable(rows)
	}
}
