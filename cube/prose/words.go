package prose

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// in gives the texts in a language, or those in English if there are none in it.
func in[T any](texts map[cube.Language]T, l cube.Language) T {
	if text, ok := texts[l]; ok {
		return text
	}
	return texts[cube.English]
}

// warningWords are the templates of warnings in one language.
type warningWords struct {
	each, some, and      string // of which periods a snapshot is
	all, own, last       string // which snapshots are counted
	flows                string // measures that add up over snapshots
	factFlows            string // the same of facts, which are of the last one
	counts               string // what the column of facts says that tells which amounts count each
	compared, upTo       string // which snapshots the other side of a comparison counts, and what adds up those up to them
	undeclared           string
	totals               string // rows that look like totals, and are counted
	totalsLeftOut        string // totals that are not counted
	overlap, leftOut     string // rows that several resources have
	early                string
	levelAbsent          string
	measureAbsent        string
	measureZero          string
	seriesAbsent         string // the series, and the years without a value
	together             string // a field of time, the years that cells put together, and the field of the year
	noMember, meant      string // a member that does not exist, and what was meant
	otherYears           string // the same, and the years in which rows have its label
	noneOfOne, noneOfAll string // no row passes one cut, or all cuts
	uncounted            string // rows in snapshots that are not counted
	year, to             string // a year, and a range of years
	more, missing        string
	inexact              string                // more cells than are sorted exactly
	lists                func([]string) string // of years in sentences to people; nil has commas alone
	qualifier            string                // a level, the qualifier that it looks like, and its members
	qualifiers           map[string]string
	financing            string // a level, the members of it that are financing, and the cut that leaves them out
}

