// Command fiscube publishes public budget data as OLAP cubes: it loads budget dataset packages into a store and
// answers drilldown, cut and aggregate questions over HTTP.
package main

import (
	_ "embed"
	"os"

	"fiscube/internal/command"
)

//go:embed openapi.yaml
var openapi []byte

func main() { os.Exit(command.Main(openapi)) }
