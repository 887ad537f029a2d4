package describe

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/store/evidence"
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
	return y.kind == yearOfTexts || y.kind == yearOfColumns && w.namesYears() || y.kind == yearOfFiles && slices.ContainsFunc(y.texts, func(text string) bool { return !evidence.IsYear(text) })
}

// yearTextIn gives the one fiscal year that a name has, as it is written, and the other words of the name; "" for none or several.
func yearTextIn(name string) (year string, rest []string) {
	tokens := strings.FieldsFunc(betweenDigits(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-/–'’", r)
	})
	for i := 0; i < len(tokens); i++ {
		token := strings.Trim(tokens[i], "-/–")
		if evidence.IsYearText(token) && !isASCII(token) { // of an era
			year, rest = cmp.Or(year, token), append(rest, "")
			continue
		}
		digits := strings.IndexFunc(token, unicode.IsDigit)
		if before := strings.ToLower(token[:max(digits, 0)]); digits > 0 && before != "fy" && before != "'" && before != "’" { // Budget2023
			rest = append(rest, before)
			token = token[digits:]
		}
		if strings.EqualFold(token, "fy") && i+1 < len(tokens) { // FY 23
			if joined := token + " " + tokens[i+1]; evidence.IsYearText(joined) {
				token = joined
				i++
			}
		}
		switch {
		case !evidence.IsYearText(token):
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
	for _, c := range d.profile.Columns {
		isShort := c.Short == c.Cells && has(c.Words, vocabulary.Year) != "" // FY: 23
		if c.Named < c.Cells && !isShort || c.IsEmpty() || c.Many || !r.mayBe(c, ReadYear) || has(c.Words, vocabulary.Year) == "" && has(c.Words, vocabulary.Code) != "" {
			continue
		}
		score := 1
		switch {
		case has(c.Words, vocabulary.Year) == "" && !c.MayBeYears():
			continue
		case c.Years == c.Cells:
			score = 4
		}
		if named := has(c.Words, vocabulary.Year) != ""; named && len(c.Words) == 1 {
			score += 2
		} else if named {
			score++
		}
		if score > best {
			best, year = score, c
		}
	}
	if year == nil || has(year.Words, vocabulary.Year) == "" && (d.options.Year != "" || r.findWide(d.profile) != nil || d.filesSayYears(year)) { // 2010 may be an account, too
		d.findOtherYear(r)
		return
	}
	r.yearIs(year)
	for _, c := range d.profile.Columns {
		if c != year && has(c.Words, vocabulary.Year) != "" && c.Years == c.Cells && !c.IsEmpty() && r.mayBe(c, ReadYear) {
			d.doubt("two-years", "Column", shown(year.Name), "Other", shown(c.Name))
		}
	}
}

// leaveTotals takes words for a total among years for missing years: they stand in the rows of totals.
func leaveTotals(c *column) {
	if c.Many || c.Totals == 0 || c.Totals >= c.Named || c.Named+c.Totals < c.Cells {
		return
	}
	c.Cells, c.Missing, c.Totals = c.Named, c.Missing+c.Totals, 0
	for i := range c.Values {
		if v := &c.Values[i]; load.IsTotal(strings.TrimSpace(v.Text)) {
			c.Nothing, v.Rows = append(c.Nothing, v.Text), 0
		}
	}
}

// yearsDiffer tells of years that the name of a file or its title says, and its rows do not.
func (d *Description) yearsDiffer(r *roles) {
	y := r.year
	for i, f := range d.profile.forms {
		ofName, ofTitle := yearIn(stemOf(f)), yearIn(strings.Join(f.titles, " "))
		taken := ""
		switch {
		case y.kind == yearOfFiles:
			taken = y.texts[i]
		case y.kind == yearOfDates && ofName != "" && slices.ContainsFunc(y.column.Values[1:], func(v evidence.Value) bool { return !strings.Contains(v.Text, ofName) }):
			taken = y.column.Name
		case y.column != nil && ofName != "" && len(wordsOf(y.column.Name)) > 1 && y.kind != yearOfDates && d.filesSayYears(y.column):
			taken = y.column.Name
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

// filesSayYears tells whether the names of all files say a year, and a column has none of them.
func (d *Description) filesSayYears(but *column) bool {
	for _, f := range d.profile.forms {
		year, ok := cube.FiscalYear(yearIn(stemOf(f)), false)
		if !ok || slices.ContainsFunc(but.Values, func(v evidence.Value) bool { n, _ := cube.FiscalYear(v.Text, false); return n == year }) {
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
		if slices.Contains(d.profile.Index[i], y.column.At) {
			continue
		}
		year := cmp.Or(d.options.Year, yearIn(stemOf(f)), yearIn(strings.Join(f.titles, " ")))
		if y.kind == yearOfDates || !evidence.IsYear(year) && y.kind != yearOfTexts || year == "" {
			return refusal(f.path, 0, "it has no column %s, as other files have, and neither its name nor a title says what fiscal year would stand there: add the column, or name the file after its year", shown(y.column.Name))
		}
		y.texts[i] = year
		y.why = together(y.why, say("year-beside", "File", shown(f.path), "Year", year))
	}
	return nil
}

// spanOf tells the first and the last of the cells.
func spanOf(c *column) cube.Titles {
	first, last := c.Span()
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
	for _, c := range p.Columns {
		if c.DateFormat() != "" && r.mayBe(c, ReadYear) && !(has(c.Words, vocabulary.OtherDate) != "" && d.filesSayYears(c)) {
			r.yearIs(c)
			for _, other := range p.Columns {
				if other != c && other.DateFormat() != "" && r.mayBe(other, ReadYear) {
					d.doubt("two-years", "Column", shown(c.Name), "Other", shown(other.Name))
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
		if !evidence.IsYearText(text) {
			return
		}
		texts = append(texts, text)
	}
	r.year = yearSource{kind: yearOfFiles, texts: texts, why: say("year-from", "Evidence", why, "Years", clipped(slices.Compact(slices.Clone(texts))))}
}

// yearOfNames gives the year that names of columns of numbers have, if they all have the same.
func yearOfNames(p *profile) string {
	found := ""
	for _, c := range p.Columns {
		year := yearIn(c.Name)
		if year == "" || !c.HoldsNumbers() {
			continue
		}
		if found != "" && found != year {
			return ""
		}
		found = year
	}
	return found
}

// yearField names the field of the files that has the year, and yearLevel the level, which is another field where the number is made.
func (d *Description) yearField() string {
	switch y := d.roles.year; y.kind {
	case yearOfNumbers, yearOfTexts, yearOfDates:
		return y.column.Name
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
