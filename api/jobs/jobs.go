// Package jobs loads and removes packages over HTTP: a client with the token sends a package, and asks how far its job has come.
package jobs

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/findings"
)

// askAgainAfter is how many seconds a caller should wait before asking how a job goes.
const askAgainAfter = "1"

// removeTimeout is how long a removal waits for the load that it would get in the way of.
const removeTimeout = 20 * time.Second

// Remover removes cubes with all their versions.
type Remover interface {
	Remove(ctx context.Context, name string) error
}

// Register routes what changes the cubes.
func (q *Queue) Register(e *echo.Echo, cubes Remover) {
	for _, slash := range []string{"", "/"} {
		job := q.guarded(request.Bare(q.job))
		e.GET("/jobs/:job"+slash, job)
		e.HEAD("/jobs/:job"+slash, job)
		e.POST("/cubes"+slash, q.guarded(q.load))
		e.DELETE("/cubes/:cube"+slash, q.guarded(request.Bare(func(c echo.Context) error { return remove(c, cubes) })))
	}
}

// load puts a package into the queue and answers with its job. The slot in the queue is taken before the package
// is read, so that packages being sent are bounded, too.
func (q *Queue) load(c echo.Context) error {
	asked, err := readParameters(c.Request().URL.RawQuery)
	if err != nil {
		return err
	}
	if err := q.enter(); err != nil {
		c.Response().Header().Set(echo.HeaderRetryAfter, reply.RetryAfter)
		return err
	}
	j, err := q.receive(c, asked)
	if err == nil {
		err = q.submit(j)
	}
	if err != nil {
		q.leave()
		return err
	}
	view := j.current()
	header := c.Response().Header()
	header.Set(echo.HeaderLocation, reply.Upwards(c)+"jobs/"+view.ID)
	header.Set(echo.HeaderRetryAfter, askAgainAfter)
	return reply.SendJSON(c, http.StatusAccepted, view)
}

// readParameters reads what the package may be without, which cube tables become, and what no cell of them says.
func readParameters(query string) (asked Source, err error) {
	allow, name := request.Parameter{Name: "allow", Separator: ","}, request.Parameter{Name: "name", Twice: cube.CodeBadValue}
	answers, visibility := request.Parameter{Name: "answers", Twice: cube.CodeBadValue}, request.Parameter{Name: "visibility", Twice: cube.CodeBadValue}
	given, err := request.Read(query, []request.Parameter{allow, name, answers, visibility})
	if err != nil {
		return Source{}, err
	}
	if asked.Visibility, err = cube.ParseVisibility(given[visibility.Name]); err != nil {
		return Source{}, request.Mistake(cube.CodeBadValue, visibility.Name, err.Error(), "write listed, unlisted or token")
	}
	asked.Name = given[name.Name]
	if text := given[answers.Name]; text != "" && (asked.Name == "" || json.Unmarshal([]byte(text), &asked.Answers) != nil) {
		return Source{}, request.Mistake(cube.CodeBadValue, answers.Name, "answers are a JSON object of texts, for tables that a name is given to", `write answers={"currency":"EUR"}`)
	}
	if given[allow.Name] == "" {
		return asked, nil
	}
	asked.Allow = strings.Split(given[allow.Name], ",")
	if err := findings.CheckAllowed(asked.Allow); err != nil {
		return Source{}, request.Mistake(cube.CodeBadValue, allow.Name, err.Error(), "the codes are "+strings.Join(findings.Allowable, ", "))
	}
	return asked, nil
}

// job shows how far a load has come.
func (q *Queue) job(c echo.Context) error {
	j, err := q.find(c.Param("job"))
	if err != nil {
		return err
	}
	view := j.current()
	if view.EndedAt == nil {
		c.Response().Header().Set(echo.HeaderRetryAfter, askAgainAfter)
	}
	return reply.SendJSON(c, http.StatusOK, view)
}

// remove removes a cube with all its versions.
func remove(c echo.Context, cubes Remover) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), removeTimeout)
	defer cancel()
	err := cubes.Remove(ctx, request.Path(c, "cube"))
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded): // stores say so in words of their own
		return cube.Wrap(cube.CodeUnavailable, "a load or removal under way takes too long", err)
	case err != nil:
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

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

// guarded lets requests with the token through. Scripts of other sites may read everything else, but none of this.
func (q *Queue) guarded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Del(echo.HeaderAccessControlAllowOrigin)
		header.Set(echo.HeaderCacheControl, "no-store")
		secret, given := bearer(c.Request())
		if given && q.token.matches(secret) {
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
		delayWrong(c.Request().Context())
	}
	c.Response().Header().Set(echo.HeaderWWWAuthenticate, challenge)
	err := cube.Errorf(reply.CodeUnauthorized, "%s", message)
	err.Hint = "send it as Authorization: Bearer …"
	return err
}
