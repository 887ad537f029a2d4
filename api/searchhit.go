package api

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/search"
)

// searchJSON is the answer of /search.
type searchJSON struct {
	Status     string    `json:"status"`
	Total      int       `json:"total_hit_count"`
	Incomplete bool      `json:"incomplete"`
	Hits       []hitJSON `json:"hits"`
	Page       int       `json:"page"`
	PageSize   int       `json:"page_size"`
	Warnings   []warning `json:"warnings"`
}

// hitJSON is something that was found.
type hitJSON struct {
	Kind      search.Kind `json:"kind"`
	Cube      string      `json:"cube"`
	Version   int         `json:"version"`
	Synthetic bool        `json:"synthetic"`
	Dimension *string     `json:"dimension"`
	Level     *string     `json:"level"`
	Measure   *string     `json:"measure"`
	Path      *string     `json:"path"`
	Label     *string     `json:"label"`
	Years     []any       `json:"years"`
	Rows      int64       `json:"rows"`
	Amount    *amountJSON `json:"amount"`
	Href      string      `json:"href"`
}

// amountJSON is the sum of a measure in a year; null where there is none in any.
type amountJSON struct {
	Measure string          `json:"measure"`
	Year    any             `json:"year"`
	Value   json.RawMessage `json:"value"`
}

// pathOrNull gives the path of a member; what is no member has none.
func pathOrNull(path []cube.Value) *string {
	if len(path) == 0 {
		return nil
	}
	text := cube.PathText(path)
	return &text
}

// newAmount gives the amount of a hit; nil where the cube has no measure.
func newAmount(amount search.Amount) *amountJSON {
	if amount.Measure == "" {
		return nil
	}
	return &amountJSON{amount.Measure, plain([]cube.Value{amount.Year})[0], json.RawMessage(cmp.Or(amount.Text, "null"))}
}

// newHit makes a hit whose link begins with the way to the folder of the cubes.
func newHit(h search.Hit, way string) (hitJSON, error) {
	one := h.Cube
	hit := hitJSON{
		Kind: h.Kind, Cube: one.Name, Version: one.Version, Synthetic: one.Synthetic, Dimension: orNull(h.Dimension),
		Level: orNull(h.Level.Ref), Measure: orNull(h.Measure), Path: pathOrNull(h.Path), Label: orNull(h.Label), Rows: h.Rows,
		Amount: newAmount(h.Amount),
	}
	if !h.First.IsMissing() {
		hit.Years = plain([]cube.Value{h.First, h.Last})
	}
	clauses, err := clausesTo(h)
	hit.Href = way + "cubes/" + url.PathEscape(one.Name) + "/aggregate" + clauses
	return hit, err
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// clausesTo writes the question that shows a hit: of a member its own amounts by what is below it, of anything else
// the amounts by its members.
func clausesTo(h search.Hit) (string, error) {
	switch h.Kind {
	case search.KindMember:
		plan, err := h.Cube.Bind(cube.Query{Drilldown: []cube.Ref{{Name: h.Level.Ref}}})
		if err != nil {
			return "", err
		}
		cell := cube.Cell{Keys: h.Path}
		return queryOf("cut", plan.CutOf(cell), "drilldown", refText(plan.Below(cell))), nil
	case search.KindLevel:
		return queryOf("drilldown", refText(h.Level.Ref)), nil
	case search.KindDimension:
		d, _ := h.Cube.Model.Dimension(h.Dimension)
		return queryOf("drilldown", refText(d.Chains()[0][0].Ref)), nil
	case search.KindMeasure:
		year, _ := h.Cube.Model.YearLevel()
		return queryOf("drilldown", refText(year.Ref), "aggregates", sumOf(h.Measure).String()), nil
	}
	return "", nil
}

// queryOf writes names with their values, leaving out those whose value is empty.
func queryOf(pairs ...string) string {
	var list []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			list = append(list, pair[0]+"="+url.QueryEscape(pair[1]))
		}
	}
	return "?" + strings.Join(list, "&")
}

// refText writes a field as a question names it.
func refText(field string) string {
	if field == "" {
		return ""
	}
	return cube.Ref{Name: field}.String()
}

func sumOf(measure string) cube.AggregateRef {
	return cube.AggregateRef{Measure: measure, Func: string(cube.Sum)}
}
