package seeds_test

// overlaidModels are the models that descriptor and overlay make together, before the repairs: levels as
// key=label, and what else the overlay says but the cells kept beside the made columns.
var overlaidModels = map[string]struct {
	real            []string // folders of real packages that have the same model
	chains, details string
}{
	"example-ciudad-de-mexico": {
		nil, `
budget-line-id (fact): clave_presupuestaria
date (datetime): ciclo
activity (activity): desc_gobierno_general
activity (activity): desc_sector
activity (activity): desc_subsector
activity (activity): desc_unidad_responsable
activity (activity): desc_finalidad
activity (activity): desc_funcion
activity (activity): desc_subfuncion
activity (activity): desc_area_funcional
activity (activity): desc_modalidad
activity (activity): desc_programa_presupuestario
activity (activity): desc_eje
activity (activity): desc_objetivo_desarrollo_sostenible
activity (activity): desc_tipo_recurso
activity (activity): desc_fuente_financiamiento
activity (activity): desc_fuente_generica
activity (activity): desc_fuente_especifica
activity (activity): desc_origen_recurso
activity (activity): desc_fondo
activity (activity): desc_gasto_programable
activity (activity): desc_tipo_gasto
activity (activity): desc_capitulo
activity (activity): desc_concepto
activity (activity): desc_partida_generica
activity (activity): desc_partida_especifica
activity (activity): desc_consolidado
activity (activity): desc_detalle_consolidado
activity (activity): desc_tipo_proyecto
activity (activity): modalidad > programa_presupuestario
period (datetime): periodo
administrative-classification (classification administrative): gobierno_general > sector > subsector > unidad_responsable
functional-classification (classification functional): finalidad > funcion > subfuncion > area_funcional
policy (other): eje
sustainable-development-goal (other): objetivo_desarrollo_sostenible
fin-source (other): tipo_recurso > fuente_financiamiento > fuente_generica > fuente_especifica > fondo
fund-origin (other): origen_recurso
fund-year (datetime): ciclo_original
programmable (other): gasto_programable
expenditure-type (other): tipo_gasto
economic-classification (classification economic): capitulo > concepto > partida_generica > partida_especifica
consolidation (other): consolidado > detalle_consolidado
project (activity): tipo_proyecto > proyecto_inv=desc_proy_inv
`, `
monto_aprobado: Approved, MXN 1 approved expenditure
monto_modificado: Modified, MXN 1 adjusted expenditure
monto_ejercido: Spent, MXN 1 executed expenditure
snapshots by periodo per ciclo: Aprobado,Enero-Marzo,Enero-Junio,Enero-Septiembre,Enero-Diciembre,Cuenta Pública
`,
	},
	"example-costa-rica-egresos": {
		[]string{"D8-costa-rica-egresos"}, `
date (datetime): ejercicio
administrative-classification (classification administrative): titulo_codigo=titulo_descripcion > programa_codigo=programa_descripcion > subprograma_codigo=subprograma_descripcion
economic-classification (classification economic): ce_partida_codigo=ce_partida_descripcion > ce_grupo_codigo > ce_subpartida_codigo=ce_subpartida_descripcion > ce_renglon_codigo=ce_renglon_descripcion
functional-classification (classification functional): cf_clase_codigo=cf_clase_descripcion > cf_subclase_codigo=cf_subclase_descripcion > cf_grupo_codigo=cf_grupo_descripcion > cf_subgrupo_codigo=cf_subgrupo_descripcion
fin-source (other): ff_clase2 > ff_clase1 > ff_codigo=ff_descripcion
month (datetime): mes
object-of-expenditure (classification economic): cog_partida_codigo=cog_partida_descripcion > cog_grupo_codigo=cog_grupo_descripcion > cog_subpartida_codigo=cog_subpartida_descripcion
`, `
pi_monto: Initial budget (pi), CRC 1 approved expenditure
pp_monto: Budget in force (pp), CRC 1 adjusted expenditure
li_monto: Released (li), CRC 1 adjusted expenditure
so_monto: Requested (so), CRC 1 adjusted expenditure
co_monto: Committed (co), CRC 1 adjusted expenditure
rm_monto: rm: meaning not published, CRC 1 adjusted expenditure
de_monto: Accrued (de), CRC 1 executed expenditure
pa_monto: Paid (pa), CRC 1 executed expenditure
snapshots by mes per ejercicio: 
`,
	},
	"example-costa-rica-ingresos": {
		[]string{"D5-costa-rica-ingresos"}, `
date (datetime): ejercicio
administrative-classification (classification administrative): titulo_codigo=titulo_descripcion
month (datetime): mes
economic-classification (classification economic): ci_clase_codigo=ci_clase_descripcion > ci_subclase_codigo=ci_subclase_descripcion > ci_grupo_codigo=ci_grupo_descripcion > ci_subgrupo_codigo=ci_subgrupo_descripcion > ci_partida_codigo=ci_partida_descripcion > ci_subpartida_codigo=ci_subpartida_descripcion > ci_renglon_codigo=ci_renglon_descripcion > ci_subrenglon_codigo=ci_subrenglon_descripcion > ci_fuente_codigo=ci_fuente_descripcion
fin-source (other): ff_clase2 > ff_codigo=ff_descripcion
`, `
pi_monto: Initial budget (pi), CRC 1 approved revenue
pp_monto: Budget in force (pp), CRC 1 adjusted revenue
de_monto: Accrued (de), CRC 1 executed revenue
pa_monto: Paid in (pa), CRC 1 executed revenue
snapshots by mes per ejercicio: 
`,
	},
	"example-croatia": {
		[]string{"D2-croatia"}, `
date (datetime): Year
administrative-classification (classification administrative): admin1_code=admin1_label > admin2_code=admin2_label
activity (activity): activity1_code=activity1_label > activity2_code=activity2_label > activity3_code=activity3_label
functional-classification (classification functional): func1_code=func1_label
fin-source (other): fin_source_code=fin_source_label
economic-classification (classification economic): econ1_code=econ1_label > econ2_code=econ2_label > econ3_code
`, `
approved_value: Approved, HRK 1 approved expenditure
executed_value: Executed, HRK 1 executed expenditure
`,
	},
	"example-dominicana": {
		[]string{"D3-dominicana-ingresos"}, `
economic-classification (classification economic): economica_titulo=economica_titulo_label > economica_subtitulo=economica_subtitulo_label > economica_grupo=economica_grupo_label
date (datetime): periodo
snapshot (other): corte
`, `
pres_inicial: Initial budget, DOP 1 approved revenue
pres_reformulado_aprobado: Reformulated budget, DOP 1 adjusted revenue
percibido_aprobado: Received, DOP 1 executed revenue
economica_titulo code: economica_titulo No Informado
economica_subtitulo code: economica_subtitulo No Informado
economica_grupo code: economica_grupo No Informado
economica_titulo_label label: economica_titulo No Informado
economica_subtitulo_label label: economica_subtitulo No Informado
economica_grupo_label label: economica_grupo No Informado
corte resource: (abril|septiembre)
snapshots by corte per periodo: abril,septiembre
note: Title 3 (3.1, financial sources) is financing, not revenue: leave it out of a total of revenue.
`,
	},
	"example-mexico": {
		[]string{"D7-mexico", "D7-mexico-2017-sample"}, `
date (datetime): CICLO
functional-classification (classification functional): GPO_FUNCIONAL=DESC_GPO_FUNCIONAL > ID_FUNCION=DESC_FUNCION > ID_SUBFUNCION=DESC_SUBFUNCION > ID_AI=DESC_AI within ID_RAMO
economic-classification (classification economic): ID_CAPITULO=DESC_CAPITULO > ID_CONCEPTO=DESC_CONCEPTO > ID_PARTIDA_GENERICA=DESC_PARTIDA_GENERICA > ID_PARTIDA_ESPECIFICA=DESC_PARTIDA_ESPECIFICA
fin-source (other): ID_FF=DESC_FF
activity (activity): ID_MODALIDAD=DESC_MODALIDAD > ID_PP=DESC_PP within ID_RAMO
administrative-classification (classification administrative): ID_RAMO=DESC_RAMO > ID_UR=DESC_UR
expenditure-type (other): ID_TIPOGASTO=DESC_TIPOGASTO
geo-source (location): ID_ENTIDAD_FEDERATIVA=ENTIDAD_FEDERATIVA
budget-line-id (fact): ID_CLAVE_CARTERA
`, `
MONTO_ADEFAS: Debts of former years (ADEFAS), MXN 1 executed expenditure
MONTO_APROBADO: Approved, MXN 1 approved expenditure
MONTO_DEVENGADO: Accrued, MXN 1 executed expenditure
MONTO_EJERCICIO: Spent, from 2013, MXN 1 executed expenditure
MONTO_EJERCIDO: Spent, to 2012, MXN 1 executed expenditure
MONTO_MODIFICADO: Modified, MXN 1 adjusted expenditure
MONTO_PAGADO: Paid, MXN 1 executed expenditure
MONTO_GASTADO: Spent, MXN 1 executed expenditure
ID_CAPITULO prefix: ID_CAPITULO ID_CONCEPTO 5 1 000
MONTO_GASTADO first_of: MONTO_EJERCIDO MONTO_EJERCICIO
`,
	},
	"example-paraguay": {
		[]string{"D1-paraguay"}, `
date (datetime): anio
activity (activity): codigoPrograma=descripcionPrograma within codigoNivel,codigoEntidad,codigoTipoPresupuesto > codigoSubprograma=descripcionSubprograma > codigoProyecto=descripcionProyecto
month (datetime): mes
administrative-classification (classification administrative): codigoNivel=descripcionNivel > codigoEntidad=descripcionEntidad > codigoUnidadResponsable=descripcionUnidadResponsable
financial-unit (classification administrative): codigoUAF=descripcionUAF within codigoNivel,codigoEntidad
budget-type (other): codigoTipoPresupuesto=descripcionTipoPresupuesto
functional-classification (classification functional): subfuncion=subfuncion_label > funcion=funcion_label
economic-classification (classification economic): grupoEconomico=grupoEconomico_label > subgrupoEconomico=subgrupoEconomico_label > categoriaEconomica=categoriaEconomica_label
object-of-expenditure (classification economic): grupoObjetoGasto=grupoObjetoGasto_label > subgrupoObjetoGasto=subgrupoObjetoGasto_label > codigoObjetoGasto=objetoGasto
fin-source (other): codigoFuenteFinanciamiento=descripcionFuenteFinanciamiento
financing-body (other): codigoOrganismoFinanciador=descripcionOrganismoFinanciador
financial-level (other): codigoNivelFinanciero=nombreNivelFinanciero
geo (location): codigoDepartamento=departamento
report-date (datetime): anioCorte > mesCorte > fechaCorte
`, `
presupuestoInicialAprobado: Approved budget, PYG 1 approved expenditure
montoVigente: Budget in force, PYG 1 adjusted expenditure
montoPlanFinancieroVigente: Financial plan in force, PYG 1 adjusted expenditure
montoEjecutado: Executed, PYG 1 executed expenditure
montoTransferido: Transferred, PYG 1 executed expenditure
montoPagado: Paid, PYG 1 executed expenditure
descripcionNivel label: descripcionNivel
descripcionEntidad label: descripcionEntidad
descripcionUnidadResponsable label: descripcionUnidadResponsable
descripcionTipoPresupuesto label: descripcionTipoPresupuesto
descripcionPrograma label: descripcionPrograma
descripcionSubprograma label: descripcionSubprograma
descripcionProyecto label: descripcionProyecto
funcion code: funcion
subfuncion code: subfuncion
grupoEconomico code: grupoEconomico
subgrupoEconomico code: subgrupoEconomico
categoriaEconomica code: categoriaEconomica
grupoObjetoGasto code: grupoObjetoGasto
subgrupoObjetoGasto code: subgrupoObjetoGasto
objetoGasto label: objetoGasto
descripcionFuenteFinanciamiento label: descripcionFuenteFinanciamiento
departamento label: departamento
descripcionUAF label: descripcionUAF
nombreNivelFinanciero label: nombreNivelFinanciero
descripcionOrganismoFinanciador label: descripcionOrganismoFinanciador
subfuncion_label label: subfuncion
funcion_label label: funcion
grupoEconomico_label label: grupoEconomico
subgrupoEconomico_label label: subgrupoEconomico
categoriaEconomica_label label: categoriaEconomica
grupoObjetoGasto_label label: grupoObjetoGasto
subgrupoObjetoGasto_label label: subgrupoObjetoGasto
`,
	},
	"example-uruguay": {
		[]string{"D6-uruguay"}, `
date (datetime): ANO
functional-classification (classification functional): AP_ID=AP_NOMBRE > PROGRAMA_ID=PROGRAMA_NOMBRE
fin-source (other): FINANC_ID=FINANC_NOMBRE > FUENTE_FINANC_ID=FUENTE_FINANC_NOMBRE
economic-classification (classification economic): GRUPO_ID=GRUPO_NOMBRE > SUBGRUPO_ID=SUBGRUPO_NOMBRE > ODGYAUX_ID=ODGYAUX_NOMBRE
administrative-classification (classification administrative): ORG_ID=ORG_NOMBRE > UE_ID=UE_NOMBRE
activity (activity): PROYECTO_ID=PROYECTO_NOMBRE within ORG_ID,PROGRAMA_ID
expenditure-type (other): TIPO_GASTO_ID=TIPO_GASTO_NOMBRE
`, `
MONTO_APROBADO: Approved, UYU 1 approved expenditure
MONTO_EJECUTADO: Executed, UYU 1 executed expenditure
MONTO_VIGENTE: In force, UYU 1 adjusted expenditure
note: The executed amounts of 2019 are published as 0: read them as not known.
`,
	},
}
