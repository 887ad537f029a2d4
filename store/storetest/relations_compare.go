package storetest

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"fiscube/cube"
)

// A comparison is two questions: the question without it, and the one whose keys and cuts are moved along the axis. What
// one side alone has is new or gone where rows are on both sides, whatever else is cut:
//
//   - of the fiscal year that is compared, and in packages with snapshots of the same snapshot of it, if the levels that
//     are drilled or cut are empty in both years or in neither;
//   - on another axis, where both sides have cells.
//
// Elsewhere nothing is compared. Where the axis is not drilled all years have to be comparable.

// comparison is what is known of a comparison.
type comparison struct {
	e      *examination
	l      *layers
	axis   cube.Column
	key    int // of the axis among the keys; -1 where it is only cut
	offset int64
	years  []cube.Value             // that the question is about, on the axis of years
	pairs  map[cube.Value]bool      // those of years that are comparable
	rows   map[bool]map[string]bool // where there are rows: here (true) and there, by position
	there  map[string]*part         // the cells of the other question
	many   bool                     // these are of several questions, whose labels may differ
}

// errUnchecked says that a comparison is not one of those that are checked.
var errUnchecked = fmt.Errorf("not checked")

func (e *examination) checkCompare(l *layers) error {
	if l.query.Compare == nil {
		return nil
	}
	without, err := e.cut(with(e.leaves(l.query), func(q *cube.Query) { q.Compare = nil }))
	if err != nil {
		return err
	}
	c, err := e.comparison(l, without)
	if err == errUnchecked {
		e.unchecked++
		*l = *without
		return nil
	}
	if err != nil {
		return err
	}
	wanted := c.wanted(without)
	result, err := e.answer(e.leaves(l.query))
	if err != nil {
		return err
	}
	cells := map[string]cube.Cell{}
	for _, cell := range result.Cells {
		cells[pathText(cell.Keys)] = cell
	}
	for _, want := range wanted {
		got := l.byKey[pathText(want.keys)]
		if got == nil {
			return fmt.Errorf("the comparison lacks the cell %q, which is %q", texts(want.keys), want.change)
		}
		if err := c.checkCell(result.Plan, cells[pathText(want.keys)], got, want); err != nil {
			return err
		}
	}
	if len(wanted) != len(l.parts) {
		return fmt.Errorf("the comparison has %d cells, its two questions %d", len(l.parts), len(wanted))
	}
	*l = *without
	return nil
}

// checkCell compares a cell with what the two questions say of it.
func (c *comparison) checkCell(plan *cube.Plan, cell cube.Cell, got, want *part) error {
	e, null := c.e, c.nullEarlier(want)
	switch {
	case got.change != want.change:
		return fmt.Errorf("the cell %q is %q, want %q", texts(want.keys), got.change, want.change)
	case !got.own.equal(want.own):
		return fmt.Errorf("the comparison changes the amounts of %q", texts(want.keys))
	}
	for i, label := range want.labels {
		if label != unknownLabel && got.labels[i] != label {
			return fmt.Errorf("the cell %q is called %q, want %q", texts(want.keys), got.labels[i], label)
		}
	}
	for i, a := range plan.Aggregates() {
		if a.Role == "" {
			continue
		}
		value := e.valueOf(a, want, &part{}, nil)
		nothing := null(a)
		if nothing == yes {
			value = nil
		}
		if rounded := halfToEven(value, e.decimals(a)); !sameAmount(cell.Values[i], rounded) && (nothing != maybe || cell.Values[i].Valid) {
			return fmt.Errorf("%s of %s, want %s", a.Name, shown(cell), text(rounded))
		}
	}
	return nil
}

