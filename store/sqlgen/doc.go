// Package sqlgen turns plans into SQL: one text for every store.
//
// A value enters the text only through renderer.bind and a name only through ident. Turning a Plan into SQL
// cannot fail, since everything that could be wrong was refused by Bind. What holds on both PostgreSQL and
// DuckDB, and what therefore never appears here (division, collations, GROUPING SETS), is listed in the
// comments beside each clause.
package sqlgen
