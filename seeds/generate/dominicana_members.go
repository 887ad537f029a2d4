package main

// notInformed is written for the code of the member that stands where there is no third level.
const notInformed = "-"

// dominicanaRevenue is the classification of the package. Names are the general words of any budget in
// Spanish. Title 3 is no revenue but financing. What is not informed is spelled one way or another.
const dominicanaRevenue = `
1.1 Ingresos corrientes
  1.1.1 Impuestos
    1.1.1.1 Impuestos sobre los ingresos,␣␣las utilidades y las ganancias
    1.1.1.3 Impuestos sobre la propiedad
    1.1.1.4 Impuestos sobre los bienes y servicios
    1.1.1.5 Impuestos sobre el comercio exterior
    1.1.1.6 Impuestos ecológicos
    1.1.1.9 Otros impuestos
  1.1.2 Contribuciones sociales
    1.1.2.1 Contribuciones de los empleados
    1.1.2.2 Contribuciones de los empleadores
  1.1.3 Ventas de bienes y servicios
    1.1.3.1 Ventas - establecimientos públicos
    1.1.3.3 Derechos de la Administración
  1.1.4 Rentas de la propiedad
    1.1.4.1 Intereses
    1.1.4.2 Dividendos
  1.1.6 Transferencias corrientes
    1.1.6.1 Transferencias del sector privado
    1.1.6.5 Donaciones corrientes
  1.1.7 Multas y sanciones
    - No Informado
  1.1.9 Otros ingresos corrientes
    - NO INFORMADO | 2018 No informado
1.2 Ingresos de capital
  1.2.1 Venta de activos
    1.2.1.1 Venta de activos fijos
  1.2.4 Transferencias de capital
    1.2.4.4 Donaciones de capital
  1.2.9 Otros ingresos de capital
    - No informado | 2016 NO INFORMADO | 2020 No Informado
3.1 Fuentes financieras
  3.1.1 Disminución de activos
    3.1.1.1 Disminución de activos corrientes
  3.1.2 Incremento de pasivos
    3.1.2.1 Incremento de pasivos corrientes
    3.1.2.2 Incremento de pasivos no corrientes
`

// A dominicanaSource is a source of revenue, in amounts of how many digits; a late one is known in
// September only.
type dominicanaSource struct {
	group  string
	digits int
	late   bool
}

var dominicanaSources = []dominicanaSource{
	{"1.1/1.1.1/1.1.1.1", 12, false},
	{"1.1/1.1.1/1.1.1.3", 11, false},
	{"1.1/1.1.1/1.1.1.4", 12, false},
	{"1.1/1.1.1/1.1.1.5", 11, false},
	{"1.1/1.1.1/1.1.1.6", 9, false},
	{"1.1/1.1.1/1.1.1.9", 7, false},
	{"1.1/1.1.2/1.1.2.1", 9, false},
	{"1.1/1.1.2/1.1.2.2", 10, false},
	{"1.1/1.1.3/1.1.3.1", 10, false},
	{"1.1/1.1.3/1.1.3.3", 10, false},
	{"1.1/1.1.4/1.1.4.1", 10, false},
	{"1.1/1.1.4/1.1.4.2", 10, false},
	{"1.1/1.1.6/1.1.6.1", 6, false},
	{"1.1/1.1.6/1.1.6.5", 9, false},
	{"1.1/1.1.7/-", 9, false},
	{"1.1/1.1.9/-", 8, false},
	{"1.2/1.2.1/1.2.1.1", 8, false},
	{"1.2/1.2.4/1.2.4.4", 9, true},
	{"1.2/1.2.9/-", 8, false},
	{"3.1/3.1.1/3.1.1.1", 9, true},
	{"3.1/3.1.2/3.1.2.1", 10, false},
	{"3.1/3.1.2/3.1.2.2", 12, false},
}
