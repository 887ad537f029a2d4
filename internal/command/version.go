package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"fiscube/internal/version"
	"fiscube/store/duckdb"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print which fiscube this is", Args: exactly(),
		Run: func(*cobra.Command, []string) {
			b := version.Of()
			p.printf("fiscube %s\ncommit %s", b.Version, b.Commit)
			if b.Time != "" {
				p.printf(" of %s", b.Time)
			}
			if b.Changed {
				p.printf(", with changes")
			}
			p.printf("\nGo %s\nDuckDB %s\n", b.Go, cmp.Or(duckdb.LibraryVersion(), "none: built without cgo"))
		},
	}
}
