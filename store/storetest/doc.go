// Package storetest is what every store has to pass: the conformance suite of cube.Backend.
//
//	func TestStore(t *testing.T)   { storetest.Run(t, func(t testing.TB) storetest.Place { … }) }
//	func TestAnswers(t *testing.T) { storetest.Answers(t, func(t testing.TB) storetest.Place { … }) }
//	func TestQuestions(t *testing.T) { storetest.Questions(t, func(t testing.TB) storetest.Place { … }, *update) }
//
// It has three parts. Run loads small made-up packages and lays hands on them: contents that change, that
// fail in the middle, that arrive twice at once, that are removed while they are read. Answers loads the
// seeds, a package of nasty names and cells, and the real packages where they are beside the checkout, asks
// random questions and compares every cell with an oracle.
//
// Questions asks what testdata/questions holds in text, one topic a file: small packages that are added up by eye, every
// production of the grammar, every mistake worth showing. The program's own tests ask the same over HTTP (AskAll).
//
// The oracle (oracle*.go) reads the CSV files again by itself, makes the columns that the model derives, filters
// and groups in memory, adds up one row after the other, counts money once, and chooses labels. It shares no code
// with store/load and store/sqlgen, and none with what the engine finishes in memory: subtotals, remainders, shares and
// comparisons it adds up from the rows of all their cells. What it is told is the Query and the Plan, which say what is
// asked, less the filters that Bind adds by itself; the Model, which says what columns there are and how they are made; and which resources and
// lines the repairs left out. So two stores that pass agree with each other too.
//
// FISCUBE_TEST_QUERIES=10000 asks so many random questions of each package instead of a few, and a twentieth of them
// where it has very many rows; a failure prints the question, which Query reads back. make questions does so.
package storetest
