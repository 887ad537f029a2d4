// Package query reads and prints questions for aggregates, facts, members and trees. A query has names as they were
// written, with the position of each. The grammar is in parse.go.
package query
