package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// codeUnauthorized is the code of a request without the token, or with a wrong one.
const codeUnauthorized cube.Code = "unauthorized"

// wrongTokenDelay is how long a wrong token waits for its answer. What keeps guessers out is the length of the
// token; this keeps them from filling the log.
const wrongTokenDelay = 250 * time.Millisecond

// token is the digest of the secret that callers show. Digests have one length, so comparing them does not
// even tell that of the secret.
type token [sha256.Size]byte

func newToken(secret string) token { return sha256.Sum256([]byte(secret)) }

// matches compares in a time that does not depend on the content.
func (t token) matches(secret string) bool {
	given := newToken(secret)
	return subtle.ConstantTimeCompare(t[:], given[:]) == 1
}

// guarded lets through who shows the token. Scripts of other sites may read everything else, but none of this.
func (l *Loads) guarded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Del(echo.HeaderAccessControlAllowOrigin)
		header.Set(echo.HeaderCacheControl, "no-store")
		secret, given := bearer(c.Request())
		if given && l.token.matches(secret) {
			return next(c)
		}
		return refuseToken(c, given)
	}
}

// bearer gives the token of a request (RFC 6750). One in the URL is not looked for: URLs are written to logs.
func bearer(r *http.Request) (secret string, given bool) {
	values := r.Header.Values(echo.HeaderAuthorization)
	if len(values) != 1 {
		return "", false
	}
	scheme, secret, _ := strings.Cut(values[0], " ")
	return strings.TrimLeft(secret, " "), strings.EqualFold(scheme, "Bearer")
}

func refuseToken(c echo.Context, given bool) error {
	challenge, message := `Bearer realm="fiscube"`, "this needs the token of the server"
	if given {
		challenge, message = challenge+`, error="invalid_token"`, "this is not the token of the server"
		select {
		case <-time.After(wrongTokenDelay):
		case <-c.Request().Context().Done():
		}
	}
	c.Response().Header().Set(echo.HeaderWWWAuthenticate, challenge)
	err := cube.Errorf(codeUnauthorized, "%s", message)
	err.Hint = "send it as Authorization: Bearer …"
	return err
}
