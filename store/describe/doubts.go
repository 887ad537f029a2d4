package describe

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/store/evidence"
)

// A doubt is something in the files that can be read in two ways, or that looks like a slip, and of which no cell says what is right. The package loads, and
// each of its answers says so, until a person has looked and taken the note out of the overlay.

// notKnown says what nobody has answered of the amounts, if anything.
func (d *Description) notKnown() (cube.Titles, bool) {
	var unknown cube.Titles
	for _, what := range []string{"currency", "unit", "phase", "direction"} {
		if len(d.amountsWithout(what)) == 0 {
			continue
		}
		word := what
		if what == "direction" {
			word = "either"
		}
		if unknown == nil {
			unknown = say(word)
			continue
		}
		for language, text := range say(word) {
			unknown[language] += ", " + text
		}
	}
	return say("unknown", "Qualifiers", unknown), unknown != nil
}

// mostDoubts is how many doubts of one kind are said.
const mostDoubts = 5

// doubt notes a doubt.
func (d *Description) doubt(kind string, args ...any) {
	if d.doubted[kind]++; d.doubted[kind] > mostDoubts {
		return
	}
	d.doubts = append(d.doubts, say(kind, args...))
}

// Doubts lists what somebody should look at before the numbers are used, by language.
func (d *Description) Doubts() []cube.Titles { return d.doubts }

// findDoubts looks at the amounts, and at the rows.
func (d *Description) findDoubts(ctx context.Context) error {
	if y := d.roles.year.column; y != nil && y.Missing > 0 {
		d.doubt("no-year", "Rows", y.Missing, "All", d.profile.Rows)
	}
	for i, f := range d.profile.forms {
		if i < len(d.forms.files) && d.forms.files[i].alike {
			d.doubt("marks", "File", shown(f.path))
		}
		if len(f.others) > 0 {
			d.doubt("sheets", "File", shown(f.path), "Sheets", clipped(quotedAll(f.others)))
		}
	}
	for _, c := range d.profile.Columns {
		if slices.Contains(d.roles.besideYears, c) && has(c.Words, vocabulary.Money) != "" {
			d.doubt("beside", "Column", shown(c.Name))
		}
		if d.roles.of[c.At] != isLevel && d.roles.of[c.At] != isLabel {
			continue
		}
		if revenue, expenditure := directionsIn(c); !d.roles.sayDirection() && revenue != "" && expenditure != "" {
			d.doubt("directions", "Column", shown(c.Name), "Revenue", shown(revenue), "Expenditure", shown(expenditure))
		}
		if c.IsIndented() {
			d.doubt("indented", "Column", shown(c.Name))
		}
		if i := slices.IndexFunc(c.Values, func(v evidence.Value) bool { return ofWhich.MatchString(v.Text) }); i >= 0 {
			d.doubt("parts", "Column", shown(c.Name), "Text", shown(strings.TrimSpace(c.Values[i].Text)))
		}
	}
	if y := d.roles.year.column; y != nil && hasPeriods(y) {
		d.doubt("statements", "Column", shown(y.Name))
	}
	for _, c := range d.roles.amounts {
		if c.Numbers.Credits > 0 {
			d.doubt("credits", "Column", shown(c.Name), "Cells", c.Numbers.Credits)
		}
		for _, text := range c.MarksOfNothing() {
			if !evidence.IsNothing(text) && evidence.HasLetter(text) {
				d.doubt("word", "Column", shown(c.Name), "Text", shown(text))
			}
		}
		for file, counts := range c.Numbers.Files {
			if file >= len(d.forms.files) || counts.Cells == 0 {
				continue
			}
			form := d.forms.index(file, c)
			if threes := counts.Threes[form]; threes > 0 && threes*5 < counts.Marks {
				d.doubt("three-digits", "Column", shown(c.Name), "Amount", shown(counts.Example))
			}
		}
	}
	return d.findShifted(ctx)
}

// hasPeriods tells whether a column of years has several numbered periods of one year, such as 2023003 and 2023006.
func hasPeriods(c *column) bool {
	years, periods := map[string]bool{}, 0
	for _, v := range c.Values {
		if text := strings.TrimSpace(v.Text); len(text) == len("2023003") && evidence.IsDigits(text) {
			years[text[:4]] = true
			periods++
		}
	}
	return len(years) < periods
}

// ofWhich begins the names of rows that are parts of the one above.
var ofWhich = regexp.MustCompile(`(?i)^\W*(of which|including|davon\b|darunter\b|dont\b|de los cuales|de las cuales|di cui|od toga\b|z toho\b|w tym\b|waarvan\b|heraf\b|в том числе|у тому числі)`)

// shortestDirection is how many letters a word for a direction has among the names of members, where e and r are initials.
const shortestDirection = 4

// directionsIn gives two cells that are revenue and expenditure, and say the same beside: Revenue and Expenditure, or each of the state; "" where none are.
func directionsIn(c *column) (revenue, expenditure string) {
	by := map[string]map[string]string{"revenue": {}, "expenditure": {}} // cells by what they say beside
	for _, v := range c.Values {
		words := wordsOf(v.Text)
		if v.Rows == 0 || len([]rune(words[0])) < shortestDirection || vocabulary.Finance[words[0]] {
			continue
		}
		if of := by[cmp.Or(qualifier.MeaningOf("direction", words[0]), directionOf(words[:1]))]; of != nil {
			of[strings.Join(words[1:], " ")] = strings.TrimSpace(v.Text)
		}
	}
	for _, beside := range slices.Sorted(maps.Keys(by["revenue"])) {
		if spent := by["expenditure"][beside]; spent != "" {
			return by["revenue"][beside], spent
		}
	}
	return "", ""
}

// fewestSwallowed is how many lines a cell has at least that may have swallowed rows.
const fewestSwallowed = 20

// findShifted finds cells that may have swallowed rows, and rows without any amount that have a number in a column of words.
func (d *Description) findShifted(ctx context.Context) error {
	p := d.profile
	for file := range p.forms {
		for row, err := range p.Each(ctx, file, false) {
			if err != nil {
				return err
			}
			number, amounts := "", false
			for i, at := range p.Index[file] {
				c, cell := p.Columns[at], strings.TrimSpace(row.Cells[i])
				if lines := strings.Count(cell, "\n") + 1; lines >= fewestSwallowed && !p.forms[file].workbook {
					d.doubt("swallowed", "Column", shown(c.Name), "Line", row.Line, "Lines", lines)
				}
				switch {
				case cell == "":
				case d.roles.of[at] == isAmount:
					amounts = true
				case c.Letters*5 >= c.Cells*4 && c.Cells > 20 && evidence.IsNumber(cell) && !evidence.IsYearText(cell):
					number = c.Name
				}
			}
			if number != "" && !amounts {
				d.doubt("shifted", "Line", row.Line, "Column", shown(number))
			}
		}
	}
	return nil
}
