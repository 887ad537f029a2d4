package describe

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
)

// A doubt is something in the files that can be read in two ways, or that looks like a slip, and of which no cell says what is right. The package loads, and
// each of its answers says so, until a person has looked and taken the note out of the overlay.

// doubtTexts are the sentences of doubts by language. The same arguments fill all.
var doubtTexts = map[string]cube.Titles{
	"no-year": {"en": "Some rows say no fiscal year (%s of %s), so the total of no year has them.",
		"es": "Algunas filas no dicen el ejercicio (%s de %s), así que no están en el total de ningún año.",
		"hr": "Neki redci ne navode fiskalnu godinu (%s od %s), pa ih nema u zbroju nijedne godine."},
	"three-digits": {"en": "In %s some amounts, such as %q, have three digits behind their mark and others do not: they may be thousands.",
		"es": "En %s algunos montos, como %q, tienen tres cifras después de su signo y otros no: pueden ser miles.",
		"hr": "U stupcu %s neki iznosi, kao %q, imaju tri znamenke iza znaka, a drugi nemaju: možda su tisuće."},
	"word": {"en": "In %s cells with %q were taken for no amount.",
		"es": "En %s las celdas con %q se tomaron como sin monto.",
		"hr": "U stupcu %s ćelije s %q uzete su kao da nemaju iznosa."},
	"credits": {"en": "In %s amounts with Cr were taken for less than nothing, as in ledgers of expenditure (%s).",
		"es": "En %s los montos con Cr se tomaron como negativos, como en los libros de gastos (%s).",
		"hr": "U stupcu %s iznosi s Cr uzeti su kao negativni, kao u knjigama rashoda (%s)."},
	"unknown": {"en": "No cell says what the amounts are: %s not known.",
		"es": "Ninguna celda dice qué son los montos: no se conoce %s.",
		"hr": "Nijedna ćelija ne kaže što su iznosi: nije poznato %s."},
	"statements": {"en": "Rows of each %s were taken for money of their own; if they state the same money again, sums have it several times.",
		"es": "Las filas de cada %s se tomaron como dinero propio; si informan el mismo dinero otra vez, las sumas lo tienen varias veces.",
		"hr": "Redci za svaki %s uzeti su kao zaseban novac; ako isti novac navode ponovno, zbrojevi ga imaju više puta."},
	"indented": {"en": "Names in %s are indented, so some rows may be the sums of those below them, which are counted too.",
		"es": "Los nombres de %s tienen sangría: algunas filas pueden ser la suma de las siguientes, que también se cuentan.",
		"hr": "Nazivi u stupcu %s su uvučeni, pa neki redci mogu biti zbrojevi onih ispod njih, koji se također broje."},
	"parts": {"en": "Rows of %s such as %q are parts of others, which are counted too.",
		"es": "Las filas de %s como %q son partes de otras, que también se cuentan.",
		"hr": "Redci stupca %s kao %q dijelovi su drugih, koji se također broje."},
	"years": {"en": "%s was taken for the fiscal year; %s holds years too.",
		"es": "%s se tomó como el ejercicio; %s también contiene años.",
		"hr": "%s je uzet kao fiskalna godina; %s također sadrži godine."},
	"years-differ": {"en": "The fiscal year of %s was taken from %s; its name or title says %s too.",
		"es": "El ejercicio de %s se tomó de %s; su nombre o título dice también %s.",
		"hr": "Fiskalna godina datoteke %s uzeta je iz %s; njezin naziv ili naslov navodi i %s."},
	"since": {"en": "The last %s of a year alone counts, since its amounts stay or grow; they grow too little to be sure that each has the year since its beginning.",
		"es": "Solo cuenta el último %s de un año, porque sus montos se mantienen o crecen; crecen muy poco para estar seguros de que cada uno tiene el año desde su inicio.",
		"hr": "Broji se samo posljednji %s u godini, jer iznosi ostaju ili rastu; rastu premalo da bi bilo sigurno da svaki ima godinu od početka."},
	"marks": {"en": "The marks before three digits in the amounts of %s were taken for those of thousands; no amount shows it.",
		"es": "Los signos antes de tres cifras en los montos de %s se tomaron como de miles; ningún monto lo muestra.",
		"hr": "Znakovi ispred tri znamenke u iznosima datoteke %s uzeti su kao oznake tisuća; nijedan iznos to ne pokazuje."},
	"sheets": {"en": "Of the workbook %s one sheet was read; it has others with rows: %s.",
		"es": "Del libro %s se leyó una hoja; tiene otras con filas: %s.",
		"hr": "Iz radne knjige %s pročitan je jedan list; ima i druge s redcima: %s."},
	"beside": {"en": "%s has amounts, and is left out: its name says no year, as those of the others do.",
		"es": "%s tiene montos y no se incluye: su nombre no dice el año, como los de las demás.",
		"hr": "%s ima iznose, a izostavljen je: njegov naziv ne navodi godinu, kao nazivi ostalih."},
	"directions": {"en": "Rows of %s such as %q and %q are revenue and expenditure, which are added.",
		"es": "Las filas de %s como %q y %q son ingresos y gastos, que se suman.",
		"hr": "Redci stupca %s kao %q i %q prihodi su i rashodi, koji se zbrajaju."},
	"swallowed": {"en": "A cell of %s at line %s has %s lines: a quote may not be closed, so that rows are missing.",
		"es": "Una celda de %s en la línea %s tiene %s líneas: puede faltar el cierre de una comilla, y con ello filas.",
		"hr": "Ćelija stupca %s u retku %s ima %s redaka: možda navodnik nije zatvoren, pa redci nedostaju."},
	"shifted": {"en": "Line %s has a number in %s, where others have words, and no amount: its cells may be shifted.",
		"es": "La línea %s tiene un número en %s, donde otras tienen palabras, y ningún monto: sus celdas pueden estar corridas.",
		"hr": "Redak %s ima broj u stupcu %s, gdje drugi imaju riječi, a nema iznosa: njegove su ćelije možda pomaknute."},
}

