package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
	"github.com/shopspring/decimal"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/series"
	"fiscube/internal/each"
)

type modelJSON struct {
	Status     string           `json:"status"`
	Cube       string           `json:"cube"`
	Version    int              `json:"version"`
	Synthetic  bool             `json:"synthetic"`
	Dimensions []dimensionJSON  `json:"dimensions"`
	Levels     []levelJSON      `json:"levels"`
	Measures   []factorJSON     `json:"measures"`
	Derived    []derivedJSON    `json:"derived"`
	Aggregates []string         `json:"aggregates"`
	Snapshots  *cube.Snapshots  `json:"snapshots,omitempty"`
	Financing  []cube.Financing `json:"financing,omitempty"`
	Functions  *functionsJSON   `json:"functions,omitempty"`
	Series     []encode.Series  `json:"series,omitempty"`
	Resources  []resourceJSON   `json:"resources"`
	Coverage   []coverageJSON   `json:"coverage"`
	View       cube.View        `json:"default_view"`
	Warnings   []cube.Warning   `json:"warnings"`
}

type dimensionJSON struct {
	Name           string     `json:"name"`
	Title          string     `json:"title,omitempty"`
	Type           string     `json:"type,omitempty"`
	Classification string     `json:"classification,omitempty"`
	Chains         [][]string `json:"chains"`
}

type levelJSON struct {
	Ref       string          `json:"ref"`
	Title     string          `json:"title,omitempty"`
	LabelRef  string          `json:"label_ref,omitempty"`
	Parent    string          `json:"parent,omitempty"`
	Within    []string        `json:"within,omitempty"`
	Edition   string          `json:"edition,omitempty"`  // the field with the edition of a code
	Editions  []int64         `json:"editions,omitempty"` // their first years
	SameAs    []sameAsJSON    `json:"same_as,omitempty"`
	Dimension string          `json:"dimension"`
	Type      cube.ColumnType `json:"type"`
	Members   *int64          `json:"members,omitempty"` // nil where they are not listed
	breaksJSON
}

// factorJSON is a measure with what its amounts are multiplied by after they are added up.
type factorJSON struct {
	encode.Measure
	Factor json.Number `json:"factor,omitempty"`
}

// derivedJSON is a measure that is a formula of others.
type derivedJSON struct {
	Ref     string `json:"ref"`
	Formula string `json:"formula"`
	Title   string `json:"title,omitempty"`
}

// coverageJSON says in how many rows of each resource a field has a cell; nil where the file does not have the field.
type coverageJSON struct {
	Field  string   `json:"field"`
	Filled []*int64 `json:"filled"`
}

// model says what can be asked of a cube.
func (a *api) model(c echo.Context, cb *cube.Cube) error {
	_, lang, err := request.ReadLanguage(c, request.Lang, request.Pin)
	if err != nil {
		return err
	}
	report, err := findings.Of(cb)
	if err != nil {
		return err
	}
	body := modelJSON{
		Status:     "ok",
		Cube:       cb.Name,
		Version:    cb.Version,
		Synthetic:  cb.Synthetic,
		Dimensions: []dimensionJSON{},
		Levels:     []levelJSON{},
		Measures:   []factorJSON{},
		Derived:    []derivedJSON{},
		Aggregates: aggregatesOf(cb.Model),
		Snapshots:  cb.Model.Snapshots(),
		Financing:  cb.Financing,
		Functions:  functionsOf(cb),
		Series:     encode.NewSeries(series.Of(cb)),
		Resources:  resources(cb, request.Base(c), lang),
		Coverage:   coverageOf(report),
		View:       cb.DefaultView(),
		Warnings:   []cube.Warning{},
	}
	for i, measure := range described(cb.Model.Measures(), lang) {
		body.Measures = append(body.Measures, factorJSON{measure, factorOf(cb.Model.Measures()[i])})
	}
	for _, d := range cb.Model.Derived() {
		body.Derived = append(body.Derived, derivedJSON{d.Ref, d.Formula, cmp.Or(d.Titles.In(lang), d.Title)})
	}
	for _, d := range cb.Model.Dimensions() {
		body.Dimensions = append(body.Dimensions, dimensionJSON{d.Name, d.Titles.In(lang), d.Type, d.Classification, chainsOf(d)})
	}
	for _, l := range cb.Model.Levels() {
		body.Levels = append(body.Levels,
			levelJSON{l.Ref, l.Titles.In(lang), l.LabelRef, l.Parent, l.Within, l.Edition, editionsOf(cb.Model, l), sameAsOf(cb.Model, l), l.Dimension, l.Type, membersOf(report, l),
				breaksOf(cb, l)})
	}
	return reply.SendJSON(c, http.StatusOK, body)
}

