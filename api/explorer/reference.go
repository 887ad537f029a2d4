package explorer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/prose"
)

// referenceTo writes the citation of a number as BibTeX and as CSL-JSON, which programs for references read: with a key and a title of
// its own, so that two numbers of a budget stand side by side. The year is that in which the package was last published, as it says,
// else that in which it was loaded, which is when it was accessed.
func (w *view) referenceTo(text, link string) (bibTeX, csl string) {
	key, version := w.referenceKey(), strconv.Itoa(w.cb.Version)
	budget := w.TitleOfCube(w.cb)
	author, title := cmp.Or(w.cb.Publisher, budget), w.unit()+" – "+w.title
	issued := publishedOn(w.cb)
	var b strings.Builder
	b.WriteString("@misc{" + key + ",\n")
	for _, field := range [][2]string{
		{"author", "{" + texText(author) + "}"}, {"title", texText(title)}, {"howpublished", texText(budget)}, {"year", strconv.Itoa(issued.Year())},
		{"version", version}, {"url", link}, {"urldate", w.cb.LoadedAt.Format(time.DateOnly)}, {"note", texText(text)},
	} {
		b.WriteString("  " + field[0] + " = {" + field[1] + "},\n")
	}
	b.WriteString("}")
	item := cslItem{
		ID: key, Type: "dataset", Title: title, Container: budget, Author: []cslName{{author}}, Issued: cslDay(issued), Accessed: cslDay(w.cb.LoadedAt),
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

// referenceKey names the number in a list of references: by the budget, the measure, the times, the codes of the members, and the
// version.
func (w *view) referenceKey() string {
	var times, members []string
	for _, f := range w.answer.Plan.FiltersAsked() {
		var codes []string
		for i := range f.Echo {
			codes = append(codes, prose.Codes(f, i, cube.English)...)
		}
		if f.Not {
			codes = append([]string{"not"}, codes...)
		}
		level, _ := f.Level(w.cb.Model)
		if dimension, _ := w.cb.Model.Dimension(level.Dimension); dimension.Type == cube.DimensionTime {
			times = append(times, codes...)
		} else {
			members = append(members, codes...)
		}
	}
	parts := slices.Concat([]string{w.cb.Name, w.answer.Plan.Aggregates()[0].Name}, times, members, []string{"v" + strconv.Itoa(w.cb.Version)})
	return strings.Join(strings.FieldsFunc(strings.Join(parts, "-"), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}

// publishedOn is the day on which a package was last published, as far as it says so, else that on which it was loaded.
func publishedOn(cb *cube.Cube) time.Time {
	for _, said := range []string{cb.UpdatedAt, cb.CreatedAt} {
		if day, err := time.Parse(time.DateOnly, said[:min(len(said), len(time.DateOnly))]); err == nil {
			return day
		}
	}
	return cb.LoadedAt
}

// texText writes a text so that TeX prints it.
func texText(text string) string { return texSigns.Replace(text) }

var texSigns = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// cslItem is a reference in CSL-JSON (Citation Style Language 1.0.2, csl-data.json).
type cslItem struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Title     string    `json:"title"`
	Container string    `json:"container-title"`
	Author    []cslName `json:"author"`
	Issued    cslDate   `json:"issued"`
	Accessed  cslDate   `json:"accessed"`
	Version   string    `json:"version"`
	URL       string    `json:"URL"`
	Note      string    `json:"note"`
}

type cslName struct {
	Literal string `json:"literal"`
}

type cslDate struct {
	Parts [][]int `json:"date-parts"`
}

func cslDay(day time.Time) cslDate {
	return cslDate{[][]int{{day.Year(), int(day.Month()), day.Day()}}}
}
