package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/words"
	"fiscube/internal/each"
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
	LeftCited               string // likewise in a citation: how many lines, and what they state
	PerhapsLeftCited        string // likewise, if they are too many to list
	LineLeft                string // a line, the period that it is of and the reports that have it
	Instead                 string // the years of which other measures have amounts
	OverSpent, OverReceived string // a rate above 100 %
	LowSpent, LowReceived   string // rates below 10 %
	OfOne                   string // the members that all rows are of
	OfOneCited              string // likewise in a citation
	ZeroCited               string // the years whose amounts are all 0, in a citation
	JumpUpCited             string // the years with a jump, in a citation
	JumpDownCited           string // likewise
	Financing               string // how much of a sum is financing, in words and exactly, what that is called, and the sum without it in words and exactly
	WithoutFinancing        string // a sentence that holds without it
	FinancingShort          string // beside a sum on a card
	FinancingCited          string // that sum includes it, in a citation
	Notes                   string // how many are folded
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
		RateOfPart: "“%s” is of %s of %s alone, and “%s” usually of the whole year: the rate between them is not that of the year.",
		Incomplete: "Amounts may be missing here: in the whole budget, %d {budget line is|budget lines are} in an earlier report and not in the last of the same period, which alone is counted, with %s in all, exactly %s.",
		LeftBehind: "Amounts may be missing here: %d {budget line is|budget lines are} in earlier reports and not in the last of the same period, which alone is counted, last reported with %s in all, exactly %s: %s.",
		LineLeft:   "%s in %s (%s)",
		LeftCited:  "not included: %d {line|lines} of earlier reports, %s", PerhapsLeftCited: "lines of earlier reports may be missing",
		Instead:          "These have amounts of %s:",
		OverSpent:        "A rate above 100% means that more was spent than was approved at first; budgets are often raised during the year.",
		OverReceived:     "A rate above 100% means that more was received than was expected at first.",
		LowSpent:         "A rate below 10% often means that what was spent is published in part alone, or that the year had not ended.",
		LowReceived:      "A rate below 10% often means that what was received is published in part alone, or that the year had not ended.",
		OfOne:            "All amounts here are of: %s.",
		OfOneCited:       "all amounts are of: %s",
		ZeroCited:        "probably not known: all amounts of %s are published as 0",
		JumpUpCited:      "in %s more than ten times the year before: rows of the year before are probably missing",
		JumpDownCited:    "in %s less than a tenth of the year before: rows are probably missing",
		Financing:        "Of this, %s is financing, which is neither revenue nor expenditure (%[3]s; exactly %[2]s). Without it: %[4]s, exactly %[5]s.",
		WithoutFinancing: "Without financing, %s",
		FinancingShort:   "includes financing",
		FinancingCited:   "includes financing of %s",
		Notes:            "%d {note|notes}",
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
		RateOfPart: "«%s» es solo de %s de %s, y «%s» suele ser de todo el año: la tasa entre ambos no es la del año.",
		Incomplete: "Aquí pueden faltar montos: en todo el presupuesto, %d {línea presupuestaria está|líneas presupuestarias están} en un informe anterior y no en el último del mismo período, el único que se cuenta, por un total de %s, exactamente %s.",
		LeftBehind: "Aquí pueden faltar montos: %d {línea presupuestaria está|líneas presupuestarias están} en informes anteriores y no en el último del mismo período, el único que se cuenta, con %s en total según su último informe, exactamente %s: %s.",
		LineLeft:   "%s en %s (%s)",
		LeftCited:  "sin incluir: %d {línea|líneas} de informes anteriores, %s", PerhapsLeftCited: "pueden faltar líneas de informes anteriores",
		Instead:          "Tienen montos de %s:",
		OverSpent:        "Una tasa de más del 100 % significa que se gastó más de lo aprobado al principio; a menudo los presupuestos se amplían durante el año.",
		OverReceived:     "Una tasa de más del 100 % significa que se recibió más de lo previsto al principio.",
		LowSpent:         "Una tasa de menos del 10 % suele significar que lo gastado se publicó solo en parte, o que el año no había terminado.",
		LowReceived:      "Una tasa de menos del 10 % suele significar que lo recibido se publicó solo en parte, o que el año no había terminado.",
		OfOne:            "Todos los montos de aquí son de: %s.",
		OfOneCited:       "todos los montos son de: %s",
		ZeroCited:        "probablemente no se conoce: todos los montos de %s se publicaron como 0",
		JumpUpCited:      "en %s más de diez veces el monto del año anterior: probablemente faltan filas del año anterior",
		JumpDownCited:    "en %s menos de la décima parte del monto del año anterior: probablemente faltan filas",
		Financing:        "De esto, %s son financiamiento, que no es ingreso ni gasto (%[3]s; exactamente %[2]s). Sin él: %[4]s, exactamente %[5]s.",
		WithoutFinancing: "Sin el financiamiento, %s",
		FinancingShort:   "incluye financiamiento",
		FinancingCited:   "incluye financiamiento por %s",
		Notes:            "%d {nota|notas}",
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
		RateOfPart: "„%s“ je samo za %s za %s, a „%s“ obično za cijelu godinu: stopa među njima nije stopa za godinu.",
		Incomplete: "Ovdje možda nedostaju iznosi: u cijelom proračunu %d {proračunska linija nalazi|proračunske linije nalaze|proračunskih linija nalazi} se u ranijem izvještaju, a ne u posljednjem za isto razdoblje, koji se jedini broji, s ukupno %s, točno %s.",
		LeftBehind: "Ovdje možda nedostaju iznosi: %d {proračunska linija nalazi|proračunske linije nalaze|proračunskih linija nalazi} se u ranijim izvještajima, a ne u posljednjem za isto razdoblje, koji se jedini broji, s ukupno %s prema svojem posljednjem izvještaju, točno %s: %s.",
		LineLeft:   "%s za %s (%s)",
		LeftCited:  "nije uključeno: %d {linija|linije|linija} iz ranijih izvještaja, %s", PerhapsLeftCited: "možda nedostaju linije iz ranijih izvještaja",
		Instead:          "Iznose za %s imaju:",
		OverSpent:        "Stopa iznad 100 % znači da je potrošeno više nego što je isprva odobreno; proračuni se tijekom godine često povećavaju.",
		OverReceived:     "Stopa iznad 100 % znači da je primljeno više nego što se isprva očekivalo.",
		LowSpent:         "Stopa ispod 10 % često znači da je potrošeno objavljeno samo djelomično ili da godina tada još nije završila.",
		LowReceived:      "Stopa ispod 10 % često znači da je primljeno objavljeno samo djelomično ili da godina tada još nije završila.",
		OfOne:            "Svi iznosi ovdje odnose se na: %s.",
		OfOneCited:       "svi se iznosi odnose na: %s",
		ZeroCited:        "vjerojatno nepoznato: svi su iznosi za %s objavljeni kao 0",
		JumpUpCited:      "za %s više od deset puta veće nego godine prije: vjerojatno nedostaju redci godine prije",
		JumpDownCited:    "za %s manje od desetine iznosa godine prije: vjerojatno nedostaju redci",
		Financing:        "Od toga je %s financiranje, koje nije ni prihod ni rashod (%[3]s; točno %[2]s). Bez njega: %[4]s, točno %[5]s.",
		WithoutFinancing: "Bez financiranja: %s",
		FinancingShort:   "uključuje financiranje",
		FinancingCited:   "uključuje financiranje od %s",
		Notes:            "%d {napomena|napomene|napomena}",
		Changed:          "Iznosi kako su tijekom godine promijenjeni: „%s“.",
	},
}

