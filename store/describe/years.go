package describe

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/store/load"
)

// yearSource says where the fiscal year of the rows is. Of these the first that there is:
//
//  1. a column of years, or of texts that name one (FY21-22);
//  2. the names of columns of amounts: several years (wide), or one;
//  3. a column of dates;
//  4. what a person said, the names of the files, the titles above the tables: one year for each file.
type yearSource struct {
	kind   yearKind
	column *column
	format string   // yearOfDates: in the letters of strptime
	texts  []string // of each file: yearOfFiles, and of one that lacks the column
	why    cube.Titles
}

type yearKind int

const (
	noYear yearKind = iota
	yearOfNumbers
	yearOfTexts
	yearOfDates
	yearOfColumns // in several columns
	yearOfFiles
)

// isText tells whether years have a name beside their number.
func (y yearSource) isText(w *wide) bool {
	return y.kind == yearOfTexts || y.kind == yearOfColumns && w.namesYears() || y.kind == yearOfFiles && slices.ContainsFunc(y.texts, func(text string) bool { return !isYear(text) })
}

// yearTextIn gives the one fiscal year that a name has, as it is written, and the other words of the name; "" for none or several.
func yearTextIn(name string) (year string, rest []string) {
	tokens := strings.FieldsFunc(betweenDigits(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-/–'’", r)
	})
	for i := 0; i < len(tokens); i++ {
		token := strings.Trim(tokens[i], "-/–")
		if isYearText(token) && !isASCII(token) { // of an era
			year, rest = cmp.Or(year, token), append(rest, "")
			continue
		}
		digits := strings.IndexFunc(token, unicode.IsDigit)
		if before := strings.ToLower(token[:max(digits, 0)]); digits > 0 && before != "fy" && before != "'" && before != "’" { // Budget2023
			rest = append(rest, before)
			token = token[digits:]
		}
		if strings.EqualFold(token, "fy") && i+1 < len(tokens) { // FY 23
			if joined := token + " " + tokens[i+1]; isYearText(joined) {
				token = joined
				i++
			}
		}
		switch {
		case !isYearText(token):
			if token != "" {
				rest = append(rest, strings.ToLower(token))
			}
		case year != "":
			return "", nil
		default:
			year = token
		}
	}
	return year, rest
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// betweenDigits leaves the marks of spans between digits alone: budget-2021-22 is budget 2021-22.
func betweenDigits(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if strings.ContainsRune("-/–", r) && (i == 0 || i == len(runes)-1 || !unicode.IsDigit(runes[i-1]) || !unicode.IsDigit(runes[i+1])) {
			runes[i] = ' '
		}
	}
	return string(runes)
}

func isYearText(text string) bool {
	_, ok := cube.FiscalYear(text, false)
	return ok
}

// yearIn gives the one fiscal year that a text names, or "".
func yearIn(text string) string {
	year, _ := yearTextIn(text)
	return year
}

// findYear finds where the fiscal year is. Of several columns it is the one that is named so, and the first of these.
func (d *Description) findYear(r *roles) {
	if c := r.yearTold(); c != nil {
		r.yearIs(c)
		return
	}
	var year *column
	best := 0
	for _, c := range d.profile.columns {
		isShort := c.short == c.cells && has(c.words, yearWords) != "" // FY: 23
		if c.named < c.cells && !isShort || c.isEmpty() || c.many || !r.mayBe(c, ReadYear) || has(c.words, yearWords) == "" && has(c.words, codeWords) != "" {
			continue
		}
		score := 1
		switch {
		case has(c.words, yearWords) == "" && !c.mayBeYears():
			continue
		case c.years == c.cells:
			score = 4
		}
		if named := has(c.words, yearWords) != ""; named && len(c.words) == 1 {
			score += 2
		} else if named {
			score++
		}
		if score > best {
			best, year = score, c
		}
	}
	if year == nil || has(year.words, yearWords) == "" && (d.options.Year != "" || r.findWide(d.profile) != nil || d.filesSayYears(year)) { // 2010 may be an account, too
		d.findOtherYear(r)
		return
	}
	r.yearIs(year)
	for _, c := range d.profile.columns {
		if c != year && has(c.words, yearWords) != "" && c.years == c.cells && !c.isEmpty() && r.mayBe(c, ReadYear) {
			d.doubt("two-years", "Column", shown(year.name), "Other", shown(c.name))
		}
	}
}

// leaveTotals takes words for a total among years for missing years: they stand in the rows of totals.
func (c *column) leaveTotals() {
	if c.many || c.totals == 0 || c.totals >= c.named || c.named+c.totals < c.cells {
		return
	}
	c.cells, c.missing, c.totals = c.named, c.missing+c.totals, 0
	for i := range c.values {
		if v := &c.values[i]; load.IsTotal(strings.TrimSpace(v.text)) {
			c.nothing, v.rows = append(c.nothing, v.text), 0
		}
	}
}

