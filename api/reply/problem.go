package reply

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"syscall"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
)

// The codes that only HTTP knows.
const (
	codeMethodNotAllowed cube.Code = "method-not-allowed" // mostly of a route that only reads
	codeInternal         cube.Code = "internal"           // a fault of ours, which only the log explains
	CodeBadBody          cube.Code = "bad-body"
	CodeMediaType        cube.Code = "unsupported-media-type"
	CodeUnauthorized     cube.Code = "unauthorized"   // without the token, or with a wrong one
	CodeForeign          cube.Code = "foreign-origin" // a page or a name of another site, at a server of one machine
	CodeUnknownJob       cube.Code = "unknown-job"    // that this process does not have, or no more
	CodeTooManyLoads     cube.Code = "too-many-loads" // the queue of packages is full
)

// Statuses gives every code its status. openapi.yaml says the same to callers, and a test compares them.
var Statuses = map[cube.Code]int{
	cube.CodeBadSyntax:         http.StatusBadRequest,
	cube.CodeBadValue:          http.StatusBadRequest,
	cube.CodeBadPage:           http.StatusBadRequest,
	cube.CodeUnknownParameter:  http.StatusBadRequest,
	cube.CodeUnknownRef:        http.StatusBadRequest,
	cube.CodeNoSeries:          http.StatusBadRequest,
	cube.CodeAmbiguousRef:      http.StatusBadRequest,
	cube.CodeUnknownCube:       http.StatusNotFound,
	cube.CodeUnknownLevel:      http.StatusNotFound,
	cube.CodeUnknownVersion:    http.StatusNotFound,
	cube.CodeUnknownResource:   http.StatusNotFound,
	cube.CodeNotKept:           http.StatusNotFound,
	cube.CodeUnknownRoute:      http.StatusNotFound,
	CodeBadBody:                http.StatusBadRequest,
	CodeUnauthorized:           http.StatusUnauthorized,
	CodeForeign:                http.StatusForbidden,
	CodeUnknownJob:             http.StatusNotFound,
	codeMethodNotAllowed:       http.StatusMethodNotAllowed,
	CodeMediaType:              http.StatusUnsupportedMediaType,
	CodeTooManyLoads:           http.StatusTooManyRequests,
	cube.CodeConflict:          http.StatusConflict,
	cube.CodeGone:              http.StatusGone,
	cube.CodeTooLarge:          http.StatusRequestEntityTooLarge,
	limits.CodeTooManyRequests: http.StatusTooManyRequests,
	codeInternal:               http.StatusInternalServerError,
	cube.CodeUnavailable:       http.StatusServiceUnavailable,
	cube.CodeNoSpace:           http.StatusInsufficientStorage,
	cube.CodeDamaged:           http.StatusInternalServerError,
}

// statusClientLeft is what the log says of a request whose client went away; no client receives it.
const statusClientLeft = 499

// RetryAfter is how many seconds a caller should wait for the store to come back.
const RetryAfter = "5"

// errUnread says that an answer could not be written, because its client is gone.
var errUnread = errors.New("the answer could not be written")

// Problems answers errors, and writes their causes in the log. Once a part of the answer is on its way only cutting the
// connection tells the caller that the rest is missing.
func Problems(log *slog.Logger) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		p := Explain(err)
		left := errors.Is(err, errUnread) || errors.Is(c.Request().Context().Err(), context.Canceled)
		if !left {
			logCause(log, err, p, c)
		}
		switch {
		case c.Response().Committed:
			panic(http.ErrAbortHandler)
		case left:
			_ = c.NoContent(statusClientLeft)
		default:
			var refused Refused
			if known := (*Refused)(nil); errors.As(err, &known) {
				refused = *known
			}
			var scripted Scripted
			if known := (*Scripted)(nil); errors.As(err, &known) {
				scripted = *known
			}
			sendProblem(c, p, refused.Allowed, scripted.Callback)
		}
	}
}

// showKey is where a request keeps what shows its problem.
const showKey = "show"

// ShowProblems lets a request show its problem in its own way, such as a page.
func ShowProblems(c echo.Context, show func(*cube.Error) error) { c.Set(showKey, show) }

// Explain gives the error that a caller sees.
func Explain(err error) *cube.Error {
	var known *cube.Error
	var routing *echo.HTTPError
	switch {
	case errors.As(err, &known) && Statuses[known.Code] != 0:
		return known
	case errors.As(err, &routing) && routing.Code == http.StatusNotFound:
		return cube.Errorf(cube.CodeUnknownRoute, "there is nothing at this path")
	case errors.As(err, &routing) && routing.Code == http.StatusMethodNotAllowed:
		return cube.Errorf(codeMethodNotAllowed, "this path does not take this method; the header Allow says which it takes")
	case isNoSpace(err):
		return cube.Wrap(cube.CodeNoSpace, "there is no space left on a disk of the server", err).
			WithHint("its operator can free some: fiscube prune drops old versions")
	case errors.Is(err, context.DeadlineExceeded):
		return cube.Wrap(cube.CodeUnavailable, "the question took longer than the service allows", err)
	}
	return cube.Wrap(codeInternal, "internal error", err)
}

// isNoSpace tells whether a disk is full. DuckDB says so only in words.
func isNoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "No space left on device")
}

