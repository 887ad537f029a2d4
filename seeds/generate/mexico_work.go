package main

// mexicoObjects are the objects of expenditure in the two systems of codes.
var mexicoObjects = map[string]struct{ former, specific string }{
	"diets":     {"1000/1100/1101", "1000/1100/111/11101"},
	"salaries":  {"1000/1100/1103", "1000/1100/113/11301"},
	"fees":      {"1000/1200/1201", "1000/1200/121/12101"},
	"raises":    {"1000/1800/1801", "1000/1600/161/16101"},
	"supplies":  {"2000/2100/2101", "2000/2100/211/21101"},
	"fuel":      {"2000/2600/2602", "2000/2600/261/26102"},
	"upkeep":    {"3000/3500/3504", "3000/3500/351/35101"},
	"travel":    {"3000/3800/3811", "3000/3700/371/37101"},
	"subsidies": {"4000/4100/4103", "4000/4300/431/43101"},
	"furniture": {"5000/5100/5101", "5000/5100/511/51101"},
	"works":     {"6000/6100/6105", "6000/6200/625/62501"},
	"interest":  {"9000/9200/9201", "9000/9200/921/92101"},
}

// mexicoKindOf tells current expenditure, capital and public works apart.
func mexicoKindOf(item string) string {
	switch item {
	case "works":
		return "3"
	case "furniture":
		return "2"
	case "fees":
		return "7"
	}
	return "1"
}

// A mexicoLine says what a unit does: under which function, activity, kind of programme and programme,
// out of which fund, in which states, on which objects, in amounts of how many digits. Each state and
// object is a row of the year. Activity and programme are code and label, written as in a tree.
type mexicoLine struct {
	unit, function, activity, mode, program string
	fund, states, objects                   string
	digits                                  int
	portfolio                               string
}

// What lines of a kind spend money on.
const (
	mexicoStaff  = "salaries fees raises"
	mexicoOffice = mexicoStaff + " supplies travel"
	mexicoField  = "salaries fuel upkeep travel"
)

var mexicoWork = []mexicoLine{
	{"1/100", "1/1/1", "2 Labor legislativa | 2013 Trabajo legislativo", "R", "1 Llevar a cabo el proceso legislativo",
		"1", "9", "diets " + mexicoOffice, 9, ""},
	{"1/101", "1/1/2", "3 Fiscalización de la cuenta pública", "R",
		"2 Presentar el informe | 2011 Presentar el informe de resultados",
		"1", "9", mexicoOffice, 9, ""},
	{"4/100", "1/3/1", "4 Conducción de la política interior", "P",
		"1 Conducción de la política interior | 2018 Conducción de la Política Interior",
		"1", "9 14", mexicoOffice, 10, ""},
	{"4/416", "1/3/1", "2 Servicios de apoyo administrativo", "M", "1 Actividades de apoyo administrativo",
		"1", "9", "salaries supplies furniture", 9, ""},
	{"6/100", "1/3/2", "2 Servicios de apoyo administrativo", "M", "1 Actividades de apoyo administrativo",
		"1", "9", mexicoOffice, 9, ""},
	{"6/212", "1/3/2", "6 Política de financiamiento", "R", "1 Colocar la deuda \"en condiciones\" favorables",
		"1", "9", "salaries fees travel", 8, ""},
	{"11/100", "2/5/1", "3 Educación básica de calidad", "E",
		"5 Educación básica | 2014 Educación Inicial y Básica",
		"1", "9 14 19", "salaries raises supplies", 11, ""},
	{"11/310", "2/5/1", "3 Educación básica de calidad", "S", "24 Escuelas de tiempo completo",
		"2", "14 19", "subsidies", 10, ""},
	{"11/416", "2/5/1", "2 Servicios de apoyo administrativo", "M", "1 Actividades de apoyo administrativo",
		"1", "9", "salaries supplies furniture", 9, ""},
	{"12/100", "2/3/1", "18 Salud pública", "E", "8 Atención a la Salud | 2017 Atención a la⍽Salud",
		"1", "9 14 19", "salaries supplies", 11, ""},
	{"12/310", "2/3/1", "15 Promoción de la salud", "S", "8 Prevención, control y promoción",
		"4", "9 14", "subsidies supplies", 9, ""},
	{"16/100", "2/1/1", "2 Servicios de apoyo a la gestión", "O", "1 Apoyo a la función pública y buen gobierno",
		"1", "9", "salaries travel", 8, ""},
	{"16/RHQ", "2/1/1", "4 Protección forestal", "S", "71 Empleo temporal | 2018 Empleo Temporal",
		"1", "14 19", mexicoField, 9, ""},
	{"20/100", "2/6/1", "9 Apoyo a adultos mayores", "S",
		"176 Pensión para adultos mayores | 2019 Pensión para el bienestar de adultos mayores",
		"1", "34", "subsidies fees supplies", 11, ""},
	{"9/100", "3/5/1", "2 Servicios de apoyo administrativo", "M", "1 Actividades de apoyo administrativo",
		"1", "9", "salaries supplies", 9, ""},
	{"9/625", "3/5/1", "6 Carreteras eficientes y seguras", "K", "3 Construcción de carreteras",
		"1", "14 19", "works " + mexicoField, 10, "16092110042"},
	{"24/212", "4/1/1", "2 Administración de la deuda", "D", "1 Intereses de la deuda interna",
		"1", "34", "interest", 12, ""},
	// The same activity of the same function has another label in another branch.
	{"32/100", "1/2/1", "2 Impartición de justicia", "R", "1 Impartir justicia administrativa",
		"1", "9", mexicoOffice, 9, ""},
	{"4/100", "1/2/1", "2 Apoyo a la impartición de justicia", "E", "8 Defensoría, asesoría y mediación",
		"1", "9", "salaries supplies", 8, ""},
}
