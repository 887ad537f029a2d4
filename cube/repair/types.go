package repair

import "fiscube/cube"

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
			r.info(TypeWidened, "", c.Name, "declared integer; %d of its %d cells are none, so it is text", f.NotIntegers, f.Cells)
		case f.LeadingZeros > 0:
			r.info(TypeWidened, "", c.Name, "declared integer; %d of its %d cells begin with 0, so its codes are text",
				f.LeadingZeros, f.Cells)
		default:
			continue
		}
		c.Type = cube.TypeText
	}
}
