// Package describe writes the descriptor and the overlay of files that come without: CSV files, and sheets of workbooks. It says what it read from
// the cells, with figures, and asks what no cell says.
//
// It works in this order, and each step has its files:
//
//  1. form, encoding, header: how a file is written, and which of its lines have the names of the columns, and which are no rows.
//  2. profile: the cells of each column. The files are surveyed as any package (package load), with a descriptor that makes text of
//     all columns, so that they are read by the same rules. number and decorated say in which forms amounts are written.
//  3. roles, years, wide: which column is what. The fiscal year may stand in a column, in the names of columns, in dates, in names of files and
//     titles; amounts of several years may stand in columns; and what amounts are may stand in rows. A person knows better (readings).
//  4. depends, hierarchy, level: which column decides which, and so which level lies below which, and which codes mean something only
//     within another.
//  5. statements: whether rows state the same money again.
//  6. doubts: what can be read in two ways.
//  7. questions, write, totals: what a person has to say, the two documents, and what the amounts add up to.
//
// Names are no evidence for what cells deny: a name says what a column is about, its cells what it is. Every guess is written with
// its evidence behind it, so that a person who knows better sees where to change it. The files are never changed.
//
// Memory does not grow with the files. It grows with the different cells of a column up to mostValues, and with the pairs of cells
// that are compared up to mostPairs.
package describe
