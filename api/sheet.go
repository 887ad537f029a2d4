package api

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// sheet is an answer that is a table, as its format is told of it before the first row.
type sheet struct {
	writing
	one      *cube.Cube
	plan     *cube.Plan // of an answer that is cells
	file     string     // its name, without an extension
	columns  []column
	measures []cube.Measure // that its amounts are of
	question [][2]string    // the clauses of the canonical question, by name
	link     string         // the question pinned to its version
	warnings []warning
	citation *citationJSON // nil where none is asked for
	lang     cube.Language // of the package's own texts
}

// describe says in the header what is in the answer.
func (s sheet) describe(header http.Header) {
	name := s.file + "." + s.format.extension
	header.Set(echo.HeaderContentType, s.format.content)
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	addLink(header, s.link, "canonical")
	if len(s.warnings) > 0 {
		room := mostHeader - len(strings.Join(header.Values(headerLink), ""))
		header.Set(headerWarnings, warningsText(s.warnings, room))
	}
}

// fits refuses more rows than the format holds, before any of them is asked for.
func (s sheet) fits(rows int64) error {
	most := s.format.most
	switch {
	case most > 0 && rows > most:
		return tooLong(fmt.Sprintf("the answer has %d rows, and a sheet of %s holds %d", rows, s.format.name, most))
	case most > 0 && rows*int64(len(s.columns)) > mostSheetCells:
		return tooLong(fmt.Sprintf("the answer has %d rows of %d columns, more than %d cells", rows, len(s.columns), mostSheetCells))
	}
	return nil
}

func tooLong(message string) error {
	err := cube.Errorf(cube.CodeTooLarge, "%s", message)
	err.Hint = "cut it down, or ask with format=csv or format=parquet"
	return err
}

// onPage is how many of the rows stand on a page.
func onPage(rows int64, page cube.Page) int64 {
	if page == cube.Every {
		return rows
	}
	return min(rows, int64(page.Size))
}

// metadata says of a table what its rows do not: names and texts, in an order for readers.
func (s sheet) metadata() [][2]string {
	one := s.one
	list := [][2]string{
		{"question", s.link}, {"cube", one.Name}, {"title", one.TitleIn(s.lang)}, {"source", one.Publisher}, {"website", one.AuthorWebsite},
		{"version", strconv.Itoa(one.Version)}, {"fingerprint", one.Fingerprint}, {"loaded", one.LoadedAt.Format("2006-01-02")},
	}
	for _, m := range s.measures {
		list = append(list, [2]string{"measure", measureText(m)})
	}
	if s.citation != nil {
		list = append(list, [2]string{"citation", s.citation.Text})
	}
	return slices.DeleteFunc(list, func(pair [2]string) bool { return pair[1] == "" })
}

// measureText says in a line what is known of a measure.
func measureText(m cube.Measure) string {
	parts := []string{m.Ref}
	for _, part := range []string{m.Title, m.Currency, m.Phase, m.Direction} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if m.Unit > 1 {
		parts = append(parts, "in units of "+strconv.FormatInt(m.Unit, 10))
	}
	return strings.Join(parts, ", ")
}
