package answer

import (
	"cmp"
	"context"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/words"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// Citation says in a sentence what the numbers of an answer are, and lists the files that they come from.
type Citation struct {
	Text      string          // without the link, which only the server knows
	Said      string          // the same in a sentence for newspapers; "" where a page does not say what the number is
	Resources []CitedResource // those with a row that the numbers include
}

// CitedResource is a resource, with the columns of its file that the amounts stand in, where these are some of several.
type CitedResource struct {
	cube.Resource
	Columns []string
}

// mostCitedMembers bounds the members that the values of a cut may name. Of more the citation gives no labels.
const mostCitedMembers = 1000

// Cite cites the summary of an answer, with numbers as a reader writes them, and the cube as a page names it.
func Cite(ctx context.Context, s Store, a *Answer, l words.Locale, named prose.Named) (Citation, error) {
	counted := cmp.Or(a.Plan.Summary(), &a.Plan.Grouping)
	years, err := yearsIn(ctx, s, counted.Main())
	if err != nil {
		return Citation{}, err
	}
	sentence := prose.Cite(a.Plan, a.Caveats, years, l, named)
	members := map[string][]plan.Group{}
	for _, f := range sentence.Filters() {
		level, ok := sentence.LevelOf(f)
		if !ok {
			continue
		}
		labels, err := collect(ctx, s, counted.LabelsOf(level, f, mostCitedMembers), anyNumber)
		if err != nil {
			return Citation{}, err
		}
		if labels.count <= mostCitedMembers {
			members[f.String()] = labels.groups
		}
	}
	var c Citation
	statements := []*plan.Statement{counted.Main()}
	if earlier := earlierOf(counted); earlier != nil {
		statements = append(statements, earlier)
	}
	holds := map[cube.Value]bool{}
	for _, statement := range statements {
		resources, err := collect(ctx, s, statement.Resources(), anyNumber)
		if err != nil {
			return Citation{}, err
		}
		for _, g := range resources.groups {
			holds[g.Keys[0]] = true
		}
	}
	for i, resource := range counted.Cube().Resources {
		if !holds[cube.Integer(int64(i))] {
			continue
		}
		cited := CitedResource{Resource: resource}
		for _, statement := range statements {
			cited.Columns = each.Once(cited.Columns, statement.AmountColumns(&resource)...)
		}
		c.Resources = append(c.Resources, cited)
	}
	var columns []prose.CitedColumn
	for _, r := range c.Resources {
		for _, name := range r.Columns {
			column := prose.CitedColumn{Name: name}
			if len(c.Resources) > 1 {
				column.File = r.Name
			}
			columns = append(columns, column)
		}
	}
	c.Text = tidy.Visible(sentence.Sentence(a.Summary.Values, func(f plan.Filter) []plan.Group { return members[f.String()] }, columns))
	c.Said = tidy.Visible(sentence.Said(a.Summary.Values[0]))
	return c, nil
}

// yearsIn gives the fiscal years of the rows that a statement counts, also the missing one; none if rows have no year.
func yearsIn(ctx context.Context, s Store, statement *plan.Statement) ([]cube.Value, error) {
	ofYears, ok := statement.OfYears()
	if !ok {
		return nil, nil
	}
	rows, err := collect(ctx, s, ofYears, anyNumber)
	if err != nil {
		return nil, err
	}
	years := each.Of(rows.groups, func(g plan.Group) cube.Value { return g.Keys[0] })
	return years, nil
}
