// Command fiscube publishes public budget data as OLAP cubes: it loads budget dataset packages into a store and
// answers drilldown, cut and aggregate questions over HTTP.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"fiscube/store"
)

//go:embed openapi.yaml
var openapi []byte

func main() {
	signal.Ignore(syscall.SIGPIPE) // a reader of our output that is gone is no reason to stop a load
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := &program{
		out: os.Stdout, err: os.Stderr, open: store.Open,
		terminal: term.IsTerminal(int(os.Stderr.Fd())), handOver: true,
	}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