// otherDates are in names of dates that rows are seldom of.
var otherDates = set("start begin end updated update modified created birth published publication signature expiry inicio fin termino actualizacion aktualisiert stand beginn ende")

// yearsDiffer tells of years that the name of a file or its title says, and its rows do not.
func (d *Description) yearsDiffer(r *roles) {
	y := r.year
	for i, f := range d.profile.forms {
		ofName, ofTitle := yearIn(stemOf(f)), yearIn(strings.Join(f.titles, " "))
		taken := ""
		switch {
		case y.kind == yearOfFiles:
			taken = y.texts[i]
		case y.kind == yearOfDates && ofName != "" && slices.ContainsFunc(y.column.values[1:], func(v value) bool { return !strings.Contains(v.text, ofName) }):
			taken = y.column.name
		case y.column != nil && ofName != "" && len(wordsOf(y.column.name)) > 1 && y.kind != yearOfDates && d.filesSayYears(y.column):
			taken = y.column.name
		default:
			continue
		}
		for _, other := range []string{ofName, ofTitle} {
			n, ok := cube.FiscalYear(other, false)
			m, _ := cube.FiscalYear(taken, false)
			if ok && n != m {
				d.doubt("years-differ", "File", shown(f.path), "Taken", shown(taken), "Other", shown(other))
			}
		}
	}
}

// latestYear is how late the years of a column may be that is not named so.
const latestYear = 2045

// mayBeYears tells whether numbers that could be years are so near to each other that they are none of accounts or funds.
func (c *column) mayBeYears() bool {
	first, last := int64(cube.LastFiscalYear), int64(0)
	for _, v := range c.values[1:] {
		if n, ok := cube.FiscalYear(v.text, false); ok {
			first, last = min(first, n), max(last, n)
		}
	}
	return last <= latestYear && last-first <= 3*int64(c.different())
}

// filesSayYears tells whether the names of all files say a year, and a column has none of them.
func (d *Description) filesSayYears(but *column) bool {
	for _, f := range d.profile.forms {
		year, ok := cube.FiscalYear(yearIn(stemOf(f)), false)
		if !ok || slices.ContainsFunc(but.values, func(v value) bool { n, _ := cube.FiscalYear(v.text, false); return n == year }) {
			return false
		}
	}
	return true
}

// yearBeside gives files that lack the column of years the one that their name says, or the title above their table.
func (d *Description) yearBeside(r *roles) error {
	y := &r.year
	if y.column == nil {
		return nil
	}
	y.texts = make([]string, len(d.profile.forms))
	for i, f := range d.profile.forms {
		if slices.Contains(d.profile.index[i], y.column.at) {
			continue
		}
		year := cmp.Or(d.options.Year, yearIn(stemOf(f)), yearIn(strings.Join(f.titles, " ")))
		if y.kind == yearOfDates || !isYear(year) && y.kind != yearOfTexts || year == "" {
			return refusal(f.path, 0, "it has no column %s, as other files have, and neither its name nor a title says what fiscal year would stand there: add the column, or name the file after its year", shown(y.column.name))
		}
		y.texts[i] = year
		y.why = together(y.why, say("year-beside", "File", shown(f.path), "Year", year))
	}
	return nil
}

// span gives the first and the last of the cells.
func (c *column) span() cube.Titles {
	first, last := "~", ""
	for _, v := range c.values[1:] {
		if v.rows == 0 {
			continue
		}
		first, last = min(first, strings.TrimSpace(v.text)), max(last, strings.TrimSpace(v.text))
	}
	if last == first {
		return cube.Titles{"en": first}
	}
	return say("span", "First", first, "Last", last)
}

func (d *Description) findOtherYear(r *roles) {
	p := d.profile
	if d.options.Year != "" {
		d.yearOfFiles(r, func(*form) string { return d.options.Year }, told())
		return
	}
	if r.wide = r.findWide(p); r.wide != nil {
		r.year = yearSource{kind: yearOfColumns, why: say("by-columns", "Years", clipped(r.wide.years()))}
		return
	}
	if year := yearOfNames(p); year != "" {
		d.yearOfFiles(r, func(*form) string { return year }, say("from-columns"))
		return
	}
	for _, c := range p.columns {
		if c.dateFormat() != "" && r.mayBe(c, ReadYear) && !(has(c.words, otherDates) != "" && d.filesSayYears(c)) {
			r.yearIs(c)
			for _, other := range p.columns {
				if other != c && other.dateFormat() != "" && r.mayBe(other, ReadYear) {
					d.doubt("two-years", "Column", shown(c.name), "Other", shown(other.name))
				}
			}
			return
		}
	}
	d.yearOfFiles(r, func(f *form) string { return yearIn(stemOf(f)) }, say("from-file"))
	if r.year.kind == noYear {
		d.yearOfFiles(r, func(f *form) string { return yearIn(strings.Join(f.titles, " ")) }, say("from-title"))
	}
}

