package babbage

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Question is a question in the words of the cube.
type Question struct {
	query.Query
	Names *Names

	// Aliases are the refs by which a field was asked for, where that is not the one of the model: its column is
	// called so.
	Aliases map[string]string

	// Unasked is how many aggregates, the last ones, only the order needs: they are no columns.
	Unasked int
}

// Query reads the parameters drilldown, cut, aggregates, order, page and pagesize.
func (n *Names) Query(given map[string]string) (Question, error) {
	q := n.question(given)
	err := cmp.Or(
		read(given, "drilldown", q.drilldown), read(given, "cut", q.cut),
		read(given, "aggregates", q.aggregates), read(given, "order", q.order),
	)
	q.addOrdered()
	return q, err
}

// question begins a question. It groups by the attributes that it names and by no others, as clients expect that key cells by
// code or by name.
func (n *Names) question(given map[string]string) Question {
	q := Question{Names: n, Aliases: map[string]string{}}
	q.Flat, q.Page = true, Page(given["page"], given["pagesize"])
	return q
}

// column gives the name of the column of a field.
func (q *Question) column(field string) string { return cmp.Or(q.Aliases[field], q.Names.Field(field)) }

func read(given map[string]string, name string, parse func(text string) error) error {
	text, ok := given[name]
	if !ok {
		return nil
	}
	return parse(text)
}

func (q *Question) drilldown(text string) error {
	refs, err := query.ParseDrilldown(q.Names.prepared(text, ofRefs))
	if err != nil {
		return err
	}
	for _, ref := range refs {
		found, err := q.find(ref, anAttribute)
		if err != nil {
			return err
		}
		q.drill(found, ref.At)
	}
	return nil
}

// drill adds what a ref names to the drilldown: an attribute by itself, a level or a dimension as a whole.
func (q *Question) drill(found resolved, at cube.Position) {
	ref := query.Ref{Name: found.fields[0], At: at}
	if level, ok := q.Names.model.Level(ref.Name); ok && !found.whole {
		ref.Dimension = level.Dimension
	}
	q.Drilldown = append(q.Drilldown, ref)
}

// find resolves a ref and keeps the name it is to have in the answer.
func (q *Question) find(ref query.Ref, what string) (resolved, error) {
	found, ok := q.Names.resolve(ref)
	if !ok {
		return found, q.Names.refuse(ref, what)
	}
	if found.prefix != "" {
		for _, field := range found.fields {
			q.Aliases[field] = found.prefix + "." + q.Names.ids[field]
		}
	}
	return found, nil
}

func (q *Question) cut(text string) (err error) {
	q.Cuts, err = q.Names.Cuts(text)
	return err
}

func (q *Question) aggregates(text string) error {
	refs, err := query.ParseAggregates(ofAggregates.tidy(text))
	if err != nil {
		return err
	}
	q.Aggregates, err = q.Names.aggregates(refs)
	return err
}

