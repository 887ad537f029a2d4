package reference_test

import (
	"encoding/json"
	"testing"
	"time"

	"fiscube/api/explorer/reference"
)

var health = reference.Work{
	Key: "budget-2017", Author: "Ministry & Co", Title: "Approved (HRK) – 50% of {all}", Budget: "Budget_1", Version: 3,
	Published: time.Date(2017, 12, 31, 0, 0, 0, 0, time.UTC), Accessed: time.Date(2018, 5, 2, 0, 0, 0, 0, time.UTC),
	Link: "http://example.com/number?cut=a_b%3A1&lang=en", Note: `a\b ~ $5 #1 ^2 <b>`,
}

func TestWork_BibTeX(t *testing.T) {
	const want = `@misc{budget-2017,
  author = {{Ministry \& Co}},
  title = {Approved (HRK) – 50\% of \{all\}},
  howpublished = {Budget\_1},
  year = {2017},
  version = {3},
  url = {http://example.com/number?cut=a_b%3A1&lang=en},
  urldate = {2018-05-02},
  note = {a\textbackslash{}b \textasciitilde{} \$5 \#1 \textasciicircum{}2 <b>},
}`
	if got := health.BibTeX(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWork_CSL(t *testing.T) {
	var items []map[string]any
	if err := json.Unmarshal([]byte(health.CSL()), &items); err != nil || len(items) != 1 {
		t.Fatalf("%d items: %v", len(items), err)
	}
	for name, want := range map[string]any{
		"id": "budget-2017", "type": "dataset", "title": "Approved (HRK) – 50% of {all}", "container-title": "Budget_1", "version": "3",
		"URL": "http://example.com/number?cut=a_b%3A1&lang=en", "note": `a\b ~ $5 #1 ^2 <b>`,
	} {
		if items[0][name] != want {
			t.Errorf("%s is %v, want %v", name, items[0][name], want)
		}
	}
}

func TestKey(t *testing.T) {
	if got, want := reference.Key("budget", "approved.sum", "2017", "not", "a/1 é", "v2"), "budget-approved-sum-2017-not-a-1-v2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
