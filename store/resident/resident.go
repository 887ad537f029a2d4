// Package resident answers statements from memory. It wraps a store, of which it reads the base cuboids of the versions that are served into
// columns of numbers, as many as there is room for. An aggregate that a question needs is kept beside them, and answers later questions for
// subsets of its levels. What is not in memory is asked of the store.
//
// Measured on the budget of Mexico: a statement over some hundred rows costs a store 0.7 ms and more, a loop over as many numbers a hundredth
// of that; and which aggregates a load would best store cannot be known before there are questions.
package resident

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/cache"
	"fiscube/store/catalogue"
	"fiscube/store/dictionary"
	"fiscube/store/sqlgen"
)

// Inner is a store that can be asked in SQL.
type Inner interface {
	catalogue.Store
	io.Closer
	Ask(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error]
}

// Store answers from memory what it can, and asks the store inside for the rest.
type Store struct {
	Inner
	options Options
	members *dictionary.Dictionary
	memory  memory
	catalog atomic.Pointer[cube.Catalog] // whose versions are kept
	wanted  chan *cube.Cube              // was asked, and has no base in memory
	log     *slog.Logger
}

// Options are settings of what is in memory.
type Options struct {
	Bytes int64 // that tables take at most
	Few   int32 // rows that are scanned in no time: no aggregate of them is kept; 0 for fewRows
	Many  int32 // rows that all processors scan together; 0 for manyRows
}

const (
	fewRows  = 2000
	manyRows = 100_000
)

// New wraps a store.
func New(inner Inner, o Options, log *slog.Logger) *Store {
	o.Few, o.Many = cmp.Or(o.Few, fewRows), cmp.Or(o.Many, manyRows)
	return &Store{options: o, Inner: inner, members: dictionary.New(sqlgen.MemberTables(inner.Ask), dictionary.DefaultBytes), memory: memory{cache.New[tableID, *table](o.Bytes)},
		wanted: make(chan *cube.Cube, 1), log: log}
}

// LimitMembers sets how much memory keys and labels of members may take.
func (s *Store) LimitMembers(bytes int64) { s.members.Limit(bytes) }

// leastSaving is how many times fewer rows than the base an aggregate has that is kept.
const leastSaving = 10

// Cells implements answer.Store.
func (s *Store) Cells(ctx context.Context, statement *plan.Statement) (plan.Result, error) {
	q, t, err := s.question(ctx, statement)
	if err != nil || q == nil {
		return s.ofFacts(ctx, statement, err)
	}
	g, err := s.groups(ctx, q, t)
	if err != nil || g == nil {
		return s.ofFacts(ctx, statement, err)
	}
	if q.isFlat() {
		f, err := newFlatReading(ctx, s.members, q)
		if err != nil {
			return plan.Result{}, err
		}
		return f.result(g), nil
	}
	r, err := newReading(ctx, s.members, statement, q.groups)
	if err != nil {
		return plan.Result{}, err
	}
	return q.result(g, r), nil
}

// ofFacts answers a statement from the facts, unless something failed.
func (s *Store) ofFacts(ctx context.Context, statement *plan.Statement, failed error) (plan.Result, error) {
	if failed != nil {
		return plan.Result{}, failed
	}
	return s.Inner.Cells(ctx, statement)
}

// question turns a statement into one about numbers, nil if the facts answer, and gives the table in memory that answers it, nil if the base
// cuboid in the store does.
func (s *Store) question(ctx context.Context, statement *plan.Statement) (*question, *table, error) {
	needs := statement.Needs()
	if needs.Why != "" {
		return nil, nil, nil
	}
	q, err := newQuestion(ctx, s.members, statement, needs)
	if err != nil {
		return nil, nil, err
	}
	if q.where.Op == dictionary.Never {
		return q, &table{measures: make([]measure, len(statement.Cube().Model.Measures()))}, nil
	}
	t, err := s.tableFor(ctx, statement.Cube(), needs.Levels, q.hasExtremes())
	return q, t, err
}

// mostAsked is how many groups a store is asked for at most.
const mostAsked = 200_000

