package prose

import (
	"fmt"

	"fiscube/cube"
)

// RefusedFigure is why a figure is not drawn: a reason with the label and amount of a part, or a count and the limit for it.
type RefusedFigure struct {
	Reason        string
	Label, Amount string
	Count, Limit  int
}

// figureTexts are the sentences for each reason. Their first verb is the label or the count, the second the amount or the limit.
var figureTexts = map[cube.Language]map[string]string{
	cube.English: {
		"nothing":          "There are no amounts to draw.",
		"not-positive":     "An area cannot show an amount of zero or below, and %s has %s. Bars and the table show it.",
		"too-few":          "This figure says more than the table from %[2]d parts on; here their number is %[1]d.",
		"too-many":         "Here there are %d parts, and this figure shows %d at most. Filter them, or look at the table.",
		"one-year":         "Only %s has an amount, and a line needs two years.",
		"others-of-one":    "“%s” (%s) would be one member without its name. The table names it.",
		"does-not-add-up":  "What is known of %s does not add up to %s, so the figure would not show all of it. The table shows what is there.",
		"not-a-sum":        "Averages, extremes and ratios do not add up to a whole, so they have no shares of it. Bars and the table show them.",
		"same-money-twice": "These are several reports of the same money, which do not add up to a whole. Choose one of them, or look at the table.",
		"no-level":         "A figure compares parts. Choose what to break the amount down by:",
		"one-level":        "Flows lead from one level to another. Choose two:",
		"no-year":          "A change is that of one fiscal year since the year before. Choose a year:",
		"no-comparison":    "This year and the year before cannot be compared. The notes above say why.",
		"no-years":         "This budget has no fiscal years.",
	},
	cube.Spanish: {
		"nothing":          "No hay montos que dibujar.",
		"not-positive":     "Un área no puede mostrar un monto de cero o menor, y %s tiene %s. Las barras y la tabla lo muestran.",
		"too-few":          "Esta figura dice más que la tabla a partir de %[2]d partes; aquí su número es %[1]d.",
		"too-many":         "Aquí hay %d partes y esta figura muestra %d como máximo. Fíltrelas o vea la tabla.",
		"one-year":         "Solo %s tiene un monto, y una línea necesita dos años.",
		"others-of-one":    "«%s» (%s) sería un solo miembro sin su nombre. La tabla lo nombra.",
		"does-not-add-up":  "Lo que se sabe de %s no suma %s, así que la figura no lo mostraría todo. La tabla muestra lo que hay.",
		"not-a-sum":        "Los promedios, extremos y razones no suman un total, así que no tienen participación en él. Las barras y la tabla los muestran.",
		"same-money-twice": "Estos son varios informes del mismo dinero, que no suman un total. Elija uno de ellos o vea la tabla.",
		"no-level":         "Una figura compara partes. Elija por qué desglosar el monto:",
		"one-level":        "Los flujos van de un nivel a otro. Elija dos:",
		"no-year":          "Un cambio es el de un año fiscal desde el anterior. Elija un año:",
		"no-comparison":    "Este año y el anterior no se pueden comparar. Las notas de arriba dicen por qué.",
		"no-years":         "Este presupuesto no tiene años fiscales.",
	},
	cube.Croatian: {
		"nothing":          "Nema iznosa koji bi se nacrtali.",
		"not-positive":     "Površina ne može prikazati iznos jednak nuli ili manji, a %s ima %s. Prikazuju ga stupci i tablica.",
		"too-few":          "Ovaj prikaz govori više od tablice od broja dijelova %[2]d nadalje; ovdje je njihov broj %[1]d.",
		"too-many":         "Ovdje je broj dijelova %d, a ovaj ih prikaz pokazuje najviše %d. Filtrirajte ih ili pogledajte tablicu.",
		"one-year":         "Iznos ima samo %s., a za liniju su potrebne dvije godine.",
		"others-of-one":    "„%s“ (%s) bio bi jedan član bez svojeg naziva. Naziv je u tablici.",
		"does-not-add-up":  "Ono što je poznato za %s ne daje zbroj %s, pa prikaz ne bi pokazao sve. Tablica pokazuje što postoji.",
		"not-a-sum":        "Prosjeci, krajnje vrijednosti i omjeri ne zbrajaju se u cjelinu, pa u njoj nemaju udjela. Prikazuju ih stupci i tablica.",
		"same-money-twice": "Ovo je više izvještaja o istom novcu, koji se ne zbrajaju u cjelinu. Odaberite jedan od njih ili pogledajte tablicu.",
		"no-level":         "Prikaz uspoređuje dijelove. Odaberite po čemu raščlaniti iznos:",
		"one-level":        "Tokovi vode s jedne razine na drugu. Odaberite dvije:",
		"no-year":          "Promjena je ona jedne fiskalne godine u odnosu na prethodnu. Odaberite godinu:",
		"no-comparison":    "Ova godina i prethodna ne mogu se usporediti. Napomene gore kažu zašto.",
		"no-years":         "Ovaj proračun nema fiskalnih godina.",
	},
}

// NoFigure says why a figure is not drawn, and what shows the numbers instead.
func NoFigure(r RefusedFigure, l cube.Language) string {
	text := in(figureTexts, l)[r.Reason]
	switch r.Reason {
	case "not-positive", "others-of-one", "does-not-add-up":
		return fmt.Sprintf(text, r.Label, r.Amount)
	case "too-few", "too-many":
		return fmt.Sprintf(text, r.Count, r.Limit)
	case "one-year":
		return fmt.Sprintf(text, r.Label)
	}
	return text
}
