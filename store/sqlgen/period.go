package sqlgen

import (
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
)

// PeriodColumn is the column of a view with the day on which the period of a row begins, for tools that draw amounts over time.
const PeriodColumn = "_period"

// periodStart writes the day on which the period of a row begins: the day of its date, else the first one of its month, or of another part of the
// year, else the first of January of its fiscal year. It is NULL where a row has none of these. No cell makes it fail.
func periodStart(c *cube.Cube) string {
	var days, parts strings.Builder
	year, hasYear := c.Model.FiscalYear()
	inYear := fmt.Sprintf("f.%s BETWEEN 1 AND 9999", column(year.Name))
	for _, l := range c.Model.Levels() {
		d, _ := c.Model.Dimension(l.Dimension)
		if d.Type != cube.DimensionTime || c.Model.IsSnapshot(l.Ref) {
			continue
		}
		field := "f." + column(l.Ref)
		if l.Type == cube.TypeText {
			number := func(from, letters int) string {
				return fmt.Sprintf("CAST(substr(%s, %d, %d) AS integer)", field, from, letters)
			}
			fmt.Fprintf(&days, " WHEN %s ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' THEN make_date(%s, %s, 1) + (%s - 1)",
				field, number(1, 4), number(6, 2), number(9, 2))
		}
		if hasYear && c.Coverage != nil && slices.ContainsFunc(c.Coverage.Periods, func(of cube.YearPeriods) bool { return of.Column == l.Ref }) {
			inAll := c.PeriodsOfYear(l)
			number := "CAST(CASE WHEN CAST(" + field + " AS text) ~ '^0?([1-9]|1[0-2])$' THEN " + field + " END AS integer)"
			fmt.Fprintf(&parts, " WHEN %s AND %s <= %d THEN make_date(CAST(f.%s AS integer), (%s - 1) * %d + 1, 1)",
				inYear, number, inAll, column(year.Name), number, 12/inAll)
		}
	}
	if hasYear {
		fmt.Fprintf(&parts, " WHEN %s THEN make_date(CAST(f.%s AS integer), 1, 1)", inYear, column(year.Name))
	}
	if days.Len()+parts.Len() == 0 {
		return "CAST(NULL AS date)"
	}
	return "CASE" + days.String() + parts.String() + " END"
}

// CubesView is the view of the packages that are served, whose name no package has.
const CubesView = "_cubes"

// CreateCubesView makes the view. What a package says of itself is read when the view is asked, so that no load has to change it.
const CreateCubesView = `CREATE OR REPLACE VIEW ` + ViewSchema + `."` + CubesView + `" AS SELECT v.package AS name, CAST(v.content AS json) ->> 'title' AS title,
	CAST(v.content AS json) ->> 'country' AS country, CAST(CAST(v.content AS json) -> 'coverage' -> 'years' ->> 0 AS integer) AS first_year,
	CAST(CAST(v.content AS json) -> 'coverage' -> 'years' ->> -1 AS integer) AS last_year, v.rows AS rows, v.number AS version, v.loaded_at AS loaded,
	coalesce(CAST(v.content AS json) ->> 'synthetic', 'false') = 'true' AS synthetic
	FROM fiscube.version v JOIN fiscube.package p ON p.name = v.package AND p.served = v.number WHERE NOT v.gone`
