package main

// uruguayBooks are the classifications of the package. Names are the general words of any budget in
// Spanish; codes are made up. Projects have none: a project code means something only together with the
// organisation and the programme, so its label stands with the line that uses it.
type uruguayBooks struct {
	admin, function, source, economic, kind *member
}

func uruguayMembers() uruguayBooks {
	return uruguayBooks{
		admin:    tree(uruguayAdmin),
		function: tree(uruguayFunction),
		source:   tree(uruguaySource),
		economic: tree(uruguayEconomic),
		kind:     tree(uruguayKind),
	}
}

// UE_ID begins at 1 in every organisation.
const uruguayAdmin = `
2 Presidencia
  1 Secretaría
  2 Instituto de Estadística
3 Ministerio de Defensa
  1 Dirección General
  2 Servicio Meteorológico
4 Ministerio del Interior
  1 Secretaría
  2 Bomberos
  3 Policía
5 Ministerio de Economía
  1 Secretaría
  2 Aduanas
  3 Impositiva | 2015 Dirección Impositiva
10 Ministerio de Transporte
  1 Despacho
  2 Vialidad | 2014 Vialidad␣
  3 Arquitectura
11 Ministerio de Educación
  1 Dirección General
  2 Bibliotecas, museos y archivos
12 Ministerio de Salud
  1 Dirección General
  2 Junta de Salud
23 Transferencias
  1 Seguridad Social
  2 Gobiernos locales
24 Deuda
  1 Tesorería
25 Educación Pública
  1 Consejo Central
  2 Primaria
  3 Secundaria
`

const uruguayFunction = `
4 DEFENSA
  300 Defensa nacional
6 ECONOMÍA
  320 Recaudación
  481 Gestión fiscal
7 SOCIEDAD
  280 Patrimonio cultural
8 EDUCACIÓN
  340 Acceso a la educación
  601 Gestión educativa
9 SALUD
  440 Atención de la salud
10 INFRAESTRUCTURA
  360 Red vial
  366 Edificios públicos
11 PROTECCIÓN SOCIAL
  400 Pensiones y jubilaciones
  492 Políticas locales
14 SEGURIDAD
  460 Prevención del delito
  461 Incendios y rescates
15 GENERALES
  480 Gestión␣␣y apoyo
  490 Información estadística
16 DEUDA
  500 Servicio de deuda
`

const uruguaySource = `
10 INTERNAS
  11 Rentas generales | 2017 Rentas Generales
  12 Recursos especiales | 2017 Recursos Especiales
20 EXTERNAS
  21 Endeudamiento externo
`

// SUBGRUPO_ID begins at 1 in every group. An object code is text: 42.4 and 42.40 are two objects.
const uruguayEconomic = `
0 Servicios personales
  1 Cargos permanentes
    11.0 Sueldos
  4 Complementos
    42.4 Compensación por asiduidad
    42.40 Compensación por dedicación
    42.400 Compensación por traslado
  8 Cargas legales
    81.0 Aporte patronal
  9 Otras retribuciones
    91.17 Ejercicios vencidos
1 Bienes de consumo
  1 Alimentos
    111.0 Alimentos para personas
  3 Papel e impresos
    133.0 Formularios,␣␣impresos y similares
  4 Energéticos
    141.0 Combustibles
  9 Otros bienes
    191.0 Útiles de oficina␣
    198.0 Repuestos
    198.1 Repuestos de uso exclusivo
2 Servicios no personales
  1 Básicos
    211.0 Agua, luz y teléfono
  3 Traslados
    232.0 Viáticos
  7 Mantenimiento
    271.0 Reparaciones menores
3 Bienes de uso
  2 Máquinas y equipos
    322.0 Equipos médicos
    323.0 Equipos de informática
  8 Construcciones
    381.0 Obras viales
    382.0 Edificios
5 Transferencias
  1 Al sector público
    511.0 A la seguridad social
    515.0 A gobiernos locales
  7 A hogares
    572.0 Becas
6 Intereses
  1 Deuda interna
    611.0 Intereses internos
  2 Deuda externa
    621.0 Intereses externos
`

const uruguayKind = `
F Funcionamiento
I Inversión
P Personal
`
