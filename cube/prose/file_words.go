package prose

import (
	"fiscube/cube"
	"fiscube/cube/findings"
)

// fileWords are the templates of what a file says beside its rows, in one language.
type fileWords struct {
	madeUp            string
	asText, shortened string            // the columns with numbers that a spreadsheet does not keep
	cells, columns    string            // of a column, and how many columns are not listed
	unit, label       string            // of a measure, and the labels of a level
	extract           string            // the title of a package that has the answer to a question
	answer            string            // the link of the question
	edition           string            // of a level
	own               map[string]string // the columns that are no fields of the package
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
		edition: "%s: first year of the numbering",
		own: map[string]string{
			"_rows": "rows", "_first_year": "first year", "_last_year": "last year", "_resource": "file", "_counts": "amounts that count it", "_line": "line of the file",
			"_level": "subtotal of", "_others": "members added up", "_change": "new or gone", "_cut": "cut to this row",
			"_drilldown": "levels below", "_snapshots": "statements of its facts",
		},
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
		edition: "%s: primer año de la numeración",
		own: map[string]string{
			"_rows": "filas", "_first_year": "primer año", "_last_year": "último año", "_resource": "archivo", "_counts": "montos que la cuentan", "_line": "línea del archivo",
			"_level": "subtotal de", "_others": "miembros sumados", "_change": "nuevo o ausente", "_cut": "corte de esta fila",
			"_drilldown": "niveles inferiores", "_snapshots": "declaraciones de sus hechos",
		},
	},
	cube.Croatian: {
		madeUp: "brojke su izmišljene, za isprobavanje programa fiscube",
		asText: "tablični kalkulator čuva 15 znamenaka broja, pa su brojevi s više znamenaka ovdje zapisani kao tekst i označeni: " +
			"SUM() i grafikoni ih izostavljaju (%s); u CSV-u imaju sve znamenke",
		shortened: "prosjeci, omjeri i udjeli s više od 15 znamenaka, koliko ih čuva tablični kalkulator, zaokruženi su na toliko (%s)",
		cells:     "%s: %d od %d {ćelije|ćelije|ćelija}", columns: "još %d {stupac|stupca|stupaca}",
		unit: "u jedinicama od %d", label: "%s: naziv",
		extract: "%s (izvadak)",
		answer:  "Redci su odgovor na upit: %s",
		edition: "%s: prva godina numeracije",
		own: map[string]string{
			"_rows": "redci", "_first_year": "prva godina", "_last_year": "posljednja godina", "_resource": "datoteka", "_counts": "iznosi u koje ulazi", "_line": "redak u datoteci",
			"_level": "međuzbroj za", "_others": "zbrojeni članovi", "_change": "novo ili nestalo", "_cut": "filtar za ovaj redak",
			"_drilldown": "niže razine", "_snapshots": "izvještaji njegovih činjenica",
		},
	},
}

// leftOutTexts tell why the rows of a resource are not loaded.
var leftOutTexts = map[string]map[cube.Language]string{
	findings.LeftRepeated: {
		cube.Spanish:  "sus filas están en otros recursos",
		cube.Croatian: "njegovi su redci u drugim resursima",
	},
	findings.LeftMissing: {
		cube.Spanish:  "su archivo no está",
		cube.Croatian: "njegove datoteke nema",
	},
}

// searchWords are the templates of warnings of a search in one language.
type searchWords struct{ pending, notCovered, partial string }

var searchTexts = map[cube.Language]searchWords{
	cube.English: {
		pending:    "%s is still being read for the search: ask again in a moment",
		notCovered: "%[2]s has no rows of %[1]d, but of %[3]s: ask for one of these years",
		partial:    "%s has too many members for the search: %d with the fewest rows are not found",
	},
	cube.Spanish: {
		pending:    "%s todavía se está leyendo para la búsqueda: pregunte de nuevo en un momento",
		notCovered: "%[2]s no tiene filas de %[1]d, sino de %[3]s: pregunte por uno de esos años",
		partial:    "%s tiene demasiados miembros para la búsqueda: no se encuentran %d, los que tienen menos filas",
	},
	cube.Croatian: {
		pending:    "%s se još učitava za pretraživanje: pokušajte ponovno za koji trenutak",
		notCovered: "%[2]s nema redaka iz godine %[1]d., nego iz %[3]s: pitajte za neku od tih godina",
		partial:    "%s ima previše članova za pretraživanje: ne nalazi se njih %d, onih s najmanje redaka",
	},
}