var warningTexts = map[cube.Language]warningWords{
	cube.English: {
		each: " of each %s", some: " of some %s", and: " and ",
		all:       "%s: all statements%s are added up, so the same money is counted up to %d times",
		own:       "%s: each cell is a statement of its own; the summary counts the last%s (%s)%s",
		last:      "%s: the last statement%s is counted (%s)%s",
		flows:     "; all are added up in %s",
		factFlows: "; in answers %s adds up all statements: snapshots=all shows the rows of all, and in _counts which amounts count each",
		counts:    "; _counts says which amounts count a row in answers without snapshots=all",
		compared:  "the other side of the comparison counts the same statement (%s)%s",
		upTo:      ", and adds up those up to it in %s",
		undeclared: "%s seems to tell several statements of the same money apart, and nobody has declared that it does: " +
			"amounts may be counted several times; cut or drill it",
		totals: "rows that look like totals are counted (lines of %s): check whether amounts are counted twice",
		totalsLeftOut: "rows are not counted, since they are the totals of other rows (lines of %s); if they are amounts of their own, an " +
			"overlay can switch totals-row off",
		overlap:       "the rows of %s are counted more than once: %s have the same rows",
		leftOut:       "not counted, since other files have its rows: %s",
		early:         "%s: the last statement%s is earlier than %s (%s)",
		levelAbsent:   "%s is empty in %s: its cells of these years are all missing",
		measureAbsent: "%s has no amounts in %s",
		measureZero:   "%s: all amounts of %s are published as 0, so they are probably not known",
		seriesAbsent:  "%s: no value for %s; amounts of these years are null in real terms and per head, and so are sums with them",
		together:      "%s: cells put several years together (%s); drill %[3]s too, or cut one year",
		noMember:      "%s: there is no member %s", meant: "%s (did you mean %s?)",
		otherYears: "%s (a name in %s, not in the years asked for)",
		noneOfOne:  "no row of the package has %s",
		noneOfAll:  "no row has all that the cuts ask for, though each of them matches some",
		uncounted: "rows with all that the cuts ask for: %d, none of them in the statement that is counted (%s); cut %s, or " +
			"ask with snapshots=all, to see them",
		year: "%d", to: "%d to %d", more: "and %d more", missing: "(missing)",
		qualifier:  "%s looks like the %s of amounts (%s), and nobody says that it is: sums may add up what must not be added; choose one of them, or drill down by it",
		qualifiers: map[string]string{"phase": "phase", "direction": "direction", "currency": "currency", "kind": "kind"},
		financing:  "sums include financing, which is neither revenue nor expenditure (%s: %s); cut=%s leaves it out",
		inexact:    "of more than %d cells, those whose quotients or products with a factor are equal in their first 15 digits may be out of order",
	},
	cube.Spanish: {
		each: " de cada %s", some: " de algún %s", and: " y ",
		all:       "%s: se suman todas las declaraciones%s, de modo que el mismo dinero se cuenta hasta %d veces",
		own:       "%s: cada celda es una declaración distinta; el resumen cuenta la última%s (%s)%s",
		last:      "%s: se cuenta la última declaración%s (%s)%s",
		flows:     "; se suman todas en %s",
		factFlows: "; en las respuestas %s suma todas las declaraciones: snapshots=all muestra las filas de todas y, en _counts, qué montos cuentan cada una",
		counts:    "; _counts dice qué montos cuentan una fila en las respuestas sin snapshots=all",
		compared:  "el otro lado de la comparación cuenta la misma declaración (%s)%s",
		upTo:      " y suma las declaraciones hasta ella en %s",
		undeclared: "%s parece distinguir varias declaraciones del mismo dinero, y nadie lo ha declarado: los montos pueden " +
			"estar contados varias veces; filtre por él o desglóselo",
		totals: "se cuentan filas que parecen totales (líneas de %s): compruebe si hay montos contados dos veces",
		totalsLeftOut: "hay filas que no se cuentan, porque son totales de otras filas (líneas de %s); si son montos propios, un overlay " +
			"puede desactivar totals-row",
		overlap:       "las filas de %s se cuentan más de una vez: %s tienen las mismas filas",
		leftOut:       "no se cuenta, porque otros archivos tienen sus filas: %s",
		early:         "%s: la última declaración%s es anterior a %s (%s)",
		levelAbsent:   "%s está vacío en %s: todas sus celdas de entonces están sin informar",
		measureAbsent: "%s no tiene montos en %s",
		measureZero:   "%s: todos los montos de %s se publicaron como 0, así que probablemente no se conocen",
		seriesAbsent:  "%s: sin valor para %s; los montos de entonces son nulos en términos reales y por habitante, y también las sumas con ellos",
		together:      "%s: hay celdas que juntan varios años (%s); desglose también %[3]s o filtre un solo año",
		noMember:      "%s: no existe el miembro %s", meant: "%s (¿quiso decir %s?)",
		otherYears: "%s (un nombre en %s, no en los años pedidos)",
		noneOfOne:  "ninguna fila del paquete tiene %s",
		noneOfAll:  "ninguna fila tiene todo lo que piden los filtros, aunque cada uno coincide con alguna",
		uncounted: "filas con todo lo que piden los filtros: %d, ninguna en la declaración que se cuenta (%s); filtre por %s, o " +
			"pregunte con snapshots=all, para verlas",
		year: "%d", to: "%d a %d", more: "y %d más", missing: "(sin informar)",
		qualifier:  "%s parece indicar %s de los montos (%s), y nadie lo declara: las sumas pueden sumar lo que no se debe sumar; elija uno o desglose por él",
		qualifiers: map[string]string{"phase": "la fase", "direction": "si son ingresos o gastos", "currency": "la moneda", "kind": "el tipo"},
		financing:  "las sumas incluyen financiamiento, que no es ingreso ni gasto (%s: %s); cut=%s lo deja fuera",
		inexact: "en respuestas de más de %d celdas, aquellas cuyos cocientes o productos con un factor coinciden en sus primeros 15 dígitos pueden " +
			"aparecer desordenadas",
	},
	cube.Croatian: {
		each: " za svako razdoblje u polju %s", some: " za neko razdoblje u polju %s", and: " i ",
		all:       "%s: zbrajaju se svi izvještaji%s, pa se isti novac broji i do %d puta",
		own:       "%s: svaka je ćelija zaseban izvještaj; zbirni iznos uzima posljednji%s (%s)%s",
		last:      "%s: uzima se posljednji izvještaj%s (%s)%s",
		flows:     "; svi se zbrajaju za %s",
		factFlows: "; u odgovorima se za %s zbrajaju svi izvještaji: snapshots=all prikazuje retke iz svih, a u stupcu _counts piše u koje iznose ulazi koji redak",
		counts:    "; u stupcu _counts piše u koje iznose ulazi koji redak kad se pita bez snapshots=all",
		compared:  "druga strana usporedbe uzima isti izvještaj (%s)%s",
		upTo:      ", a za %s zbraja sve do njega",
		undeclared: "čini se da %s razlikuje više izvještaja o istom novcu, a to nitko nije naveo: iznosi su možda pribrojeni više puta; " +
			"filtrirajte po tom polju ili raščlanite po njemu",
		totals: "pribrojeni su redci koji izgledaju kao zbrojevi (datoteka i broj retka: %s): provjerite jesu li neki iznosi pribrojeni dvaput",
		totalsLeftOut: "neki redci nisu pribrojeni jer su zbrojevi drugih redaka (datoteka i broj retka: %s); ako su to zasebni iznosi, " +
			"totals-row se može isključiti u overlayu",
		overlap:       "redci za %s pribrojeni su više puta: iste retke imaju %s",
		leftOut:       "nije pribrojeno jer te retke imaju druge datoteke: %s",
		early:         "%s: posljednji izvještaj%s raniji je od %s (%s)",
		levelAbsent:   "%s nema podataka za %s; sve ćelije za te godine ostaju prazne",
		measureAbsent: "%s nema iznosa za %s",
		measureZero:   "%s: svi su iznosi za %s objavljeni kao 0, pa vjerojatno nisu poznati",
		seriesAbsent:  "%s: nema vrijednosti za %s; iznosi za te godine realno i po stanovniku nemaju vrijednost, kao ni zbrojevi s njima",
		together:      "%s: neke ćelije obuhvaćaju više godina (%s); raščlanite i po polju %[3]s ili filtrirajte jednu godinu",
		noMember:      "%s: nema člana %s", meant: "%s (jeste li mislili na %s?)",
		otherYears: "%s (naziv u upotrebi %s, a ne u traženim godinama)",
		noneOfOne:  "nijedan redak paketa nema %s",
		noneOfAll:  "nijedan redak ne odgovara svim filtrima, iako svakom pojedinom odgovara barem jedan",
		uncounted: "redaka koji odgovaraju svim filtrima: %d, ali nijedan u izvještaju koji se uzima (%s); da biste ih vidjeli, filtrirajte po " +
			"polju %s ili pitajte sa snapshots=all",
		year: "%d.", to: "%d. – %d.", more: "još %d", missing: "(bez podatka)",
		qualifier:  "%s izgleda kao %s iznosa (%s), a nitko to ne navodi: zbrojevi mogu zbrajati što se ne smije; odaberite jedno ili raščlanite po tome",
		qualifiers: map[string]string{"phase": "faza", "direction": "smjer", "currency": "valuta", "kind": "vrsta"},
		financing:  "zbrojevi uključuju financiranje, koje nije ni prihod ni rashod (%s: %s); cut=%s ga izostavlja",
		inexact: "kad je ćelija više od %d, one čiji se količnici ili umnošci s faktorom podudaraju u prvih 15 znamenaka možda nisu " +
			"u pravom redoslijedu",
	},
}

