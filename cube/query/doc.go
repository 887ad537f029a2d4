// Package query reads questions and prints them: the clauses of an aggregate, of facts, of members and of a tree. A
// query has names as they were written, and knows where each stood in the text. The grammar stands above its parser in
// parse.go.
package query
