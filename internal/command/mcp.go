package command

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/api"
	"fiscube/api/assistant"
	"fiscube/cube"
	"fiscube/cube/search"
	"fiscube/store/resident"
)

func (p *program) mcpCommand() *cobra.Command {
	var o operation
	cmd := &cobra.Command{
		Use: "mcp", Short: "Answer the questions of an assistant",
		Long: `Answer the questions of an assistant, which starts this command and talks to it over standard input and output in the
Model Context Protocol. It offers tools to search budgets, to describe them, to ask for amounts and for the lines behind them, and to cite;
none of them changes anything. A running server offers the same to all at /mcp.

The links in answers begin with --public-url, where fiscube serve answers.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.assist(cmd.Context(), o) },
	}
	o.addQuestionFlags(cmd.Flags())
	cmd.Flags().StringVar(&o.publicURL, "public-url", "http://"+defaultAddr, "where a server answers the links in answers, as https://example.org/budgets")
	return cmd
}

// assist answers one assistant until its end of the input. Only the protocol is written to the output.
func (p *program) assist(ctx context.Context, o operation) error {
	o.log = logText
	if err := o.check(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: logOptions.ReplaceAttr}))
	opened, err := p.openOnceThere(ctx, log)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // it was stopped while it waited
	case cube.CodeOf(err) == cube.CodeInUse:
		return fmt.Errorf("%w; if that is a server, connect the assistant with its /mcp", err)
	case err != nil:
		return err
	}
	defer func() { _ = opened.Close() }()
	s := resident.New(opened, resident.Options{Bytes: o.resident}, log)
	s.LimitMembers(o.members)
	defer inBackground(ctx, s.Follow)()
	index := search.New(s, log)
	defer inBackground(ctx, index.Follow)()
	handler := api.New(s, api.Options{Document: p.reference, PublicURL: o.publicURL, Log: log, Limits: o.limits, Kept: o.kept, Search: index})
	return assistant.New(handler, strings.TrimSuffix(o.publicURL, "/")).Serve(ctx, p.in, p.out)
}
