package history

import (
	"strings"
	"testing"
)

// These are pairs of labels that differ in spelling only, and pairs that do not.
var (
	oneName = [][2]string{
		{"Rentas generales", "RENTAS  Generales"},
		{"Educación", "Educacio\u0301n."},
		{"Subfunción, otra", "Sub-función otra"},
		{"Secretaría de Salud", "Salud, Secretaría de"},
		{"Sec. de Salud", "Secretaría de Salud"},
		{"Admon. de la Dir. Gral.", "Administración de la Dirección General"},
		{"Pensiones del IMSS", "Pensiones del Instituto Mexicano del Seguro Social"},
		{"Obra pública", "Obras públicas"},
		{"Convervación de caminos", "Conservación de caminos"},
		{"Fondo de apoyo a las escuelas del Se", "Fondo de apoyo a las escuelas del Sec"},
		{"Fondo de apoyo a las escuelas que el gobierno de cada municipio sostiene con re", "Fondo de apoyo a las escuelas que el gobierno de cada municipio sostiene con recursos de la federación"},
		{"BECAS FÃ SICAS Y OTRAS", "Becas físicas y otras"},
		{"AdministraciÃ³n", "Administración"},
		{"Administraci\ufffdn", "Administración"},
		{"Apoyo al campo", "Apoyo para el campo"},
	}
	twoNames = [][2]string{
		{"Salud", "Educación"},
		{"Salud", "Salud Pública"},
		{"Zona A", "Zona B"},
		{"Zona 1", "Zona 2"},
		{"Región VII", "Región VIII"},
		{"Fracción 19", "Fracción 190"},
		{"Deuda interna", "Deuda internacional"},
		{"Exportación", "Importación"},
		{"Ingresos propios", "Egresos propios"},
		{"Dirección de Recursos Humanos", "Dirección de Recursos Humanos y Organización"},
		{"Alta mar", "Baja mar"},
	}
)

func TestSameName(t *testing.T) {
	for _, pair := range oneName {
		if a, b := nameOf(pair[0]), nameOf(pair[1]); !sameName(a, b) || !sameName(b, a) {
			t.Errorf("%q and %q are two names", pair[0], pair[1])
		}
	}
	for _, pair := range twoNames {
		if a, b := nameOf(pair[0]), nameOf(pair[1]); sameName(a, b) || sameName(b, a) {
			t.Errorf("%q and %q are one name", pair[0], pair[1])
		}
	}
}

func TestSharesWord(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"Urbanización, Vivienda y Desarrollo Regional", "Salud", false},
		{"Seguridad Social", "Vivienda y Servicios a la Comunidad", false},
		{"Temas de la mar", "Asuntos de la tierra", false},
		{"Zona 3", "Región 3", false},
		{"Parte II", "Sección II", false},
		{"Ministerio de Economía", "Ministerio de Hacienda", true},
		{"Educativo", "La educación", true},
		{"Alto rendimiento", "Alta competencia", true},
		{"Oficina del IMSS", "Instituto Mexicano del Seguro Social", false},
	} {
		if a, b := nameOf(tt.a), nameOf(tt.b); sharesWord(a, b) != tt.want || sharesWord(b, a) != tt.want {
			t.Errorf("%q and %q: want %v", tt.a, tt.b, tt.want)
		}
	}
}

func TestNameOf_SaysNothingWithoutLetters(t *testing.T) {
	for _, label := range []string{"", "-", "000", "1.1 - ", "***"} {
		if n := nameOf(label); n.isName() {
			t.Errorf("%q is the name %v", label, n)
		}
	}
}

// A label may be as long as a cell.
func TestSameName_ComparesLongLabelsFast(t *testing.T) {
	a, b := nameOf(strings.Repeat("ab cÃ ", 1<<17)), nameOf(strings.Repeat("ba cÃ ", 1<<17))
	for range 100 {
		sameName(a, b)
		sharesWord(a, b)
	}
	if len(a.letters) > mostLetters {
		t.Errorf("%d letters are compared", len(a.letters))
	}
}
