package describe

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/internal/tidy"
	"fiscube/store/evidence"
	"fiscube/store/load/files"
)

// layout says which lines of a file hold the names of its columns, and which hold no row. In tables of spreadsheets a title stands above the names,
// and sources and notes below the rows:
//
//  1. A table is as wide as most of its lines. The names stand in the first line in which most columns have a text, and no number.
//  2. A line above them that has texts over several columns, such as years, is a part of the names, and so is a line of texts below them above
//     columns of numbers. A text of the upper line is that of the columns to the right of it, too, up to the next: the cell was merged.
//  3. Where the first such line holds numbers in columns of numbers, there are no names.
//  4. Lines above the names, and short ones at the end of the file, are no rows, and nor is a line that numbers the columns, or that has the names again,
//     as on each page of a print.
type layout struct {
	columns    []string   // the names as they are published, the parts of those in two lines joined
	names      []string   // the same, with the texts of merged cells
	headerRows []int64    // their lines; none: there are no names
	comments   []int64    // lines that are no rows
	titles     []string   // the texts above the names
	nameLines  [][]string // the cells of headerRows
	ragged     int64      // rows that end early
	body       int        // the index of the first row below the names, among those that are looked at
}

// line is a line of a table with its number.
type line struct {
	at    int64
	cells []string
}

