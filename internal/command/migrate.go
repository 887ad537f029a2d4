package command

import (
	"context"

	"github.com/spf13/cobra"

	"fiscube/store"
)

func (p *program) migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring the store's schema up to date", Args: exactly(),
		Long: "Bring the store's schema up to date. Every command does so at its start; this one does nothing else.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd, args, func(context.Context, store.Store) error {
				p.printf("the store is up to date\n")
				return nil
			})
		},
	}
}
