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
//	measures:
//	  monto_vigente:                      # a field that is no measure yet becomes one and leaves its dimension
//	    title: {en: Budget in force, es: Presupuesto vigente}
//	    currency: MXN                     # ISO 4217
//	    unit: 1000                        # an amount of 1 stands for so many of the currency
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
//	  object:                             # makes a dimension, or says what one of the package is
//	    type: classification              # datetime, classification, activity, location, fact or other
//	    classification: economic          # administrative, functional or economic
//	    title: {en: Object of expenditure}
//	levels:
//	  ID_PP:                              # any field that is no amount
//	    dimension: activity               # the level stands anew, last in this dimension, under parent or at the top
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
//	not_informed: [No Informado]          # texts that say nothing is known: every spelling is the first of them
//	snapshots:                            # rows that state the same money again; or: none
//	  by: mes                             # a level, or one made of the names of the resources:
//	  # by: {resource: "(abril|septiembre)", name: corte}
//	  per: [ejercicio]
//	  order: ["01", "02"]                 # earliest first; absent where all are whole numbers
//	notes:                                # what a reader must know, shown with every answer
//	  - {en: Title 3 is financing., es: El título 3 es financiamiento.}
//	repairs:                              # repairs that must not happen, altogether or to some fields
//	  totals-row: off
//	  code-label-split: {except: [fechaCorte]}
//
// Names are matched exactly; a name that the package lacks is a problem that says which is nearest. A place in
// an overlay is its path and its line: levels.ID_PP.within[0] (line 12).
package fdp

import (
	"slices"

	"fiscube/cube"
)

// Overlay is what a person knows about a package beyond its descriptor. It is never changed once read.
type Overlay struct {
	text       []byte
	ids, names []string
	title      cube.Titles
	measures   []measureOverlay
	derived    []derivedOverlay
	dimensions []dimensionOverlay
	levels     []levelOverlay
	markers    []string
	snapshots  snapshotsOverlay
	notes      []cube.Titles
	repairs    []repairOverlay
}

// ref is a name in an overlay and where it stands.
type ref struct{ name, place string }

type measureOverlay struct {
	ref
	cube.Measure         // what is said of it; Ref is empty
	flow           *bool // nil: nothing is said
	decimal, group *ref  // nil: nothing is said
	firstOf        []ref
}

type derivedOverlay struct {
	ref
	formula ref
	titles  cube.Titles
}

type dimensionOverlay struct {
	ref
	kind, classification string
	titles               cube.Titles
}

type levelOverlay struct {
	ref
	dimension, parent, label ref // without a name where nothing is said
	kind                     ref // of cube.ColumnType
	within                   []ref
	titles                   cube.Titles
	split, splitLabel        bool
	derive                   *deriveOverlay
}

type deriveOverlay struct {
	from           ref
	length, digits int
	suffix         string
}

// snapshotsOverlay with declared and no name of by says that there are none.
type snapshotsOverlay struct {
	declared bool
	by       ref
	pattern  string // of a level that is made of the names of the resources
	per      []ref
	order    []string
}

type repairOverlay struct {
	code   string
	off    bool
	except []ref
}

// Applies tells whether the overlay is for p: it lists the package's id or its name, or no package at all.
func (o *Overlay) Applies(p *cube.Package) bool {
	if len(o.ids)+len(o.names) == 0 {
		return true
	}
	return o.AppliesByID(p) || slices.Contains(o.names, p.Name)
}

// AppliesByID tells whether the overlay lists the id of p. A name is less: others may use the same.
func (o *Overlay) AppliesByID(p *cube.Package) bool {
	return p.ID != "" && slices.Contains(o.ids, p.ID)
}

// SnapshotDetected is the code of the finding that a package seems to state the same money again. An overlay
// that declares its snapshots, or that there are none, has settled that: Off says so.
const SnapshotDetected = "snapshot-detected"

// Off tells whether the overlay switches off the repair of that code for a field; the empty field asks for the
// repair altogether. Without an overlay, that is on nil, nothing is off.
func (o *Overlay) Off(code, field string) bool {
	if o == nil {
		return false
	}
	if code == SnapshotDetected {
		return o.snapshots.declared
	}
	return slices.ContainsFunc(o.repairs, func(r repairOverlay) bool {
		return r.code == code && (r.off || slices.ContainsFunc(r.except, func(f ref) bool { return f.name == field }))
	})
}
