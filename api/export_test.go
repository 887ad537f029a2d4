package api

import (
	"net/http"
	"time"

	"fiscube/api/request"
)

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

func namesOf(list []request.Parameter) []string {
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// WithDeadlines is what Serve puts around a handler, with the test's own limit.
func WithDeadlines(h http.Handler, piece time.Duration, pace float64) http.Handler {
	return withDeadlines(h, readerLimit{piece, pace})
}