// editionsOf gives the first years of the editions of a level; nil where it was never numbered anew.
func editionsOf(m *cube.Model, l cube.Level) []int64 {
	c, ok := m.Column(l.Edition)
	if !ok {
		return nil
	}
	return c.From.Years
}

// sameAsJSON is a member that is the same thing as one of an earlier edition.
type sameAsJSON struct {
	Path   string `json:"path"`
	SameAs string `json:"same_as"`
}

func sameAsOf(m *cube.Model, l cube.Level) []sameAsJSON {
	return each.Of(l.SameAs, func(s cube.SameMember) sameAsJSON {
		return sameAsJSON{plan.PathText(m.PathOf(l), s.Path), plan.PathText(m.PathOf(l), s.SameAs)}
	})
}

// functionsJSON says which level has the members of the divisions of COFOG, and which are of which; no divisions where its codes say so.
type functionsJSON struct {
	Level     string         `json:"level"`
	Divisions []divisionJSON `json:"divisions,omitempty"`
}

type divisionJSON struct {
	Code    string   `json:"code"`
	Members []string `json:"members"` // their paths
}

func functionsOf(cb *cube.Cube) *functionsJSON {
	level, ok := cb.FunctionLevel()
	if !ok {
		return nil
	}
	f := &functionsJSON{Level: level.Ref}
	for _, d := range cb.Functions.Divisions {
		f.Divisions = append(f.Divisions, divisionJSON{d.Code, each.Text(d.Members, func(path []string) string { return plan.PathText(cb.Model.PathOf(level), path) })})
	}
	return f
}

// factorOf writes the factor as JSON writes numbers; it is empty where nothing is said.
func factorOf(m cube.Measure) json.Number {
	if m.Factor == "" {
		return ""
	}
	return json.Number(decimal.RequireFromString(m.Factor).String()) // the model checked it
}

func membersOf(report *findings.Report, level cube.Level) *int64 {
	i := slices.IndexFunc(report.Levels, func(l findings.LevelReport) bool { return l.Ref == level.Ref })
	if i < 0 {
		return nil
	}
	return &report.Levels[i].Members
}

// coverageOf makes the matrix of fields and resources, in the order of both.
func coverageOf(report *findings.Report) []coverageJSON {
	rows, indexes := []coverageJSON{}, map[string]int{}
	for _, c := range report.Coverage {
		index, known := indexes[c.Column]
		if !known {
			index = len(rows)
			indexes[c.Column] = index
			rows = append(rows, coverageJSON{c.Column, make([]*int64, len(report.Resources))})
		}
		resource := slices.IndexFunc(report.Resources, func(r findings.ResourceReport) bool { return r.Name == c.Resource })
		if resource >= 0 && !c.Absent {
			rows[index].Filled[resource] = &c.Filled
		}
	}
	return rows
}

// chainsOf names the levels of each chain, top to bottom.
func chainsOf(d cube.Dimension) [][]string {
	chains := [][]string{}
	for _, chain := range d.Chains() {
		refs := each.Text(chain, func(level cube.Level) string { return level.Ref })
		chains = append(chains, refs)
	}
	return chains
}

// aggregatesOf lists the values of the parameter aggregates.
func aggregatesOf(m *cube.Model) []string {
	names := []string{query.AggregateRef{Func: string(cube.Rows)}.String()}
	for _, measure := range m.Measures() {
		for _, f := range []cube.Func{cube.Sum, cube.Count, cube.Avg, cube.Min, cube.Max} {
			names = append(names, query.AggregateRef{Measure: measure.Ref, Func: string(f)}.String())
		}
	}
	return append(names, each.Text(m.Derived(), func(d cube.Derived) string { return query.AggregateRef{Func: d.Ref}.String() })...)
}