// IsNamed tells whether a report is named by a word, as that of a month or of a revision: such a name does not say up to when its amounts go.
func IsNamed(report cube.Snapshot) bool { return isWord(report.Value) }

func isWord(v cube.Value) bool {
	first, _ := utf8.DecodeRuneInString(v.String())
	return unicode.IsLetter(first)
}

// doubt writes what makes a number doubtful. Its numbers are marked as the reader's region has them.
func (w *warner) doubt(c caveat.Caveat) string {
	said, l := Doubts(w.language), w.locale
	switch p := c.Params.(type) {
	case caveat.Excerpt:
		switch {
		case p.Of != nil:
			return l.Fill(said.ExcerptOf, p.Rows, p.Of.Name, l.Whole(p.Of.Rows))
		case p.Several:
			return l.Fill(said.ExcerptOfYears, p.Rows)
		}
		return l.Fill(said.Excerpt, p.Rows)
	case caveat.OnlyMembers:
		return l.Fill(said.OfOne, w.members(p, "; "))
	case cube.YearJumps:
		var told []string
		if len(p.Up) > 0 {
			told = append(told, l.Fill(said.JumpUp, l.Years(p.Up)))
		}
		if len(p.Down) > 0 {
			told = append(told, l.Fill(said.JumpDown, l.Years(p.Down)))
		}
		return strings.Join(told, " ")
	case caveat.Until:
		if !IsNamed(p.Last) {
			return l.Fill(said.Until, l.Say("view.up-to-then", "Report", w.name(p.By)+" "+p.Last.Value.String()))
		}
		return l.Fill(said.OfReport, p.Last.Value.String())
	case cube.PartOfYears:
		if len(p.Numbers) > 1 {
			return l.Fill(said.OnlyParts, w.part(p), l.Years(p.Years))
		}
		return l.Fill(said.OnlyPart, w.part(p), l.Years(p.Years))
	case caveat.Rate:
		return w.rate(c.Code, p)
	case caveat.Years:
		return l.Fill(said.UnknownChange, l.Years(p))
	case caveat.LinesLeft:
		return w.linesLeft(p)
	}
	panic("no text for the caveat " + c.Code)
}

