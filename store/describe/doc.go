// Package describe writes the descriptor and the overlay of CSV files that come without. It says what it read from the cells, with
// figures, and asks what no cell says.
//
// It works in this order, and each step has its file:
//
//  1. form: the encoding, the delimiter and the header of each file, from its bytes. What no table is, such as one with two lines
//     of names, is refused with what to do.
//  2. profile: the cells of each column. The files are surveyed as any package (package load), with a descriptor that makes text of
//     all columns, so that they are read by the same rules.
//  3. roles: which column is the fiscal year, which are amounts and how these are written, which are codes and which their labels.
//  4. depends, hierarchy: which column decides which, and so which level lies below which, and which codes mean something only
//     within another.
//  5. statements: whether rows state the same money again.
//  6. questions, write: what a person has to say, and the two documents.
//
// Names are no evidence for what cells deny: a name says what a column is about, its cells what it is. Every guess is written with
// its evidence behind it, so that a person who knows better sees where to change it. The files are never changed.
//
// Memory does not grow with the files. It grows with the different cells of a column up to mostValues, and with the pairs of cells
// that are compared up to mostPairs.
package describe
