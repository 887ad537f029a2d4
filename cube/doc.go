// Package cube has the words of fiscube: a published budget package, the model that says what its fields mean, its
// versions and the catalogue of them, values, and errors. It knows no SQL, no HTTP and no files.
//
// The packages below it are the stages of a question. Each stage has one type, and no stage repeats
// the checks of the stage before it:
//
//	text       → query.Parse  → query.Query     names as they were written; may be wrong
//	Query      → plan.Bind    → plan.Plan       every name resolved; cannot be wrong
//	Plan       → a store      → plan.Result     what a store answers to each plan.Statement, exact decimals
//	Result     → answer.Run   → answer.Answer   comparison, gaps, subtotals, top, shares; with its warnings
//	Answer     → answer.Cite  → a sentence      of package prose, as the warnings are
//
// Questions for facts and for members go the same way. A Package, Model, Catalog, Statement or Plan never
// changes after it is made; a load replaces the whole catalogue.
package cube
