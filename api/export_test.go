package api

import (
	"maps"

	"fiscube/cube"
)

// Statuses is the table of codes, to compare with the document.
func Statuses() map[cube.Code]int { return maps.Clone(statuses) }

// AggregateParameters names the parameters of …/aggregate, to compare with the document.
func AggregateParameters() []string {
	var names []string
	for _, p := range aggregateParameters {
		names = append(names, p.name)
	}
	return names
}