// members names members with their levels.
func (w *warner) members(list caveat.OnlyMembers, between string) string {
	return strings.Join(each.Text(list, func(m cube.OnlyMember) string { return w.name(m.Level) + " " + m.Label }), between)
}

// part names the periods of a part of a year.
func (w *warner) part(p cube.PartOfYears) string {
	return w.name(p.Level.Ref) + " " + words.Periods(p.Numbers)
}

// rate says what an odd rate means.
func (w *warner) rate(code string, p caveat.Rate) string {
	said, l := Doubts(w.language), w.locale
	measure := func(ref string) string {
		m, _ := w.Cube().Model.Measure(ref)
		return MeasureTitle(m, w.language)
	}
	of := func(expenditure, revenue string) string {
		if p.IsOfRevenue {
			return revenue
		}
		return expenditure
	}
	switch code {
	case cube.WarnRateOfPart:
		return l.Fill(said.RateOfPart, measure(p.Executed), w.part(*p.Part), l.Years(p.Part.Years), measure(p.Approved))
	case cube.WarnRateBelow:
		return of(said.LowSpent, said.LowReceived)
	}
	text := of(said.OverSpent, said.OverReceived)
	if p.Changed != "" {
		text += " " + l.Fill(said.Changed, measure(p.Changed))
	}
	return text
}

// mostLinesNamed is how many lines that are left behind a sentence names.
const mostLinesNamed = 3

