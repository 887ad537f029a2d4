package words_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/words"
)

func locale(tag string) words.Locale {
	language, region, _ := strings.Cut(tag, "-")
	return words.Locale{Language: cube.Language(language), Region: region}
}

func number(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func TestLocale_WritesNumbersAsTheRegionDoes(t *testing.T) {
	for want, tags := range map[string]string{
		"1,234|−1,234,567.50": "en en-GB en-US en-HR es-419 es-BR es-BZ es-CU es-DO es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-SV es-US",
		"1.234|−1.234.567,50": "es es-ES es-AR es-BO es-CL es-CO es-EC es-GQ es-PH es-PY es-UY es-VE es-ZZ hr hr-HR hr-BA hr-MX",
		"1_234|−1_234_567,50": "es-CR en-ZA",
		"1,234|−12,34,567.50": "en-IN",
	} {
		for tag := range strings.FieldsSeq(tags) {
			l := locale(tag)
			if got := l.Whole(1234) + "|" + l.Decimal(number("-1234567.5"), 2); strings.ReplaceAll(got, "\u00a0", "_") != want {
				t.Errorf("%s: %s, want %s", tag, got, want)
			}
		}
	}
}

func TestLocale_OfACountryWhoseLanguageItIs(t *testing.T) {
	for tag, byCountry := range map[string]map[string]string{
		"es": {"MEX": "1,234.5", "DO": "1,234.5", "UY": "1.234,5", "HRV": "1.234,5", "": "1.234,5", "Atlantis": "1.234,5"}, "es-ES": {"MEX": "1.234,5"},
		"en": {"MEX": "1,234.5", "DE": "1,234.5"}, "hr": {"MX": "1.234,5", "HR": "1.234,5"}, "pt": {"BR": "1.234,5"},
	} {
		for country, want := range byCountry {
			if got := locale(tag).Of(country).Decimal(number("1234.5"), 1); got != want {
				t.Errorf("%s of %s: %s, want %s", tag, country, got, want)
			}
		}
	}
}

func TestLocale_WritesEveryDigit(t *testing.T) {
	es := locale("es")
	for _, tt := range []struct {
		number string
		scale  int32
		want   string
	}{
		{"123456789012345678901", 0, "123.456.789.012.345.678.901"},
		{"-999999999999999999999.99", 2, "−999.999.999.999.999.999.999,99"},
		{"0.10000000000000000000000001", 2, "0,10000000000000000000000001"},
		{"1.239", 2, "1,239"}, {"7", 2, "7,00"}, {"100", 0, "100"}, {"1000", 0, "1.000"}, {"0", 0, "0"}, {"1e3", 0, "1.000"},
	} {
		if got := es.Decimal(number(tt.number), tt.scale); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.number, got, tt.want)
		}
	}
	if got := es.Amount(number("1234.5"), 2, "MXN") + " " + es.Amount(number("1"), 0, ""); got != "1.234,50 MXN 1" {
		t.Error(got)
	}
}

func TestLocale_SharesAndChanges(t *testing.T) {
	for _, tt := range []struct{ part, english, croatian string }{
		{"0.1234567", "12.3%", "12,3_%"}, {"0.0005", "0.1%", "0,1_%"}, {"0.00049999", "< 0.1%", "< 0,1_%"}, {"0", "0.0%", "0,0_%"},
		{"1", "100.0%", "100,0_%"}, {"0.9995", "> 99.9%", "> 99,9_%"}, {"0.99949999", "99.9%", "99,9_%"}, {"1.0001", "100.0%", "100,0_%"}, {"-0.25", "−25.0%", "−25,0_%"}, {"12.34567", "1,234.6%", "1.234,6_%"}, {"-0.0001", "0.0%", "0,0_%"},
	} {
		en, hr := locale("en").Share(number(tt.part)), strings.ReplaceAll(locale("hr").Share(number(tt.part)), "\u00a0", "_")
		if en != tt.english || hr != tt.croatian {
			t.Errorf("%s: %s and %s, want %s and %s", tt.part, en, hr, tt.english, tt.croatian)
		}
	}
	es := locale("es")
	for percent, want := range map[string]string{"12.345": "+12,3\u00a0%", "-5": "−5,0\u00a0%", "0": "0,0\u00a0%", "0.04": "0,0\u00a0%", "-0.04": "0,0\u00a0%", "0.05": "+0,1\u00a0%"} {
		if got := es.Change(decimal.NewNullDecimal(number(percent))); got != want {
			t.Errorf("%s: %s, want %s", percent, got, want)
		}
	}
	if got := locale("en").Change(decimal.NullDecimal{}) + es.Change(decimal.NullDecimal{}); got != "newnuevo" {
		t.Errorf("of nothing: %s", got)
	}
}

func TestPeriods(t *testing.T) {
	for want, numbers := range map[string][]int64{"1": {1}, "1–2": {1, 2}, "1–7, 9, 11–12": {1, 2, 3, 4, 5, 6, 7, 9, 11, 12}, "2, 4": {2, 4}} {
		if got := words.Periods(numbers); got != want {
			t.Errorf("%v is written %q, want %q", numbers, got, want)
		}
	}
}

func TestLocale_SizesCountsAndYears(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bajtova", 1: "1 bajt", 2: "2 bajta", 999: "999 bajtova", 1000: "1 kB", 1549: "1,5 kB", 1550: "1,6 kB", 9949: "9,9 kB", 9950: "10 kB",
		999499: "999 kB", 999500: "1 MB", 1234567890: "1,2 GB", 9223372036854775807: "9,2 EB",
	} {
		if got := locale("hr").Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for tag, want := range map[string]string{"en": "1 row, 2 rows, 1,021 rows", "es": "1 fila, 2 filas, 1.021 filas", "hr": "1 redak, 2 retka, 1.021 redak"} {
		var said []string
		for _, n := range []any{1, int64(2), 1021} {
			l := locale(tag)
			said = append(said, l.Say("view.cells", "Count", n))
		}
		if got := strings.Join(said, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for tag, want := range map[string]string{"en": "2008 to 2010 and 2013", "es": "2008 a 2010 y 2013", "hr": "2008. – 2010. i 2013."} {
		if got := locale(tag).Years([]int64{2008, 2009, 2010, 2013}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
