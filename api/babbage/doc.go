// Package babbage translates between a cube and the dialect that OpenSpending dashboards speak, that of the
// Babbage server (0.4). It translates names and shapes and answers nothing itself: what a dashboard asks becomes a
// cube.Query, and api writes the answer under the dashboard's names.
//
// A level is a dimension of the dialect, whose id is its key field, and whose attributes are the key field and the
// label field: admin1_code.admin1_code and admin1_code.admin1_label. A chain of levels is a hierarchy.
//
// What the dialect leaves open, or its server gets wrong, is read as our own grammar does: a value by the type of
// its field, ranges, inversions and paths, and a mistake is told rather than dropped.
package babbage