func (n *Names) aggregates(refs []query.AggregateRef) ([]query.AggregateRef, error) {
	list := make([]query.AggregateRef, len(refs))
	for i, ref := range refs {
		list[i] = ref
		if ref.Measure != "" {
			field, ok := n.measure(ref.Measure)
			if !ok {
				return nil, n.refuse(query.Ref{Dimension: ref.Measure, Name: ref.Func, At: ref.At}, anAggregate)
			}
			list[i].Measure = field
		}
		var err error
		if list[i].Args, err = n.aggregates(ref.Args); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// measure gives the field of a measure by its id.
func (n *Names) measure(id string) (string, bool) {
	field, ok := n.fields[strings.TrimSpace(id)]
	if !ok {
		field = id
	}
	_, ok = n.model.Measure(field)
	return field, ok
}

// noOrder is what a viewer without an order sends.
const noOrder = "undefined:undefined"

// orders reads the parameter order. A line chart writes the direction with two colons.
func (n *Names) orders(text string) ([]query.Order, error) {
	if text == noOrder {
		return nil, nil
	}
	return query.ParseOrder(n.joined(strings.ReplaceAll(ofOrder.tidy(text), "::", ":"), ofOrder))
}

func (q *Question) order(text string) error {
	list, err := q.Names.orders(text)
	if err != nil {
		return err
	}
	for _, o := range list {
		if field, ok := q.Names.measure(o.Ref.Dimension); ok {
			o.Ref.Dimension = field
		} else if found, ok := q.Names.resolve(o.Ref); ok {
			o.Ref = query.Ref{Name: found.fields[0], At: o.Ref.At}
		} else if len(splitAtHierarchy(o.Ref)) > 1 {
			return q.Names.refuse(o.Ref, anAttribute)
		}
		if o.Formula != nil {
			formula, err := q.Names.aggregates([]query.AggregateRef{*o.Formula})
			if err != nil {
				return err
			}
			o.Formula = &formula[0]
		}
		q.Order = append(q.Order, o)
	}
	return nil
}

// addOrdered adds the aggregates that only the order names, after those that are asked.
func (q *Question) addOrdered() {
	asked := q.Aggregates
	if len(asked) == 0 {
		asked = q.Names.defaultAggregates()
	}
	all := slices.Clone(asked)
	for _, o := range q.Order {
		ref, ok := q.Names.ordered(o)
		if ok && !slices.ContainsFunc(all, func(a query.AggregateRef) bool { return a.String() == ref.String() }) {
			all = append(all, ref)
		}
	}
	if q.Unasked = len(all) - len(asked); q.Unasked > 0 {
		q.Aggregates = all
	}
}

// defaultAggregates are those of an answer where none are asked.
func (n *Names) defaultAggregates() []query.AggregateRef {
	return append([]query.AggregateRef{{Func: string(cube.Rows)}}, each.Of(n.model.Measures(), func(m cube.Measure) query.AggregateRef {
		return query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}
	})...)
}

// ordered gives the aggregate that an order is by, if it is by one.
func (n *Names) ordered(o query.Order) (query.AggregateRef, bool) {
	if o.Formula != nil {
		return *o.Formula, true
	}
	_, isMeasure := n.model.Measure(o.Ref.Dimension)
	_, isDerived := n.model.DerivedMeasure(o.Ref.Name)
	ref := query.AggregateRef{Measure: o.Ref.Dimension, Func: o.Ref.Name, At: o.Ref.At}
	return ref, isMeasure || o.Ref.Dimension == "" && (isDerived || o.Ref.Name == string(cube.Rows))
}

// Page reads the parameters page and pagesize as the dialect does: what is no number is the default, and what is
// out of bounds the nearest bound.
func Page(page, size string) query.Page {
	return query.Page{
		Number: bounded(page, 1, 1, 1<<30),
		Size:   bounded(size, query.DefaultPageSize, 0, query.MaxPageSize),
	}
}

func bounded(text string, absent, least, most int) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return absent
	}
	return min(max(n, least), most)
}

// FactQuestion is a question for facts in the words of the cube.
type FactQuestion struct {
	query.FactQuery
	Names   *Names
	Columns []string // what each field of the answer is called
	Fields  []string // the refs of the model that these are
	Page    query.Page
}

// Facts reads the parameters fields, cut, order, page and pagesize. Without fields it is every attribute and then
// every measure.
func (n *Names) Facts(given map[string]string) (FactQuestion, error) {
	q := n.question(given)
	f := FactQuestion{Names: n, Page: q.Page}
	err := cmp.Or(
		read(given, "cut", q.cut), read(given, "order", q.order),
		read(given, "fields", func(text string) error { return f.read(&q, text) }),
	)
	if _, ok := given["fields"]; !ok {
		f.everything()
	}
	for _, field := range f.FactQuery.Fields {
		f.Fields = append(f.Fields, n.Field(field.Name))
		f.Columns = append(f.Columns, q.column(field.Name))
	}
	f.Cuts, f.Order, f.Size, f.ByBytes = q.Cuts, q.Order, f.Page.Size, true
	return f, err
}

