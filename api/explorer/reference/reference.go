// Package reference writes references to numbers in the forms that programs for lists of references read: BibTeX and CSL-JSON.
package reference

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fiscube/internal/tidy"
)

// Work is a number as a list of references has it: with a key and a title of its own, so that two numbers of a budget stand side by side.
type Work struct {
	Key       string
	Author    string
	Title     string
	Budget    string // the title of the budget that it is in
	Version   int    // of the budget
	Published time.Time
	Accessed  time.Time
	Link      string
	Note      string // the citation as a sentence
}

// Key joins what tells a number apart from others as a key of BibTeX: letters and digits of ASCII, with hyphens between words.
func Key(parts ...string) string {
	return strings.Join(strings.FieldsFunc(strings.Join(parts, "-"), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}

// BibTeX writes an entry of BibTeX.
func (w Work) BibTeX() string {
	var b strings.Builder
	b.WriteString("@misc{" + w.Key + ",\n")
	for _, field := range [][2]string{
		{"author", "{" + texText(w.Author) + "}"}, {"title", texText(w.Title)}, {"howpublished", texText(w.Budget)}, {"year", strconv.Itoa(w.Published.Year())},
		{"version", strconv.Itoa(w.Version)}, {"url", w.Link}, {"urldate", w.Accessed.Format(time.DateOnly)}, {"note", texText(w.Note)},
	} {
		b.WriteString("  " + field[0] + " = {" + field[1] + "},\n")
	}
	b.WriteString("}")
	return tidy.Visible(b.String())
}

// CSL writes a list of one item of CSL-JSON.
func (w Work) CSL() string {
	item := cslItem{
		ID: w.Key, Type: "dataset", Title: w.Title, Container: w.Budget, Author: []map[string]string{{"literal": w.Author}}, Issued: cslDay(w.Published), Accessed: cslDay(w.Accessed),
		Version: strconv.Itoa(w.Version), URL: w.Link, Note: w.Note,
	}
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode([]cslItem{item}); err != nil {
		panic(err) // texts and numbers always encode
	}
	return tidy.Visible(strings.TrimSpace(encoded.String()))
}

// texText writes a text so that TeX prints it.
func texText(text string) string { return texSigns.Replace(text) }

var texSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// cslItem is a reference in CSL-JSON (Citation Style Language 1.0.2, csl-data.json).
type cslItem struct {
	ID        string              `json:"id"`
	Type      string              `json:"type"`
	Title     string              `json:"title"`
	Container string              `json:"container-title"`
	Author    []map[string]string `json:"author"`
	Issued    cslDate             `json:"issued"`
	Accessed  cslDate             `json:"accessed"`
	Version   string              `json:"version"`
	URL       string              `json:"URL"`
	Note      string              `json:"note"`
}

type cslDate map[string][][]int

func cslDay(day time.Time) cslDate {
	return cslDate{"date-parts": {{day.Year(), int(day.Month()), day.Day()}}}
}