// groups gives the groups of a question, nil if there are too many: from a table in memory or, without one, from the store.
func (s *Store) groups(ctx context.Context, q *question, t *table) (*groups, error) {
	most := math.MaxInt32
	if q.isFlat() {
		most = plan.MostRegrouped
	}
	if t == nil {
		return s.ask(ctx, q.of(nil, min(most, mostAsked)), q.needs.Groups)
	}
	return q.of(t, most).run(ctx, s.options.Many)
}

// Source implements answer.Explainer.
func (s *Store) Source(ctx context.Context, statement *plan.Statement) (answer.Source, error) {
	q, t, err := s.question(ctx, statement)
	if err != nil {
		return answer.Source{}, err
	}
	if q == nil {
		source, err := s.Inner.Source(ctx, statement)
		source.Why = statement.Needs()
		return source, err
	}
	if t != nil {
		return answer.Source{Levels: t.levels, Rows: int64(t.rows), Resident: true}, nil
	}
	base, asked := statement.Cube().Cuboids[0], q.of(nil, mostAsked)
	query := sqlgen.BaseGroups(q.Cube(), q.needs.Groups, asked.parts, asked.where, asked.only, mostAsked+1)
	return answer.Source{Levels: base.Levels, Rows: base.Rows, Text: query.Text, Args: query.Args}, nil
}

// tableFor gives the table in memory to ask for some levels, nil if there is none. Where the best has many rows, an aggregate of it is made.
func (s *Store) tableFor(ctx context.Context, c *cube.Cube, levels []int, extremes bool) (*table, error) {
	s.forget(ctx)
	best, inVain := s.memory.best(dictionary.VersionOf(c), levels, extremes)
	if best == nil {
		select {
		case s.wanted <- c:
		default:
		}
	}
	if inVain || s.options.Bytes == 0 || best != nil && best.rows <= s.options.Few {
		return best, nil
	}
	made, err := s.memory.Get(ctx, tableID{dictionary.VersionOf(c), levelsID(levels), extremes}, func() (*table, int64, error) {
		t, err := s.aggregate(ctx, c, best, levels, extremes)
		return t, t.bytes(), err
	})
	if made == nil || err != nil {
		made = best
	}
	return made, err
}

// aggregate makes an aggregate over some levels, nil if it would have too many rows: from a table or, without one, from the store.
func (s *Store) aggregate(ctx context.Context, c *cube.Cube, from *table, levels []int, extremes bool) (*table, error) {
	scan := &scan{cube: c, table: from, where: dictionary.Condition{Op: dictionary.Every}, parts: []plan.Part{{Func: cube.Rows}},
		most: int(c.Rows / leastSaving)}
	functions := []cube.Func{cube.Sum, cube.Count}
	if extremes {
		functions = append(functions, cube.Min, cube.Max)
	}
	for _, m := range c.Model.Measures() {
		for _, f := range functions {
			scan.parts = append(scan.parts, plan.Part{Func: f, Measure: m.Ref})
		}
	}
	all := make([]cube.Level, len(levels))
	for i, index := range levels {
		all[i] = c.Model.Levels()[index]
	}
	for _, level := range cube.Finest(all) {
		members, err := s.members.Members(ctx, c, level)
		if err != nil {
			return nil, err
		}
		scan.levels = append(scan.levels, members)
	}
	run := func() (*groups, error) { return scan.run(ctx, s.options.Many) }
	if from == nil {
		run = func() (*groups, error) { return s.ask(ctx, scan, all) }
	}
	g, err := run()
	if g == nil || err != nil {
		return nil, err
	}
	return g.table(levels, len(c.Model.Measures()), extremes), nil
}

