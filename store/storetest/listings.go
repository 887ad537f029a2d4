package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// fewFacts is up to how many facts a package has whose facts are asked for in every order; of larger ones a page
// takes its time.
const fewFacts = 4000

// facts reads the facts of a package page by page and as an export, in orders in which many are equal and under cuts, and
// compares them with the rows of the files: each is there once.
func (e *examination) facts() {
	size, questions := int(e.version.Rows/5)|1, e.factQuestions()
	if e.version.Rows > fewFacts {
		size, questions = 9973, questions[:1]
	}
	facts := 0
	for i, question := range questions {
		if e.version.Model.Snapshots() == nil {
			question = strings.TrimSuffix(question, "&snapshots=all")
		}
		n, err := e.checkFacts(question, size, i%3 == 2)
		if err != nil {
			e.Errorf("%s: %v", question, err)
		}
		facts += n
	}
	if facts == 0 {
		e.Error("no question has a fact")
	}
	e.Logf("%d questions with %d facts", len(questions), facts)
}

// factQuestions makes questions with each of the orders, without a cut and under one made up.
func (e *examination) factQuestions() []string {
	all := []string{"order=_resource&snapshots=all", "order=_resource"}
	for i, order := range e.factOrders() {
		if cuts := newQuestioner(e.version, e.adder, i); i%e.stride() == 0 {
			all = append(all, "order="+order+"&snapshots=all", "order="+order+"&cut="+strings.Join(cuts.times(1, 2, cuts.cut), "|"))
		}
	}
	var questions []string
	for i, question := range all {
		if e.half.has(i) {
			questions = append(questions, question)
		}
	}
	return questions
}

// factOrders lists orders by the snapshots, and by a column of each type, alone and before one another.
func (e *examination) factOrders() []string {
	orders := []string{"_resource:desc", "_line:desc", "_resource:desc,_line:desc"}
	if s := e.version.Model.Snapshots(); s != nil {
		orders = append(orders, quoted(s.By), quoted(s.By)+":desc,_line:desc")
	}
	before := ""
	for _, kind := range []cube.ColumnType{cube.TypeText, cube.TypeInteger, cube.TypeDecimal, cube.TypeText} {
		column, ok := e.columnOf(kind, before)
		if !ok {
			continue
		}
		name := quoted(column.Name)
		orders = append(orders, name, name+":desc")
		if before != "" {
			orders = append(orders, before+":desc,"+name+",_line:desc")
		}
		before = name
	}
	return orders
}

// columnOf gives the column of a type that misses the most cells, but for the one that has just been taken.
func (e *examination) columnOf(kind cube.ColumnType, but string) (found cube.Column, ok bool) {
	for _, column := range e.version.Model.Columns() {
		if column.Type == kind && quoted(column.Name) != but && (!ok || column.Missing > found.Missing) {
			found, ok = column, true
		}
	}
	return found, ok
}

