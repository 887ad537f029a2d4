package api

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// resource gives the loaded rows of a file as CSV, with the columns that were published.
func (a *api) resource(c echo.Context, one *cube.Cube) error {
	name := pathParameter(c, "resource")
	plan, header, err := one.ResourceFacts(name)
	if err != nil {
		return err
	}
	if a.unchanged(c, one, formatCSV.media) {
		return sendUnchanged(c)
	}
	s := sheet{
		writing: writing{format: formatCSV}, one: one, file: fileName(one, []string{"resource", strings.TrimSuffix(name, ".csv")}, nil),
		link: a.base(c) + permanent(one, "resources/"+url.PathEscape(name), nil),
	}
	if one.Synthetic {
		s.warnings = append(s.warnings, madeUp)
	}
	for i, field := range plan.Fields() {
		col := fieldColumn(field)
		col.name = header[i]
		s.columns = append(s.columns, col)
	}
	facts := a.streamFacts(c.Request().Context(), timingOf(c), plan)
	var row []datum
	return export(c, s, rowsOf(facts, func(fact cube.Fact) ([]datum, error) {
		row = appendFields(row[:0], plan, fact)
		return row, nil
	}))
}
