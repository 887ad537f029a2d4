package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/api/jobs"
	"fiscube/api/limits"
	"fiscube/api/reply"
)

// trust lets who shows the token of readers, or that of publishers, see the cubes that are not public. To everybody else these are not
// there, and a wrong token is as good as none. What a token opened is for its reader alone: nobody between may keep it for others.
func (a *api) trust(next echo.HandlerFunc) echo.HandlerFunc {
	if a.ReadToken == "" && a.Loads == nil {
		return next
	}
	return func(c echo.Context) error {
		r := c.Request()
		reply.Vary(c.Response().Header(), echo.HeaderAuthorization)
		if jobs.Shows(r, a.ReadToken) || a.Loads != nil && a.Loads.IsShown(r) {
			c.SetRequest(r.WithContext(limits.Trusting(r.Context())))
		}
		if limits.IsTrusted(c.Request().Context()) {
			c.Response().Before(func() { keepPrivate(c.Response().Header()) })
		}
		return next(c)
	}
}

// keepPrivate keeps an answer out of the stores of others.
func keepPrivate(header http.Header) {
	if header.Get(echo.HeaderCacheControl) != "no-store" {
		header.Set(echo.HeaderCacheControl, "private, no-cache")
	}
}
