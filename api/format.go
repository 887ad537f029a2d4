package api

import (
	"mime"
	"strconv"
	"strings"

	"fiscube/cube"
)

// readCSV tells whether the answer is to be CSV: the parameter format says so, or else the header Accept.
func readCSV(given map[string]string, accept []string) (bool, error) {
	text, ok := given["format"]
	switch {
	case !ok:
		return prefersCSV(accept), nil
	case text == "csv":
		return true, nil
	case text == "json":
		return false, nil
	}
	return false, mistake(cube.CodeBadValue, "format", "no format "+strconv.Quote(text), "the formats are json and csv")
}

// prefersCSV weighs the two formats by the most exact range that admits each. Where they weigh the same CSV has
// to be named, and JSON not: what a browser sends means JSON.
func prefersCSV(accept []string) bool {
	csv, json := preference{}, preference{}
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, parameters, err := mime.ParseMediaType(strings.TrimSpace(item))
		if err != nil {
			continue
		}
		csv.weigh(media, parameters["q"], "text/csv", "text/*", "*/*")
		json.weigh(media, parameters["q"], "application/json", "application/*", "*/*")
	}
	if csv.weight == json.weight {
		return csv.weight > 0 && csv.named() && !json.named()
	}
	return csv.weight > json.weight
}

// preference is how much a format is wanted, from 0 to 1, and how exactly that was said: 3 by its name.
type preference struct {
	weight float64
	exact  int
}

func (p preference) named() bool { return p.exact == 3 }

// weigh takes up a range of the header if it is one of the names, the exact one first, that admit the format.
func (p *preference) weigh(media, q string, names ...string) {
	for i, name := range names {
		if media != name || len(names)-i <= p.exact {
			continue
		}
		*p = preference{weight: 1, exact: len(names) - i}
		if weight, err := strconv.ParseFloat(q, 64); err == nil {
			p.weight = weight
		}
	}
}
