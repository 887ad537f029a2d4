package main

// egresosBooks are the classifications of the package. Names are the general words of any budget in
// Spanish; codes have the form of the published ones.
type egresosBooks struct {
	admin, object, economic, function, fund *member
}

func egresosMembers() egresosBooks {
	return egresosBooks{
		admin:    tree(egresosAdmin),
		object:   tree(egresosObject),
		economic: tree(egresosEconomic),
		function: tree(egresosFunction),
		fund:     tree(egresosFund),
	}
}

// A programme code means something only in its title. Where there is no subprogramme it is 00, without
// a description.
const egresosAdmin = `
104 Asamblea
  002 Asamblea
    00
113 Ministerio de Salud
  001 Dirección y Administración
    00
  631 Vigilancia de la Salud
    00
115 Ministerio de Educación
  001 Actividades Centrales
    00
  573 Enseñanza
    01 Enseñanza Preescolar y Primaria
    02 Enseñanza Secundaria
117 Ministerio de Transportes
  002 Obras Viales
    00
231 Servicio de la Deuda
  825 Servicio de la Deuda
    00
`

const egresosObject = `
0 REMUNERACIONES
  001 REMUNERACIONES BASICAS
    00101 SUELDOS PARA CARGOS FIJOS
    00105 SUPLENCIAS
  002 REMUNERACIONES EVENTUALES
    00201 HORAS EXTRAORDINARIAS
  004 CONTRIB. A LA SEGURIDAD SOCIAL
    00401 CONTRIB. PATRONAL AL SEGURO DE SALUD
1 SERVICIOS
  102 SERVICIOS BASICOS
    10202 ENERGIA ELECTRICA | 2019 ENERGÍA ELÉCTRICA
  108 MANTENIMIENTO
    10802 MANTENIMIENTO DE VIAS
3 INTERESES Y COMISIONES
  301 INTERESES SOBRE TITULOS
    30101 INTERESES SOBRE TITULOS DE CORTO PLAZO
5 BIENES DURADEROS
  502 CONSTRUCCIONES
    50202 VIAS TERRESTRES
8 AMORTIZACION
  801 AMORTIZACION DE TITULOS
    80102 AMORTIZACION DE TITULOS DE LARGO PLAZO
`

const egresosEconomic = `
1 GASTOS CORRIENTES
  11 GASTOS DE CONSUMO
    111 REMUNERACIONES
      1111 SUELDOS Y SALARIOS
      1112 CONTRIBUCIONES SOCIALES
    112 ADQUISICION DE BIENES Y SERVICIOS
      1120 ADQUISICION DE BIENES Y SERVICIOS
  12 INTERESES
    121 INTERESES INTERNOS
      1210 INTERESES INTERNOS
2 GASTOS DE CAPITAL
  21 FORMACION DE CAPITAL
    212 VIAS DE COMUNICACION
      2120 VIAS DE COMUNICACION
3 TRANSACCIONES FINANCIERAS
  33 AMORTIZACION
    331 AMORTIZACION INTERNA
      3310 AMORTIZACION INTERNA
`

// egresosEconomicOf says how an object of expenditure is classified by its economic nature.
var egresosEconomicOf = map[string]string{
	"0/001/00101": "1/11/111/1111",
	"0/001/00105": "1/11/111/1111",
	"0/002/00201": "1/11/111/1111",
	"0/004/00401": "1/11/111/1112",
	"1/102/10202": "1/11/112/1120",
	"1/108/10802": "1/11/112/1120",
	"3/301/30101": "1/12/121/1210",
	"5/502/50202": "2/21/212/2120",
	"8/801/80102": "3/33/331/3310",
}

const egresosFunction = `
1 FUNCIONES DE SERVICIOS PUBLICOS GENERALES
  11 SERVICIOS PUBLICOS GENERALES
    111 ORGANOS EJECUTIVOS Y LEGISLATIVOS
      1110 ORGANOS EJECUTIVOS Y LEGISLATIVOS
  14 DEUDA PUBLICA
    141 DEUDA PUBLICA
      1410 DEUDA PUBLICA
2 FUNCIONES DE SERVICIOS ECONOMICOS
  25 TRANSPORTE
    251 TRANSPORTE POR CARRETERA
      2510 TRANSPORTE POR CARRETERA
3 FUNCIONES DE SERVICIOS SOCIALES
  32 SALUD
    324 SALUD PUBLICA
      3240 SALUD PUBLICA
  34 EDUCACION
    341 ENSEÑANZA PREESCOLAR Y PRIMARIA
      3412 ENSEÑANZA PRIMARIA
    342 ENSEÑANZA SECUNDARIA
      3420 ENSEÑANZA SECUNDARIA
`

const egresosFund = `
INTERNO
  Ingresos␣Corrientes
    001 Ingresos Corrientes
  Financiamiento
    280 Tit.Deuda Interna
EXTERNO
  Financiamiento
    515 Préstamo Externo
`

// An egresosLine says what a unit does: under which function, out of which fund, on which objects, in
// amounts of how many digits. Each object is a row in every month.
type egresosLine struct {
	unit, function, fund, objects string
	digits                        int
}

const (
	egresosStaff = "0/001/00101 0/001/00105 0/004/00401"

	egresosCurrent = "INTERNO/Ingresos Corrientes/001"
	egresosDebt    = "INTERNO/Financiamiento/280"
	egresosLoan    = "EXTERNO/Financiamiento/515"
)

var egresosWork = []egresosLine{
	{"104/002/00", "1/11/111/1110", egresosCurrent, "0/001/00101 0/002/00201 1/102/10202", 10},
	{"113/001/00", "3/32/324/3240", egresosCurrent, "0/001/00101 1/102/10202", 10},
	{"113/631/00", "3/32/324/3240", egresosDebt, "0/001/00101", 10},
	{"115/001/00", "3/34/342/3420", egresosCurrent, "0/001/00101", 11},
	{"115/573/01", "3/34/341/3412", egresosCurrent, egresosStaff, 12},
	{"115/573/02", "3/34/342/3420", egresosCurrent, egresosStaff, 12},
	{"117/002/00", "2/25/251/2510", egresosLoan, "1/108/10802 5/502/50202", 11},
	{"231/825/00", "1/14/141/1410", egresosDebt, "3/301/30101 8/801/80102", 13},
}
