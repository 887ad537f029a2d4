// Package plan binds queries to a cube. A plan is a checked question. It has the statements that a store answers, one SQL
// statement each, and says what the passes of package answer do with the results.
//
// A drilldown with a cut needs these:
//
//	bind.go       Bind: drilldown, order, and the main statement; trees
//	names.go      the levels and dimensions that names mean
//	cut.go        cuts, their values, and the members that they name
//	aggregate.go  aggregates and formulas
//	years.go      which years a row adds up
//	byyear.go     sums in real terms and per head
//	canonical.go  the canonical question
//	plan.go       Plan, and its Grouping: which rows are counted, how they are grouped, and what is computed
//	statement.go  Statement: all that a store needs to know; those that count, and how many rows are read
//	cuboid.go     which cuboid answers a statement
//
// Other clauses, and what only some packages have, need the rest:
//
//	having.go     conditions on cells            snapshots.go   which snapshot of the same money is counted
//	compare.go    comparison along an axis       crosswalk.go   across editions
//	passes.go     top, fill, subtotals, parents  labelyears.go  the years whose labels count
//	flat.go       drilldowns by fields alone     breaks.go      members whose names change between the years of a row
//	links.go      links in answers               notinlast.go   lines that the last snapshot does not have
//	financing.go  rows that are no revenue and no expenditure
//	qualifiers.go rows by what their amounts are, and what looks like it
//	spelling.go   labels that the years compared write in other ways
//	facts.go, bookmark.go, members.go  questions for facts and members
package plan
