package explorer

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

// citedAs writes the citation of a number as BibTeX and as CSL-JSON, which programs for references read.
func citedAs(w *view, text, link string) (bibTeX, csl string) {
	author, title := cmp.Or(w.cb.Publisher, w.cb.Name), w.titleOfCube(w.cb)
	year, version := strconv.Itoa(w.cb.LoadedAt.Year()), strconv.Itoa(w.cb.Version)
	key := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) && r < unicode.MaxASCII || unicode.IsDigit(r) || r == '-' {
			return r
		}
		return '-'
	}, w.cb.Name) + "-v" + version
	var b strings.Builder
	b.WriteString("@misc{" + key + ",\n")
	for _, field := range [][2]string{
		{"author", "{" + texText(author) + "}"}, {"title", texText(title)}, {"year", year}, {"version", version}, {"url", link}, {"note", texText(text)},
	} {
		b.WriteString("  " + field[0] + " = {" + field[1] + "},\n")
	}
	b.WriteString("}")
	item := cslItem{
		ID: key, Type: "dataset", Title: title, Author: []cslName{{author}}, Issued: cslDate{[][]int{{w.cb.LoadedAt.Year(), int(w.cb.LoadedAt.Month()), w.cb.LoadedAt.Day()}}},
		Version: version, URL: link, Note: text,
	}
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode([]cslItem{item}); err != nil {
		panic(err) // texts and numbers always encode
	}
	return b.String(), strings.TrimSpace(encoded.String())
}

// texText writes a text so that TeX prints it.
func texText(text string) string { return texSigns.Replace(text) }

var texSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// cslItem is a reference in CSL-JSON (Citation Style Language 1.0.2, csl-data.json).
type cslItem struct {
	ID      string    `json:"id"`
	Type    string    `json:"type"`
	Title   string    `json:"title"`
	Author  []cslName `json:"author"`
	Issued  cslDate   `json:"issued"`
	Version string    `json:"version"`
	URL     string    `json:"URL"`
	Note    string    `json:"note"`
}

type cslName struct {
	Literal string `json:"literal"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}
