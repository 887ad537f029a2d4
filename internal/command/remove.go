package command

import (
	"context"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"fiscube/store"
)

func (p *program) removeCommand() *cobra.Command {
	target := &serverFlags{}
	cmd := &cobra.Command{
		Use: "remove NAME", Short: "Remove a cube with all its versions",
		Example: "  fiscube remove croatia-budget-spending",
		Args:    exactly("a cube"), ValidArgsFunction: p.completeCube,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			done := func(err error) error {
				if err == nil {
					p.printf("%s is removed\n", name)
				}
				return err
			}
			if target.server == "" {
				return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error { return done(s.Remove(ctx, name)) })
			}
			c, err := target.connect()
			if err != nil {
				return err
			}
			return done(c.ask(cmd.Context(), http.MethodDelete, "cubes/"+url.PathEscape(name), nil, nil))
		},
	}
	target.addFlags(cmd.Flags())
	return cmd
}
