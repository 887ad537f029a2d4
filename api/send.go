package api

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
)

// sendJSON answers with one of our own shapes.
func sendJSON(c echo.Context, status int, v any) error {
	return send(c, status, echo.MIMEApplicationJSON, marshal(v))
}

// send answers with a whole body, to HEAD with its length alone.
func send(c echo.Context, status int, media string, body []byte) error {
	r := c.Response()
	r.Header().Set(echo.HeaderContentType, media)
	r.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	r.WriteHeader(status)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	if _, err := r.Write(body); err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	return nil
}
