package babbage

import (
	"cmp"
	"strconv"
	"strings"

	"fiscube/cube"
)

// Question is a question in the words of the cube.
type Question struct {
	cube.Query
	Names *Names

	// Aliases are the refs by which a field was asked for, where that is not the one of the model: its column is
	// called so.
	Aliases map[string]string
}

// Query reads the parameters drilldown, cut, aggregates, order, page and pagesize.
func (n *Names) Query(given map[string]string) (Question, error) {
	q := Question{Names: n, Aliases: map[string]string{}}
	q.Page = Page(given["page"], given["pagesize"])
	err := cmp.Or(
		read(given, "drilldown", q.drilldown), read(given, "cut", q.cut),
		read(given, "aggregates", q.aggregates), read(given, "order", q.order),
	)
	return q, err
}

func read(given map[string]string, name string, parse func(text string) error) error {
	text, ok := given[name]
	if !ok {
		return nil
	}
	return parse(text)
}

func (q *Question) drilldown(text string) error {
	refs, err := cube.ParseDrilldown(q.Names.prepared(text, ofRefs))
	if err != nil {
		return err
	}
	for _, ref := range refs {
		found, err := q.find(ref, anAttribute)
		if err != nil {
			return err
		}
		q.Drilldown = append(q.Drilldown, cube.Ref{Name: found.fields[0], At: ref.At})
	}
	return nil
}

// find resolves a ref and keeps the name it is to have in the answer.
func (q *Question) find(ref cube.Ref, what string) (resolved, error) {
	found, ok := q.Names.resolve(ref)
	if !ok {
		return found, q.Names.refuse(ref, what)
	}
	if found.alias != "" {
		q.Aliases[found.fields[0]] = found.alias
	}
	return found, nil
}

func (q *Question) cut(text string) (err error) {
	q.Cuts, err = q.Names.Cuts(text)
	return err
}

func (q *Question) aggregates(text string) error {
	refs, err := cube.ParseAggregates(ofAggregates.tidy(text))
	if err != nil {
		return err
	}
	q.Aggregates, err = q.Names.aggregates(refs)
	return err
}

func (n *Names) aggregates(refs []cube.AggregateRef) ([]cube.AggregateRef, error) {
	list := make([]cube.AggregateRef, len(refs))
	for i, ref := range refs {
		list[i] = ref
		if ref.Measure != "" {
			field, ok := n.measure(ref.Measure)
			if !ok {
				return nil, n.refuse(cube.Ref{Dimension: ref.Measure, Name: ref.Func, At: ref.At}, anAggregate)
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

// noOrder is what a viewer sends that was never told what to sort by.
const noOrder = "undefined:undefined"

// orders reads the parameter order. A line chart writes the direction with two colons.
func (n *Names) orders(text string) ([]cube.Order, error) {
	if text == noOrder {
		return nil, nil
	}
	return cube.ParseOrder(n.joined(strings.ReplaceAll(ofOrder.tidy(text), "::", ":"), ofOrder))
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
			o.Ref = cube.Ref{Name: found.fields[0], At: o.Ref.At}
		} else if len(splitAtHierarchy(o.Ref)) > 1 {
			return q.Names.refuse(o.Ref, anAttribute)
		}
		if o.Formula != nil {
			formula, err := q.Names.aggregates([]cube.AggregateRef{*o.Formula})
			if err != nil {
				return err
			}
			o.Formula = &formula[0]
		}
		q.Order = append(q.Order, o)
	}
	return nil
}

// Page reads the parameters page and pagesize as the dialect does: what is no number is the default, and what is
// out of bounds the nearest bound.
func Page(page, size string) cube.Page {
	return cube.Page{
		Number: bounded(page, 1, 1, 1<<30),
		Size:   bounded(size, cube.DefaultPageSize, 0, cube.MaxPageSize),
	}
}

func bounded(text string, absent, least, most int) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return absent
	}
	return min(max(n, least), most)
}
