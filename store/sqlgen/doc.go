// Package sqlgen turns statements into SQL, with one text for every store.
//
// A value enters the text only through renderer.bind, and a name only through ident. The text of a view has no arguments, so
// there bind writes a literal (literal.go), a measure's factor is written as a decimal number, and file names and comments
// are quoted like literals.
//
// Turning a statement into SQL cannot fail, since plan.Bind has refused everything that could be wrong. The SQL uses only what
// means the same in PostgreSQL and DuckDB: no exact division, no collations, no GROUPING SETS. Comments give the reasons.
package sqlgen
