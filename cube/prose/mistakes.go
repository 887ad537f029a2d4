package prose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Mistake is an error as a page tells it: the message and the hint, each with its language. What has no translation is in English.
type Mistake struct {
	Message, Hint     string
	MessageIn, HintIn cube.Language
}

// TellMistake tells an error in a language.
func TellMistake(e *cube.Error, l cube.Language) (m Mistake) {
	m.Message, m.MessageIn = tellPhrase(e.Said, e.Message, l)
	m.Hint, m.HintIn = tellPhrase(e.Advised, e.Hint, l)
	return m
}

// tellPhrase tells a phrase, of which the text in English is given. If that is another than the phrase gives, somebody changed it since.
func tellPhrase(p cube.Phrase, english string, l cube.Language) (string, cube.Language) {
	texts, ok := mistakeTexts[p.Format]
	switch {
	case !ok || texts[l] == "":
		return english, cube.English
	case len(p.Args) == 0 && p.Format == english:
		return texts[l], l
	case len(p.Args) == 0 || fmt.Sprintf(p.Format, p.Args...) != english:
		return english, cube.English
	}
	args, verbs := slices.Clone(p.Args), mistakeVerb.FindAllString(p.Format, -1)
	for i, arg := range args {
		switch text, isText := arg.(string); {
		case arg == query.TheEnd:
			args[i] = endTexts[l]
		case isText && i < len(verbs) && verbs[i] == "%q": // the marks of the language stand in place of the quotes
			quoted := strconv.Quote(text)
			args[i] = quoted[1 : len(quoted)-1]
		}
	}
	return fmt.Sprintf(texts[l], args...), l
}

// mistakeVerb is a verb of a format, in the order of its arguments.
var mistakeVerb = regexp.MustCompile(`%[a-z]`)

var endTexts = map[cube.Language]string{cube.Spanish: "el final", cube.Croatian: "kraj"}

