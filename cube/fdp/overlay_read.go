package fdp

import (
	"bytes"

	"fiscube/cube"
)

// ReadOverlay reads an overlay. What is wrong with it comes back as Problems, all at once.
func ReadOverlay(data []byte) (*Overlay, error) {
	r := &report{}
	root := parseOverlay(data, r)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	o := readOverlay(root)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	o.text = bytes.Clone(data)
	return o, nil
}

func readOverlay(root node) *Overlay {
	o := &Overlay{}
	m := root.mapping()
	if m == nil {
		return o
	}
	o.readApplies(m.take("applies"))
	o.title = m.take("title").titles()
	for _, v := range m.take("measures").members() {
		o.measures = append(o.measures, readMeasureOverlay(v))
	}
	for _, v := range m.take("derived").members() {
		o.derived = append(o.derived, readDerivedOverlay(v))
	}
	for _, v := range m.take("dimensions").members() {
		o.dimensions = append(o.dimensions, readDimensionOverlay(v))
	}
	for _, v := range m.take("levels").members() {
		o.levels = append(o.levels, readLevelOverlay(v))
	}
	o.markers = m.take("not_informed").texts()
	o.snapshots = readSnapshotsOverlay(m.take("snapshots"))
	for _, item := range m.take("notes").entries() {
		o.notes = append(o.notes, item.titles())
	}
	o.readRepairs(m.take("repairs"))
	m.done()
	return o
}

func (o *Overlay) readApplies(n node) {
	m := n.mapping()
	if m == nil {
		return
	}
	o.ids = m.take("id").texts()
	o.names = m.take("name").texts()
	if m.take("id").absent() && m.take("name").absent() {
		m.problem("names no package: give id or name")
	}
	m.done()
}

// member is a named value of a mapping whose keys are names.
type member struct {
	ref
	node
}

// members lists the values of a mapping whose keys are names.
func (n node) members() []member {
	m := n.mapping()
	if m == nil {
		return nil
	}
	if len(m.keys) > mostColumns {
		n.problem("%d entries; at most %d fields are supported", len(m.keys), mostColumns)
		return nil
	}
	members := make([]member, len(m.keys))
	for i, key := range m.keys {
		v := m.values[key]
		members[i] = member{ref{key, v.where()}, v}
	}
	return members
}

// entries lists the items of a list of mappings.
func (n node) entries() []node {
	if !n.absent() && n.kind() != "a list" {
		n.problem("must be a list, not %s", n.kind())
		return nil
	}
	return n.items()
}

func readMeasureOverlay(v member) measureOverlay {
	x := measureOverlay{ref: v.ref}
	m := v.mapping()
	if m == nil {
		return x
	}
	x.Titles = m.take("title").titles()
	x.Currency = m.take("currency").form(currencyCode, "currency code of ISO 4217, such as EUR")
	x.Unit = m.take("unit").whole(1, 1_000_000_000_000)
	x.Phase = m.take("phase").choice(phases...)
	x.Direction = m.take("direction").choice(directions...)
	x.Factor = m.take("factor").factor()
	x.flow = m.take("flow").truth()
	x.decimal = m.take("decimal").separator(false)
	x.group = m.take("group").separator(true)
	x.firstOf = m.take("first_of").refs()
	if x.firstOf != nil && (x.decimal != nil || x.group != nil) {
		m.problem("its cells are those of the fields in first_of: say decimal and group there")
	}
	m.done()
	return x
}

func readDerivedOverlay(v member) derivedOverlay {
	d := derivedOverlay{ref: v.ref}
	m := v.mapping()
	if m == nil {
		return d
	}
	d.formula = m.take("formula").ref()
	d.titles = m.take("title").titles()
	if m.take("formula").absent() {
		m.problem("a derived measure needs a formula")
	}
	m.done()
	return d
}

var (
	dimensionTypes  = []string{"datetime", "classification", "activity", "location", cube.DimensionFact, "other"}
	classifications = []string{"administrative", "functional", "economic"}
)

func readDimensionOverlay(v member) dimensionOverlay {
	d := dimensionOverlay{ref: v.ref}
	m := v.mapping()
	if m == nil {
		return d
	}
	d.kind = m.take("type").choice(dimensionTypes...)
	d.classification = m.take("classification").choice(classifications...)
	d.titles = m.take("title").titles()
	if d.classification != "" && d.kind != "" && d.kind != "classification" {
		m.problem("only a dimension of type classification has a classification")
	}
	m.done()
	return d
}

func readLevelOverlay(v member) levelOverlay {
	l := levelOverlay{ref: v.ref}
	m := v.mapping()
	if m == nil {
		return l
	}
	l.dimension = m.take("dimension").ref()
	l.parent = m.take("parent").ref()
	l.within = m.take("within").refs()
	l.readLabel(m.take("label"))
	l.titles = m.take("title").titles()
	l.kind = ref{m.take("type").choice(string(cube.TypeText), string(cube.TypeInteger)), m.take("type").where()}
	l.split = m.take("split").yes()
	l.derive = readDerive(m.take("derive"))
	switch {
	case l.split && l.label.name != "":
		m.problem("split makes a label of its own, so label cannot name another")
	case l.split && l.derive != nil:
		m.problem("a field is split or derived, not both")
	case l.split && l.kind.name == string(cube.TypeInteger):
		m.problem("the code of a joined cell is text")
	}
	m.done()
	return l
}

// readLabel reads the field of the label, or {field: F, split: true}.
func (l *levelOverlay) readLabel(n node) {
	if n.absent() || n.kind() != "a mapping" {
		l.label = n.ref()
		return
	}
	m := n.mapping()
	l.label = m.take("field").ref()
	l.splitLabel = m.take("split").yes()
	if m.take("field").absent() {
		m.problem("a label needs a field")
	}
	m.done()
}

func readDerive(n node) *deriveOverlay {
	m := n.mapping()
	if m == nil {
		return nil
	}
	d := &deriveOverlay{
		from:   m.take("from").ref(),
		length: int(m.take("length").whole(1, 100)),
		digits: int(m.take("digits").whole(1, 100)),
		suffix: m.take("suffix").form(suffixText, "suffix of at most 20 characters"),
	}
	for _, key := range []string{"from", "length", "digits"} {
		if m.take(key).absent() {
			m.problem("derive needs %s", key)
		}
	}
	if d.digits > d.length && d.length > 0 {
		m.problem("codes of length %d have no %d digits", d.length, d.digits)
	}
	m.done()
	return d
}