// tellingWords are the templates of warnings to people who see pages, who know no parameters of questions, and of snapshots as
// reports. They take what those of warningWords take.
type tellingWords struct {
	all, own, last, flows, compared, upTo                 string
	undeclared, totals, totalsLeftOut, overlap, leftOut   string
	early, levelAbsent, seriesAbsent, together            string
	noMember, otherYears, noneOfOne, noneOfAll, uncounted string
	inexact, financing, qualifier                         string
	mixed, choose                                         string // as mixedWords.null, and which years have all amounts
	same                                                  string // as sameWords.level
	sums, names, changed, notCompare                      string // as in breakWords
}

var tellingTexts = map[cube.Language]tellingWords{
	cube.English: {
		all:      "%s: all reports%s are added up, so the same money is counted up to %d times",
		own:      "%s: each amount is that of one report and repeats money of the others, so the total is that of the last report%s (%s), not their sum%s",
		last:     "%s: each report repeats the money of those before it, so only the last report%s is counted (%s)%s",
		flows:    "; of %s each report has new money, so all reports are added up",
		compared: "the amounts to compare with are those of the same report (%s)%s", upTo: ", of %s those of all reports up to it",
		undeclared: "The same money may be counted several times here: the values of “%s” look like reports that repeat the money of earlier " +
			"ones, and it is not known whether they do. Choose one of them, or break down by it",
		totals:        "Some lines look like totals of other lines and are counted with them, so amounts may be counted twice; check them (lines of %s)",
		totalsLeftOut: "Some lines are the totals of other lines, so they are not counted (lines of %s)",
		overlap:       "The lines of %s are counted more than once, because several files have them: %s",
		leftOut:       "Some files are not counted, because other files have the same lines: %s",
		early:         "Some amounts cover a shorter time than others, because their last report is earlier than %[1]s %[3]s (%[4]s)",
		levelAbsent:   "%s: not given for %s; the amounts of that time stand under “(not given)”",
		seriesAbsent: "%s: there is no value for %s, so the amounts of that time cannot be given in prices of another year or per head, and sums " +
			"with them cannot either",
		together: "%s: these amounts put several years together (%s); choose one of “%[3]s”, or break down by it too",
		noMember: "%s: there is nothing with the name or code %s", otherYears: "%s (called so in %s, not in the years chosen)",
		noneOfOne: "No line of this budget has %s",
		noneOfAll: "No line matches all filters, though each of them matches some",
		uncounted: "Lines that match all filters: %d, none of them in the last report, which is counted (%s); filter by %s to see them",
		qualifier: "“%s” looks like the %s of the amounts (%s), so sums may add up what must not be added. Choose one of them, or break down by it",
		financing: "The sums include financing, which is neither revenue nor expenditure (%[1]s %[2]s)",
		inexact:   "With more than %d rows, those with almost the same ratio may be out of order",
		mixed:     "%s: cannot be given for several years together, because some of the amounts that it needs are missing (%s); %s",
		choose:    "choose a year among these: %s",
		same:      "The codes of “%s” changed, so the same things are compared under their new and their old codes: %s",
		sums:      "%s: the sums add up different things under one code",
		names:     "%s: the amounts of earlier years stand under the later name", changed: "%s: the latest name is shown",
		notCompare: "%s: different things are not compared",
	},
	cube.Spanish: {
		all:      "%s: se suman todos los informes%s, de modo que el mismo dinero se cuenta hasta %d veces",
		own:      "%s: cada monto es el de un informe y repite dinero de los otros, así que el total es el del último informe%s (%s) y no la suma%s",
		last:     "%s: cada informe repite el dinero de los anteriores, así que solo se cuenta el último informe%s (%s)%s",
		flows:    "; en %s cada informe trae dinero nuevo, así que se suman todos los informes",
		compared: "los montos con los que se compara son los del mismo informe (%s)%s", upTo: ", en %s los de todos los informes hasta ese",
		undeclared: "Puede que aquí el mismo dinero se cuente varias veces: los valores de «%s» parecen informes que repiten el dinero de los " +
			"anteriores, y no se sabe si lo hacen. Elija uno de ellos o desglose por él",
		totals:        "Algunas líneas parecen totales de otras y se cuentan junto con ellas, así que puede haber montos contados dos veces; compruébelas (líneas de %s)",
		totalsLeftOut: "Algunas líneas son totales de otras, así que no se cuentan (líneas de %s)",
		overlap:       "Las líneas de %s se cuentan más de una vez, porque las tienen varios archivos: %s",
		leftOut:       "Algunos archivos no se cuentan, porque otros tienen las mismas líneas: %s",
		early:         "Algunos montos abarcan menos tiempo que otros, porque su último informe es anterior a %[1]s %[3]s (%[4]s)",
		levelAbsent:   "%s: sin dato para %s; los montos de entonces figuran bajo «(sin dato)»",
		seriesAbsent: "%s: no hay valor para %s, así que los montos de entonces no pueden darse en precios de otro año ni por habitante, y tampoco " +
			"las sumas con ellos",
		together: "%s: estas cifras juntan varios años (%s); elija uno en «%[3]s» o desglose también por él",
		noMember: "%s: no hay nada con el nombre o código %s", otherYears: "%s (así se llamaba en %s, no en los años elegidos)",
		noneOfOne: "Ninguna línea de este presupuesto tiene %s",
		noneOfAll: "Ninguna línea cumple todos los filtros, aunque cada uno coincide con alguna",
		uncounted: "Líneas que cumplen todos los filtros: %d, ninguna en el último informe, que es el que se cuenta (%s); filtre por %s para verlas",
		qualifier: "«%s» parece indicar %s de los montos (%s), así que puede sumarse lo que no se debe sumar. Elija uno o desglose por él",
		financing: "Las sumas incluyen financiamiento, que no es ingreso ni gasto (%[1]s %[2]s)",
		inexact:   "Con más de %d filas, las que tienen casi la misma razón pueden aparecer desordenadas",
		mixed:     "%s: no puede darse para varios años juntos, porque faltan algunos de los montos que necesita (%s); %s",
		choose:    "elija un año entre estos: %s",
		same:      "Los códigos de «%s» cambiaron, así que las mismas cosas se comparan con su código nuevo y el anterior: %s",
		sums:      "%s: las sumas juntan cosas distintas bajo un mismo código",
		names:     "%s: los montos de años anteriores figuran con el nombre posterior", changed: "%s: se muestra el último nombre",
		notCompare: "%s: no se comparan cosas distintas",
	},
	cube.Croatian: {
		all:      "%s: zbrajaju se svi izvještaji%s, pa se isti novac broji i do %d puta",
		own:      "%s: svaki je iznos iz jednog izvještaja i ponavlja novac iz drugih, pa je ukupan iznos onaj iz posljednjeg izvještaja%s (%s), a ne njihov zbroj%s",
		last:     "%s: svaki izvještaj ponavlja novac iz ranijih, pa se uzima samo posljednji izvještaj%s (%s)%s",
		flows:    "; za %s svaki izvještaj donosi nov novac, pa se zbrajaju svi izvještaji",
		compared: "iznosi s kojima se uspoređuje iz istog su izvještaja (%s)%s", upTo: ", a za %s iz svih izvještaja do njega",
		undeclared: "Isti je novac ovdje možda pribrojen više puta: vrijednosti za „%s“ izgledaju kao izvještaji koji ponavljaju novac iz ranijih, " +
			"a ne zna se je li tako. Odaberite jednu od njih ili raščlanite po njima",
		totals:        "Neki redci izgledaju kao zbrojevi drugih, a pribrojeni su s njima, pa su neki iznosi možda pribrojeni dvaput; provjerite ih (datoteka i broj retka: %s)",
		totalsLeftOut: "Neki su redci zbrojevi drugih, pa nisu pribrojeni (datoteka i broj retka: %s)",
		overlap:       "Redci za %s pribrojeni su više puta jer ih ima više datoteka: %s",
		leftOut:       "Neke datoteke nisu pribrojene jer druge imaju iste retke: %s",
		early:         "Neki iznosi obuhvaćaju kraće vrijeme od drugih jer je njihov posljednji izvještaj raniji od: %[1]s %[3]s (%[4]s)",
		levelAbsent:   "%s: nije navedeno za %s; iznosi iz tog vremena stoje pod „(nije navedeno)“",
		seriesAbsent: "%s: nema vrijednosti za %s, pa se iznosi iz tog vremena ne mogu dati u cijenama druge godine ni po stanovniku, a ni zbrojevi " +
			"s njima",
		together: "%s: ovi iznosi obuhvaćaju više godina (%s); odaberite jednu vrijednost za „%[3]s“ ili raščlanite i po njoj",
		noMember: "%s: nema ničega s nazivom ili šifrom %s", otherYears: "%s (tako se zvalo %s, a ne u odabranim godinama)",
		noneOfOne: "Nijedan redak ovog proračuna nema %s",
		noneOfAll: "Nijedan redak ne odgovara svim filtrima, iako svakom pojedinom odgovara barem jedan",
		uncounted: "Redaka koji odgovaraju svim filtrima: %d, ali nijedan u posljednjem izvještaju, koji se uzima (%s); vidjet ćete ih ako filtrirate po polju %s",
		qualifier: "„%s“ izgleda kao %s iznosa (%s), pa se može zbrojiti što se ne smije. Odaberite jedno ili raščlanite po tome",
		financing: "Zbrojevi uključuju financiranje, koje nije ni prihod ni rashod (%[1]s %[2]s)",
		inexact:   "Kad je redaka više od %d, oni s gotovo istim omjerom možda nisu u pravom redoslijedu",
		mixed:     "%s: ne može se dati za više godina zajedno jer nedostaju neki iznosi koji su za to potrebni (%s); %s",
		choose:    "odaberite neku od ovih godina: %s",
		same:      "Šifre za „%s“ promijenile su se, pa se iste stvari uspoređuju pod novom i starom šifrom: %s",
		sums:      "%s: zbrojevi pod istom šifrom obuhvaćaju različite stvari",
		names:     "%s: iznosi iz ranijih godina stoje pod kasnijim nazivom", changed: "%s: prikazan je posljednji naziv",
		notCompare: "%s: različite se stvari ne uspoređuju",
	},
}

