package storetest

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// A comparison along the fiscal year is two questions: the same without it, and one whose years are moved. A year is
// comparable where the other year has rows, of the same snapshot where the package has snapshots, and the levels that
// are drilled or cut are empty in both or in neither. There a cell that one side alone has is new or gone; elsewhere
// nothing is compared. Where the year is not drilled, all years of the question have to be comparable.
//
// Of other axes, of drilled snapshots, of measures that add snapshots up, and of members that a crosswalk compares with those of other
// editions, it is only checked that the cells keep their amounts, and that a comparison is its own mirror (mirrors): testdata/questions has
// comparisons of these, worked out by hand.

// comparison is what is known of a comparison.
type comparison struct {
	*examination
	l      *layers
	here   *layers // without the comparison
	year   cube.Column
	key    int // of the year among the keys; -1 where it is only cut
	offset int64
	pairs  map[cube.Value]bool // the years that the question is about, and whether they are comparable
	there  map[string]*part    // the cells of the other question
}

// checkCompare compares an answer with those of its two questions.
func (e *examination) checkCompare(l *layers) error {
	if l.query.Compare == nil {
		return nil
	}
	here, err := e.cut(with(e.leaves(l.query), func(q *query.Query) { q.Compare = nil }))
	if err != nil {
		return err
	}
	for _, p := range l.parts {
		if same := here.byKey[pathText(p.keys)]; (same == nil) != (p.change == answer.ChangeGone) && len(p.keys) > 0 ||
			same != nil && !same.own.equal(p.own) {
			return fmt.Errorf("the comparison changes the cell %q", texts(p.keys))
		}
	}
	err = e.compareYears(l.query)
	*l = *here
	return err
}

// isCrossed tells whether an overlay says which members of editions are the same.
func (e *examination) isCrossed() bool {
	return slices.ContainsFunc(e.version.Model.Levels(), func(l cube.Level) bool { return len(l.SameAs) > 0 })
}

// compareYears compares an answer with what its two questions say.
func (e *examination) compareYears(q query.Query) error {
	snapshots, q := e.version.Model.Snapshots(), e.leaves(q)
	l, err := e.cut(q)
	if err != nil {
		return err
	}
	year, _ := e.version.Model.FiscalYear()
	isPath := func(tests []plan.Test) bool { // with the year, which the other question moves
		return len(tests) > 1 && slices.ContainsFunc(tests, func(t plan.Test) bool { return t.Column.Name == year.Name })
	}
	goesByLabels := func(tests []plan.Test) bool { // of the years of both questions
		return slices.ContainsFunc(tests, func(t plan.Test) bool { return t.Members != nil && t.Members.Level.HasLabels() })
	}
	if e.isCrossed() || q.Compare.Ref.Name != year.Name || snapshots != nil && (e.adder.snapshotsApart(l.plan.Keys()) || snapshots.Per[0] != year.Name) ||
		slices.ContainsFunc(l.plan.FiltersAsked(), func(f plan.Filter) bool {
			return slices.ContainsFunc(f.Any, isPath) || slices.ContainsFunc(f.Any, goesByLabels)
		}) {
		e.unchecked++
		return nil
	}
	here, err := e.cut(with(q, func(q *query.Query) { q.Compare = nil }))
	if err != nil {
		return err
	}
	c := &comparison{examination: e, l: l, here: here, year: year, offset: q.Compare.Offset, there: map[string]*part{}}
	c.key = slices.IndexFunc(l.plan.Keys(), func(k cube.Column) bool { return k.Name == year.Name })
	c.findPairs()
	if err := c.askThere(); err != nil {
		return err
	}
	wanted := c.wanted()
	for _, want := range wanted {
		if err := c.checkCell(l.byKey[pathText(want.keys)], want); err != nil {
			return err
		}
	}
	if len(wanted) != len(l.parts) {
		return fmt.Errorf("the comparison has %d cells, its two questions %d", len(l.parts), len(wanted))
	}
	return nil
}