// checkFacts compares the pages of facts, and their export, with the rows that pass, and gives their number. Text is sorted by
// its bytes alone if byBytes says so.
func (e *examination) checkFacts(question string, size int, byBytes bool) (facts int, err error) {
	q, err := factQuery(question)
	if err != nil {
		return 0, err
	}
	q.ByBytes = byBytes
	var want, paged, exported []string
	for q.Size = size; ; {
		p, err := plan.BindFacts(e.version, q)
		if err != nil {
			return 0, err
		}
		if want == nil {
			want = e.adder.facts(p, q.Snapshots == query.AllSnapshots)
		}
		page, err := answer.Facts(e.Context(), e.Store, p, cube.English)
		if err != nil {
			return 0, err
		}
		if page.Total != int64(len(want)) || len(paged) > len(want) {
			return 0, fmt.Errorf("%d facts are counted, want %d; the pages have more than %d", page.Total, len(want), len(paged))
		}
		if len(page.Facts) > 1 {
			rest, err := answer.Facts(e.Context(), e.Store, p.Skipping(1), cube.English)
			if err != nil || len(rest.Facts) == 0 || factText(p, rest.Facts[0]) != factText(p, page.Facts[1]) {
				return 0, fmt.Errorf("the page without its first fact does not begin with its second: %w", err)
			}
		}
		for _, fact := range page.Facts {
			paged = append(paged, factText(p, fact))
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	q.Size = query.EveryFact
	p, err := plan.BindFacts(e.version, q)
	if err != nil {
		return 0, err
	}
	for fact, err := range e.Facts(e.Context(), p.Main()) {
		if err != nil {
			return 0, err
		}
		exported = append(exported, factText(p, fact))
	}
	for name, got := range map[string][]string{"pages": paged, "export": exported} {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				return 0, fmt.Errorf("fact %d of the %s is\n%q\nwant\n%q", i, name, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			return 0, fmt.Errorf("the %s has %d facts, want %d", name, len(got), len(want))
		}
	}
	return len(want), nil
}

func factQuery(question string) (query.FactQuery, error) {
	given := map[string]string{}
	for _, clause := range clauses(question) {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	return query.ParseFactQuery(given)
}

// factText writes a fact as a line. No store holds the NUL between its cells.
func factText(p *plan.FactPlan, fact plan.Fact) string {
	cells := []string{p.Cube().Resources[fact.Resource].Name, strconv.FormatInt(fact.Line, 10)}
	for i, column := range p.Fields() {
		cells = append(cells, fact.Values[i].Text(int32(column.Scale)))
	}
	return strings.Join(cells, "\x00")
}

// facts answers a plan from the rows, whatever its page.
func (a *adder) facts(p *plan.FactPlan, all bool) []string {
	last := a.lastSnapshots(p.Counting(), all || a.onlyFlows(p))
	var rows []row
	for _, r := range a.rows {
		if a.passes(r, p.Counting()) && last.count(a, r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(x, y row) int { return a.compareFacts(p, x, y) })
	lines := make([]string, len(rows))
	for i, r := range rows {
		fact := plan.Fact{Resource: r.resource, Line: r.line}
		for _, column := range p.Columns() {
			fact.Values = append(fact.Values, a.factValue(r, column))
		}
		lines[i] = factText(p, fact)
	}
	return lines
}

// onlyFlows tells whether all amounts among the fields of a plan add up over snapshots.
func (a *adder) onlyFlows(p *plan.FactPlan) bool {
	var flows []bool
	for _, column := range p.Fields() {
		if measure, ok := a.model.Measure(column.Name); ok {
			flows = append(flows, measure.Flow)
		}
	}
	return len(flows) > 0 && !slices.Contains(flows, false)
}

func (a *adder) factValue(r row, column cube.Column) plan.FactValue {
	if column.Type != cube.TypeDecimal {
		return plan.FactValue{Value: a.value(r, column)}
	}
	var v plan.FactValue
	v.Amount.Decimal, v.Amount.Valid = a.amount(r, column.Name)
	return v
}

// compareFacts compares two rows as a plan sorts them. Missing comes last in both directions.
func (a *adder) compareFacts(p *plan.FactPlan, x, y row) int {
	for _, s := range p.Order() {
		var order int
		switch s.Column {
		case plan.ByResource:
			order = cmp.Compare(x.resource, y.resource)
		case plan.ByLine:
			order = cmp.Compare(x.line, y.line)
		default:
			order = a.compareFactValues(p.Columns()[s.Column], x, y, s.Desc, p.ByBytes())
			if order != 0 {
				return order
			}
		}
		if s.Desc {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

func (a *adder) compareFactValues(column cube.Column, x, y row, desc, byBytes bool) int {
	here, there := a.factValue(x, column), a.factValue(y, column)
	order := 0
	switch {
	case here.IsMissing() || there.IsMissing():
		rank := map[bool]int{false: 0, true: 1}
		return cmp.Compare(rank[here.IsMissing()], rank[there.IsMissing()])
	case here.Amount.Valid:
		order = here.Amount.Decimal.Cmp(there.Amount.Decimal)
	case byBytes:
		order = here.Value.CompareBytes(there.Value)
	default:
		order = a.compareKeys(column, here.Value, there.Value)
	}
	if desc {
		return -order
	}
	return order
}

// randomMembers compares the answers to made-up queries for members.
func (e *examination) randomMembers() {
	failed, compared, n := 0, 0, e.howMany()/2
	e.membersOfNumbers = 0
	for i := range n {
		q := newQuestioner(e.version, e.adder, i)
		level, given := q.memberQuery()
		rows, err := e.compareMembers(level, given)
		compared += rows
		if err != nil {
			failed++
			e.Errorf("query %d: %s %v\n%v", i, level, given, err)
		}
		if failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	if compared == 0 {
		e.Error("no query has a member")
	}
	if e.Logf("%d queries with %d members; numbers counted for %d", n, compared, e.membersOfNumbers); e.membersOfNumbers == 0 && n > 0 {
		e.Error("numbers counted for none of them")
	}
}

func (e *examination) compareMembers(level string, given map[string]string) (int, error) {
	q, err := query.ParseMembers(level, given)
	if err != nil {
		return 0, err
	}
	p, err := plan.BindMembers(e.version, q)
	if err != nil {
		return 0, err
	}
	got, count, err := e.membersOf(p)
	if err != nil {
		return 0, err
	}
	if len(p.Filters()) > 0 && p.Counting().Main().Needs().Why == "" {
		e.membersOfNumbers++
	}
	want := e.adder.members(p)
	if count != int64(len(want)) {
		return 0, fmt.Errorf("%d members, want %d", count, len(want))
	}
	first := min((p.Page().Number-1)*p.Page().Size, len(want))
	want = want[first:min(first+p.Page().Size, len(want))]
	if len(got) != len(want) {
		return 0, fmt.Errorf("the page has %d members, want %d", len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			return 0, fmt.Errorf("member %d: got %+v\nwant %+v", i, got[i], want[i])
		}
	}
	return len(got), nil
}

// membersOf asks the store for members and their number.
func (s *subject) membersOf(p *plan.MemberPlan) (rows []plan.MemberRow, count int64, err error) {
	answered, err := s.Members(s.Context(), p.Main())
	if err != nil {
		return nil, 0, err
	}
	defer answered.Close()
	for row, err := range answered.Members {
		if err != nil {
			return nil, 0, err
		}
		rows = append(rows, row)
	}
	return rows, answered.Count, nil
}

// members answers a plan for members with all that there are, in order.
func (a *adder) members(p *plan.MemberPlan) []plan.MemberRow {
	counting, level := p.Counting(), p.Level()
	names, admitted := a.namesOf(level), a.yearsAdmitted(counting)
	var rows []plan.MemberRow
	for _, g := range a.groups(counting, counting.Keys(), false) {
		member := names[pathText(g.keys)]
		below := true
		for i, test := range p.Parent() {
			below = below && g.keys[i] == test.In[0]
		}
		if !below || p.Search() != "" && !member.holds(p.Search(), admitted) {
			continue
		}
		row := plan.MemberRow{Path: g.keys, Rows: int64(len(g.rows)), Label: cube.Text(g.keys[len(g.keys)-1].String()),
			First: member.first, Last: member.last}
		switch {
		case !level.Listed: // of a member in no list the rows that are asked for say all, and the greatest label is shown
			asked, greatest := &memberNames{}, ""
			for _, r := range g.rows {
				asked.addYear(a.yearOf(r))
				if level.LabelRef != "" {
					greatest = max(greatest, r.cells[a.index[level.LabelRef]])
				}
			}
			if row.First, row.Last = asked.first, asked.last; greatest != "" {
				row.Label = cube.Text(greatest)
			}
		case level.LabelRef != "":
			row.Label, row.Labels = a.label(level, g.keys, admitted), member.history()
		}
		rows = append(rows, row)
	}
	ranks := newAlphabet()
	slices.SortFunc(rows, func(x, y plan.MemberRow) int { return a.compareMembers(x, y, p, ranks) })
	return rows
}

// history lists the labels of a member, that of the latest year first, of a year that of most rows.
func (m *memberNames) history() []plan.LabelUse {
	var uses []plan.LabelUse
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(m.years))) {
		for _, label := range byRows(m.years[year]) {
			i := slices.IndexFunc(uses, func(u plan.LabelUse) bool { return u.Text == label })
			if i < 0 {
				i = len(uses)
				uses = append(uses, plan.LabelUse{Text: label})
			}
			if year != noYear {
				uses[i].Years = slices.Insert(uses[i].Years, 0, year)
			}
		}
	}
	return uses
}

// compareMembers compares two members as a plan sorts them, then by their paths. Missing comes last in both directions.
func (a *adder) compareMembers(x, y plan.MemberRow, p *plan.MemberPlan, ranks *alphabet) int {
	desc, order := p.Order().Desc, 0
	byKey := func(i int, desc bool) int {
		return missingLast(x.Path[i], y.Path[i], desc, func(x, y cube.Value) int { return a.compareKeys(p.Path()[i], x, y) })
	}
	switch p.Order().By {
	case query.ByMemberLabel:
		order = missingLast(x.Label, y.Label, desc, ranks.compare)
	case query.ByMemberRows:
		if order = cmp.Compare(x.Rows, y.Rows); desc {
			order = -order
		}
	case query.ByMemberKey:
		order = byKey(len(x.Path)-1, desc)
	}
	for i := range x.Path {
		order = cmp.Or(order, byKey(i, false))
	}
	return order
}