// logCause writes in the log, once, what a caller does not see. A mistake of the caller's has no cause, unless it cuts an
// answer: then only the log says why. Too many questions at once are a warning.
func logCause(log *slog.Logger, err error, p *cube.Error, c echo.Context) {
	level := slog.LevelError
	switch fault := Statuses[p.Code] >= http.StatusInternalServerError; {
	case !fault && !c.Response().Committed:
		return
	case !fault || limits.Busy(err):
		level = slog.LevelWarn
	}
	log.LogAttrs(c.Request().Context(), level, "request failed",
		slog.String("id", c.Response().Header().Get(echo.HeaderXRequestID)),
		slog.String("route", c.Path()),
		slog.String("code", string(p.Code)),
		slog.String("message", p.Message),
		slog.String("cause", Causes(err)))
}

// Causes is all that an error says, from the outside in. The text of a *cube.Error is made for callers and may
// leave out what is inside, so each is followed by its cause, unless it ends with that already.
func Causes(err error) string {
	text := err.Error()
	for known := (*cube.Error)(nil); errors.As(err, &known); {
		if err = errors.Unwrap(known); err == nil {
			break
		}
		if inner := err.Error(); !strings.HasSuffix(text, inner) {
			text += ": " + inner
		}
	}
	return text
}

type problemJSON struct {
	Status  string         `json:"status"`
	Code    cube.Code      `json:"code"`
	Message string         `json:"message"`
	Context problemContext `json:"context"`
}

// problemContext says where the mistake is and what to do; what is not known is left out.
type problemContext struct {
	Parameter *string `json:"parameter,omitempty"`
	Position  *int    `json:"position,omitempty"`
	Hint      string  `json:"hint,omitempty"`

	Allowed []string `json:"allowed,omitempty"` // the names there are, below /api/3
}

// Refused is a mistake in a name below /api/3, with the names there are.
type Refused struct {
	Mistake *cube.Error
	Allowed []string
}

// Error says what is wrong.
func (r *Refused) Error() string { return r.Mistake.Error() }

// Unwrap gives the mistake itself.
func (r *Refused) Unwrap() error { return r.Mistake }

// Scripted is a mistake in a request for a script that calls a function. That function says so, if it is the caller's.
type Scripted struct {
	Callback string
	Mistake  error
}

// Error says what is wrong.
func (s *Scripted) Error() string { return s.Mistake.Error() }

// Unwrap gives the mistake itself.
func (s *Scripted) Unwrap() error { return s.Mistake }

func newProblem(p *cube.Error, allowed []string) problemJSON {
	body := problemJSON{Status: "error", Code: p.Code, Message: p.Message, Context: problemContext{Hint: p.Hint, Allowed: allowed}}
	if p.Position != nil {
		body.Context.Parameter, body.Context.Position = &p.Position.Parameter, &p.Position.Offset
	}
	return body
}

// ProblemInside gives an error as a part of an answer, and writes the cause of a fault in the log.
func ProblemInside(log *slog.Logger, err error, c echo.Context) []byte {
	p := Explain(err)
	if Statuses[p.Code] >= http.StatusInternalServerError {
		logCause(log, err, p, c)
	}
	return Problem(p)
}

// detailsJSON is an error as RFC 9457 has it, for callers that name its media type.
type detailsJSON struct {
	Type     string    `json:"type"` // leads to what the document says of the code
	Title    string    `json:"title"`
	Status   int       `json:"status"`
	Detail   string    `json:"detail"`
	Instance string    `json:"instance,omitempty"`
	Code     cube.Code `json:"code"`
	problemContext
}

// mostInstance is how long the address of a request may be that its error tells back.
const mostInstance = 2000

func newDetails(c echo.Context, p problemJSON) detailsJSON {
	base, code := request.Base(c), string(p.Code)
	d := detailsJSON{
		Type: base + "/openapi.json#/components/x-problems/" + code, Title: strings.ToUpper(code[:1]) + strings.ReplaceAll(code[1:], "-", " "),
		Status: Statuses[p.Code], Detail: p.Message, Instance: base + c.Request().URL.RequestURI(), Code: p.Code, problemContext: p.Context,
	}
	if len(d.Instance) > mostInstance {
		d.Instance = ""
	}
	return d
}

// Problem gives an error as callers see it.
func Problem(err error) []byte { return encode.Marshal(newProblem(Explain(err), nil)) }

func sendProblem(c echo.Context, p *cube.Error, allowed []string, callback string) {
	body := newProblem(p, allowed)
	header := c.Response().Header()
	header.Del(echo.HeaderContentDisposition)
	header.Del(HeaderWarnings)
	header.Del(HeaderLink)
	header.Del(HeaderETag)
	header.Set(echo.HeaderCacheControl, "no-store")
	if p.Code == cube.CodeGone && c.Request().URL.Query().Has(request.Pin.Name) {
		AddLink(header, Reference(c.Request().URL, [2]string{request.Pin.Name, ""}), "alternate latest-version")
	}
	if p.Code == cube.CodeUnavailable {
		header.Set(echo.HeaderRetryAfter, RetryAfter)
	}
	if show, ok := c.Get(showKey).(func(*cube.Error) error); ok && show(p) == nil {
		return
	}
	switch status := Statuses[p.Code]; { // a caller that does not take it is gone
	case callback != "" && status == http.StatusBadRequest:
		_ = SendScript(c, status, callback, encode.Marshal(body))
	case request.PrefersDetails(c.Request().Header.Values("Accept")):
		_ = Send(c, status, request.MediaDetails, encode.Marshal(newDetails(c, body)))
	default:
		_ = SendJSON(c, status, body)
	}
}
