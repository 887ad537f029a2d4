package cube_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

func TestQuotientRoundsHalfToEven(t *testing.T) {
	huge := "1" + strings.Repeat("0", 60)
	for _, tt := range []struct {
		name, a, b string
		scale      int32
		want       string
	}{
		{"exact", "10", "4", 2, "2.5"},
		{"down", "10", "3", 2, "3.33"},
		{"up", "20", "3", 2, "6.67"},
		{"a tie goes down to even", "5", "2", 0, "2"},
		{"a tie goes up to even", "7", "2", 0, "4"},
		{"a tie at zero", "1", "2", 0, "0"},
		{"a tie after the point goes down", "0.125", "1", 2, "0.12"},
		{"a tie after the point goes up", "0.135", "1", 2, "0.14"},
		{"a negative dividend", "-5", "2", 0, "-2"},
		{"a negative dividend goes up to even", "-7", "2", 0, "-4"},
		{"a negative divisor", "7", "-2", 0, "-4"},
		{"both negative", "-7", "-2", 0, "4"},
		{"a negative tie at zero is plain zero", "-1", "2", 0, "0"},
		{"nearly a tie, above", "0.50000000000000000000000000000000000001", "1", 0, "1"},
		{"nearly a tie, below", "0.49999999999999999999999999999999999999", "1", 0, "0"},
		{"nearly a tie above an even digit", "2.500000000000000000000000000000001", "1", 0, "3"},
		{"nearly a tie, negative", "-2.500000000000000000000000000000001", "1", 0, "-3"},
		{"smaller than the last digit", "1", huge, 4, "0"},
		{"just above half the last digit", "51", "1000000", 4, "0.0001"},
		{"a zero dividend", "0", "7", 4, "0"},
		{"a dividend of many digits", huge + "1", "2", 0, "5" + strings.Repeat("0", 60)},
		{"a divisor with decimals", "1", "0.0003", 4, "3333.3333"},
		{"a divisor written with an exponent", "1e3", "3e-3", 2, "333333.33"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := decimal.RequireFromString(tt.a), decimal.RequireFromString(tt.b)
			got := cube.Quotient(decimal.NewNullDecimal(a), decimal.NewNullDecimal(b), tt.scale)
			if !got.Valid || got.Decimal.String() != tt.want {
				t.Errorf("%s / %s to %d decimals is %s, want %s", tt.a, tt.b, tt.scale, showNumber(got), tt.want)
			}
			if want := roundedQuotient(a, b, tt.scale); want != tt.want {
				t.Errorf("the oracle says %s, the table %s", want, tt.want)
			}
		})
	}
}

func TestQuotientOfNothing(t *testing.T) {
	one, zero, null := decimal.NewNullDecimal(decimal.NewFromInt(1)), decimal.NewNullDecimal(decimal.Zero), decimal.NullDecimal{}
	for _, tt := range []struct {
		name string
		a, b decimal.NullDecimal
	}{
		{"null by a number", null, one}, {"a number by null", one, null}, {"a number by zero", one, zero},
		{"zero by zero", zero, zero}, {"null by null", null, null},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cube.Quotient(tt.a, tt.b, 4); got.Valid {
				t.Errorf("got %s, want null", got.Decimal)
			}
		})
	}
}

func TestQuotientAgreesWithFractions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 50_000 {
		a, b, scale := randomDecimal(r), randomDecimal(r), r.Int32N(9)
		if b.IsZero() {
			continue
		}
		if r.IntN(3) == 0 { // a tie: an odd number of halves of the last digit
			a = b.Mul(decimal.New(2*r.Int64N(2_000_001)-2_000_001, 0)).Mul(decimal.New(5, -scale-1))
		}
		got := cube.Quotient(decimal.NewNullDecimal(a), decimal.NewNullDecimal(b), scale)
		if want := roundedQuotient(a, b, scale); showNumber(got) != want {
			t.Fatalf("%s / %s to %d decimals is %s, want %s", a, b, scale, showNumber(got), want)
		}
	}
}

func randomDecimal(r *rand.Rand) decimal.Decimal {
	n := big.NewInt(r.Int64N(1 << (1 + r.Uint64N(62))))
	if r.IntN(4) == 0 {
		n.Mul(n, big.NewInt(r.Int64()))
	}
	if r.IntN(2) == 0 {
		n.Neg(n)
	}
	return decimal.NewFromBigInt(n, -r.Int32N(7)+r.Int32N(3))
}

// roundedQuotient divides as fractions and rounds half to even in whole numbers of the last digit.
func roundedQuotient(a, b decimal.Decimal, scale int32) string {
	digit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	digits := new(big.Rat).Quo(new(big.Rat).Quo(a.Rat(), b.Rat()), digit)
	whole, rest := new(big.Int).DivMod(digits.Num(), digits.Denom(), new(big.Int)) // rest is not negative
	half := new(big.Int).Lsh(rest, 1).Cmp(digits.Denom())
	if half > 0 || half == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(1))
	}
	return decimal.NewFromBigInt(whole, -scale).String()
}
