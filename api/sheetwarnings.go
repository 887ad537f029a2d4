package api

import (
	"fmt"
	"strings"

	"fiscube/cube"
)

// The codes of what a workbook itself makes of numbers.
const (
	warnAmountsAsText    = "amounts-as-text"
	warnQuotientsRounded = "quotients-rounded"
)

// sheetWords are the texts of these warnings in a language. %s stands for columns, with how many of their cells.
type sheetWords struct{ asText, shortened, of, rest string }

var sheetTexts = map[cube.Language]sheetWords{
	cube.English: {
		asText: "a spreadsheet keeps 15 digits of a number, so numbers with more are text here, and marked: SUM() and charts " +
			"leave them out (%s); CSV has all of them",
		shortened: "averages, ratios and shares with more digits than the 15 that a spreadsheet keeps are rounded to these (%s)",
		of:        "%s: %d of %d cells", rest: "and %d more columns",
	},
	cube.Spanish: {
		asText: "una hoja de cálculo conserva 15 dígitos de un número, por lo que los números con más son texto aquí, y están " +
			"marcados: SUMA() y los gráficos los omiten (%s); el CSV los tiene todos",
		shortened: "los promedios, razones y participaciones con más de los 15 dígitos que conserva una hoja de cálculo se " +
			"redondean a estos (%s)",
		of: "%s: %d de %d celdas", rest: "y %d columnas más",
	},
}

// found says where cells are not the numbers that they stand for. It is known behind the last row.
func (e *xlsxEncoder) found() []warning {
	words, ok := sheetTexts[e.lang]
	if !ok {
		words = sheetTexts[cube.English]
	}
	var list []warning
	if places := e.counted(words, e.asText); places != "" {
		list = append(list, warning{Code: warnAmountsAsText, Message: fmt.Sprintf(words.asText, places)})
	}
	if places := e.counted(words, e.shortened); places != "" {
		list = append(list, warning{Code: warnQuotientsRounded, Message: fmt.Sprintf(words.shortened, places)})
	}
	return list
}

// shownColumns bounds how many columns a message lists.
const shownColumns = 12

// counted names the columns that have such cells.
func (e *xlsxEncoder) counted(words sheetWords, counts []int) string {
	var places []string
	for i, n := range counts {
		if n > 0 {
			places = append(places, fmt.Sprintf(words.of, e.columns[i].name, n, e.line-1))
		}
	}
	if more := len(places) - shownColumns; more > 0 {
		places = append(places[:shownColumns], fmt.Sprintf(words.rest, more))
	}
	return strings.Join(places, ", ")
}
