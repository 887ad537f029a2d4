package command

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/internal/each"
	"fiscube/store"
)

func (p *program) versionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "versions NAME", Short: "List the versions of a cube",
		Long:    "List the versions of a cube. With --format json it is the answer of a server to /cubes/NAME/versions.",
		Example: "  fiscube versions croatia-budget-spending",
		Args:    exactly("a cube"), ValidArgsFunction: p.completeCube,
	}
	form := addFormat(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
			if *form == formJSON {
				return p.answer(ctx, s, "/cubes/"+url.PathEscape(args[0])+"/versions", "", p.out)
			}
			catalog, err := s.Catalog(ctx)
			if err != nil {
				return err
			}
			if _, err := catalog.Cube(args[0]); err != nil {
				return err
			}
			return p.printCubes(catalog.Versions(args[0]), nil, s)
		})
	}
	return cmd
}

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

func (p *program) pruneCommand() *cobra.Command {
	var keep int
	cmd := &cobra.Command{
		Use: "prune NAME --keep N", Short: "Drop old versions of a cube",
		Long: `Drop the versions of a cube but for the newest N and the one that is served. Questions under way finish; links
that name a dropped version are answered with 410 and lead to the served one.`,
		Example: "  fiscube prune croatia-budget-spending --keep 3",
		Args:    exactly("a cube"), ValidArgsFunction: p.completeCube,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if keep < 0 {
				return usageError{errors.New("say how many of the newest versions to keep: --keep N" + example(cmd))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
				dropped, err := s.Prune(ctx, args[0], keep)
				if err != nil {
					return err
				}
				p.printf("%s: %s\n", args[0], droppedText(dropped))
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&keep, "keep", -1, "how many of the newest versions to keep")
	cmd.Flags().Lookup("keep").DefValue = "" // there is none: it has to be said
	return cmd
}

func droppedText(dropped []int) string {
	if len(dropped) == 0 {
		return "there is nothing to drop"
	}
	numbers := each.Text(dropped, strconv.Itoa)
	return "dropped " + strings.Join(numbers, ", ")
}
