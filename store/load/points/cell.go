package points

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/evidence"
	"fiscube/store/load/numeric"
)

// clean gives a cell as facts have it, and whether it is one of its field's type: one that is not stays as it is.
type clean func(cell string) (text string, ok bool)

// cleaner gives what cleans the cells of a field, which come from a column of the file or of a code list; nil where they are taken as they
// are. What means missing in that column alone is missing.
func cleaner(f, from cube.Field, missing []string) clean {
	typed := ofType(f, from)
	own := from.Missing
	if from.Missing == nil {
		own = f.Missing
	}
	own = slices.DeleteFunc(slices.Clone(own), func(text string) bool { return text == "" || slices.Contains(missing, text) })
	if len(own) == 0 {
		return typed
	}
	return func(cell string) (string, bool) {
		switch {
		case slices.Contains(own, cell):
			return "", true
		case typed == nil:
			return cell, true
		}
		return typed(cell)
	}
}

// ofType gives what cleans cells of a type of Table Schema.
func ofType(f, from cube.Field) clean {
	isYear := f.Type == "year"
	switch from.Type {
	case "string":
		if isYear {
			return yearNamed(f)
		}
	case "number", "integer":
		bare, marks := from.Decorated || f.Decorated, from.DecimalChar != "" && f.DecimalChar != "" && !from.NumbersAs(f)
		switch {
		case bare && marks:
			return func(cell string) (string, bool) {
				number, ok := bareNumber(cell)
				return withPoint(from, number), ok
			}
		case bare:
			return bareNumber
		case marks:
			return func(cell string) (string, bool) { return withPoint(from, cell), true }
		}
	case "boolean":
		return boolean(from)
	case "date", "datetime", "time", "yearmonth", "year":
		read := moment(from)
		if !isYear {
			return read
		}
		named := yearNamed(f)
		return func(cell string) (string, bool) {
			text, ok := read(cell)
			if !ok && from.Type == "year" { // of a constant
				return named(cell)
			}
			return yearOf(f, text), ok
		}
	}
	return nil
}

// yearNamed gives the number of the fiscal year that a text names (cube.FiscalYear).
func yearNamed(f cube.Field) clean {
	return func(cell string) (string, bool) {
		year, ok := cube.FiscalYearInColumn(cell, f.YearByStart)
		if !ok {
			return cell, false
		}
		return strconv.FormatInt(year, 10), true
	}
}

// yearOf gives the fiscal year of a date in the form of ISO 8601. One that begins in another month than January has the number of the year
// in which it ends, unless it goes by its start.
func yearOf(f cube.Field, iso string) string {
	year, rest, _ := strings.Cut(iso, "-")
	if f.YearStart < 2 || len(rest) < 2 {
		return year
	}
	n, err := strconv.Atoi(year)
	month, failed := strconv.Atoi(rest[:2])
	if err != nil || failed != nil {
		return year
	}
	if month < f.YearStart {
		n--
	}
	if !f.YearByStart {
		n++
	}
	return strconv.Itoa(n)
}

// withPoint writes a number of a column that has marks of its own with a point alone. What has a point that is no mark stays no number.
func withPoint(from cube.Field, cell string) string {
	if from.DecimalChar != "." && from.GroupChar != "." && strings.Contains(cell, ".") {
		return strings.ReplaceAll(cell, ".", ",")
	}
	if from.GroupChar != "" {
		cell = strings.ReplaceAll(cell, from.GroupChar, "")
	}
	return strings.ReplaceAll(cell, from.DecimalChar, ".")
}

// bareNumber gives the number of a cell without what stands before and behind it; one without a number stays, which the survey tells.
func bareNumber(cell string) (string, bool) {
	number, _, _ := numeric.Bare(cell)
	return number, true
}

// boolean gives true or false (Table Schema, trueValues and falseValues, and what they are where nothing is said).
func boolean(f cube.Field) clean {
	yes, no := f.True, f.False
	if yes == nil {
		yes = []string{"true", "True", "TRUE", "1"}
	}
	if no == nil {
		no = []string{"false", "False", "FALSE", "0"}
	}
	return func(cell string) (string, bool) {
		switch text := strings.TrimSpace(cell); {
		case slices.Contains(yes, text):
			return "true", true
		case slices.Contains(no, text):
			return "false", true
		}
		return cell, false
	}
}

// moment gives a date or time in the form of ISO 8601, which sorts, whatever the format of the published one (Table Schema: default, any,
// or a pattern in the letters of strptime).
func moment(f cube.Field) clean {
	patterns := []string{isoPatterns[f.Type]}
	switch {
	case f.Format == "any":
		patterns = append(patterns, "%Y/%m/%d", "%d.%m.%Y", "%Y%m%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d", "%Y-%m", "%Y")
	case f.Format != "" && f.Format != "default":
		patterns = []string{strings.TrimPrefix(f.Format, "fmt:")}
	}
	forms := evidence.DateForms(patterns)
	return func(cell string) (string, bool) {
		for _, in := range forms {
			if iso, ok := in.Read(strings.TrimSpace(cell)); ok {
				return iso, true
			}
		}
		return cell, false
	}
}

var isoPatterns = map[string]string{"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%S%Z", "time": "%H:%M:%S", "yearmonth": "%Y-%m", "year": "%Y"}
