package main

// ciudadBooks are the classifications of the package. Names are the general words of any budget in
// Spanish; codes have the form of the published ones.
type ciudadBooks struct {
	admin, function, program, axis, goal, fund, object, kind, consolidation, project *member
}

func ciudadMembers() ciudadBooks {
	return ciudadBooks{
		admin:         tree(ciudadAdmin),
		function:      tree(ciudadFunction),
		program:       tree(ciudadProgram),
		axis:          tree(ciudadAxis),
		goal:          tree(ciudadGoal),
		fund:          tree(ciudadFund),
		object:        tree(ciudadObject),
		kind:          tree(ciudadKind),
		consolidation: tree(ciudadConsolidation),
		project:       tree(ciudadProject),
	}
}

// A subsector code means something only in its sector.
const ciudadAdmin = `
1 Gobierno central
  06 Medio Ambiente
    C0 Dependencias
      06C001 Secretaría del Medio Ambiente
    PD Entidades
      06PD01 Procuraduría Ambiental
  09 Finanzas
    C0 Dependencias
      09C001 Secretaría de Finanzas | 2019 Secretaría de Administración y Finanzas
  10 Movilidad
    C0 Dependencias
      10C001 Secretaría de Movilidad
    PD Entidades
      10PD02 Sistema de Transporte
  26 Salud
    C0 Dependencias
      26C001 Secretaría de Salud
2 Alcaldías
  02 Alcaldías
    CD Alcaldías
      02CD01 Alcaldía Norte
      02CD02 Alcaldía Sur
`

// Codes of functions and subfunctions mean something only under those above them.
const ciudadFunction = `
1 Gobierno
  5 Asuntos financieros
    2 Asuntos hacendarios
      152108 Administración tributaria
      152110 Servicio de la deuda
2 Desarrollo social
  1 Protección ambiental
    1 Ordenación de desechos
      211205 Recolección y limpia
    5 Protección de la diversidad
      215106 Áreas verdes, bosques y barrancas
  2 Vivienda y servicios
    4 Alumbrado público
      224221 Alumbrado de calles
  3 Salud
    1 Servicios a la comunidad
      231104 Campañas "Ciudad Sana"
    2 Servicios a la persona
      232102 Atención médica
3 Desarrollo económico
  5 Transporte
    1 Transporte por carretera
      351230 Mantenimiento de vialidades
    6 Otros de transporte
      356216 Operación del transporte
`

// A programme code means something only in its kind.
const ciudadProgram = `
E Prestación de servicios públicos
  001 Servicios urbanos
  002 Servicios de salud
K Proyectos de inversión
  001 Infraestructura vial
M Apoyo a la gestión
  001 Actividades de apoyo administrativo
S Sujetos a reglas de operación
  002 Ayudas sociales
D Costo de la deuda
  001 Deuda pública
`

const ciudadAxis = `
1 Equidad e inclusión | 2019 Igualdad y derechos
2 Ciudad sustentable
3 Más y mejor movilidad
6 Gobierno abierto
`

const ciudadGoal = `
3 Salud y bienestar
11 Ciudades y comunidades sostenibles
13 Acción por el clima
16 Paz, justicia e instituciones
`

const ciudadFund = `
1 No etiquetado
  11 Recursos fiscales
    111 Ingresos locales
      1111 Ingresos locales corrientes
        1 Ingresos del año
          111180 No etiquetado recursos fiscales
2 Etiquetado
  25 Recursos federales
    251 Aportaciones federales
      2512 Fondo para la infraestructura
        1 Ingresos del año
          251218 Etiquetado recursos federales
        2 Remanentes
          251228 Etiquetado remanentes
`

const ciudadObject = `
1000 Servicios personales
  1100 Remuneraciones permanentes
    1130 Sueldos base
      1131 Sueldos base al personal permanente
  1300 Remuneraciones adicionales
    1320 Primas y gratificaciones
      1323 Gratificación de fin de año
2000 Materiales y suministros
  2100 Materiales de administración
    2110 Materiales de oficina
      2111 Materiales, útiles y equipos menores de oficina
  2600 Combustibles
    2610 Combustibles y lubricantes
      2611 Combustibles
3000 Servicios generales
  3100 Servicios básicos
    3110 Energía eléctrica
      3112 Servicio de energía eléctrica
  3500 Mantenimiento
    3550 Mantenimiento de equipo de transporte
      3553 Mantenimiento de vehículos de servicio
4000 Transferencias y ayudas
  4400 Ayudas sociales
    4410 Ayudas a personas
      4412 Ayudas a personas u hogares
5000 Bienes muebles
  5400 Vehículos
    5410 Vehículos y equipo terrestre
      5411 Vehículos de servicio
6000 Inversión pública
  6100 Obra pública
    6150 Construcción de vías
      6151 Construcción de vías de comunicación
9000 Deuda pública
  9200 Intereses
    9210 Intereses internos
      9211 Intereses de la deuda interna
`

const ciudadKind = `
1 Programable
  1 Gasto corriente
  2 Gasto de capital
2 No programable
  1 Gasto corriente
`

const ciudadConsolidation = `
N No consolidado
  00 Sin detalle
`

// Who has no project has a code for that and an empty label.
const ciudadProject = `
0 Sin proyecto
  000000000
1 Obra pública
  A18NR0007 Rehabilitación de vialidades
  A18NR0012 Puentes, pasos y distribuidores
`