// read reads the fields. The dialect sets commas between them; with quotes our own grammar applies.
func (f *FactQuestion) read(q *Question, text string) error {
	if !strings.Contains(text, `"`) {
		text = strings.ReplaceAll(text, ",", "|")
	}
	refs, err := query.ParseFields(f.Names.prepared(text, ofRefs))
	if err != nil {
		return err
	}
	for _, ref := range refs {
		found, err := q.find(ref, aField)
		if err != nil {
			return err
		}
		f.add(ref.At, found.fields...)
	}
	return nil
}

func (f *FactQuestion) everything() {
	for _, l := range f.Names.model.Levels() {
		f.add(cube.Position{}, attributesOf(l)...)
	}
	for _, m := range f.Names.model.Measures() {
		f.add(cube.Position{}, m.Ref)
	}
}

// add adds fields that are not there yet.
func (f *FactQuestion) add(at cube.Position, fields ...string) {
	for _, field := range fields {
		if !f.has(field) {
			f.FactQuery.Fields = append(f.FactQuery.Fields, query.Ref{Name: field, At: at})
		}
	}
}

func (f *FactQuestion) has(field string) bool {
	return slices.ContainsFunc(f.FactQuery.Fields, func(ref query.Ref) bool { return ref.Name == field })
}

// Members reads the attributes of the path, which are joined by commas and of one level, and the parameters cut, order, page
// and pagesize. The members are the cells of the question that drills them: the first attribute tells them apart.
func (n *Names) Members(attributes string, given map[string]string) (Question, error) {
	q := n.question(given)
	q.Aggregates = []query.AggregateRef{{Func: string(cube.Rows)}}
	err := cmp.Or(q.members(attributes), read(given, "cut", q.cut), read(given, "order", q.order))
	return q, err
}

func (q *Question) members(attributes string) error {
	var level cube.Level
	var whole resolved
	position := 0
	for i, name := range strings.Split(attributes, ",") {
		ref := refOf(q.Names.prepared(name, ofRefs))
		ref.At = cube.Position{Parameter: "level", Offset: position}
		found, err := q.find(ref, anAttribute)
		if err != nil {
			return err
		}
		next, ok := q.Names.model.Level(found.fields[0])
		switch {
		case !ok:
			return q.Names.refuse(ref, anAttribute)
		case i > 0 && next.Ref != level.Ref:
			return q.Names.severalLevels(level, next, name, position)
		case i == 0:
			whole = found
		}
		whole.whole = whole.whole || i > 0 && whole.fields[0] == level.Ref
		level, position = next, position+utf8.RuneCountInString(name)+1
	}
	q.drill(whole, cube.Position{Parameter: "level"})
	return nil
}

// severalLevels says that there are no members of two levels: Babbage gives those of the first, with the greatest of the
// other beside each, whether or not the two have a row in common.
func (n *Names) severalLevels(level, other cube.Level, name string, position int) error {
	err := cube.Errorf(cube.CodeBadValue, "%q is of another level than the attribute before it", name)
	err.Position = &cube.Position{Parameter: "level", Offset: position}
	first, _ := n.Level(level)
	second, _ := n.Level(other)
	err.Hint = "for what there is of both ask …/aggregate?drilldown=" + first + "|" + second
	return err
}

// missing is how a value outside quotes says that there is none; answers have null there.
const missing = "__null__"

// between are two whole numbers joined by a hyphen, which is a sign too.
var between = regexp.MustCompile(`^(-?[0-9]+)-(-?[0-9]+)$`)

