package prose

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/words"
)

func TestTitles_OfMeasuresAndLabels(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{MeasureTitle(cube.Measure{Ref: "m", Title: "Approved", Currency: "HRK"}, cube.English), "Approved (HRK)"},
		{MeasureTitle(cube.Measure{Ref: "m", Titles: cube.Titles{"es": "Aprobado"}, Currency: "CRC", Unit: 1000}, "es"), "Aprobado (× 1000 CRC)"},
		{MeasureTitle(cube.Measure{Ref: "m"}, "es"), "m"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// Sentences have the form of a level that its overlay gives, else its title in small letters, but for what is no word.
func TestByLevel(t *testing.T) {
	section := cube.Level{Ref: "admin1", Titles: cube.Titles{"en": "Section", "es": "Unidad de la UE", "hr": "Razdjel", "de": "Abschnitt"}, By: cube.Titles{"hr": "po razdjelima"}}
	for _, tt := range []struct {
		level cube.Level
		in    cube.Language
		want  string
	}{
		{section, "en", "by section"}, {section, "es", "por unidad de la UE"}, {section, "hr", "po razdjelima"}, {section, "fr", "par section"}, {section, "de", "by Abschnitt"},
		{cube.Level{Ref: "ID_RAMO"}, "es", "por ID_RAMO"}, {cube.Level{Ref: "Ramo"}, "es", "por Ramo"}, {cube.Level{Ref: "x", Titles: cube.Titles{"hr": "Šifra"}}, "hr", "po razini „šifra“"},
	} {
		if got := ByLevel(tt.level, words.Locale{Language: tt.in}); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