// wordsToTell are the templates of warnings to people.
func wordsToTell(l cube.Language) warningWords {
	w, t := in(warningTexts, l), in(tellingTexts, l)
	w.all, w.own, w.last, w.flows, w.compared, w.upTo = t.all, t.own, t.last, t.flows, t.compared, t.upTo
	w.undeclared, w.totals, w.totalsLeftOut, w.overlap, w.leftOut = t.undeclared, t.totals, t.totalsLeftOut, t.overlap, t.leftOut
	w.early, w.levelAbsent, w.seriesAbsent, w.together = t.early, t.levelAbsent, t.seriesAbsent, t.together
	w.noMember, w.otherYears, w.noneOfOne, w.noneOfAll, w.uncounted = t.noMember, t.otherYears, t.noneOfOne, t.noneOfAll, t.uncounted
	w.inexact, w.financing, w.qualifier = t.inexact, t.financing, t.qualifier
	w.lists = words.Locale{Language: l}.And
	return w
}

// asSentence ends what people are told with a point.
func asSentence(text string) string {
	if strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") || text == "" {
		return text
	}
	return text + "."
}

// fieldTitle names a field or a dimension for people: by its title, else by the field with its labels, else by its own name.
func fieldTitle(m *cube.Model, field string, l cube.Language) string {
	if measure, ok := m.Measure(field); ok {
		return cmp.Or(measure.Titles.In(l), measure.Title, field)
	}
	if level, ok := m.Level(field); ok {
		return LevelTitle(level, l)
	}
	dimension, _ := m.Dimension(field)
	return cmp.Or(dimension.Titles.In(l), field)
}

