package command

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"fiscube/store"
)

func (p *program) rollbackCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rollback NAME VERSION", Short: "Serve another version of a cube that is kept",
		Long: `Serve another version of a cube that is kept, an earlier or a later one. No version is dropped, and the next
load gets a number of its own.`,
		Example: "  fiscube versions croatia-budget-spending\n  fiscube rollback croatia-budget-spending 2",
		Args:    cobra.MatchAll(exactly("a cube", "the version to serve"), isVersion), ValidArgsFunction: p.completeCube,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				number, _ := strconv.Atoi(args[1]) // isVersion
				if err := s.Serve(ctx, args[0], number); err != nil {
					return err
				}
				p.printf("%s: version %d is served\n", args[0], number)
				return nil
			})
		},
	}
}
