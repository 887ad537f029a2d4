package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"fiscube/cube"
)

func TestFormatsByAccept(t *testing.T) {
	const (
		xlsx   = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		binary = "application/vnd.apache.parquet"
		ndjson = "application/x-ndjson"
	)
	h := answering(t, nasty()...)
	for accept, want := range map[string]string{
		"application/*":                            "application/json",
		ndjson:                                     ndjson,
		xlsx + ", */*":                             xlsx,
		binary + ";q=0.4, " + ndjson + ";q=0.5":    ndjson,
		"text/csv;q=0.8, " + binary + ";q=0.9":     binary,
		"text/csv, " + ndjson:                      "text/csv; charset=utf-8",
		"application/json, " + ndjson:              "application/json",
		"application/*;q=0.5, " + xlsx + ";q=0.2":  "application/json",
		"application/json;q=0, " + "application/*": ndjson,
	} {
		if got := ask(t, h, question, "Accept", accept).header.Get("Content-Type"); got != want {
			t.Errorf("Accept: %s gives %s, want %s", accept, got, want)
		}
	}
}

// Each format names its file, links to its question, and says what is to be known of it.
func TestWhatFormatsCarry(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	f.cubes[0].Notes = []cube.Titles{{"en": "Preliminary."}}
	f.members = named(t).members
	f.run = yielding(cube.Cell{Count: 1, Values: amounts("3")}, cube.Cell{Values: amounts("3")})
	h := handler(t, f)
	for target, want := range map[string][2]string{
		"/cubes/croatia/aggregate?drilldown=admin1_code&cut=Year:2016..2017|!unit:%22a/%C5%BE%22;&aggregates=_count&": {
			"croatia-aggregate-admin1_code-_count-not-a-z-2016-to-2017-f9f0e33c-v3.",
			"drilldown=admin1_code&cut=%21unit%3A%22%22%3B%22a%2F%C5%BE%22%7CYear%3A2016..2017&aggregates=_count&order=admin1_code%3Aasc",
		},
		"/cubes/croatia/facts?fields=Year&cut=Year:2014&": {"croatia-facts-2014-fields-Year-d8b3c233-v3.", "fields=Year&cut=Year%3A2014"},
		"/cubes/croatia/members/admin2_code?q=Dr%C5%BEavni+zavod&parent=010&": {
			"croatia-members-admin2_code-Drzavni-zavod-parent-010-6899e418-v3.", "q=Dr%C5%BEavni+zavod&parent=010",
		},
	} {
		path, _, _ := strings.Cut(target, "?")
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet"} {
			r := ask(t, h, target+"format="+format)
			if got, file := r.header.Get("Content-Disposition"), "attachment; filename="+want[0]+format; got != file {
				t.Errorf("%s: %s, want %s", format, got, file)
			}
			link := `<http://example.com` + path + "?" + want[1] + `&version=3>; rel="canonical"`
			if got := r.header.Get("Link"); got != link {
				t.Errorf("%s: Link %s\nwant %s", format, got, link)
			}
			if got := r.header.Get("Fiscube-Warnings"); got != `note;message=%"Preliminary."` {
				t.Errorf("%s: Fiscube-Warnings: %s", format, got)
			}
			if r.status != http.StatusOK || r.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %d %v", format, r.status, r.header)
			}
		}
	}
}

func TestStatementsAreInTheNameOfTheFile(t *testing.T) {
	h := handler(t, monthly(t))
	for question, want := range map[string]string{
		"": "monthly-aggregate-plan.sum-month-12-06-5b86f427-v1.csv", "&cut=year:2017": "monthly-aggregate-plan.sum-2017-month-12-4e4743f3-v1.csv",
		"&snapshots=all": "monthly-aggregate-plan.sum-snapshots-all-5fbd9790-v1.csv",
		"&cut=year:" + strings.TrimSuffix(strings.Repeat("2017;20180..;", 9), ";"): "monthly-aggregate-plan.sum-2017-",
	} {
		got := ask(t, h, monthlyQuestion+question+"&format=csv").header.Get("Content-Disposition")
		if !strings.HasPrefix(got, "attachment; filename="+want) || len(got) > 150 {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// Parquet and the second sheet of a workbook say what the rows are of.
func TestWhatFilesSayOfThemselves(t *testing.T) {
	f := newFake(t)
	f.run = yielding(nasty()...)
	f.cubes[0].Notes = []cube.Titles{{"en": "Preliminary."}}
	h := handler(t, f)
	lines, err := workbook(t, ask(t, h, question+"&format=xlsx").body).GetRows("About")
	if err != nil {
		t.Fatal(err)
	}
	says(t, fmt.Sprint(lines), "[question http://example.com/cubes/croatia/aggregate?drilldown=", "version=3] [cube croatia]",
		"[title Croatia <Budget> & More] [source Ministry] [version 3] [fingerprint f3] [loaded 2018-05-02] "+
			"[measure approved_value, Approved, HRK, approved, expenditure]", "[warning note: Preliminary.]")
	body := ask(t, h, question+"&format=parquet").body
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"fiscube.warnings": `[{"code":"note","message":"Preliminary."}]`, "fiscube.version": "3", "fiscube.cube": "croatia",
		"fiscube.measure": "approved_value, Approved, HRK, approved, expenditure",
	} {
		if got, _ := file.Lookup(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