// nullEarlier tells of a cell which of its values are null because years have no amounts of a measure: where it is of
// several years, of which the two sides do not have the same; and in the differences of what is new or gone, where the
// other side has none.
func (c *comparison) nullEarlier(cell *part) func(cube.Aggregate) judgement {
	years := c.years
	if c.key >= 0 && c.e.adder.isYear(c.axis.Name) {
		years = []cube.Value{cell.keys[c.key]}
	} else if at := slices.IndexFunc(c.l.plan.Keys(), func(k cube.Column) bool { return c.e.adder.isYear(k.Name) }); at >= 0 {
		years = nil
	}
	filled := c.e.adder.columnsByYear()
	return func(a cube.Aggregate) judgement {
		measure := aggregateRef(baseName(a)).Measure
		if !c.e.adder.isYear(c.axis.Name) || measure == "" {
			return no
		}
		uneven, gap := false, false
		for _, year := range years {
			if there := moved(year, c.offset); c.pairs[year] {
				uneven = uneven || filled[year][measure] != filled[there][measure]
				gap = gap || !filled[year][measure] || !filled[there][measure]
			}
		}
		if len(c.years) > 1 && len(years) > 1 && uneven || a.Role != cube.RoleEarlier && cell.change != "" && gap {
			return yes
		}
		return no
	}
}

// moved is a key so far along the axis; missing where there is none.
func moved(v cube.Value, offset int64) cube.Value {
	n, ok := v.Int()
	sum := new(big.Int).Add(big.NewInt(n), big.NewInt(offset))
	if !ok || !sum.IsInt64() {
		return cube.Missing
	}
	return cube.Integer(sum.Int64())
}

// comparison asks the other question.
func (e *examination) comparison(l, here *layers) (*comparison, error) {
	axis, ok := e.version.Model.Column(l.query.Compare.Ref.Name)
	if !ok || l.query.Compare.Ref.Dimension != "" {
		return nil, errUnchecked
	}
	c := &comparison{e: e, l: l, axis: axis, offset: l.query.Compare.Offset, there: map[string]*part{}, pairs: map[cube.Value]bool{}}
	c.key = slices.IndexFunc(l.plan.Keys(), func(k cube.Column) bool { return k.Name == axis.Name })
	declared, apart := e.version.Model.Snapshots(), e.adder.snapshotsApart(l.plan.Keys())
	flow := slices.ContainsFunc(here.plan.Measures(), func(m cube.Measure) bool { return m.Flow })
	byYear := e.adder.isYear(axis.Name)
	switch {
	case e.weighsShares(l.query) && !byYear, flow && len(l.plan.Keys()) == 0, len(l.plan.Keys()) == 0 && !byYear:
		return nil, errUnchecked // cells alone tell where rows are, and these are not all of them
	case declared != nil && !apart && (len(declared.Per) != 1 || declared.Per[0] != axis.Name):
		return nil, errUnchecked
	case !c.cutAsKeys():
		return nil, errUnchecked
	}
	c.findYears()
	c.findRows()
	q := with(e.leaves(l.query), func(q *cube.Query) {
		q.Compare, q.Having, q.Fill, q.Drilldown = nil, nil, cube.FillNone, nil
		for _, step := range l.plan.Steps() { // a dimension would be another level under other cuts
			q.Drilldown = append(q.Drilldown, cube.Ref{Name: step.Ref})
		}
	})
	var questions []cube.Query
	switch {
	case byYear && declared != nil && !apart:
		questions = c.questionsOfSnapshots(q)
		c.many = true
	case byYear:
		var there []string
		for _, year := range c.years {
			if c.pairs[year] {
				there = append(there, moved(year, c.offset).String())
			}
		}
		questions = c.questionOf(q, there, "", "")
	default:
		questions = []cube.Query{with(q, func(q *cube.Query) { q.Cuts = c.cutsMoved() })}
	}
	if c.key < 0 && byYear && (len(c.years) == 0 || slices.ContainsFunc(c.years, func(y cube.Value) bool { return !c.pairs[y] })) {
		questions = nil
	}
	for _, question := range questions {
		parts, err := e.parts(question)
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			if known := c.there[pathText(p.keys)]; known != nil {
				p = &part{keys: p.keys, labels: p.labels, own: e.merged([]*part{known, p}).own}
			}
			c.there[pathText(p.keys)] = p
		}
	}
	if flow && c.many && len(questions) > 0 {
		if err := c.addFlows(q); err != nil {
			return nil, err
		}
	}
	if !c.knowsRows() {
		for _, p := range here.parts {
			c.rows[true][c.position(p.keys)] = true
		}
		for _, p := range c.there {
			c.rows[false][c.position(p.keys)] = true
		}
	}
	return c, nil
}