// mistakeTexts are the mistakes that people meet on pages, and the hints, by their formats in English.
var mistakeTexts = map[string]map[cube.Language]string{
	// what there is not
	"no cube %q":               {cube.Spanish: "no hay ningún presupuesto «%s»", cube.Croatian: "nema proračuna „%s“"},
	"no field or dimension %q": {cube.Spanish: "no hay ningún campo ni dimensión «%s»", cube.Croatian: "nema polja ni dimenzije „%s“"},
	"no level %q":              {cube.Spanish: "no hay ningún nivel «%s»", cube.Croatian: "nema razine „%s“"},
	"no measure %q":            {cube.Spanish: "no hay ninguna medida «%s»", cube.Croatian: "nema mjere „%s“"},
	"no aggregate %q":          {cube.Spanish: "no hay ningún agregado «%s»", cube.Croatian: "nema agregata „%s“"},
	"no aggregate function %q": {cube.Spanish: "no hay ninguna función de agregación «%s»", cube.Croatian: "nema agregatne funkcije „%s“"},
	"no formula %q":            {cube.Spanish: "no hay ninguna fórmula «%s»", cube.Croatian: "nema formule „%s“"},
	"no parameter %q":          {cube.Spanish: "no hay ningún parámetro «%s»", cube.Croatian: "nema parametra „%s“"},
	"dimension %q has no field %q": {
		cube.Spanish: "la dimensión «%s» no tiene ningún campo «%s»", cube.Croatian: "dimenzija „%s“ nema polja „%s“",
	},
	"%s has no resource %q":         {cube.Spanish: "%s no tiene ningún archivo «%s»", cube.Croatian: "%s nema datoteke „%s“"},
	"the rows of %q are not loaded": {cube.Spanish: "las filas de «%s» no están cargadas", cube.Croatian: "redci datoteke „%s“ nisu učitani"},
	"%s has no version %d":          {cube.Spanish: "%s no tiene la versión %d", cube.Croatian: "%s nema verzije %d"},
	"version %d of %s is kept no more": {
		cube.Spanish: "la versión %d de %s ya no se conserva", cube.Croatian: "verzija %d više se ne čuva (%s)",
	},
	"the cube was removed while it was asked": {
		cube.Spanish: "el presupuesto se eliminó mientras se consultaba", cube.Croatian: "proračun je uklonjen dok se iz njega čitalo",
	},
	"there is nothing at this path": {cube.Spanish: "no hay nada en esta dirección", cube.Croatian: "na ovoj adresi nema ničega"},
	"the answer has no column %q to order by": {
		cube.Spanish: "la respuesta no tiene ninguna columna «%s» por la que ordenar", cube.Croatian: "odgovor nema stupca „%s“ po kojem bi se poredao",
	},
	"%s is not among the aggregates": {cube.Spanish: "%s no está entre los agregados", cube.Croatian: "%s nije među agregatima"},

	// what is no text to search for
	"the text is not UTF-8":                {cube.Spanish: "el texto no está en UTF-8", cube.Croatian: "tekst nije u UTF-8"},
	"encode it as UTF-8":                   {cube.Spanish: "codifíquelo en UTF-8", cube.Croatian: "kodirajte ga u UTF-8"},
	"the text has more than %d characters": {cube.Spanish: "el texto tiene más de %d caracteres", cube.Croatian: "tekst ima više od %d znakova"},
	"the text has more than %d words":      {cube.Spanish: "el texto tiene más de %d palabras", cube.Croatian: "tekst ima više od %d riječi"},
	"a few words are enough":               {cube.Spanish: "bastan unas pocas palabras", cube.Croatian: "dovoljno je nekoliko riječi"},
	"nothing is asked for":                 {cube.Spanish: "no se pregunta nada", cube.Croatian: "ništa se ne pita"},
	"write q= and what to look for, such as q=health": {
		cube.Spanish: "escriba q= y lo que busca, por ejemplo q=salud", cube.Croatian: "napišite q= i što tražite, na primjer q=zdravstvo",
	},
	"the text has no letter and no digit": {cube.Spanish: "el texto no tiene ninguna letra ni cifra", cube.Croatian: "tekst nema ni slova ni znamenke"},
	"write a word or a code, such as q=health": {
		cube.Spanish: "escriba una palabra o un código, por ejemplo q=salud", cube.Croatian: "napišite riječ ili šifru, na primjer q=zdravstvo",
	},

	// what does not fit
	"%s holds whole numbers, and %q is none": {
		cube.Spanish: "%s tiene números enteros, y «%s» no lo es", cube.Croatian: "polje %s ima cijele brojeve, a „%s“ to nije",
	},
	"the model makes field %q no level of a dimension": {
		cube.Spanish: "en el modelo, el campo «%s» no es un nivel de ninguna dimensión", cube.Croatian: "polje „%s“ u modelu nije razina nijedne dimenzije",
	},
	"%q is a measure, not a level": {cube.Spanish: "«%s» es una medida, no un nivel", cube.Croatian: "„%s“ je mjera, a ne razina"},
	"%s comes after %s, so nothing is between": {
		cube.Spanish: "%s va después de %s, así que no hay nada entre ambos", cube.Croatian: "%s dolazi poslije %s, pa između nema ničega",
	},
	"labels have no ranges": {cube.Spanish: "los nombres no tienen intervalos", cube.Croatian: "nazivi nemaju raspona"},
	"a range needs a level": {cube.Spanish: "un intervalo necesita un nivel", cube.Croatian: "za raspon je potrebna razina"},
	"top needs a drilldown": {cube.Spanish: "top necesita un desglose (drilldown)", cube.Croatian: "za top je potrebna raščlamba (drilldown)"},
	"%s is %q":              {cube.Spanish: "%s es «%s»", cube.Croatian: "%s je „%s“"},
	"lang is %q":            {cube.Spanish: "lang es «%s»", cube.Croatian: "lang je „%s“"},
	"line is %q":            {cube.Spanish: "line es «%s»", cube.Croatian: "line je „%s“"},
	"version is %q":         {cube.Spanish: "version es «%s»", cube.Croatian: "version je „%s“"},
	"%s is %q, not a whole number from %d to %d": {
		cube.Spanish: "%s es «%s», y no un número entero de %d a %d", cube.Croatian: "%s je „%s“, a ne cijeli broj od %d do %d",
	},
	"%s has no value":            {cube.Spanish: "%s no tiene valor", cube.Croatian: "%s nema vrijednosti"},
	"%s is given more than once": {cube.Spanish: "%s aparece más de una vez", cube.Croatian: "%s se pojavljuje više puta"},
	"this budget has no fiscal years": {
		cube.Spanish: "este presupuesto no tiene años fiscales", cube.Croatian: "ovaj proračun nema fiskalnih godina",
	},

	// how a question is written
	"it is empty":                           {cube.Spanish: "está vacío", cube.Croatian: "prazno je"},
	"expected %s or the end, found %s":      {cube.Spanish: "se esperaba %s o el final, y hay %s", cube.Croatian: "očekuje se %s ili kraj, a ovdje je %s"},
	"expected : and the values after %s":    {cube.Spanish: "se esperaban : y los valores después de %s", cube.Croatian: "iza %s očekuju se : i vrijednosti"},
	"expected a name, found %s":             {cube.Spanish: "se esperaba un nombre, y hay %s", cube.Croatian: "očekuje se naziv, a ovdje je %s"},
	"expected the text to look for after ~": {cube.Spanish: "se esperaba el texto que se busca después de ~", cube.Croatian: "iza ~ očekuje se tekst koji se traži"},
	"a range needs a bound":                 {cube.Spanish: "un intervalo necesita un límite", cube.Croatian: "za raspon je potrebna granica"},
	"a quoted text is not closed":           {cube.Spanish: "falta la comilla final de un texto", cube.Croatian: "tekstu nedostaje završni navodnik"},

	// what the service cannot do now
	"more than %g requests a second come from this address": {
		cube.Spanish: "desde esta dirección llegan más de %g peticiones por segundo", cube.Croatian: "s ove adrese stiže više od %g zahtjeva u sekundi",
	},
	"too many questions at once": {cube.Spanish: "hay demasiadas preguntas a la vez", cube.Croatian: "previše je pitanja odjednom"},
	"the question took longer than the %v that one may take": {
		cube.Spanish: "la pregunta tardó más de %v, que es lo permitido", cube.Croatian: "odgovor bi trajao dulje od dopuštenog (%v)",
	},
	"the question took longer than the service allows": {
		cube.Spanish: "la pregunta tardó más de lo que permite el servicio", cube.Croatian: "odgovor bi trajao dulje nego što poslužitelj dopušta",
	},
	"the store does not answer":             {cube.Spanish: "la base de datos no responde", cube.Croatian: "baza podataka ne odgovara"},
	"the embedded database does not answer": {cube.Spanish: "la base de datos no responde", cube.Croatian: "baza podataka ne odgovara"},
	"PostgreSQL does not answer":            {cube.Spanish: "la base de datos no responde", cube.Croatian: "baza podataka ne odgovara"},
	"the database cannot be reached":        {cube.Spanish: "no se puede llegar a la base de datos", cube.Croatian: "baza podataka nije dostupna"},
	"the connection to the database was lost": {
		cube.Spanish: "se perdió la conexión con la base de datos", cube.Croatian: "veza s bazom podataka je prekinuta",
	},
	"internal error": {cube.Spanish: "error interno", cube.Croatian: "unutarnja pogreška"},

	// what publishers meet
	"the token was shown too long ago, or the server was started again since": {
		cube.Spanish: "la clave se mostró hace demasiado tiempo, o el servidor se inició de nuevo desde entonces", cube.Croatian: "lozinka je pokazana prije previše vremena ili je poslužitelj otad ponovno pokrenut",
	},
	"type it in another tab, at /publish, and reload this page: what you wrote is sent again": {
		cube.Spanish: "escríbala en otra pestaña, en /publish, y recargue esta página: lo que escribió se envía otra vez", cube.Croatian: "upišite je u drugoj kartici, na /publish, i ponovno učitajte ovu stranicu: ono što ste napisali šalje se ponovno",
	},
	"no draft %q; drafts are removed seven days after their last change": {
		cube.Spanish: "no hay ningún borrador «%s»; se borran siete días después de su último cambio", cube.Croatian: "nema nacrta „%s“; nacrti se brišu sedam dana nakon posljednje promjene",
	},
	"there are %d drafts already": {
		cube.Spanish: "ya hay %d borradores", cube.Croatian: "već ima %d nacrta",
	},
	"discard one that is not needed any more": {
		cube.Spanish: "descarte uno que ya no haga falta", cube.Croatian: "odbacite koji više nije potreban",
	},
	"no file was chosen": {
		cube.Spanish: "no se eligió ningún archivo", cube.Croatian: "nije odabrana nijedna datoteka",
	},
	"the draft is being published": {
		cube.Spanish: "el borrador se está publicando", cube.Croatian: "nacrt se upravo objavljuje",
	},
	"wait until that has ended": {
		cube.Spanish: "espere a que termine", cube.Croatian: "pričekajte da to završi",
	},
	"what is sent has more than the %d bytes for which there is room": {
		cube.Spanish: "lo que se envía tiene más de los %d bytes para los que hay lugar", cube.Croatian: "poslano ima više od %d bajtova za koje ima mjesta",
	},
	"the zip unpacks to more than the %d bytes for which there is room": {
		cube.Spanish: "el zip desempaquetado tiene más de los %d bytes para los que hay lugar", cube.Croatian: "raspakirani zip ima više od %d bajtova za koje ima mjesta",
	},
	"discard drafts that are not needed any more, or send the files compressed": {
		cube.Spanish: "descarte borradores que ya no hagan falta, o envíe los archivos comprimidos", cube.Croatian: "odbacite nacrte koji više nisu potrebni ili pošaljite sažete datoteke",
	},
	"a draft has at most %d files": {
		cube.Spanish: "un borrador tiene como máximo %d archivos", cube.Croatian: "nacrt ima najviše %d datoteka",
	},
	"a draft has at least one file": {
		cube.Spanish: "un borrador tiene al menos un archivo", cube.Croatian: "nacrt ima barem jednu datoteku",
	},
	"discard the draft instead": {
		cube.Spanish: "descarte el borrador", cube.Croatian: "odbacite nacrt",
	},
	"%q is no file that is taken here": {
		cube.Spanish: "«%s» no es un archivo que se acepte aquí", cube.Croatian: "„%s“ nije datoteka koja se ovdje prihvaća",
	},
	"send CSV, TSV or XLSX, also compressed (gz), or a zip of CSV files": {
		cube.Spanish: "envíe CSV, TSV o XLSX, también comprimidos (gz), o un zip de archivos CSV", cube.Croatian: "pošaljite CSV, TSV ili XLSX, i sažete (gz), ili zip CSV datoteka",
	},
	"a field has more than %d bytes": {
		cube.Spanish: "un campo tiene más de %d bytes", cube.Croatian: "polje ima više od %d bajtova",
	},
	"the form cannot be read": {
		cube.Spanish: "no se puede leer el formulario", cube.Croatian: "obrazac se ne može pročitati",
	},
	"this takes a form with files (multipart/form-data)": {
		cube.Spanish: "aquí se espera un formulario con archivos (multipart/form-data)", cube.Croatian: "ovdje se očekuje obrazac s datotekama (multipart/form-data)",
	},
	"this form does not come from a page of this server": {
		cube.Spanish: "este formulario no viene de una página de este servidor", cube.Croatian: "ovaj obrazac ne dolazi sa stranice ovog poslužitelja",
	},
	"the files of %s make no package yet": {
		cube.Spanish: "los archivos de %s todavía no forman un paquete", cube.Croatian: "datoteke u %s još ne čine paket",
	},
	"look at the problems of the draft": {
		cube.Spanish: "mire lo que falta en el borrador", cube.Croatian: "pogledajte što u nacrtu treba riješiti",
	},
	"%d packages are waiting to be loaded already": {
		cube.Spanish: "ya hay %d paquetes en espera", cube.Croatian: "već %d paketa čeka na učitavanje",
	},
	"try again when some of them are loaded": {
		cube.Spanish: "vuelva a intentarlo cuando se hayan cargado algunos", cube.Croatian: "pokušajte ponovno kad se neki od njih učitaju",
	},

	// hints
	"did you mean %s?":                {cube.Spanish: "¿quiso decir %s?", cube.Croatian: "jeste li mislili na %s?"},
	"the cubes are %s":                {cube.Spanish: "los presupuestos son %s", cube.Croatian: "proračuni su %s"},
	"the cubes are %s and %d more":    {cube.Spanish: "los presupuestos son %s y %d más", cube.Croatian: "proračuni su %s i još %d"},
	"the levels are %s":               {cube.Spanish: "los niveles son %s", cube.Croatian: "razine su %s"},
	"the levels are %s and %d more":   {cube.Spanish: "los niveles son %s y %d más", cube.Croatian: "razine su %s i još %d"},
	"the measures are %s":             {cube.Spanish: "las medidas son %s", cube.Croatian: "mjere su %s"},
	"the measures are %s and %d more": {cube.Spanish: "las medidas son %s y %d más", cube.Croatian: "mjere su %s i još %d"},
	"the aggregates are %s":           {cube.Spanish: "los agregados son %s", cube.Croatian: "agregati su %s"},
	"the aggregates are %s and %d more": {
		cube.Spanish: "los agregados son %s y %d más", cube.Croatian: "agregati su %s i još %d",
	},
	"the columns are %s":             {cube.Spanish: "las columnas son %s", cube.Croatian: "stupci su %s"},
	"the columns are %s and %d more": {cube.Spanish: "las columnas son %s y %d más", cube.Croatian: "stupci su %s i još %d"},
	"there are no cubes":             {cube.Spanish: "no hay presupuestos", cube.Croatian: "nema proračuna"},
	"version %d is served":           {cube.Spanish: "se sirve la versión %d", cube.Croatian: "poslužuje se verzija %d"},
	"version %d is served; kept are %s": {
		cube.Spanish: "se sirve la versión %d; se conservan %s", cube.Croatian: "poslužuje se verzija %d; čuvaju se %s",
	},
	"version %d is served; the latest kept are %s": {
		cube.Spanish: "se sirve la versión %d; las últimas que se conservan son %s", cube.Croatian: "poslužuje se verzija %d; posljednje koje se čuvaju su %s",
	},
	"write digits alone, as 2016":               {cube.Spanish: "escriba solo cifras, como 2016", cube.Croatian: "napišite samo znamenke, kao 2016"},
	"write the lower bound first":               {cube.Spanish: "escriba primero el límite inferior", cube.Croatian: "najprije napišite donju granicu"},
	"as 2016.. or ..2018":                       {cube.Spanish: "como 2016.. o ..2018", cube.Croatian: "kao 2016.. ili ..2018"},
	"write %s=…":                                {cube.Spanish: "escriba %s=…", cube.Croatian: "napišite %s=…"},
	"give it once":                              {cube.Spanish: "póngalo una sola vez", cube.Croatian: "navedite ga jednom"},
	"leave the parameter out to ask without it": {cube.Spanish: "quite el parámetro para preguntar sin él", cube.Croatian: "izostavite parametar da pitate bez njega"},
	"write a year":                              {cube.Spanish: "escriba un año", cube.Croatian: "napišite godinu"},
	"name a level of the model":                 {cube.Spanish: "nombre un nivel del modelo", cube.Croatian: "navedite razinu iz modela"},
	"name a measure of the model":               {cube.Spanish: "nombre una medida del modelo", cube.Croatian: "navedite mjeru iz modela"},
	"name the levels to group by":               {cube.Spanish: "nombre los niveles por los que agrupar", cube.Croatian: "navedite razine za raščlambu"},
	"the languages are en, es and hr":           {cube.Spanish: "los idiomas son en, es y hr", cube.Croatian: "jezici su en, es i hr"},
	"the only parameter is %s":                  {cube.Spanish: "el único parámetro es %s", cube.Croatian: "jedini je parametar %s"},
	"this path takes no parameters":             {cube.Spanish: "esta dirección no admite parámetros", cube.Croatian: "ova adresa ne prima parametre"},
	"the parameters are %s; write & inside a value as %%26": {
		cube.Spanish: "los parámetros son %s; dentro de un valor, escriba & como %%26", cube.Croatian: "parametri su %s; & unutar vrijednosti napišite kao %%26",
	},
	"lines are numbered from 1, which is the header": {
		cube.Spanish: "las líneas se numeran desde 1, que es el encabezado", cube.Croatian: "redci su numerirani od 1, a to je zaglavlje",
	},
	"versions are numbered 1, 2, 3 …":    {cube.Spanish: "las versiones se numeran 1, 2, 3…", cube.Croatian: "verzije su numerirane 1, 2, 3 …"},
	"cut it down, or drill fewer levels": {cube.Spanish: "redúzcala con filtros o desglose menos niveles", cube.Croatian: "suzite ga filtrima ili raščlanite po manje razina"},
	"ask with drilldown and cut":         {cube.Spanish: "pregunte con drilldown y cut", cube.Croatian: "pitajte s drilldown i cut"},
}