// findPairs finds the years that the question is about and which of them are comparable, but for snapshots.
func (c *comparison) findPairs() {
	c.pairs = map[cube.Value]bool{}
	columns, fields := c.adder.columnsByYear(), fieldsOf(c.l.plan.Keys())
	for _, f := range c.l.plan.FiltersAsked() {
		for _, t := range slices.Concat(f.Any...) {
			fields = append(fields, t.Column.Name)
		}
	}
	for year := range columns {
		if there := moved(year, c.offset); c.adder.admitsYear(c.l.plan, year) {
			c.pairs[year] = columns[there] != nil && !there.IsMissing() && !slices.ContainsFunc(fields, func(f string) bool {
				return f != c.year.Name && columns[year][f] != columns[there][f] || c.isNumberedAnew(f, year, there)
			})
		}
	}
}

// isNumberedAnew tells whether a code of a field means other things in two years.
func (c *comparison) isNumberedAnew(field string, year, there cube.Value) bool {
	level, _ := c.version.Model.Level(field)
	return slices.ContainsFunc(level.Path, func(f string) bool {
		column, _ := c.version.Model.Column(f)
		return column.IsEdition() && editionOf(column.From, year.String()) != editionOf(column.From, there.String())
	})
}

// moved is a year so far away; missing where there is none.
func moved(v cube.Value, offset int64) cube.Value {
	if year, ok := v.Int(); ok {
		return cube.Integer(year + offset)
	}
	return cube.Missing
}

// askThere asks the other question: of all comparable years or, where there are snapshots, of one year after the other, at
// the snapshot that counts of the year that is compared with it.
func (c *comparison) askThere() error {
	snapshots, last := c.version.Model.Snapshots(), map[cube.Value]string{}
	exists := map[string]bool{}
	if snapshots != nil {
		counted := c.adder.lastSnapshots(c.l.plan, false)
		for _, r := range c.adder.rows {
			v := c.adder.fields(r, c.year.Name, snapshots.By)
			if exists[pathText(v)] = true; counted.count(c.adder, r) {
				last[v[0]] = v[1].String()
			}
		}
	}
	var years []string
	for year, comparable := range c.pairs {
		there := moved(year, c.offset)
		if snapshots != nil {
			if last[year] == "" {
				delete(c.pairs, year) // the cuts admit no snapshot of it
				continue
			}
			c.pairs[year] = comparable && exists[there.String()+"\x00"+last[year]+"\x00"]
		}
		if c.pairs[year] {
			years = append(years, there.String())
		}
	}
	if len(years) == 0 || c.key < 0 && len(years) < len(c.pairs) {
		return nil
	}
	if snapshots == nil {
		return c.addThere(years, "")
	}
	for year, comparable := range c.pairs {
		if comparable {
			if err := c.addThere([]string{moved(year, c.offset).String()}, last[year]); err != nil {
				return err
			}
		}
	}
	return nil
}

// addThere asks for years in the place of the cuts on them, up to a snapshot.
func (c *comparison) addThere(years []string, snapshot string) error {
	parts, err := c.parts(with(c.l.query, func(q *query.Query) {
		q.Compare, q.Having, q.Fill, q.Drilldown = nil, nil, query.FillNone, nil
		for _, step := range c.l.plan.Steps() { // a dimension would be another level under other cuts
			q.Drilldown = append(q.Drilldown, query.Ref{Name: step.Ref})
		}
		q.Cuts = slices.DeleteFunc(slices.Clone(q.Cuts), func(cut query.Cut) bool {
			field := cut.Ref.Name
			_, isLevel := c.version.Model.Level(field)
			if d, ok := c.version.Model.Dimension(field); ok && !isLevel { // no path is longer than its first level
				field = d.Chains()[0][0].Ref
			}
			return field == c.year.Name
		})
		cut := query.Cut{Ref: query.Ref{Name: c.year.Name}}
		for _, year := range years {
			cut.Items = append(cut.Items, query.Item{Path: []query.Key{{Text: year}}})
		}
		q.Cuts = append(q.Cuts, cut)
		if snapshot != "" { // what adds up over snapshots adds those up to it, as the cuts on them admit
			by := query.Ref{Name: c.version.Model.Snapshots().By}
			q.Cuts = append(q.Cuts, query.Cut{Ref: by, Items: []query.Item{{Op: query.OpRange, To: snapshot}}})
		}
	}))
	for _, p := range parts {
		if known := c.there[pathText(p.keys)]; known != nil {
			p = &part{keys: p.keys, labels: p.labels, own: c.merged([]*part{known, p}).own}
		}
		c.there[pathText(p.keys)] = p
	}
	return err
}