// ask asks the base cuboid in the store for the groups of a scan, with the numbers of some levels.
func (s *Store) ask(ctx context.Context, scan *scan, levels []cube.Level) (*groups, error) {
	g := &groups{from: &table{numbers: map[int]column{}}}
	for i := range scan.parts {
		p := scan.newPart(i, true)
		g.parts = append(g.parts, p)
	}
	read := make([]numberReader, len(levels))
	for i, level := range levels {
		var err error
		if read[i], err = s.numberReader(ctx, scan.cube, level.Index, 0); err != nil {
			return nil, err
		}
	}
	for row, err := range s.Ask(ctx, sqlgen.BaseGroups(scan.cube, levels, scan.parts, scan.where, scan.only, scan.most+1)) {
		if err != nil {
			return nil, err
		}
		if len(g.rows) == scan.most {
			return nil, nil
		}
		g.rows = append(g.rows, int32(len(g.rows)))
		for i := range levels {
			read[i].read(row[i])
		}
		for i, p := range g.parts {
			p.read(row[len(levels)+i])
		}
	}
	for i, level := range levels {
		var err error
		if g.from.numbers[level.Index], err = read[i].column(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// table makes a table of groups whose parts are the number of rows and, of each measure, the sum, number and extremes.
func (g *groups) table(levels []int, measures int, extremes bool) *table {
	t := &table{levels: levels, rows: int32(len(g.rows)), numbers: map[int]column{}, facts: counts(g.parts[0].low), extremes: extremes}
	for _, level := range levels {
		t.numbers[level] = g.from.numbers[level].of(g.rows)
	}
	each := (len(g.parts) - 1) / max(1, measures)
	for i := range measures {
		parts := g.parts[1+each*i:]
		m := measure{sum: parts[0].fitted()}
		if !slices.Equal(parts[1].low, g.parts[0].low) {
			m.count = counts(parts[1].low)
		}
		if extremes {
			m.least, m.greatest = parts[2].fitted(), parts[3].fitted()
		}
		t.measures = append(t.measures, m)
	}
	return t
}

// counts makes a column of numbers of rows.
func counts(list []int64) column {
	most := int64(0)
	for _, n := range list {
		most = max(most, n)
	}
	return narrowest(list, most)
}

// forget drops what is in memory of versions that are gone, and tells whether the catalogue has changed.
func (s *Store) forget(ctx context.Context) (catalog *cube.Catalog, changed bool) {
	catalog, err := s.Catalog(ctx)
	if err != nil || s.catalog.Swap(catalog) == catalog {
		return catalog, false
	}
	kept := map[dictionary.Version]bool{}
	for _, c := range catalog.All() {
		kept[dictionary.VersionOf(c)] = true
	}
	s.memory.Keep(func(id tableID) bool { return kept[id.version] })
	s.members.Keep(kept)
	return catalog, true
}

// lookInterval is how often it is looked whether other versions are served.
const lookInterval = 200 * time.Millisecond

// Follow keeps the base cuboids of the versions that are served in memory, as many as there is room for, until ctx ends. Where there is none
// for one that is asked, what was asked least recently makes room.
func (s *Store) Follow(ctx context.Context) {
	var last *cube.Catalog
	for {
		if catalog, _ := s.forget(ctx); catalog != last {
			last = catalog
			s.Refresh(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case c := <-s.wanted:
			if bytesOfBase(c) <= s.options.Bytes {
				s.readLogged(ctx, c)
			}
		case <-time.After(lookInterval):
		}
	}
}

// Refresh reads the base cuboids of the versions that are served.
func (s *Store) Refresh(ctx context.Context) {
	catalog, _ := s.forget(ctx)
	if catalog == nil {
		return
	}
	for _, c := range catalog.Served() {
		if s.memory.Bytes()+bytesOfBase(c) <= s.options.Bytes {
			s.readLogged(ctx, c)
		}
	}
}

func (s *Store) readLogged(ctx context.Context, c *cube.Cube) {
	if err := s.read(ctx, c); err != nil && ctx.Err() == nil {
		s.log.Warn("a cube is not in memory", "cube", c.Name, "version", c.Version, "error", err)
	}
}

// read reads the base cuboid of a version, and makes the aggregates that dashboards ask most.
func (s *Store) read(ctx context.Context, c *cube.Cube) error {
	id := tableID{version: dictionary.VersionOf(c)}
	if len(c.Cuboids) == 0 || c.Rows > math.MaxInt32 || s.memory.Has(id) {
		return nil
	}
	t, err := s.memory.Get(ctx, id, func() (*table, int64, error) {
		t, err := s.readBase(ctx, c)
		bytes := t.bytes()
		if bytes > s.options.Bytes { // it is not read again, and drives nothing out
			s.log.Warn("a cube has no room in memory", "cube", c.Name, "version", c.Version, "bytes", bytes, "room", s.options.Bytes)
			return nil, 0, nil
		}
		return t, bytes, err
	})
	if t == nil || err != nil {
		return err
	}
	return s.prepare(ctx, c)
}

// bytesOfBase is about how much the base cuboid of a version takes, if no level has more members than two bytes number.
func bytesOfBase(c *cube.Cube) int64 {
	if len(c.Cuboids) == 0 {
		return 0
	}
	ofRow := 2 * len(c.Cuboids[0].Levels)
	for _, m := range c.Model.Measures() {
		amount := 8
		if column, _ := c.Model.Column(m.Ref); !column.IsScaled() {
			amount = bytesOfDecimal
		}
		ofRow += amount + 1 // whether it is missing
	}
	return c.Rows * int64(ofRow)
}

// prepare makes the aggregates of each level with the fiscal year.
func (s *Store) prepare(ctx context.Context, c *cube.Cube) error {
	year, hasYear := c.Model.YearLevel()
	for _, level := range c.Model.Levels() {
		if !level.Listed {
			continue
		}
		q := query.Query{Drilldown: []query.Ref{{Name: query.QuoteName(level.Ref)}}, Page: query.FirstPage}
		if hasYear && level.Ref != year.Ref {
			q.Drilldown = append(q.Drilldown, query.Ref{Name: query.QuoteName(year.Ref)})
		}
		p, err := plan.Bind(c, q)
		if err != nil {
			continue // what nobody can ask
		}
		if needs := p.Main().Needs(); needs.Why == "" {
			if _, err := s.tableFor(ctx, c, needs.Levels, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// readBase reads the base cuboid of a version.
func (s *Store) readBase(ctx context.Context, c *cube.Cube) (*table, error) {
	base := c.Cuboids[0]
	t := &table{levels: base.Levels, rows: int32(base.Rows), numbers: map[int]column{}, extremes: true}
	columns := make([]reader, 0, len(base.Levels)+len(c.Model.Measures()))
	for _, level := range base.Levels {
		numbers, err := s.numberReader(ctx, c, level, base.Rows)
		if err != nil {
			return nil, err
		}
		columns = append(columns, numbers)
	}
	for _, m := range c.Model.Measures() {
		column, _ := c.Model.Column(m.Ref)
		columns = append(columns, newAmountReader(column, base.Rows))
	}
	n := 0
	for row, err := range s.Ask(ctx, sqlgen.SelectBase(c)) {
		if err != nil {
			return nil, err
		}
		if n++; int64(n) > base.Rows {
			break
		}
		for i, v := range row {
			columns[i].read(v)
		}
	}
	if int64(n) != base.Rows {
		return nil, fmt.Errorf("the base cuboid has %d rows, not %d", n, base.Rows)
	}
	for i, level := range base.Levels {
		var err error
		if t.numbers[level], err = columns[i].(numberReader).column(); err != nil {
			return nil, err
		}
	}
	for _, r := range columns[len(base.Levels):] {
		t.measures = append(t.measures, r.(*amountReader).measure())
	}
	return t, nil
}

// Resident gives the bytes that a version takes in memory.
func (s *Store) Resident(c *cube.Cube) int64 { return s.memory.bytesOf(dictionary.VersionOf(c)) }

// Bytes is what all versions take in memory.
func (s *Store) Bytes() int64 { return s.memory.Bytes() }

// Metrics describes what is in memory, and the store inside.
func (s *Store) Metrics(each func(name, help string, value float64)) {
	tables, bases := s.memory.count()
	each("resident_bases", "Versions whose base cuboid is in memory.", float64(bases))
	each("resident_aggregates", "Aggregates that are kept in memory.", float64(tables-bases))
	each("resident_bytes", "Memory that base cuboids and aggregates take.", float64(s.Bytes()))
	if measured, ok := s.Inner.(interface {
		Metrics(each func(name, help string, value float64))
	}); ok {
		measured.Metrics(each)
	}
}

// Nodes gives over how many nodes of a cluster a version is distributed.
func (s *Store) Nodes(ctx context.Context, version *cube.Cube) (int, error) {
	if distributing, ok := s.Inner.(interface {
		Nodes(ctx context.Context, version *cube.Cube) (int, error)
	}); ok {
		return distributing.Nodes(ctx, version)
	}
	return 0, nil
}
