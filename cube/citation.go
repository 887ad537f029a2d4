package cube

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Citation says in a sentence what the numbers of an answer are, and what they rest on.
type Citation struct {
	Text      string     // without the link, which only who serves it knows
	Resources []Resource // those that hold a row which the numbers are made of
}

// Language is that of a text for people (ISO 639-1).
type Language string

// The languages of citations.
const (
	English Language = "en"
	Spanish Language = "es"
)

// ParseLanguage reads the text of the parameter lang.
func ParseLanguage(text string) (Language, error) {
	if l := Language(text); l == English || l == Spanish {
		return l, nil
	}
	return English, Errorf(CodeBadValue, "lang is %q", text).at(Position{Parameter: "lang"}).
		or("the languages are en and es")
}

// In gives the title in a language, else in English, else in the first one there is; "" where there is none.
func (t Titles) In(l Language) string {
	for _, one := range []Language{l, English} {
		if text, ok := t[string(one)]; ok {
			return text
		}
	}
	for _, language := range slices.Sorted(maps.Keys(t)) {
		return t[language]
	}
	return ""
}

// Cite says what the summary of an answer is.
func (e *Engine) Cite(ctx context.Context, result *Result, language Language) (Citation, error) {
	plan := result.Plan
	if summary := plan.SummaryPlan(); summary != nil {
		plan = summary
	}
	c := citing{plan: plan, words: wordsOf[language], language: language}
	for _, f := range plan.AllFilters() {
		text, err := e.citedFilter(ctx, c, f)
		if err != nil {
			return Citation{}, err
		}
		c.filters = append(c.filters, text)
	}
	resources, err := e.restsOn(ctx, plan)
	return Citation{Text: c.sentence(result.Summary), Resources: resources}, err
}

// restsOn lists the resources that hold a row which the plan admits.
func (e *Engine) restsOn(ctx context.Context, plan *Plan) ([]Resource, error) {
	rows := plan.rowsOf([]Column{{Name: "_resource", Type: TypeInteger}}, plan.AllFilters())
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

// maxCitedMembers is how many members of a cut a sentence names by their labels.
const maxCitedMembers = 10

// citedFilter says what a filter admits: by the labels of its members where those are few.
func (e *Engine) citedFilter(ctx context.Context, c citing, f Filter) (string, error) {
	level, ok := c.plan.cube.Model.LevelOfKey(f.Ref)
	if !ok || level.LabelRef == "" || !level.Listed || len(f.Any) != 1 || len(f.Any[0]) != 1 || len(f.Any[0][0].In) > maxCitedMembers {
		return c.filter(f, nil), nil
	}
	b := binder{cube: c.plan.cube, model: c.plan.cube.Model, plan: &Plan{}, drilled: []Level{level}}
	b.group()
	named := f
	named.Not = false
	others := slices.DeleteFunc(c.plan.AllFilters(), func(o Filter) bool { return o.text == f.text })
	labels := c.plan.rowsOf(b.plan.keys, append(others, named))
	labels.levels, labels.page = b.plan.levels, Page{Number: 1, Size: maxCitedMembers}
	result, err := e.collect(ctx, labels)
	if err != nil || len(result.Cells) == 0 {
		return c.filter(f, nil), err
	}
	return c.filter(f, result.Cells), nil
}

// citing is the making of a sentence.
type citing struct {
	plan     *Plan
	words    words
	language Language
	filters  []string
}

// words are those of a language. %s and %d stand for what is said.
type words struct {
	functions map[Func]string
	rows      string
	everything,
	not, to, from, upTo, or, missing, contains, last string
	source, madeUp string
	group, null    string
}

var wordsOf = map[Language]words{
	English: {
		functions: map[Func]string{Count: "number of rows with %s", Avg: "average of %s", Min: "least %s", Max: "greatest %s",
			Ratio: "%s / %s", Diff: "%s − %s", Share: "share of %s", ShareOfParent: "share of %s in the level above"},
		rows: "rows", everything: "all rows", not: "not %s", to: "%s to %s", from: "from %s", upTo: "up to %s",
		or: " or ", missing: "not stated",
		contains: "containing “%s”", last: "%s, the last statement",
		source: "Source: %s, version %d, loaded %s", madeUp: "Made-up figures, for trying fiscube out.", group: ",", null: "no amount",
	},
	Spanish: {
		functions: map[Func]string{Count: "número de filas con %s", Avg: "promedio de %s", Min: "mínimo de %s", Max: "máximo de %s",
			Ratio: "%s / %s", Diff: "%s − %s", Share: "participación de %s", ShareOfParent: "participación de %s en el nivel superior"},
		rows: "filas", everything: "todas las filas", not: "excepto %s", to: "%s a %s", from: "desde %s", upTo: "hasta %s",
		or: " o ", missing: "sin informar",
		contains: "que contiene «%s»", last: "%s, la última declaración",
		source: "Fuente: %s, versión %d, cargada el %s", madeUp: "Cifras inventadas, para probar fiscube.", group: "\u00a0", null: "sin monto",
	},
}

func (c citing) sentence(summary Cell) string {
	var amounts []string
	for i, a := range c.plan.aggregates {
		if i < len(summary.Values) && (a.Func != Rows || len(c.plan.aggregates) == 1) && a.Role == "" {
			amounts = append(amounts, c.amount(a, summary.Values[i]))
		}
	}
	about := cmp.Or(strings.Join(c.filters, "; "), c.words.everything)
	one := c.plan.cube
	source := cmp.Or(one.Title, one.Name)
	if one.Publisher != "" {
		source += " (" + one.Publisher + ")"
	}
	text := strings.Join(amounts, "; ") + " (" + about + "). " +
		fmt.Sprintf(c.words.source, source, one.Version, one.LoadedAt.Format("2006-01-02"))
	if one.Synthetic {
		text = c.words.madeUp + " " + text
	}
	return text
}
