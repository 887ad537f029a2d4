package seeds_test

import (
	"slices"
	"strings"
	"testing"
)

func TestCroatia(t *testing.T) {
	testQuirks(t, "example-croatia", croatiaQuirks)
}

var croatiaLevels = []string{"admin2", "activity1", "activity2", "activity3",
	"func1", "fin_source", "econ1", "econ2", "econ3"}

var croatiaQuirks = []quirk{
	{"a file per year of 300 to 500 rows", func(rows []row) bool {
		return sizes(rows, "Year", []string{"2016", "2017", "2018", "2019"}, 300, 500)
	}},
	{"missing executed, about 12 %", func(rows []row) bool {
		n := count(rows, func(r row) bool { return r["executed_value"] == "" }) * 100 / len(rows)
		return n >= 10 && n <= 14
	}},
	{"missing approved, about 3 %", func(rows []row) bool {
		n := count(rows, func(r row) bool { return r["approved_value"] == "" }) * 100 / len(rows)
		return n >= 2 && n <= 4
	}},
	{"never both missing", func(rows []row) bool {
		return count(rows, func(r row) bool { return r["approved_value"] == "" && r["executed_value"] == "" }) == 0
	}},
	{"true zeros in both", func(rows []row) bool {
		return has(rows, "approved_value", "0") && has(rows, "executed_value", "0")
	}},
	{"about a dozen negatives, all executed", func(rows []row) bool {
		n := count(rows, func(r row) bool { return strings.HasPrefix(r["executed_value"], "-") })
		approved := count(rows, func(r row) bool { return strings.HasPrefix(r["approved_value"], "-") })
		return n >= 9 && n <= 15 && approved == 0
	}},
	{"0, 1 and 2 decimals in one column", func(rows []row) bool {
		seen := map[int]bool{}
		for _, r := range rows {
			_, fraction, _ := strings.Cut(r["executed_value"], ".")
			seen[len(fraction)] = true
		}
		return seen[0] && seen[1] && seen[2] && len(seen) == 3
	}},
	{"leading zeros", func(rows []row) bool {
		return has(rows, "admin1_code", "010") && has(rows, "admin2_code", "01005") &&
			has(rows, "func1_code", "01") && !has(rows, "func1_code", "1")
	}},
	{"labels drift over the years", func(rows []row) bool {
		return varying(rows, "admin1_label", "admin1_code") > 0 &&
			varying(rows, "admin2_label", "admin1_code", "admin2_code") > 0 &&
			varying(rows, "activity3_label", "activity2_code", "activity3_code") > 0 &&
			varying(rows, "econ3_label", "econ3_code") > 0
	}},
	{"one label per path within a year", func(rows []row) bool {
		return varying(rows, "admin2_label", "Year", "admin1_code", "admin2_code") == 0 &&
			varying(rows, "activity3_label", "Year", "activity1_code", "activity2_code", "activity3_code") == 0
	}},
	{"Ostalo is code and label at every level", func(rows []row) bool {
		return !slices.ContainsFunc(croatiaLevels, func(level string) bool {
			leftover := where(rows, level+"_code", "Ostalo")
			return len(leftover) == 0 || !slices.Equal(distinct(leftover, level+"_label"), []string{"Ostalo"})
		})
	}},
	{"Ostalo under several units", func(rows []row) bool {
		return len(distinct(where(rows, "admin2_code", "Ostalo"), "admin1_code")) >= 3
	}},
	{"a second func1 called Ostalo", func(rows []row) bool {
		return slices.Equal(distinct(where(rows, "func1_label", "Ostalo"), "func1_code"), []string{"99", "Ostalo"})
	}},
	{"quotes in labels", func(rows []row) bool {
		return count(rows, func(r row) bool { return strings.Contains(r["activity3_label"], `"`) }) > 0 &&
			count(rows, func(r row) bool { return strings.Contains(r["admin2_label"], `"`) }) > 0
	}},
	{"commas in labels", func(rows []row) bool {
		return count(rows, func(r row) bool { return strings.Contains(r["activity3_label"], ",") }) > 0
	}},
	{"a project code under two programmes in one year", func(rows []row) bool {
		digital := where(where(rows, "Year", "2018"), "activity3_code", "T360003")
		return slices.Equal(distinct(digital, "activity2_code"), []string{"3601", "3602"})
	}},
	{"a code that moves to another programme", func(rows []row) bool {
		fairs := where(rows, "activity3_code", "A310002")
		return slices.Equal(distinct(where(fairs, "Year", "2017"), "activity2_code"), []string{"3101"}) &&
			slices.Equal(distinct(where(fairs, "Year", "2018"), "activity2_code"), []string{"3103"})
	}},
	{"capitals and mixed case", func(rows []row) bool {
		return has(rows, "admin1_label", "HRVATSKI SABOR") && has(rows, "admin2_label", "Hrvatski sabor")
	}},
}

// A dataset-level copy of schema and sample is a D2 habit.
func TestCroatiaCopiesSchemaAndSample(t *testing.T) {
	d := describe(t, open(t, "example-croatia"))
	if !slices.Equal(d.Schema.header(), d.Resources[0].Schema.header()) || len(d.Sample) != 30 {
		t.Errorf("schema of %d fields, sample of %d rows", len(d.Schema.Fields), len(d.Sample))
	}
}

// sizes reports whether each year, and no other, has between least and most rows.
func sizes(rows []row, field string, years []string, least, most int) bool {
	return slices.Equal(distinct(rows, field), years) && !slices.ContainsFunc(years, func(year string) bool {
		n := len(where(rows, field, year))
		return n < least || n > most
	})
}