// readmeWords are the templates of what the zip of a whole package says of itself, in one language.
type readmeWords struct {
	madeUp, what, link, file          string
	overlay, noOverlay, noOverlayKept string
	repeated, notThere, totals        string // what is not in it
}

var readmeTexts = map[cube.Language]readmeWords{
	cube.English: {
		madeUp: "The figures are made up, for trying fiscube out.",
		what: "This is the package %s, version %d, loaded on %s (fingerprint %s), with every row that was loaded: UTF-8, separated by " +
			"commas, with plain decimals. datapackage.json is the published descriptor, changed to describe these files. fiscube load makes " +
			"the same cube of this zip.",
		link:          "It is the answer to %s",
		file:          "%s: %d rows of the resource %s, which was published as %s (SHA-256 %s)",
		overlay:       "overlay.yaml is the overlay that was applied, without the decimal and group marks of the published files.",
		noOverlay:     "No overlay was applied.",
		noOverlayKept: "If an overlay was applied, it is not in this zip: this version was loaded before fiscube stored overlays.",
		repeated:      "Not in this zip: the resource %s, since other resources have its rows.",
		notThere:      "Not in this zip: the resource %s, since its file was not there.",
		totals:        "Not in this zip: %d rows of the resource %s that are totals of others (lines of the published file: %s).",
	},
	cube.Spanish: {
		madeUp: "Las cifras son inventadas, para probar fiscube.",
		what: "Este es el paquete %s, versión %d, cargado el %s (huella %s), con todas las filas que se cargaron: UTF-8, separado por comas, " +
			"con decimales simples. datapackage.json es el descriptor publicado, adaptado para describir estos archivos. fiscube load hace el " +
			"mismo cubo de este zip.",
		link:          "Es la respuesta a %s",
		file:          "%s: %d filas del recurso %s, que se publicó como %s (SHA-256 %s)",
		overlay:       "overlay.yaml es el complemento (overlay) que se aplicó, sin los signos de decimales y de miles de los archivos publicados.",
		noOverlay:     "No se aplicó ningún complemento (overlay).",
		noOverlayKept: "Si se aplicó un complemento (overlay), no está en este zip: esta versión se cargó antes de que fiscube los guardara.",
		repeated:      "No está en este zip: el recurso %s, porque otros recursos tienen sus filas.",
		notThere:      "No está en este zip: el recurso %s, porque su archivo no estaba.",
		totals:        "No están en este zip: %d filas del recurso %s que son totales de otras (líneas del archivo publicado: %s).",
	},
	cube.Croatian: {
		madeUp: "Brojke su izmišljene, za isprobavanje programa fiscube.",
		what: "Ovo je paket %s, verzija %d, učitan %s (otisak %s), sa svim učitanim redcima: UTF-8, odvojeno zarezima, s decimalnim brojevima " +
			"u običnom zapisu. datapackage.json je objavljeni opis, prilagođen ovim datotekama. Iz ove zip-datoteke fiscube load " +
			"stvara istu kocku.",
		link:          "To je odgovor na %s",
		file:          "%s: %d {redak|retka|redaka} resursa %s, objavljenog kao %s (SHA-256 %s)",
		overlay:       "overlay.yaml je dopuna (overlay) koja je primijenjena, bez oznaka za decimale i tisućice iz objavljenih datoteka.",
		noOverlay:     "Nijedna dopuna (overlay) nije primijenjena.",
		noOverlayKept: "Ako je dopuna (overlay) primijenjena, nema je u ovoj zip-datoteci: ova je verzija učitana prije nego što ih je fiscube počeo čuvati.",
		repeated:      "Nije u ovoj zip-datoteci: resurs %s, jer njegove retke imaju drugi resursi.",
		notThere:      "Nije u ovoj zip-datoteci: resurs %s, jer njegove datoteke nije bilo.",
		totals:        "Nije u ovoj zip-datoteci: %d {redak|retka|redaka} resursa %s sa zbrojem drugih redaka (redci objavljene datoteke: %s).",
	},
}
