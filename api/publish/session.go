package publish

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/site"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// The bounds of sessions, which are gone with the process.
const (
	sessionFor   = 12 * time.Hour
	mostSessions = 1000
	cookieName   = "fiscube_publish"
)

// sessions are the browsers in which the token was shown, by ids that say nothing of it.
type sessions struct {
	mu    sync.Mutex
	until map[string]time.Time
}

// begin makes a session. The one that ends first gives way where there are too many.
func (s *sessions) begin(now time.Time) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until == nil {
		s.until = map[string]time.Time{}
	}
	first := ""
	for id, until := range s.until {
		if until.Before(now) {
			delete(s.until, id)
		} else if first == "" || until.Before(s.until[first]) {
			first = id
		}
	}
	if len(s.until) >= mostSessions {
		delete(s.until, first)
	}
	id = rand.Text()
	s.until[id] = now.Add(sessionFor)
	return id
}

func (s *sessions) has(id string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.until[id].After(now)
}

// admits tells whether a request shows the token or has a session.
func (p *Pages) admits(r *http.Request) bool {
	if p.loads.IsShown(r) {
		return true
	}
	cookie, err := r.Cookie(cookieName)
	return err == nil && p.sessions.has(cookie.Value, time.Now())
}

// fromHere refuses forms that pages of other sites send. A proxy may call this server by another name than browsers do, who then know it
// by its public address.
func fromHere(c echo.Context) error {
	r := c.Request()
	if http.NewCrossOriginProtection().Check(r) == nil {
		return nil
	}
	public, err := url.Parse(request.Base(c))
	if origin := r.Header.Get(echo.HeaderOrigin); err == nil && origin == public.Scheme+"://"+public.Host {
		return nil
	}
	return cube.Errorf(reply.CodeForeign, "this form does not come from a page of this server")
}

// mostTokenForm is how many bytes the form of the token has at most.
const mostTokenForm = 4 << 10

// enter takes the token. The cookie has no path, so that it is for what lies beside this address, wherever a proxy puts it.
func (p *Pages) enter(c echo.Context) error {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, mostTokenForm)
	if err := r.ParseForm(); err != nil {
		return cube.Wrap(reply.CodeBadBody, "the form cannot be read", err)
	}
	below := ""
	if draft := r.PostForm.Get("draft"); isID(draft) {
		below = "/" + draft
	}
	if !p.loads.Admits(r.Context(), strings.TrimSpace(r.PostForm.Get("token"))) {
		wrong := "_wrong=1"
		if lang := site.ParameterIn(r.URL.RawQuery, "lang"); lang != "" {
			wrong = "lang=" + url.QueryEscape(lang) + "&" + wrong
		}
		return c.Redirect(http.StatusSeeOther, root(c)+"publish"+below+"?"+wrong)
	}
	c.SetCookie(&http.Cookie{
		Name: cookieName, Value: p.sessions.begin(time.Now()), HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(request.Base(c), "https://"), MaxAge: int(sessionFor / time.Second),
	})
	return seeOther(c, below, "")
}

type tokenPage struct {
	around
	Draft string // that is opened then
	Wrong bool
}

func (p *Pages) tokenPage(v *site.Visit) *site.Frame {
	v.Response().Header().Set(echo.HeaderWWWAuthenticate, challenge)
	page := tokenPage{around: newAround(v), Draft: request.Path(v.Context, "draft"), Wrong: v.PageParameter("_wrong") != ""}
	return v.Frame(tokenTemplate, page.Say("publish.token-title"), page).WithStatus(http.StatusUnauthorized)
}