// linesLeft says how many lines are left behind and what they state in all, and names those with the greatest amounts, if they are listed.
func (w *warner) linesLeft(p caveat.LinesLeft) string {
	said, l, main := Doubts(w.language), w.locale, w.Aggregates()[0]
	if !p.Sum.Valid {
		return said.PerhapsLeftCited
	}
	currency := ""
	if measure, _ := w.Cube().Model.Measure(main.Measure); measure.Unit <= 1 {
		currency = measure.Currency
	}
	inWords, exact := l.InWords(p.Sum.Decimal, currency), l.Decimal(p.Sum.Decimal, p.Scale)
	if p.Lines == nil {
		return l.Fill(said.Incomplete, p.Count, inWords, exact)
	}
	texts := each.Text(p.Lines[:min(len(p.Lines), mostLinesNamed)], func(line caveat.LeftBehind) string {
		text := w.lineLeft(line)
		if len(p.Lines) > 1 {
			text += ": " + l.Decimal(line.Amount, p.Scale)
		}
		return text
	})
	if more := len(p.Lines) - len(texts); more > 0 {
		texts = append(texts, l.Say("report.more-found", "Count", more))
	}
	return l.Fill(said.LeftBehind, p.Count, inWords, exact, strings.Join(texts, "; "))
}

// lineLeft names a line by its member, its period and the reports that have it.
func (w *warner) lineLeft(line caveat.LeftBehind) string {
	name := line.Member.String()
	if !line.Label.IsMissing() && line.Label != line.Member {
		name = line.Label.String() + " (" + name + ")"
	}
	history := w.Cube().Model.History()
	var period []string
	for i, key := range line.Period {
		if year, ok := key.Int(); ok && history.Columns[i].FiscalYear {
			period = append(period, w.locale.Years([]int64{year}))
			continue
		}
		period = append(period, w.name(history.Columns[i].Name)+" "+key.String())
	}
	reports := w.name(history.By().Name) + " " + line.First.String()
	if line.Last != line.First {
		reports += "–" + line.Last.String()
	}
	return w.locale.Fill(Doubts(w.language).LineLeft, name, strings.Join(period, ", "), reports)
}

// doubts are what a citation has room to say of the caveats: years that are not known, that all is of some members, years that jump, lines
// that are not counted and, of a sum that no member is chosen of, the notes of the package.
func (c Citation) doubts() (list []string) {
	said, l, w := Doubts(c.locale.Language), c.locale, peopleOf(c.asked, c.locale)
	var zeros []int64
	add := func(code string, write func(params any)) {
		for _, found := range c.caveats {
			if found.Code == code {
				write(found.Params)
			}
		}
	}
	first := c.asked.Aggregates()[0].Measures()
	add(cube.WarnMeasureZero, func(p any) {
		if gap, ok := p.(cube.YearGap); ok && slices.Contains(first, gap.Column) {
			zeros = append(zeros, gap.Years...)
		}
	})
	if slices.Sort(zeros); len(zeros) > 0 {
		list = append(list, l.Fill(said.ZeroCited, l.Years(slices.Compact(zeros))))
	}
	add(cube.WarnOneMember, func(p any) { list = append(list, l.Fill(said.OfOneCited, w.members(p.(caveat.OnlyMembers), ", "))) })
	add(cube.WarnJump, func(p any) {
		jumps := p.(cube.YearJumps)
		if len(jumps.Up) > 0 {
			list = append(list, l.Fill(said.JumpUpCited, l.Years(jumps.Up)))
		}
		if len(jumps.Down) > 0 {
			list = append(list, l.Fill(said.JumpDownCited, l.Years(jumps.Down)))
		}
	})
	add(cube.WarnLinesLeft, func(p any) {
		if left := p.(caveat.LinesLeft); left.Lines != nil {
			list = append(list, l.Fill(said.LeftCited, len(left.Lines), l.Decimal(left.Sum.Decimal, left.Scale)))
		} else {
			list = append(list, said.PerhapsLeftCited)
		}
	})
	if !caveat.ChoosesMembers(c.asked) {
		add(cube.WarnNote, func(p any) { list = append(list, strings.TrimSuffix(p.(cube.Titles).In(l.Language), ".")) })
	}
	return list
}
