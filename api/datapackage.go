package api

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
)

// packageParameters are those of …/package.zip: how to write the rows is no choice there.
var packageParameters = slices.DeleteFunc(slices.Clone(aggregateParameters), func(p parameter) bool {
	return slices.Contains([]string{"format", "excel", "numbers"}, p.name)
})

// datapackage answers a question of one cube with a data package, which anybody can check and ask again.
func (a *api) datapackage(c echo.Context) error {
	question, plan, err := a.plan(c, timingOf(c), readPackage)
	if err != nil {
		return err
	}
	if a.unchanged(c, plan.Cube(), question.format.media) {
		return sendUnchanged(c)
	}
	return a.exportCells(c, plan, question)
}

func readPackage(r *http.Request) (question, error) {
	given, err := readParameters(r.URL.RawQuery, packageParameters)
	if err != nil {
		return question{}, err
	}
	return questionOf(given, writing{format: formatZip})
}
