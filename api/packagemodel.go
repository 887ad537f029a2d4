package api

import (
	"cmp"
	"slices"

	"fiscube/cube"
)

// A data package that is loaded is to answer the question again that it is the answer to. So its descriptor has the
// model of its rows, in the form of the packages that fiscube loads, and beside it lies an overlay, which says what
// that form has no words for.

// rowsModelJSON is the model of the rows.
type rowsModelJSON struct {
	Dimensions objectJSON `json:"dimensions"`
	Measures   objectJSON `json:"measures"`
}

type rowsDimensionJSON struct {
	DimensionType      string     `json:"dimensionType,omitempty"`
	ClassificationType string     `json:"classificationType,omitempty"`
	PrimaryKey         []string   `json:"primaryKey"`
	Attributes         objectJSON `json:"attributes"`
}

type rowsAttributeJSON struct {
	Source   string `json:"source"`
	Title    string `json:"title"`
	LabelFor string `json:"labelfor,omitempty"`
	Parent   string `json:"parent,omitempty"`
}

type rowsMeasureJSON struct {
	Source    string `json:"source"`
	Title     string `json:"title"`
	Currency  string `json:"currency,omitempty"`
	Factor    int64  `json:"factor,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Direction string `json:"direction,omitempty"`
}

// rowsModel makes the model of a plan's answer.
func rowsModel(plan *cube.Plan, lang cube.Language) rowsModelJSON {
	m := rowsModelJSON{objectJSON{}, objectJSON{}}
	for _, d := range plan.Cube().Model.Dimensions() {
		if one := rowsDimension(plan, d, lang); len(one.PrimaryKey) > 0 {
			m.Dimensions = append(m.Dimensions, namedJSON{d.Name, one})
		}
	}
	for _, a := range measured(plan) {
		x, _ := plan.Cube().Model.Measure(a.Measure)
		title := inLanguage([]cube.Measure{x}, lang)[0].Title
		if a.Role != "" {
			title = a.Name
		}
		m.Measures = append(m.Measures, namedJSON{a.Name, rowsMeasureJSON{a.Name, title, x.Currency, x.Unit, x.Phase, x.Direction}})
	}
	return m
}

func rowsDimension(plan *cube.Plan, d cube.Dimension, lang cube.Language) rowsDimensionJSON {
	one := rowsDimensionJSON{DimensionType: d.Type, ClassificationType: d.Classification, Attributes: objectJSON{}}
	for _, key := range plan.Keys() {
		level, ok := plan.Cube().Model.LevelOfKey(key.Name)
		if !ok || level.Dimension != d.Name {
			continue
		}
		one.PrimaryKey = append(one.PrimaryKey, level.Ref)
		about := rowsAttributeJSON{Source: level.Ref, Title: titled(level, lang)}
		if isKey(plan, level.Parent) { // not where a level is here as others are within it
			about.Parent = level.Parent
		}
		one.Attributes = append(one.Attributes, namedJSON{level.Ref, about})
		if plan.LabelOf(key) >= 0 {
			label := rowsAttributeJSON{Source: level.LabelRef, Title: level.LabelRef, LabelFor: level.Ref}
			one.Attributes = append(one.Attributes, namedJSON{level.LabelRef, label})
		}
	}
	return one
}

// isKey tells whether a column of the answer is the field.
func isKey(plan *cube.Plan, field string) bool {
	return slices.ContainsFunc(plan.Keys(), func(key cube.Column) bool { return key.Name == field })
}

func titled(level cube.Level, lang cube.Language) string {
	return cmp.Or(level.Titles.In(lang), level.Ref)
}

// measured gives the aggregates whose cells can be added up: sums, where no row states the money of others again, and
// each is of the members that it names: a remainder would be one of the missing member.
func measured(plan *cube.Plan) []cube.Aggregate {
	if plan.Rollup() || plan.Remainder() || statesAgain(plan) && statedIn(plan) == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(plan.Aggregates()), func(a cube.Aggregate) bool {
		return a.Func != cube.Sum || a.Role != "" && a.Role != cube.RoleEarlier
	})
}
