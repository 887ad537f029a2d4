package describe

import (
	"slices"
	"strings"
	"unicode"

	"fiscube/internal/fold"
	"fiscube/store/evidence"
)

// wordsOf splits the name of a column where its case changes, between letters and digits, and at everything else: codigoNivel is
// codigo nivel, admin1_code is admin 1 code. Words are without case and accents.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, fold.Text(string(word)))
			word = nil
		}
	}
	var last rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			end()
		case unicode.IsDigit(r) != unicode.IsDigit(last) && len(word) > 0, unicode.IsUpper(r) && unicode.IsLower(last):
			end()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		last = r
	}
	end()
	if len(words) == 0 {
		return []string{name} // of signs alone
	}
	return words
}

// Words of names, in English, Spanish, Croatian and some Portuguese and French, without case and accents. They say what a column is about, and
// never outweigh its cells.
var (
	codeWords = set("konto kapitel titel funktion kontonummer rubro partida code codigo cod cve clave id key kod sifra num numero nro number nr broj ident acct objectid fid")

	labelWords = set("label descripcion desc description descricao name nombre nom nome naziv denominacion denominazione opis text texto libelle intitule")

	yearWords = set("year ano anio ejercicio ciclo gestion godina annee jahr exercicio exercise exercice fy ปี ปีงบประมาณ")

	publicationWords = set("publication publicacion edition version")

	monthWords = set("publication publicacion edition version month mes mjesec trimestre quarter kvartal period periodo razdoblje corte bimestre semestre")

	dateWords = set("date fecha datum data day dia dan corte")

	moneyWords = set("monto importe valor presupuesto credito amount value iznos budget approved aprobado executed ejecutado devengado " +
		"pagado vigente modificado spent paid actual expenditure revenue odobreno izvrseno proracun plan pago gasto total saldo inicial " +
		"amendment amendments adjustment adjustments appropriation appropriations transfer transfers adopted allocation allocations allocated balance cost costs encumbered " +
		"betrag ansatz soll ist ausgaben einnahmen summe ergebnis suma kwota castka сума сумма план факт " +
		"ejercido recaudado percibido comprometido obligado adefas orcamento empenhado liquidado montant depense depenses recette recettes credits")

	// amountWords say that a number is money, whatever else the name says.
	amountWords = set("amount value cost costs monto importe betrag valor iznos dollars euros usd eur")

	rateWords = set("share shares change variance difference anteil veranderung diferencia diferenca variazione capita kopf lat latitude lon lng longitude longitud latitud price prices unitprice precio preis prix prezzo average promedio durchschnitt persentase prozent procent percentual percentagem percentuale indeks index indice variacion variation quota porcentaje pct percent percentage tasa rate avance ratio udio postotak participacion")
)

// isOfParties tells whether a name is that of suppliers or recipients, who may be as many as there are rows.
func isOfParties(words []string) bool {
	c, _, _ := conceptOf(words)
	return c == supplier || c == recipient
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[fold.Text(word)] = true
	}
	return all
}

// has gives the first of the words that is in a set, or "".
func has(words []string, in map[string]bool) string {
	for _, word := range words {
		if in[word] {
			return word
		}
	}
	return ""
}

// concept is what a level is about. Its name is that of the dimension.
type concept struct {
	name, kind, classification string
}

// The concepts of the published format, and object, which is economic too.
var (
	fact           = concept{"budget-line-id", "fact", ""}
	expenditure    = concept{"expenditure-type", "other", ""}
	finSource      = concept{"fin-source", "other", ""}
	geo            = concept{"geo-source", "location", ""}
	functional     = concept{"functional-classification", "classification", "functional"}
	object         = concept{"object-of-expenditure", "classification", "economic"}
	economic       = concept{"economic-classification", "classification", "economic"}
	activity       = concept{"activity", "activity", ""}
	administrative = concept{"administrative-classification", "classification", "administrative"}
	supplier       = concept{"supplier", "other", ""}
	recipient      = concept{"recipient", "other", ""}
)

// phrases are several words of one name; they go before words.
var phrases = []struct {
	words string
	of    concept
}{
	{"clave presupuestaria", fact}, {"budget line", fact}, {"tipo gasto", expenditure}, {"expenditure type", expenditure},
	{"organismo financiador", finSource}, {"entidad federativa", geo}, {"area funcional", functional}, {"actividad institucional", activity},
	{"objeto gasto", object}, {"clasificador gasto", object}, {"proyecto inv", activity}, {"sustainable development", activity},
}

