package cube_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
)

func version(name string, number int, served bool) *cube.Cube {
	return &cube.Cube{Package: &cube.Package{Name: name}, Version: number, Served: served}
}

func listed(cubes []*cube.Cube) string {
	var list []string
	for _, c := range cubes {
		list = append(list, fmt.Sprintf("%s %d", c.Name, c.Version))
	}
	return strings.Join(list, ", ")
}

func TestCatalog(t *testing.T) {
	given := []*cube.Cube{version("uruguay", 1, true), version("croatia", 10, false), version("croatia", 2, true),
		version("withdrawn", 1, false), version("croatia", 1, false)}
	catalog := cube.NewCatalog(given)
	if got := listed(catalog.Served()); got != "croatia 2, uruguay 1" {
		t.Errorf("served %s", got)
	}
	if got := listed(catalog.Versions("croatia")); got != "croatia 1, croatia 2, croatia 10" {
		t.Errorf("versions %s", got)
	}
	if got := catalog.Versions("planet"); got != nil {
		t.Errorf("versions of nothing %s", listed(got))
	}
	if c, err := catalog.Cube("croatia"); err != nil || c.Version != 2 {
		t.Errorf("the served version is %v, %v", c, err)
	}
	if got := listed(given); !strings.HasPrefix(got, "uruguay 1, croatia 10") {
		t.Errorf("the catalog sorted what it was given: %s", got)
	}
	for _, tt := range []struct{ name, want string }{
		{"planet", `no cube "planet"`},
		{"Croatia", `no cube "Croatia" (did you mean croatia?)`},
		{"uruguai", `no cube "uruguai" (did you mean uruguay?)`},
		{"withdrawn", `no cube "withdrawn"`},
	} {
		_, err := catalog.Cube(tt.name)
		wantError(t, err, cube.CodeUnknownCube, tt.want)
	}
}

// canned is a backend that gives the same cells to every question.
type canned struct {
	cube.Backend
	cells []cube.Cell
	err   error
}

func (c canned) Catalog(context.Context) (*cube.Catalog, error) {
	return cube.NewCatalog([]*cube.Cube{version("croatia", 1, true)}), c.err
}

func (c canned) Ready(context.Context) error { return c.err }

func (c canned) Run(context.Context, *cube.Plan) iter.Seq2[cube.Cell, error] {
	return func(yield func(cube.Cell, error) bool) {
		for _, cell := range c.cells {
			if !yield(cell, nil) {
				return
			}
		}
		if c.err != nil {
			yield(cube.Cell{}, c.err)
		}
	}
}

func TestEngineCollectsThePage(t *testing.T) {
	plan := mustAsk(t, "drilldown=Year")
	summary, first, second := cube.Cell{Count: 2}, cube.Cell{Keys: []cube.Value{cube.Integer(1)}}, cube.Cell{Keys: []cube.Value{cube.Missing}}
	for _, tt := range []struct {
		name  string
		cells []cube.Cell
		want  []cube.Cell
	}{
		{"a page of cells", []cube.Cell{summary, first, second}, []cube.Cell{first, second}},
		{"a page past the end", []cube.Cell{summary}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := cube.NewEngine(canned{cells: tt.cells}).Aggregate(t.Context(), plan)
			if want := (&cube.Result{Plan: plan, Summary: summary, Cells: tt.want}); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestEnginePassesErrorsOn(t *testing.T) {
	away := errors.New("away")
	e := cube.NewEngine(canned{cells: []cube.Cell{{Count: 1}}, err: away})
	if got, err := e.Aggregate(t.Context(), mustAsk(t, "")); got != nil || !errors.Is(err, away) {
		t.Errorf("an answer cut short is %+v, %v", got, err)
	}
	if _, err := e.Cube(t.Context(), "croatia"); !errors.Is(err, away) {
		t.Errorf("a cube without a catalog: %v", err)
	}
	if err := e.Ready(t.Context()); !errors.Is(err, away) {
		t.Errorf("ready: %v", err)
	}
}

func TestEngineGivesTheServedVersion(t *testing.T) {
	e := cube.NewEngine(canned{})
	if c, err := e.Cube(t.Context(), "croatia"); err != nil || c.Name != "croatia" {
		t.Errorf("got %v, %v", c, err)
	}
	_, err := e.Cube(t.Context(), "croatie")
	wantError(t, err, cube.CodeUnknownCube, `no cube "croatie" (did you mean croatia?)`)
}
