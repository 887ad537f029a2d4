package command

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"fiscube/internal/version"
	"fiscube/store/duckdb"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print which fiscube this is", Args: exactly(),
		Run: func(*cobra.Command, []string) { p.printf("%s", versionText()) },
	}
}

// versionText is what fiscube version and fiscube --version print.
func versionText() string {
	b := version.Of()
	text := fmt.Sprintf("fiscube %s\ncommit %s", b.Version, b.Commit)
	if b.Time != "" {
		text += " of " + b.Time
	}
	if b.Changed {
		text += ", with changes"
	}
	return text + fmt.Sprintf("\nGo %s\nDuckDB %s\n", b.Go, cmp.Or(duckdb.LibraryVersion(), "none: built without cgo"))
}
