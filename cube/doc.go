// Package cube is the domain of fiscube: a published budget package, the model that says what its fields
// mean, the question somebody asks of it, and the plan and the answer that follow. It knows no SQL, no HTTP
// and no files; stores and the API meet only here.
//
// One type stands for each stage, and a later stage never checks again what an earlier one promised:
//
//	text   → ParseQuery       → Query   names as the asker wrote them; may be wrong
//	Query  → Cube.Bind        → Plan    every name resolved; cannot be wrong
//	Plan   → Engine.Check     → Plan    which warns of members that are not there
//	Plan   → Backend.Run      → Cell    exact decimals, in the order asked
//	Cell   → Engine.Aggregate → Result  with what no store does: subtotals, top, shares, comparison, gaps
//	Result → Engine.Cite      → Citation, and Plan.Warnings: what the numbers are, and what to know of them
//
// Questions for facts and for members go the same way (FactQuery → FactPlan, MemberQuery → MemberPlan); a Tree is a
// Query of a special form. Package, Model, Catalog and Plan are never changed once made; a reload swaps a pointer.
//
// # Files, as a request meets them
//
//	what is loaded       package catalog report coverage
//	what fields mean     model draft chain derived leading snapshot statedyears
//	cells and texts      value tidy joined language
//	what is asked        query facts members tree
//	text → Query         clause parse* scan
//	Query → Plan         refs bind* plan canonical having formulakinds mixedyears
//	left for memory      finish parents compare moved counterpart emptylevels uneven fillcompared
//	Plan → Cell          backend engine lookup wanted remember empty stat
//	Cell → Result        assembly fill weigh arrange formula nameplate shown lacking
//	what is said of it   warning* citation* explain error
//	what leads on        links bookmark published
//
// # Inner words
//
//	step         a prefix of the drilldown that has keys of its own: of year|unit, year and year with unit
//	part         what a store computes for a cell. An aggregate is made of one, an average of two: no store divides
//	statement    one telling of the money of a period, as June of figures that grow over the year. Of each period the
//	             last that the cuts admit is counted; also called a snapshot, as packages declare it
//	guard        the filter that counts it, where it is over some parts alone: those of a Measure.Flow add all up
//	verdict      what is known of a filter when some cells of a row are: it passes, it fails, or it may pass
//	finish       what is left to do when the store has answered; an assembly does it, from entries to cells
//	basis        what the values of a cell are made of: its parts, and those of all cells, of its parent, and of the
//	             earlier cell that it is compared with
//	fraction     an exact value before it is rounded, once
//	axis, place  the whole numbers that a comparison moves along, mostly years, and where on them a cell stands
//	counterpart  the place that another is compared with, as far away as is asked
//	lack         a place without one, and why
//	gap          a place on the axis of fill that has no cell
//	nameplate    the label of a member and its rank, for cells that no store answered
//	stranger     a cut with the members that it names in vain
package cube
