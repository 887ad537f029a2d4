package api

import (
	"fmt"
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
	var warnings []cube.Warning
	if one.Synthetic {
		warnings = append(warnings, madeUp)
	}
	file := fmt.Sprintf("%s-%s-v%d.csv", one.Name, strings.TrimSuffix(name, ".csv"), one.Version)
	describeFacts(c.Response().Header(), file, warnings)
	facts := a.streamFacts(c.Request().Context(), timingOf(c), plan)
	return writeFacts(c, header, facts, func(record []string, fact cube.Fact) { writeFields(record, plan.Fields(), fact) })
}
