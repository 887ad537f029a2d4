package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/cube"
)

type statusJSON struct {
	Status string `json:"status"`
}

// health says that the process runs.
func (a *api) health(c echo.Context) error {
	return reply.SendJSON(c, http.StatusOK, statusJSON{"ok"})
}

// readyTimeout is how long a store has to say that it answers. No store has a limit of its own.
const readyTimeout = 2 * time.Second

// ready says that the store answers too. What a store says of itself is passed on as it is, because it knows more.
func (a *api) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), readyTimeout)
	defer cancel()
	err := a.store.Ready(ctx)
	switch {
	case cube.CodeOf(err) == cube.CodeUnavailable:
		return err
	case err != nil:
		return cube.Wrap(cube.CodeUnavailable, "the store does not answer", err)
	}
	return reply.SendJSON(c, http.StatusOK, statusJSON{"ok"})
}
