package prose

import "fiscube/cube"

// pageTexts are the texts of pages by key. Each language has every key.
var pageTexts = map[cube.Language]map[string]string{
	cube.English: {
		"rows": "%d {row|rows}",
	},
	cube.Spanish: {
		"rows": "%d {fila|filas}",
	},
	cube.Croatian: {
		"rows": "%d {redak|retka|redaka}",
	},
}
