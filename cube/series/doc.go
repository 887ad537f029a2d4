// Package series has the prices and the inhabitants of countries by year, and what an amount of a year is multiplied by to be in
// prices of another year or an amount per head.
//
// A series is a CSV file with the columns country, year and one that names the unit: annual_percent, index or persons
// (cube.SeriesUnit). Comments before its header say where it is from:
//
//	# title: Total population, mid-year
//	# source: World Bank, SP.POP.TOTL
//	# licence: ODC-PDDL-1.0
//	# updated: 2026-03-06
//	country,year,persons
//	HRV,2000,4426387
//
// The country is an ISO 3166-1 code or a name. The files in the folder built are part of the program. A package has its own
// beside its descriptor (Files).
package series
