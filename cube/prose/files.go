package prose

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// Synthetic warns that figures are made up, for answers that have no field for it.
func Synthetic(l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnSynthetic, Message: in(fileTexts, l).madeUp}
}

// CellCount is how many of the cells of a column are meant.
type CellCount struct {
	Column    string
	Cells, Of int
}

// AmountsAsText warns that a workbook has numbers as text.
func AmountsAsText(counts []CellCount, l cube.Language) cube.Warning {
	w := in(fileTexts, l)
	return cube.Warning{Code: cube.WarnAmountsAsText, Message: fmt.Sprintf(w.asText, w.counted(counts))}
}

// QuotientsRounded warns that a workbook has quotients with fewer digits than other files.
func QuotientsRounded(counts []CellCount, l cube.Language) cube.Warning {
	w := in(fileTexts, l)
	return cube.Warning{Code: cube.WarnQuotientsRounded, Message: fmt.Sprintf(w.shortened, w.counted(counts))}
}

// mostColumns bounds how many columns a message lists.
const mostColumns = 12

func (w fileWords) counted(counts []CellCount) string {
	listed := each.Text(counts[:min(len(counts), mostColumns)], func(c CellCount) string {
		return fill(w.cells, c.Column, c.Cells, c.Of)
	})
	if more := len(counts) - len(listed); more > 0 {
		listed = append(listed, fill(w.columns, more))
	}
	return strings.Join(listed, ", ")
}

// Measure says in a line what is known of a measure.
func Measure(m cube.Measure, l cube.Language) string {
	parts := []string{m.Ref}
	for _, part := range []string{cmp.Or(m.Titles.In(l), m.Title), m.Currency, m.Phase, m.Direction, m.Kind} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if m.Unit > 1 {
		parts = append(parts, fmt.Sprintf(in(fileTexts, l).unit, m.Unit))
	}
	return strings.Join(parts, ", ")
}

// Series says in a line what is known of a series of prices or of inhabitants.
func Series(s cube.Series) string {
	return strings.Join([]string{s.Title, s.Country, s.Source, s.Updated, s.License}, ", ")
}

// LeftOut tells why the rows of a resource are not loaded, which is stored in English. "" where they are.
func LeftOut(stored string, l cube.Language) string { return cmp.Or(leftOutTexts[stored][l], stored) }

// Extract is the title of a package that has an answer from the package with a title.
func Extract(title string, l cube.Language) string {
	return fmt.Sprintf(in(fileTexts, l).extract, title)
}

// AnswerOf notes, in every language, which question the rows of a package are the answer to.
func AnswerOf(link string) cube.Titles {
	note := cube.Titles{}
	for l, w := range fileTexts {
		note[string(l)] = fmt.Sprintf(w.answer, link)
	}
	return note
}

// SearchPending warns that the members of a cube cannot be found yet.
func SearchPending(name string, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnSearchPending, Message: fmt.Sprintf(in(searchTexts, l).pending, name)}
}

// SearchPartial warns that so many members of a cube are not found.
func SearchPartial(name string, members int64, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnSearchPartial, Message: fmt.Sprintf(in(searchTexts, l).partial, name, members)}
}

// YearNotCovered warns that a cube has no rows of the year that a search names, but of others.
func YearNotCovered(name string, year int64, years []int64, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnYearNotCovered, Message: fmt.Sprintf(in(searchTexts, l).notCovered, year, name, Locale{Language: l}.Years(years))}
}

// PackageFile is a CSV file of a whole package.
type PackageFile struct {
	Path, Resource string
	Rows           int64
	Published      string // the path of the file that it was loaded from
	Hash           string // SHA-256 of that file
	Totals         []int64
}

// PackageReadme says as plain text what is in the zip of a whole package, and what is not.
func PackageReadme(cb *cube.Cube, files []PackageFile, link string, l cube.Language) string {
	w := in(readmeTexts, l)
	var b strings.Builder
	say := func(template string, args ...any) { b.WriteString(fill(template, args...) + "\n") }
	say("%s\n", tidy.Label(cmp.Or(cb.TitleIn(l), cb.Name)))
	if cb.Synthetic {
		say(w.madeUp)
	}
	say(w.what, cb.Name, cb.Version, cb.LoadedAt.Format("2006-01-02"), cb.Fingerprint)
	say(w.link+"\n", link)
	for _, f := range files {
		say(w.file, f.Path, f.Rows, tidy.Label(f.Resource), tidy.Label(f.Published), f.Hash)
	}
	b.WriteByte('\n')
	switch {
	case cb.Overlay == nil:
		say(w.noOverlayKept)
	case len(cb.Overlay) == 0:
		say(w.noOverlay)
	default:
		say(w.overlay)
	}
	w.leftOut(say, cb, files)
	return b.String()
}

// leftOut says which files and rows are not in the zip.
func (w readmeWords) leftOut(say func(string, ...any), cb *cube.Cube, files []PackageFile) {
	for _, r := range cb.Resources {
		switch {
		case r.Repeats:
			say(w.repeated, tidy.Label(r.Name))
		case r.LeftOut != "":
			say(w.notThere, tidy.Label(r.Name))
		}
	}
	for _, f := range files {
		if len(f.Totals) > 0 {
			lines := each.Text(f.Totals[:min(len(f.Totals), mostColumns)], func(line int64) string { return strconv.FormatInt(line, 10) })
			if len(f.Totals) > mostColumns {
				lines = append(lines, "…")
			}
			say(w.totals, len(f.Totals), tidy.Label(f.Resource), strings.Join(lines, ", "))
		}
	}
}
