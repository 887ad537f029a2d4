// Package plan binds queries to a cube. A plan is a checked question. It has the statements that a store answers, one SQL
// statement each, and says what the passes of package answer do with the results.
//
//	statement.go  Statement, its filters, parts and order: all that a store needs to know
//	grouping.go   which rows are counted, and how they are grouped
//	plan.go       Plan
//	bind.go       Bind: drilldown, order, and the main statement; trees
//	flat.go       drilldowns by fields alone
//	names.go      the levels and dimensions that names mean
//	cut.go        cuts and their values          labelyears.go the years whose labels count
//	aggregate.go  aggregates and formulas
//	having.go     conditions on cells            snapshots.go  which snapshot of the same money is counted
//	compare.go    comparison along an axis       crosswalk.go  across editions
//	years.go      which years a row adds up
//	breaks.go     members whose names change between the years of a row
//	passes.go     top, fill, subtotals, parents  canonical.go  the canonical question
//	facts.go, bookmark.go, members.go            questions for facts and members
//	named.go, links.go, counting.go              members that cuts name, links in answers, counts of rows, and how many are read
//	cuboid.go                                    which cuboid answers a statement
package plan
