package api

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/trace"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube/query"
	"fiscube/internal/redact"
)

// observe begins the timing of a request, names it, answers its errors, and counts it and writes its line in the log, also
// when its answer is cut.
func (a *api) observe(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start, whole := time.Now(), false
		span := a.beginSpan(c, start)
		timing := limits.NewTiming(c)
		request.SetBase(c, a.PublicURL, a.Limits.TrustProxy)
		id := requestID(c.Request())
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		defer func() {
			took := time.Since(start)
			a.metrics.count(c, timing, took, whole)
			a.endSpan(c, span, timing, start, took, whole)
			a.Log.LogAttrs(c.Request().Context(), slog.LevelInfo, "request", a.lineOf(c, id, took, whole)...)
		}()
		if err := next(c); err != nil {
			c.Error(err)
		}
		whole = true
		return nil
	}
}

// mostQuestion is how many characters of a question the log has.
const mostQuestion = 2000

// lineOf is what the log says of a request. What was asked is personal, so that an operator has to want it.
func (a *api) lineOf(c echo.Context, id string, took time.Duration, whole bool) []slog.Attr {
	line := []slog.Attr{
		slog.String("id", id), slog.String("method", c.Request().Method), slog.String("route", c.Path()), slog.Int("status", c.Response().Status),
		slog.Int64("bytes", c.Response().Size), slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if name := request.Path(c, "cube"); name != "" {
		line = append(line, slog.String("cube", query.Clip(name)))
	}
	if a.LogQuestions {
		question := c.Request().URL.RawQuery
		if batch, ok := c.Get(batchKey).([]string); ok {
			question = strings.Join(batch, "\n")
		}
		if question != "" {
			line = append(line, slog.String("question", redact.Query(question[:min(len(question), mostQuestion)])))
		}
	}
	if of := trace.SpanContextFromContext(c.Request().Context()); of.HasTraceID() {
		line = append(line, slog.String("trace_id", of.TraceID().String()))
	}
	if !whole {
		line = append(line, slog.Bool("cut", true))
	}
	return line
}

// maxIDLength bounds the request ids that callers bring.
const maxIDLength = 64

// requestID keeps the id that came along, where it can do no harm in a log, or makes one.
func requestID(r *http.Request) string {
	id := r.Header.Get(echo.HeaderXRequestID)
	foreign := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		digit := r >= '0' && r <= '9'
		return !letter && !digit && r != '-' && r != '_' && r != '.'
	}
	if id == "" || len(id) > maxIDLength || strings.ContainsFunc(id, foreign) {
		return rand.Text()
	}
	return id
}

// secured are fields of the header of every answer: scripts of every site may read it, and no browser takes it for something
// else.
var secured = map[string][]string{
	echo.HeaderAccessControlAllowOrigin: {"*"},
	echo.HeaderAccessControlExposeHeaders: {
		"Accept-Ranges, Content-Disposition, Content-Range, ETag, Fiscube-Warnings, Link, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, Server-Timing, X-Request-Id, X-Total-Count",
	},
	"Timing-Allow-Origin":            {"*"},
	"Cross-Origin-Resource-Policy":   {"cross-origin"},
	echo.HeaderXContentTypeOptions:   {"nosniff"},
	echo.HeaderContentSecurityPolicy: {"default-src 'none'; frame-ancestors 'none'"},
	echo.HeaderReferrerPolicy:        {"no-referrer"},
	echo.HeaderCacheControl:          {"no-cache"},
}

// secure sets them. The values are shared: whoever changes a field of a header puts other values in their place.
func secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		maps.Copy(header, secured)
		if c.Request().Method == http.MethodOptions {
			header.Set(echo.HeaderAccessControlAllowMethods, "GET, HEAD, OPTIONS")
			if route := routeOf(c); route == batchPath || route == assistantPath {
				header.Set(echo.HeaderAccessControlAllowMethods, "POST, OPTIONS")
			}
			header.Set(echo.HeaderAccessControlAllowHeaders, "*")
			header.Set(echo.HeaderAccessControlMaxAge, "86400")
		}
		return next(c)
	}
}

// recoverPanic turns a panic into an error with its stack. It is inside observe, so a panic that cuts the
// connection on purpose, which reply.Problems raises, passes by it.
func recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
			}
		}()
		return next(c)
	}
}
