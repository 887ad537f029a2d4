package fdp

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
)

// Overlay is what a person knows about a package beyond its descriptor. It is never changed once read.
type Overlay struct {
	text       []byte
	ids, names []string
	title      cube.Titles
	about      cube.Titles
	country    cube.Titles
	measures   []measureOverlay
	derived    []derivedOverlay
	dimensions []dimensionOverlay
	levels     []levelOverlay
	markers    []string
	snapshots  snapshotsOverlay
	editions   []editionsOverlay
	sameAs     []sameAsOverlay
	financing  []financingOverlay
	functions  functionsOverlay
	shown      *cube.Names // nil where absent
	qualifiers []qualifierOverlay
	yearStart  ref // the month in which the fiscal year begins, from 1; without a name where absent
	numberedBy ref // start or end
	notes      []cube.Titles
	repairs    []repairOverlay
}

// ref is a name in an overlay and its place.
type ref struct{ name, place string }

type measureOverlay struct {
	ref
	cube.Measure         // what the overlay sets; Ref is empty
	flow           *bool // nil where absent
	decimal, group *ref  // nil where absent
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
	dimension, parent, label ref // without a name where absent
	kind                     ref // of cube.ColumnType
	within                   []ref
	titles, by               cube.Titles
	split, splitLabel        bool
	derive                   *deriveOverlay
}

type deriveOverlay struct {
	from           ref
	length, digits int
	suffix         string
	separator      string // in place of the three
	parts          int
}

// qualifierOverlay says which field has a qualifier of amounts, or cube.NoQualifier.
type qualifierOverlay struct {
	ref
	field ref
}

// financingOverlay lists the keys of the members of a level that are financing.
type financingOverlay struct {
	ref
	keys []string
}

// snapshotsOverlay with declared and no name in by means that there are none.
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

// ReadOverlay reads an overlay. What is wrong with it comes back as Problems, all at once.
func ReadOverlay(data []byte) (*Overlay, error) {
	o, problems := readOverlay(data)
	if problems != nil {
		return nil, problems
	}
	return o, nil
}

// readOverlay gives what could be read besides the problems: nil where the text is no YAML.
func readOverlay(data []byte) (*Overlay, Problems) {
	r := &report{}
	root := parseYAML(data, r)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	o := &Overlay{text: bytes.Clone(data)}
	root.readKeys(o.read)
	return o, r.problems()
}

// OverlayProblems gives everything that is wrong with an overlay that ReadOverlay refuses: also the names in it that p does
// not have, as far as it can be read.
func OverlayProblems(data []byte, p *cube.Package) Problems {
	o, problems := readOverlay(data)
	if o == nil || problems == nil || !o.Applies(p) {
		return problems
	}
	_, err := o.Apply(p)
	var others Problems
	if !errors.As(err, &others) {
		return problems
	}
	for _, other := range others {
		known := slices.ContainsFunc(problems, func(p Problem) bool { return strings.HasPrefix(p.Place, other.Place) })
		if !known && !strings.HasPrefix(other.Message, `""`) { // a name that could not be read
			problems = append(problems, other)
		}
	}
	return problems
}

func (o *Overlay) read(root *object) {
	root.take("applies").readKeys(func(applies *object) {
		id, name := applies.take("id"), applies.take("name")
		o.ids, o.names = id.names(), name.names()
		if id.absent() && name.absent() {
			applies.problem("names no package: give id or name")
		}
	})
	o.title, o.about, o.country = root.take("title").titles(), root.take("description").titles(), root.take("country").titles()
	o.measures = readEach(root.take("measures"), readMeasureOverlay)
	o.derived = readEach(root.take("derived"), readDerivedOverlay)
	o.dimensions = readEach(root.take("dimensions"), readDimensionOverlay)
	o.levels = readEach(root.take("levels"), readLevelOverlay)
	o.markers = root.take("not_informed").names()
	o.snapshots = readSnapshotsOverlay(root.take("snapshots"))
	o.editions = readEach(root.take("editions"), readEditionsOverlay)
	o.sameAs = readEach(root.take("same_as"), readSameAsOverlay)
	o.qualifiers = readEach(root.take("qualifiers"), func(v member) qualifierOverlay {
		if !slices.Contains(cube.Qualifiers, v.name) {
			v.problem("unknown key; %s", v.report.suggest(v.name, cube.Qualifiers))
		}
		return qualifierOverlay{v.key(), v.ref()}
	})
	if start := root.take("fiscal_year_start"); !start.absent() {
		o.yearStart = ref{strconv.FormatInt(start.whole(1, 12), 10), start.where()}
	}
	o.numberedBy = ref{root.take("numbered_by").choice("start", "end"), root.take("numbered_by").where()}
	o.financing = readEach(root.take("financing"), func(v member) financingOverlay { return financingOverlay{v.key(), v.names()} })
	o.functions = readFunctionsOverlay(root.take("functions"))
	o.shown = readNamesOverlay(root.take("names"))
	o.notes = append(o.notes, each.Of(root.take("notes").strictList(), node.titles)...)
	root.take("repairs").readKeys(o.readRepairs)
}

