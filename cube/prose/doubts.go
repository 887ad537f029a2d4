package prose

import "fiscube/cube"

// DoubtWords are the sentences of pages about numbers that should not be cited as they stand. They are templates for Locale.Fill.
type DoubtWords struct {
	Excerpt, ExcerptOfYears string // so few rows that they may be an excerpt; of several years so many in each
	Jump                    string // years with an amount of another order than the year before
}

// Doubts gives the sentences in a language.
func Doubts(l cube.Language) DoubtWords { return in(doubtTexts, l) }

var doubtTexts = map[cube.Language]DoubtWords{
	cube.English: {
		Excerpt:        "Only %d {row is|rows are} published here; a whole budget usually has hundreds or thousands. This may be an excerpt: check the total before you cite it.",
		ExcerptOfYears: "Only some %d {row|rows} a year are published here; a whole budget usually has hundreds or thousands. This may be an excerpt: check the total before you cite it.",
		Jump:           "In %s the amount is more than ten times, or less than a tenth, of that of the year before. Such a jump usually means that rows are missing.",
	},
	cube.Spanish: {
		Excerpt:        "Aquí solo hay %d {fila publicada|filas publicadas}; un presupuesto entero suele tener cientos o miles. Puede ser un extracto: compruebe el total antes de citarlo.",
		ExcerptOfYears: "Aquí solo se publican unas %d {fila|filas} por año; un presupuesto entero suele tener cientos o miles. Puede ser un extracto: compruebe el total antes de citarlo.",
		Jump:           "En %s el monto es más de diez veces el del año anterior, o menos de su décima parte. Un salto así suele significar que faltan filas.",
	},
	cube.Croatian: {
		Excerpt:        "Ovdje je objavljeno samo %d {redak|retka|redaka}, a cijeli ih proračun obično ima stotine ili tisuće. Ovo je možda izvadak: provjerite zbroj prije nego što ga navedete.",
		ExcerptOfYears: "Ovdje je objavljeno samo oko %d {redak|retka|redaka} na godinu, a cijeli ih proračun obično ima stotine ili tisuće. Ovo je možda izvadak: provjerite zbroj prije nego što ga navedete.",
		Jump:           "Za %s iznos je više od deset puta veći od iznosa godine prije, ili manji od njegove desetine. Takav skok obično znači da nedostaju redci.",
	},
}
