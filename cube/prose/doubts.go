package prose

import (
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
)

// DoubtWords are the sentences of pages about numbers that should not be cited as they stand. They are templates for Locale.Fill.
type DoubtWords struct {
	Excerpt, ExcerptOfYears string // so few rows that they may be an excerpt; of several years so many in each
	ExcerptOf               string // rows a year, and of how many, in which other cube of the same title
	ExcerptShort            string // on a card
	JumpUp, JumpDown        string // years with an amount of another order than the year before
	NotKnown, UnknownChange string // a year whose amounts are all 0; the years because of which no change is told
	Until                   string // up to which report amounts go, of which there is one
	OfReport                string // likewise, if it is named by a word
	PartShort               string // of which periods of a year there are amounts, beside a title
	OnlyPart, OnlyParts     string // the period, or the periods, of a year that have amounts, and the year
	RateOfPart              string // what is of these periods alone, the periods, the year, and what is of the whole year
	Incomplete              string // how many lines are in an earlier report alone, and what they state in words and exactly
	LeftBehind              string // likewise of a selection, and which lines
	LeftBehindBefore        string // likewise of the year that the selection is compared with
	LeftCited               string // likewise in a citation: how many lines, and what they state
	PerhapsLeftCited        string // likewise, if they are too many to list
	LineLeft                string // a line, the period that it is of and the reports that have it
	AddedUp                 string // what all reports would come to if the last does not have all lines
	Instead                 string // the years of which other measures have amounts
	OverSpent, OverReceived string // a rate above 100 %
	RowsOverSpent           string // rates above 100 % in the rows of a table
	RowsOverReceived        string // likewise
	LowSpent, LowReceived   string // rates below 10 %
	OfOne                   string // the members that all rows are of
	OfOneCited              string // likewise in a citation
	ZeroCited               string // the years whose amounts are all 0, in a citation
	JumpMoved               string // likewise, of members of a whole budget
	JumpUpCited             string // the years with a jump, in a citation
	JumpDownCited           string // likewise
	Financing               string // how much of a sum is financing, in words and exactly, what that is called, and the sum without it in words and exactly
	WithoutFinancing        string // a sentence that holds without it
	FinancingShort          string // beside a sum on a card
	FinancingCited          string // that sum includes it, in a citation
	Changed                 string // the measure that has the amounts as they were changed later
}

// Doubts gives the sentences in a language.
func Doubts(l cube.Language) DoubtWords { return in(doubtTexts, l) }