// LevelTitle names a level for people: by its title, else by the field with its labels, else by that with its keys.
func LevelTitle(level cube.Level, l cube.Language) string {
	return cmp.Or(level.Titles.In(l), level.LabelRef, level.Ref)
}

// ByLevel says that amounts are divided by a level, inside a sentence: by function, po razdjelima.
func ByLevel(level cube.Level, l words.Locale) string {
	if by, ok := level.By[string(l.Language)]; ok {
		return by
	}
	title := LevelTitle(level, l.Language)
	if letters := []rune(title); len(level.Titles) > 0 && len(letters) > 1 && unicode.IsLower(letters[1]) && l.Language != "de" { // names of things have capitals in German
		title = string(unicode.ToLower(letters[0])) + string(letters[1:])
	}
	return l.Say("view.by", "Level", title)
}

// Begin writes a text as the beginning of a sentence.
func Begin(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// mostPeriods bounds how many periods a message lists.
const mostPeriods = 12

// lastSnapshots lists the last snapshot of each period: 2017: 12, 2018: 06.
func (w warningWords) lastSnapshots(periods []cube.Period) string {
	listed := each.Text(periods[:min(len(periods), mostPeriods)], func(p cube.Period) string {
		key := strings.Join(each.Text(p.Key, w.value), "/")
		if key == "" {
			return w.value(p.Last().Value)
		}
		return key + ": " + w.value(p.Last().Value)
	})
	if more := len(periods) - len(listed); more > 0 {
		listed = append(listed, fmt.Sprintf(w.more, more))
	}
	return strings.Join(listed, ", ")
}

// years lists years, three or more consecutive ones as a range: 2008 to 2010, 2013.
func (w warningWords) years(years []int64) string {
	if w.lists != nil {
		return w.lists(w.yearItems(years))
	}
	return strings.Join(w.yearItems(years), ", ")
}

// yearItems are the items of a list of years.
func (w warningWords) yearItems(years []int64) []string {
	var items []string
	for _, run := range yearRuns(years, isNext) {
		if len(run) > 2 {
			items = append(items, fmt.Sprintf(w.to, run[0], run[len(run)-1]))
			continue
		}
		for _, year := range run {
			items = append(items, fmt.Sprintf(w.year, year))
		}
	}
	return items
}

func (w warningWords) value(v cube.Value) string {
	if v.IsMissing() {
		return w.missing
	}
	return v.String()
}

// comparedWords are the templates of warnings of comparisons in one language.
type comparedWords struct {
	nothing            string     // the axis, and the positions without a counterpart
	more               string     // how many positions are not listed
	partial            string     // the axis, and the measures that have amounts in different years on the two sides
	sums               string     // what that means for sums
	withoutCounterpart [11]string // by plan.CounterpartReason
}

var comparedTexts = map[cube.Language]comparedWords{
	cube.English: {
		nothing: "%s: nothing is there to compare with for %s", more: " and %d more",
		partial: "%s: the years that are compared do not all have amounts in %s", sums: "; sums over several years are not compared",
		withoutCounterpart: [...]string{plan.NoRowsOfYear: "%d (no rows of %d)", plan.LevelEmptyInYear: "%d (%s is empty in %d)",
			plan.NumberedAnew: "%d (%s is numbered in another way in %d)", plan.NoSnapshot: "%s (no %s %s)",
			plan.NoSnapshotOfPeriod: "%s (no %s %s of %s)", plan.NoCellsThere: "%s (no such rows of %s)", plan.NoCellsHere: "%s (no such rows of its own)",
			plan.NoPoint: "rows without %s", plan.NoNumber: "%s", plan.NoSameMember: "%s (members with another number in %s)",
			plan.OtherSpelling: "%d (%s is written %s in %d, under another code; cut on both)"},
	},
	cube.Spanish: {
		nothing: "%s: no hay con qué comparar %s", more: " y %d más",
		partial: "%s: los años que se comparan no tienen todos montos en %s", sums: "; las sumas de varios años no se comparan",
		withoutCounterpart: [...]string{plan.NoRowsOfYear: "%d (no hay filas de %d)", plan.LevelEmptyInYear: "%d (%s está vacío en %d)",
			plan.NumberedAnew: "%d (%s tiene otra numeración en %d)", plan.NoSnapshot: "%s (no hay %s %s)",
			plan.NoSnapshotOfPeriod: "%s (no hay %s %s de %s)", plan.NoCellsThere: "%s (no hay tales filas de %s)", plan.NoCellsHere: "%s (no hay tales filas suyas)",
			plan.NoPoint: "las filas sin %s", plan.NoNumber: "%s", plan.NoSameMember: "%s (miembros con otro número en %s)",
			plan.OtherSpelling: "%d (%s se escribe %s en %d, con otro código; filtre por ambos)"},
	},
	cube.Croatian: {
		nothing: "%s: nema se s čime usporediti %s", more: " i još %d",
		partial: "%s: nemaju sve uspoređene godine iznose za %s", sums: "; zbrojevi više godina ne uspoređuju se",
		withoutCounterpart: [...]string{plan.NoRowsOfYear: "%d. (nema redaka za %d.)", plan.LevelEmptyInYear: "%d. (%s nema podataka za %d.)",
			plan.NumberedAnew: "%d. (%s ima drugu numeraciju %d.)", plan.NoSnapshot: "%s (nema podataka: %s %s)",
			plan.NoSnapshotOfPeriod: "%s (nema podataka: %s %s za %s)", plan.NoCellsThere: "%s (nema takvih redaka za %s)", plan.NoCellsHere: "%s (nema vlastitih takvih redaka)",
			plan.NoPoint: "retke bez podatka u polju %s", plan.NoNumber: "%s", plan.NoSameMember: "%s. (neki članovi %s. imaju drugi broj)",
			plan.OtherSpelling: "%d. (%s se piše %s %d., pod drugom šifrom; filtrirajte po objema)"},
	},
}

// mixedWords are the templates for formulas that mix years, in one language: that they are null, which measure has no
// amounts in which years, what to ask instead, and the reason in a citation.
type mixedWords struct{ null, missing, cut, drill, never, cited string }

var mixedTexts = map[cube.Language]mixedWords{
	cube.English: {
		null:    "%s: null where several years are added up, as they do not all have the amounts it is of (%s); %s",
		missing: "%s has none in %s", cut: "ask with cut=%s", drill: ", or drill %s", never: "no year asked has them all",
		cited: ", as these years do not all have the amounts it is of",
	},
	cube.Spanish: {
		null:    "%s: nulo donde se suman varios años, pues no todos tienen los montos que usa (%s); %s",
		missing: "%s no tiene en %s", cut: "pregunte con cut=%s", drill: ", o desglose %s", never: "ningún año pedido los tiene todos",
		cited: ", pues no todos estos años tienen los montos que usa",
	},
	cube.Croatian: {
		null:    "%s: bez vrijednosti gdje se zbraja više godina jer nemaju sve iznose koji za to trebaju (%s); %s",
		missing: "%s nema za %s", cut: "pitajte s cut=%s", drill: " ili raščlanite po polju %s", never: "nijedna ih tražena godina nema sve",
		cited: " jer nemaju sve te godine iznose koji za to trebaju",
	},
}

var (
	sumsOfKept = map[cube.Language]string{
		cube.English:  "subtotals and remainders are of the cells that having keeps; ask without having for those of all cells",
		cube.Spanish:  "los subtotales y los restos son de las celdas que having conserva; los de todas se obtienen sin having",
		cube.Croatian: "međuzbrojevi i ostaci odnose se na ćelije koje having zadrži; za sve ćelije pitajte bez having",
	}
	sumsOfCells = map[cube.Language]string{
		cube.English: "subtotals, remainders and shares are of the cells that having keeps; ask without having for those of all cells",
		cube.Spanish: "los subtotales, los restos y las participaciones son de las celdas que having conserva; los de todas se " +
			"obtienen sin having",
		cube.Croatian: "međuzbrojevi, ostaci i udjeli odnose se na ćelije koje having zadrži; za sve ćelije pitajte bez having",
	}
	remaindersOfNodes = map[cube.Language]string{
		cube.English:  "remainders are of the members that having keeps; ask without having for those of all members",
		cube.Spanish:  "los restos son de los miembros que having conserva; los de todos se obtienen sin having",
		cube.Croatian: "ostaci se odnose na članove koje having zadrži; za sve članove pitajte bez having",
	}
)

// yearRuns splits years into runs: a run ends where the next year does not follow.
func yearRuns(years []int64, follows func(before, year int64) bool) [][]int64 {
	var list [][]int64
	start := 0
	for i := range years {
		if end := i + 1; end == len(years) || !follows(years[i], years[end]) {
			list, start = append(list, years[start:end]), end
		}
	}
	return list
}

// isNext tells whether a year comes right after the year before.
func isNext(before, year int64) bool { return year == before+1 }
