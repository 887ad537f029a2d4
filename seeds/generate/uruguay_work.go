package main

// A uruguayLine says what a unit does: in which programme and project, out of which sources, on which
// objects, in amounts of how many digits. Each source and object is a row of the year.
type uruguayLine struct {
	unit, function, project, projectLabel, sources, objects string
	digits                                                  int
}

// What lines of a kind spend money on.
const (
	staff    = "0/1/11.0 0/4/42.4 0/4/42.40 0/8/81.0 0/9/91.17"
	upkeep   = "1/3/133.0 1/4/141.0 1/9/191.0 1/9/198.0 2/1/211.0 2/3/232.0 2/7/271.0"
	general  = staff + " " + upkeep
	computer = "2/7/271.0 3/2/323.0"
	building = "1/9/198.0 3/2/323.0 3/8/382.0"
)

var uruguayWork = []uruguayLine{
	{"25/1", "8/601", "0", "Funcionamiento", "10/11", general, 9},
	{"25/1", "8/601", "701", "Aulas digitales", "10/12", computer, 8},
	{"25/2", "8/340", "0", "Funcionamiento", "10/11", staff + " 1/1/111.0 2/1/211.0", 11},
	{"25/2", "8/340", "701", "Escuelas nuevas", "10/11 20/21", building, 9},
	{"25/3", "8/340", "0", "Funcionamiento", "10/11", staff + " 2/1/211.0 5/7/572.0", 10},
	{"2/1", "15/480", "0", "Funcionamiento", "10/11", general, 8},
	{"2/1", "15/480", "701", "Gobierno electrónico", "10/11 20/21", computer, 8},
	{"2/2", "15/490", "0", "Funcionamiento", "10/11", staff + " 0/4/42.400", 8},
	{"2/2", "15/490", "701", "Censo de población", "10/11", computer, 8},
	{"3/1", "4/300", "0", "Funcionamiento", "10/11", general, 10},
	{"3/2", "4/300", "0", "Funcionamiento", "10/11 10/12", "1/9/198.0 1/9/198.1 2/3/232.0", 7},
	{"4/1", "14/460", "0", "Funcionamiento", "10/11", upkeep, 9},
	{"4/2", "14/461", "702", "Renovación de flota", "10/11 10/12", "1/9/198.1 1/4/141.0", 8},
	{"4/3", "14/460", "0", "Funcionamiento", "10/11", staff + " 0/4/42.400", 10},
	{"4/3", "14/460", "702", "Cámaras de vigilancia", "10/11 20/21", computer, 9},
	{"5/1", "6/481", "0", "Funcionamiento", "10/11", "0/1/11.0 0/8/81.0", 8},
	{"5/2", "6/320", "0", "Funcionamiento", "10/11 10/12", "0/1/11.0 1/4/141.0 2/3/232.0", 8},
	{"5/3", "6/320", "0", "Funcionamiento", "10/11", staff, 9},
	{"5/3", "6/320", "701", "Expediente electrónico", "10/12", computer, 8},
	{"10/1", "15/480", "0", "Funcionamiento", "10/11", "0/1/11.0 0/8/81.0", 8},
	{"10/2", "10/360", "703", "Rutas y puentes", "10/11 10/12 20/21", "2/7/271.0 3/8/381.0", 10},
	{"10/3", "10/366", "703", "Obras, reformas y ampliaciones", "10/11 20/21", building, 9},
	{"11/1", "8/601", "0", "Funcionamiento", "10/11", "0/1/11.0 0/8/81.0", 8},
	{"11/2", "7/280", "701", "Archivo \"Memoria\"", "10/12", computer, 7},
	{"12/1", "9/440", "0", "Funcionamiento", "10/11", general, 9},
	{"12/1", "9/440", "701", "Equipamiento hospitalario", "10/11 20/21", "3/2/322.0 3/2/323.0", 9},
	{"12/2", "9/440", "0", "Funcionamiento", "10/11", "2/3/232.0 2/1/211.0", 7},
	{"23/1", "11/400", "0", "Funcionamiento", "10/11 10/12", "5/1/511.0", 11},
	{"23/2", "11/492", "0", "Funcionamiento", "10/11", "5/1/515.0", 11},
	{"24/1", "16/500", "0", "Funcionamiento", "10/11", "6/1/611.0 6/2/621.0", 11},
}
