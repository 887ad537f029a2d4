package cube

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Citation says in a sentence what the numbers of an answer are, and what they rest on.
type Citation struct {
	Text      string     // without the link, which only who serves it knows
	Resources []Resource // those that hold a row which the numbers are made of
}

// Cite says what the summary of an answer is.
func (e *Engine) Cite(ctx context.Context, result *Result, language Language) (Citation, error) {
	plan := result.Plan
	if summary := plan.SummaryPlan(); summary != nil {
		plan = summary
	}
	c := citing{asked: result.Plan, plan: plan, words: in(citationTexts, language), language: language}
	var err error
	if c.rows, err = e.citedRows(ctx, c); err != nil {
		return Citation{}, err
	}
	resources, err := e.restsOn(ctx, plan)
	if f := plan.finish; err == nil && f != nil && f.compare != nil && f.compare.earlier != nil {
		var earlier []Resource
		earlier, err = e.restsOn(ctx, f.compare.earlier)
		resources = together(plan.cube.Resources, resources, earlier)
	}
	return Citation{Text: c.sentence(result.Summary), Resources: resources}, err
}

// citedRows says of which rows the numbers are: what the cuts admit, and of which years that is.
func (e *Engine) citedRows(ctx context.Context, c citing) ([]string, error) {
	var list []string
	filters, years := c.plan.AllFilters(), c.coveredYears()
	if len(filters) == 0 {
		list = append(list, c.words.everything)
	}
	year, _ := c.plan.cube.Model.FiscalYear()
	for _, f := range filters {
		if years != "" && f.names(year.Name) {
			continue // the years say more
		}
		text, err := e.citedFilter(ctx, c, f)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	if years != "" {
		list = append(list, years)
	}
	return list, nil
}

// restsOn lists the resources that hold a row which the plan admits.
func (e *Engine) restsOn(ctx context.Context, plan *Plan) ([]Resource, error) {
	rows := plan.rowsOf([]Column{{Name: ResourceField, Type: TypeInteger}}, plan.AllFilters())
	rows.page = Every
	result, err := e.collect(ctx, rows)
	if err != nil {
		return nil, err
	}
	var resources []Resource
	for i, resource := range plan.cube.Resources {
		if slices.ContainsFunc(result.Cells, func(c Cell) bool { return c.Keys[0] == Integer(int64(i)) }) {
			resources = append(resources, resource)
		}
	}
	return resources, nil
}

// together gives, of all resources, those that are in one of two lists.
func together(all, a, b []Resource) []Resource {
	return slices.DeleteFunc(slices.Clone(all), func(r Resource) bool {
		named := func(o Resource) bool { return o.Name == r.Name }
		return !slices.ContainsFunc(a, named) && !slices.ContainsFunc(b, named)
	})
}

// maxCitedValues is how many values of a cut a sentence names by the labels of their members, and maxCitedMembers how
// many members those may stand for. Where there are more, values are named by themselves alone.
const (
	maxCitedValues  = 10
	maxCitedMembers = 1000
)

// citedFilter says what a filter admits: by the labels of its members where those are few.
func (e *Engine) citedFilter(ctx context.Context, c citing, f Filter) (string, error) {
	level, ok := c.labelled(f)
	if !ok {
		return c.filter(f, nil), nil
	}
	result, err := e.collect(ctx, c.plan.labelsOf(level, f))
	if err != nil || result.Summary.Count > maxCitedMembers {
		return c.filter(f, nil), err
	}
	return c.filter(f, result.Cells), nil
}

// labelsOf asks what the members of a level are called that a filter names, of the rows that the others admit.
func (p *Plan) labelsOf(level Level, f Filter) *Plan {
	named := f
	named.Not = false
	others := slices.DeleteFunc(p.AllFilters(), func(o Filter) bool { return o.text == f.text })
	b := binder{cube: p.cube, model: p.cube.Model, plan: &Plan{}, drilled: []Level{level}}
	b.group()
	_ = b.order(Query{}) // by the keys alone, which are there
	labels := p.rowsOf(b.plan.keys, append(others, named))
	labels.levels, labels.order, labels.page = b.plan.levels, b.plan.order, Page{Number: 1, Size: maxCitedMembers}
	return labels
}

// citing is the making of a sentence.
type citing struct {
	asked    *Plan
	plan     *Plan // whose summary is that of the answer
	words    citationWords
	language Language
	rows     []string // of which rows the numbers are
}

func (c citing) sentence(summary Cell) string {
	var amounts []string
	for i, a := range c.asked.aggregates {
		if i < len(summary.Values) {
			amounts = append(amounts, c.amount(a, summary.Values[i]))
		}
	}
	text := strings.Join(amounts, "; ") + " (" + strings.Join(append(c.rows, c.conditions()...), "; ") + "). " + c.source()
	if c.plan.cube.Synthetic {
		text = c.words.madeUp + " " + text
	}
	return text
}

func (c citing) source() string {
	one := c.plan.cube
	source := cmp.Or(one.TitleIn(c.language), one.Name)
	if one.Publisher != "" {
		source += " (" + one.Publisher + ")"
	}
	return fmt.Sprintf(c.words.source, source, one.Version, one.LoadedAt.Format("2006-01-02"))
}
