package repair

import (
	"strings"
	"unicode"

	"fiscube/cube"
)

// money lists the words that the name of an amount begins with.
var money = map[string]bool{
	"monto": true, "importe": true, "valor": true, "presupuesto": true, "credito": true, "amount": true,
	"value": true, "iznos": true,
}

// measureInferred makes measures of a package that declares none: fields declared as numbers, which spec.md has
// for amounts alone, and fields named for money whose cells are all numbers and that are no half of a code-label
// pair. They leave their dimensions. One that fails by its cells is told of: it was probably meant.
func measureInferred(r *Repair) {
	if len(r.Draft.Measures) > 0 {
		return
	}
	for i := range r.Draft.Columns {
		c := &r.Draft.Columns[i]
		if !r.mayBeAmount(*c) {
			continue
		}
		f := r.field(c.Name)
		switch {
		case c.Type == cube.TypeDecimal:
			r.infer(c, "no measures are declared; it is declared a number")
		case f.Cells > 0 && f.NotNumbers == 0:
			r.infer(c, "no measures are declared; its name says money and all of its %d cells are numbers", f.Cells)
		case f.Cells > 0:
			r.warn(MeasureInferred, "", c.Name, "its name says money, but %d of its %d cells are no numbers, so it is no measure",
				f.NotNumbers, f.Cells)
		}
	}
}

// mayBeAmount tells whether a field, of a package that declares no measures, says that it is one.
func (r *Repair) mayBeAmount(c cube.Column) bool {
	return (NamedForMoney(c.Name) || c.Type == cube.TypeDecimal) && c.From == nil &&
		!r.isPaired(c.Name) && !r.Off(MeasureInferred, c.Name)
}

// isUndeclaredAmount tells whether a field, of a package that declares no measures, is one by its cells too.
func (r *Repair) isUndeclaredAmount(c cube.Column) bool {
	f := r.field(c.Name)
	return r.mayBeAmount(c) && f.Cells > 0 && f.NotNumbers == 0
}

func (r *Repair) infer(c *cube.Column, format string, args ...any) {
	r.Draft.RemoveLevel(c.Name)
	c.Type = cube.TypeDecimal
	r.Draft.Measures = append(r.Draft.Measures, cube.Measure{Ref: c.Name, Title: c.Name})
	r.info(MeasureInferred, "", c.Name, format, args...)
}

func (r *Repair) isPaired(field string) bool {
	level := r.Draft.Level(field)
	return level != nil && level.LabelRef != "" || r.Draft.LevelOfLabel(field) != nil
}

// NamedForMoney tells whether the first word of a field's name is one for money.
func NamedForMoney(name string) bool { return money[strings.ToLower(firstWord(name))] }

// firstWord ends where the case changes to upper, or at an underscore.
func firstWord(name string) string {
	lower := false
	for i, c := range name {
		if c == '_' || unicode.IsUpper(c) && lower {
			return name[:i]
		}
		lower = unicode.IsLower(c)
	}
	return name
}
