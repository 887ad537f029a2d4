package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

type statusJSON struct {
	Status string `json:"status"`
}

// health says that the process runs.
func (a *api) health(c echo.Context) error {
	return sendJSON(c, http.StatusOK, statusJSON{"ok"})
}

// readyPatience is how long the store has to say that it answers.
const readyPatience = 2 * time.Second

// ready says that the store answers too.
func (a *api) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyPatience)
	defer cancel()
	if err := a.engine.Ready(ctx); err != nil {
		return cube.Wrap(cube.CodeUnavailable, "the store does not answer", err)
	}
	return sendJSON(c, http.StatusOK, statusJSON{"ok"})
}
