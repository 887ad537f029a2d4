package prose

import (
	"regexp"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// citationWords are the templates of citations in one language.
type citationWords struct {
	functions          map[cube.Func]string
	rows, everything   string
	not, missing       string
	last, lastOfEach   string // the snapshot that is counted, and those of each period
	inReport           string // likewise, if it is named by a word
	flows              string // measures that add up over snapshots, behind the last one
	year               string // in a sentence
	onlyPart           string // the months, or other periods, that a year has rows of, and the year
	to, from, upTo     string // of a range
	contains           string
	or, and            conjunction
	more               string // the number of labels that are not listed
	having, statements string
	roles              map[query.Role]string
	of                 string // the position that an amount is compared with
	one, years         ways   // the distance to the years asked
	places             ways   // the distance along an axis other than the fiscal year
	inPrices, perHead  string // an amount in prices of a year, and divided by the inhabitants
	prices, heads      string // the series, its source and the day of its state
	source, madeUp     string // who publishes what, and which version since when
	excerpt            string // it has so few rows
	excerptOfYears     string // it has so few rows a year
	columns, quoted    string // where the amounts stand in a file with several for one kind of them
	columnsOfFiles     string // the same of several files, which are named
	moreColumns        string // those that are not named
	null               string
	none, nullCount    string // instead of a count: there are no rows, and the count is unknown
}

// ways are the texts for a position before and after another one on an axis.
type ways struct{ earlier, later string }

func (w ways) to(offset int64) string {
	if offset < 0 {
		return w.earlier
	}
	return w.later
}

var citationTexts = map[cube.Language]citationWords{
	cube.English: {
		functions: map[cube.Func]string{cube.Count: "number of rows with %s", cube.Avg: "average of %s", cube.Min: "least %s", cube.Max: "greatest %s",
			cube.Ratio: "%s / %s", cube.Diff: "%s − %s", cube.Share: "share of %s", cube.ShareOfParent: "share of %s among those of the same parent"},
		rows: "rows", everything: "all rows",
		not: "all but %s", missing: "not stated", last: "%s, the last report", inReport: "as in the report “%s”, the last one", lastOfEach: "the last report of each %s (%s)", flows: " (%s: all reports added up)",
		year: "%v", onlyPart: "only %s of %s", to: "%s to %s", from: "from %s", upTo: "up to %s", contains: "containing “%s”",
		or: conjunction{usual: " or "}, and: conjunction{usual: " and "}, more: "%d more",
		having: "only %s with %s", statements: "the same money added up as often as it was reported",
		roles: map[query.Role]string{query.RoleEarlier: "%s %s", query.RoleDifference: "change of %s from %s",
			query.RolePercentage: "change of %s from %s in %%"},
		of: "of %s", one: ways{"one year earlier", "one year later"},
		years:    ways{"%d years earlier", "%d years later"},
		places:   ways{"where %s is lower by %d", "where %s is higher by %d"},
		inPrices: "%s in prices of %d", perHead: "%s per head", prices: "prices: %s, %s", heads: "inhabitants: %s, %s",
		source: "Source: %s“%s”, version %d, loaded %s", madeUp: "Made-up figures, for trying fiscube out.", excerpt: "perhaps an excerpt (%d {row|rows})", excerptOfYears: "perhaps an excerpt (some %d {row|rows} a year)", null: "no amount",
		columns: "columns of the file: %s", quoted: "“%s”", columnsOfFiles: "columns of the files: %s", moreColumns: " and %d more",
		none: "none", nullCount: "no number",
	},
	cube.Spanish: {
		functions: map[cube.Func]string{cube.Count: "número de filas con %s", cube.Avg: "promedio de %s", cube.Min: "mínimo de %s", cube.Max: "máximo de %s",
			cube.Ratio: "%s / %s", cube.Diff: "%s − %s", cube.Share: "participación de %s", cube.ShareOfParent: "participación de %s entre los del mismo nivel superior"},
		rows: "filas", everything: "todas las filas",
		not: "todo excepto %s", missing: "sin informar", last: "%s, el último informe", inReport: "según el informe «%s», el último", lastOfEach: "el último informe de cada %s (%s)", flows: " (%s: la suma de todos los informes)",
		year: "%v", onlyPart: "solo %s de %s", to: "%s a %s", from: "desde %s", upTo: "hasta %s", contains: "que contiene «%s»",
		or: conjunction{" o ", " u ", soundsO}, and: conjunction{" y ", " e ", soundsI}, more: "%d más",
		having: "solo %s con %s", statements: "el mismo dinero sumado tantas veces como se informó",
		roles: map[query.Role]string{query.RoleEarlier: "%s %s", query.RoleDifference: "cambio de %s respecto a %s",
			query.RolePercentage: "cambio de %s respecto a %s en %%"},
		of: "de %s", one: ways{"un año antes", "un año después"},
		years:    ways{"%d años antes", "%d años después"},
		places:   ways{"donde %s es menor en %d", "donde %s es mayor en %d"},
		inPrices: "%s en precios de %d", perHead: "%s por habitante", prices: "precios: %s, %s", heads: "habitantes: %s, %s",
		source: "Fuente: %s«%s», versión %d, cargada el %s", madeUp: "Cifras inventadas, para probar fiscube.", excerpt: "quizá un extracto (%d {fila|filas})", excerptOfYears: "quizá un extracto (unas %d {fila|filas} por año)", null: "sin monto",
		columns: "columnas del archivo: %s", quoted: "«%s»", columnsOfFiles: "columnas de los archivos: %s", moreColumns: " y %d más",
		none: "ninguna", nullCount: "sin número",
	},
	cube.Croatian: {
		functions: map[cube.Func]string{cube.Count: "broj redaka s podatkom %s", cube.Avg: "prosjek mjere %s", cube.Min: "najmanja vrijednost mjere %s",
			cube.Max: "najveća vrijednost mjere %s", cube.Ratio: "%s / %s", cube.Diff: "%s − %s", cube.Share: "udio u ukupnom iznosu mjere %s",
			cube.ShareOfParent: "udio u nadređenom iznosu mjere %s"},
		rows: "redci", everything: "svi redci",
		not: "sve osim %s", missing: "bez podatka", last: "%s, posljednji izvještaj", inReport: "prema izvještaju „%s“, posljednjem", lastOfEach: "posljednji izvještaj za svako razdoblje (%s %s)", flows: " (%s: zbroj svih izvještaja)",
		year: "%v.", onlyPart: "samo %s za %s", to: "od %s do %s", from: "od %s", upTo: "do %s", contains: "sadržava „%s“",
		or: conjunction{usual: " ili "}, and: conjunction{usual: " i "}, more: "još %d",
		having: "samo %s za koje vrijedi %s", statements: "isti novac zbrojen onoliko puta koliko je iskazan",
		roles: map[query.Role]string{query.RoleEarlier: "%s %s", query.RoleDifference: "%s, promjena u odnosu na %s",
			query.RolePercentage: "%s, promjena u odnosu na %s u %%"},
		of: "za %s", one: ways{"godinu prije", "godinu poslije"},
		years:    ways{"%d {godinu|godine|godina} prije", "%d {godinu|godine|godina} poslije"},
		places:   ways{"(%s za %d manje)", "(%s za %d više)"},
		inPrices: "%s u cijenama iz %d.", perHead: "%s po stanovniku", prices: "cijene: %s, %s", heads: "stanovnici: %s, %s",
		source: "Izvor: %s„%s“, verzija %d, učitano %s", madeUp: "Izmišljene brojke, za isprobavanje programa fiscube.", excerpt: "možda izvadak (%d {redak|retka|redaka})", excerptOfYears: "možda izvadak (oko %d {redak|retka|redaka} na godinu)", null: "bez iznosa",
		columns: "stupci datoteke: %s", quoted: "„%s“", columnsOfFiles: "stupci datoteka: %s", moreColumns: " i još %d",
		none: "nijedan", nullCount: "nepoznat broj",
	},
}

// conjunction joins two texts. Before some sounds it has another form.
type conjunction struct {
	usual, other string
	before       *regexp.Regexp // matches the texts that need the other form; nil: there is none
}

// The texts before which Spanish has u instead of o, and e instead of y (Ortografía de la lengua española, RAE). Spoken
// numbers begin with the sound o if they begin with ocho, ochenta, ochocientos or once. The i of hielo and yeso is half a
// consonant and changes nothing, that of Ypacaraí does.
var (
	soundsO = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:h?[oó]|8|11(?:\d{3})*(?:\D|$))`)
	soundsI = regexp.MustCompile(`(?i)^[^\pL\pN]*(?:h?í|h?i(?:[^aeouáéóú]|$)|y[b-df-hj-np-tv-xz])`)
)

func (j conjunction) form(next string) string {
	if j.before != nil && j.before.MatchString(next) {
		return j.other
	}
	return j.usual
}

// between puts the conjunction between all texts: a or b or c.
func (j conjunction) between(list []string) string {
	var text strings.Builder
	for i, item := range list {
		if i > 0 {
			text.WriteString(j.form(item))
		}
		text.WriteString(item)
	}
	return text.String()
}

// last puts the conjunction before the last text: a, b and c.
func (j conjunction) last(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	end := len(list) - 1
	return j.between([]string{strings.Join(list[:end], ", "), list[end]})
}
