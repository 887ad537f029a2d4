package api

import (
	"bufio"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// csvBuffer is how many bytes of CSV gather before they are sent. An error before that is answered as one.
const csvBuffer = 64 << 10

// streamCSV answers with the plan's cells as they come from the store.
func (a *api) streamCSV(c echo.Context, plan *cube.Plan, linked bool) error {
	describeCSV(c.Response().Header(), plan)
	table := newCellTable(plan, linked)
	out := bufio.NewWriterSize(c.Response(), csvBuffer)
	_ = writeRecord(out, names(table.columns)) // errors stick to the writer; the last call tells
	record, summary := make([]string, len(table.columns)), true
	var row []datum
	for cell, err := range a.cells(c.Request().Context(), timingOf(c), plan) {
		switch {
		case err != nil:
			return err
		case c.Request().Method == http.MethodHead:
			c.Response().WriteHeader(http.StatusOK)
			return nil
		case summary:
			summary = false
			continue
		}
		row = table.row(cell, row)
		for i, d := range row {
			record[i] = table.columns[i].text(d)
		}
		if err := writeRecord(out, record); err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	return nil
}

func describeCSV(header http.Header, plan *cube.Plan) {
	name := fmt.Sprintf("%s-aggregate-v%d.csv", plan.Cube().Name, plan.Cube().Version)
	header.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if warnings := carried(plan); len(warnings) > 0 {
		header.Set(headerWarnings, warningsText(warnings))
	}
}

// text gives what the column shows of a datum: nothing where it is missing.
func (col column) text(d datum) string {
	switch {
	case d.absent:
		return ""
	case col.kind != kindAmount:
		return d.value.String()
	case d.amount.Valid:
		return d.amount.Decimal.StringFixed(col.scale)
	}
	return ""
}

func names(columns []column) []string {
	list := make([]string, len(columns))
	for i, col := range columns {
		list[i] = col.name
	}
	return list
}

// writeRecord writes a record as RFC 4180 says. encoding/csv with CRLF would also rewrite the line ends inside
// a cell, and write a lone empty cell as a blank line, which readers skip.
func writeRecord(out *bufio.Writer, record []string) error {
	for i, cell := range record {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		_, _ = out.WriteString(csvCell(cell, len(record) == 1))
	}
	_, err := out.WriteString("\r\n")
	return err
}

func csvCell(cell string, alone bool) string {
	if strings.ContainsAny(cell, "\",\r\n") || alone && cell == "" {
		return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
	}
	return cell
}
