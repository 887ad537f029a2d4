// Package plan binds queries to a cube. A plan is what was asked; its statements are what a store answers for it, one
// SQL statement each; and it says what the passes of package answer do with these.
//
//	statement.go  Statement, its filters, parts and order: all that a store has to know
//	plan.go       Plan
//	bind.go       Bind: drilldown, order, and the main statement
//	names.go      the levels and dimensions that names mean
//	cut.go        cuts and their values          aggregate.go  aggregates and formulas
//	having.go     conditions on cells            snapshots.go  which snapshot of the same money is counted
//	compare.go    the earlier side               years.go      which years a row adds up
//	passes.go     top, fill, subtotals, parents  canonical.go  the canonical question
//	facts.go, bookmark.go, members.go, tree.go   the other questions
//	named.go, links.go, counting.go              what is asked about a plan
package plan
