package cube

import (
	"cmp"
	"slices"
	"strings"
)

// BindFacts resolves a question for facts. The filters are those of the count of rows: cuts, and what keeps money
// from being told twice.
func (c *Cube) BindFacts(q FactQuery) (*FactPlan, error) {
	counting, err := c.Bind(Query{
		Cuts: q.Cuts, Snapshots: q.Snapshots, Page: FirstPage, Aggregates: []AggregateRef{{Func: string(Rows)}},
	})
	if err != nil {
		return nil, err
	}
	p := &FactPlan{cube: c, counting: counting, filters: counting.Filters(), total: unknownTotal, size: q.Size}
	if err := p.bindFields(q.Fields); err != nil {
		return nil, err
	}
	if err := p.bindOrder(q.Order); err != nil {
		return nil, err
	}
	if q.After != "" {
		if err := p.readBookmark(q.After); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *FactPlan) bindFields(refs []Ref) error {
	for _, ref := range refs {
		if p.isPlace(ref) {
			continue // every answer ends in them
		}
		column, err := p.column(ref)
		if err != nil {
			return err
		}
		if p.columnIndex(column.Name) < 0 {
			p.columns = append(p.columns, column)
		}
	}
	if len(refs) == 0 {
		p.columns = slices.Clone(p.Cube().Model.Columns())
	}
	p.fields = len(p.columns)
	return nil
}

// isPlace tells whether a ref names one of the columns that say where a fact stands.
func (p *FactPlan) isPlace(ref Ref) bool {
	return ref.Dimension == "" && (ref.Name == ResourceField || ref.Name == LineField)
}

// column gives the column of a field; dimension.field is the longer form for the field of a level.
func (p *FactPlan) column(ref Ref) (Column, error) {
	model := p.Cube().Model
	column, ok := model.Column(ref.Name)
	level, isLevel := model.Level(ref.Name)
	_, isDimension := model.Dimension(ref.Name)
	_, isMeasure := model.Measure(ref.Dimension)
	switch {
	case ok && (ref.Dimension == "" || isLevel && level.Dimension == ref.Dimension):
		return column, nil
	case isMeasure && !ok:
		return Column{}, Errorf(CodeUnknownRef, "facts have no aggregates").at(ref.At).
			or("name the field: " + quoteName(ref.Dimension))
	case isDimension && !ok:
		return Column{}, Errorf(CodeUnknownRef, "%q is a dimension, no field", ref.Name).at(ref.At).
			or("name one of its fields: " + p.fieldsOf(ref.Name))
	}
	names := texts(model.Columns(), func(c Column) string { return c.Name })
	return Column{}, Errorf(CodeUnknownRef, "no field %q", ref.String()).at(ref.At).
		or(cmp.Or(didYouMean(ref.Name, names), oneOf("fields", texts(names, quoteName))))
}

func (p *FactPlan) fieldsOf(dimension string) string {
	d, _ := p.Cube().Model.Dimension(dimension)
	return strings.Join(texts(d.Levels, func(l Level) string { return quoteName(l.Ref) }), ", ")
}

func (p *FactPlan) columnIndex(name string) int {
	return slices.IndexFunc(p.columns, func(c Column) bool { return c.Name == name })
}

// bindOrder makes the order complete by where the facts stand. What comes after that would decide nothing.
func (p *FactPlan) bindOrder(order []Order) error {
	for _, o := range order {
		column, err := p.sortColumn(o)
		if err != nil {
			return err
		}
		p.addSort(FactSort{Column: column, Desc: o.Desc})
	}
	p.asked = len(p.order)
	for _, s := range fileOrder {
		p.addSort(s)
	}
	return nil
}

// addSort leaves out a sort by what already decides.
func (p *FactPlan) addSort(s FactSort) {
	sorts := func(column int) bool {
		return slices.ContainsFunc(p.order, func(o FactSort) bool { return o.Column == column })
	}
	if !sorts(s.Column) && (!sorts(ByResource) || !sorts(ByLine)) {
		p.order = append(p.order, s)
	}
}

// sortColumn gives the place of the column that an order goes by, adding it where no field asked for is that.
func (p *FactPlan) sortColumn(o Order) (int, error) {
	switch {
	case p.isPlace(o.Ref) && o.Ref.Name == ResourceField:
		return ByResource, nil
	case p.isPlace(o.Ref):
		return ByLine, nil
	}
	column, err := p.column(o.Ref)
	if err != nil {
		return 0, err
	}
	if p.columnIndex(column.Name) < 0 {
		p.columns = append(p.columns, column)
	}
	return p.columnIndex(column.Name), nil
}
