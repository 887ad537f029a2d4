package query

import (
	"strconv"

	"fiscube/cube"
)

// Page bounds.
const (
	DefaultPageSize = 100
	MaxPageSize     = 10_000
)

// Page is the part of the cells to return. Pages count from 1. Size 0 asks for the totals alone, and the page Every for
// all cells.
type Page struct {
	Number int
	Size   int
}

// Every is the page with all cells, for exports.
var Every = Page{Number: 1, Size: -1}

// FirstPage is the default page of a Query.
var FirstPage = Page{Number: 1, Size: DefaultPageSize}

// ParsePage reads the texts of the parameters page and pagesize; an empty text means the default.
func ParsePage(page, size string) (Page, error) {
	number, err := parseBounded("page", page, 1, 1, 1<<40)
	if err != nil {
		return Page{}, err
	}
	count, err := parseBounded("pagesize", size, DefaultPageSize, 0, MaxPageSize)
	if err != nil {
		return Page{}, err
	}
	return Page{Number: number, Size: count}, nil
}

// notEmpty refuses an empty text. ParsePage would take it for the default, which is probably not what was meant.
func notEmpty(given map[string]string, name string) error {
	if text, ok := given[name]; ok && text == "" {
		return cube.Errorf(cube.CodeBadPage, "%s is empty", name).At(cube.Position{Parameter: name}).WithHint(leaveOut)
	}
	return nil
}

func parseBounded(parameter, text string, absent, least, most int) (int, error) {
	if text == "" {
		return absent, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, cube.Errorf(cube.CodeBadPage, "%s is %q, not a whole number from %d to %d", parameter, text, least, most).
			At(cube.Position{Parameter: parameter}).WithHint(boundsHint(parameter, n, absent, most))
	}
	return n, nil
}
