package site_test

import (
	"slices"
	"testing"

	"fiscube/api/explorer/site"
)

// A name that stands below the same name is said once, however it is written; elsewhere on a path it is another.
func TestOnce(t *testing.T) {
	path := []string{"Ministry", "Income tax", "INCOME TAX", "Income tax", "Wages", "Income tax"}
	if got := site.Once(path); !slices.Equal(got, []string{"Ministry", "Income tax", "Wages", "Income tax"}) || len(path) != 6 || path[2] != "INCOME TAX" {
		t.Errorf("%q of %q", got, path)
	}
}
