package command

import (
	"context"

	"github.com/spf13/cobra"

	"fiscube/store"
)

func (p *program) versionsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "versions NAME", Short: "List the versions of a cube",
		Example: "  fiscube versions croatia-budget-spending",
		Args:    exactly("a cube"), ValidArgsFunction: p.completeCube,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				catalog, err := s.Catalog(ctx)
				if err != nil {
					return err
				}
				if _, err := catalog.Cube(args[0]); err != nil {
					return err
				}
				return p.printCubes(catalog.Versions(args[0]), nil)
			})
		},
	}
}
