// Package cube is the domain of fiscube: a published budget package, the model that says what its fields
// mean, the question somebody asks of it, and the plan and the answer that follow. It knows no SQL, no HTTP
// and no files; stores and the API meet only here.
//
// One type stands for each stage, and a later stage never checks again what an earlier one promised:
//
//	text   → ParseDrilldown, ParseCut …  → Query    names as the asker wrote them; may be wrong
//	Query  → Cube.Bind                  → Plan     every name resolved; cannot be wrong
//	Plan   → Backend.Run                 → Cell     exact decimals, in the order asked
//
// Package, Model, Catalog and Plan are never changed once made; a reload swaps a pointer.
package cube
