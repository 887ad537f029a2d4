package cube_test

import (
	"testing"

	"fiscube/cube"
)

func TestTidy(t *testing.T) {
	for label, want := range map[string]string{
		"":                               "",
		"Salud":                          "Salud",
		"  Salud  pública ":              "Salud pública",
		"\u00a0Salud\u00a0\u00a0pública": "Salud pública",
		"Salud\t\r\npública\u0085":       "Salud pública",
		"\x01Salud\x1f":                  "Salud",
		" \u2003\u3000 ":                 "",
		"zero\u200bwidth":                "zero\u200bwidth", // no space, though nothing is to be seen
		"8 - FORMACIÓN":                  "8 - FORMACIÓN",
	} {
		if got := cube.Tidy(label); got != want {
			t.Errorf("Tidy(%q) = %q, want %q", label, got, want)
		}
	}
}
