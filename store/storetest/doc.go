// Package storetest is what every store has to pass: the conformance suite of catalogue.Store.
//
//	func TestStore(t *testing.T)     { storetest.Run(t, func(t testing.TB) storetest.Place { … }) }
//	func TestAnswers(t *testing.T)   { storetest.Answers(t, func(t testing.TB) storetest.Place { … }) }
//	func TestQuestions(t *testing.T) { storetest.Questions(t, func(t testing.TB) storetest.Place { … }, *update) }
//
// Run loads small packages and disturbs the loads: contents that change, that fail in the middle, that arrive twice at
// once, that are removed while they are read.
//
// Answers loads made-up packages, the seeds, and the real packages where they are beside the checkout, and asks random
// questions. An answer is checked against simpler ones by relations that must hold (relations.go): pages concatenate, a
// subtotal is the sum of its cells, a comparison is two questions. What is left is a plain question, and its cells are
// those of the adder (adder.go), which reads the CSV files again by itself and adds up one row after the other. It is
// given the Query and the Plan, less the filters that Bind adds; the Model, which says what columns there are and how
// they are derived; and which resources and lines the repairs left out. Agree asks two stores the same questions.
//
// Questions asks what testdata/questions holds in text, one topic a file: small packages that are added up by eye, every
// production of the grammar, every mistake worth showing. The program's own tests ask the same over HTTP (AskAll).
//
// FISCUBE_TEST_QUERIES=10000 asks so many random questions of each package instead of a few, and a twentieth of them
// where it has very many rows; a failure prints the question, which Query reads back. make questions does so.
package storetest
