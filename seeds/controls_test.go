package seeds_test

var controls = []control{
	{"example-paraguay", "anio:2017", "presupuestoInicialAprobado", "65325411920000"},
	{"example-paraguay", "anio:2017", "montoPagado", "861362350087"},

	// The September cut is the year; both cuts together would be nearly twice that.
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2014.csv", "pres_inicial", "524279201000.00"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2014.csv", "percibido_aprobado", "317605974692.55"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2015.csv", "percibido_aprobado", "403847311637.19"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2016.csv", "percibido_aprobado", "400002483653.56"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2017.csv", "percibido_aprobado", "426650808864.74"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2018.csv", "percibido_aprobado", "440222899944.90"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2019.csv", "percibido_aprobado", "471077794483.50"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2020.csv", "percibido_aprobado", "448839072891.88"},
	{"example-dominicana", "_resource:ingresos-actualizacion-septiembre__2021.csv", "percibido_aprobado", "503233643606.80"},
	{"example-dominicana", "_resource:ingresos-actualizacion-abril__2021.csv", "percibido_aprobado", "226204349073.69"},

	{"example-ciudad-de-mexico", "ciclo:2018|periodo:Enero-Junio", "monto_aprobado", "162954209000"},
	{"example-ciudad-de-mexico", "ciclo:2018|periodo:Enero-Marzo", "monto_ejercido", "39076056580.16"},
	{"example-ciudad-de-mexico", "ciclo:2018|periodo:Enero-Junio", "monto_ejercido", "73293892420.14"},
	{"example-ciudad-de-mexico", "ciclo:2019|periodo:Enero-Junio", "monto_ejercido", "76728111715.05"},
	{"example-ciudad-de-mexico", "ciclo:2020|periodo:Enero-Junio", "monto_ejercido", "80952723279.89"},

	{"example-costa-rica-ingresos", "ejercicio:2017|mes:12", "pi_monto", "1553242000000.00"},
	{"example-costa-rica-ingresos", "ejercicio:2017|mes:12", "de_monto", "1436295960003.41"},
	{"example-costa-rica-ingresos", "ejercicio:2018|mes:12", "de_monto", "1584610334604.15"},
	{"example-costa-rica-ingresos", "ejercicio:2019|mes:12", "de_monto", "1696577848002.82"},
	// January of 2019 is whole only with the two rows in the file of 2018.
	{"example-costa-rica-ingresos", "ejercicio:2019|mes:01", "pi_monto", "1739631040000.00"},
	// One source of revenue: its budget, what came in by January and by December, and the wrong sum of all months.
	{"example-costa-rica-ingresos", "ejercicio:2017|mes:12|ci_fuente_codigo:1111050200001", "pi_monto", "2610000000.00"},
	{"example-costa-rica-ingresos", "ejercicio:2017|mes:01|ci_fuente_codigo:1111050200001", "de_monto", "158072429.51"},
	{"example-costa-rica-ingresos", "ejercicio:2017|mes:12|ci_fuente_codigo:1111050200001", "de_monto", "2714400000.52"},
	{"example-costa-rica-ingresos", "ejercicio:2017|ci_fuente_codigo:1111050200001", "pi_monto", "31320000000.00"},

	{"example-mexico", "CICLO:2008", "MONTO_APROBADO", "523725688000.00"},
	{"example-mexico", "CICLO:2012", "MONTO_EJERCIDO", "671645432952.00"},
	{"example-mexico", "CICLO:2013", "MONTO_EJERCICIO", "749706930405.00"},
	{"example-mexico", "CICLO:2017", "MONTO_APROBADO", "856615836440.00"},
	{"example-mexico", "CICLO:2018", "MONTO_PAGADO", "946089064714.46"},
	{"example-mexico", "CICLO:2020", "MONTO_APROBADO", "967694065920"},

	{"example-costa-rica-egresos", "ejercicio:2017|mes:12", "pi_monto", "10721047100000.00"},
	{"example-costa-rica-egresos", "ejercicio:2017|mes:12", "de_monto", "9360152121008.81"},
	{"example-costa-rica-egresos", "ejercicio:2019|mes:12", "de_monto", "11092679705808.28"},
	{"example-costa-rica-egresos", "ejercicio:2020|mes:02", "de_monto", "1915890715285.95"},
	{"example-costa-rica-egresos", "ejercicio:2019|mes:12", "co_monto", "0.00"},
	{"example-costa-rica-egresos", "ejercicio:2019|mes:01|titulo_codigo:104|cog_subpartida_codigo:00101", "co_monto",
		"-209253936.64"},
}
