package main

// ingresosBooks are the classifications of the package. Names are the general words of any budget in
// Spanish; codes have the form of the published ones.
type ingresosBooks struct {
	title, fund, revenue *member
}

func ingresosMembers() ingresosBooks {
	return ingresosBooks{
		title:   tree(ingresosTitle),
		fund:    tree(ingresosFund),
		revenue: tree(ingresosRevenue),
	}
}

// revenueLabel returns the label of a code of the classification of revenue. A code without one bears
// that of the level above, as most of the lower levels do in the published files.
func (b ingresosBooks) revenueLabel(code string, year int) string {
	for ; code != ""; code = code[:len(code)-1] {
		for _, m := range b.revenue.children {
			if m.code == code {
				return m.label(year)
			}
		}
	}
	return ""
}

// ingresosLevels says how many digits of the source's code a level takes.
var ingresosLevels = []struct {
	name   string
	digits int
}{
	{"clase", 1}, {"subclase", 2}, {"grupo", 3}, {"subgrupo", 4}, {"partida", 6}, {"subpartida", 8},
	{"renglon", 9}, {"subrenglon", 10}, {"fuente", 13},
}

const ingresosTitle = `
206 Ministerio de Hacienda
209 Ministerio de Transportes
`

const ingresosFund = `
INTERNO
  001 Ingresos Corrientes
  280 Títulos de Deuda Interna
EXTERNO
  515 Préstamo Externo
`

// Labels drift from year to year: in case, in accents, by a word broken in two, by the last character.
const ingresosRevenue = `
1 INGRESOS CORRIENTES
11 INGRESOS TRIBUTARIOS
111 Impuestos sobre los ingresos | 2019 IMPUESTOS SOBRE LOS INGRESOS
1111 IMPUESTO SOBRE INGRESOS DE PERSONAS FISICAS | 2019 IMPUESTO SOBRE INGRESOS DE PERSON AS FÍSICAS
111105 Impuesto sobre sueldos y otras remuneraciones del sector publ | 2019 Impuesto sobre sueldos y otras remuneraciones del sector pub
1112 IMPUESTO SOBRE INGRESOS DE EMPRESAS
111205 Impuesto sobre las utilidades de empresas
113 Impuestos sobre bienes y servicios
1131 IMPUESTO SOBRE LAS VENTAS
113101 Impuesto a las ventas | 2018 Impuesto sobre el valor agregado
1131010100002 Impuesto a las ventas en aduanas | 2018 Impuesto sobre el valor agregado en aduanas
114 Impuestos sobre el comercio exterior | 2018 IMPUESTOS SOBRE EL COMERCIO EXTERIOR
1141 IMPUESTO SOBRE LAS IMPORTACIONES
114101 Arancel de aduanas
13 INGRESOS NO TRIBUTARIOS
131 Venta de bienes y servicios
1312 VENTA DE SERVICIOS
131205 Derechos y peajes, incluidos recargos
3 FINANCIAMIENTO
31 FINANCIAMIENTO INTERNO
313 Emisión de títulos valores | 2018 Emision de titulos valores
3131 TITULOS VALORES
313101 Colocación de títulos de largo plazo
32 FINANCIAMIENTO EXTERNO
321 Préstamos directos
3211 PRESTAMOS DE ORGANISMOS
321102 Préstamo para obras viales
`

// An ingresosSource is a source of revenue, in amounts of how many digits.
type ingresosSource struct {
	title, code, fund string
	digits            int
}

var ingresosSources = []ingresosSource{
	{"206", "1111050200001", "INTERNO/001", 12},
	{"206", "1112050200001", "INTERNO/001", 12},
	{"206", "1131010100001", "INTERNO/001", 12},
	{"206", "1131010100002", "INTERNO/001", 12},
	{"206", "1141010100001", "INTERNO/001", 11},
	{"209", "1312050300001", "INTERNO/001", 10},
	{"206", "3131010200001", "INTERNO/280", 13},
	{"209", "3211020100001", "EXTERNO/515", 11},
}
