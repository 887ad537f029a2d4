package numeric

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/internal/golden"
)

func TestNumberForm_ReadsThePublishedNumbers(t *testing.T) {
	golden.Answers(t, "testdata/numbers.txt", func(line string) string {
		var field cube.Field
		var cell string
		if _, err := fmt.Sscanf(line, "%q %q %q", &field.DecimalChar, &field.GroupChar, &cell); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got, before, after, ok := FormOf(field).Read(cell)
		if !ok {
			return "none"
		}
		whole, fraction, _ := strings.Cut(strings.TrimPrefix(got, "-"), ".")
		if before != len(whole) || after != len(fraction) {
			t.Errorf("%s has %d.%d digits, not %d.%d", got, len(whole), len(fraction), before, after)
		}
		return got
	})
}

func TestNumberForm_DoesNotCopyCanonicalNumbers(t *testing.T) {
	for _, cell := range []string{"111993252.00", "-5", "0", "0.5"} {
		if n := testing.AllocsPerRun(10, func() { plainForm.Read(cell) }); n > 0 {
			t.Errorf("%s takes %v allocations", cell, n)
		}
	}
}

func TestNoiseRule(t *testing.T) {
	millions, small := NoiseRule{Decimals: 2, Digits: 7}, NoiseRule{Decimals: 0, Digits: 1}
	tests := []struct {
		rule       NoiseRule
		cell, want string
	}{
		{millions, "1234.5600000000001", "1234.56"}, {millions, "1234.5599999999999", "1234.56"},
		{millions, "-1234.5600000000001", "-1234.56"}, {millions, "0.99999999999999989", "1"},
		{millions, "0.30000000000000004", "0.3"}, {millions, "2.50000000000", "2.5"}, {millions, "0.125000000000", "0.125"},
		{millions, "0.41666666666666669", "0.41666666666666669"}, {millions, "0.12500000000000001", "0.12500000000000001"},
		{millions, "1234567.89000000001", "1234567.89"}, {millions, "1234.56000000012", "1234.56000000012"},
		{millions, "-1.4901161193847656E-8", "0"}, {small, "-1.4901161193847656E-8", "-0.000000014901161193847656"},
		{millions, "0.00000001234567", "0.00000001234567"}, {millions, "1.2345E-10", "0.00000000012345"},
		{millions, "0.00000000123456789", "0.00000000123456789"}, {millions, "0.000000001234567891", "0"},
		{NoiseRule{0, -9}, "0.000000000123456789012", "0.000000000123456789012"}, {NoiseRule{1, 0}, "5.551115123125783E-17", "0"},
		{millions, "0.0000001666666666", "0.0000001666666666"}, {NoiseRule{2, 12}, "0.0000001666666666", "0"},
		{NoiseRule{2, 13}, "0.0041666666666666", "0.0041666666666666"},
		{small, "1.4166666666666667", "1.4166666666666667"}, {small, "2.9999999999999996", "3"},
		{small, "1234567890123456.12345678901", "1234567890123456"},
		{small, "7", "7"}, {small, "1.2345678901", "1.2345678901"},
	}
	for _, test := range tests {
		canonical, _, after, ok := plainForm.ReadAmount(test.cell)
		if got := test.rule.Apply(canonical, after); !ok || got != test.want {
			t.Errorf("%s beside amounts of %d digits and %d decimals is %s, want %s",
				test.cell, test.rule.Digits, test.rule.Decimals, got, test.want)
		}
	}
}

// FuzzNumberForm: what is accepted means what two other readers say it means, and is canonical.
func FuzzNumberForm(f *testing.F) {
	for _, cell := range []string{"1.234,56", "40,800,000", " 99,305,000 ", "-1.4901161193847656E-8", "-0", "007", ".5", "5.", "1E999"} {
		f.Add(cell, ".", ",")
		f.Add(cell, ",", ".")
	}
	f.Add("1'000·5", "·", "'")
	f.Fuzz(func(t *testing.T, cell, decimalChar, groupChar string) {
		form := FormOf(cube.Field{DecimalChar: decimalChar, GroupChar: groupChar})
		got, before, after, ok := form.Read(cell)
		if !ok || len([]rune(decimalChar)) > 1 || len([]rune(groupChar)) > 1 || strings.ContainsAny(decimalChar+groupChar, "0123456789+-eE ") {
			return
		}
		plain := strings.TrimSpace(cell)
		if form.group != "" {
			plain = strings.ReplaceAll(plain, form.group, "")
		}
		if form.decimal != "" {
			plain = strings.Replace(plain, form.decimal, ".", 1)
		}
		rat, ok := new(big.Rat).SetString(plain)
		amount, err := decimal.NewFromString(got)
		if !ok || err != nil || amount.Rat().Cmp(rat) != 0 {
			t.Fatalf("%q is %s, others say %v, %v", cell, got, rat, err)
		}
		if again, b, a, ok := plainForm.Read(got); !ok || again != got || b != before || a != after {
			t.Fatalf("%q is %s with %d.%d digits, and that %s with %d.%d", cell, got, before, after, again, b, a)
		}
	})
}

// FuzzNoise: what rounding changes is less than the last significant digit but one, and what is not rounded stays.
func FuzzNoise(f *testing.F) {
	f.Add("-0.000000014901161193847656", uint8(2))
	f.Add("1234.5599999999999", uint8(2))
	f.Add("0.41666666666666669", uint8(0))
	f.Fuzz(func(t *testing.T, cell string, places uint8) {
		canonical, before, after, ok := plainForm.ReadAmount(cell)
		rule := NoiseRule{Decimals: int(places % 11), Digits: before}
		if !ok || after <= NoiseDecimals || len(canonical) > 2000 {
			return
		}
		c, got := Describe(canonical), rule.Apply(canonical, after)
		was, _ := new(big.Rat).SetString(canonical)
		is, _ := new(big.Rat).SetString(got)
		off := new(big.Rat).Abs(new(big.Rat).Sub(was, is))
		_, _, decimals, _ := plainForm.Read(got)
		switch {
		case !rule.IsNoise(c) && got != canonical:
			t.Fatalf("%s is no noise and became %s", canonical, got)
		case rule.IsResidue(c) && got != "0", rule.IsNoise(c) && decimals > rule.Decimals:
			t.Fatalf("%s beside %d decimals became %s", canonical, rule.Decimals, got)
		case rule.IsNoise(c) && !rule.IsResidue(c) && new(big.Rat).Mul(off, powerOfTen(noiseDigits-2)).Cmp(new(big.Rat).Abs(was)) >= 0:
			t.Fatalf("%s became %s", canonical, got)
		}
	})
}

func powerOfTen(n int64) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil))
}

func BenchmarkNumber(b *testing.B) {
	for _, cell := range []string{"111993252.00", "40,800,000", "-1.4901161193847656E-8"} {
		b.Run(cell, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				plainForm.Read(cell)
			}
		})
	}
}
