package load

import (
	"strings"

	"github.com/shopspring/decimal"
)

// A cell with more than noiseDecimals decimals was computed: a person does not write so many. Its last digits are float
// noise, which is rounded, or the cell is a fraction, such as 0.41666666666666669, which is kept. Float arithmetic is
// exact to about noiseDigits significant digits, so noise changes no digit before the last of these.
const (
	noiseDecimals = 10
	noiseDigits   = 15
)

// mostDecimals is how many decimals an amount may have.
const mostDecimals = 18

// readAmount reads a number as read does, without the zeros that end a cell of more than noiseDecimals decimals.
func (n numberForm) readAmount(cell string) (canonical string, before, after int, ok bool) {
	canonical, before, after, ok = n.read(cell)
	if after > noiseDecimals {
		whole, fraction, _ := strings.Cut(canonical, ".")
		fraction = strings.TrimRight(fraction, "0")
		after = len(fraction)
		canonical = strings.TrimSuffix(whole+"."+fraction, ".")
	}
	return canonical, before, after, ok
}

// computed describes an amount with more than noiseDecimals decimals as far as it decides what the amount is.
type computed struct {
	// clean is the fewest decimals that it can be rounded to so that its last significant digit changes at most;
	// noDecimals where there are none up to noiseDecimals.
	clean int
	// leading is the power of ten of its first digit that is not zero; 0 from the first decimal on.
	leading int
	// long says whether it has leastResidueDigits significant digits or more.
	long bool
}

const noDecimals = noiseDecimals + 1

// describe describes a canonical number that has decimals.
func describe(canonical string) computed {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(canonical, "-"), ".")
	leading := len(whole) - 1
	if whole == "0" {
		leading = len(strings.TrimLeft(fraction, "0")) - len(fraction) - 1
	}
	c := computed{clean: noDecimals, long: leading+1+len(fraction) >= leastResidueDigits}
	if leading < -1 {
		c.leading = leading
	}
	certain := noiseDigits - 2 - leading // decimals that noise does not change
	if certain <= 0 {
		c.clean = 0
		return c
	}
	rest := ""
	if certain < len(fraction) {
		fraction, rest = fraction[:certain], fraction[certain:]
	}
	clean := len(strings.TrimRight(fraction, "0"))
	if strings.Trim(rest, "0") != "" { // rounded up, nines are zeros
		clean = min(clean, len(strings.TrimRight(fraction, "9")))
	}
	if clean <= noiseDecimals {
		c.clean = clean
	}
	return c
}

// noiseRule says which of the computed amounts of a field are noise, by its other amounts.
type noiseRule struct {
	decimals int // the most of the other amounts
	digits   int // the most that an amount has before the point; below one, less by each zero that begins its decimals
}

// leastResidueDigits is how many significant digits a residue has at least, as nobody writes so many of an amount that
// is next to nothing.
const leastResidueDigits = 10

// isNoise tells whether an amount is rounded.
func (r noiseRule) isNoise(c computed) bool { return c.clean <= r.decimals || r.isResidue(c) }

// isResidue tells whether an amount is what arithmetic with greater amounts left of nothing: it has many digits, is below
// the decimals of the others, and changes at most the last significant digit of the greatest.
func (r noiseRule) isResidue(c computed) bool {
	return c.long && c.leading < -r.decimals-1 && c.leading <= r.digits-noiseDigits
}

// nothing is the magnitude of zero.
const nothing = -1000

// magnitude counts the digits before the point of a canonical number that has so many; below one it is less by each zero
// that begins the decimals.
func magnitude(canonical string, before int) int {
	if before > 1 || strings.TrimPrefix(canonical, "-")[0] != '0' {
		return before
	}
	_, fraction, _ := strings.Cut(canonical, ".")
	significant := strings.TrimLeft(fraction, "0")
	if significant == "" {
		return nothing
	}
	return len(significant) - len(fraction)
}

// apply gives a canonical number as it is stored; after counts its decimals.
func (r noiseRule) apply(canonical string, after int) string {
	if after <= noiseDecimals {
		return canonical
	}
	c := describe(canonical)
	switch {
	case r.isResidue(c):
		return "0"
	case r.isNoise(c):
		return round(canonical, c.clean)
	}
	return canonical
}

// round rounds a canonical number half-even to the given decimals.
func round(canonical string, decimals int) string {
	d, err := decimal.NewFromString(canonical)
	if err != nil {
		return canonical
	}
	return d.RoundBank(int32(decimals)).StringFixed(int32(decimals))
}

// computedCells counts the computed amounts of a field, by what decides whether they are noise.
type computedCells map[computed]*computedCell

type computedCell struct {
	count    int64
	decimals int      // the most that one has
	deep     badCells // those of more than mostDecimals
}

func (all computedCells) of(c computed) *computedCell {
	cells, ok := all[c]
	if !ok {
		cells = &computedCell{}
		all[c] = cells
	}
	return cells
}

// merge adds cells of another resource.
func (all computedCells) merge(others computedCells) {
	for c, other := range others {
		cells := all.of(c)
		cells.count += other.count
		cells.decimals = max(cells.decimals, other.decimals)
		cells.deep.merge(other.deep)
	}
}
