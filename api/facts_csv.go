package api

import (
	"bufio"
	"fmt"
	"iter"
	"mime"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// sendFacts answers with facts as CSV, as they come.
func sendFacts(c echo.Context, plan *cube.FactPlan, facts iter.Seq2[cube.Fact, error]) error {
	header := c.Response().Header()
	describeFacts(header, fmt.Sprintf("%s-facts-v%d.csv", plan.Cube().Name, plan.Cube().Version), carried(plan.CountPlan()))
	fields := plan.Fields()
	return writeFacts(c, factFields(plan), facts, func(record []string, fact cube.Fact) {
		writeFields(record, fields, fact)
		record[len(fields)] = plan.Cube().Resources[fact.Resource].Name
		record[len(fields)+1] = strconv.FormatInt(fact.Line, 10)
	})
}

func describeFacts(header http.Header, name string, warnings []cube.Warning) {
	header.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	if len(warnings) > 0 {
		header.Set(headerWarnings, warningsText(warnings))
	}
}

func writeFields(record []string, fields []cube.Column, fact cube.Fact) {
	for i, field := range fields {
		record[i] = fact.Values[i].Text(int32(field.Scale))
	}
}

// writeFacts writes a record for each fact, which fill makes. Facts are few in memory at any time.
func writeFacts(c echo.Context, header []string, facts iter.Seq2[cube.Fact, error], fill func([]string, cube.Fact)) error {
	out := bufio.NewWriterSize(c.Response(), csvBuffer)
	_ = writeRecord(out, header) // errors stick to the writer; the last call tells
	record := make([]string, len(header))
	for fact, err := range facts {
		if err != nil {
			return err
		}
		if c.Request().Method == http.MethodHead {
			break
		}
		fill(record, fact)
		if err := writeRecord(out, record); err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
	}
	if c.Request().Method == http.MethodHead {
		c.Response().WriteHeader(http.StatusOK)
		return nil
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	return nil
}

// yielded gives facts that are there already.
func yielded(facts []cube.Fact) iter.Seq2[cube.Fact, error] {
	return func(yield func(cube.Fact, error) bool) {
		for _, fact := range facts {
			if !yield(fact, nil) {
				return
			}
		}
	}
}