// conceptWords are words of names; of several in one name the concept that comes first here counts.
var conceptWords = []struct {
	of    concept
	words map[string]bool
}{
	{supplier, set("supplier suppliers vendor vendors merchant contractor proveedor contratista lieferant lieferanten auftragnehmer fournisseur titulaire " +
		"dobavljac isporucitelj fornecedor contratado постачальник контрагент")},
	{recipient, set("recipient beneficiary payee grantee beneficiario receptor destinatario perceptor begunstigter begunstigte begunstigten empfanger " +
		"empfangers zuwendungsempfanger zahlungsempfanger beneficiaire destinataire primatelj favorecido одержувач отримувач бенефіціар")},
	{expenditure, set("tipogasto")},
	{finSource, set("fin financ financiamiento financiacion financing finance fuente source fund fondo ff izvor financiranja recurso")},
	{geo, set("geo geographic departamento municipio municipality provincia province region estado distrito district county canton ubicacion " +
		"location zupanija opcina grad localidad comuna parroquia")},
	{functional, set("func function functional funcion funcional subfuncion subfunction finalidad cofog funkcija funkcijska cf")},
	{object, set("objeto object odg odgyaux capitulo concepto partida subpartida generica cog konto conto account cuenta rubro item")},
	{economic, set("econ economic economica economico ekonomska ce ci")},
	{activity, set("activity activities actividad program programa programme subprograma subprogram subprogramme pp modalidad project proyecto aktivnost " +
		"projekt obra programska")},
	{administrative, set("admin administrative administrativa org organismo organizacion organization organisation institucion institution " +
		"institutional entidad entity ministerio ministry ministarstvo ramo ur ue unidad unit office department dependencia jurisdiccion " +
		"jurisdiction secretaria agency agencia razdjel organ poder gobierno sector subsector razdio korisnik")},
}

// conceptOf gives what a name is about, and the words that say so.
func conceptOf(words []string) (c concept, why string, ok bool) {
	for _, p := range phrases {
		phrase := strings.Fields(p.words)
		all := !slices.ContainsFunc(phrase, func(word string) bool { return !slices.Contains(words, word) })
		if all {
			return p.of, p.words, true
		}
	}
	for _, c := range conceptWords {
		if word := has(words, c.words); word != "" {
			return c.of, word, true
		}
	}
	return concept{}, "", false
}

// order ranks words of levels that lie below each other, where the cells do not tell.
var order = map[string]int{
	"finalidad": 1, "funcional": 1, "funcion": 2, "func": 2, "function": 2, "subfuncion": 3, "subfunction": 3, "area": 4,
	"modalidad": 1, "programa": 2, "program": 2, "programme": 2, "pp": 2, "subprograma": 3, "subprogram": 3, "activity": 4, "actividad": 4, "proyecto": 4, "project": 4,
	"capitulo": 1, "grupo": 1, "clase": 1, "concepto": 2, "subgrupo": 2, "subclase": 2, "categoria": 3, "partida": 3, "generica": 3, "objeto": 4, "especifica": 4, "subpartida": 4,
	"nivel": 1, "ramo": 1, "ministerio": 1, "ministry": 1, "gobierno": 1, "titulo": 1, "subtitulo": 2, "entidad": 2, "sector": 2, "subsector": 3, "ur": 4, "ue": 4, "unidad": 4, "unit": 4,
	"year": 1, "anio": 1, "ano": 1, "mes": 2, "month": 2, "fecha": 3, "date": 3,
}

// rankOf gives the rank of a level by the first word of its name that has one; 0 where none has.
func rankOf(words []string) int {
	for _, word := range words {
		if rank := order[word]; rank > 0 {
			return rank
		}
	}
	return 0
}

// numberIn gives the number of a level in its name, as in admin1_code; 0 where there is none.
func numberIn(words []string) int {
	for _, word := range words {
		if evidence.IsDigits(word) && len(word) == 1 {
			return int(word[0] - '0')
		}
	}
	return 0
}

// generic are words that many names have, so that sharing them means nothing.
var generic = set("tipo type grupo subgrupo group nivel level clase class unidad area origen total new old sub desc de del la el of the y and origin main der des die das und von fur im in")

// phaseWords say which phase an amount is of; of several in one name the first here counts.
var phaseWords = []struct {
	phase string
	words map[string]bool
}{
	{"executed", set("executed ejecutado ejecucion execution ejercido ejercicio devengado pagado paid spent actual izvrseno percibido recaudado " +
		"ist ergebnis rechnung outturn accounts transferido liquidado obligado gastado outturn adefas received")},
	{"adjusted", set("adjusted modificado vigente revised ajustado reformulado rebalans amended updated current")},
	{"proposed", set("proposed proyecto propuesto draft proposal prijedlog")},
	{"approved", set("approved adopted appropriation appropriations budget ansatz soll plans aprobado inicial initial original enacted ley odobreno plan autorizado budgeted presupuestado")},
}

// directionWords say whether money is spent or received.
var directionWords = []struct {
	direction string
	words     map[string]bool
}{
	{"revenue", set("revenue revenues ingreso ingresos income recaudado percibido prihod prihodi receita recaudacion recette recettes")},
	{"expenditure", set("expenditure expenditures expense expenses spending gasto gastos egreso egresos rashod rashodi rashoda despesa depense depenses")},
}
