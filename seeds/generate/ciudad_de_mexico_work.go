package main

// ciudadKindOf says whether expenditure is part of a programme, current or capital, by its chapter.
var ciudadKindOf = map[string]string{
	"1000": "1/1", "2000": "1/1", "3000": "1/1", "4000": "1/1", "5000": "1/2", "6000": "1/2", "9000": "2/1",
}

// A ciudadLine says what a unit does: under which function and programme, for which aims, out of which
// fund, on which objects, in amounts of how many digits; its public works are a project. Each object is
// a row in every statement.
type ciudadLine struct {
	unit, function, program, axis, goal, fund, objects, project string
	digits                                                      int
}

// projectOf returns the project for objects of a chapter.
func (w ciudadLine) projectOf(chapter string) string {
	if chapter == "6000" {
		return w.project
	}
	return ciudadNoProject
}

const (
	ciudadStaff   = "1000/1100/1130/1131 1000/1300/1320/1323"
	ciudadUpkeep  = "2000/2100/2110/2111 2000/2600/2610/2611 3000/3100/3110/3112"
	ciudadGeneral = ciudadStaff + " " + ciudadUpkeep
	ciudadFleet   = "3000/3500/3550/3553 5000/5400/5410/5411"
	ciudadAid     = "4000/4400/4410/4412"
	ciudadRoads   = "6000/6100/6150/6151"

	ciudadLocal     = "1/11/111/1111/1/111180"
	ciudadFederal   = "2/25/251/2512/1/251218"
	ciudadRemainder = "2/25/251/2512/2/251228"

	ciudadNoProject = "0/000000000"
)

var ciudadWork = []ciudadLine{
	{"1/06/C0/06C001", "2/1/5/215106", "E/001", "2", "13", ciudadLocal, ciudadGeneral, "", 9},
	{"1/06/PD/06PD01", "2/1/5/215106", "M/001", "2", "13", ciudadLocal, ciudadStaff, "", 8},
	{"1/09/C0/09C001", "1/5/2/152108", "M/001", "6", "16", ciudadLocal, ciudadGeneral, "", 10},
	{"1/09/C0/09C001", "1/5/2/152110", "D/001", "6", "16", ciudadLocal, "9000/9200/9210/9211", "", 11},
	{"1/10/C0/10C001", "3/5/1/351230", "K/001", "3", "11", ciudadFederal, ciudadRoads + " " + ciudadFleet, "1/A18NR0007", 10},
	{"1/10/C0/10C001", "3/5/1/351230", "K/001", "3", "11", ciudadRemainder, ciudadRoads, "1/A18NR0012", 9},
	{"1/10/PD/10PD02", "3/5/6/356216", "E/001", "3", "11", ciudadLocal, ciudadGeneral + " " + ciudadFleet, "", 11},
	{"1/26/C0/26C001", "2/3/2/232102", "E/002", "1", "3", ciudadLocal, ciudadGeneral, "", 11},
	{"1/26/C0/26C001", "2/3/1/231104", "S/002", "1", "3", ciudadFederal, ciudadAid, "", 9},
	{"2/02/CD/02CD01", "2/1/1/211205", "E/001", "2", "11", ciudadLocal, ciudadStaff + " " + ciudadFleet, "", 9},
	{"2/02/CD/02CD01", "2/2/4/224221", "E/001", "2", "11", ciudadFederal, ciudadUpkeep, "", 9},
	{"2/02/CD/02CD02", "2/1/1/211205", "E/001", "2", "11", ciudadLocal, ciudadStaff + " " + ciudadFleet, "", 9},
	{"2/02/CD/02CD02", "3/5/1/351230", "K/001", "3", "11", ciudadFederal, ciudadRoads, "1/A18NR0007", 9},
}
