package command

import (
	"context"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/store"
)

const visibilityHelp = "who sees the cube: listed (everybody), unlisted (who knows its name) or token (who shows a token); it stays as it is unless given"

func (p *program) visibilityCommand() *cobra.Command {
	return &cobra.Command{
		Use: "visibility NAME listed|unlisted|token", Short: "Say who sees a cube",
		Long: `Say who sees a cube, with all its versions: everybody (listed), who knows its name (unlisted: no list, search or
site map has it), or who shows a token (token: to others it is not there). A running server keeps to it at once.`,
		Example: "  fiscube load --visibility token budget-2027\n  fiscube visibility budget-2027 listed",
		Args:    exactly("a cube", "who sees it"), ValidArgsFunction: p.completeCube,
		RunE: func(cmd *cobra.Command, args []string) error {
			var to cube.Visibility
			if err := (choice[cube.Visibility]{&to, cube.Visibilities}).Set(args[1]); err != nil {
				return usageError{err}
			}
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				if err := s.Show(ctx, args[0], to); err != nil {
					return err
				}
				p.printf("%s is %s\n", args[0], seenBy[to])
				return nil
			})
		},
	}
}

var seenBy = map[cube.Visibility]string{
	cube.Listed: "listed, for everybody", cube.Unlisted: "unlisted, for those who know its name", cube.WithToken: "for those who show a token",
}
