package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Facts, members and flat answers are lists of what answers add up. So each list is checked against an answer under the same cuts, which is
// checked against the rows of the files (relations.go).

// fewFacts is up to how many facts a package has whose facts are asked for in every order; of larger ones a page
// takes its time.
const fewFacts = 4000

// facts reads facts in orders in which many are equal, every other time under cuts.
func (e *examination) facts() {
	size, orders, facts := int(e.version.Rows/5)|1, e.factOrders(), 0
	if e.version.Rows > fewFacts {
		size, orders = 9973, orders[:1]
	}
	for i, order := range orders {
		if i%e.stride() > 0 || !e.half.has(i) {
			continue
		}
		cut, cuts := "", newQuestioner(e.version, e.adder, i)
		if i%2 == 1 {
			cut = "cut=" + strings.Join(cuts.times(1, 2, cuts.cut), "|")
		}
		n, err := e.checkFacts(order, cut, size, i%3 == 2)
		if err != nil {
			e.Errorf("order=%s&%s: %v", order, cut, err)
		}
		facts += n
	}
	if facts == 0 {
		e.Error("no question has a fact")
	}
}

// factOrders lists orders by the snapshots, and by a column of each type, alone and before one another.
func (e *examination) factOrders() []string {
	orders := []string{"_resource", "_resource:desc", "_line:desc", "_resource:desc,_line:desc"}
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

// checkFacts checks that pages of facts are those of an export, that their number and their sums are those of an answer, and that each fact
// is in its place. Text is sorted by its bytes alone if byBytes says so.
func (e *examination) checkFacts(order, cut string, size int, byBytes bool) (count int, err error) {
	all := ""
	if e.version.Model.Snapshots() != nil {
		all = "&snapshots=all"
	}
	q, err := factQuery(strings.TrimSuffix("order="+order+"&"+cut, "&") + all)
	if err != nil {
		return 0, err
	}
	measure := e.version.Model.Measures()[0]
	answered := e.ask(e.version, strings.Trim(cut+"&aggregates=_count|"+quoted(measure.Ref)+".sum"+all, "&")).Summary.Values
	q.ByBytes, q.Size = byBytes, size
	var paged, exported []plan.Fact
	var p *plan.FactPlan
	for more := true; more; more = q.After != "" {
		if p, err = plan.BindFacts(e.version, q); err != nil {
			return 0, err
		}
		page, err := answer.Facts(e.Context(), e.Store, p, cube.English)
		if err != nil {
			return 0, err
		}
		if len(page.Facts) > 1 {
			rest, err := answer.Facts(e.Context(), e.Store, p.Skipping(1), cube.English)
			if err != nil || len(rest.Facts) == 0 || factText(p, rest.Facts[0]) != factText(p, page.Facts[1]) {
				return 0, fmt.Errorf("the page without its first fact does not begin with its second: %w", err)
			}
		}
		if paged, q.After = append(paged, page.Facts...), page.Next; decimal.NewFromInt(page.Total).Cmp(answered[0].Decimal) != 0 || int64(len(paged)) > page.Total {
			return 0, fmt.Errorf("the pages have %d of %d facts, the answer counts %s", len(paged), page.Total, text(answered[0]))
		}
	}
	q.Size = query.EveryFact
	if p, err = plan.BindFacts(e.version, q); err != nil {
		return 0, err
	}
	for fact, err := range e.Facts(e.Context(), p.Main()) {
		if err != nil {
			return 0, err
		}
		exported = append(exported, fact)
	}
	if !slices.EqualFunc(paged, exported, func(x, y plan.Fact) bool { return factText(p, x) == factText(p, y) }) {
		return 0, errors.New("the export has other facts than the pages, or another order")
	}
	var sum decimal.Decimal
	at, lines := slices.IndexFunc(p.Fields(), func(c cube.Column) bool { return c.Name == measure.Ref }), map[string]bool{}
	for i, fact := range paged {
		if i > 0 && e.compareFacts(p, paged[i-1], fact) > 0 {
			return 0, fmt.Errorf("the fact %q comes before %q", factText(p, paged[i-1]), factText(p, fact))
		}
		lines[factText(p, fact)], sum = true, sum.Add(fact.Values[at].Amount.Decimal)
	}
	factor, err := measure.Multiplier()
	if got := sum.Mul(factor); len(lines) != len(paged) || !got.Equal(answered[1].Decimal) {
		return 0, fmt.Errorf("%d different facts of %d add up to %s, the answer has %s", len(lines), len(paged), got, text(answered[1]))
	}
	return len(paged), err
}

// factText writes a fact as a line. No store holds the NUL between its cells.
func factText(p *plan.FactPlan, fact plan.Fact) string {
	cells := []string{p.Cube().Resources[fact.Resource].Name, strconv.FormatInt(fact.Line, 10)}
	for i, column := range p.Fields() {
		cells = append(cells, fact.Values[i].Text(int32(column.Scale)))
	}
	return strings.Join(cells, "\x00")
}

// compareFacts compares two facts as a plan sorts them. Missing comes last in both directions.
func (e *examination) compareFacts(p *plan.FactPlan, x, y plan.Fact) int {
	for _, s := range p.Order() {
		order := 0
		switch s.Column {
		case plan.ByResource:
			order = cmp.Compare(x.Resource, y.Resource)
		case plan.ByLine:
			order = cmp.Compare(x.Line, y.Line)
		default:
			column, here, there := p.Columns()[s.Column], x.Values[s.Column], y.Values[s.Column]
			switch {
			case here.IsMissing() || there.IsMissing():
				rank := map[bool]int{true: 1}
				if order = cmp.Compare(rank[here.IsMissing()], rank[there.IsMissing()]); order != 0 {
					return order
				}
			case here.Amount.Valid:
				order = here.Amount.Decimal.Cmp(there.Amount.Decimal)
			case p.ByBytes():
				order = here.Value.CompareBytes(there.Value)
			default:
				order = e.adder.compareKeys(column, here.Value, there.Value)
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

// randomMembers lists members: each has the rows and the label of a cell.
func (e *examination) randomMembers() {
	failed, compared, n := 0, 0, e.howMany()/2
	for i := range n {
		level, given := newQuestioner(e.version, e.adder, i).memberQuery()
		rows, err := e.checkMembers(level, given)
		compared += rows
		if err != nil {
			failed++
			e.Errorf("query %d: %s %v\n%v", i, level, given, err)
		}
		if failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	if compared == 0 && n > 0 {
		e.Error("no query has a member")
	}
}

// listed gives the members that a query asks for.
func (e *examination) listed(level string, given map[string]string) (*plan.MemberPlan, []plan.MemberRow, int64, error) {
	q, err := query.ParseMembers(level, given)
	if err != nil {
		return nil, nil, 0, err
	}
	p, err := plan.BindMembers(e.version, q)
	if err != nil {
		return nil, nil, 0, err
	}
	rows, count, err := e.membersOf(p)
	return p, rows, count, err
}

func (e *examination) checkMembers(level string, given map[string]string) (int, error) {
	_, page, count, err := e.listed(level, given)
	if err != nil {
		return 0, err
	}
	all := maps.Clone(given)
	delete(all, "page")
	all["pagesize"] = "10000"
	p, rows, n, err := e.listed(level, all)
	if err != nil {
		return 0, err
	}
	size, number := 100, 1
	if text := given["pagesize"]; text != "" {
		size, _ = strconv.Atoi(text)
	}
	if given["page"] == "2" {
		number = 2
	}
	first := min((number-1)*size, len(rows))
	whole := rows[first:min(first+size, len(rows))]
	if n != count || n != int64(len(rows)) || fmt.Sprint(page) != fmt.Sprint(whole) {
		return 0, fmt.Errorf("the page has %d of %d members, all are %d of %d", len(page), count, len(rows), n)
	}
	ref := p.Level().Ref
	question := "drilldown=" + quoted(ref) + "&aggregates=_count&pagesize=10000"
	if given["cut"] != "" {
		question += "&cut=" + given["cut"]
	}
	cells := map[string]answer.Cell{}
	for _, cell := range e.ask(e.version, question).Cells {
		cells[pathText(cell.Keys)] = cell
	}
	ranks := newAlphabet()
	for i, row := range rows {
		cell, ok := cells[pathText(row.Path)]
		if !ok || cell.Values[0].Decimal.IntPart() != row.Rows {
			return 0, fmt.Errorf("the member %q has %d rows, the cell %s", texts(row.Path), row.Rows, amountsText(cell.Values))
		}
		if at := slices.IndexFunc(e.plan(e.version, question).Levels(), func(l cube.Level) bool { return l.Ref == ref }); p.Level().HasLabels() && cell.Labels[at] != row.Label {
			return 0, fmt.Errorf("the member %q is called %q, the cell %q", texts(row.Path), row.Label, cell.Labels[at])
		}
		if i > 0 && e.compareMembers(p, rows[i-1], row, ranks) >= 0 {
			return 0, fmt.Errorf("the member %q comes before %q", texts(rows[i-1].Path), texts(row.Path))
		}
	}
	if given["q"] == "" && given["parent"] == "" && len(rows) != len(cells) {
		return 0, fmt.Errorf("%d members, the answer has %d cells", len(rows), len(cells))
	}
	return len(rows), e.checkFound(p, level, all, rows)
}

// checkFound checks which members a search leaves out, where labels of all years count.
func (e *examination) checkFound(p *plan.MemberPlan, level string, given map[string]string, found []plan.MemberRow) error {
	part := given["q"]
	if part == "" || given["cut"] != "" {
		return nil
	}
	delete(given, "q")
	_, rows, _, err := e.listed(level, given)
	if err != nil {
		return err
	}
	for _, row := range rows {
		texts := []string{row.Path[len(row.Path)-1].String()}
		for _, use := range row.Labels {
			texts = append(texts, use.Text)
		}
		isFound := slices.ContainsFunc(found, func(f plan.MemberRow) bool { return slices.Equal(f.Path, row.Path) })
		if has := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(folded(tidied(text)), folded(tidied(part))) }); has != isFound {
			return fmt.Errorf("%q is found in %q: %t, want %t", part, texts, isFound, has)
		}
	}
	return nil
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

// compareMembers compares two members as a plan sorts them, then by their paths. Missing comes last in both directions.
func (e *examination) compareMembers(p *plan.MemberPlan, x, y plan.MemberRow, ranks *alphabet) int {
	desc, order := p.Order().Desc, 0
	byKey := func(i int, desc bool) int {
		return missingLast(x.Path[i], y.Path[i], desc, func(x, y cube.Value) int { return e.adder.compareKeys(p.Path()[i], x, y) })
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

// flatQuestions drills each level by the fields of its path (query.Query.Flat), and by its own key alone: the cells are those of the level, or
// add them up, text is sorted by its bytes, and a label is that of the latest year, as it is published.
func (e *examination) flatQuestions() {
	measure := e.version.Model.Measures()[0]
	sum := query.AggregateRef{Measure: measure.Ref, Func: string(cube.Sum)}
	for i, level := range e.version.Model.Levels() {
		if i%e.stride() > 0 || !e.half.has(i) {
			continue
		}
		own, err := e.answer(query.Query{Drilldown: []query.Ref{{Name: level.Ref}}, Aggregates: []query.AggregateRef{{Func: rowCount}, sum}, Page: query.Every})
		if err != nil {
			e.Fatal(err)
		}
		q := query.Query{Flat: true, Aggregates: []query.AggregateRef{{Func: rowCount}, sum}, Page: query.Page{Number: 1, Size: 10_000}}
		for _, column := range own.Plan.Keys() {
			of, _ := e.version.Model.LevelOfKey(column.Name)
			q.Drilldown = append(q.Drilldown, query.Ref{Dimension: of.Dimension, Name: column.Name})
		}
		q.Drilldown[len(q.Drilldown)-1].Dimension = "" // with its label
		if err := e.checkFlat(level, q, own); err != nil {
			e.Errorf("flat, by the path of %s: %v", level.Ref, err)
		}
		q.Drilldown = q.Drilldown[len(q.Drilldown)-1:]
		if err := e.checkFlat(level, q, own); err != nil {
			e.Errorf("flat, by %s: %v", level.Ref, err)
		}
	}
}

func (e *examination) checkFlat(level cube.Level, q query.Query, own *answer.Answer) error {
	p, err := plan.Bind(e.version, q)
	if err != nil {
		return err
	}
	flat, err := e.run(e.Context(), p)
	if err != nil {
		return err
	}
	skip, isTidy := len(own.Plan.Keys())-len(p.Keys()), !slices.ContainsFunc(e.adder.rows, func(r row) bool {
		return level.LabelRef != "" && r.cells[e.adder.index[level.LabelRef]] != tidied(r.cells[e.adder.index[level.LabelRef]])
	})
	sums, labels := map[string]amounts{}, map[string]cube.Value{}
	for _, cell := range own.Cells {
		id := pathText(cell.Keys[skip:])
		if sums[id] == nil {
			sums[id] = amounts{}
		}
		for i, a := range own.Plan.Aggregates() {
			if cell.Values[i].Valid {
				sums[id].add(amounts{a.Name: cell.Values[i].Decimal.Rat()})
			}
		}
		if at := slices.IndexFunc(own.Plan.Levels(), func(l cube.Level) bool { return l.Ref == level.Ref }); at >= 0 {
			labels[id] = cell.Labels[at]
		}
	}
	if len(flat.Cells) != min(len(sums), q.Page.Size) || flat.Summary.Count != int64(len(sums)) || !slices.EqualFunc(flat.Summary.Values, own.Summary.Values, sameAmount) {
		return fmt.Errorf("%d of %d cells come to %s, want %d to %s", len(flat.Cells), flat.Summary.Count, amountsText(flat.Summary.Values), len(sums),
			amountsText(own.Summary.Values))
	}
	for i, cell := range flat.Cells {
		id := pathText(cell.Keys)
		for j, a := range p.Aggregates() {
			if want := halfToEven(sums[id][a.Name], a.Scale); !sameAmount(cell.Values[j], want) {
				return fmt.Errorf("%s of %q is %s, want %s", a.Name, texts(cell.Keys), text(cell.Values[j]), text(want))
			}
		}
		if len(cell.Labels) > 0 && skip == 0 && isTidy && tidied(cell.Labels[0].String()) != tidied(labels[id].String()) {
			return fmt.Errorf("%q is called %q, want %q", texts(cell.Keys), cell.Labels[0], labels[id])
		}
		if i > 0 && slices.CompareFunc(flat.Cells[i-1].Keys, cell.Keys, func(x, y cube.Value) int { return missingLast(x, y, false, cube.Value.CompareBytes) }) >= 0 {
			return fmt.Errorf("%q comes before %q", texts(flat.Cells[i-1].Keys), texts(cell.Keys))
		}
	}
	return nil
}
