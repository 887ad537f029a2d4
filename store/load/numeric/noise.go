package numeric

import (
	"strings"

	"github.com/shopspring/decimal"
)

// A cell with more than NoiseDecimals decimals was computed: a person does not write so many. Its last digits are float
// noise, which is rounded, or the cell is a fraction, such as 0.41666666666666669, which is kept. Float arithmetic is
// exact to about noiseDigits significant digits, so noise changes no digit before the last of these.
const noiseDigits = 15

// NoiseDecimals is how many decimals an amount has at most that was not computed.
const NoiseDecimals = 10

// MostDecimals is how many decimals an amount may have.
const MostDecimals = 18

// ReadAmount reads a number as Read does, without the zeros that end a cell of more than NoiseDecimals decimals.
func (n Form) ReadAmount(cell string) (canonical string, before, after int, ok bool) {
	canonical, before, after, ok = n.Read(cell)
	if after > NoiseDecimals {
		whole, fraction, _ := strings.Cut(canonical, ".")
		fraction = strings.TrimRight(fraction, "0")
		after = len(fraction)
		canonical = strings.TrimSuffix(whole+"."+fraction, ".")
	}
	return canonical, before, after, ok
}

// Computed describes an amount with more than NoiseDecimals decimals as far as it decides what the amount is.
type Computed struct {
	// Clean is the fewest decimals that it can be rounded to so that its last significant digit changes at most;
	// noDecimals where there are none up to NoiseDecimals.
	Clean int
	// leading is the power of ten of its first digit that is not zero; 0 from the first decimal on.
	leading int
	// long says whether it has leastResidueDigits significant digits or more.
	long bool
}

const noDecimals = NoiseDecimals + 1

// Describe describes a canonical number that has decimals.
func Describe(canonical string) Computed {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(canonical, "-"), ".")
	leading := len(whole) - 1
	if whole == "0" {
		leading = len(strings.TrimLeft(fraction, "0")) - len(fraction) - 1
	}
	c := Computed{Clean: noDecimals, long: leading+1+len(fraction) >= leastResidueDigits}
	if leading < -1 {
		c.leading = leading
	}
	certain := noiseDigits - 2 - leading // decimals that noise does not change
	if certain <= 0 {
		c.Clean = 0
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
	if clean <= NoiseDecimals {
		c.Clean = clean
	}
	return c
}

// NoiseRule says which of the computed amounts of a field are noise, by its other amounts.
type NoiseRule struct {
	Decimals int // the most of the other amounts
	Digits   int // the most that an amount has before the point; below one, less by each zero that begins its decimals
}

// leastResidueDigits is how many significant digits a residue has at least, as nobody writes so many of an amount that
// is next to nothing.
const leastResidueDigits = 10

// IsNoise tells whether an amount is rounded.
func (r NoiseRule) IsNoise(c Computed) bool { return c.Clean <= r.Decimals || r.IsResidue(c) }

// IsResidue tells whether an amount is what arithmetic with greater amounts left of nothing: it has many digits, is below
// the decimals of the others, and changes at most the last significant digit of the greatest.
func (r NoiseRule) IsResidue(c Computed) bool {
	return c.long && c.leading < -r.Decimals-1 && c.leading <= r.Digits-noiseDigits
}

// Nothing is the magnitude of zero.
const Nothing = -1000

// Magnitude counts the digits before the point of a canonical number that has so many; below one it is less by each zero
// that begins the decimals.
func Magnitude(canonical string, before int) int {
	if before > 1 || strings.TrimPrefix(canonical, "-")[0] != '0' {
		return before
	}
	_, fraction, _ := strings.Cut(canonical, ".")
	significant := strings.TrimLeft(fraction, "0")
	if significant == "" {
		return Nothing
	}
	return len(significant) - len(fraction)
}

// Apply gives a canonical number as it is stored; after counts its decimals.
func (r NoiseRule) Apply(canonical string, after int) string {
	if after <= NoiseDecimals {
		return canonical
	}
	c := Describe(canonical)
	switch {
	case r.IsResidue(c):
		return "0"
	case r.IsNoise(c):
		return round(canonical, c.Clean)
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
