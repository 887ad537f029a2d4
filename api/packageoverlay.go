package api

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/repair"
)

// statedIn says which rows of an answer state the same money, where they do and the answer has what tells them apart;
// else nil.
func statedIn(plan *cube.Plan) *statedJSON {
	s := plan.Cube().Model.Snapshots()
	if s == nil || !statesAgain(plan) {
		return nil
	}
	for _, field := range append([]string{s.By}, s.Per...) {
		if !isKey(plan, field) {
			return nil
		}
	}
	return &statedJSON{s.By, append([]string{}, s.Per...), s.Order}
}

// statesAgain tells whether rows of an answer may state the money of others, or several statements of it in one.
func statesAgain(plan *cube.Plan) bool { return plan.SummaryPlan() != nil || plan.CountsAll() }

// rowsOverlayJSON is an overlay (package fdp), of which JSON is a way to write it.
type rowsOverlayJSON struct {
	Measures  map[string]flowJSON      `json:"measures,omitempty"`
	Levels    map[string]rowsLevelJSON `json:"levels,omitempty"`
	Snapshots *statedJSON              `json:"snapshots,omitempty"`
	Notes     []cube.Titles            `json:"notes,omitempty"`
	Repairs   map[string]string        `json:"repairs"`
}

type flowJSON struct {
	Flow bool `json:"flow"`
}

type rowsLevelJSON struct {
	Within []string    `json:"within,omitempty"`
	Title  cube.Titles `json:"title,omitempty"`
}

type statedJSON struct {
	By    string   `json:"by"`
	Per   []string `json:"per"`
	Order []string `json:"order,omitempty"`
}

// extract stands behind the title of the package: all rows of an answer are not all of what it is of.
var extract = map[cube.Language]string{cube.English: " (extract)", cube.Spanish: " (extracto)"}

// rowsOverlay makes the overlay of a plan's answer, whose link it notes. Its rows are mended already, and what looks
// like a mistake in them is the answer.
func rowsOverlay(plan *cube.Plan, link string) rowsOverlayJSON {
	o := rowsOverlayJSON{
		Measures: map[string]flowJSON{}, Levels: map[string]rowsLevelJSON{}, Snapshots: statedIn(plan),
		Notes: append(slices.Clone(plan.Cube().Notes), cube.Titles{
			string(cube.English): "The rows are the answer to a question: " + link,
			string(cube.Spanish): "Las filas son la respuesta a una pregunta: " + link,
		}),
		Repairs: map[string]string{},
	}
	for _, code := range repair.Codes {
		o.Repairs[code] = "off"
	}
	for _, a := range measured(plan) {
		if x, _ := plan.Cube().Model.Measure(a.Measure); x.Flow && o.Snapshots != nil {
			o.Measures[a.Name] = flowJSON{true}
		}
	}
	for _, key := range plan.Keys() {
		if level, ok := plan.Cube().Model.LevelOfKey(key.Name); ok && len(level.Within)+len(level.Titles) > 0 {
			o.Levels[level.Ref] = rowsLevelJSON{level.Within, level.Titles}
		}
	}
	return o
}