// addFlows gives the cells of the other question the measures that are declared a flow, which add up all snapshots that
// the cuts admit. A cell may be of nothing else.
func (c *comparison) addFlows(q cube.Query) error {
	var there []string
	for _, year := range c.years {
		if c.pairs[year] {
			there = append(there, moved(year, c.offset).String())
		}
	}
	isFlow := func(name string) bool {
		measure, ok := c.e.version.Model.Measure(aggregateRef(name).Measure)
		return ok && measure.Flow
	}
	for _, question := range c.questionOf(q, there, "", "") {
		parts, err := c.e.parts(question)
		if err != nil {
			return err
		}
		for _, p := range parts {
			own := c.e.noRows(cube.Count)
			if known := c.there[pathText(p.keys)]; known != nil {
				own = known.own
			}
			own = maps.Clone(own)
			maps.DeleteFunc(own, func(name string, _ *big.Rat) bool { return isFlow(name) || !c.asks(name) })
			for name, amount := range p.own {
				if isFlow(name) {
					own[name] = amount
				}
			}
			c.there[pathText(p.keys)] = &part{keys: p.keys, labels: p.labels, own: own}
		}
	}
	return nil
}

// cutAsKeys tells whether the axis is cut by its keys alone, and snapshots not together with it.
func (c *comparison) cutAsKeys() bool {
	for _, f := range asked(c.l.plan) {
		for _, tests := range f.Any {
			for _, t := range tests {
				about := func(field string) bool {
					return field == c.axis.Name && (t.Members != nil || len(tests) > 1) ||
						t.Members != nil && slices.Contains(t.Members.Level.Path, field)
				}
				if about(c.axis.Name) {
					return false
				}
			}
		}
	}
	return true
}

// findYears finds the years that the question is about, and which of them can be compared.
func (c *comparison) findYears() {
	if !c.e.adder.isYear(c.axis.Name) {
		return
	}
	filled := c.e.adder.columnsByYear()
	fields := slices.DeleteFunc(fieldsOf(c.l.plan.Keys()), func(f string) bool { return f == c.axis.Name })
	for _, f := range asked(c.l.plan) {
		for _, t := range slices.Concat(f.Any...) {
			if t.Column.Name != c.axis.Name {
				fields = append(fields, t.Column.Name)
			}
		}
	}
	for year := range filled {
		if !c.e.adder.admits(c.l.plan, c.axis.Name, year) {
			continue
		}
		there := moved(year, c.offset)
		c.years = append(c.years, year)
		c.pairs[year] = filled[there] != nil && !there.IsMissing() && !slices.ContainsFunc(fields, func(f string) bool {
			return filled[year][f] != filled[there][f]
		})
	}
}

// knowsRows tells whether the rows of the package, and not the cells alone, say what can be compared.
func (c *comparison) knowsRows() bool {
	declared := c.e.version.Model.Snapshots()
	if declared == nil {
		return c.e.adder.isYear(c.axis.Name)
	}
	return slices.Contains(declared.Per, c.axis.Name) || declared.By == c.axis.Name
}

// findRows finds where there are rows on both sides, as far as the cuts on the axis and on snapshots admit them.
func (c *comparison) findRows() {
	c.rows = map[bool]map[string]bool{true: {}, false: {}}
	if !c.knowsRows() {
		return
	}
	a, declared := c.e.adder, c.e.version.Model.Snapshots()
	admitted := func(r row, offset int64) bool {
		return !slices.ContainsFunc(asked(c.l.plan), func(f cube.Filter) bool {
			return a.judge(f, func(k cube.Column) (cube.Value, bool) {
				v := a.value(r, k)
				if k.Name == c.axis.Name {
					return moved(v, offset), true
				}
				return v, declared != nil && (declared.By == k.Name || slices.Contains(declared.Per, k.Name))
			}) == no
		})
	}
	for _, r := range a.rows {
		position := c.position(a.values(r, c.l.plan.Keys()))
		if admitted(r, 0) {
			c.rows[true][position] = true
		}
		year := moved(a.fields(r, c.axis.Name)[0], -c.offset)
		if admitted(r, -c.offset) && (!a.isYear(c.axis.Name) || c.pairs[year]) {
			c.rows[false][position] = true
		}
	}
}

