package fold_test

import (
	"testing"

	"fiscube/internal/fold"
)

func TestText_RemovesCaseAndAccents(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"EDUCACIÓN":               "educacion",
		"Educacio\u0301n":         "educacion",
		"Žepče, Ćuprija, Šibenik": "zepce, cuprija, sibenik",
		"Đakovo, Łódź, Øre":       "dakovo, lodz, ore",
		"AÑO":                     "ano",
		"Straße":                  "strasse",
		"İstanbul":                "istanbul",
		"10.5 %":                  "10.5 %",
		"\u0301":                  "",
	} {
		if got := fold.Text(text); got != want {
			t.Errorf("fold.Text(%q) = %q, want %q", text, got, want)
		}
	}
}
