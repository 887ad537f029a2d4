package cube

import "strings"

// MemberQuery asks for the members of a level as somebody wrote it. Cube.BindMembers turns it into a MemberPlan.
type MemberQuery struct {
	Level  string // the key field, the label field, or dimension.field
	Search string // "" asks for all
	Cuts   []Cut
	Parent []string // the keys of the path, from the top; nil asks for the members below any
	Order  MemberOrder
	Page   Page
}

// MemberOrder is what members are sorted by; their path decides where that is equal.
type MemberOrder struct {
	By   MemberSort
	Desc bool
}

// MemberSort says what a MemberOrder goes by.
type MemberSort string

// What members can be sorted by.
const (
	ByMemberPath  MemberSort = "" // from the top
	ByMemberLabel MemberSort = "label"
	ByMemberKey   MemberSort = "key" // wherever it lies
	ByMemberRows  MemberSort = "rows"
)

// MemberPlan is a MemberQuery whose every name is resolved and every value typed: it cannot be wrong. The members of
// a plan with filters are those that have facts under them.
type MemberPlan struct {
	question *Plan // how many rows each member has
	level    Level
	search   string
	parent   []Test
	order    MemberOrder
	page     Page
}

// MemberRow is a member in an answer.
type MemberRow struct {
	Path   []Value    // one for each of MemberPlan.Path
	Label  Value      // for the years that the cuts admit; the key where it has none
	Labels []LabelUse // what rows of any year call it, the latest first; of listed levels alone
	First  Value      // fiscal year of any of its rows
	Last   Value
	Rows   int64 // that the filters admit
	Count  int64 // of the first row of an answer, which is no member: how many members there are
}

// LabelUse is a label with the fiscal years in which rows have it, ascending; none where the rows have no year.
type LabelUse struct {
	Text  string
	Years []int64
}

// BindMembers resolves a query for members against the cube's model. The error for a level that is not there is
// unknown-level.
func (c *Cube) BindMembers(q MemberQuery) (*MemberPlan, error) {
	level, err := c.level(q.Level)
	if err != nil {
		return nil, err
	}
	question, err := c.Bind(Query{
		Drilldown: []Ref{{Name: level.Ref}}, Cuts: q.Cuts, Aggregates: []AggregateRef{{Func: string(Rows)}}, Page: Every,
	})
	if err != nil {
		return nil, err
	}
	p := &MemberPlan{question: question, level: level, search: Tidy(q.Search), order: q.Order, page: q.Page}
	if p.parent, err = parentTests(question.Keys(), q.Parent); err != nil {
		return nil, err
	}
	return p, p.checkListed(q)
}

// level gives the level that a path of a URL names: bare, since such a name stands alone.
func (c *Cube) level(name string) (Level, error) {
	if level, ok := c.Model.Level(name); ok {
		return level, nil
	}
	for i := range name {
		if level, ok := c.Model.Level(name[i+1:]); ok && name[i] == '.' && level.Dimension == name[:i] {
			return level, nil
		}
	}
	err := Errorf(CodeUnknownLevel, "no level %q", name)
	if d, ok := c.Model.Dimension(name); ok {
		return Level{}, err.or("name one of its levels: " + strings.Join(refsOf(d.Levels), ", "))
	}
	return Level{}, err.or(didYouMean(name, c.Model.refs()))
}

// parentTests binds the keys above a member.
func parentTests(path []Column, keys []string) ([]Test, error) {
	at := Position{Parameter: "parent"}
	if len(keys) >= len(path) {
		return nil, Errorf(CodeBadValue, "the parent has %d keys, and only %d stand above a member of %s", len(keys), len(path)-1,
			path[len(path)-1].Name).at(at).or(`write a slash that belongs to a code inside quotes: "a/b"`)
	}
	tests := make([]Test, len(keys))
	for i, key := range keys {
		value, err := typed(path[i], key, at)
		if err != nil {
			return nil, err
		}
		tests[i] = Test{Column: path[i], In: []Value{value}}
	}
	return tests, nil
}

// checkListed refuses what needs a member table where there is none.
func (p *MemberPlan) checkListed(q MemberQuery) error {
	hint := p.level.Ref + " holds single budget lines"
	switch {
	case p.level.Listed:
		return nil
	case q.Search != "":
		return Errorf(CodeBadValue, "%s, which are not searched", hint).at(Position{Parameter: "q"}).or("cut on another level")
	case q.Order.By == ByMemberLabel:
		return Errorf(CodeBadValue, "%s, which are not sorted by label", hint).at(Position{Parameter: "order"}).or("order=key")
	}
	return nil
}

// Cube is the version of a package that the plan asks.
func (p *MemberPlan) Cube() *Cube { return p.question.cube }

// Question is how many rows the members have: the level drilled under the cuts and the snapshots counted by default.
func (p *MemberPlan) Question() *Plan { return p.question }

// Level is the level whose members are asked for.
func (p *MemberPlan) Level() Level { return p.level }

// Path are the columns that identify a member.
func (p *MemberPlan) Path() []Column { return p.question.keys }

// Search is the text that the key or a label has in it without regard to case and accents; "" asks for all.
func (p *MemberPlan) Search() string { return p.search }

// Parent are what the first keys of the path have to be; all must hold.
func (p *MemberPlan) Parent() []Test { return p.parent }

// Order is what the members are sorted by, before their path.
func (p *MemberPlan) Order() MemberOrder { return p.order }

// Page is the part of the members to return.
func (p *MemberPlan) Page() Page { return p.page }

// Warnings tells what an asker should know of the answer.
func (p *MemberPlan) Warnings() []Warning { return p.question.Warnings() }

// String is the canonical query: two plans of one cube with equal strings have equal answers.
func (p *MemberPlan) String() string {
	clauses := [][2]string{{"level", quoteName(p.level.Ref)}}
	add := func(name string, given bool, text string) {
		if given {
			clauses = append(clauses, [2]string{name, text})
		}
	}
	add("q", p.search != "", quoteText(p.search))
	add("cut", len(p.question.filters) > 0, strings.Join(texts(p.question.filters, filterText), "|"))
	add("parent", len(p.parent) > 0, strings.Join(texts(p.parent, func(t Test) string { return valueText(t.In[0], `""`) }), "/"))
	add("order", p.order != MemberOrder{}, string(p.order.By)+":"+direction(p.order.Desc))
	return clausesText(append(clauses, pageClauses(p.page)...))
}
