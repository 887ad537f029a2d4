package main

// mexicoBooks are the classifications of the package. Names are the general words of any budget in
// Spanish; codes have the form of the published ones. Activities and programmes have none: their codes
// mean something only in the branch, so they stand with the line that uses them.
type mexicoBooks struct {
	admin, function, mode, fund, kind, state, formerObject, specificObject *member
}

func mexicoMembers() mexicoBooks {
	return mexicoBooks{
		admin:          tree(mexicoAdmin),
		function:       tree(mexicoFunction),
		mode:           tree(mexicoMode),
		fund:           tree(mexicoFund),
		kind:           tree(mexicoKind),
		state:          tree(mexicoState),
		formerObject:   tree(mexicoFormerObject),
		specificObject: tree(mexicoSpecificObject),
	}
}

// Unit 100 is the head of nearly every branch.
const mexicoAdmin = `
1 Poder Legislativo
  100 Cámara Baja
  101 Auditoría
4 Gobernación
  100 Secretaría
  416 Dirección General de Programación "A"
6 Hacienda
  100 Secretaría
  212 Unidad de Crédito | 2014 Unidad de Crédito Público
11 Educación Pública
  100 Secretaría
  310 Dirección General de Escuelas
  416 Dirección General de Presupuesto
12 Salud
  100 Secretaría
  310 Dirección General de Promoción
16 Medio Ambiente
  100 Secretaría
  RHQ Comisión Forestal
20 Desarrollo Social | 2019 Bienestar
  100 Secretaría
9 Comunicaciones y Transportes
  100 Secretaría
  625 Centro de Carreteras del Norte | 2012 Centro SCT del Norte
24 Deuda Pública
  212 Unidad de Crédito | 2014 Unidad de Crédito Público
32 Tribunal de Justicia | 2017 Tribunal de Justicia⍽Administrativa
  100 Sala Superior
`

// The codes of functions and subfunctions begin at 1 under each of those above them.
const mexicoFunction = `
1 Gobierno
  1 Legislación
    1 Legislación
    2 Fiscalización
  2 Justicia
    1 Impartición de Justicia
  3 Coordinación de la Política de Gobierno
    1 Política Interior
    2 Hacienda
2 Desarrollo Social
  1 Protección Ambiental
    1 Bosques | 2011 Protección de la Diversidad
  3 Salud
    1 Servicios a la Comunidad
  5 Educación
    1 Educación Básica
  6 Protección Social
    1 Otros Grupos
3 Desarrollo Económico
  5 Transporte
    1 Transporte por Carretera
4 Otras
  1 Deuda Pública
    1 Deuda Pública Interna
`

const mexicoMode = `
D Costo financiero
E Prestación de Servicios Públicos
K Proyectos de Inversión
M Apoyo al proceso presupuestario
O Apoyo a la función pública
P Planeación, seguimiento y evaluación | 2018 Planeación, Seguimiento y Evaluación
R Otras actividades | 2009 Específicos
S Sujetos a Reglas de Operación | 2018 Sujetos a reglas de operación
`

const mexicoFund = `
1 Recursos fiscales
2 Financiamiento externo
4 Ingresos propios
`

const mexicoKind = `
1 Gasto corriente
2 Gasto de capital
3 Gasto de obra pública
7 Gasto corriente por gastos indirectos
`

const mexicoState = `
9 Distrito Federal | 2016 Ciudad de México
14 Jalisco
19 Nuevo León
34 No Distribuible
`

// Some codes have no label.
const mexicoFormerObject = `
1000 Servicios personales
  1100 Remuneraciones permanentes
    1101 Dietas
    1103 Sueldos base
  1200 Remuneraciones transitorias
    1201 Honorarios
  1800
    1801 Incrementos
2000 Materiales y suministros
  2100 Materiales de administración
    2101 Materiales y útiles de oficina
  2600 Combustibles
    2602
3000 Servicios generales
  3500 Mantenimiento
    3504 Mantenimiento␣␣de inmuebles
  3800 Servicios oficiales
    3811 Pasajes nacionales
4000 Subsidios y transferencias
  4100 Subsidios
    4103 Subsidios a la producción
5000 Bienes muebles
  5100 Mobiliario
    5101 Mobiliario
6000 Obras públicas
  6100 Obras por contrato
    6105 Caminos
9000 Deuda pública
  9200 Intereses
    9201 Intereses de la deuda
`

// An item that is no longer in force still carries money.
const mexicoSpecificObject = `
1000 Servicios personales
  1100 Remuneraciones al personal de carácter permanente
    111 Dietas
      11101 (Derogada)
    113 Sueldos base al personal permanente
      11301 Sueldos base
  1200 Remuneraciones al personal de carácter transitorio
    121 Honorarios asimilables a salarios
      12101 Honorarios
  1600 Previsiones
    161 Previsiones de carácter laboral
      16101 Incrementos a las percepciones
2000 Materiales y suministros
  2100 Materiales de administración
    211 Materiales de oficina
      21101 Materiales y útiles de oficina
  2600 Combustibles y lubricantes
    261 Combustibles y lubricantes
      26102 Combustibles para vehículos "en servicio"
3000 Servicios generales
  3500 Servicios de mantenimiento
    351 Mantenimiento de inmuebles
      35101 Mantenimiento y conservación de inmuebles
  3700 Servicios de traslado
    371 Pasajes aéreos
      37101 Pasajes aéreos nacionales
4000 Transferencias y subsidios
  4300 Subsidios
    431 Subsidios a la producción
      43101 Subsidios a la producción
5000 Bienes muebles
  5100 Mobiliario y equipo
    511 Muebles de oficina
      51101 Mobiliario
6000 Inversión pública
  6200 Obra pública en bienes propios
    625 Construcción de vías
      62501 Construcción de vías de comunicación
9000 Deuda pública
  9200 Intereses de la deuda
    921 Intereses internos
      92101 Intereses de la deuda interna
`