var (
	currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)
	factorDigits = regexp.MustCompile(`^-?[0-9]{1,12}(\.[0-9]{1,12})?$`)
)

func readMeasureOverlay(v member) measureOverlay {
	m := measureOverlay{ref: v.key()}
	v.readKeys(func(o *object) {
		m.Titles = o.take("title").titles()
		m.Currency = o.take("currency").matching(currencyCode, "currency code of ISO 4217, such as EUR")
		m.Unit = o.take("unit").whole(1, 1_000_000_000_000)
		m.Phase = o.take("phase").choice(phases...)
		m.Direction = o.take("direction").choice(directions...)
		factor := o.take("factor")
		if m.Factor = factor.matching(factorDigits, "decimal number"); m.Factor != "" && !strings.ContainsAny(m.Factor, "123456789") {
			factor.problem("must not be zero")
		}
		m.flow = o.take("flow").strictTruth()
		m.decimal = o.take("decimal").separator(false)
		m.group = o.take("group").separator(true)
		m.firstOf = o.take("first_of").refs()
		if m.firstOf != nil && (m.decimal != nil || m.group != nil) {
			o.problem("its cells are those of the fields in first_of: say decimal and group there")
		}
	})
	return m
}

func readDerivedOverlay(v member) derivedOverlay {
	d := derivedOverlay{ref: v.key()}
	v.readKeys(func(o *object) {
		d.formula = o.take("formula").ref()
		d.titles = o.take("title").titles()
		o.need("a derived measure needs a %s", "formula")
	})
	return d
}

var (
	dimensionTypes  = []string{cube.DimensionTime, "classification", "activity", "location", cube.DimensionFact, "other"}
	classifications = []string{"administrative", "functional", "economic"}
	phases          = []string{"proposed", "approved", "adjusted", "executed"}
)

func readDimensionOverlay(v member) dimensionOverlay {
	d := dimensionOverlay{ref: v.key()}
	v.readKeys(func(o *object) {
		d.kind = o.take("type").choice(dimensionTypes...)
		d.classification = o.take("classification").choice(classifications...)
		d.titles = o.take("title").titles()
		if d.classification != "" && d.kind != "" && d.kind != "classification" {
			o.problem("only a dimension of type classification has a classification")
		}
	})
	return d
}

var (
	suffixText    = regexp.MustCompile(`^[^\pC]{1,20}$`)
	separatorText = regexp.MustCompile(`^[\pP\pS]$`)
)

func readLevelOverlay(v member) levelOverlay {
	l := levelOverlay{ref: v.key()}
	v.readKeys(func(o *object) {
		l.dimension = o.take("dimension").ref()
		l.parent = o.take("parent").ref()
		l.within = o.take("within").refs()
		if label := o.take("label"); label.kind() == isObject {
			label.readKeys(func(o *object) {
				l.label = o.take("field").ref()
				l.splitLabel = o.take("split").isTrue()
				o.need("a label needs a %s", "field")
			})
		} else {
			l.label = label.ref()
		}
		l.titles, l.by = o.take("title").titles(), o.take("by").titles()
		l.kind = ref{o.take("type").choice(string(cube.TypeText), string(cube.TypeInteger)), o.take("type").where()}
		l.split = o.take("split").isTrue()
		o.take("derive").readKeys(func(o *object) {
			l.derive = &deriveOverlay{
				from:   o.take("from").ref(),
				length: int(o.take("length").whole(1, 100)),
				digits: int(o.take("digits").whole(1, 100)),
				suffix: o.take("suffix").matching(suffixText, "suffix of at most 20 characters"),

				separator: o.take("separator").matching(separatorText, "sign"),
				parts:     int(o.take("parts").whole(1, 100)),
			}
			if l.derive.separator == "" && l.derive.parts == 0 {
				o.need("derive needs %s", "from", "length", "digits")
			} else {
				o.need("derive needs %s", "from", "separator", "parts")
			}
			if d := l.derive; d.digits > d.length && d.length > 0 {
				o.problem("codes of length %d have no %d digits", d.length, d.digits)
			} else if d.separator != "" && (d.length > 0 || d.digits > 0 || d.suffix != "") {
				o.problem("codes are cut by their separator or by their length, not by both")
			}
		})
		switch {
		case l.split && l.label.name != "":
			o.problem("split makes a label of its own, so label cannot name another")
		case l.split && l.derive != nil:
			o.problem("a field is split or derived, not both")
		case l.split && l.kind.name == string(cube.TypeInteger):
			o.problem("the code of a joined cell is text")
		}
	})
	return l
}

