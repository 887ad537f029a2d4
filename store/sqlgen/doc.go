// Package sqlgen turns plans into SQL: one text for every store.
//
// A value enters the text only through renderer.bind and a name only through ident. The text of a view can have no
// arguments: there bind writes the value as a literal, a measure's factor stands as the digits of the decimal that it
// is, and names of files and comments are quoted as bind quotes them (literal.go).
//
// Turning a Plan into SQL cannot fail, since everything that could be wrong was refused by Bind. What holds on both
// PostgreSQL and DuckDB, and what therefore never appears here (division, collations, GROUPING SETS), is listed in the
// comments beside each clause.
package sqlgen
