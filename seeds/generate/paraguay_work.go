package main

// How an object of expenditure is classified by its economic nature and in the financial plan, by the
// group it belongs to.
var (
	paraguayEconomicOf = map[string]string{
		"100": "100/120/121", "200": "100/120/122", "300": "100/120/122", "500": "200/210/211", "800": "100/130/131",
	}
	paraguayLevelOf = map[string]string{"100": "11", "200": "70", "300": "60", "500": "50", "800": "80"}
)

// A paraguayLine says what a unit does: through which financial unit, in which kind of budget, programme,
// subprogramme and project, for which function, where, out of which sources, on which objects, in
// amounts of how many digits. Each source and object is a row.
type paraguayLine struct {
	unit, financial, program, function, department, sources, objects string
	digits                                                           int
}

// What lines of a kind spend money on.
const (
	paraguayStaff = "100/110/111 100/110/113 100/120/123 100/130/133"
	paraguayGoods = "200/210/210 200/230/230 200/240/240 200/260/260 300/340/340 300/350/350 300/360/360"
	paraguayTools = "500/530/530 500/540/540"
	paraguayAll   = paraguayStaff + " " + paraguayGoods + " " + paraguayTools
	paraguayWorks = "200/260/260 300/360/360 500/520/521 500/530/530"
)

var paraguayWork = []paraguayLine{
	{"11/1/1", "1000000", "1/1/1/0", "110/111", "0", "10/1 30/1", paraguayAll, 11},
	{"12/3/2", "1000000", "2/1/2/0", "220/221", "99", "10/1", paraguayAll, 12},
	{"12/3/2", "2000000", "2/1/2/0", "220/221", "7", "10/1 30/1", paraguayAll, 11},
	{"12/3/2", "2000000", "2/1/2/0", "220/221", "10", "10/1", paraguayAll, 11},
	{"12/6/1", "1000000", "1/1/1/0", "110/113", "0", "10/1 20/401", paraguayAll, 11},
	{"12/6/9", "3000000", "1/1/9/0", "110/113", "0", "10/1 30/1", paraguayStaff + " " + paraguayGoods, 11},
	{"12/7/1", "1000000", "1/1/1/0", "340/341", "0", "10/1", paraguayAll, 11},
	{"12/7/20", "1000000", "2/1/1/0", "340/341", "99", "10/1", paraguayAll + " 800/840/841", 13},
	{"12/7/20", "1000000", "2/1/1/0", "340/341", "12", "10/1 20/401", paraguayGoods + " " + paraguayTools, 10},
	{"12/7/20", "1000000", "2/1/8/0", "340/341", "99", "10/1 20/401", paraguayStaff + " " + paraguayGoods, 10},
	{"12/8/1", "1000000", "1/1/1/0", "310/311", "0", "10/1", paraguayAll, 11},
	{"12/8/15", "1000000", "2/1/3/0", "310/311", "99", "10/1 30/1", paraguayAll, 12},
	{"12/8/15", "1000000", "2/1/3/0", "310/311", "7", "10/1", paraguayAll, 11},
	{"12/8/15", "1000000", "2/1/3/0", "310/311", "10", "10/1", paraguayAll, 11},
	{"12/13/4", "1000000", "3/1/4/1", "520/521", "7", "10/1 20/401", paraguayWorks, 12},
	{"12/13/4", "1000000", "3/1/4/1", "520/521", "10", "10/1 20/401", paraguayWorks, 12},
	{"12/13/4", "1000000", "3/1/4/2", "520/521", "12", "10/1 20/401", paraguayWorks, 12},
	{"23/1/1", "1000000", "2/1/1/0", "340/345", "0", "10/1 30/1 30/63", paraguayAll, 9},
	{"28/1/1", "1000000", "1/1/1/0", "340/343", "10", "10/1 30/1", paraguayAll, 10},
	{"28/3/1", "1000000", "1/1/1/0", "340/343", "12", "10/1", paraguayAll, 10},
	{"28/3/10", "1000000", "2/2/8/0", "340/343", "12", "10/1 30/1 30/63", paraguayAll + " 800/840/841", 9},
}
