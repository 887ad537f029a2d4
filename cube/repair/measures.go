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

// measureInferred makes measures of a package that declares none: fields named for money, whose cells are all
// numbers and that are no half of a code-label pair. They leave their dimensions.
func measureInferred(r *Repair) {
	if len(r.Draft.Measures) > 0 {
		return
	}
	for i := range r.Draft.Columns {
		if c := &r.Draft.Columns[i]; r.isUndeclaredAmount(*c) {
			r.Draft.RemoveLevel(c.Name)
			c.Type = cube.TypeDecimal
			r.Draft.Measures = append(r.Draft.Measures, cube.Measure{Ref: c.Name, Title: c.Name})
			r.info(MeasureInferred, "", c.Name, "no measures are declared; its name says money and all of its %d cells are numbers",
				r.field(c.Name).Cells)
		}
	}
}

// isUndeclaredAmount tells whether a field, of a package that declares no measures, is one.
func (r *Repair) isUndeclaredAmount(c cube.Column) bool {
	f := r.field(c.Name)
	return NamedForMoney(c.Name) && c.From == nil && f.Cells > 0 && f.NotNumbers == 0 &&
		!r.isPaired(c.Name) && !r.Off(MeasureInferred, c.Name)
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
