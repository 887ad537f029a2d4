package sentencecase_test

import (
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/cube/sentencecase"
)

// taught are names that are not in capitals: the last two are no sentences, and teach nothing.
var taught = []string{
	"Agencija za lijekove Republike Hrvatske", "Hrvatska akademska mreža CARNet Zagreb", "Sufinanciranje projekata iz fondova EU i drugih izvora",
	"Ured za krv i tkiva", "Ministerio De Educación Pública De La Nación", "DODATNA Sredstva za ŽRTVE potresa",
}

func TestWrite(t *testing.T) {
	learned := sentencecase.Learn(slices.Values(taught), "Costa Rica", "NATO BiH")
	for _, tt := range []struct{ language, published, want string }{
		{"hr", "MINISTARSTVO FINANCIJA", "Ministarstvo financija"},
		{"hr", "ČUVANJE ŽITA U ĐAKOVŠTINI", "Čuvanje žita u đakovštini"},
		{"hr", "AGENCIJA ZA LIJEKOVE REPUBLIKE HRVATSKE", "Agencija za lijekove Republike Hrvatske"},
		{"hr", "PROJEKTI EU I CARNET U BIH", "Projekti EU i CARNet u BiH"},
		{"hr", "HŽ - II. FAZA (EIB), GLAVA XIV", "HŽ - II. faza (EIB), glava XIV"},
		{"hr", "KRV, SKRB I SMRT RH", "Krv, skrb i smrt RH"},
		{"hr", "I. FAZA, FAZA I", "I. faza, faza I"},
		{"hr", "GRAD SVETI IVAN ZELINA I OKOLICA", "Grad Sveti Ivan Zelina i Okolica"},
		{"hr", "POMOĆ ŽRTVAMA (FEAD) (OSTALIMA)", "Pomoć žrtvama (FEAD) (ostalima)"},
		{"es", "EDUCACIÓN DE NIÑOS Y ÑANDÚES", "Educación de niños y ñandúes"},
		{"es", "ÑEEMBUCÚ", "Ñeembucú"},
		{"es", "COSTA RICA: FONDO DE LA C.C.S.S. Y COVID-19", "Costa Rica: fondo de la C.C.S.S. y COVID-19"},
		{"es", "12° DPTO. CENTRAL, LÍNEA A", "12° Dpto. central, línea A"},
		{"en", "POLICE AND CHILDREN'S SERVICES, NATO", "Police and children's services, NATO"},
		{"en", "K654062 ROADS", "K654062 roads"},
		{"en", "Roads and BRIDGES", "Roads and BRIDGES"},
		{"nl", "IJSBERGEN", "IJsbergen"},
		{"tr", "IĞDIR İLİ", "Iğdır ili"},
		{"el", "ΥΠΟΥΡΓΕΙΟ ΠΑΙΔΕΙΑΣ", "Υπουργειο παιδειας"},
		{"", "2016", "2016"}, {"", "", ""}, {"", "МІНІСТЕРСТВО ФІНАНСІВ", "Міністерство фінансів"},
	} {
		names := &cube.Names{Language: tt.language, Before: []string{"Grad"}}
		if got := sentencecase.Write(tt.published, names, learned); got != tt.want {
			t.Errorf("%s: %q is written %q, want %q", tt.language, tt.published, got, tt.want)
		}
	}
}