// comparable tells whether the year of some keys is, or all years where none is among them.
func (c *comparison) comparable(keys []cube.Value) bool {
	if c.key >= 0 {
		return c.pairs[keys[c.key]]
	}
	return len(c.pairs) > 0 && !slices.Contains(slices.Collect(maps.Values(c.pairs)), false)
}

// wanted makes the cells of the comparison.
func (c *comparison) wanted() []*part {
	var all []*part
	paired := map[string]bool{}
	hasRows := func(p *part) bool { return p != nil && (len(p.keys) > 0 || p.own[rowCount].Sign() != 0) }
	for _, p := range c.here.parts {
		cell := *p
		id := pathText(c.beside(p.keys, c.offset))
		other := c.there[id]
		if other != nil {
			paired[id], cell.earlier = true, other.own
		}
		switch {
		case !hasRows(p) && !hasRows(other):
		case !c.comparable(p.keys):
			cell.earlier = nil
		case !hasRows(other):
			cell.change, cell.earlier = answer.ChangeNew, nil
		case !hasRows(p):
			cell.change = answer.ChangeGone
		}
		all = append(all, &cell)
	}
	for id, p := range c.there {
		keys := c.beside(p.keys, -c.offset)
		if paired[id] || len(c.l.query.Having) > 0 || !c.comparable(keys) {
			continue
		}
		own := c.noRows(cube.Count)
		maps.DeleteFunc(own, func(name string, _ *big.Rat) bool { return p.own[name] == nil })
		all = append(all, &part{keys: keys, labels: c.labels(p, keys), own: own, earlier: p.own, change: answer.ChangeGone})
	}
	return all
}

// labels gives those of a cell that is gone: of the question if it has the member, else of the one that it is compared
// with. A member that is only there because the year is moved has its key.
func (c *comparison) labels(p *part, keys []cube.Value) []cube.Value {
	labels := slices.Clone(p.labels)
	for i, level := range c.l.plan.Levels() {
		path, ok := pathOf(c.l.plan.Keys(), keys, level)
		if !ok || level.LabelRef == "" {
			continue
		}
		switch label, known := c.here.labelOf(i, path); {
		case known:
			labels[i] = label
		case slices.Contains(level.Path, c.year.Name):
			labels[i] = cube.Text(path[len(path)-1].String())
		case c.version.Model.Snapshots() != nil: // several questions have been asked, each for the labels of its year
			labels[i] = c.l.byKey[pathText(keys)].labels[i]
		}
	}
	return labels
}

// checkCell compares a cell with what the two questions say of it. Amounts are not compared where the years do not all
// have amounts of their measure.
func (c *comparison) checkCell(got, want *part) error {
	switch {
	case got == nil:
		return fmt.Errorf("the comparison lacks the cell %q, which is %q", texts(want.keys), want.change)
	case got.change != want.change:
		return fmt.Errorf("the cell %q is %q, want %q", texts(want.keys), got.change, want.change)
	case !got.own.equal(want.own):
		return fmt.Errorf("the comparison changes the amounts of %q", texts(want.keys))
	case !slices.Equal(got.labels, want.labels):
		return fmt.Errorf("the cell %q is called %q, want %q", texts(want.keys), texts(got.labels), texts(want.labels))
	case (got.earlier == nil) != (want.earlier == nil) || got.apart:
		return fmt.Errorf("the cell %q is compared: %t, want %t", texts(want.keys), got.earlier != nil, want.earlier != nil)
	}
	e := c.examination
	for i, a := range got.plan.Aggregates() {
		if a.Role == "" {
			continue
		}
		value := halfToEven(e.valueOf(a, want, &part{}, nil), a.Scale)
		if v := got.values[i]; !sameAmount(v, value) && (v.Valid || !c.gappy(aggregateRef(baseName(a)).Measure, want)) {
			return fmt.Errorf("%s of the cell %q is %s, want %s", a.Name, texts(want.keys), text(v), text(value))
		}
	}
	return nil
}

