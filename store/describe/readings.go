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
	for _, c := range d.profile.Columns {
		x := Column{Name: c.Name, Published: d.published(c), Reading: d.reading(c), Why: d.roles.why[c.At]}
		for _, v := range c.Values {
			if text := strings.TrimSpace(v.Text); text != "" && len(x.Cells) < mostCells {
				x.Cells = append(x.Cells, shown(text))
			}
		}
		for i, l := range d.levels {
			switch {
			case l.column == c && x.Why == nil:
				x.Why = together(l.conceptWhy, l.why)
			case l.label == c:
				x.Of, x.Why = l.column.Name, d.levels[i].labelWhy
			}
		}
		list = append(list, x)
	}
	return list
}

// published gives the header of a column.
func (d *Description) published(c *column) string {
	for file, index := range d.profile.Index {
		if i := slices.Index(index, c.At); i >= 0 && i < len(d.profile.forms[file].columns) {
			return d.profile.forms[file].columns[i]
		}
	}
	return c.Name
}

func (d *Description) reading(c *column) Reading {
	switch d.roles.of[c.At] {
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
	for _, c := range p.Columns {
		reading, ok := readings[c.Name]
		if !ok {
			continue
		}
		of, known := map[Reading]role{ReadYear: isFiscalYear, ReadAmount: isAmount, ReadLevel: isLevel, ReadNothing: isLeft,
			ReadPhase: isQualifier, ReadDirection: isQualifier, ReadCurrency: isQualifier, ReadKind: isQualifier}[reading]
		switch {
		case !known:
			return cube.Errorf(cube.CodeBadValue, "%s: %q is no reading of a column", shown(c.Name), reading)
		case of == isAmount && c.Numbers.Readable() == 0:
			return cube.Errorf(cube.CodeBadValue, "%s holds no numbers, so it is no amount", shown(c.Name))
		case of == isFiscalYear && c.Named < c.Cells && c.Short < c.Cells && c.DateFormat() == "":
			return cube.Errorf(cube.CodeBadValue, "%s of %s cells of %s name no fiscal year", count(c.Cells-c.Named), count(c.Cells), shown(c.Name))
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
	case c.Years == c.Cells:
		r.year.kind = yearOfNumbers
		r.year.why = say("years", "Years", c.Years, "Cells", c.Cells, "Span", spanOf(c))
	case c.Named == c.Cells || c.Short == c.Cells:
		r.year.kind = yearOfTexts
		r.year.why = say("year-names", "Names", c.Cells, "Cells", c.Cells, "Span", spanOf(c))
	default:
		r.year.kind, r.year.format = yearOfDates, c.DateFormat()
		r.year.why = say("dates-year", "Dates", c.Dates, "Cells", c.Cells)
	}
	r.set(c, isFiscalYear, r.year.why)
}