// unknownWords are what may not be known of amounts, by language.
var unknownWords = map[string]cube.Titles{"currency": {"en": "currency", "es": "la moneda", "hr": "valuta"}, "unit": {"en": "unit", "es": "la unidad", "hr": "jedinica"},
	"phase": {"en": "phase", "es": "la fase", "hr": "faza"}, "direction": {"en": "direction (expenditure or revenue)", "es": "la dirección (gasto o ingreso)", "hr": "smjer (rashod ili prihod)"}}

// notKnown says what nobody has answered of the amounts, if anything.
func (d *Description) notKnown() (cube.Titles, bool) {
	text := cube.Titles{}
	for language, template := range doubtTexts["unknown"] {
		var words []string
		for _, what := range []string{"currency", "unit", "phase", "direction"} {
			if len(d.amountsWithout(what)) > 0 {
				words = append(words, unknownWords[what][language])
			}
		}
		if len(words) == 0 {
			return nil, false
		}
		text[language] = fmt.Sprintf(template, strings.Join(words, ", "))
	}
	return text, true
}

// mostDoubts is how many doubts of one kind are said.
const mostDoubts = 5

// doubt notes a doubt.
func (d *Description) doubt(kind string, args ...any) {
	if d.doubted[kind]++; d.doubted[kind] > mostDoubts {
		return
	}
	text := cube.Titles{}
	for language, template := range doubtTexts[kind] {
		text[language] = fmt.Sprintf(template, args...)
	}
	d.doubts = append(d.doubts, text)
}

// Doubts lists what somebody should look at before the numbers are used, by language.
func (d *Description) Doubts() []cube.Titles { return d.doubts }

// findDoubts looks at the amounts, and at the rows.
func (d *Description) findDoubts(ctx context.Context) error {
	if y := d.roles.year.column; y != nil && y.missing > 0 {
		d.doubt("no-year", count(y.missing), count(d.profile.rows))
	}
	for i, f := range d.profile.forms {
		if i < len(d.forms.files) && d.forms.files[i].alike {
			d.doubt("marks", shown(f.path))
		}
		if len(f.others) > 0 {
			d.doubt("sheets", shown(f.path), listed(clipped(quotedAll(f.others)), "and"))
		}
	}
	for _, c := range d.profile.columns {
		if d.roles.of[c.at] == isLeft && d.roles.why[c.at] == saysNoYearBeside && has(c.words, moneyWords) != "" {
			d.doubt("beside", shown(c.name))
		}
		if d.roles.of[c.at] != isLevel && d.roles.of[c.at] != isLabel {
			continue
		}
		if revenue, expenditure := c.directions(); !d.roles.sayDirection() && revenue != "" && expenditure != "" {
			d.doubt("directions", shown(c.name), shown(revenue), shown(expenditure))
		}
		if c.isIndented() {
			d.doubt("indented", shown(c.name))
		}
		if i := slices.IndexFunc(c.values, func(v value) bool { return ofWhich.MatchString(v.text) }); i >= 0 {
			d.doubt("parts", shown(c.name), shown(strings.TrimSpace(c.values[i].text)))
		}
	}
	if y := d.roles.year.column; y != nil && y.hasPeriods() {
		d.doubt("statements", shown(y.name))
	}
	for _, c := range d.roles.amounts {
		if c.numbers.credits > 0 {
			d.doubt("credits", shown(c.name), count(c.numbers.credits))
		}
		for _, text := range c.marksOfNothing() {
			if !isNothing(text) && hasLetter(text) {
				d.doubt("word", shown(c.name), shown(text))
			}
		}
		for file, counts := range c.numbers.files {
			if file >= len(d.forms.files) || counts.cells == 0 {
				continue
			}
			form := d.forms.index(file, c)
			if threes := counts.threes[form]; threes > 0 && threes*5 < counts.marks {
				d.doubt("three-digits", shown(c.name), shown(counts.example))
			}
		}
	}
	return d.findShifted(ctx)
}

