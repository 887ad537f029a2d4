package api

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// logged names the request, answers its errors and writes its line in the log, also when the answer is cut.
func (a *api) logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start, whole := time.Now(), false
		c.Response().Header().Set(echo.HeaderXRequestID, requestID(c.Request()))
		defer func() { a.logRequest(c, time.Since(start), whole) }()
		if err := next(c); err != nil {
			c.Error(err)
		}
		whole = true
		return nil
	}
}

func (a *api) logRequest(c echo.Context, took time.Duration, whole bool) {
	attributes := []slog.Attr{
		slog.String("id", c.Response().Header().Get(echo.HeaderXRequestID)),
		slog.String("method", c.Request().Method),
		slog.String("route", c.Path()),
		slog.Int("status", c.Response().Status),
		slog.Int64("bytes", c.Response().Size),
		slog.Duration("duration", took),
	}
	if !whole {
		attributes = append(attributes, slog.Bool("cut", true))
	}
	a.Log.LogAttrs(c.Request().Context(), slog.LevelInfo, "request", attributes...)
}

// maxIDLength bounds the request ids that callers bring.
const maxIDLength = 64

// requestID keeps the id that came along, where it can do no harm in a log, or makes one.
func requestID(r *http.Request) string {
	id := r.Header.Get(echo.HeaderXRequestID)
	if id == "" || len(id) > maxIDLength || strings.ContainsFunc(id, notInID) {
		return rand.Text()
	}
	return id
}

func notInID(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	digit := r >= '0' && r <= '9'
	return !letter && !digit && r != '-' && r != '_' && r != '.'
}

// open lets scripts of every site read the answers, and lets none of them be taken for something else.
func open(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set(echo.HeaderAccessControlAllowOrigin, "*")
		header.Set(echo.HeaderAccessControlExposeHeaders,
			"Content-Disposition, ETag, Fiscube-Warnings, Link, Retry-After, Server-Timing, X-Request-Id, X-Total-Count")
		header.Set("Timing-Allow-Origin", "*")
		header.Set("Cross-Origin-Resource-Policy", "cross-origin")
		header.Set(echo.HeaderXContentTypeOptions, "nosniff")
		header.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
		header.Set(echo.HeaderReferrerPolicy, "no-referrer")
		header.Set(echo.HeaderCacheControl, "no-cache")
		if c.Request().Method == http.MethodOptions {
			header.Set(echo.HeaderAccessControlAllowMethods, "GET, HEAD, OPTIONS")
			header.Set(echo.HeaderAccessControlAllowHeaders, "*")
			header.Set(echo.HeaderAccessControlMaxAge, "86400")
		}
		return next(c)
	}
}

// recovered turns a panic into an error with its stack. It stands inside logged, so a panic that cuts the
// connection on purpose, which problem raises, passes by it.
func recovered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if cause := recover(); cause != nil {
				err = panicError(cause)
			}
		}()
		return next(c)
	}
}

func panicError(cause any) error {
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	return fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
}
