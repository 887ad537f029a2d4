package api

import (
	"maps"

	"fiscube/cube"
)

// The bounds of the queue of loads.
const (
	MostWaiting = mostWaiting
	MostEnded   = mostEnded
)

// Statuses is the table of codes, to compare with the document.
func Statuses() map[cube.Code]int { return maps.Clone(statuses) }

// AggregateParameters names the parameters of …/aggregate, to compare with the document.
func AggregateParameters() []string { return namesOf(aggregateParameters) }

// PackageParameters names those of …/package.zip.
func PackageParameters() []string { return namesOf(packageParameters) }

// FactParameters names those of …/facts.
func FactParameters() []string { return namesOf(factParameters) }

// MemberParameters names those of …/members/{level}.
func MemberParameters() []string { return namesOf(memberParameters) }

// SearchParameters names those of /search.
func SearchParameters() []string { return namesOf(searchParameters) }

func namesOf(list []parameter) []string {
	var names []string
	for _, p := range list {
		names = append(names, p.name)
	}
	return names
}

// WarningsText is the header of warnings in so many bytes.
func WarningsText(warnings []cube.Warning, room int) string { return warningsText(warnings, room) }
