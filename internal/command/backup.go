package command

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"fiscube/store"
)

func (p *program) backupCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "backup FILE", Short: "Write a backup of the store, also while a server serves it",
		Long: `Write all cubes with all their versions, as they are at one moment, into a new file. Questions are answered and packages
loaded meanwhile. Of an embedded store, FILE is one too, to be served with --db duckdb:FILE; published files that it keeps come
into FILE.files beside it. Where a server has the store open, that server writes the file. Of PostgreSQL, FILE is what pg_dump
writes and pg_restore reads.`,
		Example: "  fiscube backup /backups/budgets.duckdb\n  fiscube backup --db postgres:///budgets budgets.dump",
		Args:    exactly("the file to write"),
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there already")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
			began := time.Now()
			if err := s.Backup(ctx, args[0], force); err != nil {
				return err
			}
			info, err := os.Stat(args[0])
			if err == nil {
				p.printf("%s: %d bytes, in %s\n", args[0], info.Size(), time.Since(began).Round(10*time.Millisecond))
			}
			return err
		})
	}
	return cmd
}