// saysNoYear tells whether neither the name of a file nor a title in it says a year.
func saysNoYear(f *form) bool {
	return yearIn(stemOf(f)) == "" && yearIn(strings.Join(f.titles, " ")) == ""
}

// yearOfFiles takes a year for each file, if all have one.
func (d *Description) yearOfFiles(r *roles, of func(*form) string, why cube.Titles) {
	var texts []string
	for _, f := range d.profile.forms {
		text := of(f)
		if !isYearText(text) {
			return
		}
		texts = append(texts, text)
	}
	r.year = yearSource{kind: yearOfFiles, texts: texts, why: say("year-from", "Evidence", why, "Years", clipped(slices.Compact(slices.Clone(texts))))}
}

// yearOfNames gives the year that names of columns of numbers have, if they all have the same.
func yearOfNames(p *profile) string {
	found := ""
	for _, c := range p.columns {
		year := yearIn(c.name)
		if year == "" || !c.holdsNumbers() {
			continue
		}
		if found != "" && found != year {
			return ""
		}
		found = year
	}
	return found
}

// dateFormats are the forms of dates that are tried, the likelier first.
var dateFormats = []string{"%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M",
	"%d.%m.%Y.", "%d-%b-%y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%Y-%m", "%Y/%m", "%m/%Y", "%m.%Y",
	"%Y-%m-%dT%H:%M:%S", "%m/%d/%Y %H:%M:%S %p", "%b-%y", "%b %Y", "%Y%m", "%Y%m%d"}

// dateFormat gives the form in which all cells of a column are dates, or "".
func (c *column) dateFormat() string {
	if c.dates < c.cells || c.isEmpty() {
		return ""
	}
	for i, n := range c.formats {
		if n == c.cells {
			return dateFormats[i]
		}
	}
	return ""
}

// englishMonths are the beginnings of the names of months that dates are read with.
var englishMonths = strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")

// fitsDate tells whether a text is a date in a form.
func fitsDate(text, format string) bool {
	for format != "" {
		if !strings.HasPrefix(format, "%") {
			if text == "" || text[0] != format[0] {
				return false
			}
			text, format = text[1:], format[1:]
			continue
		}
		if format[1] == 'p' {
			if text != "AM" && text != "PM" && text != "am" && text != "pm" {
				return false
			}
			return format == "%p"
		}
		if strings.ContainsRune("bB", rune(format[1])) {
			letters := strings.IndexFunc(text+" ", func(r rune) bool { return !unicode.IsLetter(r) })
			if letters < 3 || format[1] == 'b' && letters > 4 || !slices.Contains(englishMonths, strings.ToLower(text[:3])) {
				return false
			}
			text, format = text[letters:], format[2:]
			continue
		}
		length := 2
		if format[1] == 'Y' {
			length = 4
		}
		digits := 0
		for digits < min(length, len(text)) && isASCIIDigit(rune(text[digits])) {
			digits++
		}
		if digits == 0 || length == 4 && digits < 4 {
			return false
		}
		n := text[:digits]
		if len(n) == 1 {
			n = "0" + n
		}
		if most := map[byte]string{'m': "12", 'd': "31", 'H': "23", 'M': "59", 'S': "59"}[format[1]]; most != "" && n > most || n == "00" && strings.ContainsRune("md", rune(format[1])) {
			return false
		}
		isSecond := format[1] == 'S'
		if text, format = text[digits:], format[2:]; isSecond && strings.HasPrefix(text, ".") && strings.Trim(text, ".0") == "" {
			text = ""
		}
	}
	return text == ""
}

// yearField names the field of the files that has the year, and yearLevel the level, which is another field where the number is made.
func (d *Description) yearField() string {
	switch y := d.roles.year; y.kind {
	case yearOfNumbers, yearOfTexts, yearOfDates:
		return y.column.name
	case yearOfColumns, yearOfFiles:
		if y.isText(d.roles.wide) {
			return d.freeName("year")
		}
		return d.freeName("fiscal_year")
	}
	return ""
}

func (d *Description) yearLevel() string {
	y := d.roles.year
	if y.kind == yearOfTexts || y.kind == yearOfDates || y.isText(d.roles.wide) {
		return d.freeName("fiscal_year")
	}
	return d.yearField()
}
