package storetest

import (
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// A comparison along the fiscal year is two questions: the same without it, and one whose years are moved. A year is
// comparable where the other year has rows, of the same snapshot where the package has snapshots, and the levels that
// are drilled or cut are empty in both or in neither. There a cell that one side alone has is new or gone; elsewhere
// nothing is compared. Where the year is not drilled, all years of the question have to be comparable. Members of other editions
// are compared by a crosswalk (relations_crosswalk.go).
//
// Of other axes, of drilled snapshots and of measures that add snapshots up it is only checked that the cells keep their
// amounts: testdata/questions has comparisons of these, worked out by hand.

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
	named  *namedMembers       // those that the cuts name for the crosswalk
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
	if q.Compare.Ref.Name != year.Name || snapshots != nil && (e.adder.snapshotsApart(l.plan.Keys()) || snapshots.Per[0] != year.Name) ||
		slices.ContainsFunc(asked(l.plan), func(f plan.Filter) bool {
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
	c.findNamed()
	c.findPairs()
	if c.hasEditionsBeside() {
		e.unchecked++
		return nil
	}
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
	return c.checkTotal()
}

// findPairs finds the years that the question is about and which of them are comparable, but for snapshots.
func (c *comparison) findPairs() {
	c.pairs = map[cube.Value]bool{}
	columns, fields := c.adder.columnsByYear(), fieldsOf(c.l.plan.Keys())
	for _, f := range asked(c.l.plan) {
		for _, t := range slices.Concat(f.Any...) {
			fields = append(fields, t.Column.Name)
		}
	}
	for year := range columns {
		if c.adder.admitsYear(c.l.plan, year) {
			there := moved(year, c.offset)
			c.pairs[year] = columns[there] != nil && !there.IsMissing() && !slices.ContainsFunc(fields, func(f string) bool {
				return f != c.year.Name && columns[year][f] != columns[there][f]
			}) && (!c.numberedAnew(fields, year, there) || c.crosses(fields, year, there))
		}
	}
}

// numberedAnew tells whether a code of the fields means other things in two years.
func (c *comparison) numberedAnew(fields []string, year, there cube.Value) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		level, _ := c.version.Model.Level(field)
		return slices.ContainsFunc(level.Path, func(f string) bool {
			column, _ := c.version.Model.Column(f)
			return column.IsEdition() && editionOf(column.From, year.String()) != editionOf(column.From, there.String())
		})
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
	if snapshots == nil && len(c.named.filters) == 0 {
		return c.addThere(years, "", c.l.query.Cuts)
	}
	for year, comparable := range c.pairs {
		if !comparable {
			continue
		}
		cuts, some, err := c.movedCuts(c.l.query.Cuts, year)
		if err == nil && some {
			err = c.addThere([]string{moved(year, c.offset).String()}, last[year], cuts)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addThere asks for years in the place of the cuts on them, up to a snapshot.
func (c *comparison) addThere(years []string, snapshot string, cuts []query.Cut) error {
	parts, err := c.parts(with(c.l.query, func(q *query.Query) {
		q.Compare, q.Having, q.Fill, q.Drilldown = nil, nil, query.FillNone, nil
		for _, step := range c.l.plan.Steps() { // a dimension would be another level under other cuts
			q.Drilldown = append(q.Drilldown, query.Ref{Name: step.Ref})
		}
		q.Cuts = slices.DeleteFunc(slices.Clone(cuts), func(cut query.Cut) bool {
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
		keys, known := c.beside(p.keys, c.offset)
		id := pathText(keys)
		var other *part
		if known {
			other = c.there[id]
		}
		if other != nil {
			paired[id], cell.earlier = true, other.own
			if !slices.Equal(c.onlyMoved(p.keys), keys) {
				c.crossed++
			}
		}
		switch {
		case !hasRows(p) && !hasRows(other):
		case !known || !c.comparable(p.keys):
			cell.earlier = nil
		case !hasRows(other):
			cell.change, cell.earlier = answer.ChangeNew, nil
		case !hasRows(p):
			cell.change = answer.ChangeGone
		}
		all = append(all, &cell)
	}
	for id, p := range c.there {
		keys, known := c.beside(p.keys, -c.offset)
		if !known || paired[id] || len(c.l.query.Having) > 0 || !c.comparable(keys) {
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

// A comparison across editions is two questions too, which the crosswalk of the overlay maps to each other:
//
//  1. A row is compared with the row of the same members of the other year, if the crosswalk has all of its drilled members, and
//     the cuts admit the other ones.
//  2. Cuts that name members by whole paths name the same members in the other question. With other cuts on levels with editions
//     nothing is compared.
//  3. If the members of such cuts are not drilled, the crosswalk must have all of them.
//  4. If the year is not drilled, all years must be of one edition, and those that they are compared with of one.

// successions is a package whose functions are numbered anew twice. The crosswalk has most of them, some over both times, and one
// that moves to another group.
func successions() fs.FS {
	random := rand.New(rand.NewPCG(20, 14))
	rows := []string{"year,group,function,function_name,activity,fund,amount"}
	for range 400 {
		pick := func(from ...string) string { return from[random.IntN(len(from))] }
		function := pick("0", "1", "2", "3")
		rows = append(rows, strings.Join([]string{pick("2013", "2014", "2015", "2016", "2017", "2018", ""), pick("1", "2"), function,
			"Function " + function, pick("a", "b", ""), pick("x", "y"), pick("", "0", "1", "2.5", "-3")}, ","))
	}
	return fstest.MapFS{
		"lines.csv": {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte(`editions: {function: [2015, 2017], fund: [2016]}
same_as:
  function: {1/1@2015: 1/0@2013, 1/2@2015: 1/1@2013, 2/0@2015: 1/3@2013, 2/1@2015: 2/1@2013, 2/2@2015: 2/3@2013,
    1/0@2017: 1/1@2015, 1/3@2017: 2/0@2015, 2/1@2017: 2/1@2015, 2/3@2017: 1/0@2015}
`)},
		"datapackage.json": {Data: []byte(`{"name": "successions", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
			{"name": "group", "type": "string"}, {"name": "function", "type": "string"}, {"name": "function_name", "type": "string"},
			{"name": "activity", "type": "string"}, {"name": "fund", "type": "string"}, {"name": "amount", "type": "number"}]},
			"model": {"measures": {"amount": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"functional": {"dimensionType": "classification", "primaryKey": ["group", "function", "activity"], "attributes": {
					"group": {}, "function": {"parent": "group"}, "function_name": {"labelfor": "function"},
					"activity": {"parent": "function"}}},
				"fund": {"dimensionType": "other", "primaryKey": ["fund"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}

// acrossEditions asks random questions that compare years of different editions.
func (e *examination) acrossEditions() {
	levels := slices.DeleteFunc(slices.Clone(e.version.Model.Levels()), func(l cube.Level) bool { return len(l.SameAs) == 0 })
	if len(levels) == 0 {
		return
	}
	compared := 0
	for i := range 2 * e.howMany() {
		if !e.half.has(i) {
			continue
		}
		q := newQuestioner(e.version, e.adder, 2_000_000+i)
		question := q.across(levels[0])
		asked, err := Query(question)
		if err == nil {
			_, err = plan.Bind(e.version, asked)
		}
		if err == nil {
			compared++
			_, err = e.check(asked)
		} else if mayBeRefused(err) {
			err = nil
		}
		if err != nil {
			e.Errorf("question %d: %s\n%v", i, question, err)
		}
	}
	e.Logf("%d comparisons, with %d rows that are compared with others", compared, e.crossed)
	if e.hard && e.crossed < compared/3 {
		e.Error("too few rows are compared with others")
	}
}

// across makes up a question that compares members of a level with a crosswalk.
func (q *questioner) across(level cube.Level) string {
	year, _ := q.version.Model.FiscalYear()
	dimension, _ := q.version.Model.Dimension(level.Dimension)
	var drilled, cuts []string
	if q.chance(60) {
		drilled = append(drilled, q.name(year.Name))
	}
	if len(drilled) == 0 || q.chance(30) {
		cuts = append(cuts, q.yearCut(year))
	}
	drilled = append(drilled, q.times(0, 1, func() string { return q.name(level.Ref) })...)
	if q.chance(20) {
		drilled = append(drilled, q.name(pick(q, dimension.Levels).Ref))
	}
	if q.chance(15) {
		drilled = append(drilled, q.drilldown())
	}
	if q.chance(50) {
		cuts = append(cuts, q.name(level.Dimension)+":"+strings.Join(q.times(1, 4, func() string { return q.wholePath(level) }), ";"))
	}
	if q.chance(20) {
		cuts = append(cuts, q.cut())
	}
	parts := q.clause(nil, "drilldown", "|", drilled)
	parts = q.clause(parts, "cut", "|", cuts)
	return strings.Join(append(parts, "aggregates="+q.ofMeasure("sum")+"|_count",
		"compare="+q.name(year.Name)+":"+pick(q, []string{"-1", "-1", "1", "-2", "3", "-4"})), "&")
}

// wholePath is the path of a member that the crosswalk has, or that occurs.
func (q *questioner) wholePath(level cube.Level) string {
	columns := q.version.Model.PathOf(level)
	if q.chance(60) {
		same := pick(q, level.SameAs)
		return plan.PathText(columns, pick(q, [][]string{same.Path, same.SameAs}))
	}
	return query.PathText(columns, q.adder.values(pick(q, q.adder.rows), columns))
}

// addsUpAcross tells whether a row adds up members that may be compared by a crosswalk. It is then compared with all of the other
// year, not with what its members are compared with: checkTotal.
func (e *examination) addsUpAcross(l *layers, cell answer.Cell) bool {
	c := l.plan.Comparison()
	return c != nil && c.Crosses() && (len(cell.Keys) < len(l.plan.Keys()) || cell.Others > 0) &&
		slices.ContainsFunc(e.version.Model.Levels(), func(level cube.Level) bool { return len(level.SameAs) > 0 })
}

// checkTotal checks that all members of the years are compared with all of the years that these are compared with.
func (c *comparison) checkTotal() error {
	if !c.l.plan.Comparison().Crosses() || len(c.named.filters) > 0 || len(c.l.query.Having) > 0 || c.l.query.Fill != query.FillNone ||
		len(c.there) == 0 || slices.Contains(slices.Collect(maps.Values(c.pairs)), false) {
		return nil
	}
	there := c.merged(slices.Collect(maps.Values(c.there)))
	for i, a := range c.l.plan.Aggregates() {
		if a.Role != query.RoleEarlier {
			continue
		}
		want := halfToEven(there.own[baseName(a)], a.Scale)
		if got := c.l.whole.Summary.Values[i]; !sameAmount(got, want) && (got.Valid || !c.gappy(aggregateRef(baseName(a)).Measure, &part{})) {
			return fmt.Errorf("%s of the summary is %s, the other question has %s", a.Name, text(got), text(want))
		}
	}
	return nil
}

// edition gives the edition of a field in a year.
func (c *comparison) edition(field string, year cube.Value) string {
	column, _ := c.version.Model.Column(field)
	return editionOf(column.From, year.String())
}

// same gives the path of a member in another year: its own if its codes are those of that year, or one that the crosswalk leads to.
func (c *comparison) same(level cube.Level, path []string, year, there cube.Value) ([]string, bool) {
	isOf := func(path []string, year cube.Value) bool {
		for i, field := range level.Path {
			if c.version.Model.IsEdition(field) && path[i] != c.edition(field, year) {
				return false
			}
		}
		return true
	}
	if !isOf(path, year) {
		return nil, false
	}
	known := [][]string{path}
	for i := 0; i < len(known); i++ {
		if isOf(known[i], there) {
			return known[i], true
		}
		for _, s := range level.SameAs {
			for _, pair := range [][2][]string{{s.Path, s.SameAs}, {s.SameAs, s.Path}} {
				if slices.Equal(pair[0], known[i]) && !slices.ContainsFunc(known, func(k []string) bool { return slices.Equal(k, pair[1]) }) {
					known = append(known, pair[1])
				}
			}
		}
	}
	return nil, false
}

// beside gives the keys so many years away. They are none if a member is not known to be the same as any, or the cuts do not admit
// the other one.
func (c *comparison) beside(keys []cube.Value, offset int64) ([]cube.Value, bool) {
	other, year := slices.Clone(keys), cube.Missing
	if c.key >= 0 {
		year = keys[c.key]
		other[c.key] = moved(year, offset)
	} else {
		for here := range c.pairs { // all are of one edition, if any row is compared with those of another
			if year = here; offset != c.offset {
				year = moved(here, c.offset)
			}
		}
	}
	there, columns := moved(year, offset), c.l.plan.Keys()
	if year.IsMissing() || there.IsMissing() || !c.numberedAnew(fieldsOf(columns), year, there) {
		return other, true
	}
	found := map[string]bool{}
	for _, level := range c.l.plan.Levels() {
		path, ok := pathOf(columns, keys, level)
		if !ok || c.version.Model.IsEdition(level.Ref) || !slices.ContainsFunc(level.Path, c.version.Model.IsEdition) {
			continue
		}
		same, ok := c.same(level, texts(path), year, there)
		if !ok {
			return nil, false
		}
		for i, column := range c.version.Model.PathOf(level) {
			at := slices.IndexFunc(columns, func(k cube.Column) bool { return k.Name == column.Name })
			other[at], _ = column.Value(same[i])
			found[column.Name] = true
		}
	}
	for _, column := range columns {
		if column.IsEdition() && !found[column.Name] && c.edition(column.Name, year) != c.edition(column.Name, there) {
			return nil, false
		}
	}
	return other, c.cutsAdmit(keys, other)
}

// onlyMoved gives the keys so many years away, with the same codes.
func (c *comparison) onlyMoved(keys []cube.Value) []cube.Value {
	keys = slices.Clone(keys)
	if c.key >= 0 {
		keys[c.key] = moved(keys[c.key], c.offset)
	}
	return keys
}

// cutsAdmit tells whether the cuts that are the same in both questions admit the keys that differ.
func (c *comparison) cutsAdmit(keys, other []cube.Value) bool {
	columns := c.l.plan.Keys()
	differs := func(t plan.Test) bool {
		i := slices.IndexFunc(columns, func(k cube.Column) bool { return k.Name == t.Column.Name })
		return i >= 0 && i != c.key && keys[i] != other[i]
	}
	return !slices.ContainsFunc(asked(c.l.plan), func(f plan.Filter) bool {
		return !slices.Contains(c.named.filters, f.String()) && slices.ContainsFunc(slices.Concat(f.Any...), differs) &&
			c.adder.judge(c.l.plan, f, func(column cube.Column) (cube.Value, bool) {
				i := slices.IndexFunc(columns, func(k cube.Column) bool { return k.Name == column.Name })
				if i < 0 {
					return cube.Missing, false
				}
				return other[i], true
			}) != yes
	})
}

// namedMembers are those of a level with a crosswalk that the cuts name by whole paths.
type namedMembers struct {
	level   cube.Level
	filters []string            // the cuts
	members []map[string]string // the keys of each by field, perhaps without editions
}

// hasEditionsBeside tells whether rows of several editions are beside each other without their years.
func (c *comparison) hasEditionsBeside() bool {
	years := c.years()
	return c.key < 0 && len(years) > 1 && slices.ContainsFunc(years, func(year cube.Value) bool {
		return c.numberedAnew(fieldsOf(c.l.plan.Keys()), years[0], year)
	})
}

// findNamed finds the members that cuts name by whole paths.
func (c *comparison) findNamed() {
	c.named = &namedMembers{}
	for _, level := range c.version.Model.Levels() {
		if len(level.SameAs) == 0 {
			continue
		}
		named := &namedMembers{level: level, members: []map[string]string{{}}}
		for _, f := range asked(c.l.plan) {
			isOther := func(t plan.Test) bool {
				return t.Members != nil || len(t.In) == 0 || !slices.Contains(level.Path, t.Column.Name)
			}
			if !f.Not && !slices.ContainsFunc(slices.Concat(f.Any...), isOther) {
				named.filters, named.members = append(named.filters, f.String()), joinedWith(named.members, f)
			}
		}
		isPart := func(member map[string]string) bool {
			return slices.ContainsFunc(level.Path, func(field string) bool {
				_, has := member[field]
				return !has && !c.version.Model.IsEdition(field)
			})
		}
		if len(named.filters) > 0 && !slices.ContainsFunc(named.members, isPart) {
			c.named = named
		}
	}
}

// joinedWith gives the members that a filter admits too.
func joinedWith(members []map[string]string, f plan.Filter) (joined []map[string]string) {
	for _, tests := range f.Any {
		list := members
		for _, t := range tests {
			var next []map[string]string
			for _, member := range list {
				for _, v := range t.In {
					if known, has := member[t.Column.Name]; !has || known == v.String() {
						with := map[string]string{t.Column.Name: v.String()}
						for field, key := range member {
							with[field] = key
						}
						next = append(next, with)
					}
				}
			}
			list = next
		}
		joined = append(joined, list...)
	}
	return joined
}

// namedIn gives the members that the cuts name in a year, and those of them that are known in another year.
func (c *comparison) namedIn(year, there cube.Value) (paths, same [][]string) {
	seen := map[string]bool{}
	for _, member := range c.named.members {
		path, isOf := make([]string, len(c.named.level.Path)), true
		for i, field := range c.named.level.Path {
			path[i] = member[field]
			if c.version.Model.IsEdition(field) {
				path[i] = c.edition(field, year)
				known, has := member[field]
				isOf = isOf && (!has || known == path[i])
			}
		}
		if id := strings.Join(path, "\x00"); isOf && !seen[id] {
			seen[id], paths = true, append(paths, path)
			if other, ok := c.same(c.named.level, path, year, there); ok {
				same = append(same, other)
			}
		}
	}
	return paths, same
}

// crosses tells whether a year may be compared with one of another edition of some of the fields.
func (c *comparison) crosses(fields []string, year, there cube.Value) bool {
	for _, column := range c.version.Model.Columns() {
		if !column.IsEdition() || !c.goesBy(fields, column.Name) || c.edition(column.Name, year) == c.edition(column.Name, there) {
			continue
		}
		inOne := func(other cube.Value) bool {
			return c.edition(column.Name, other) == c.edition(column.Name, year) &&
				c.edition(column.Name, moved(other, c.offset)) == c.edition(column.Name, there)
		}
		if !c.version.Model.HasCrosswalk(column.Name) || c.key < 0 && slices.ContainsFunc(c.years(), func(y cube.Value) bool { return !inOne(y) }) {
			return false
		}
		for _, f := range asked(c.l.plan) {
			var tested []string
			for _, t := range slices.Concat(f.Any...) {
				tested = append(tested, t.Column.Name)
			}
			if !c.goesBy(tested, column.Name) {
				continue
			}
			isDrilled := !slices.ContainsFunc(c.named.level.Path, func(field string) bool { return !slices.Contains(fieldsOf(c.l.plan.Keys()), field) })
			paths, same := c.namedIn(year, there)
			if !slices.Contains(c.named.filters, f.String()) || !slices.Contains(tested, c.named.level.Ref) ||
				len(same) == 0 || !isDrilled && len(same) < len(paths) {
				return false
			}
		}
	}
	return true
}

// years gives the fiscal years that the question is about.
func (c *comparison) years() (years []cube.Value) {
	for year := range c.adder.columnsByYear() {
		if !year.IsMissing() && c.adder.admitsYear(c.l.plan, year) {
			years = append(years, year)
		}
	}
	return years
}

// goesBy tells whether a code of the fields belongs to an edition.
func (c *comparison) goesBy(fields []string, edition string) bool {
	return slices.ContainsFunc(fields, func(field string) bool {
		level, _ := c.version.Model.Level(field)
		return slices.Contains(level.Path, edition)
	})
}

// movedCuts gives the cuts of the other question of a year: those on whole paths name the same members. It is false if there are none.
func (c *comparison) movedCuts(cuts []query.Cut, year cube.Value) ([]query.Cut, bool, error) {
	if len(c.named.filters) == 0 || !c.numberedAnew([]string{c.named.level.Ref}, year, moved(year, c.offset)) {
		return cuts, true, nil
	}
	var kept []query.Cut
	for _, cut := range cuts {
		p, err := plan.Bind(c.version, query.Query{Cuts: []query.Cut{cut}, Page: query.Every})
		if err != nil {
			return nil, false, err
		}
		if filters := asked(p); len(filters) != 1 || !slices.Contains(c.named.filters, filters[0].String()) {
			kept = append(kept, cut)
		}
	}
	_, same := c.namedIn(year, moved(year, c.offset))
	columns := c.version.Model.PathOf(c.named.level)
	paths := each.Text(same, func(path []string) string { return plan.PathText(columns, path) })
	of, err := query.ParseCut(strconv.Quote(c.named.level.Dimension) + ":" + strings.Join(paths, ";"))
	return append(kept, of...), len(same) > 0, err
}
