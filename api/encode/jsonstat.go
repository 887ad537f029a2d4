package encode

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"time"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// jsonstatEncoder writes the cells as a dataset of JSON-stat 2.0 (json-stat.org/full): a dimension for each level of the drilldown, whose
// categories have the paths of the members as ids and come as the cells have them, and one of the aggregates. The values stand in the order
// of all combinations of categories, so nothing is written before the last cell is there.
type jsonstatEncoder struct {
	*Sheet
	out        io.Writer
	dimensions []jsonstatDimension
	keys       []int // the columns of the keys
	first      int   // the column of the first aggregate
	amounts    int   // how many aggregates there are
	change     int   // the column that says on which sides of a comparison the cell is; -1 for none
	cells      []jsonstatCell
	places     []int  // of the cells among the categories, one for each dimension
	texts      []byte // of the values, as JSON
	held       int    // bytes
}

// jsonstatDimension is a level.
type jsonstatDimension struct {
	plan.Step
	label  int // the column of its labels; -1 where it has none
	ids    []string
	labels map[string]string
	places map[string]int
}

// jsonstatCell is where a cell has its values: among all combinations, and in the texts.
type jsonstatCell struct {
	at     int64
	texts  []int // where each ends
	begin  int
	change string
}

const (
	dimensionOfAmounts = "_aggregates" // no field is called so

	// mostValues is how many values a dataset has, those that no cell has among them: programs lay all of them out in memory.
	mostValues = 1 << 23
)

func newJSONStat(out io.Writer, s *Sheet) (Encoder, error) {
	p, columns := s.Plan, names(s.Columns)
	for _, no := range []struct {
		is         bool
		what, hint string
	}{
		{p == nil, "rows that are no cells", "ask …/aggregate, or with another format"},
		{p != nil && p.Rollup(), "subtotals", "leave rollup out: programs add the values up themselves"},
		{p != nil && p.Remainder(), "remainders", "leave remainder out"},
		{slices.Contains(columns, "_drilldown"), "links", "leave links out: the categories have the paths of the members as ids"},
	} {
		if no.is {
			return nil, cube.Errorf(cube.CodeBadValue, "a dataset of JSON-stat has no place for %s", no.what).At(cube.Position{Parameter: "format"}).WithHint(no.hint)
		}
	}
	e := &jsonstatEncoder{Sheet: s, out: out, amounts: len(p.Aggregates()), change: slices.Index(columns, "_change")}
	for _, key := range p.Keys() {
		e.keys = append(e.keys, slices.Index(columns, key.Name))
	}
	for _, step := range p.Steps() {
		level, _ := p.Cube().Model.LevelOfKey(step.Ref)
		e.dimensions = append(e.dimensions, jsonstatDimension{step, slices.Index(columns, level.LabelRef), nil, map[string]string{}, map[string]int{}})
	}
	e.first = len(p.Attributes())
	return e, nil
}

func (e *jsonstatEncoder) Row(row []Datum) error {
	keys := make([]cube.Value, len(e.keys))
	for i, column := range e.keys {
		keys[i] = row[column].Value
	}
	size := 64
	for i := range e.dimensions {
		d := &e.dimensions[i]
		id := e.Plan.PathOf(keys[:d.Keys])
		place, ok := d.places[id]
		if !ok {
			place = len(d.ids)
			d.ids, d.places[id] = append(d.ids, id), place
			size += 4 * len(id)
		}
		if d.label >= 0 && !row[d.label].Value.IsMissing() {
			d.labels[id] = row[d.label].Value.String()
			size += len(d.labels[id])
		}
		e.places = append(e.places, place)
	}
	cell := jsonstatCell{begin: len(e.texts)}
	for i, d := range row[e.first : e.first+e.amounts] {
		e.texts = e.appendAmount(e.texts, e.Columns[e.first+i], d)
		cell.texts = append(cell.texts, len(e.texts))
	}
	if e.change >= 0 {
		cell.change = row[e.change].Value.String()
	}
	e.cells = append(e.cells, cell)
	return e.hold(size + len(e.texts) - cell.begin + 16*len(cell.texts))
}

// appendAmount appends a value with every digit.
func (e *jsonstatEncoder) appendAmount(b []byte, col Column, d Datum) []byte {
	switch {
	case col.kind == kindWhole:
		return appendValue(b, d.Value)
	case !d.Amount.Valid:
		return append(b, "null"...)
	case e.Quoted:
		return append(appendFixed(append(b, '"'), d.Amount.Decimal, col.scale), '"')
	}
	return appendFixed(b, d.Amount.Decimal, col.scale)
}

// hold counts memory, some kilobytes at once.
func (e *jsonstatEncoder) hold(bytes int) error {
	if e.held += bytes; e.held < encodeBuffer || e.Hold == nil {
		return nil
	}
	more := e.held
	e.held = 0
	return e.Hold(2 * int64(more)) // once more as they are written
}

// jsonstatJSON is a dataset without its values.
type jsonstatJSON struct {
	Version    string              `json:"version"`
	Class      string              `json:"class"`
	Href       string              `json:"href"`
	Label      string              `json:"label"`
	Source     string              `json:"source,omitempty"`
	Updated    string              `json:"updated"`
	Note       []string            `json:"note,omitempty"`
	ID         []string            `json:"id"`
	Size       []int               `json:"size"`
	Role       map[string][]string `json:"role"`
	Dimensions Object              `json:"dimension"`
	Extension  jsonstatExtension   `json:"extension"`
}

