package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// codeUnknownJob is the code of a job that this process does not have, or no more.
const codeUnknownJob cube.Code = "unknown-job"

// askAgainAfter is how many seconds a caller should wait before asking how a job goes.
const askAgainAfter = "1"

// removePatience is how long a removal waits for the load that it would get in the way of.
const removePatience = 20 * time.Second

// loading routes what changes the cubes. Without a token there is none of it.
func (a *api) loading(e *echo.Echo) {
	if a.Loads == nil {
		return
	}
	a.route(e, "/jobs/:job", a.Loads.guarded(bare(a.job)))
	for _, slash := range []string{"", "/"} {
		e.POST("/cubes"+slash, a.Loads.guarded(bare(a.load)))
		e.DELETE("/cubes/:cube"+slash, a.Loads.guarded(bare(a.remove)))
	}
}

// load puts a package into the queue and answers with its job. The place in the queue is taken before the package
// is read, so that packages being sent are bounded, too.
func (a *api) load(c echo.Context) error {
	if err := a.Loads.enter(); err != nil {
		c.Response().Header().Set(echo.HeaderRetryAfter, retryAfter)
		return err
	}
	j, err := a.Loads.receive(c)
	if err == nil {
		err = a.Loads.submit(j)
	}
	if err != nil {
		a.Loads.leave()
		return err
	}
	told := j.snapshot()
	header := c.Response().Header()
	header.Set(echo.HeaderLocation, upwards(c)+"jobs/"+told.ID)
	header.Set(echo.HeaderRetryAfter, askAgainAfter)
	return sendJSON(c, http.StatusAccepted, told)
}

// upwards leads from the path asked to its folder: links are relative, so that they also hold below a path of
// another server.
func upwards(c echo.Context) string {
	if strings.HasSuffix(c.Request().URL.Path, "/") {
		return "../"
	}
	return ""
}

// job tells how a load goes.
func (a *api) job(c echo.Context) error {
	j, err := a.Loads.find(c.Param("job"))
	if err != nil {
		return err
	}
	told := j.snapshot()
	if told.EndedAt == nil {
		c.Response().Header().Set(echo.HeaderRetryAfter, askAgainAfter)
	}
	return sendJSON(c, http.StatusOK, told)
}

// remove gives up a cube with all its versions.
func (a *api) remove(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), removePatience)
	defer cancel()
	err := a.engine.Remove(ctx, cubeName(c))
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded): // stores say so in words of their own
		return cube.Wrap(cube.CodeUnavailable, "a load or removal under way takes too long", err)
	case err != nil:
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
