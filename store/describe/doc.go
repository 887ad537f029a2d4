// Package describe writes the descriptor and the overlay of files that come without: CSV files, and sheets of workbooks. It says what it read from
// the cells, with figures, and asks what no cell says.
//
// It works in this order, and each step has its files:
//
//	form, encoding, script    how a file is written: its characters, and what sets its columns apart
//	header                    which of its lines have the names of the columns, and which are no rows
//	together                  files that become one package
//	profile, number           the cells of each column. The files are read as those of any package (package load), so that the same rules
//	                          hold, and what their cells show is counted once (package evidence)
//	roles, years, wide, list  which column is what. The fiscal year may stand in a column, in the names of columns, in dates, in names of files
//	                          and titles; amounts of several years may stand in columns; what amounts are may stand in rows; and a file may
//	                          be a code list of others
//	readings, about, questions
//	                          what a person knows better, or has to say
//	level, hierarchy, chains, beginnings
//	                          which column decides which, and so which level lies below which; which codes mean something only within
//	                          another; and which codes are parts of others
//	statements                whether rows state the same money again
//	doubts                    what can be read in two ways
//	write, totals             the two documents, and what the amounts add up to
//	words, text               the words that names are read by, and how sentences are written
//
// Names are no evidence for what cells deny: a name says what a column is about, its cells what it is. Every guess is written with
// its evidence behind it, so that a person who knows better sees where to change it. The files are never changed.
package describe
