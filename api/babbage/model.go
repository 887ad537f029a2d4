package babbage

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// Model is what a cube can be asked, as dashboards read it.
type Model struct {
	FactTable   string `json:"fact_table"`
	Dimensions  object `json:"dimensions"`
	Measures    object `json:"measures"`
	Aggregates  object `json:"aggregates"`
	Hierarchies object `json:"hierarchies"`
}

type dimensionJSON struct {
	Ref              string  `json:"ref"`
	Label            string  `json:"label"`
	KeyAttribute     string  `json:"key_attribute"`
	LabelAttribute   string  `json:"label_attribute"`
	KeyRef           string  `json:"key_ref"`
	LabelRef         string  `json:"label_ref"`
	Hierarchy        string  `json:"hierarchy"`
	CardinalityClass *string `json:"cardinality_class"` // nil where it is not known
	OrigDimension    string  `json:"orig_dimension"`
	Attributes       object  `json:"attributes"`
}

type attributeJSON struct {
	Ref           string `json:"ref"`
	Column        string `json:"column"`
	Label         string `json:"label"`
	Type          string `json:"type"`
	Datatype      string `json:"datatype"`
	OrigAttribute string `json:"orig_attribute"`
}

type measureJSON struct {
	Ref         string `json:"ref"`
	Column      string `json:"column"`
	Label       string `json:"label"`
	Type        string `json:"type"`
	Currency    string `json:"currency,omitempty"`
	Unit        int64  `json:"unit,omitempty"`
	Phase       string `json:"phase,omitempty"`
	Direction   string `json:"direction,omitempty"`
	Kind        string `json:"kind,omitempty"`
	OrigMeasure string `json:"orig_measure"`
}

type aggregateJSON struct {
	Ref      string `json:"ref"`
	Function string `json:"function"`
	Measure  string `json:"measure,omitempty"`
	Label    string `json:"label"`
}

type hierarchyJSON struct {
	Ref    string   `json:"ref"`
	Label  string   `json:"label"`
	Levels []string `json:"levels"`
}

// NewModel describes a cube. The report of its load has counted the members of its levels.
func NewModel(cb *cube.Cube, report *findings.Report) *Model {
	n := NewNames(cb.Model)
	m := &Model{FactTable: cb.Name}
	for _, h := range n.hierarchies {
		m.addHierarchy(n, h, report)
	}
	labels := map[string]bool{}
	m.Aggregates.add(string(cube.Rows), aggregateJSON{Ref: string(cube.Rows), Function: string(cube.Count), Label: "Facts"})
	for _, measure := range cb.Model.Measures() {
		// Dashboards find a measure by the label of its aggregate.
		label := cmp.Or(measure.Titles.In(cube.English), measure.Title, Title(measure.Ref))
		if labels[label] {
			label += " (" + measure.Ref + ")"
		}
		labels[label] = true
		m.addMeasure(n.ids[measure.Ref], label, measure)
	}
	return m
}

func (m *Model) addMeasure(id, label string, measure cube.Measure) {
	m.Measures.add(id, measureJSON{
		Ref: id, Column: measure.Ref, Label: label, Type: "number", Currency: measure.Currency, Unit: measure.Unit,
		Phase: measure.Phase, Direction: measure.Direction, Kind: measure.Kind, OrigMeasure: measure.Ref,
	})
	m.Aggregates.add(sumOf(id), aggregateJSON{Ref: sumOf(id), Function: string(cube.Sum), Measure: id, Label: label})
}

func (m *Model) addHierarchy(n *Names, h hierarchy, report *findings.Report) {
	body := hierarchyJSON{Ref: h.id, Label: Title(h.id), Levels: []string{}}
	if !h.first {
		body.Label = levelTitle(h.levels[0])
	}
	for _, l := range h.levels {
		id := n.ids[l.Ref]
		body.Levels = append(body.Levels, id)
		m.Dimensions.add(id, n.dimension(l, h.id, classOf(report, l)))
	}
	m.Hierarchies.add(h.id, body)
}

func (n *Names) dimension(l cube.Level, hierarchy string, class *string) dimensionJSON {
	key, label := n.Level(l)
	d := dimensionJSON{
		Ref: n.ids[l.Ref], Label: levelTitle(l), KeyAttribute: attributeOf(key), LabelAttribute: attributeOf(label),
		KeyRef: key, LabelRef: label, Hierarchy: hierarchy, CardinalityClass: class, OrigDimension: l.Dimension,
	}
	for _, field := range attributesOf(l) {
		column, _ := n.model.Column(field)
		ref := n.Field(field)
		d.Attributes.add(attributeOf(ref), attributeJSON{
			Ref: ref, Column: field, Label: Title(field), Type: typeOf(column), Datatype: typeOf(column), OrigAttribute: field,
		})
	}
	return d
}

// attributeOf gives the part of a ref behind the point.
func attributeOf(ref string) string {
	_, attribute, _ := strings.Cut(ref, ".")
	return attribute
}

func typeOf(c cube.Column) string {
	if c.Type == cube.TypeInteger {
		return "integer"
	}
	return "string"
}

func levelTitle(l cube.Level) string { return cmp.Or(l.Titles.In(cube.English), Title(l.Ref)) }

// Title makes a name fit to be read: administrative_classification is Administrative Classification.
func Title(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) })
	for i, word := range words {
		first := []rune(word)
		first[0] = unicode.ToUpper(first[0])
		words[i] = string(first)
	}
	return strings.Join(words, " ")
}

// The classes of how many members a level has.
var classes = []struct {
	most int64
	name string
}{{7, "tiny"}, {50, "low"}, {1000, "medium"}, {1 << 62, "high"}}

func classOf(report *findings.Report, level cube.Level) *string {
	i := slices.IndexFunc(report.Levels, func(l findings.LevelReport) bool { return l.Ref == level.Ref })
	if i < 0 {
		return nil
	}
	for _, class := range classes {
		if report.Levels[i].Members <= class.most {
			return &class.name
		}
	}
	return nil
}

// object is a JSON object whose members have an order: a dashboard takes the first aggregate for the one to show.
type object []member

type member struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, member{name, value}) }

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		name, badName := json.Marshal(m.name)
		value, badValue := json.Marshal(m.value)
		if err := cmp.Or(badName, badValue); err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
