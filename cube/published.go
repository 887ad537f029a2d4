package cube

import "slices"

// ResourceFacts is the plan of every fact of a resource in the order of its file, with the published columns alone
// in theirs, and the names they were published by. What fiscube made of the cells stands in columns of its own and
// is left out. The error is unknown-resource where there is none of the name, or it was not loaded.
func (c *Cube) ResourceFacts(name string) (plan *FactPlan, header []string, err error) {
	place := slices.IndexFunc(c.Resources, func(r Resource) bool { return r.Name == name })
	if place < 0 {
		names := texts(c.Resources, func(r Resource) string { return r.Name })
		return nil, nil, Errorf(CodeUnknownResource, "%s has no resource %q", c.Name, name).or(didYouMean(name, names))
	}
	resource := c.Resources[place]
	if resource.LeftOut != "" {
		return nil, nil, Errorf(CodeUnknownResource, "the rows of %q are not loaded", name).or(resource.LeftOut)
	}
	plan = &FactPlan{
		cube: c, filters: []Filter{ofResource(place)}, order: fileOrder, total: unknownTotal, size: EveryFact,
	}
	for _, field := range c.headerOf(resource) {
		if column, ok := c.publishedAs(field); ok {
			plan.columns = append(plan.columns, column)
			header = append(header, field)
		}
	}
	plan.fields = len(plan.columns)
	return plan, header, nil
}

// ofResource admits the rows of the resource at that place.
func ofResource(place int) Filter {
	column := Column{Name: ResourceField, Type: TypeInteger}
	f := Filter{Ref: ResourceField}
	f.addExact(column, []Value{Integer(int64(place))})
	f.text = f.canonical()
	return f
}

// headerOf names the columns of a resource's file. A version that was loaded before this was kept has them as the
// model does.
func (c *Cube) headerOf(r Resource) []string {
	if len(r.Header) > 0 {
		return r.Header
	}
	var names []string
	for _, column := range c.Model.Columns() {
		if _, ok := c.publishedAs(column.Name); ok {
			names = append(names, column.Name)
		}
	}
	return names
}

// publishedAs gives the column that holds the cells of a field as they were published: where cells are made into
// something else under the field's own name, they are kept beside it.
func (c *Cube) publishedAs(field string) (Column, bool) {
	columns := c.Model.Columns()
	i := slices.IndexFunc(columns, func(column Column) bool {
		return column.From != nil && column.From.Rule == RuleCell && column.From.Fields[0] == field
	})
	if i < 0 {
		i = slices.IndexFunc(columns, func(column Column) bool { return column.Name == field && column.From == nil })
	}
	if i < 0 {
		return Column{}, false
	}
	return columns[i], true
}
