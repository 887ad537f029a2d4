// Package history is about what the members of a level are called and numbered in which year:
//
//	labels.go     which of their labels is shown in a year, and by which texts they are found and sorted
//	names.go      which labels are one name
//	breaks.go     where a label or a code means another thing from a year on
//	children.go   which members are known again by those below them
//	crossed.go    how an answer about some years crosses such a break
//	crosswalk.go  which member of another edition is the same
//
// It knows no question and no store: package plan reads off a question which years and members it is about, and asks here.
package history
