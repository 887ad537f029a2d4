package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

type modelJSON struct {
	Status     string          `json:"status"`
	Cube       string          `json:"cube"`
	Version    int             `json:"version"`
	Synthetic  bool            `json:"synthetic"`
	Dimensions []dimensionJSON `json:"dimensions"`
	Levels     []levelJSON     `json:"levels"`
	Measures   []measureJSON   `json:"measures"`
	Aggregates []string        `json:"aggregates"`
	Warnings   []warning       `json:"warnings"`
}

type dimensionJSON struct {
	Name           string     `json:"name"`
	Type           string     `json:"type,omitempty"`
	Classification string     `json:"classification,omitempty"`
	Chains         [][]string `json:"chains"`
}

type levelJSON struct {
	Ref       string          `json:"ref"`
	LabelRef  string          `json:"label_ref,omitempty"`
	Parent    string          `json:"parent,omitempty"`
	Within    []string        `json:"within,omitempty"`
	Dimension string          `json:"dimension"`
	Type      cube.ColumnType `json:"type"`
}

// model tells what can be asked of a cube.
func (a *api) model(c echo.Context) error {
	one, err := a.asked(c)
	if err != nil {
		return err
	}
	body := modelJSON{
		Status:     "ok",
		Cube:       one.Name,
		Version:    one.Version,
		Synthetic:  one.Synthetic,
		Dimensions: []dimensionJSON{},
		Levels:     []levelJSON{},
		Measures:   described(one.Model.Measures()),
		Aggregates: aggregatesOf(one.Model),
		Warnings:   []warning{},
	}
	for _, d := range one.Model.Dimensions() {
		body.Dimensions = append(body.Dimensions, dimensionJSON{d.Name, d.Type, d.Classification, chainsOf(d)})
	}
	for _, l := range one.Model.Levels() {
		body.Levels = append(body.Levels, levelJSON{l.Ref, l.LabelRef, l.Parent, l.Within, l.Dimension, l.Type})
	}
	return sendJSON(c, http.StatusOK, body)
}

// chainsOf names the levels of each chain, top to bottom.
func chainsOf(d cube.Dimension) [][]string {
	chains := [][]string{}
	for _, chain := range d.Chains() {
		var refs []string
		for _, level := range chain {
			refs = append(refs, level.Ref)
		}
		chains = append(chains, refs)
	}
	return chains
}

// aggregatesOf lists what may stand in the parameter aggregates.
func aggregatesOf(m *cube.Model) []string {
	names := []string{cube.AggregateRef{Func: string(cube.Rows)}.String()}
	for _, measure := range m.Measures() {
		for _, f := range []cube.Func{cube.Sum, cube.Count, cube.Avg, cube.Min, cube.Max} {
			names = append(names, cube.AggregateRef{Measure: measure.Ref, Func: string(f)}.String())
		}
	}
	return names
}