// gappy tells whether some of the years that a cell is compared of have no amounts of a measure.
func (c *comparison) gappy(measure string, cell *part) bool {
	columns := c.adder.columnsByYear()
	for year := range c.pairs {
		mine := c.key < 0 || len(cell.keys) <= c.key || cell.keys[c.key] == year
		if measure != "" && mine && c.pairs[year] && (!columns[year][measure] || !columns[moved(year, c.offset)][measure]) {
			return true
		}
	}
	return false
}

// beside gives the keys so many years away.
func (c *comparison) beside(keys []cube.Value, offset int64) []cube.Value {
	keys = slices.Clone(keys)
	if c.key >= 0 {
		keys[c.key] = moved(keys[c.key], offset)
	}
	return keys
}

// addsUpAcross tells whether a row adds up members that may be compared by a crosswalk. It is then compared with all of the other
// year, not with what its members are compared with: checkTotal.
func (e *examination) addsUpAcross(l *layers, cell answer.Cell) bool {
	c := l.plan.Comparison()
	return c != nil && c.Crosses() && (len(cell.Keys) < len(l.plan.Keys()) || cell.Others > 0) && e.isCrossed()
}

// mirrors checks comparisons of each two years by each level with a crosswalk, and by those above it: what the one year is compared with is
// what the other is compared with it.
func (e *examination) mirrors() {
	year, _ := e.version.Model.FiscalYear()
	compared, crossed := 0, 0
	for _, crossing := range e.version.Model.Levels() {
		if len(crossing.SameAs) == 0 {
			continue
		}
		for _, level := range e.version.Model.Levels() {
			for _, here := range e.version.Coverage.Years {
				for _, there := range e.version.Coverage.Years {
					if here <= there || level.Dimension != crossing.Dimension {
						continue
					}
					later, n := e.pairsOf(level, year, here, there)
					earlier, _ := e.pairsOf(level, year, there, here)
					for i, pair := range earlier {
						earlier[i] = [2]string{pair[1], pair[0]}
					}
					slices.SortFunc(earlier, func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
					if compared, crossed = compared+len(later), crossed+n; !slices.Equal(later, earlier) {
						e.Errorf("%s of %d and %d: compared are %v, and from the other side %v", level.Ref, here, there, later, earlier)
					}
				}
			}
		}
	}
	e.Logf("%d rows are compared, in %d questions of the same members", compared, crossed)
}

// pairsOf gives the amounts of a year with those of another that they are compared with, sorted, those of the summary among them, and whether
// members of two editions are.
func (e *examination) pairsOf(level cube.Level, year cube.Column, here, there int64) (pairs [][2]string, crossed int) {
	result := e.ask(e.version, fmt.Sprintf("drilldown=%s&cut=%s:%d&aggregates=%s.sum&compare=%[2]s:%[5]d&pagesize=1000", quoted(level.Ref), quoted(year.Name), here,
		quoted(e.version.Model.Measures()[0].Ref), there-here))
	for _, cell := range append(result.Cells, answer.Cell{Values: result.Summary.Values}) {
		if cell.Values[0].Valid && cell.Values[1].Valid && !cell.Values[0].Decimal.IsZero() && !cell.Values[1].Decimal.IsZero() {
			pairs = append(pairs, [2]string{text(cell.Values[0]), text(cell.Values[1])})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	if slices.ContainsFunc(result.Warnings, func(w cube.Warning) bool { return w.Code == cube.WarnSameAs }) {
		crossed = 1
	}
	return pairs, crossed
}
