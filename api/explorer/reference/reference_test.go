package reference_test

import (
	"testing"
	"time"

	"fiscube/api/explorer/reference"
	"fiscube/internal/golden"
)

func TestWork(t *testing.T) {
	health := reference.Work{
		Key: reference.Key("budget", "approved.sum", "2017", "not", "a/1 é", "v2"), Author: "Ministry & Co", Title: "Approved (HRK) – 50% of {all}",
		Budget: "Budget_1", Version: 3, Published: time.Date(2017, 12, 31, 0, 0, 0, 0, time.UTC), Accessed: time.Date(2018, 5, 2, 0, 0, 0, 0, time.UTC),
		Link: "http://example.com/number?cut=a_b%3A1&lang=en", Note: `a\b ~ $5 #1 ^2 <b>`,
	}
	golden.File(t, "testdata/health.bib", health.BibTeX()+"\n")
	golden.File(t, "testdata/health.json", health.CSL()+"\n")
}
