package repair

import (
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// typeWidened makes text of a field declared integer, neither year nor amount, of whose cells over half are no
// whole numbers, or that has codes with leading zeros. Where fewer are wrong each is an error of its own.
func typeWidened(r *Repair) {
	undeclared := len(r.Draft.Measures) == 0
	for i := range r.Draft.Columns {
		c := &r.Draft.Columns[i]
		amount := undeclared && r.isUndeclaredAmount(*c)
		if c.Type != cube.TypeInteger || c.FiscalYear || amount || c.From != nil || r.Off(TypeWidened, c.Name) {
			continue
		}
		f := r.field(c.Name)
		switch {
		case 2*f.NotIntegers > f.Cells:
			r.info(TypeWidened, "", c.Name, "not-integers", findings.Params{"cells": f.NotIntegers, "of": f.Cells})
		case f.LeadingZeros > 0:
			r.info(TypeWidened, "", c.Name, "leading-zeros", findings.Params{"cells": f.LeadingZeros, "of": f.Cells})
		default:
			continue
		}
		c.Type = cube.TypeText
	}
}

// money lists the words that the name of an amount begins with.
var money = map[string]bool{
	"monto": true, "importe": true, "valor": true, "presupuesto": true, "credito": true, "amount": true,
	"value": true, "iznos": true,
}

// measureInferred makes measures of a package that declares none: fields declared as numbers, which spec.md has
// for amounts alone, and fields named for money whose cells are all numbers and that are no half of a code-label
// pair. They leave their dimensions. One that fails by its cells is reported: it was probably meant.
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
			r.infer(c, "number", nil)
		case f.Cells > 0 && f.NotNumbers == 0:
			r.infer(c, "money", findings.Params{"cells": f.Cells})
		case f.Cells > 0:
			r.warn(MeasureInferred, "", c.Name, "not", findings.Params{"cells": f.NotNumbers, "of": f.Cells})
		}
	}
}

// mayBeAmount tells whether a field, of a package that declares no measures, is one by its type or name.
func (r *Repair) mayBeAmount(c cube.Column) bool {
	return (NamedForMoney(c.Name) || c.Type == cube.TypeDecimal) && c.From == nil &&
		!r.isPaired(c.Name) && !r.Off(MeasureInferred, c.Name)
}

// isUndeclaredAmount tells whether a field, of a package that declares no measures, is one by its cells too.
func (r *Repair) isUndeclaredAmount(c cube.Column) bool {
	f := r.field(c.Name)
	return r.mayBeAmount(c) && f.Cells > 0 && f.NotNumbers == 0
}

func (r *Repair) infer(c *cube.Column, sentence string, params findings.Params) {
	r.Draft.RemoveLevel(c.Name)
	c.Type = cube.TypeDecimal
	r.Draft.Measures = append(r.Draft.Measures, cube.Measure{Ref: c.Name, Title: c.Name})
	r.info(MeasureInferred, "", c.Name, sentence, params)
}

// NamedForMoney tells whether the first word of a field's name is one for money. The word ends where the case changes
// to upper, or at an underscore.
func NamedForMoney(name string) bool {
	word, lower := name, false
	for i, c := range name {
		if c == '_' || unicode.IsUpper(c) && lower {
			word = name[:i]
			break
		}
		lower = unicode.IsLower(c)
	}
	return money[strings.ToLower(word)]
}