// readNamesOverlay reads sentence alone, or what more must be known of the names.
func readNamesOverlay(n node) *cube.Names {
	names := &cube.Names{}
	switch n.kind() {
	case isAbsent:
		return nil
	case isObject:
		n.readKeys(func(o *object) {
			o.take("case").choice("sentence")
			o.need("names need a %s", "case")
			names.Language = o.take("language").matching(language, "language code of ISO 639-1, such as en, es or hr")
			names.Words, names.Before = o.take("words").names(), o.take("before").names()
		})
	default:
		n.choice("sentence")
	}
	return names
}

func readSnapshotsOverlay(n node) snapshotsOverlay {
	s := snapshotsOverlay{declared: !n.absent()}
	if n.kind() != isObject {
		n.choice("none")
		return s
	}
	n.readKeys(func(o *object) {
		if by := o.take("by"); by.kind() == isObject {
			by.readKeys(func(o *object) {
				s.pattern = readPattern(o.take("resource"))
				s.by = o.take("name").ref()
				o.need("by needs %s", "resource", "name")
			})
		} else {
			s.by = by.ref()
		}
		s.per = o.take("per").refs()
		s.order = o.take("order").names()
		o.need("snapshots need %s", "by", "per")
		if slices.ContainsFunc(s.per, func(per ref) bool { return per.name == s.by.name }) && s.by.name != "" {
			o.problem("%s names the statements, so it names no period", quote(s.by.name))
		}
	})
	return s
}

// readPattern reads a regular expression with the one group that names a snapshot.
func readPattern(n node) string {
	text := n.strictText()
	if text == "" {
		return ""
	}
	if len(text) > mostPattern {
		n.problem("a pattern has at most %d characters", mostPattern)
		return ""
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		n.problem("%v", err)
		return ""
	}
	if pattern.NumSubexp() != 1 {
		n.problem("needs one group, as in \"(abril|septiembre)\", not %d", pattern.NumSubexp())
	}
	return text
}

// repairCodes are the repairs of package repair that an overlay can switch off, and whether they repair fields, so
// that some of these can be excepted.
var repairCodes = []struct {
	code   string
	fields bool
}{
	{"type-widened", true}, {"label-paired", true}, {"code-label-split", true}, {"code-padded", true}, {"measure-inferred", true},
	{"not-informed", true}, {"schema-union", false}, {"resource-covers", false}, {"totals-row", false},
}

// readRepairs reads for each code off, or the fields that its repair leaves alone.
func (o *Overlay) readRepairs(repairs *object) {
	for _, known := range repairCodes {
		v := repairs.take(known.code)
		switch {
		case v.absent():
		case v.kind() != isObject:
			o.repairs = append(o.repairs, repairOverlay{code: known.code, off: v.choice("off") != ""})
		case !known.fields:
			v.problem("it mends no fields, so none can be excepted: write off")
		default:
			v.readKeys(func(r *object) {
				except := r.take("except")
				o.repairs = append(o.repairs, repairOverlay{code: known.code, except: except.refs()})
				if except.absent() {
					r.problem("write off, or except with the fields that are left alone")
				}
			})
		}
	}
}

// Applies tells whether the overlay is for p: it lists the package's id or its name, or no package at all.
func (o *Overlay) Applies(p *cube.Package) bool {
	if len(o.ids)+len(o.names) == 0 {
		return true
	}
	return o.AppliesByID(p) || slices.Contains(o.names, p.Name)
}

// AppliesByID tells whether the overlay lists the id of p. A name is weaker: others may use the same.
func (o *Overlay) AppliesByID(p *cube.Package) bool {
	return p.ID != "" && slices.Contains(o.ids, p.ID)
}

// SnapshotDetected is the code of the finding that a package seems to have snapshots. For an overlay that declares
// its snapshots, or that there are none, Off is true of it.
const SnapshotDetected = "snapshot-detected"

// Off tells whether the overlay switches off the repair of that code for a field; the empty field means the
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