// Cuts reads the parameter cut.
func (n *Names) Cuts(text string) ([]query.Cut, error) {
	text = n.prepared(text, ofCuts)
	list, err := query.ParseCut(text)
	if err != nil {
		return nil, err
	}
	written := []rune(text)
	for i, cut := range list {
		found, ok := n.resolve(cut.Ref)
		if !ok {
			return nil, n.refuse(cut.Ref, anAttribute)
		}
		list[i].Ref = query.Ref{Name: found.fields[0], At: cut.Ref.At}
		column, alone := n.column(found.fields[0])
		for j, item := range cut.Items {
			if item.Op == query.OpEqual && (len(item.Path) == 1 || !alone) {
				cut.Items[j] = meant(item, written[item.At.Offset:], column.Type == cube.TypeInteger)
			}
		}
	}
	return list, nil
}

// column gives the column whose values a cut on a field names alone, or on a dimension of one level. The values of
// others are paths. A label is compared as text.
func (n *Names) column(name string) (cube.Column, bool) {
	column, ok := n.model.Column(name)
	if d, _ := n.model.Dimension(name); !ok && len(d.Levels) == 1 && len(d.Levels[0].Path) == 1 {
		column, ok = n.model.Column(d.Levels[0].Ref)
	}
	if level, isLevel := n.model.Level(name); isLevel && level.LabelRef == name {
		column.Type = cube.TypeText
	}
	return column, ok
}

// meant reads what means something of its own outside quotes. A hyphen does between whole numbers alone: codes have
// hyphens too, and are not always quoted.
func meant(item query.Item, written []rune, numbers bool) query.Item {
	for i, key := range item.Path {
		text := key.Literal()
		length := utf8.RuneCountInString(text)
		bounds := between.FindStringSubmatch(text)
		switch {
		case len(written) > 0 && written[0] == '"':
			length = quotedLength(written) + len(key.Edition)
		case key.Text == missing:
			item.Path[i].Text = ""
		case numbers && bounds != nil:
			return query.Item{Op: query.OpRange, From: bounds[1], To: bounds[2], At: item.At}
		}
		written = written[min(length+1, len(written)):]
	}
	return item
}

// quotedLength counts the characters of the JSON string that a text begins with.
func quotedLength(text []rune) int {
	i := 1
	for ; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// grammar is how the text of a parameter falls into refs and what comes after them.
type grammar struct {
	separators string // a comma may belong to a value

	// follows reports whether a word may follow the colon of a ref.
	follows func(word string) bool
}

func nothing(string) bool { return false }

func anything(string) bool { return true }

func direction(word string) bool { return word == "asc" || word == "desc" }

var (
	ofRefs       = grammar{"|", nothing}
	ofCuts       = grammar{"|;", anything}
	ofAggregates = grammar{"|,", nothing} // formulas have no refs with colons
	ofOrder      = grammar{",", direction}
)

// tidy leaves out the white space in front of names and values, as the dialect does. Inside quotes and values it
// stays.
func (g grammar) tidy(text string) string {
	var b strings.Builder
	s := g.scan()
	for _, r := range text {
		if s.front && !s.quoted && unicode.IsSpace(r) {
			continue
		}
		s.next(r)
		b.WriteRune(r)
	}
	return b.String()
}

// scanner knows of each place in the text of a parameter whether it is inside quotes or a value.
type scanner struct {
	grammar
	front   bool // nothing but white space is between a separator and the place
	inValue bool
	quoted  bool
	escaped bool
	before  rune
}

func (g grammar) scan() scanner { return scanner{grammar: g, front: true, before: ' '} }

func (s *scanner) next(r rune) {
	if s.quoted {
		s.quoted = r != '"' || s.escaped
		s.escaped = r == '\\' && !s.escaped
	} else {
		s.quoted = r == '"' && (s.front || strings.ContainsRune(".!/(~", s.before))
		s.front = strings.ContainsRune(s.separators, r) || r == ':' && !s.inValue
		s.inValue = r == ':' || s.inValue && (!s.front || r == ';')
	}
	s.before = r
}