// hasPeriods tells whether a column of years has several numbered periods of one year, such as 2023003 and 2023006.
func (c *column) hasPeriods() bool {
	years, periods := map[string]bool{}, 0
	for _, v := range c.values {
		if text := strings.TrimSpace(v.text); len(text) == len("2023003") && isDigits(text) {
			years[text[:4]] = true
			periods++
		}
	}
	return len(years) < periods
}

// ofWhich begins the names of rows that are parts of the one above.
var ofWhich = regexp.MustCompile(`(?i)^\W*(of which|including|davon\b|darunter\b|dont\b|de los cuales|de las cuales|di cui|od toga\b|z toho\b|w tym\b|waarvan\b|heraf\b|в том числе|у тому числі)`)

// shortestDirection is how many letters a word for a direction has among the names of members, where e and r are initials, and financeWords mean
// other things there.
const shortestDirection = 4

var financeWords = set("source sources use uses recurso recursos")

// directions gives two cells that are revenue and expenditure, and say the same beside: Revenue and Expenditure, or each of the state; "" where none are.
func (c *column) directions() (revenue, expenditure string) {
	by := map[string]map[string]string{"revenue": {}, "expenditure": {}} // cells by what they say beside
	for _, v := range c.values {
		words := wordsOf(v.text)
		if v.rows == 0 || len([]rune(words[0])) < shortestDirection || financeWords[words[0]] {
			continue
		}
		if of := by[cmp.Or(cube.MeaningOf("direction", words[0]), directionOf(words[:1]))]; of != nil {
			of[strings.Join(words[1:], " ")] = strings.TrimSpace(v.text)
		}
	}
	for _, beside := range slices.Sorted(maps.Keys(by["revenue"])) {
		if spent := by["expenditure"][beside]; spent != "" {
			return by["revenue"][beside], spent
		}
	}
	return "", ""
}

// isIndented tells whether some cells begin with space and others do not.
func (c *column) isIndented() bool {
	cells, indented := 0, 0
	for _, v := range c.values {
		if strings.TrimSpace(v.text) != "" {
			cells++
			indented += int(boolRows(strings.HasPrefix(v.text, "  ") || strings.HasPrefix(v.text, "\t"), 1))
		}
	}
	return indented*5 >= cells && indented < cells && cells > 2
}

// fewestSwallowed is how many lines a cell has at least that may have swallowed rows.
const fewestSwallowed = 20

// findShifted finds cells that may have swallowed rows, and rows without any amount that have a number in a column of words.
func (d *Description) findShifted(ctx context.Context) error {
	p := d.profile
	for file := range p.forms {
		for row, err := range p.read(ctx, file, false) {
			if err != nil {
				return err
			}
			number, amounts := "", false
			for i, at := range p.index[file] {
				c, cell := p.columns[at], strings.TrimSpace(row.cells[i])
				if lines := strings.Count(cell, "\n") + 1; lines >= fewestSwallowed && !p.forms[file].workbook {
					d.doubt("swallowed", shown(c.name), count(row.line), count(int64(lines)))
				}
				switch {
				case cell == "":
				case d.roles.of[at] == isAmount:
					amounts = true
				case c.letters*5 >= c.cells*4 && c.cells > 20 && isNumber(cell) && !isYearText(cell):
					number = c.name
				}
			}
			if number != "" && !amounts {
				d.doubt("shifted", count(row.line), shown(number))
			}
		}
	}
	return nil
}
