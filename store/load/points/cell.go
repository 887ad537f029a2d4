package points

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/tidy"
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

// bareNumber takes away what stands before and behind a number, such as the signs of currencies and percent (Table Schema, bareNumber:
// false). A minus may stand before them or behind the number, or the whole in parentheses, as accountants write it, or Cr behind it, as in ledgers.
func bareNumber(cell string) (string, bool) {
	cell = tidy.Digits(cell)
	first, last := strings.IndexFunc(cell, unicode.IsDigit), strings.LastIndexFunc(cell, unicode.IsDigit)
	if first < 0 {
		return strings.TrimSpace(cell), true // no number, which the survey tells
	}
	before := cell[:first]
	number := cell[first : last+1]
	if mark := strings.LastIndexAny(before, ".,"); mark >= 0 && mark == len(before)-1 && !endsInLetter(before[:mark]) { // not that of Fr.100
		number = before[mark:] + number
	}
	after := strings.TrimSpace(cell[last+1:])
	if strings.ContainsAny(before, "-−–") || strings.HasPrefix(after, "-") || strings.HasPrefix(after, "−") || strings.HasPrefix(after, "–") ||
		strings.Contains(before, "(") && strings.Contains(after, ")") || strings.EqualFold(strings.Trim(after, "."), "cr") {
		number = "-" + number
	}
	return number, true
}

func endsInLetter(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(last)
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
	var readers []*regexp.Regexp
	for _, pattern := range patterns {
		readers = append(readers, strptime(pattern))
	}
	return func(cell string) (string, bool) {
		text := strings.TrimSpace(cell)
		for _, r := range readers {
			if found := r.FindStringSubmatch(text); found != nil {
				if iso, ok := isoOf(r.SubexpNames(), found); ok {
					return iso, true
				}
			}
		}
		return cell, false
	}
}

var isoPatterns = map[string]string{"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%S%Z", "time": "%H:%M:%S", "yearmonth": "%Y-%m", "year": "%Y"}

// strptimeLetters are the patterns of the letters of strptime (POSIX) that dates of budgets have: those that package fdp lets pass.
var strptimeLetters = map[rune]string{
	'Y': `(?P<Y>\d{4})`, 'y': `(?P<y>\d{2})`, 'm': `(?P<m>\d{1,2})`, 'd': `(?P<d>\d{1,2})`, 'H': `(?P<H>\d{1,2})`, 'I': `(?P<H>\d{1,2})`,
	'M': `(?P<M>\d{1,2})`, 'S': `(?P<S>\d{1,2}(?:\.\d+)?)`, 'b': `(?P<b>\pL{3,9})\.?`, 'B': `(?P<b>\pL{3,9})`, 'Z': `(?:Z|[+-]\d{2}:?\d{2})?`,
	'z': `(?:Z|[+-]\d{2}:?\d{2})?`, 'a': `\pL+\.?`, 'A': `\pL+`, 'p': `(?P<p>[AaPp][Mm])`, 'f': `\d+`, '%': `%`,
}

// mostPattern is how long a pattern is that is read whole.
const mostPattern = 100

// strptime gives the regular expression of a pattern. A letter that it does not know stands for any text.
func strptime(pattern string) *regexp.Regexp {
	var text strings.Builder
	text.WriteString("^")
	letter, seen := false, map[string]bool{}
	for _, r := range pattern[:min(len(pattern), mostPattern)] {
		known, ok := strptimeLetters[r]
		if letter && seen[known] { // a group has its name once
			known = ".*?"
		}
		switch {
		case !letter && r == '%':
			letter = true
			continue
		case letter && ok:
			text.WriteString(known)
			seen[known] = strings.Contains(known, "(?P<")
		case letter:
			text.WriteString(".*?")
		default:
			text.WriteString(regexp.QuoteMeta(string(r)))
		}
		letter = false
	}
	text.WriteString("$")
	return regexp.MustCompile(text.String())
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// isoOf writes the parts of a date or time that were found.
func isoOf(names, found []string) (string, bool) {
	parts := map[string]string{}
	for i, name := range names {
		if name != "" {
			parts[name] = found[i]
		}
	}
	if name, ok := parts["b"]; ok {
		month := slices.Index(months, strings.ToLower(name)[:3]) + 1
		if month == 0 {
			return "", false
		}
		parts["m"] = twoDigits(month)
	}
	if short, ok := parts["y"]; ok { // POSIX: 69 to 99 are of the last century
		parts["Y"] = "20" + short
		if short >= "69" {
			parts["Y"] = "19" + short
		}
	}
	if hour, ok := parts["H"]; ok && parts["p"] != "" {
		h := number(hour) % 12
		if strings.EqualFold(parts["p"], "pm") {
			h += 12
		}
		parts["H"] = twoDigits(h)
	}
	for _, bound := range []struct {
		part        string
		least, most int
	}{{"m", 1, 12}, {"d", 1, 31}, {"H", 0, 24}, {"M", 0, 59}} {
		if text, ok := parts[bound.part]; ok {
			if n := number(text); n < bound.least || n > bound.most {
				return "", false
			}
		}
	}
	if day := number(parts["d"]); day > 28 && parts["Y"] != "" && parts["m"] != "" && day > daysIn(parts["Y"], number(parts["m"])) {
		return "", false
	}
	date := joined(parts, "-", "Y", "m", "d")
	clock := joined(parts, ":", "H", "M", "S")
	if date != "" && clock != "" {
		return date + "T" + clock, true
	}
	return date + clock, true
}

// daysIn is how many days a month has.
func daysIn(year string, month int) int {
	y, _ := strconv.Atoi(year) // four digits
	return time.Date(y, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// joined joins parts of two digits at least, as far as they are there.
func joined(parts map[string]string, mark string, names ...string) string {
	var list []string
	for _, name := range names {
		text, ok := parts[name]
		if !ok {
			break
		}
		if len(text) == 1 {
			text = "0" + text
		}
		list = append(list, text)
	}
	return strings.Join(list, mark)
}

func twoDigits(n int) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }

// number reads at most two digits.
func number(digits string) int {
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return n
}