func (l line) filled() (n int) {
	for _, cell := range l.cells {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

func (l line) cell(i int) string {
	if i >= len(l.cells) {
		return ""
	}
	return strings.TrimSpace(l.cells[i])
}

// widthOf gives how many cells most lines have, without blank ones at their end; of widths that are as frequent the greatest.
func widthOf(lines []line) int {
	counts := map[int]int{}
	for _, l := range lines {
		if n := len(trimmed(l.cells)); n > 0 {
			counts[n]++
		}
	}
	width, most, all := 0, 0, 0
	for _, n := range counts {
		all += n
	}
	for w, n := range counts {
		if n > most || n == most && w > width {
			width, most = w, n
		}
	}
	for w, n := range counts { // a few columns that most rows leave empty at their end are columns
		if w > width && n*10 >= all {
			width = w
		}
	}
	return width
}

// trimmed takes the blank cells off the end of a line.
func trimmed(cells []string) []string {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// mostAbove is how many lines may stand above the names.
const mostAbove = 60

// findLayout finds the names among the first lines of a file.
func findLayout(lines []line) layout {
	width := widthOf(lines)
	at := slices.IndexFunc(lines[:min(len(lines), mostAbove)], func(l line) bool { return l.filled() >= 2 && l.filled()*10 >= width*6 })
	if at < 0 {
		at = max(0, slices.IndexFunc(lines, func(l line) bool { return l.filled() > 0 }))
	}
	if at >= len(lines) {
		return layout{}
	}
	below := slices.DeleteFunc(slices.Clone(lines[at+1:]), func(l line) bool { return slices.Equal(l.cells, lines[at].cells) })
	numeric := numericColumns(below, max(width, len(lines[at].cells)))
	aboveYears := false // a word stands above years, so that numbers beside it are codes that name columns
	for i := range numeric {
		ofYears := yearsStandIn(below, i)
		numeric[i] = numeric[i] && !ofYears
		aboveYears = aboveYears || ofYears && evidence.HasLetter(lines[at].cell(i)) && !evidence.IsYearText(lines[at].cell(i))
	}
	var f layout
	switch {
	case !aboveYears && isRow(lines[at], numeric):
		f.body = at
		f.columns = make([]string, len(lines[at].cells))
		f.names = f.columns
	default:
		f.setNames(lines, at, numeric)
	}
	f.leaveAbove(lines)
	return f
}

// leaveAbove notes the lines above the rows that are no names.
func (f *layout) leaveAbove(lines []line) {
	for _, l := range lines[:f.body] {
		if slices.Contains(f.headerRows, l.at) {
			continue
		}
		f.comments = append(f.comments, l.at)
		for _, cell := range l.cells {
			if text := tidy.Label(cell); text != "" {
				f.titles = append(f.titles, text)
			}
		}
	}
}

// setNames takes the names from a line, and from the one above or below it.
func (f *layout) setNames(lines []line, at int, numeric []bool) {
	upper, lower := lines[at], line{}
	f.body = at + 1
	f.headerRows = []int64{upper.at}
	switch {
	case at > 0 && isAbove(lines[at-1], numeric) && !saysYears(lines[at]):
		upper, lower = lines[at-1], lines[at]
		f.headerRows = []int64{upper.at, lower.at}
	case at+1 < len(lines) && isBelow(lines[at+1], numeric):
		lower = lines[at+1]
		f.headerRows = append(f.headerRows, lower.at)
		f.body++
	}
	if rest := lines[min(f.body, len(lines)):]; len(rest) > 0 {
		if i := slices.IndexFunc(rest, func(l line) bool { return l.filled() > 0 }); i >= 0 && numbersColumns(rest[i]) {
			f.body += i + 1
		}
	}
	merged := ""
	for i := range max(len(trimmed(upper.cells)), len(trimmed(lower.cells))) {
		own, below := upper.cell(i), lower.cell(i)
		switch {
		case lower.cells == nil:
			f.names = append(f.names, upper.cells[i])
			continue
		case own != "":
			merged = own
		case below != "" && i < len(numeric) && numeric[i]:
			own = merged
		}
		f.names = append(f.names, strings.TrimSpace(own+" "+below))
	}
	f.columns = f.names // of names in two lines those of the file are read after this
}

// isRow tells whether a line where names might stand is a row: it has numbers in columns of numbers, and names in none, or no more than numbers that are
// too long for codes.
func isRow(l line, numeric []bool) bool {
	numbers, long, names := 0, 0, 0
	for i, is := range numeric {
		cell := l.cell(i)
		_, isYear := cube.FiscalYear(cell, false)
		switch {
		case !is || cell == "" || isYear:
		case !evidence.IsNumber(cell):
			names++
		default:
			numbers++
			long += int(evidence.RowsIf(len(cell) > longestNameCode, 1))
		}
	}
	return numbers > 0 && (names == 0 || long >= names)
}

// longestNameCode is how many digits a code has that names a column.
const longestNameCode = 8

// isAbove tells whether a line above the names is a part of them: it has texts over columns of numbers, one of which says a year or a phase.
func isAbove(l line, numeric []bool) bool {
	texts, says := 0, false
	for i, is := range numeric {
		cell := l.cell(i)
		if !is || cell == "" {
			continue
		}
		if texts++; i == 0 && l.filled() == 1 {
			return false // it is a title
		}
		word := wordsOf(cell)
		says = says || yearIn(cell) != "" || phaseOf(word) != "" || directionOf(word) != "" || monthOf(word) != ""
	}
	return texts > 0 && says
}

// saysYears tells whether several names of a line have a year themselves.
func saysYears(l line) bool {
	years := 0
	for _, cell := range l.cells {
		years += int(evidence.RowsIf(yearIn(cell) != "", 1))
	}
	return years > 1
}

// isBelow tells whether a line below the names is a second line of them: it has texts over the columns of numbers.
func isBelow(l line, numeric []bool) bool {
	numbers, names := 0, 0
	for i, cell := range l.cells {
		if isColumn := i < len(numeric) && numeric[i]; !isColumn && cell != "" && (evidence.IsNumber(cell) || yearIn(cell) != "" || evidence.IsDate(cell)) {
			return false // it is a row
		}
	}
	years, texts := 0, 0
	for i, is := range numeric {
		cell := l.cell(i)
		switch {
		case !is:
			texts += int(evidence.RowsIf(cell != "", 1))
			continue
		case yearIn(cell) == cell && cell != "":
			years++
		case evidence.IsNumber(cell):
			return false // it is a row
		case evidence.HasLetter(cell) && len([]rune(cell)) > evidence.MostNothing && !evidence.IsNumber(cell):
			names++
		}
		numbers++
	}
	if years > 1 && texts == 0 { // beside texts, 1936 is an amount
		names += years
	}
	return names > 0 && names*2 >= numbers
}

// columnNumber is a cell of a line that numbers the columns: 4, (4), or 4=1+2-3 for a column that is made of others.
var columnNumber = regexp.MustCompile(`^\(?(\d{1,3})\)?(\s*=.*)?$`)

// numbersColumns tells whether a line numbers the columns, or some of them.
func numbersColumns(l line) bool {
	last, cells := 0, 0
	for _, cell := range l.cells {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		parts := columnNumber.FindStringSubmatch(cell)
		if parts == nil {
			return false
		}
		n, _ := strconv.Atoi(parts[1])
		if cells++; n <= last || n > cells+1 || cells == 1 && n != 1 {
			return false
		}
		last = n
	}
	return cells > 2
}

// numericColumns tells which columns hold numbers in nine of ten lines that have something there.
func numericColumns(lines []line, width int) []bool {
	numeric := make([]bool, width)
	for i := range numeric {
		cells, numbers, nothing := 0, 0, 0
		for n, l := range lines {
			cell := l.cell(i)
			if cell == "" || n == 0 && !evidence.IsNumber(cell) { // it may be a second line of names
				continue
			}
			switch cells++; {
			case evidence.IsNumber(cell):
				numbers++
			case len([]rune(cell)) <= evidence.MostNothing && !evidence.HasDigit(cell) && !evidence.HasLetter(cell):
				nothing++
			}
		}
		numeric[i] = numbers > 0 && (numbers+nothing)*10 >= cells*9
	}
	return numeric
}

// yearsStandIn tells whether a column holds fiscal years: its name has no number, and its cells are no names.
func yearsStandIn(lines []line, i int) bool {
	cells, years := 0, 0
	for _, l := range lines {
		if cell := l.cell(i); cell != "" {
			cells++
			if evidence.IsYearText(cell) {
				years++
			}
		}
	}
	return cells > 0 && years*10 >= cells*9
}

// mostBelow is how many lines may stand below the rows.
const mostBelow = 100

// endAt notes the lines below the rows: short ones without numbers, at the end of the file.
func (f *layout) endAt(last []line) {
	width := len(f.columns)
	for _, l := range slices.Backward(last) {
		n := l.filled()
		if n == 0 {
			continue
		}
		if n > max(1, width/4) || slices.ContainsFunc(l.cells[min(len(l.cells), 1):], evidence.IsNumber) || n == len(l.cells) && width == n || evidence.IsNumber(strings.Join(l.cells, "")) {
			return
		}
		if width < 4 && len(l.cells) >= width && !isNote(l.cells) {
			return
		}
		f.comments = append(f.comments, l.at)
	}
}

// noteWords begin sources and notes.
var noteWords = regexp.MustCompile(`(?i)^\W*(source|sources|note|notes|fuente|fuentes|nota|notas|izvor|napomena|quelle|hinweis|anmerkung|fonte|zdroj|джерело|\*)`)

func isNote(cells []string) bool { return noteWords.MatchString(strings.Join(cells, " ")) }

// mostAgain is how many lines of a file are noted that have the names again.
const mostAgain = 10_000

// readLayout looks at the lines of a table: at the first ones for the names, at the others for what is no row.
func (f *form) readLayout(t *files.Table, headerRow int) error {
	var first, last []line
	settled := false
	settle := func() {
		if !settled {
			f.layout, settled = findLayout(first), true
			if headerRow > 0 {
				f.takeHeader(first, headerRow)
			}
			for _, l := range first {
				if slices.Contains(f.headerRows, l.at) {
					f.nameLines = append(f.nameLines, l.cells)
				}
			}
		}
	}
	for record, err := range t.Lines() {
		if err != nil {
			return err
		}
		l := line{record.Line, slices.Clone(record.Cells)}
		if len(first) < mostTried {
			first = append(first, l)
		} else {
			settle()
		}
		if last = append(last, l); len(last) > 2*mostBelow {
			last = slices.Clone(last[mostBelow:])
		}
		if settled {
			f.look(l)
		}
	}
	settle()
	for _, l := range first[min(f.body, len(first)):] {
		f.look(l)
	}
	begins := int64(0)
	if f.body < len(first) {
		begins = first[f.body].at
	}
	f.endAt(slices.DeleteFunc(last, func(l line) bool { return l.at < begins }))
	return nil
}

// takeHeader takes the names from a line that a person named.
func (f *form) takeHeader(first []line, at int) {
	i := slices.IndexFunc(first, func(l line) bool { return l.at == int64(at) })
	if i < 0 {
		return
	}
	f.layout = layout{}
	f.setNames(first, i, make([]bool, len(first[i].cells)))
	f.leaveAbove(first)
}

// look looks at a line below the names: it may have them again, or be a row that ends early.
func (f *form) look(l line) {
	if len(f.comments) < mostAgain && slices.ContainsFunc(f.nameLines, func(names []string) bool { return slices.Equal(names, l.cells) }) {
		f.comments = append(f.comments, l.at)
	} else if n := len(l.cells); n > 0 && n < len(f.columns) && l.filled() > 0 {
		f.ragged++
	}
}

// longestName is how many characters the name of a field has that is made of that of a column.
const longestName = 100

// fieldNames gives each column a name that a field may have: the published one as far as it can be, with a number where two are alike.
func fieldNames(published []string) []string {
	names := make([]string, len(published))
	taken := map[string]bool{}
	for _, name := range published {
		if isFieldName(name) {
			taken[strings.ToLower(name)] = false
		}
	}
	for i, published := range published {
		name := published
		if !isFieldName(name) || taken[strings.ToLower(name)] {
			name = strings.TrimLeft(tidy.Label(strings.ReplaceAll(published, "\x00", "")), "_ ")
			if runes := []rune(name); len(runes) > longestName {
				name = strings.TrimSpace(string(runes[:longestName]))
			}
			if name == "" {
				name = "column " + strconv.Itoa(i+1)
			}
			for n, base := 2, name; ; n++ {
				if _, known := taken[strings.ToLower(name)]; !known {
					break
				}
				name = base + " " + strconv.Itoa(n)
			}
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

// isFieldName tells whether a published name may stay as it is.
func isFieldName(name string) bool {
	return strings.TrimSpace(name) == name && name != "" && !strings.ContainsFunc(name, unicode.IsControl) && !cube.IsOwnName(name) && len([]rune(name)) <= longestName && !strings.ContainsRune(name, 0)
}

// nameColumns names the columns of files without names by what is in them: year, amount, text 1.
func (d *Description) nameColumns() {
	for i, f := range d.profile.forms {
		if len(f.headerRows) > 0 {
			continue
		}
		counts := map[string]int{}
		for n := range f.header {
			c := d.profile.Columns[d.profile.Index[i][n]]
			name := "text"
			switch d.roles.of[c.At] {
			case isFiscalYear:
				name = "year"
			case isAmount:
				name = "amount"
			}
			if counts[name]++; name == "text" || counts[name] > 1 {
				name += " " + strconv.Itoa(counts[name])
			}
			f.header[n], c.Name = name, name
		}
	}
}
