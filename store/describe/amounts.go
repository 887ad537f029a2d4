package describe

import (
	"fmt"
	"slices"

	"fiscube/internal/each"
	"fiscube/store/evidence"
)

// formOf gives the form in which the amounts of columns are written in a file, whether other marks could be meant, and the
// evidence: how many of their cells it reads.
func formOf(columns []*column, file int) (form int, alike bool, why string) {
	var all evidence.FormCounts
	for _, c := range columns {
		f := c.Numbers.Files[file]
		for i := range all.Reads {
			all.Reads[i] += f.Reads[i]
			all.Alike[i] += f.Alike[i]
		}
		all.Marks, all.Cells = all.Marks+f.Marks, all.Cells+f.Cells
	}
	form = slices.IndexFunc(all.Reads[:], func(n int64) bool { return n == slices.Max(all.Reads[:]) })
	if all.Marks > 0 && all.Alike[form] == all.Marks { // all could be thousands, and hardly all have three decimals
		alike = true
		form = slices.Index(evidence.Forms, evidence.Form{Decimal: map[string]string{".": ",", ",": "."}[evidence.Forms[form].Decimal], Group: evidence.Forms[form].Decimal})
	}
	why = fmt.Sprintf("%s of %s amounts are read so", count(all.Reads[form]), count(all.Cells))
	if alike {
		why += fmt.Sprintf("; all %s marks stand before three digits, so they separate thousands", count(all.Marks))
	}
	return form, alike, why
}

// amountForms says how the amounts of each file are written.
type amountForms struct {
	files  []fileForm
	fields map[[2]int]int // by file and column: the form of amounts that are written otherwise
}

type fileForm struct {
	form  int
	alike bool // points or commas could be meant otherwise
	why   string
}

func settleForms(p *profile, r *roles) *amountForms {
	a := &amountForms{fields: map[[2]int]int{}}
	for file := range p.forms {
		columns := each.Where(r.amounts, func(c *column) bool { return slices.Contains(p.Index[file], c.At) })
		form, alike, why := formOf(columns, file)
		a.files = append(a.files, fileForm{form, alike, why})
		for _, c := range columns {
			if own := c.Numbers.Files[file]; own.Reads[form] < slices.Max(own.Reads[:]) {
				a.fields[[2]int{file, c.At}], _, _ = formOf([]*column{c}, file)
			}
		}
	}
	return a
}

// of gives the form of a column in a file.
func (a *amountForms) of(file int, c *column) evidence.Form { return evidence.Forms[a.index(file, c)] }

func (a *amountForms) index(file int, c *column) int {
	if form, own := a.fields[[2]int{file, c.At}]; own {
		return form
	}
	return a.files[file].form
}

// plain is the form that needs no declaration.
const plain = 0
