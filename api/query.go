package api

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// parameter is one that a route takes.
type parameter struct {
	name      string
	separator string    // joins the texts of a repeated one; "" where it is given once
	twice     cube.Code // the mistake of repeating one without a separator
}

// aggregateParameters are those of …/aggregate: the clauses of a question, then how it is answered.
var aggregateParameters = append(questionParameters(), []parameter{
	{name: "page", twice: cube.CodeBadPage},
	{name: "pagesize", twice: cube.CodeBadPage},
	{name: "format", twice: cube.CodeBadValue},
	{name: "excel", twice: cube.CodeBadValue},
	{name: "numbers", twice: cube.CodeBadValue},
	{name: "links", twice: cube.CodeBadValue},
	{name: "cite", twice: cube.CodeBadValue},
	inLang,
	pin,
}...)

// inLang says the language of texts for people.
var inLang = parameter{name: "lang", twice: cube.CodeBadValue}

func questionParameters() []parameter {
	var list []parameter
	for _, clause := range cube.Clauses() {
		list = append(list, parameter{clause.Name, clause.Separator, cube.CodeBadValue})
	}
	return list
}

// question is a query and how its answer is to be written.
type question struct {
	cube.Query
	writing
	version int  // or servedVersion
	links   bool // every cell with its cut and the level below
	cite    bool // with a sentence that says what the summary is
	lang    cube.Language
}

// readQuestion reads the URL, and of the headers what decides the format.
func readQuestion(r *http.Request) (question, error) {
	given, err := readParameters(r.URL.RawQuery, aggregateParameters)
	if err != nil {
		return question{}, err
	}
	writing, badFormat := readWriting(given, r.Header.Values("Accept"))
	q, err := questionOf(given, writing)
	return q, cmp.Or(err, badFormat)
}

// questionOf reads the parameters but for those that say how the answer is to be written.
func questionOf(given map[string]string, w writing) (question, error) {
	query, badQuery := cube.ParseQuery(given)
	if w.rows() && badQuery == nil {
		query.Page = pageOfExport(given, query.Page)
	}
	links, badLinks := readFlag(given, "links")
	cite, badCite := readCite(given, w)
	lang, badLang := readLanguage(given)
	version, badVersion := readVersion(given)
	return question{query, w, version, links, cite, lang}, cmp.Or(badQuery, badLinks, badCite, badLang, badVersion)
}

// readParameters splits the raw query on & and nothing else, so that a bare ; or % never loses a part of the
// question, and refuses what is not among known. What trackers add to links is passed over.
func readParameters(raw string, known []parameter) (map[string]string, error) {
	given := map[string]string{}
	for piece := range strings.SplitSeq(raw, "&") {
		name, text, assigned := strings.Cut(piece, "=")
		name = unescape(name)
		if piece == "" || strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "_") {
			continue
		}
		i := slices.IndexFunc(known, func(p parameter) bool { return p.name == name })
		switch {
		case i < 0:
			return nil, unknownParameter(name, known)
		case !assigned:
			return nil, mistake(cube.CodeBadSyntax, name, name+" has no value", "write "+name+"=…")
		}
		if err := known[i].add(given, unescape(text)); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// add joins the text to those already given.
func (p parameter) add(given map[string]string, text string) error {
	before, again := given[p.name]
	if again && p.separator == "" {
		return mistake(p.twice, p.name, p.name+" is given more than once", "give it once")
	}
	if again {
		text = before + p.separator + text
	}
	given[p.name] = text
	return nil
}

func unknownParameter(name string, known []parameter) error {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.name
	}
	hint := "the parameters are " + strings.Join(names, ", ") + "; write & inside a value as %26"
	switch near := cube.Nearest(name, names); {
	case name == "page" && slices.Contains(names, "after"):
		hint = "pages of facts have no numbers: after=NEXT asks for the page that next of an answer leads to"
	case near != "":
		hint = "did you mean " + near + "?"
	case len(known) == 0:
		hint = "this path takes no parameters"
	case len(known) == 1:
		hint = "the only parameter is " + names[0]
	}
	return mistake(cube.CodeUnknownParameter, name, "no parameter "+strconv.Quote(name), hint)
}

// mistake is an error at the beginning of a parameter.
func mistake(code cube.Code, parameter, message, hint string) error {
	err := cube.Errorf(code, "%s", message)
	err.Position = &cube.Position{Parameter: parameter}
	err.Hint = hint
	return err
}

// unescape decodes percent signs where two hexadecimal digits follow, leaves the others as they are, and reads
// + as a space.
func unescape(text string) string {
	if !strings.ContainsAny(text, "%+") {
		return text
	}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		char := text[i]
		if char == '+' {
			char = ' '
		}
		if char == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				char = byte(n)
				i += 2
			}
		}
		decoded = append(decoded, char)
	}
	return string(decoded)
}

// pageOfExport gives the page asked for. An export without one is of every cell.
func pageOfExport(given map[string]string, page cube.Page) cube.Page {
	_, paged := given["page"]
	_, sized := given["pagesize"]
	if paged || sized {
		return page
	}
	return cube.Every
}

// readFlag tells whether the parameter is given and says yes.
func readFlag(given map[string]string, name string) (bool, error) {
	text, ok := given[name]
	if !ok {
		return false, nil
	}
	return cube.ParseFlag(name, text)
}

// readCite tells whether a citation is asked for, which some formats have no place for.
func readCite(given map[string]string, w writing) (bool, error) {
	cite, err := readFlag(given, "cite")
	if err == nil && cite && w.rows() && !w.format.about {
		err = mistake(cube.CodeBadValue, "cite", "an answer in "+w.format.name+" has no place for a citation",
			"ask for json, xlsx or parquet, or for …/package.zip")
	}
	return cite, err
}

// readLanguage gives the language of texts for people.
func readLanguage(given map[string]string) (cube.Language, error) {
	text, ok := given["lang"]
	if !ok {
		return cube.English, nil
	}
	return cube.ParseLanguage(text)
}

// readQuoted tells whether amounts are asked for as strings.
func readQuoted(given map[string]string) (bool, error) {
	text, ok := given["numbers"]
	if ok && text != "string" {
		return false, mistake(cube.CodeBadValue, "numbers", "numbers is "+strconv.Quote(text), "the only choice is string")
	}
	return ok, nil
}
