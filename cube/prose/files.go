package prose

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/words"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// Synthetic warns that figures are made up, for answers that have no field for it.
func Synthetic(l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnSynthetic, Weight: cube.Note, Message: words.Locale{Language: l}.Say("file.made-up")}
}

// CellCount is how many of the cells of a column are meant.
type CellCount struct {
	Column    string
	Cells, Of int
}

// AmountsAsText warns that a workbook has numbers as text.
func AmountsAsText(counts []CellCount, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnAmountsAsText, Weight: cube.Background, Message: words.Locale{Language: l}.Say("file.as-text", "Columns", counted(counts, l))}
}

// QuotientsRounded warns that a workbook has quotients with fewer digits than other files.
func QuotientsRounded(counts []CellCount, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnQuotientsRounded, Weight: cube.Background, Message: words.Locale{Language: l}.Say("file.shortened", "Columns", counted(counts, l))}
}

// mostColumns bounds how many columns a message lists.
const mostColumns = 12

func counted(counts []CellCount, l cube.Language) string {
	say := words.Locale{Language: l}.Say
	listed := each.Text(counts[:min(len(counts), mostColumns)], func(c CellCount) string {
		return say("file.cells", "Column", c.Column, "Cells", words.Digits(c.Cells), "Count", words.Digits(c.Of))
	})
	if more := len(counts) - len(listed); more > 0 {
		listed = append(listed, say("file.more-columns", "Count", more))
	}
	return strings.Join(listed, ", ")
}

// Measure says in a line what is known of a measure.
func Measure(m cube.Measure, l cube.Language) string {
	parts := []string{m.Ref, cmp.Or(m.Titles.In(l), m.Title), m.Currency, m.Phase, m.Direction, m.Kind}
	if m.Unit > 1 {
		parts = append(parts, words.Locale{Language: l}.Say("file.unit", "Unit", words.Digits(m.Unit)))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// Series says in a line what is known of a series of prices or of inhabitants.
func Series(s cube.Series) string {
	return strings.Join([]string{s.Title, s.Country, s.Source, s.Updated, s.License}, ", ")
}

// LeftOut tells why the rows of a resource are not loaded, which is stored in English. "" where they are.
func LeftOut(stored string, l cube.Language) string {
	message := map[string]string{findings.LeftRepeated: "left-out.repeated", findings.LeftMissing: "left-out.missing"}[stored]
	if message == "" {
		return stored
	}
	return words.Locale{Language: l}.Say(message)
}

// Extract is the title of a package that has an answer from the package with a title.
func Extract(title string, l cube.Language) string {
	return words.Locale{Language: l}.Say("file.extract", "Title", title)
}

// AnswerOf notes, in every language, which question the rows of a package are the answer to.
func AnswerOf(link string) cube.Titles {
	note := cube.Titles{}
	for _, l := range words.Languages() {
		note[string(l)] = words.Locale{Language: l}.Say("file.answer", "Link", link)
	}
	return note
}

// SearchPending warns that the members of a cube cannot be found yet.
func SearchPending(name string, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnSearchPending, Weight: cube.Note, Message: words.Locale{Language: l}.Say("search-warning.pending", "Budget", name)}
}

// SearchPartial warns that so many members of a cube are not found.
func SearchPartial(name string, members int64, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnSearchPartial, Weight: cube.Note, Message: words.Locale{Language: l}.Say("search-warning.partial", "Budget", name, "Number", words.Digits(members))}
}

// YearNotCovered warns that a cube has no rows of the year that a search names, but of others.
func YearNotCovered(name string, year int64, years []int64, l cube.Language) cube.Warning {
	return cube.Warning{Code: cube.WarnYearNotCovered, Weight: cube.Note, Message: words.Locale{Language: l}.Say("search-warning.not-covered", "Year", words.Digits(year), "Budget", name, "Years", words.Locale{Language: l}.Years(years))}
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
	var b strings.Builder
	say := func(id string, params ...any) { b.WriteString(words.Locale{Language: l}.Say(id, params...) + "\n") }
	b.WriteString(tidy.Label(cmp.Or(cb.TitleIn(l), cb.Name)) + "\n\n")
	if cb.Synthetic {
		say("readme.made-up")
	}
	say("readme.what", "Name", cb.Name, "Version", words.Digits(cb.Version), "Date", cb.LoadedAt.Format("2006-01-02"), "Fingerprint", cb.Fingerprint)
	say("readme.link", "Link", link)
	b.WriteByte('\n')
	for _, f := range files {
		say("readme.file", "File", f.Path, "Count", words.Digits(f.Rows), "Resource", tidy.Label(f.Resource), "Published", tidy.Label(f.Published), "Hash", f.Hash)
	}
	b.WriteByte('\n')
	switch {
	case cb.Overlay == nil:
		say("readme.no-overlay-kept")
	case len(cb.Overlay) == 0:
		say("readme.no-overlay")
	default:
		say("readme.overlay")
	}
	for _, r := range cb.Resources {
		switch {
		case r.Repeats:
			say("readme.repeated", "Resource", tidy.Label(r.Name))
		case r.LeftOut != "":
			say("readme.not-there", "Resource", tidy.Label(r.Name))
		}
	}
	for _, f := range files {
		lines := each.Text(f.Totals[:min(len(f.Totals), mostColumns)], func(line int64) string { return strconv.FormatInt(line, 10) })
		if len(f.Totals) > mostColumns {
			lines = append(lines, "…")
		}
		if len(lines) > 0 {
			say("readme.totals", "Count", words.Digits(len(f.Totals)), "Resource", tidy.Label(f.Resource), "Lines", strings.Join(lines, ", "))
		}
	}
	return b.String()
}
