package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store"
	"fiscube/store/duckdb"
)

func (p *program) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Short: "List the cubes that are served", Args: exactly(),
		Long: "List the cubes that are served. With --format json it is the answer of a server to /cubes.\n" +
			"An empty database of PostgreSQL gets the schemas of fiscube by any command on it, also by this one.",
	}
	form := addFormat(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
			if *form == formJSON {
				return p.answer(ctx, s, "/cubes", "", p.out)
			}
			catalog, err := s.Catalog(ctx)
			if err != nil {
				return err
			}
			nodes, err := nodesOf(ctx, s, catalog.Served())
			if err != nil {
				return err
			}
			return p.printCubes(catalog.Served(), nodes, s)
		})
	}
	return cmd
}

// addFormat adds the flag of a command that lists.
func addFormat(cmd *cobra.Command) *string {
	form := formText
	cmd.Flags().Var(choice[string]{&form, []string{formText, formJSON}}, "format", "a table, or JSON for programs")
	return &form
}

// makesNoStore are the commands on what is loaded. Where there is no embedded store yet they find an empty one in memory.
var makesNoStore = []string{"list", "query", "versions", "rollback", "prune", "remove", "visibility", "diff", "series", "series remove", "backup"}

// withoutStore says how to begin where there is no embedded store for a command that makes none, and whether this is so.
func (p *program) withoutStore(cmd *cobra.Command) bool {
	path, embedded := store.EmbeddedPath(p.db)
	if !embedded || !p.handOver || path == duckdb.Memory || !slices.Contains(makesNoStore, strings.TrimPrefix(cmd.CommandPath(), "fiscube ")) {
		return false
	}
	_, noFolder := os.Stat(filepath.Dir(path))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && noFolder == nil {
		p.tell("There is no store " + path + " yet: fiscube load PATH makes one with a package, fiscube serve --seed one with examples.")
		p.db = strings.Replace(p.db, path, duckdb.Memory, 1)
		return true
	}
	return false
}

// nodesOf gives over how many nodes of a cluster the cubes are distributed that are.
func nodesOf(ctx context.Context, s store.Store, cubes []*cube.Cube) (map[*cube.Cube]int, error) {
	distributing, ok := s.(interface {
		Nodes(ctx context.Context, version *cube.Cube) (int, error)
	})
	if !ok {
		return nil, nil
	}
	nodes := map[*cube.Cube]int{}
	for _, c := range cubes {
		n, err := distributing.Nodes(ctx, c)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			nodes[c] = n
		}
	}
	return nodes, nil
}

// printCubes prints the cubes, over how many nodes they are distributed where one of them is, and what they take in the memory of a server.
func (p *program) printCubes(cubes []*cube.Cube, nodes map[*cube.Cube]int, s store.Store) error {
	heading, more := "", []func(*cube.Cube) string{}
	if len(nodes) > 0 {
		heading, more = "NODES\t", append(more, func(c *cube.Cube) string { return strconv.Itoa(max(1, nodes[c])) })
	}
	if slices.ContainsFunc(cubes, func(c *cube.Cube) bool { return c.Visibility != "" && c.Visibility != cube.Listed }) {
		heading, more = heading+"SEEN BY\t", append(more, func(c *cube.Cube) string { return string(cmp.Or(c.Visibility, cube.Listed)) })
	}
	if r, ok := s.(interface{ Resident(*cube.Cube) int64 }); ok {
		heading, more = heading+"IN MEMORY\t", append(more, func(c *cube.Cube) string { return strconv.FormatInt(r.Resident(c), 10) })
	}
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tVERSION\tSERVED\tYEARS\tROWS\t"+heading+"LOADED\tFINGERPRINT\tTITLE")
	for _, c := range cubes {
		values := strings.Join(each.Text(more, func(value func(*cube.Cube) string) string { return value(c) + "\t" }), "")
		_, _ = fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%s%s\t%.12s\t%s\n", c.Name, c.Version, served(c), years(c), c.Rows, values,
			c.LoadedAt.Format("2006-01-02T15:04:05Z"), c.Fingerprint, titleOf(c.Package))
	}
	return w.Flush()
}

// titleOf is the title of a package; made-up figures are marked wherever they are listed.
func titleOf(p *cube.Package) string {
	if p.Synthetic {
		return p.Title + " [synthetic]"
	}
	return p.Title
}

func served(c *cube.Cube) string {
	if c.Served {
		return "yes"
	}
	return "no"
}

func years(c *cube.Cube) string {
	first, last, ok := c.Years()
	switch {
	case !ok:
		return "-"
	case first == last:
		return strconv.FormatInt(first, 10)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
