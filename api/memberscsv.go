package api

import (
	"bufio"
	"fmt"
	"mime"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// membersCSV writes members as CSV: the path, the label that is shown where the level has any, the rows and the first
// and last fiscal year. No field has a name like those of the latter.
type membersCSV struct{}

func (membersCSV) header(header http.Header, plan *cube.MemberPlan) {
	one := plan.Cube()
	name := fmt.Sprintf("%s-%s-v%d.csv", one.Name, plan.Level().Ref, one.Version)
	header.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if warnings := carried(plan.Question()); len(warnings) > 0 {
		header.Set(headerWarnings, warningsText(warnings))
	}
}

func (membersCSV) write(out *bufio.Writer, plan *cube.MemberPlan, row cube.MemberRow) error {
	if row.Path == nil {
		return writeRecord(out, membersHeader(plan))
	}
	var record []string
	for _, key := range row.Path {
		record = append(record, key.String())
	}
	if plan.Level().LabelRef != "" {
		record = append(record, row.Label.String())
	}
	return writeRecord(out, append(record, strconv.FormatInt(row.Rows, 10), row.First.String(), row.Last.String()))
}

func membersHeader(plan *cube.MemberPlan) []string {
	var record []string
	for _, column := range plan.Path() {
		record = append(record, column.Name)
	}
	if plan.Level().LabelRef != "" {
		record = append(record, plan.Level().LabelRef)
	}
	return append(record, "_rows", "_first_year", "_last_year")
}

func (membersCSV) end(*bufio.Writer, *cube.MemberPlan) {}
