// Package bench measures what a dashboard asks of a cube: over HTTP, and beside it as plain SQL over the facts of the same store.
package bench

import (
	"context"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Question is what a dashboard asks: the kind of it, and the clauses.
type Question struct {
	Kind  string
	Given map[string]string // clauses of an aggregate; with q of members
	Level string            // whose members are searched, "" for an aggregate
}

// The kinds of questions of a mix.
const (
	Totals  = "totals"
	ByYear  = "by year"
	ByLevel = "level"
	TwoWays = "two ways"
	Drilled = "cut and drilled"
	AdHoc   = "ad hoc"
	Top     = "top"
	Search  = "search"
	OnBase  = "on the base" // what no aggregate answers that has far fewer rows, which is not of the mix
)

// most is how many cells a page has at most, so that an answer has as many as the SQL beside it.
const most = "10000"

// Largest gives the cut of the largest member of a level, and a word of its label, "" where it has none.
type Largest func(level cube.Level) (cut, word string, err error)

// Mix gives what a dashboard asks of a cube.
func Mix(cb *cube.Cube, largest Largest) ([]Question, error) {
	m := cb.Model
	measure, ok := m.Leading()
	if !ok {
		return nil, cube.Errorf(cube.CodeBadPackage, "%s has no amounts that could be added", cb.Name)
	}
	sum := query.QuoteName(measure.Ref) + ".sum"
	var mix []Question
	add := func(kind string, clauses ...string) {
		given := map[string]string{"aggregates": sum}
		for i := 0; i < len(clauses); i += 2 {
			if clauses[i+1] != "" {
				given[clauses[i]] = clauses[i+1]
			}
		}
		mix = append(mix, Question{Kind: kind, Given: given})
	}
	year, hasYear := m.YearLevel()
	levels := listed(m, year)
	add(Totals)
	if hasYear {
		add(ByYear, "drilldown", drilled(year))
	}
	for _, l := range levels {
		add(ByLevel, "drilldown", drilled(l), "pagesize", most)
	}
	for i, l := range levels {
		if hasYear && l.Parent == "" {
			add(TwoWays, "drilldown", drilled(l, year), "pagesize", most)
		}
		cut, word, err := largest(l)
		if err != nil {
			return nil, err
		}
		for _, below := range levels {
			if below.Parent == l.Ref {
				add(Drilled, "drilldown", drilled(below), "cut", cut, "pagesize", most)
			}
		}
		if word != "" {
			mix = append(mix, Question{Kind: Search, Level: l.Ref, Given: map[string]string{"q": word, "pagesize": "20"}})
		}
		add(Top, "drilldown", drilled(l), "order", sum+":desc", "pagesize", "10")
		if other := levels[(i+1)%len(levels)]; other.Dimension != l.Dimension {
			add(AdHoc, "drilldown", drilled(l, other), "pagesize", most)
		}
	}
	return mix, nil
}

// mostOnBase is how many questions for two levels AllOnBase gives: a package may have hundreds.
const mostOnBase = 12

// AllOnBase gives questions that are answered from the base: for two levels of different dimensions, some of all of these, and for the deepest
// levels of all dimensions together.
func (b *Bench) AllOnBase(ctx context.Context) ([]Question, error) {
	m := b.Cube.Model
	measure, _ := m.Leading()
	year, _ := m.YearLevel()
	levels := listed(m, year)
	var groups [][]cube.Level
	for i, l := range levels {
		for _, other := range levels[i+1:] {
			if other.Dimension != l.Dimension {
				groups = append(groups, []cube.Level{l, other})
			}
		}
	}
	var questions []Question
	add := func(group []cube.Level) error {
		q := Question{Kind: OnBase, Given: map[string]string{
			"aggregates": query.QuoteName(measure.Ref) + ".sum", "drilldown": drilled(group...), "pagesize": most,
		}}
		p, err := q.Plan(b.Cube)
		if err != nil {
			return err
		}
		source, err := b.Store.Source(ctx, p.Main())
		if source.Rows == b.Cube.Rows {
			questions = append(questions, q)
		}
		return err
	}
	deepest := slices.DeleteFunc(slices.Clone(levels), func(l cube.Level) bool {
		return slices.ContainsFunc(levels, func(below cube.Level) bool { return below.Parent == l.Ref })
	})
	for _, group := range groups {
		if err := add(group); err != nil {
			return nil, err
		}
	}
	if n := len(questions); n > mostOnBase {
		for i := range mostOnBase {
			questions[i] = questions[i*n/mostOnBase]
		}
		questions = questions[:mostOnBase]
	}
	return questions, add(deepest)
}

func drilled(levels ...cube.Level) string {
	return strings.Join(each.Text(levels, func(l cube.Level) string { return query.QuoteName(l.Ref) }), "|")
}

// listed are the levels that have members, but for that of the fiscal year.
func listed(m *cube.Model, year cube.Level) []cube.Level {
	return each.Where(m.Levels(), func(l cube.Level) bool { return l.Listed && l.Ref != year.Ref })
}
