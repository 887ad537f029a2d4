package describe

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// Reading is what a column is taken for.
type Reading string

// The readings that a person may choose. A label is found with its code.
const (
	ReadYear      Reading = "year"
	ReadAmount    Reading = "amount"
	ReadLevel     Reading = "level"
	ReadLabel     Reading = "label"
	ReadPhase     Reading = "phase"
	ReadDirection Reading = "direction"
	ReadCurrency  Reading = "currency"
	ReadKind      Reading = "kind"
	ReadNothing   Reading = "none" // it is in each row, and in no part of the model
)

// Readings are all readings that a person may choose.
var Readings = []Reading{ReadYear, ReadAmount, ReadLevel, ReadPhase, ReadDirection, ReadCurrency, ReadKind, ReadNothing}

// Column is a column of the files with what it is taken for.
type Column struct {
	Name      string   // of its field
	Published string   // its header in the first file that has it
	Cells     []string // the first that differ
	Reading   Reading
	Why       cube.Titles // the evidence
	Of        string      // a label: the field of its code
}

// mostCells is how many cells of a column are shown.
const mostCells = 5

// Columns lists the columns of the files in their order, with what each is taken for.
func (d *Description) Columns() []Column {
	var list []Column
	for _, c := range d.profile.columns {
		x := Column{Name: c.name, Published: d.published(c), Reading: d.reading(c), Why: d.roles.why[c.at]}
		for _, v := range c.values {
			if text := strings.TrimSpace(v.text); text != "" && len(x.Cells) < mostCells {
				x.Cells = append(x.Cells, shown(text))
			}
		}
		for i, l := range d.levels {
			switch {
			case l.column == c && x.Why == nil:
				x.Why = together(l.conceptWhy, l.why)
			case l.label == c:
				x.Of, x.Why = l.column.name, d.levels[i].labelWhy
			}
		}
		list = append(list, x)
	}
	return list
}

// published gives the header of a column.
func (d *Description) published(c *column) string {
	for file, index := range d.profile.index {
		if i := slices.Index(index, c.at); i >= 0 && i < len(d.profile.forms[file].columns) {
			return d.profile.forms[file].columns[i]
		}
	}
	return c.name
}

func (d *Description) reading(c *column) Reading {
	switch d.roles.of[c.at] {
	case isFiscalYear:
		return ReadYear
	case isAmount:
		return ReadAmount
	case isLabel:
		return ReadLabel
	case isLeft:
		return ReadNothing
	case isQualifier:
		return Reading(d.roles.quality[c])
	}
	return ReadLevel
}

// take takes what a person says of columns.
func (r *roles) take(p *profile, readings map[string]Reading) error {
	for _, c := range p.columns {
		reading, ok := readings[c.name]
		if !ok {
			continue
		}
		of, known := map[Reading]role{ReadYear: isFiscalYear, ReadAmount: isAmount, ReadLevel: isLevel, ReadNothing: isLeft,
			ReadPhase: isQualifier, ReadDirection: isQualifier, ReadCurrency: isQualifier, ReadKind: isQualifier}[reading]
		switch {
		case !known:
			return cube.Errorf(cube.CodeBadValue, "%s: %q is no reading of a column", shown(c.name), reading)
		case of == isAmount && c.numbers.readable() == 0:
			return cube.Errorf(cube.CodeBadValue, "%s holds no numbers, so it is no amount", shown(c.name))
		case of == isFiscalYear && c.named < c.cells && c.short < c.cells && c.dateFormat() == "":
			return cube.Errorf(cube.CodeBadValue, "%s of %s cells of %s name no fiscal year", count(c.cells-c.named), count(c.cells), shown(c.name))
		case of == isQualifier:
			r.quality[c] = string(reading)
		}
		r.told[c] = reading
		r.set(c, of, told())
	}
	return nil
}

// yearTold gives the column that a person takes for the fiscal year, or nil.
func (r *roles) yearTold() *column {
	for c, reading := range r.told {
		if reading == ReadYear {
			return c
		}
	}
	return nil
}

// mayBe tells whether nobody says that a column is something else.
func (r *roles) mayBe(c *column, reading Reading) bool {
	told, ok := r.told[c]
	return !ok || told == reading
}

// yearIs takes a column for the fiscal year.
func (r *roles) yearIs(c *column) {
	r.year = yearSource{column: c}
	switch {
	case c.years == c.cells:
		r.year.kind = yearOfNumbers
		r.year.why = say("years", "Years", c.years, "Cells", c.cells, "Span", c.span())
	case c.named == c.cells || c.short == c.cells:
		r.year.kind = yearOfTexts
		r.year.why = say("year-names", "Names", c.cells, "Cells", c.cells, "Span", c.span())
	default:
		r.year.kind, r.year.format = yearOfDates, c.dateFormat()
		r.year.why = say("dates-year", "Dates", c.dates, "Cells", c.cells)
	}
	r.set(c, isFiscalYear, r.year.why)
}
