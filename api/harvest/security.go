package harvest

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
)

// securityPath is where RFC 9116 has the file.
const securityPath = "/.well-known/security.txt"

// securityHolds is for how long the file says that it holds, which is to be less than a year.
const securityHolds = 180 * 24 * time.Hour

// security says whom to tell of a hole (RFC 9116), if the operator says so.
func (o Operator) security(c echo.Context) error {
	if o.Security == "" {
		return echo.ErrNotFound
	}
	body := strings.Join([]string{
		"Contact: " + cleaned(o.Security),
		"Expires: " + time.Now().UTC().Truncate(24*time.Hour).Add(securityHolds).Format(time.RFC3339),
		"Canonical: " + request.Base(c) + securityPath, "",
	}, "\n")
	if reply.Unchanged(c, echo.MIMETextPlainCharsetUTF8, body) {
		return reply.SendNotModified(c)
	}
	return reply.Send(c, http.StatusOK, echo.MIMETextPlainCharsetUTF8, []byte(body))
}