var doubtTexts = map[cube.Language]DoubtWords{
	cube.English: {
		Excerpt:        "Only %d {row is|rows are} published here; a whole budget usually has hundreds or thousands. This may be an excerpt: check the total before you cite it.",
		ExcerptOfYears: "Only some %d {row|rows} a year are published here; a whole budget usually has hundreds or thousands. This may be an excerpt: check the total before you cite it.",
		ExcerptOf:      "Only some %d {row|rows} a year are published here; the budget %s has the same title and some %s. This may be an excerpt: check the total before you cite it.",
		ExcerptShort:   "few rows: perhaps an excerpt",
		PartShort:      "only %s of %s",
		JumpUp:         "In %s the amount is more than ten times that of the year before. Such a jump usually means that rows of the year before are missing.",
		JumpDown:       "In %s the amount is less than a tenth of that of the year before. Such a jump usually means that rows are missing.",
		NotKnown:       "probably not known", UnknownChange: "No change is told, since all amounts of %s are published as 0: they are probably not known.",
		Until: "The amounts go %s.", OfReport: "The amounts are those of the report “%s”; the files do not say which months it covers.",
		OnlyPart: "Only %s of %s has amounts.", OnlyParts: "Only %s of %s have amounts.",
		RateOfPart:       "“%s” is of %s of %s alone, and “%s” usually of the whole year: the rate between them is not that of the year.",
		Incomplete:       "Amounts may be missing here: in the whole budget, %d {budget line is|budget lines are} in an earlier report and not in the last of the same period, which alone is counted, with %s in all, exactly %s.",
		LeftBehind:       "Amounts may be missing here: %d {budget line is|budget lines are} in earlier reports and not in the last of the same period, which alone is counted, last reported with %s in all, exactly %s: %s.",
		LineLeft:         "%s in %s (%s)",
		LeftBehindBefore: "Amounts may be missing in the year that this is compared with: %d {budget line is|budget lines are} in earlier reports alone, last reported with %s in all, exactly %s: %s.",
		LeftCited:        "not included: %d {line|lines} of earlier reports, %s", PerhapsLeftCited: "lines of earlier reports may be missing",
		AddedUp:          "All reports added up would be %s, exactly %s: they repeat the same money, and some have lines that the last one does not have.",
		Instead:          "These have amounts of %s:",
		OverSpent:        "A rate above 100% means that more was spent than was approved at first; budgets are often raised during the year.",
		OverReceived:     "A rate above 100% means that more was received than was expected at first.",
		RowsOverSpent:    "Where a rate is above 100%, more was spent than was approved at first; budgets are often raised during the year.",
		RowsOverReceived: "Where a rate is above 100%, more was received than was expected at first.",
		LowSpent:         "A rate below 10% often means that what was spent is published in part alone, or that the year had not ended.",
		LowReceived:      "A rate below 10% often means that what was received is published in part alone, or that the year had not ended.",
		OfOne:            "All amounts here are of: %s.",
		OfOneCited:       "all amounts are of: %s",
		ZeroCited:        "probably not known: all amounts of %s are published as 0",
		JumpMoved:        "In %s the amount is more than ten times that of the year before, or less than a tenth of it. In a budget that is published whole, such a jump usually means that something was moved, divided or named anew: look at what is beside it.",
		JumpUpCited:      "in %s more than ten times the year before: rows of the year before are probably missing",
		JumpDownCited:    "in %s less than a tenth of the year before: rows are probably missing",
		Financing:        "Of this, %s is financing, which is neither revenue nor expenditure (%[3]s; exactly %[2]s). Without it: %[4]s, exactly %[5]s.",
		WithoutFinancing: "Without financing, %s",
		FinancingShort:   "includes financing",
		FinancingCited:   "includes financing of %s",
		Changed:          "The amounts as changed during the year: “%s”.",
	},
	cube.Spanish: {
		Excerpt:        "Aquí solo hay %d {fila publicada|filas publicadas}; un presupuesto entero suele tener cientos o miles. Puede ser un extracto: compruebe el total antes de citarlo.",
		ExcerptOfYears: "Aquí solo se publican unas %d {fila|filas} por año; un presupuesto entero suele tener cientos o miles. Puede ser un extracto: compruebe el total antes de citarlo.",
		ExcerptOf:      "Aquí solo se publican unas %d {fila|filas} por año; el presupuesto %s tiene el mismo título y unas %s. Puede ser un extracto: compruebe el total antes de citarlo.",
		ExcerptShort:   "pocas filas: quizá un extracto",
		PartShort:      "solo %s de %s",
		JumpUp:         "En %s el monto es más de diez veces el del año anterior. Un salto así suele significar que faltan filas del año anterior.",
		JumpDown:       "En %s el monto es menos de la décima parte del monto del año anterior. Un salto así suele significar que faltan filas.",
		NotKnown:       "probablemente no se conoce", UnknownChange: "No se da el cambio, porque todos los montos de %s se publicaron como 0: probablemente no se conocen.",
		Until: "Los montos llegan %s.", OfReport: "Los montos son los del informe «%s»; los archivos no dicen qué meses abarca.",
		OnlyPart: "Solo %s de %s tiene montos.", OnlyParts: "Solo %s de %s tienen montos.",
		RateOfPart:       "«%s» es solo de %s de %s, y «%s» suele ser de todo el año: la tasa entre ambos no es la del año.",
		Incomplete:       "Aquí pueden faltar montos: en todo el presupuesto, %d {línea presupuestaria está|líneas presupuestarias están} en un informe anterior y no en el último del mismo período, el único que se cuenta, por un total de %s, exactamente %s.",
		LeftBehind:       "Aquí pueden faltar montos: %d {línea presupuestaria está|líneas presupuestarias están} en informes anteriores y no en el último del mismo período, el único que se cuenta, con %s en total según su último informe, exactamente %s: %s.",
		LineLeft:         "%s en %s (%s)",
		LeftBehindBefore: "Pueden faltar montos en el año con el que se compara: %d {línea presupuestaria está|líneas presupuestarias están} solo en informes anteriores, con %s en total según su último informe, exactamente %s: %s.",
		LeftCited:        "sin incluir: %d {línea|líneas} de informes anteriores, %s", PerhapsLeftCited: "pueden faltar líneas de informes anteriores",
		AddedUp:          "Sumar todos los informes daría %s, exactamente %s: repiten el mismo dinero, y algunos tienen líneas que el último no tiene.",
		Instead:          "Tienen montos de %s:",
		OverSpent:        "Una tasa de más del 100 % significa que se gastó más de lo aprobado al principio; a menudo los presupuestos se amplían durante el año.",
		OverReceived:     "Una tasa de más del 100 % significa que se recibió más de lo previsto al principio.",
		RowsOverSpent:    "Donde una tasa pasa del 100 %, se gastó más de lo aprobado al principio; a menudo los presupuestos se amplían durante el año.",
		RowsOverReceived: "Donde una tasa pasa del 100 %, se recibió más de lo previsto al principio.",
		LowSpent:         "Una tasa de menos del 10 % suele significar que lo gastado se publicó solo en parte, o que el año no había terminado.",
		LowReceived:      "Una tasa de menos del 10 % suele significar que lo recibido se publicó solo en parte, o que el año no había terminado.",
		OfOne:            "Todos los montos de aquí son de: %s.",
		OfOneCited:       "todos los montos son de: %s",
		ZeroCited:        "probablemente no se conoce: todos los montos de %s se publicaron como 0",
		JumpMoved:        "En %s el monto es más de diez veces el del año anterior, o menos de la décima parte. En un presupuesto que se publica entero, un salto así suele significar que algo se trasladó, se dividió o cambió de nombre: mire lo que está al lado.",
		JumpUpCited:      "en %s más de diez veces el monto del año anterior: probablemente faltan filas del año anterior",
		JumpDownCited:    "en %s menos de la décima parte del monto del año anterior: probablemente faltan filas",
		Financing:        "De esto, %s son financiamiento, que no es ingreso ni gasto (%[3]s; exactamente %[2]s). Sin él: %[4]s, exactamente %[5]s.",
		WithoutFinancing: "Sin el financiamiento, %s",
		FinancingShort:   "incluye financiamiento",
		FinancingCited:   "incluye financiamiento por %s",
		Changed:          "Los montos modificados durante el año: «%s».",
	},
	cube.Croatian: {
		Excerpt:        "Ovdje je objavljeno samo %d {redak|retka|redaka}, a cijeli ih proračun obično ima stotine ili tisuće. Ovo je možda izvadak: provjerite zbroj prije nego što ga navedete.",
		ExcerptOfYears: "Ovdje je objavljeno samo oko %d {redak|retka|redaka} na godinu, a cijeli ih proračun obično ima stotine ili tisuće. Ovo je možda izvadak: provjerite zbroj prije nego što ga navedete.",
		ExcerptOf:      "Ovdje je objavljeno samo oko %d {redak|retka|redaka} na godinu, a proračun %s istog naslova ima ih oko %s. Ovo je možda izvadak: provjerite zbroj prije nego što ga navedete.",
		ExcerptShort:   "malo redaka: možda izvadak",
		PartShort:      "samo %s za %s",
		JumpUp:         "Za %s iznos je više od deset puta veći od iznosa godine prije. Takav skok obično znači da nedostaju redci godine prije.",
		JumpDown:       "Za %s iznos je manji od desetine iznosa godine prije. Takav skok obično znači da nedostaju redci.",
		NotKnown:       "vjerojatno nepoznato", UnknownChange: "Promjena se ne navodi jer su svi iznosi za %s objavljeni kao 0: vjerojatno nisu poznati.",
		Until: "Iznosi sežu %s.", OfReport: "Iznosi su iz izvještaja „%s“; datoteke ne kažu koje mjesece obuhvaća.",
		OnlyPart: "Samo %s za %s ima iznose.", OnlyParts: "Samo %s za %s imaju iznose.",
		RateOfPart:       "„%s“ je samo za %s za %s, a „%s“ obično za cijelu godinu: stopa među njima nije stopa za godinu.",
		Incomplete:       "Ovdje možda nedostaju iznosi: u cijelom proračunu %d {proračunska linija nalazi|proračunske linije nalaze|proračunskih linija nalazi} se u ranijem izvještaju, a ne u posljednjem za isto razdoblje, koji se jedini broji, s ukupno %s, točno %s.",
		LeftBehind:       "Ovdje možda nedostaju iznosi: %d {proračunska linija nalazi|proračunske linije nalaze|proračunskih linija nalazi} se u ranijim izvještajima, a ne u posljednjem za isto razdoblje, koji se jedini broji, s ukupno %s prema svojem posljednjem izvještaju, točno %s: %s.",
		LineLeft:         "%s za %s (%s)",
		LeftBehindBefore: "Možda nedostaju iznosi u godini s kojom se uspoređuje: %d {proračunska linija nalazi|proračunske linije nalaze|proračunskih linija nalazi} se samo u ranijim izvještajima, s ukupno %s prema svojem posljednjem izvještaju, točno %s: %s.",
		LeftCited:        "nije uključeno: %d {linija|linije|linija} iz ranijih izvještaja, %s", PerhapsLeftCited: "možda nedostaju linije iz ranijih izvještaja",
		AddedUp:          "Zbroj svih izvještaja bio bi %s, točno %s: ponavljaju isti novac, a neki imaju linije kojih u posljednjem nema.",
		Instead:          "Iznose za %s imaju:",
		OverSpent:        "Stopa iznad 100 % znači da je potrošeno više nego što je isprva odobreno; proračuni se tijekom godine često povećavaju.",
		OverReceived:     "Stopa iznad 100 % znači da je primljeno više nego što se isprva očekivalo.",
		RowsOverSpent:    "Gdje je stopa iznad 100 %, potrošeno je više nego što je isprva odobreno; proračuni se tijekom godine često povećavaju.",
		RowsOverReceived: "Gdje je stopa iznad 100 %, primljeno je više nego što se isprva očekivalo.",
		LowSpent:         "Stopa ispod 10 % često znači da je potrošeno objavljeno samo djelomično ili da godina tada još nije završila.",
		LowReceived:      "Stopa ispod 10 % često znači da je primljeno objavljeno samo djelomično ili da godina tada još nije završila.",
		OfOne:            "Svi iznosi ovdje odnose se na: %s.",
		OfOneCited:       "svi se iznosi odnose na: %s",
		ZeroCited:        "vjerojatno nepoznato: svi su iznosi za %s objavljeni kao 0",
		JumpMoved:        "Za %s iznos je više od deset puta veći od iznosa godine prije ili manji od njegove desetine. U proračunu koji je objavljen cijeli takav skok obično znači da je nešto premješteno, razdijeljeno ili preimenovano: pogledajte što je pokraj toga.",
		JumpUpCited:      "za %s više od deset puta veće nego godine prije: vjerojatno nedostaju redci godine prije",
		JumpDownCited:    "za %s manje od desetine iznosa godine prije: vjerojatno nedostaju redci",
		Financing:        "Od toga je %s financiranje, koje nije ni prihod ni rashod (%[3]s; točno %[2]s). Bez njega: %[4]s, točno %[5]s.",
		WithoutFinancing: "Bez financiranja: %s",
		FinancingShort:   "uključuje financiranje",
		FinancingCited:   "uključuje financiranje od %s",
		Changed:          "Iznosi kako su tijekom godine promijenjeni: „%s“.",
	},
}

// IsNamed tells whether a report is named by a word, as that of a month or of a revision: such a name does not say up to when its amounts go.
func IsNamed(report cube.Snapshot) bool { return isWord(report.Value) }

func isWord(v cube.Value) bool {
	first, _ := utf8.DecodeRuneInString(v.String())
	return unicode.IsLetter(first)
}
