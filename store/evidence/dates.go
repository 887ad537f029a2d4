package evidence

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store/load/numeric"
)

// DateFormats are the forms of dates that are tried, the likelier first.
var DateFormats = []string{"%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M",
	"%d.%m.%Y.", "%d-%b-%y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%Y-%m", "%Y/%m", "%m/%Y", "%m.%Y",
	"%Y-%m-%dT%H:%M:%S", "%m/%d/%Y %H:%M:%S %p", "%b-%y", "%b %Y", "%Y%m", "%Y%m%d"}

// dateForms are those of DateFormats.
var dateForms = sync.OnceValue(func() []DateForm { return DateForms(DateFormats) })

// DateFormat gives the form in which all cells of a column are dates, or "".
func (c *Column) DateFormat() string {
	if c.Dates < c.Cells || c.IsEmpty() {
		return ""
	}
	for i, n := range c.formats {
		if n == c.Cells {
			return DateFormats[i]
		}
	}
	return ""
}

// IsYearText tells whether a text names a fiscal year.
func IsYearText(text string) bool {
	_, ok := cube.FiscalYear(text, false)
	return ok
}

// latestYear is how late the years of a column may be that is not named so.
const latestYear = 2045

// MayBeYears tells whether numbers that could be years are so near to each other that they are none of accounts or funds.
func (c *Column) MayBeYears() bool {
	first, last := int64(cube.LastFiscalYear), int64(0)
	for _, v := range c.Values[1:] {
		if n, ok := cube.FiscalYear(v.Text, false); ok {
			first, last = min(first, n), max(last, n)
		}
	}
	return last <= latestYear && last-first <= 3*int64(c.Different())
}

// Span gives the first and the last of the cells.
func (c *Column) Span() (first, last string) {
	first = "~"
	for _, v := range c.Values[1:] {
		if v.Rows == 0 {
			continue
		}
		first, last = min(first, strings.TrimSpace(v.Text)), max(last, strings.TrimSpace(v.Text))
	}
	return first, last
}

// IsYear tells whether a cell is a year of a budget, in four digits.
func IsYear(cell string) bool {
	if len(cell) != 4 {
		return false
	}
	year, err := strconv.Atoi(cell)
	return err == nil && year >= 1900 && year <= 2100
}

// IsDate tells whether a cell is a date, with or without a time: 2017-05-10, 2017/05, 10.5.2017, 10/05/2017 00:00.
func IsDate(cell string) bool {
	day, _, _ := strings.Cut(strings.TrimSpace(cell), "T")
	day, _, _ = strings.Cut(day, " ")
	parts := strings.FieldsFunc(day, func(r rune) bool { return r == '-' || r == '/' || r == '.' })
	if len(parts) < 2 || len(parts) > 3 {
		return false
	}
	years := 0
	for _, part := range parts {
		digits, rest := numeric.CutDigits(part)
		if rest != "" || len(digits) != 4 && len(digits) > 2 {
			return false
		}
		if len(digits) == 4 {
			years++
		}
	}
	return years == 1 && (len(parts[0]) == 4 || len(parts[len(parts)-1]) == 4) && (parts[0] >= "1800" || len(parts[0]) < 4)
}

// isTimestamp says whether the cell is a date with a time, as 2017-05-10T00:00:00, which is no code and label.
func isTimestamp(cell string) bool {
	const form = "2006-01-02T"
	cell = strings.TrimSpace(cell)
	if len(cell) < len(form) {
		return false
	}
	_, err := time.Parse(form, cell[:len(form)])
	return err == nil
}

// DateForm is how dates or times are written.
type DateForm struct{ is *regexp.Regexp }

// DateForms gives the forms of patterns in the letters of strptime.
func DateForms(patterns []string) []DateForm {
	return each.Of(patterns, func(pattern string) DateForm { return DateForm{strptime(pattern)} })
}

// Read gives a date or time in the form of ISO 8601, which sorts.
func (f DateForm) Read(text string) (iso string, ok bool) {
	found := f.is.FindStringSubmatch(text)
	if found == nil {
		return "", false
	}
	return isoOf(f.is.SubexpNames(), found)
}

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
