package plan

import (
	"iter"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// MemberStatement is what one SQL statement answers with the members of a level. With filters it answers only members that
// have facts which pass them. Only this package makes member statements.
type MemberStatement struct {
	cube    *cube.Cube
	level   cube.Level
	path    []cube.Column
	filters []Filter
	search  string
	parent  []Test
	order   query.MemberOrder
	page    query.Page
}

// MemberRow is a member in an answer.
type MemberRow struct {
	Path   []cube.Value // one for each of MemberStatement.Path
	Label  cube.Value   // for the years that the cuts admit; the key if it has none
	Labels []LabelUse   // its labels in all years, the latest first; only of listed levels
	First  cube.Value   // fiscal year of any of its rows
	Last   cube.Value
	Rows   int64 // that pass the filters
}

// MemberRows is what a store answers to a MemberStatement. Close frees everything, even if Members were not read to
// the end.
type MemberRows struct {
	Count   int64                       // the number of members on all pages
	Members iter.Seq2[MemberRow, error] // those of the page, in order; they can be read once
	Close   func()
}

// LabelUse is a label with the fiscal years in which rows have it, ascending. There are none if the rows have no year.
type LabelUse struct {
	Text  string
	Years []int64
}

// MemberPlan is a checked query for members: every name is resolved and every value typed.
type MemberPlan struct {
	MemberStatement
	counting *Plan
}

// Main is the statement that a store answers.
func (p *MemberPlan) Main() *MemberStatement { return &p.MemberStatement }

// Counting is the plan that counts the rows of the members: it drills the level, with the cuts and the default snapshots.
func (p *MemberPlan) Counting() *Plan { return p.counting }

// BindMembers resolves a query for members against the model of a cube. The error for a level that does not exist
// is unknown-level.
func BindMembers(c *cube.Cube, q query.MemberQuery) (*MemberPlan, error) {
	level, err := levelInPath(c.Model, q.Level)
	if err != nil {
		return nil, err
	}
	counting, err := Bind(c, query.Query{
		Drilldown: []query.Ref{{Name: level.Ref}}, Cuts: q.Cuts, Aggregates: []query.AggregateRef{{Func: string(cube.Rows)}}, Page: query.Every,
	})
	if err != nil {
		return nil, err
	}
	p := &MemberPlan{MemberStatement{cube: c, level: level, path: counting.keys, filters: counting.filters,
		search: tidy.Label(q.Search), order: q.Order, page: q.Page}, counting}
	if p.parent, err = parentTests(p.path, q.Parent); err != nil {
		return nil, err
	}
	return p, p.checkListed(q)
}

// levelInPath gives the level that a path of a URL names. There a name has no quotes, since it is the whole segment.
func levelInPath(m *cube.Model, name string) (cube.Level, error) {
	if level, ok := m.Level(name); ok {
		return level, nil
	}
	for i := range name {
		if level, ok := m.Level(name[i+1:]); ok && name[i] == '.' && level.Dimension == name[:i] {
			return level, nil
		}
	}
	err := cube.Errorf(cube.CodeUnknownLevel, "no level %q", name)
	if d, ok := m.Dimension(name); ok {
		return cube.Level{}, err.WithHint("name one of its levels: " + strings.Join(refsOf(d.Levels), ", "))
	}
	return cube.Level{}, err.Meaning(name, names{m}.refs())
}

// parentTests binds the keys above a member.
func parentTests(path []cube.Column, keys []query.Key) ([]Test, error) {
	at := cube.Position{Parameter: "parent"}
	if above := len(query.KeyColumns(path)) - 1; len(keys) > above {
		return nil, cube.Errorf(cube.CodeBadValue, "the parent has %d keys, and only %d stand above a member of %s", len(keys), above,
			path[len(path)-1].Name).At(at).WithHint(`write a slash that belongs to a code inside quotes: "a/b"`)
	}
	return pathTests(path, keys, at)
}

// checkListed refuses what a level without a member table cannot answer.
func (p *MemberPlan) checkListed(q query.MemberQuery) error {
	hint := p.level.Ref + " holds single budget lines"
	switch {
	case p.level.Listed:
		return nil
	case q.Search != "":
		return cube.Errorf(cube.CodeBadValue, "%s, which are not searched", hint).At(cube.Position{Parameter: "q"}).WithHint("cut on another level")
	case q.Order.By == query.ByMemberLabel:
		return cube.Errorf(cube.CodeBadValue, "%s, which are not sorted by label", hint).At(cube.Position{Parameter: "order"}).WithHint("order=key")
	}
	return nil
}

// Cube is the version of a package that the statement asks.
func (s *MemberStatement) Cube() *cube.Cube { return s.cube }

// Level is the level whose members are asked for.
func (s *MemberStatement) Level() cube.Level { return s.level }

// Path are the columns that identify a member.
func (s *MemberStatement) Path() []cube.Column { return s.path }

// Filters must all pass a fact for it to be counted.
func (s *MemberStatement) Filters() []Filter { return s.filters }

// Search is the text that the key or a label contains, ignoring case and accents; "" asks for all.
func (s *MemberStatement) Search() string { return s.search }

// SearchYears are filters on the fiscal year: Search looks at the labels of the years that they all admit; without them, at
// those of all years.
func (s *MemberStatement) SearchYears() []Filter {
	if s.cube.LabelHistory == nil || !s.level.HasLabels() {
		return nil
	}
	return LabelYears(s.cube, s.filters)
}

// Parent has the tests of the first keys of the path; all must hold.
func (s *MemberStatement) Parent() []Test { return s.parent }

// Order is what the members are sorted by; of equals their path decides.
func (s *MemberStatement) Order() query.MemberOrder { return s.order }

// Page is the part of the members to return.
func (s *MemberStatement) Page() query.Page { return s.page }

// String is the canonical query: two plans of one cube with equal strings have equal answers.
func (p *MemberPlan) String() string {
	clauses := [][2]string{{"level", query.QuoteName(p.level.Ref)}}
	add := func(name string, present bool, text string) {
		if present {
			clauses = append(clauses, [2]string{name, text})
		}
	}
	add("q", p.search != "", query.QuoteText(p.search))
	add("cut", len(p.filters) > 0, strings.Join(each.Text(p.filters, Filter.String), "|"))
	add("parent", len(p.parent) > 0, query.KeysText(columnsOf(p.parent), keysOf(p.parent)))
	add("order", p.order != query.MemberOrder{}, string(p.order.By)+":"+query.Direction(p.order.Desc))
	return query.JoinClauses(append(clauses, query.PageClauses(p.page)...))
}
