// Package fdp reads the descriptor of a budget dataset package (datapackage.json, in the manner of the Fiscal
// Data Package) into a cube.Package.
//
// A descriptor is written by people and by tools of many ages, so the reader is lenient where that is harmless
// and says everything else at once, each problem with its place:
//
//  1. A list may be published as a single text and a text as a number or a list of one; null means absent.
//     Anything else of the wrong type is a problem.
//  2. Keys outside the specification are kept: at the package, its resources, dialects, schemas and fields in
//     Extra, everywhere in Package.Descriptor.
//  3. A schema, a model or an encoding may stand at a resource or at the package; the resource's own goes
//     first. So does a field's decimal or group character before its dialect's.
//  4. Columns are the union of the fields of all resources by name, in the order of the first resource.
//  5. The first resource that names a column, a dimension or a measure decides what it is. A later one that
//     says otherwise is a problem.
//  6. Levels are the fields of a dimension's primaryKey, in order, that are not labels. The first dimension to
//     use a field has it: a field is one level, or the label of one level. Amounts (measures and fields of
//     type number) are neither. What is left out is an ordinary column, a parent left out is stepped over,
//     and a dimension without any level is left out whole.
//  7. Fields whose names begin with _ make no columns: such names are fiscube's own, and dumps have them for row
//     numbers. A model that names one is a problem.
//
// Nothing is guessed from names or cells here. Labels without labelfor, amounts in primary keys and other
// irregularities of real packages are for the repairs, which need the files.
package fdp
