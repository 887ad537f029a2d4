package prose

import "fiscube/cube"

// fileWords are the templates of what a file says beside its rows, in one language.
type fileWords struct {
	madeUp            string
	asText, shortened string // the columns with numbers that a spreadsheet does not keep
	cells, columns    string // of a column, and how many columns are not listed
	unit, label       string // of a measure, and the labels of a level
	extract           string // the title of a package that has the answer to a question
	answer            string // the link of the question
}

var fileTexts = map[cube.Language]fileWords{
	cube.English: {
		madeUp: "the figures are made up, for trying fiscube out",
		asText: "a spreadsheet keeps 15 digits of a number, so numbers with more are text here, and marked: SUM() and charts " +
			"leave them out (%s); CSV has all of them",
		shortened: "averages, ratios and shares with more digits than the 15 that a spreadsheet keeps are rounded to these (%s)",
		cells:     "%s: %d of %d cells", columns: "and %d more columns",
		unit: "in units of %d", label: "%s: name",
		extract: "%s (extract)",
		answer:  "The rows are the answer to a question: %s",
	},
	cube.Spanish: {
		madeUp: "las cifras son inventadas, para probar fiscube",
		asText: "una hoja de cálculo conserva 15 dígitos de un número, por lo que los números con más son texto aquí, y están " +
			"marcados: SUMA() y los gráficos los omiten (%s); el CSV los tiene todos",
		shortened: "los promedios, razones y participaciones con más de los 15 dígitos que conserva una hoja de cálculo se " +
			"redondean a estos (%s)",
		cells: "%s: %d de %d celdas", columns: "y %d columnas más",
		unit: "en unidades de %d", label: "%s: nombre",
		extract: "%s (extracto)",
		answer:  "Las filas son la respuesta a una pregunta: %s",
	},
}

// searchWords are the templates of warnings of a search in one language.
type searchWords struct{ pending, partial string }

var searchTexts = map[cube.Language]searchWords{
	cube.English: {
		pending: "%s is still being read for the search: ask again in a moment",
		partial: "%s has too many members for the search: %d with the fewest rows are not found",
	},
	cube.Spanish: {
		pending: "%s todavía se está leyendo para la búsqueda: pregunte de nuevo en un momento",
		partial: "%s tiene demasiados miembros para la búsqueda: no se encuentran %d, los que tienen menos filas",
	},
}
