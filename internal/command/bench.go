package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/internal/bench"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/resident"
)

func (p *program) benchCommand() *cobra.Command {
	var asJSON bool
	var rounds int
	var kept int64
	cmd := &cobra.Command{
		Use: "bench PATH", Short: "Measure what a dashboard asks of a package",
		Long: `Measure what a dashboard asks of a package: totals, years, each level, members cut and drilled, top members, search.

Each question is asked over HTTP, and then again in turns with the same as plain SQL over the facts as published. The
package is loaded into a store of the kind that --db names, which is made for this and dropped: a file in a temporary folder,
or a database of its own on the server of PostgreSQL.

--times 10 makes the package ten times larger: its rows are loaded ten times, each time with later fiscal years.

` + sourceHelp,
		Args: usageArgs(cobra.ExactArgs(1)),
	}
	options := sourceFlags(cmd)
	p.addStoring(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&rounds, "rounds", 100, "how often each question is asked after the first time")
	cmd.Flags().Int64Var(&options.Times, "times", 1, "how often the rows are loaded, each time with later fiscal years")
	cmd.Flags().Var(bytesOf{&kept}, "answer-cache", "how much memory answers may take that are kept, as in serve")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if rounds < 1 {
			return usageError{errors.New("--rounds is a number from 1 up")}
		}
		if options.Times < 1 {
			return usageError{errors.New("--times is a number from 1 up")}
		}
		mix, onBase, err := p.bench(cmd.Context(), args[0], *options, rounds, kept)
		switch {
		case err != nil:
			return err
		case asJSON:
			return json.NewEncoder(p.out).Encode(struct {
				Questions []bench.Result `json:"questions"`
				Ratio     float64        `json:"geometric_mean_ratio"`
				OnBase    []bench.Result `json:"on_the_base"`
				BaseRatio float64        `json:"on_the_base_geometric_mean_ratio"`
			}{mix, bench.GeometricMean(mix), onBase, bench.GeometricMean(onBase)})
		}
		return p.printBench(mix, onBase)
	}
	return cmd
}

func (p *program) bench(ctx context.Context, path string, o load.Options, rounds int, kept int64) (mix, onBase []bench.Result, err error) {
	address, drop, err := store.Temporary(ctx, p.db)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	opened, err := store.Open(ctx, address, p.storing, p.log())
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	s := resident.New(opened, resident.Options{Bytes: memoryForResident()}, p.log())
	source, err := load.OpenWith(ctx, path, o)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = source.Close() }()
	loaded, err := load.Run(ctx, s, source, p.progress())
	if err != nil {
		return nil, nil, err
	}
	s.Refresh(ctx)
	return runBench(ctx, s, loaded.Cube, rounds, kept)
}

// runBench serves the store and asks it.
func runBench(ctx context.Context, s store.Store, cb *cube.Cube, rounds int, kept int64) (mix, onBase []bench.Result, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	handler := api.New(s, api.Options{Log: slog.New(slog.DiscardHandler), Kept: kept})
	go func() { served <- api.Serve(ctx, listener, handler, slog.New(slog.DiscardHandler)) }()
	b := &bench.Bench{Store: s, Cube: cb, URL: "http://" + listener.Addr().String(), Times: rounds}
	mix, onBase, err = b.Run(ctx)
	stop()
	return mix, onBase, errors.Join(err, <-served)
}

// printBench writes a table of the mix and one of what only the base cuboid answers, each with the mean below it.
func (p *program) printBench(tables ...[]bench.Result) error {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, results := range tables {
		if len(results) == 0 {
			continue
		}
		_, _ = fmt.Fprintln(w, "question\tfirst ms\tmedian\tp95\tp99\trows\tcuboid\tSQL ms\tSQL / question\t")
		for _, r := range results {
			path, _ := url.QueryUnescape(r.Path)
			_, _ = fmt.Fprintf(w, "%s: %s\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t%s\t%.1f\t%.2f\t\n",
				r.Kind, onOneLine(path), r.First, r.Median, r.P95, r.P99, r.Rows, r.Cuboid, r.SQL, r.Ratio)
		}
		_, _ = fmt.Fprintf(w, "geometric mean\t\t\t\t\t\t\t\t%.2f\t\n", bench.GeometricMean(results))
	}
	return w.Flush()
}
