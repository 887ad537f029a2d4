package api

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Turns takes one of so many turns, for which so many wait.
func Turns(working, waiting int) func(context.Context) (release func(), err error) {
	w := admission{[]turns{newTurns(working)}, []turns{make(turns, waiting)}}
	return func(ctx context.Context) (func(), error) { return w.end, w.take(ctx) }
}

// Patiently is what Serve puts around a handler, with a patience of the test's own.
func Patiently(h http.Handler, piece time.Duration, pace float64) http.Handler {
	return patiently(h, patience{piece, pace})
}

// CodingFor names the coding that an Accept-Encoding wants, "" for none.
func CodingFor(values ...string) string {
	if one := codingFor(http.Header{"Accept-Encoding": values}); one != nil {
		return one.name
	}
	return ""
}

// Compressed puts the compression around a handler of the test's own.
func Compressed(handle func(w http.ResponseWriter)) http.Handler {
	e := echo.New()
	e.GET("/", func(c echo.Context) error { handle(c.Response()); return nil }, compressed)
	return e
}
