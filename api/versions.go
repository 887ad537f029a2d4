package api

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// pinnable hands the version asked for to a route that takes no other parameter but the language, where it does.
func (a *api) pinnable(handle func(echo.Context, *cube.Cube) error, more ...request.Parameter) echo.HandlerFunc {
	parameters := slices.Concat(more, []request.Parameter{request.Pin})
	return func(c echo.Context) error {
		given, err := request.Read(c.Request().URL.RawQuery, parameters)
		if err != nil {
			return err
		}
		cb, err := request.Cube(c, a.limiter, request.Path(c, "cube"), given)
		if err != nil {
			return err
		}
		return handle(c, cb)
	}
}

// pinnableJSON is pinnable for what every version has, as JSON.
func (a *api) pinnableJSON(handle func(echo.Context, *cube.Cube) error, more ...request.Parameter) echo.HandlerFunc {
	return a.pinnable(func(c echo.Context, cb *cube.Cube) error {
		if reply.Unchanged(c, encode.FormatJSON.Media, cb.Key()) {
			return reply.SendNotModified(c)
		}
		return handle(c, cb)
	}, more...)
}

type versionsJSON struct {
	Status   string         `json:"status"`
	Cube     string         `json:"cube"`
	Version  int            `json:"version"`
	Versions []versionJSON  `json:"versions"`
	Page     int            `json:"page"`
	PageSize int            `json:"page_size"`
	Warnings []cube.Warning `json:"warnings"`
}

// versionJSON is a version that is kept.
type versionJSON struct {
	Number      int       `json:"number"`
	LoadedAt    time.Time `json:"loaded_at"`
	Rows        int64     `json:"rows"`
	Fingerprint string    `json:"fingerprint"`
	Served      bool      `json:"served"`
}

// versions lists the versions of a cube that are kept, oldest first.
func (a *api) versions(c echo.Context) error {
	catalog, err := a.limiter.Catalog(c.Request().Context())
	if err != nil {
		return err
	}
	served, err := catalog.Cube(request.Path(c, "cube"))
	if err != nil {
		return err
	}
	body := versionsJSON{Status: "ok", Cube: served.Name, Version: served.Version, Page: 1, Warnings: []cube.Warning{}}
	for _, cb := range catalog.Versions(served.Name) {
		body.Versions = append(body.Versions, versionJSON{cb.Version, cb.LoadedAt, cb.Rows, cb.Fingerprint, cb.Served})
	}
	body.PageSize = len(body.Versions)
	return reply.SendJSON(c, http.StatusOK, body)
}