type jsonstatExtension struct {
	Cube        string         `json:"cube"`
	Release     int            `json:"version"`
	Fingerprint string         `json:"fingerprint"`
	Synthetic   bool           `json:"synthetic"`
	Warnings    []cube.Warning `json:"warnings"`
	Citation    *Citation      `json:"citation,omitempty"`
}

type jsonstatDimensionJSON struct {
	Label    string `json:"label"`
	Category struct {
		Index []string `json:"index"`
		Label Object   `json:"label"`
		Unit  Object   `json:"unit,omitempty"`
	} `json:"category"`
}

type jsonstatUnit struct {
	Decimals int32  `json:"decimals"`
	Label    string `json:"label,omitempty"`
}

func (e *jsonstatEncoder) End() error {
	cb := e.Cube
	head := jsonstatJSON{
		Version: "2.0", Class: "dataset", Href: e.Link, Label: e.heading(), Source: cb.Publisher, Updated: cb.LoadedAt.UTC().Format(time.RFC3339), Role: map[string][]string{},
		Extension: jsonstatExtension{cb.Name, cb.Version, cb.Fingerprint, cb.Synthetic, append([]cube.Warning{}, e.Warnings...), e.Citation},
	}
	for _, w := range e.Warnings {
		head.Note = append(head.Note, w.Message)
	}
	all := int64(1)
	add := func(id string, d jsonstatDimensionJSON, role string) {
		head.ID, head.Size, head.Dimensions = append(head.ID, id), append(head.Size, len(d.Category.Index)), append(head.Dimensions, Member{id, d})
		if role != "" {
			head.Role[role] = append(head.Role[role], id)
		}
		all = min(all*int64(len(d.Category.Index)), mostValues+1)
	}
	for _, d := range e.dimensions {
		about, role := e.dimension(d)
		add(d.Ref, about, role)
	}
	add(dimensionOfAmounts, e.aggregates(), "metric")
	if all > mostValues {
		return tooLong("the dataset has more than " + strconv.Itoa(mostValues) + " combinations of categories")
	}
	return e.write(head, all)
}

// dimension describes a level, and says what role it has.
func (e *jsonstatEncoder) dimension(d jsonstatDimension) (about jsonstatDimensionJSON, role string) {
	about.Label, about.Category.Index, about.Category.Label = cmp.Or(e.title(d.Ref), d.Ref), append([]string{}, d.ids...), Object{}
	for _, id := range d.ids {
		about.Category.Label = append(about.Category.Label, Member{id, cmp.Or(d.labels[id], id)})
	}
	level, _ := e.Cube.Model.LevelOfKey(d.Ref)
	for _, dimension := range e.Cube.Model.Dimensions() {
		if dimension.Name == level.Dimension {
			role = map[string]string{cube.DimensionTime: "time", "location": "geo"}[dimension.Type]
		}
	}
	return about, role
}

// aggregates describes the dimension of the amounts.
func (e *jsonstatEncoder) aggregates() (about jsonstatDimensionJSON) {
	about.Label = e.title(dimensionOfAmounts)
	for _, a := range e.Plan.Aggregates() {
		about.Category.Index = append(about.Category.Index, a.Name)
		about.Category.Label = append(about.Category.Label, Member{a.Name, e.title(a.Name)})
		about.Category.Unit = append(about.Category.Unit, Member{a.Name, jsonstatUnit{a.Scale, prose.AggregateUnit(e.Plan, a, e.Lang)}})
	}
	return about
}

// write puts the values in their order: an array where most combinations have some, else an object by their places.
func (e *jsonstatEncoder) write(head jsonstatJSON, all int64) error {
	for i := range e.cells {
		for j, size := range head.Size[:len(e.dimensions)] {
			e.cells[i].at = e.cells[i].at*int64(size) + int64(e.places[i*len(e.dimensions)+j])
		}
	}
	slices.SortFunc(e.cells, func(a, b jsonstatCell) int { return cmp.Compare(a.at, b.at) })
	b, dense, next := Marshal(head), int64(2*len(e.cells)*e.amounts) >= all, int64(0)
	opened, closed := byte('{'), byte('}')
	if dense {
		opened, closed = '[', ']'
	}
	b = append(append(b[:len(b)-1], `,"value":`...), opened)
	var status []byte
	for _, cell := range e.cells {
		for i, end := range cell.texts {
			at := cell.at*int64(e.amounts) + int64(i)
			for ; dense && next < at; next++ {
				b = append(b, "null,"...)
			}
			place := append(strconv.AppendInt([]byte{'"'}, at, 10), `":`...)
			if !dense {
				b = append(b, place...)
			}
			b = append(append(b, e.texts[cell.begin:end]...), ',')
			cell.begin, next = end, at+1
			if cell.change != "" {
				status = append(appendString(append(status, place...), cell.change), ',')
			}
		}
	}
	for ; dense && next < all; next++ {
		b = append(b, "null,"...)
	}
	b = append(withoutComma(b), closed)
	if status != nil {
		b = append(append(append(b, `,"status":{`...), withoutComma(status)...), '}')
	}
	_, err := e.out.Write(append(b, '}'))
	return err
}

// withoutComma takes the last comma of a list away.
func withoutComma(b []byte) []byte {
	if n := len(b) - 1; b[n] == ',' {
		return b[:n]
	}
	return b
}

func (e *jsonstatEncoder) Close() {}
