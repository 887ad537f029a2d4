// Package fdp reads the descriptor of a budget dataset package (datapackage.json, in the manner of the Fiscal
// Data Package) into a cube.Package, and applies overlays to it.
//
// # Descriptors
//
// A descriptor is written by people and by tools of many ages, so the reader is lenient where that is harmless
// and reports everything else at once, each problem with its place:
//
//  1. A list may be published as a single text and a text as a number or a list of one; null means absent.
//     Anything else of the wrong type is a problem.
//  2. Keys outside the specification are kept: at the package, its resources, dialects, schemas and fields in
//     Extra, everywhere in Package.Descriptor.
//  3. A schema, a model or an encoding may be declared by a resource or by the package; the resource's own goes
//     first. So does a field's decimal or group character before its dialect's.
//  4. Columns are the union of the fields of all resources by name, in the order of the first resource.
//  5. The first resource that names a column, a dimension or a measure decides what it is. A later one that
//     contradicts it is a problem.
//  6. Levels are the fields of a dimension's primaryKey, in order, that are not labels. The first dimension to
//     use a field has it: a field is one level, or the label of one level. Amounts (measures and fields of
//     type number) are neither. What is left out is an ordinary column, a parent left out is stepped over,
//     and a dimension without any level is left out whole.
//  7. Fields whose names begin with _ make no columns: such names are fiscube's own, and dumps have them for row
//     numbers. A model that names one is a problem.
//
// Nothing is guessed from names or cells here. Labels without labelfor, amounts in primary keys and other
// irregularities of real packages are for the repairs, which need the files.
//
// # Overlays
//
// An overlay says in YAML what only a person can know about a package: overlay.yaml beside the descriptor, or
// one of those that ship with fiscube (package seeds). It is applied to the descriptor's model before any file
// is read; the repairs come after it and leave alone what it settled. Every key, with an example:
//
//	applies:                              # the packages it is for, by id or name; absent: where it lies
//	  id: [R_kgDOGLhFbw, example-D7]
//	  name: [example-mexico]
//	title: {en: Budget of Mexico, es: Presupuesto de México}   # of the package, by language
//	country: {en: Mexico, es: México}     # instead of the descriptor's, by language
//	measures:
//	  monto_vigente:                      # a field that is no measure yet becomes one and leaves its dimension
//	    title: {en: Budget in force, es: Presupuesto vigente}
//	    currency: MXN                     # ISO 4217
//	    unit: 1000                        # an amount of 1 means so many of the currency
//	    phase: adjusted                   # proposed, approved, adjusted or executed
//	    direction: expenditure            # or revenue
//	    factor: "-1"                      # amounts are multiplied by it after they are added up
//	    flow: false                       # true: its amounts add up over snapshots
//	    decimal: ","                      # how the cells of its field write numbers, in every resource
//	    group: "."                        # "" for none
//	  executed:
//	    first_of: [EJERCIDO, EJERCICIO]   # a new measure: the first of these cells that is not missing
//	derived:
//	  execution_rate:                     # a measure that is a formula of others, under a name of its own
//	    formula: ratio(executed.sum,monto_vigente.sum)   # ratio, diff, share or share_of_parent, as in questions
//	    title: {en: Execution rate, es: Tasa de ejecución}
//	dimensions:
//	  object:                             # makes a dimension, or describes one of the package
//	    type: classification              # datetime, classification, activity, location, fact or other
//	    classification: economic          # administrative, functional or economic
//	    title: {en: Object of expenditure}
//	levels:
//	  ID_PP:                              # any field that is no amount
//	    dimension: activity               # the level moves to the end of this dimension, under parent or at the top
//	    parent: ID_MODALIDAD              # a level of the same dimension
//	    within: [ID_RAMO]                 # levels that its codes need beside their ancestors
//	    label: DESC_PP                    # the field leaves the levels
//	    title: {en: Programme, es: Programa}
//	    type: text                        # or integer: what the column holds, whatever the descriptor says
//	  titulo:
//	    split: true                       # cells join code and label: titulo is the code, titulo_label the label,
//	                                      # titulo_cell the published cell
//	  codigoNivel:
//	    label: {field: descripcionNivel, split: true}   # its cells join both, the label half is wanted;
//	                                                    # descripcionNivel_cell keeps the published cell
//	  chapter:                            # where missing, 37901 in the field object makes 3000; chapter_cell keeps
//	    derive: {from: object, length: 5, digits: 1, suffix: "000"}  # the published cell
//	  object_1:                           # a level that no field has, of the first part of 01.02.003; so with a length, too
//	    dimension: economic
//	    derive: {from: object, separator: ".", parts: 1}
//	not_informed: [No Informado]          # texts that say nothing is known: every spelling is the first of them
//	snapshots:                            # several sets of rows count the same money; or: none
//	  by: mes                             # a level, or one made of the names of the resources:
//	  # by: {resource: "(abril|septiembre)", name: corte}
//	  per: [ejercicio]
//	  order: ["01", "02"]                 # earliest first; absent where all are whole numbers or dates
//	financing: {titulo: ["3"]}            # members that are neither revenue nor expenditure, such as loans taken or repaid
//	functions:                            # which members are of which division of COFOG; or: none
//	  level: funcion                      # alone: its codes are those of COFOG
//	  divisions: {"07": [2/3]}            # by paths, with a year of their edition where the level has editions
//	names: sentence                       # how names in capitals are shown
//	notes:                                # what a reader must know, part of every answer
//	  - {en: Title 3 is financing., es: El título 3 es financiamiento.}
//	repairs:                              # repairs that must not happen, altogether or to some fields
//	  totals-row: off
//	  code-label-split: {except: [fechaCorte]}
//
// Names are matched exactly; a name that the package does not have is a problem that names the nearest. A place in
// an overlay is its path and its line: levels.ID_PP.within[0] (line 12).
package fdp
