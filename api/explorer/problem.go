package explorer

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/cube"
)

// problemPage says what is wrong, and what to do.
type problemPage struct {
	reader
	Title, Message, Hint string
	Retry, Home          string // links, or ""
	Wait                 string // for how many seconds, before it may be asked again
}

// problem is the page of a mistake.
func (v *visit) problem(mistake *cube.Error) *frame {
	if v.Language == "" { // the request was not read yet
		v.reader, _ = readerOf(v.Context, nil) // without parameters there is no mistake
	}
	status := reply.Statuses[mistake.Code]
	main := problemPage{reader: v.reader, Message: mistake.Message, Hint: mistake.Hint, Home: v.home(), Wait: v.Response().Header().Get(echo.HeaderRetryAfter)}
	switch status {
	case http.StatusNotFound:
		main.Title = v.Words.NotFound
	case http.StatusGone:
		main.Title = v.Words.GonePage
	case http.StatusTooManyRequests:
		main.Title, main.Retry = v.Words.TooMany, v.here()+"?"+v.Request().URL.RawQuery
	case http.StatusServiceUnavailable:
		main.Title, main.Retry = v.Words.Unavailable, v.here()+"?"+v.Request().URL.RawQuery
	case http.StatusInternalServerError, http.StatusInsufficientStorage:
		main.Title = v.Words.Broken
	default:
		main.Title = v.Words.Mistake
	}
	f := v.frame("problem", main.Title, main)
	f.status = status
	return f
}