// position is where the keys of a cell are on the axis and among the snapshots.
func (c *comparison) position(keys []cube.Value) string {
	declared := c.e.version.Model.Snapshots()
	var position []cube.Value
	for i, k := range c.l.plan.Keys() {
		snapshot := declared != nil && (k.Name == declared.By || c.knowsRows() && slices.Contains(declared.Per, k.Name))
		if k.Name == c.axis.Name || snapshot {
			position = append(position, keys[i])
		}
	}
	return pathText(position)
}

// comparable tells whether both sides have rows where a cell is.
func (c *comparison) comparable(keys []cube.Value) bool {
	there, ok := c.beside(keys, c.offset)
	if !ok || c.key < 0 && len(c.there) == 0 && c.nothingThere() {
		return false
	}
	return c.rows[true][c.position(keys)] && c.rows[false][c.position(there)]
}

// nothingThere tells whether no year, or not every year of a sum, has a counterpart.
func (c *comparison) nothingThere() bool {
	return c.e.adder.isYear(c.axis.Name) && (len(c.years) == 0 || slices.ContainsFunc(c.years, func(y cube.Value) bool { return !c.pairs[y] }))
}

// beside gives the keys so far along the axis; false where there can be none.
func (c *comparison) beside(keys []cube.Value, offset int64) ([]cube.Value, bool) {
	if c.key < 0 {
		return keys, true
	}
	keys = slices.Clone(keys)
	keys[c.key] = moved(keys[c.key], offset)
	return keys, !keys[c.key].IsMissing()
}

// unknownLabel stands for a label that is not checked.
var unknownLabel = cube.Text("\x00")

// wanted makes the cells of the comparison.
func (c *comparison) wanted(here *layers) []*part {
	paired := map[string]bool{}
	var all []*part
	isThere := func(p *part) bool { return len(p.keys) > 0 || p.own[rowCount].Sign() != 0 }
	for _, p := range here.parts {
		cell := *p
		keys, ok := c.beside(p.keys, c.offset)
		other := c.there[pathText(keys)]
		if !ok {
			other = nil
		}
		if other != nil {
			paired[pathText(keys)], cell.earlier = true, other.own
		}
		switch is, was := isThere(p), other != nil && isThere(other); {
		case !is && !was:
		case !c.comparable(p.keys) && !is:
			cell.apart = true
		case !c.comparable(p.keys):
			cell.earlier = nil
		case !was:
			cell.change, cell.earlier = cube.ChangeNew, nil
		case !is:
			cell.change = cube.ChangeGone
		}
		all = append(all, &cell)
	}
	for id, p := range c.there {
		keys, ok := c.beside(p.keys, -c.offset)
		if paired[id] || !ok || len(c.l.query.Having) > 0 || !c.comparable(keys) {
			continue
		}
		none := c.e.noRows(cube.Count)
		maps.DeleteFunc(none, func(name string, _ *big.Rat) bool { return !c.asks(name) })
		all = append(all, &part{keys: keys, labels: c.labels(here, p, keys), own: none, earlier: p.own, change: cube.ChangeGone})
	}
	return all
}

func (c *comparison) asks(name string) bool {
	return slices.ContainsFunc(c.e.leaves(c.l.query).Aggregates, func(r cube.AggregateRef) bool { return r.String() == name })
}

// labels gives those of a cell that is gone: of the question if it has the member, else of the one that it is compared
// with. A member that is only there because the axis is moved has its key.
func (c *comparison) labels(here *layers, p *part, keys []cube.Value) []cube.Value {
	labels := slices.Clone(p.labels)
	for i, level := range c.l.plan.Levels() {
		path, ok := pathOf(c.l.plan.Keys(), keys, level)
		if !ok || level.LabelRef == "" {
			continue
		}
		if slices.Contains(level.Path, c.axis.Name) {
			labels[i] = cube.Text(path[len(path)-1].String())
		} else if c.many {
			labels[i] = unknownLabel
		}
		if label, ok := here.labelOf(i, path); ok {
			labels[i] = label
		}
	}
	return labels
}

// questionOf asks for some values of the axis in the place of its cuts, and for a snapshot in the place of theirs.
func (c *comparison) questionOf(q cube.Query, values []string, by, snapshot string) []cube.Query {
	if len(values) == 0 {
		return nil
	}
	q.Cuts = slices.DeleteFunc(slices.Clone(q.Cuts), func(cut cube.Cut) bool {
		return c.isOn(cut, c.axis.Name) || by != "" && c.isOn(cut, by)
	})
	add := func(field string, values ...string) {
		cut := cube.Cut{Ref: cube.Ref{Name: field}}
		for _, v := range values {
			cut.Items = append(cut.Items, cube.Item{Path: []string{v}})
		}
		q.Cuts = append(q.Cuts, cut)
	}
	add(c.axis.Name, values...)
	if by != "" {
		add(by, snapshot)
	}
	return []cube.Query{q}
}

// isOn tells whether a cut is one of the keys of a field.
func (c *comparison) isOn(cut cube.Cut, field string) bool {
	if cut.Ref.Name == field {
		return true
	}
	dimension, ok := c.e.version.Model.Dimension(cut.Ref.Name)
	return ok && len(dimension.Levels) == 1 && dimension.Levels[0].Ref == field
}

// questionsOfSnapshots asks for each year apart, at the snapshot that counts of the year that is compared with it. A year
// without that snapshot has no counterpart.
func (c *comparison) questionsOfSnapshots(q cube.Query) []cube.Query {
	a, declared := c.e.adder, c.e.version.Model.Snapshots()
	last := a.lastSnapshots(c.l.plan, false)
	here, there := map[cube.Value]string{}, map[string]bool{}
	for _, r := range a.rows {
		v := a.fields(r, c.axis.Name, declared.By)
		there[pathText(v)] = true
		if last.count(a, r) {
			here[v[0]] = v[1].String()
		}
	}
	var questions []cube.Query
	c.rows = map[bool]map[string]bool{true: {}, false: {}}
	c.years = slices.DeleteFunc(c.years, func(y cube.Value) bool { _, counts := here[y]; return !counts })
	for _, year := range c.years {
		other := moved(year, c.offset)
		if c.pairs[year] = c.pairs[year] && there[pathText([]cube.Value{other, cube.Text(here[year])})]; !c.pairs[year] {
			continue
		}
		questions = append(questions, c.questionOf(q, []string{other.String()}, declared.By, here[year])...)
		if c.key < 0 {
			c.rows[true][""], c.rows[false][""] = true, true
		} else {
			c.rows[true][pathText([]cube.Value{year})], c.rows[false][pathText([]cube.Value{other})] = true, true
		}
	}
	return questions
}

// cutsMoved are the cuts of the question, those on the axis moved along it.
func (c *comparison) cutsMoved() []cube.Cut {
	shift := func(text string) string {
		if text == "" {
			return ""
		}
		n, ok := new(big.Int).SetString(strings.TrimSpace(text), 10)
		if !ok {
			return text
		}
		return n.Add(n, big.NewInt(c.offset)).String()
	}
	var cuts []cube.Cut
	for _, cut := range c.l.query.Cuts {
		if c.isOn(cut, c.axis.Name) {
			cut.Items = slices.Clone(cut.Items)
			for i, item := range cut.Items {
				item.From, item.To = shift(item.From), shift(item.To)
				item.Path = slices.Clone(item.Path)
				for j := range item.Path {
					item.Path[j] = shift(item.Path[j])
				}
				cut.Items[i] = item
			}
		}
		cuts = append(cuts, cut)
	}
	return cuts
}
